"""What dictation, keyboards and traditional characters make of common words, put right before the rules look.

Each replacement is as long as what it replaces, so that offsets hold; names are masked before and never touched.
"""

from __future__ import annotations

import re
from typing import Final

from chatops_bot.domain.name_words import of_words

_TRADITIONAL: Final = str.maketrans(
    "嘅睇畀喺咗佢叢佈掛麼嗎這個們來為時說對沒還過後開關問題幾誰讓請謝認確執應該響發現實數據務庫緩節點擴縮啟滾動復繼續機"
    "檢測試驗證"
    "準備點級運維網絡錄單連線區環業資訊處條錯報誤號總歸換變調設與麻煩幫當見觀監統計區間並從東兩進退遠邊難語言話"
    "願體頭歡實頁樣無異議贊選項種樓閉鎖斷縱橫佔滿載壓緊輕輸轉給經結終絕絡練紅維綠編緣緊鏡殺刪災瘋樂爛紀萬億"
    "別卻場塊壞夠夢夾學寫將導層屬島幹廣廢廳張強彈彙後徑從愛慮憂戰戲擊擋擔擇據擠攔攜斂昇晝曆書會東極標樞機權檔",
    "的看给在了它丛布挂么吗这个们来为时说对没还过后开关问题几谁让请谢认确执应该响发现实数据务库缓节点扩缩启滚动复继续机"
    "检测试验证"
    "准备点级运维网络录单连线区环业资讯处条错报误号总归换变调设与麻烦帮当见观监统计区间并从东两进退远边难语言话"
    "愿体头欢实页样无异议赞选项种楼闭锁断纵横占满载压紧轻输转给经结终绝络练红维绿编缘紧镜杀删灾疯乐烂纪万亿"
    "别却场块坏够梦夹学写将导层属岛干广废厅张强弹汇后径从爱虑忧战戏击挡担择据挤拦携敛升昼历书会东极标枢机权档",
)

_HEARD: Final[dict[str, str]] = {
    **dict.fromkeys(("却认", "确任", "缺认", "确人", "却任", "雀认", "确仁"), "确认"),
    **dict.fromkeys(("阔容", "扩融", "括容", "阔溶", "廓容", "扩溶", "扩荣"), "扩容"),
    **dict.fromkeys(("缩融", "缩溶", "缩荣", "所容", "锁容"), "缩容"),
    **dict.fromkeys(("从启", "重气", "虫启", "崇启", "重企"), "重启"),
    **dict.fromkeys(("回衮", "回磙", "会滚", "回棍", "汇滚"), "回滚"),
    **dict.fromkeys(("板本", "版木", "班本", "版夲"), "版本"),
    **dict.fromkeys(("付本", "复本", "副夲"), "副本"),
    **dict.fromkeys(("值行", "直行", "执型", "致行"), "执行"),
    **dict.fromkeys(("阔以", "口以", "渴以", "可已", "科以", "阔意"), "可以"),
    **dict.fromkeys(("取削", "去消", "曲消", "取销"), "取消"),
    **dict.fromkeys(("烧等", "捎等", "稍登"), "稍等"),
    **dict.fromkeys(("展停", "占停", "站停"), "暂停"),
    "灰复": "恢复",
    "唔好": "不要",
    "返去": "回去",
    "返到": "回到",
    "放嘢": "放活",
    "丛集": "集群",
    "重开": "重启",
    "映像": "镜像",
    "布署": "部署",
    "网路": "网络",
    "扩充": "扩容",
    "检视": "查看",
    "纪录": "记录",
    **dict.fromkeys(("排孔", "牌空"), "排空"),
    **dict.fromkeys(("没文题", "没问提", "没闻题", "没问体"), "没问题"),
    "麻溜儿": "麻溜的",
    "彳亍": "行的",
    "冇问题": "没问题",
    "莫问题": "没问题",
    "木问题": "没问题",
    "莫得问题": "没得问题",
}
_HEARD_AS: Final = {heard: meant for heard, meant in _HEARD.items() if len(heard) == len(meant)}
_HOMOPHONES: Final = re.compile("|".join(sorted(map(re.escape, _HEARD_AS), key=len, reverse=True)))
_DONE: Final = re.compile(r"(?<=[删杀踢停撤退封清])[喽咯啰]")
_DOTS: Final = re.compile(r"(?<=\d)\.\.(?=\d)")
_HESITATES: Final = re.compile(
    r"(?<=[\u4e00-\u9fff])(?<![,.!?\s])(?:嗯+|呃+)(?=[\u4e00-\u9fff])|(?<=[a-z] )(?:u+h+|u+m+|er+m?)(?= "
    r"[a-z0-9])"
)
"""Sounds in the middle of a sentence, as dictation writes them down."""
_ROLE: Final = re.compile(r"\brole(?= (?:back|(?:[\w-]+ ){1,3}back)\b)", re.ASCII)
_GROW: Final = re.compile(r"(?<![宽广辽开])阔(?=到|成|\s?\d|[一二两三四五六七八九十]|吧|巴|了)")
_PARTICLE: Final = re.compile(r"(?<=[\u4e00-\u9fff\d])(?:把|巴)(?=\s*(?:[,.!~;]|$))")
_QUESTION: Final = re.compile(r"(?<=[\u4e00-\u9fff])(?<!立)(?:马|麻)(?=\s*(?:[,.!~;?]|$))")
_WORDS: Final = (
    "actually", "affirmative", "approved", "autoscaler", "because", "cancel", "change", "confirm", "confirmed",
    "continue", "correct", "deployment", "execute", "image", "instead", "minimum", "maximum", "number", "please",
    "proceed", "question", "replicas", "restart", "revision", "rollback", "rollout", "scale", "service", "should",
    "version", "which", "what", "where", "right", "sorry", "drain", "cordon", "uncordon", "resume", "pause", "abort",
)  # fmt: skip


def _transposed() -> dict[str, str]:
    """Each common word with two neighbours swapped, which is how fast thumbs miss."""
    typos: dict[str, str] = {}
    for word in _WORDS:
        for at in range(1, len(word) - 1):
            typo = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
            if typo != word and len(word) > 4:
                typos[typo] = word
    return typos


_SWAPPED: Final = _transposed()
_LATIN: Final = re.compile(r"(?<![\w-])[a-z]{5,12}(?![\w-])", re.ASCII)


def put_right(masked: str) -> str:
    """A masked text, lower case, with misheard and mistyped words as they were meant; as long as before."""
    masked = _ROLE.sub("roll", _DOTS.sub(" ~", masked))
    masked = _HESITATES.sub(lambda found: " " * len(found.group()), masked)
    if masked.isascii():
        return _LATIN.sub(_meant, masked)
    text = _DONE.sub("了", masked.translate(_TRADITIONAL))
    text = _HOMOPHONES.sub(lambda found: _HEARD_AS[found.group()], text)
    text = _QUESTION.sub("吗", _PARTICLE.sub("吧", _GROW.sub("扩", text)))
    return _LATIN.sub(_meant, text)


def _meant(found: re.Match[str]) -> str:
    return _SWAPPED.get(found.group(), found.group())


_KNOWN: Final = of_words(
    "absolutely affirmative ahead approve approved certainly changed confirm confirmed continue correct "
    "definitely deploy execute exactly indeed looks please precisely proceed restart resume revert revision "
    "rollback rollout scale sounds thanks uncordon upgrade replicas canary already customers traffic errors"
)
_LONG: Final = re.compile(r"(?<![\w'-])[a-z]{6,14}(?![\w'-])", re.ASCII)
_SPACED: Final = re.compile(r"(?<![\w'])(?:[a-z] ){2,}[a-z](?![\w'])", re.ASCII)
_SHORT: Final = {"godo": "good", "yse": "yes", "oaky": "okay", "teh": "the", "plase": "please"}
_SHORT_TYPO: Final = re.compile(rf"(?<![\w'-])(?:{'|'.join(_SHORT)})(?![\w'-])", re.ASCII)


def spelled(text: str) -> str:
    """A text for the guard with long words that miss one of its own by one letter put right, and letters that stand
    apart joined ("y e s"). Its length may change. Nothing becomes a word of agreement that is a word itself."""
    text = _SPACED.sub(lambda found: found.group().replace(" ", ""), text)
    text = _SHORT_TYPO.sub(lambda found: _SHORT[found.group()], text)
    return _LONG.sub(_closest, text)


def _closest(found: re.Match[str]) -> str:
    word = found.group()
    if word in _KNOWN or word.removesuffix("s") in _KNOWN or word.removesuffix("ed") in _KNOWN:
        return word
    return next((known for known in sorted(_KNOWN) if _one_off(word, known)), word)


def _one_off(word: str, known: str) -> bool:
    """Whether one letter was dropped, doubled, exchanged, or swapped with its neighbour; never the first, nor an ending
    that makes another word of it."""
    if (
        word[0] != known[0]
        or abs(len(word) - len(known)) > 1
        or word.endswith(("ing", "er")) != known.endswith(("ing", "er"))
    ):
        return False
    at = next((i for i, (a, b) in enumerate(zip(word, known, strict=False)) if a != b), min(len(word), len(known)))
    if len(word) == len(known):
        swapped = word[at : at + 2] == known[at : at + 2][::-1] and word[at + 2 :] == known[at + 2 :]
        return swapped or word[at + 1 :] == known[at + 1 :]
    if len(word) > len(known):
        return word[at + 1 :] == known[at:] and at < len(known)
    return word[at:] == known[at + 1 :] and at < len(word)
