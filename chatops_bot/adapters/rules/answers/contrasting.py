"""What waits, said against what does not: "checkout, not search", "不要web 要搜索", "cancel all but search"."""

from __future__ import annotations

from typing import Final

from chatops_bot.adapters.rules.answers.guard import names_plan
from chatops_bot.adapters.rules.requests.excepting import leaves_out, not_here
from chatops_bot.adapters.rules.text.numbers import NUM
from chatops_bot.adapters.rules.text.patterns import compiled
from chatops_bot.adapters.rules.text.reading import Reading
from chatops_bot.adapters.rules.tone.flow import says_all
from chatops_bot.adapters.rules.verdict import Verdict
from chatops_bot.domain.intents import Name, PendingPlan, Request, Route, Utterance
from chatops_bot.domain.places import environment_of_entity

_X: Final = r"[\ue000\ue001]+"
_LEAD: Final = (
    r"(?>[\s,.!]|(?:no|nope|yes|yeah|yep|ok|okay|wait|sorry|oh|it's|its|that's|i said|i mean(?:t)?|please|the|for|on)"
    r"(?![a-z])|对|是的|嗯|哦|啊|我说的?是|我要的?是|应该是)*+"
)
_END: Final = r"(?:[\s,.!?~]|please|pls|thanks|吧|啊|哦|哈|呀|了|的)*"
_NOT: Final = r"(?:,? ?(?:and |but )?(?:not|isn't|instead of|rather than)|[, ]*(?:而)?(?:不是|别|不要))"
_FIRST: Final = compiled(rf"{_LEAD}是?(?P<meant>{_X})\s*{_NOT}\s*(?:the )?(?P<not>{_X}){_END}")
_SECOND: Final = compiled(
    rf"{_LEAD}(?:not|don't|不是|不要|别)\s*(?:the )?(?P<not>{_X})"
    rf"(?:[\s,.;]|(?:but|its|it's|rather|do|use|the)(?![a-z])|而是|是|而要|要|换成?|改成?)+(?P<meant>{_X}){_END}"
)
_TOO_LITTLE: Final = compiled(
    r"[\s,.!~]*(?:(?:it|that|this|still|hm+|it's|that's|is|are|way|far|a bit|really|just)[\s,.!]+)*(?:not (?:nearly |"
    r"even |quite )?enough|isn't enough|aren't enough|too (?:few|little|low))[\s,.!~]*|"
    r"[\s,.!~]*(?:还是?|这|那|有点|感觉|可能|明显)*(?:太[少低小]|不太?够|不大够|没够|少了)[了点用吧啊的\s,.!~]*"
)
_SPARES_A_BOUND: Final = compiled(
    r"[\s,.!~]*(?:but |and |please |ok |just )*(?:don't|do not|dont|never|leave|keep)"
    r"(?: (?:touch|change|move|alter|raise|lower))? (?:the |its )?(?:max(?:imum)?|min(?:imum)?|"
    r"(?:upper|lower) (?:bound|limit)|ceiling|floor)"
    r"(?: (?:alone|as is|as it is|where it is|please|unchanged|be))*[\s,.!~]*|"
    r"[\s,.!~]*(?:但是?|那)?(?:上限|下限|最[大小多少高低]值?)(?:先|就|都)?"
    r"(?:别|不要|不用|不)(?:动|改|碰|调|变)[了吧啊\s,.!~]*|"
    r"[\s,.!~]*(?:别|不要|不用)(?:动|改|碰|调)(?:上限|下限|最[大小多少高低]值?)[了吧啊\s,.!~]*"
)
_ONE_OF: Final = compiled(
    r"第[一二两三四五123]个?条?|\b(?:the )?(?:first|second|third|last|1st|2nd|3rd)(?: one)?\b|"
    r"(?:前|后|最后)[一面]?[个条]|#\d|\b(?:number|no\.?) ?\d\b"
)
_LEAVES: Final = compiled(
    r"不要|取消|别|撤|不用|算了|\b(?:cancel|drop|skip|scrap|not|no|don't|forget|kill|abort|discard|leave)\b"
)
_VALUED: Final = compiled(rf"N\s*(?:to |at |= ?|到|成|为)?\s*{NUM}(?![\w.])")
_OF_NUMBERS: Final = frozenset({"scale", "set_autoscaler", "rollback", "set_image"})


def contrasted(reading: Reading, utterance: Utterance) -> Verdict | None:
    """The verdict on a message that holds something against something else; None for any other."""
    plans, masked = utterance.plans, reading.masked
    if leaves_out(masked):
        return Verdict(Route.UNCLEAR)
    several = len(plans) > 1 and not (reading.names or says_all(masked) or "?" in masked)
    if several and _ONE_OF.search(masked) and _LEAVES.search(masked):
        return Verdict(Route.UNCLEAR)
    if _TOO_LITTLE.fullmatch(masked):
        return _to_be_asked(plans, "scale", "set_autoscaler")
    if _SPARES_A_BOUND.fullmatch(masked):
        return _to_be_asked(plans, "set_autoscaler")
    return _meant(reading, utterance)


def holds_off(reading: Reading, plans: tuple[PendingPlan, ...], verdict: Verdict) -> bool:
    """Whether a message leaves out the place of a plan that waits, which is no yes to it; or gives another service a
    number that the plan has none of, which is no change of it ("make checkout 9" below a restart)."""
    if verdict.route is Route.CONFIRM:
        return not_here(reading, frozenset(environment_of_entity(plan.entity) for plan in plans))
    if verdict.route is not Route.MODIFY or any(plan.action in _OF_NUMBERS for plan in plans):
        return False
    named = any(one.name is not None and not _is_of(one.name, plans) and not one.slots for one in verdict.requests)
    return named and _VALUED.search(reading.masked) is not None


def _to_be_asked(plans: tuple[PendingPlan, ...], *actions: str) -> Verdict:
    fits = any(plan.action in actions for plan in plans)
    return Verdict(Route.MODIFY, (Request(""),)) if fits else Verdict(Route.UNCLEAR)


def _meant(reading: Reading, utterance: Utterance) -> Verdict | None:
    found = _FIRST.fullmatch(reading.masked) or _SECOND.fullmatch(reading.masked)
    if found is None:
        return None
    named = {name.start: name for name in (*reading.names, *utterance.dismissed)}
    meant, other = named.get(found.start("meant")), named.get(found.start("not"))
    if meant is None or other is None:
        return None
    if _is_of(meant, utterance.plans):
        return None if _is_of(other, utterance.plans) else Verdict(Route.UNCLEAR)
    return Verdict(Route.MODIFY, (Request("", name=meant),)) if _is_of(other, utterance.plans) else None


def _is_of(name: Name, plans: tuple[PendingPlan, ...]) -> bool:
    said = name.text.lower()
    return any(names_plan(name, plan) or said == plan.entity.name.lower() for plan in plans)
