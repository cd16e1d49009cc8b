"""Whether the object of an order is none of any cluster's ("pause the music", "回滚你的发型"): then it is no order, and
least of all one to what a conversation is about."""

from __future__ import annotations

import re
from typing import Final

from chatops_bot.adapters.rules.requests.clauses import Clause, Mark, Split
from chatops_bot.domain.name_words import KINDS, MEASURES, of_words

ELSEWHERE: Final = re.compile(
    r"\s+in my\b|\s*看得|\s+to (?:bed|sleep|work|basics|square one|normal)\b|"
    r"\s+(?:back )?(?:to )?(?:(?:your|the|its|my|all) )*(?:(?:factory|original|default) )?settings\b|\s+yourself\b|"
    r"\s+\d{1,2} ?[ap]m\b|"
    r"\s+(?:up )?(?:(?:my|your|his|her|their|the|a|this)\s+){0,2}(?:own )?(?:laptop|phone|computer|pc|mac(?:book)?|"
    r"browser|router|"
    r"modem|wi-?fi|vpn|slack|zoom|teams|chrome|ide|brain|life|day|week|year|meeting|call|car|coffee(?: machine)?|"
    r"printers?|batter(?:y|ies)|team|people|office|"
    r"pool|"
    r"beers?|game|xbox|tv)\b|"
    r"\s*(?:一下|下|了|完|好|过)*(?:我|你|他|她|咱)?们?的?(?:人生|电脑|手机|路由器?|大脑|脑子|脑袋|自己|笔记本|世界|"
    r"宇宙|"
    r"游戏|浏览器|"
    r"爱情|生活|键盘|显示器|打印机|咖啡机?|饮水机|空调|团队)",
    re.ASCII,
)
"""Behind the verb it is about something that is not in any cluster."""
OURS: Final = (
    KINDS
    | MEASURES
    | of_words(
        "rollout rollouts roll-out roll-outs release releases deploy deploys deployment version versions revision "
        "revisions "
        "image images tag tags canary update updates upgrade hpa autoscaler autoscaling build builds thing things "
        "stuff one ones "
        "whole lot entire same other others last previous current new old latest first second number count worker "
        "workers "
        "shebang bunch bugger beast sucker guy fella fellow baby bastard boy kit box host machine machines changes "
        "change "
        "above following two three four five both rest api ui site website system stack platform container namespace "
        "config configs configuration settings setting env code flag flags schema memory cpu weights secret secrets "
        "cert certs "
        "minimum maximum min max floor ceiling range limit bounds replicaset copies copy capacity half third more hell "
        "heck "
        "restart rolling process processes service's paused halted frozen stopped stuck broken bloody damn poor said "
        "affected "
        "pause hold freeze cordon brake brakes proxy sidecar cache queue broker consumer daemon agent runner vm vms "
        "pool"
    )
)
_OBJECT: Final = re.compile(
    r"\s+(?:up |down |out |back |off )?(?:the|my|your|our|his|her|their|an?|this|that|some|all(?: (?:of )?(?:the|my|"
    r"your|our))?)\s+"
    r"(?P<words>[a-z][a-z'-]*(?:\s+[a-z][a-z'-]*){0,3})"
)
_GOES_ON: Final = re.compile(
    r"\s+(?:to|in|on|for|of|at|by|with|from|and|or|before|after|please|pls|plz|now|if|when|because|as|again|asap|"
    r"somebody|someone|back|"
    r"until|till|too|so|that|which|is|was|it|until)\b.*",
    re.DOTALL,
)
_PERSONAL: Final = re.compile(
    r"\s*(?:一下|下|了|完|掉|一次|一波|一把)*(?:我|你|您|他|她|咱|俺|老板|同事|领导|自己)们?(?:的|这(?!边|里|个服务)|"
    r"那(?!边|里|个服务)|家)"
    r"(?P<thing>[\u4e00-\u9fffa-z]{1,6})"
)
_OURS_ZH: Final = re.compile(
    r"服务|应用|发布|版本|上线|部署|容器|节点|副本|实例|镜像|机器|集群|更新|滚动|灰度|pod|api|数据库|库|中间件|网关|"
    r"系统|平台|环境|后端|前端|线上|请求|意思|建议"
)
_WORLDLY: Final = re.compile(
    r"\s*营业|\s*(?:\d+|[一二两三四五六七八九十几])[碗杯斤口瓶桌局盘首顿串](?!号)|"
    r"\s*(?:一下|下|了|完|掉|一次|一波|一把)?(?:我|你|他|她|咱)?们?(?:的|这|那)?个?(?:音乐|歌曲?(?![\u4e00-\u9fff])|"
    r"视频|电影|电视|直播|闹钟|地球|心情|头发|发型|工资|年终奖|"
    r"周末|假期|会议|开会|午饭|晚饭|外卖|奶茶|鼠标|胃(?![\u4e00-\u9fff])|肚子|钱包|对象|房价|股票|基金|时间线|时光|"
    r"青春|童年|体重|睡眠|被窝|床|情绪|友谊|年龄|"
    r"烦恼|聊天|吐槽|话题|讨论|争论|摸鱼|加班|下班|上班|八卦|表演|念经|呼吸|思考)"
)


_WORLD: Final = re.compile(
    r"\b(?:supermarket|grocer\w*|bank account|salary|payday|drinks?|beers?|coffee|lunch|dinner|breakfast|my kids?|wife|"
    r"husband|"
    r"girlfriend|boyfriend|mom|dad|dog|cat|jokes?|memes?|movies?|songs?|playlist|weather|weekend|holidays?|vacation|"
    r"birthday|pizza|cake|"
    r"gym|football|deserves a raise|design team|marketing|the interns?|(?:review|meeting|retro|talk|demo) (?:for|of|on|"
    r"about|is|was|at)|slides|"
    r"badge|phone rang|printer|hungry|sleepy|poems?|haiku|rename|pronounce\w*|named|fatigue|colou?rs|fridge|parking|"
    r"elevator|sauna)\b|"
    r"工牌|大姐|大妈|心情|奖金|咖啡|奶茶|外卖|下班|周末|老婆|老公|女朋友|男朋友|超市|食堂|电影|头发|wi-?fi|快递|打车|"
    r"地铁|涨薪|调休|请假|团建|段子|"
    r"笑死|哈哈哈|名字(?:谁|是谁|起)|扣了[^,;!?]{0,4}钱|内网|电梯|火锅|烧烤|排骨|彩票|股票"
)
"""What people talk of beside their work."""
_OTHERS_DO: Final = re.compile(
    r"\bi(?:'ve| have)? got [^\n]{0,40}\b(?:covered|under control|this)\b|\b(?:good thing|remember when|whoever|i vote|"
    r"props to|kudos|"
    r"shout-?out|fun fact|imagine|in my dreams)\b|\b(?:is|are) (?:handling|taking care)\b|"
    r"我(?:在|来|正在)(?:跟|看|查|处理|搞|盯|弄)|我这边[^\n]{0,14}[了完]|(?:明天|回头|下周|晚点)再|等我[^\n]{1,14}再|"
    r"听说|据说|大家放心|大家知悉|其他人别"
)
"""Tells what somebody does, did, or will do."""


def small_talk(masked: str) -> bool:
    """Whether a text that names something, and asks nothing, is talk of the world or of what people do."""
    return _WORLD.search(masked) is not None or _OTHERS_DO.search(masked) is not None


def foreign(said: Split, clause: Clause, mark: Mark) -> bool:
    """Whether the verb of an order has an object that is none of ours."""
    if ELSEWHERE.match(said.masked, mark.end) or _WORLDLY.match(said.masked, mark.end):
        return True
    if clause.names:
        return False
    personal = _PERSONAL.match(said.masked, mark.end, clause.end)
    if personal is not None:
        return _OURS_ZH.search(personal["thing"]) is None
    found = _OBJECT.match(said.masked, mark.end, clause.end)
    if found is None or mark.end == mark.start:
        return False
    words = _GOES_ON.sub("", " " + found["words"]).split()
    return bool(words) and not any(word.removesuffix("'s") in OURS for word in words)
