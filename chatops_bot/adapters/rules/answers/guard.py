"""The strict guard: the second key of confirming by words. Design sections 5 ("Confirm means confirm") and 6.7.

    affirmative(utterance) is true only when
      1. the session is confirming and exactly one plan waits;
      2. every named service is the plan's own, and none is waved away;
      3. nothing else is ordered, and nothing on a condition;
      4. nothing that is never part of a yes occurs (`VETO`: question mark, negation, doubt, waiting, ellipsis …);
      5. the whole message is a sequence of affirmative parts (`affirm_words`, and restatements of the plan: its verb,
         its service, its number), nothing left over, and one of the parts decides.

A yes beside any other word is none here, whatever it says ("do it, approval withdrawn"): it takes a press. Anything not
foreseen is no confirmation; the tables can make the bot ask once too often.
"""

from __future__ import annotations

import re
from typing import Final

from chatops_bot.adapters.rules.answers import affirm_words as say
from chatops_bot.adapters.rules.answers.affirm_parts import CHINESE, LATIN, Part, Table, steps, tables
from chatops_bot.adapters.rules.answers.restated import VERBS, numbers, restatements, short_names
from chatops_bot.adapters.rules.requests.finding import find_requests
from chatops_bot.adapters.rules.requests.naming import is_pod
from chatops_bot.adapters.rules.text.mishearing import spelled
from chatops_bot.adapters.rules.text.numbers import NUM, number
from chatops_bot.adapters.rules.text.reading import DISMISSED, NAME, Reading, read
from chatops_bot.domain.intents import Name, PendingPlan, State, Utterance

__all__ = ["LONGEST", "VERBS", "VETO", "affirmative", "is_yes", "names_plan"]

LONGEST: Final = 120
"""Characters. A longer message says more than yes."""

VETO: Final = re.compile(
    r"^\W*(?:快|赶紧)?滚+(?:吧|回去吧?|回吧?)?\W*$|[?]|\.\.|^(?:is|are|am|does|can|could|would|will|shall|may)\b|"
    r"\b(?:not|no(?! (?:objections?|issues?|problem))|nope|nah|don't|dont|do not|never|can't|cannot|won't|wait|"
    r"hold|hang|sec|later|if|unless|when|once|after|before|until|"
    r"but|maybe|perhaps|probably|possibly|might|should|guess|suppose|think(?! so)|sure\?|else|instead|only|rather|"
    r"actually|except|however|cancel|stop|abort|he|she|they|"
    r"who|what(?! i)|why|how|which(?! (?:is|works|sounds|looks))|where|whether|did|does(?! it)|has|had|told|"
    r"said(?<!i said)|says|asked(?<!i asked)|waiting|already done|change|make it \d)\b|"
    r"[吗嘛]|(?<![这那])么(?!得)|(?<![一])不(?!错)|别|甭|勿|未(?!来)|等|稍|慢|先(?!生)|再|但|如果|要是|万一|可能|"
    r"也许|大概|应该|好像|"
    r"似乎|或许|估计|差不多|几|哪|谁|什么|啥|怎|为何|是否|"
    r"马上|(?<![听依按照])[你您](?!说|好)|^\W*啊|(?:设|删|封|排|扩|缩|停|换|改|升)了(?![吧它])|"
    r"(?<!确认)(?<!同意)(?<!可以)恢复\W*$|\band then\W*$|\byeah,? yeah\b|"
    r"\bso what\b|^\W*(?:i see|收到|了解|明白|知道)|就是\s?\ue000|^\W*(?:pods?|on|in|to|the) |\band confirm\b|"
    r"^\W*(?:and|then)\b|"
    r"\by(?:a|eah|ep),? right|\bconfirmed\W+\ue000|\bjust go\W*$|"
    r"[嗯恩]啊|啊啊|哈哈|呵呵|嘿嘿|嘻嘻|(?:马上|快|很快|立刻|立即)就?(?:好|可以|行|成|妥|没问题|搞[掂定]|ok)|"
    r"^\W*(?:many |much )?(?:thanks|thank|thx|ty|tks|tq|cheers|谢|多谢|感谢|辛苦)|"
    r"(?:\b(?:and|(?<!it )so|well|hey)|那|那么|那就)\W*$|"
    r"(?:请|麻烦|劳烦|求|辛苦|拜托)[^,.!]{0,8}(?:确认|批准|同意|允许|支持|授权|赞成)|"
    r"\b(?:please|pls|plz|kindly)\b[^,.!]{0,14}\b(?:approve|confirm|agree|accept)\b|"
    r"\b(?:restart|roll ?back|scal\w+|pause|resume|image|drain|(?:un)?cordon|delet\w+) "
    r"(?:confirmed|approved|accepted)\b|"
    r"^\W*just go\W*$|"
    r"(?:启|滚|退|容|扩|缩|删|除|停|复|空|锁|封|发布|升级|伸缩|执行|处理|操作)就?(?:好了|妥|搞[掂定]|成了|行了|ok了)|"
    r"我这边(?!没问题|没意见|没异议|可以|ok|同意|确认|好|行|通过|批准)|"
    r"(可以|行|好|对|能|成)是\1|(?:请|麻烦|帮我?|你|"
    r"劳烦)\s*确认(?!执行|扩|操作)|"
    r"(?:没问题|没有问题|可以|行|同意|ok|没意见|没异议)就(?:执行|扩|缩|上|重启|搞|做|干|开始|继续|发|弄)|"
    r"\byeah,? right\b(?! away| now)|都(?=重启|扩|缩|回滚|删|排|停|暂停|恢复|封)|"
    r"放放|放一放|\b(?:run|go over|say|do|try|read|show) (?:that|it|this) (?:by|to|past|for) (?:me|us)\b|"
    r"[了完过到稳绿](?<!除了)就(?!行|好|是|这|按)|我(?:来|去|自己|亲自)(?=执行|操作|弄|搞|做|处理|跑|"
    r"重启|扩|缩|"
    r"回滚|删|点)|"
    r"\b(?:good|fine|ok|okay|well|works?|working) now\b|\bgo (?:away|home|back(?! to| it))\b|"
    r"\b(?:is|are|was|were) (?:it|this|that|we|they|you|there|everything|anyone|everyone)\b|"
    r"停|取消|算了|改|换|他|她|说(?<!你说)(?!得对|的对)|没(?!问题|得问题|毛病|错|事|意见|异议|有(?:问题|意见|异议|"
    r"任何))"
)
"""What never occurs in a plain yes. All of it would fail the grammar below as well; here it can be read."""

_ENDS: Final = " .!,~"
_SEPARATOR: Final = re.compile(r"(?:[\s,.!~;()\-*_]|:(?=\s))*")

_PARTS: Final = (
    *tables(say.YES, LATIN, Part.DECIDES),
    *tables(say.GO, LATIN, Part.DECIDES | Part.ACTS),
    *tables(say.JUDGED, LATIN, Part.JUDGES),
    *tables(say.OKAY, LATIN, Part.OKAY),
    *tables(say.THANKS, LATIN, Part.THANKS),
    *tables(say.PLEASE, LATIN, Part.PLEASE),
    *tables(say.ASKABLE, LATIN, Part.ASKABLE),
    *tables(say.PRAISE, LATIN, Part.PRAISE),
    *tables(say.URGED, LATIN, Part.URGED),
    *tables(say.JOINED, LATIN, Part.NOTHING),
    *tables(say.FILL, LATIN, Part.FILLED),
    *tables(say.SEEN, LATIN, Part.SEEN),
    Table(re.compile(say.NOD), Part.NOD),
    Table(re.compile(say.YES_SINGLE), Part.DECIDES),
    *tables(say.YES_CHINESE, CHINESE, Part.DECIDES),
    *tables(say.GO_CHINESE, CHINESE, Part.DECIDES | Part.ACTS),
    *tables(say.JUDGED_CHINESE, CHINESE, Part.JUDGES),
    *tables(say.OKAY_CHINESE, CHINESE, Part.OKAY),
    *tables(say.URGED_CHINESE, CHINESE, Part.URGED),
    *tables(say.FILL_CHINESE, CHINESE, Part.FILLED),
    Table(re.compile(r"(?<=[个本例台容\d一二两三四五六七八九十])(?:吧|呗)|(?<=\d )(?:吧|呗)"), Part.CONSENTING),
)
_OWN_VERBS: Final = {
    "set_image": re.compile(r"[换改](?!个|一|掉|成别|为别|其他|另)"),
    "set_autoscaler": re.compile(r"改(?!个|一|掉|其他|另)"),
    "pause": re.compile(
        r"暂停(?!一下$|执行|操作|流程|处理)|(?:stop|hold)(?= the (?:rollout|release|deploy))|"
        r"停(?:住|掉|下来?)|停(?=(?:了|它|这个|的|一下)*(?:发布|rollout|更新|滚动))|(?<=发布)停|(?<=rollout)停"
    ),
}
"""Verbs of a plan itself that would be vetoed in an answer to another."""
_NEVER: Final = Part.TOLD | Part.THANKS | Part.PRAISE
"""Tells, or ends a talk."""
_PLAIN_YES: Final = re.compile(
    r"\W*(?:y+e+s+|yep|yeah|yup|sure|correct|that(?:'s| is) (?:correct|right)|of course|absolutely)(?![a-z'])"
)
_AND_HOW_MANY: Final = re.compile(
    rf"\W*(?:yes|yep|yeah|yup|sure|ok|okay|correct|confirm|对的?|没错|是的|确认|好的?|可以|同意|"
    rf"行)[\s,.!:]*(?:{NAME}+[\s,]*)?(?:to |到|扩到|缩到)?\s*"
    rf"({NUM})\s*(?:个|台)?\s*(?:replicas?|pods?|instances?|副本|实例)?(?:吧)?[\s.!~]*"
)
"""A yes, and how many there shall be: what it says has to be the plan's."""
_KIND: Final = Part.THANKS | Part.PRAISE | Part.JUDGES | Part.FILLED
"""What people say out of politeness behind a "yes", where nothing of the plan is said beside it."""
_DECISIVE: Final = Part.DECIDES | Part.OKAY | Part.NOD | Part.JUDGES | Part.ASKABLE | Part.ACTS
_LEADING: Final = Part.VERB | Part.RESTATED | Part.NAMED | Part.GLUE
_QUOTED: Final = re.compile(r"\s*+[\"“「『][^\"“”「」『』]*+[\"”」』]\W*+")
"""Nothing but words that are quoted: somebody else's."""
_STRUCK: Final = re.compile(r"~[^~]+~")
"""Struck through: what is taken back."""
_ONE_MORE: Final = re.compile(r"[+]\s*\d|\bplus (?:one|\d)")
"""An amount beside a plan that sets how many, whatever it is elsewhere."""
_AMOUNT: Final = re.compile(
    rf"[加扩减降缩升](?:容|上|多|少|一下)*\s*{NUM}|"
    rf"\b(?:bump|reduce|increase|raise|lower|cut|add|scale)(?: (?:it|up|down|out|in|"
    rf"more|pods))*\s+\d|\bby\b(?! (?:me|all means)\b)|个版|\d\s*[*×/+]\s*\d|\d (?:versions|revisions|releases)"
)
"""By so many, or a sum, rather than to what the plan says."""
_COUNTING: Final = frozenset({"scale", "set_autoscaler"})
_HALTS: Final = frozenset({"pause", "abort", "cordon"})
_ONWARD: Final = re.compile(
    r"\b(?:continue|carry on|keep (?:going|it|rolling)|let it|let her|let'?s roll|roll (?:on|it)|ship it|off you go|"
    r"go on|resume|start|begin)\b|"
    r"继续(?!执行|操作)|接着|放行|往下|放(?:它|开)|发吧|往前"
)
"""Agreement that, said to a plan to stop something, may mean to let it go on."""


def affirmative(utterance: Utterance) -> bool:
    """Whether the whole message is a plain yes to the one plan that waits."""
    if utterance.state is not State.CONFIRMING or len(utterance.plans) != 1:
        return False
    reading = read(utterance)
    return is_yes(reading, utterance.plans[0], dismissed=bool(utterance.dismissed))


def is_yes(reading: Reading, plan: PendingPlan, *, dismissed: bool = False) -> bool:
    """Steps 2 to 5 for a message that was read already."""
    text = spelled(reading.masked)
    if not text or len(text) > LONGEST or _QUOTED.fullmatch(text) or dismissed or DISMISSED in text:
        return False
    if _STRUCK.search(text) or _AMOUNT.search(text) or (plan.action in _COUNTING and _ONE_MORE.search(text)):
        return False
    if plan.action in _HALTS and _ONWARD.search(text):
        return False
    if not all(_is_own(name, plan) and not _other_pod(name, plan) for name in reading.names):
        return False
    full = text.rstrip(_ENDS)[-1:] == NAME != text[0] and all(_in_full(name, plan) for name in reading.names)
    if not _plain(text, plan, full=full):
        return False
    # an order of something else is none, whatever it repeats of this one
    orders = (request for request in find_requests(reading).requests if request.dangerous)
    return not any(order.intent != plan.action or order.conditional for order in orders)


def _plain(text: str, plan: PendingPlan, *, full: bool) -> bool:
    """Whether it is affirmative parts from end to end, one of which decides."""
    if VETO.search(_watched(text, plan)):
        return False
    again = _AND_HOW_MANY.fullmatch(text) if plan.action == "scale" else None
    if again is not None:
        return number(again.group(1)) in numbers(plan)
    found = _parse(text, plan)
    if _PLAIN_YES.match(text):
        polite = Part.DECIDES | Part.PLEASE | _KIND
        found |= {parts & ~_KIND for parts in found if not parts & ~polite}
    return any(_decides(parts, full=full) for parts in found)


def _watched(text: str, plan: PendingPlan) -> str:
    """The text without the plan's own verbs, which may hold what is vetoed anywhere else."""
    own = _OWN_VERBS.get(plan.action)
    return text if own is None else own.sub(" ", text)


def names_plan(name: Name, plan: PendingPlan) -> bool:
    """Whether a name means the plan's own service or node."""
    return any(service.entity.key == plan.entity.key for service in name.matches)


def _is_own(name: Name, plan: PendingPlan) -> bool:
    """Whether a name means what the plan is about; of a node also the letter that its name ends in ("drain b")."""
    letter = plan.entity.kind == "Node" and not name.matches and name.text.lower() in short_names(plan)
    return letter or names_plan(name, plan)


def _other_pod(name: Name, plan: PendingPlan) -> bool:
    """Whether it is the name of a pod, of which the plan's service has several, and not of the plan's own."""
    return is_pod(name) and name.text.lower() != str(plan.parameters.get("pod", "")).lower()


def _in_full(name: Name, plan: PendingPlan) -> bool:
    """Whether it is the plan's own name letter by letter: by a short one people also tell what is the matter."""
    return name.text.lower() in (plan.entity.name.lower(), str(plan.parameters.get("pod", "")).lower())


def _decides(parts: Part, *, full: bool) -> bool:
    """Whether a message of nothing but such parts is a yes to the plan."""
    if parts & _NEVER or (Part.SEEN in parts and Part.ACTS not in parts) or (Part.LED in parts and parts & _DECISIVE):
        return False
    if Part.VERB not in parts:
        return _decides_alone(parts, full=full)
    if parts & (Part.FILLED | Part.JUDGES):
        return False
    return bool(parts & (Part.CONSENTING | Part.ACTS | Part.DECIDES | Part.OKAY))


def _decides_alone(parts: Part, *, full: bool) -> bool:
    """Likewise without the plan's verb: then a name, a number or a judgement may tell of anything."""
    if parts & (Part.GLUE | Part.CONSENTING):
        return False
    if Part.NAMED in parts and (not full or parts & ~(Part.NAMED | Part.DECIDES | Part.ASKABLE)):
        return False
    if Part.RESTATED in parts:
        return not parts & ~(Part.RESTATED | Part.DECIDES) and Part.DECIDES in parts
    if Part.JUDGES in parts:
        return not parts & ~(Part.JUDGES | Part.OKAY | Part.DECIDES | Part.ACTS)
    if parts & (Part.ACTS | Part.DECIDES):
        return True
    if Part.ASKABLE in parts:
        return not parts & ~(Part.ASKABLE | Part.NAMED)
    return not parts & ~Part.OKAY and Part.OKAY in parts


def _parse(text: str, plan: PendingPlan) -> set[Part]:
    """Every way to read the whole text as affirmative parts; empty when there is none."""
    reached: dict[int, set[Part]] = {_skip(text, 0): {Part.NOTHING}}
    done: set[Part] = set()
    while reached:
        at = min(reached)
        so_far = reached.pop(at)
        if at == len(text):
            done = so_far
            continue
        for end, part in (*steps(_PARTS, text, at), *restatements(text, at, plan)):
            reached.setdefault(_skip(text, end), set()).update(_joined(parts, part) for parts in so_far)
    return done


def _joined(parts: Part, part: Part) -> Part:
    """The parts so far with one more, and whether what repeats the plan came first."""
    first = not parts & (_DECISIVE | _LEADING) and bool(part & _LEADING)
    return parts | part | (Part.LED if first else Part.NOTHING)


def _skip(text: str, at: int) -> int:
    found = _SEPARATOR.match(text, at)
    return found.end() if found else at
