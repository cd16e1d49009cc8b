"""Chinese written in Latin letters, where the whole message is: "queren", "gai cheng 5 ge ba", "qx"."""

from __future__ import annotations

import re
from typing import Final

_WORDS: Final[dict[str, str]] = {
    "queren": "确认", "que ren": "确认", "qr": "确认", "zhixing": "执行", "zhi xing": "执行", "keyi": "可以",
    "ke yi": "可以", "hao de": "好的", "haode": "好的", "hao": "好", "hao ba": "好吧", "haoba": "好吧",
    "meiwenti": "没问题", "mei wenti": "没问题", "mei wen ti": "没问题", "mwt": "没问题", "xing": "行",
    "dui": "对", "shide": "是的", "shi de": "是的", "en": "嗯", "enen": "嗯嗯", "tongyi": "同意",
    "tong yi": "同意", "pizhun": "批准", "zou qi": "走起", "zouqi": "走起", "gan": "干", "gao": "搞",
    "gao qi": "搞起", "kuai": "快", "kuaidian": "快点", "kuai dian": "快点", "ganjin": "赶紧",
    "gan jin": "赶紧", "mashang": "马上", "ma shang": "马上", "quxiao": "取消", "qu xiao": "取消", "qx": "取消",
    "suanle": "算了", "suan le": "算了", "bie": "别", "buyao": "不要", "bu yao": "不要", "buyong": "不用",
    "bu yong": "不用", "buxing": "不行", "bu xing": "不行", "bu": "不", "xian": "先", "deng": "等",
    "dengdeng": "等等", "deng deng": "等等", "deng yi xia": "等一下", "deng yixia": "等一下",
    "dengyixia": "等一下", "dengxia": "等下", "deng xia": "等下", "shaodeng": "稍等", "shao deng": "稍等",
    "gaicheng": "改成", "gai cheng": "改成", "gaidao": "改到", "gai dao": "改到", "kuodao": "扩到",
    "kuo dao": "扩到", "kuorong": "扩容", "kuo rong": "扩容", "kuo": "扩", "suorong": "缩容",
    "suo rong": "缩容", "suodao": "缩到", "suo dao": "缩到", "suo": "缩", "chongqi": "重启", "chong qi": "重启",
    "huigun": "回滚", "hui gun": "回滚", "zanting": "暂停", "huifu": "恢复", "shan": "删", "ge": "个",
    "ba": "吧", "ma": "吗", "le": "了", "ne": "呢", "de": "的", "fuben": "副本", "shi": "是",
    "weishenme": "为什么", "wei shenme": "为什么", "shenme": "什么", "zenme": "怎么", "duoshao": "多少",
    "xianzai": "现在", "xian zai": "现在", "kan": "看", "kan yixia": "看一下", "kanxia": "看下",
    "kan xia": "看下", "rizhi": "日志", "jiu zheyang": "就这样", "jiuzheyang": "就这样", "zhunle": "准了",
    "zou": "走", "shang": "上", "wo": "我", "zai": "再", "jia": "加", "jian": "减", "yi": "一", "liang": "两",
    "san": "三",
}  # fmt: skip
_NUMBER: Final = r"\d+"
_WORD: Final = re.compile("|".join(sorted(_WORDS, key=len, reverse=True)))
_PAIR: Final = re.compile(
    rf"(?:(?<![a-z])(?:{'|'.join(sorted(_WORDS, key=len, reverse=True))})(?![a-z])|{_NUMBER}|[\s,.!?~])+", re.ASCII
)
_ENGLISH_TOO: Final = frozenset(
    {"en", "ba", "ma", "ne", "de", "le", "shan", "gan", "gao", "kan", "hao", "san", "jia", "shi", "wo", "yi"}
)
"""Alone they may be something else."""
_LONGEST: Final = 60


def in_characters(text: str) -> str:
    """The text in characters where it is nothing but words of the table; else as it is."""
    low = text.lower()
    if len(low) > _LONGEST or not low.isascii() or _PAIR.fullmatch(low) is None:
        return text
    words = set(re.findall(r"[a-z]+", low))
    if not words or words <= _ENGLISH_TOO:
        return text
    return re.sub(r"(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])", "", _WORD.sub(lambda found: _WORDS[found.group()], low))
