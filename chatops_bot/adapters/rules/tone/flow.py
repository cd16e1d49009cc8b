"""What an utterance means inside a flow: leaving, waiting, doubting, asking, told of others. Uses `phrases`."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from chatops_bot.adapters.rules.tables import phrases as say
from chatops_bot.adapters.rules.text.patterns import compiled
from chatops_bot.adapters.rules.text.reading import Reading

_SPLIT: Final = re.compile(
    r"[,.;!?\n\U0001f000-\U0001faff\u2600-\u27bf]+|\b(?:and|then|but|so|because)\b|然后|并且|而且|因为|所以|\s-\s"
)
_ASKING: Final = (
    r"(?:(?:can|could|would|will) you|(?:i|we)(?:'d| would)? (?:really |just |actually )?(?:want|like|need|prefer|"
    r"wish)(?: you)?(?: to)?|i(?:'m| am) going to|i think (?:we should|i'll|i will|we'd better)|we should|"
    r"let's|let us|let me|go ahead and|you (?:can|should|must|may)|i(?:'ll| will)|i (?:have to|must|should)|better|"
    r"just|please|kindly|now|for now|immediately|right now|then|also|actually|maybe|time to|ok|"
    r"请|帮我|帮忙|我要|我想|想|要|麻烦|那|就|都|还是|全部|把|将|给我|先|你|立即|马上|赶紧|现在|可以|能不能|能|"
    r"我们?|这个|这次|本次|该|此|操作|计划|扩容|缩容|重启|回滚|变更|请求|流程|算了吧?|干脆|直接|暂时|千万|快)[\s,]*"
)
_TAIL: Final = (
    r"(?>\s*(?:的|这个|这次|本次|操作|计划|请求|扩容|重启|回滚|执行|at all|all|this time|today)(?![a-z]))*+"
    r"(?>[\s,]*(?:please|pls|plz|now|thanks|thank you|thx|bot|for now|then|right now|immediately|ok|okay|sorry|asap|"
    r"already|mate|man|guys|here|anyway|先|吧|了|啦|啊|呀|哈|哦|呢|谢谢|算了|掉|它|再说|好了|吗|么|呗)(?![a-z]))*+"
)
_HARD_EN = rf"{say.CANCEL_EN}|{say.EXIT_EN}"
_CANCEL: Final = compiled(
    rf"\s*{say.OPENERS}(?:{_ASKING}){{0,4}}(?P<core>(?<![a-z])(?:{_HARD_EN})(?![a-z])|{say.EXIT_ZH}|"
    rf"{say.CANCEL_ZH}){_TAIL}\s*"
)
_NO_SIGN: Final = re.compile(r"[\s,.!]*(?:[❌🚫🙅👎⛔🛑❎✖✗][♂♀\s,.!]*)+")
_FORBIDS: Final = re.compile(
    r"(?:别|不能|不要|不许|不准|甭)(?:再)?(?:执行|弄|搞|做|滚|上|动|排|停|删|回|封|扩|缩|重启|回滚|发|换|放|恢复|"
    r"暂停|升)(?:了|"
    r"啊|呀)?\W*$"
)
"""How a message ends that forbids what is planned ("这个镜像别上")."""
_REFUSES: Final = re.compile(
    r"\W*(?:nah|nope|no+)(?![\w'-])(?! (?:problem|issues?|objections?|doubts?|worries|need|idea|clue|way to))"
)
"""How a refusal begins whose rest only tells why."""
_CALL_OFF: Final = (
    r"(?:(?:cancel+(?:ing|ed|ation)?|abort(?:ing|ed)?|discard(?:ing)?|abandon(?:ing)?|scrap(?:ping)?)\b|"
    r"(?:drop|dropping) (?:it|this|that|the (?:plan|order|request))\b)"
)
_KEPT: Final = re.compile(
    rf"\b(?:don'?t|do not|never|not|no need to|(?:didn'?t|did not|nobody|no one|who) (?:ever )?(?:say|said|ask|asked|"
    rf"want|wants|wanted|mean|meant|told you)(?: (?:to|about|anything about))*|(?:isn'?t|is not) a) (?:please )?"
    rf"{_CALL_OFF}|\bno cancel+(?:ing|ation)? (?:is )?(?:needed|necessary|required)\b|"
    r"(?:别|不要|不用|不必|不需要|无需|先不|没有?(?:说|要|让|叫|想)?(?:你|我们?)?要?|(?<!是)不是(?:说|要|想)+|不|"
    r"谁(?:说|让|叫)(?:你|我|了)?要?)(?:先|现在)?(?:取消|撤销|作废|放弃)(?!才怪|掉吧)|"
    r"\bkeep (?:it|this|that|the (?:plan|order)) (?:pending|open|waiting|on hold)\b|保留(?:这个|该)?计划",
    re.ASCII,
)
"""Says that what waits is not to be called off."""
_NOT_THE_PLAN: Final = re.compile(
    r"\b(?:nvm|never ?mind|forget|cancel|ignore|skip|drop|scrap)(?: about)? (?:the|my|that|this)(?: last)? (?:question|"
    r"call|meeting|bridge|page|other one)s?\b|"
    r"\bno (?:worries|rush|hurry|problem|problems|comments?|pressure|panic|stress|offence|hard feelings)\b|"
    r"\bno need (?:for|to) (?:an? |the |any |another )?(?:call|meeting|page|bridge|huddle|war ?room|ticket|panic|worry|"
    r"rush|hurry|escalat\w+|ping|apolog\w+|explain\w*|reply|thank)\b(?: (?:any(?:one|body)|me|us|him|her|them|"
    r"people|yet|now|again|for (?:this|that|it)))*|"
    r"(?:不用|不必|无需|没必要|不需要|别)(?:再)?(?:开会|拉群|拉会|拉人|叫人|摇人|打电话|担心|着急|急|慌|紧张|客气|"
    r"谢|解释|道歉|回复)(?:了)?",
    re.ASCII,
)
"""Waves away something else than the plan."""
_REPEATED: Final = re.compile(r"(?<![a-z])([a-z]{1,8})(?:[\s,!.]+\1(?![a-z]))+|([\u4e00-\u9fff]{2,6}?)(?:[\s,!.]*\2)+")
_RHETORICAL: Final = re.compile(
    r"(?:你|您|难道)*(?:不知道|没看到|没看见|看不到|没听到|不懂|瞎|还用(?:我)?(?:说|问|讲)|还要我(?:说|催)|"
    r"不是)(?:吗|么)|(?:还)?等什么(?:呢|啊)?|问(?:什么|啥)|怕(?:什么|啥)|"
    r"愣着(?:干嘛|干啥|干什么)|问这么多(?:干嘛|干啥|干什么)?|(?:墨迹|磨叽|废)(?:什么|啥)(?:话)?|有(?:什么|"
    r"啥)好(?:说|问|等)的|没(?:什么|啥)|要问(?:几|多少)遍|"
    r"what (?:are|r) (?:you|u|we) waiting for|what's taking (?:so|you) long|why (?:are you|r u)(?: still)? asking|"
    r"are you kidding(?: me)?|"
    r"you know what|no matter (?:what|how)|什么都(?:行|好|可以)"
)
"""Questions that ask nothing."""
_STATING: Final = re.compile(r"(?:还没|没有?|正|都|才|可|着|还在)[^,.;!?]{0,10}呢(?=\s*[.!~]*$)")
_PENDING: Final = re.compile(
    r"\bstill (?:running|testing|checking|looking|waiting|investigating|compiling|building|in progress|going|"
    r"on it)\b|\bnot (?:until|before|yet)\b|"
    r"\bonly (?:after|when|once|if)\b|\bas soon as\b|\buntil\b|\b(?:in|after) (?:about )?(?:\d+|an?|half an|a few|"
    r"a couple of|five|ten|two) ?(?:s(?:ec\w*)?|m(?:in\w*)?|h(?:ours?|r)?|minutes?|bit|while|moment)\b|"
    r"\bask me again\b|\bi(?:'ll|ll| will) (?:decide|let you know|get back|confirm|tell you|ping you|come back|"
    r"check)\b|"
    r"\b(?:scared|nervous|worried|torn|hesitant|on the fence|undecided)\b|\bif\b.*\bthen\b|\bif (?:he|she|they|it's|"
    r"its|the)\b|"
    r"(?<!刚|人|天|方)才(?:能|行|可以|敢|好|动)|之后再|(?:完|好|绿|到|下去|过)(?:了)?(?:再|才|喊|叫|告诉|通知|找|"
    r"回你|说一声)|还差|还在(?:验|测|跑|查|看|确认|讨论|开会|商量|备份|编译|构建|打包|传|同步|睡)|"
    r"还没(?:好|完|回|跑完|验完|批|确认|定|搞清)|得(?:先|等|问)|有点(?:悬|慌|虚|怕|担心|不放心)|心里没底|拿不准|"
    r"吃不准|没把握|再(?:瞅|看|想|等|考虑|观察|斟酌|琢磨|合计)|待定|(?:要是|如果|若|万一|假如)|的话就"
)
"""Told anywhere in a message, it puts off."""
_EXIT: Final = re.compile(say.EXIT_ANYWHERE)
_MAY_I_LEAVE: Final = re.compile(r"^\W*(?:can|could|may) (?:i|we) |(?:能|可以).{0,6}(?:退出|结束|关闭)")
_SOFT: Final = re.compile(
    r"n|no+|nope|nah|nay|no no+|not really|negative|don't|do not|i don't want (?:that|this|it)|not (?:that|now|"
    r"today)|pass|不+|不是|不对|否|不要了?|不用了?|不行|不可以|先?别|不好|先?不要|不需要|不同意|没必要|"
    r"先?不|不扩了?|搞错了?|弄错了?|写错了?|发错了?|太多了|leave it|too (?:many|few)|better not|rather not"
)
_STRONG_QUESTION: Final = re.compile(
    rf"(?:^|[,.;!\n])\s*{say.OPENERS}(?:{say.QUESTION_EN})|" + say.QUESTION_ANYWHERE.removeprefix(r"\?|"), re.ASCII
)
_POLITE_REQUEST: Final = re.compile(
    r"^(?:\W|ok|okay|actually|and|so|hey|no|well|sorry|hmm|wait|yes|but)*(?:(?:can|could|would|will) (?:you|we)|"
    r"can't (?:you|we)|how about|what about|why don't (?:we|you)|would it be (?:possible|ok) to|is it possible to|"
    r"shall we|do you mind|would you mind)\b|"
    r"(?:能不能|可不可以|可以|能否|可否|能|是否可以|要不|不如|行不行|好不好|好吗|可以吗|行吗|行不|吧\?)"
)
_OTHERS: Final = compiled(say.OTHERS_CONFIRM)
_NOT_PEOPLE: Final = re.compile(
    r"\b(?:i|we|you|it|that|this|if|to|please|when|once|after|should|can|could|shall|must|let|not|is|be|which|"
    r"what) (?:\w+ )?(?:confirm|approv)"
)
_DOUBT: Final = re.compile(say.DOUBT)
_HOLD: Final = compiled(rf"(?:^|[,.;!?\n])\s*{say.OPENERS}(?:(?<![a-z])(?:{say.HOLD_EN})(?![a-z])|{say.HOLD_ZH})")
_MODIFY: Final = compiled(
    rf"(?:^|[,.;!\n])\s*{say.OPENERS}(?:{_ASKING}){{0,4}}(?<![a-z])(?:{say.MODIFY_EN})(?![a-z])|{say.MODIFY_ZH}|"
    rf"\bbut (?:do|with|in|on|use|only|not|first|make|to|use|for|without|change|as|another|different)\b|"
    rf"\banother way\b"
)
_CORRECTION: Final = re.compile(say.CORRECTION)
_ALL: Final = re.compile(say.ALL)
_OTHER: Final = re.compile(say.OTHER)
_CANCEL_QUESTION: Final = re.compile(
    r"^\W*(?:can|could|may|should|how|what|if|do|does|will|is|when|shall)\b(?! you)|怎么|如何|能.{0,6}吗|会|还能|"
    r"可以.{0,6}吗|要不要"
)


class Flow(NamedTuple):
    """Facts of an utterance in a flow. `cancel`: "" | "soft" ("no") | "hard" ("cancel it and …", "算了，…") |
    "whole" (nothing else is said). `kept`: it is denied that the plan is called off."""

    cancel: str
    question: str
    polite: bool
    others: bool
    doubt: bool
    hold: bool
    modify: bool
    corrects: bool
    kept: bool


@lru_cache(maxsize=256)
def flow_of(reading: Reading) -> Flow:
    """Read an utterance for what it does to the flow. `question`: "" | "mark" (only a mark) | "words"."""
    text = reading.masked
    question = _question(_RHETORICAL.sub(" ", text))
    others = _OTHERS.search(text) is not None and _NOT_PEOPLE.search(text) is None
    kept = _KEPT.search(text) is not None
    return Flow(
        cancel="" if kept else _cancel(of_the_plan(text), question),
        question=question,
        polite=_POLITE_REQUEST.search(text) is not None,
        others=others,
        doubt=_DOUBT.search(text) is not None,
        hold=kept or _HOLD.search(text) is not None or _PENDING.search(text) is not None,
        modify=_MODIFY.search(text) is not None,
        corrects=_CORRECTION.search(text) is not None or _OTHER.search(text) is not None,
        kept=kept,
    )


def spares(text: str) -> bool:
    """Whether calling off is denied, or something else than the plan is waved away: neither leaves the flow."""
    return _KEPT.search(text) is not None or _NOT_THE_PLAN.search(text) is not None


def of_the_plan(text: str) -> str:
    """The text without what it waves away that is not the plan ("no worries", "no need for a call")."""
    return _NOT_THE_PLAN.sub(lambda found: " " * len(found.group()), text)


def says_all(text: str) -> bool:
    """Whether all of several are meant."""
    return _ALL.search(text) is not None


def says_other(text: str) -> bool:
    """Whether the other one is meant."""
    return _OTHER.search(text) is not None


def _question(text: str) -> str:
    if _STRONG_QUESTION.search(_STATING.sub(" ", text)):
        return "words"
    return "mark" if "?" in text else ""


def _cancel(text: str, question: str) -> str:
    if _NO_SIGN.fullmatch(text):
        return "whole"
    text = _REPEATED.sub(lambda found: found.group(1) or found.group(2), text)
    if _EXIT.search(text) and (not question or _MAY_I_LEAVE.search(text)):
        return "hard" if _SPLIT.search(text.strip(" .!?,")) else "whole"
    if question and _CANCEL_QUESTION.search(text):
        return ""
    whole = _CANCEL.fullmatch(text)
    if whole is not None and not _SOFT.fullmatch(whole.group("core").strip()):
        return "whole"
    best = ""
    for clause in _SPLIT.split(text):
        stripped = clause.strip(" \"'()~:-")
        if not stripped:
            continue
        found = _CANCEL.fullmatch(stripped)
        if found is None:
            continue
        if _SOFT.fullmatch(found.group("core").strip()):
            best = best or "soft"
        else:
            return "hard"
    if not question and _FORBIDS.search(text):
        return "hard"
    return best or ("soft" if not question and _REFUSES.match(text) else "")
