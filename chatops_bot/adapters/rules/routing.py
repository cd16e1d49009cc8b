"""Which route an utterance takes, per state. Design section 5; only routes that the state offers come out."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import msgspec

from chatops_bot.adapters.rules.answers import corrections
from chatops_bot.adapters.rules.answers.weighed import judge
from chatops_bot.adapters.rules.requests.calling import called
from chatops_bot.adapters.rules.requests.finding import Findings, find_requests, has_pronoun
from chatops_bot.adapters.rules.requests.objects import small_talk
from chatops_bot.adapters.rules.requests.permission import asked
from chatops_bot.adapters.rules.tables import phrases as say
from chatops_bot.adapters.rules.text.patterns import compiled
from chatops_bot.adapters.rules.text.reading import Reading
from chatops_bot.adapters.rules.tone.flow import flow_of
from chatops_bot.adapters.rules.values.asked import answer
from chatops_bot.adapters.rules.values.explicit import explicit
from chatops_bot.adapters.rules.values.parameters import PLACES
from chatops_bot.adapters.rules.verdict import Verdict
from chatops_bot.adapters.rules.wishes import alone, beside, says_nothing, wish
from chatops_bot.domain.intents import ROUTES, Name, Request, Route, State, Utterance

_DONE: Final = re.compile(say.DONE)
_DONE_CORE: Final = re.compile(say.DONE_CORE)
_FEEDBACK: Final = re.compile(say.FEEDBACK)
_REFRESH: Final = re.compile(rf"\s*(?:{say.REFRESH})[\s?.!~]*")
_WHY: Final = re.compile(
    r"\W*(?:but |and |so )?(?:why(?: \w+)?|how come|how so|really|what|为什么|为啥|怎么会|真的吗?|咋)\W*"
)
_STORY: Final = re.compile(
    r"\W*(?:will|gonna|going to|about to) (?!you\b|we\b|u\b|it\b|this\b|that\b|they\b|the\b)[a-z]+ |"
    r"\W*(?:back )?(?:when|while|once|last time) (?:i|we|he|she|they|my|our|you)\b(?! (?:can|should|do|will))"
)
"""Begins what somebody tells, which only sounds like a question."""
_RESUME: Final = compiled(say.RESUME)
_CANCEL_HAND_OFF: Final = compiled(say.CANCEL_HAND_OFF)


def route(reading: Reading, utterance: Utterance) -> Verdict:
    """Route, requests and the strict verdict of an utterance in its state."""
    permission = asked(reading) if utterance.state is not State.HANDED_OFF else ()
    if permission:
        return Verdict(Route.HELP if Route.HELP in ROUTES[utterance.state] else Route.ASK, permission)
    state = utterance.state
    if Route.HAND_OFF in ROUTES[state] and (request := called(reading)) is not None and not _orders(reading):
        return Verdict(Route.HAND_OFF, (_of_a_service(request, reading), *_asked_beside(reading)))
    if (wished := wish(reading)) is not None:
        wishes, rest = wished
        if says_nothing(rest):
            return alone(wishes, state)
        if (both := beside(wishes, _BY_STATE[state](rest, utterance), rest, state)) is not None:
            return both
    return _BY_STATE[state](reading, utterance)


_COMPLAINED: Final = frozenset({"status", "resources", "incident", "history", "changes"})
"""What words of trouble ask for where it is known what about; of nothing, they are talk."""


_GOOD_NEWS: Final = re.compile(
    r"稳了(?!吗|么|没)|(?:下来|降|回落|平|绿|缓过来|没事|正常|恢复|好)了(?!吗|么|没)|\b(?:recover(?:ed|ing)|back to "
    r"normal|normal "
    r"again|looks? (?:much |all |"
    r"way )?(?:good|fine|friendl\w+|better|healthy|great|calm\w*|ok(?:ay)?|green)|(?:came|coming|went|going) (?:back "
    r")?down|dropped|"
    r"dropping|stable again|(?:all )?(?:is |are )?(?:calm|quiet|peaceful|well)(?: now| again| on)|all green|(?:good|"
    r"great|nice) (?:job|work))\b"
)
"""Tells that it is better: nothing is to be looked at."""
_TO_SOMEBODY: Final = re.compile(
    r"\s*[老小阿](?![心是事时铁师哥板弟姐助机伙大])[\u4e00-\u9fff](?:你|去|帮)|"
    r"\s*@(?!(?:chat)?(?:ops|bot)\b)[\w\u4e00-\u9fff.-]+(?!\s*(?:(?:说|讲|提)(?:了|过|是|的|根|问|这|应|要|得)|"
    r"(?:觉得|认为|发现|怀疑|判断|反馈)|(?:says|said|thinks|reckons|found|suspects|tells me|told me|wants)\b))"
    r"(?![\w\u4e00-\u9fff.-])"
)
_DIALOGUE: Final = re.compile(r"\s*[a-z]+: [^\n]{1,200}?(?:[.!?]|\n)\s*[a-z]+: ")
"""Who said what to whom, told as it went."""
_LOOK: Final = re.compile(
    r"(?:(?:pls|please|plz|can you|could you|帮忙|帮我|快|你|麻烦|给我|再|先|赶紧)\s*)*(?:check|look|have a look|"
    r"take a look|"
    r"看看|看一?下|查一?下|瞅瞅|查查|瞧瞧|瞅一?眼|看一?眼)\s*(?:it|this|again|now|please|pls|plz|吧|呗|啊|呢|[!.~? ])*"
)
"""Asks for a look, and says at nothing in particular: at what is talked about."""


_FURTHER: Final = re.compile(
    r"[,;.!?\n]\s*(?:and |then |also |plus |另外|再|还有|顺便)*|\b(?:and|then|also|plus)\b|然后|再|顺便"
)


def _to_somebody(reading: Reading) -> bool:
    """Whether a message begins with the name of a person: it is for them, whatever it says. Who is to be called is
    known before."""
    return _TO_SOMEBODY.match(reading.masked) is not None or _DIALOGUE.match(reading.masked) is not None


def _orders(reading: Reading) -> bool:
    return any(request.dangerous for request in find_requests(reading).requests)


def _asked_beside(reading: Reading) -> tuple[Request, ...]:
    """What is asked beside the call for somebody, in a clause of its own ("page the on-call, also what is failing")."""
    findings = find_requests(reading)
    if findings.bare or findings.narrated or findings.reported:
        return ()
    further = [at.end() for at in _FURTHER.finditer(reading.masked)]
    return tuple(
        request
        for request in findings.requests
        if request.intent != "hand_off" and any(at <= request.start for at in further)
    )


def _complains(reading: Reading, findings: Findings) -> bool:
    if not findings.narrated or reading.names or has_pronoun(reading.masked):
        return False
    return all(request.intent in _COMPLAINED and not request.slots for request in findings.requests)


def _glad(reading: Reading, findings: Findings) -> bool:
    """Whether all that is said is that it is better, or what the world and its people do."""
    if not (findings.narrated or findings.bare or findings.told) or flow_of(reading).question:
        return False
    if any(request.dangerous for request in findings.requests):
        return False
    return small_talk(reading.masked) or (not findings.reported and _GOOD_NEWS.search(reading.masked) is not None)


def _of_a_service(request: Request, reading: Reading) -> Request:
    """The same, about the one service that is named beside who is called ("page the web on-call")."""
    known = [name for name in reading.names if name.matches]
    if request.name is not None or len(known) != 1:
        return request
    return msgspec.structs.replace(request, name=known[0])


def _open(reading: Reading, utterance: Utterance) -> Verdict:
    """Nothing is under way: an order, a question, or talk. What its user comes from may be asked for here as well."""
    findings = find_requests(reading)
    if _to_somebody(reading) or _complains(reading, findings) or _glad(reading, findings):
        return Verdict(Route.CHAT)
    again = corrections.same_for_each(reading, utterance, findings)
    if again:
        return Verdict(Route.ACT if again[0].dangerous else Route.QUERY, again)
    return _request(findings) or _talk(reading, findings)


def _request(findings: Findings) -> Verdict | None:
    requests = findings.requests
    if not requests:
        return None
    intents = {request.intent for request in requests}
    if any(request.dangerous for request in requests):
        return Verdict(Route.ACT, requests)
    if "hand_off" in intents:
        return Verdict(Route.HAND_OFF, requests)
    if "help" in intents and len(intents) == 1:
        return Verdict(Route.HELP, requests)
    return Verdict(Route.QUERY, requests)


def _talk(reading: Reading, findings: Findings) -> Verdict:
    """No request was found: a question about what the thread is about, or only talk."""
    flow = flow_of(reading)
    if _STORY.match(reading.masked):
        return Verdict(Route.CHAT)
    if flow.question and reading.names and not findings.denied:
        return Verdict(Route.QUERY, (Request("status", name=reading.names[0], start=reading.names[0].start),))
    if flow.question and (has_pronoun(reading.masked) or findings.told) and not flow.others:
        return Verdict(Route.ASK)
    return Verdict(Route.CHAT)


_NO_HELP: Final = re.compile(
    r"(?:还是|依然|仍然?|照样|一样)(?:不行|没用|没好|没恢复|没效果|不好使|不管用|有问题|没变化|老样子|那样|一样)|"
    r"(?:重启|回滚|扩容|缩容|重试|试)(?:了|过|完)*(?:也|都)?(?:没用|没效果?|没好|没反应|无效|不管用|不好使)|"
    r"\b(?:restart(?:ing)?|rollback|rolling (?:it )?back|scaling|bounc(?:e|ing)|that|it) (?:did ?n['o]?t|did not|"
    r"has ?n['o]?t|does ?n['o]?t) "
    r"(?:help|work|fix|do|change)|\b(?:no (?:luck|change|improvement|effect|joy)|same (?:issue|problem|error|thing|"
    r"as before)|"
    r"still (?:the same|no luck|not (?:working|fixed|ok|good|better)))\b"
)
"""What was done changed nothing: how it is now is worth a look."""
_ADVICE: Final = re.compile(
    r"\b(?:should|shall|ought) (?:i|we)\b|^\W*(?:\w+ )?\w+ ?[?]+\W*$|要不要|该不该|需不需要|用不用|应不应该|吗\W*$"
)
"""Whether something should be done is asked: answered with how it is."""
_SHORT: Final = 60
"""Characters of what says no more than that."""


def _how_it_is(reading: Reading, findings: Findings) -> bool:
    text = reading.masked
    if _NO_HELP.search(text) and len(text) < _SHORT:
        return True
    return findings.told and _ADVICE.search(text) is not None and not flow_of(reading).others


def _state_of(reading: Reading) -> Request:
    name = reading.names[0] if reading.names else None
    return Request("status", name=name, pronoun=name is None)


def _follow_up(reading: Reading, utterance: Utterance) -> Verdict:
    """Something was shown: go on with it, end it, or begin something new."""
    text = reading.masked
    findings = find_requests(reading)
    if _to_somebody(reading) or (_glad(reading, findings) and _DONE_CORE.search(text) is None):
        return Verdict(Route.CHAT)
    if _DONE.fullmatch(text) and _DONE_CORE.search(text):
        return Verdict(Route.DONE)
    if _REFRESH.fullmatch(text):
        return Verdict(Route.REFRESH)
    again = corrections.same_for_each(reading, utterance, findings)
    if len(again) > 1:
        return Verdict(Route.ACT if again[0].dangerous else Route.QUERY, again)
    changed = corrections.correction(reading, utterance, findings)
    if changed is not None:
        return Verdict(Route.ACT if changed.dangerous else Route.QUERY, (changed,))
    exact = findings.requests and not findings.bare
    if not exact and _how_it_is(reading, findings):
        return Verdict(Route.QUERY, (_state_of(reading),))
    if not exact and flow_of(reading).cancel and not reading.names:
        return Verdict(Route.CANCEL)
    if not exact and not reading.names and _FEEDBACK.search(text) and not flow_of(reading).question:
        return Verdict(Route.FEEDBACK)
    return _request(findings) or _remark(reading, findings)


def _remark(reading: Reading, findings: Findings) -> Verdict:
    """Nothing is asked for in words of the tables: trouble is told, why is asked, thanks are said, or it is talk."""
    text = reading.masked
    if (findings.reported and not findings.told) or _LOOK.fullmatch(text):
        return Verdict(Route.QUERY, (Request("status", pronoun=True),))
    if _WHY.fullmatch(text):
        return Verdict(Route.ASK)
    if _DONE_CORE.search(text) and not flow_of(reading).question and not reading.names and len(text) < 60:
        return Verdict(Route.DONE)
    return _talk(reading, findings)


def _collecting(reading: Reading, utterance: Utterance) -> Verdict:
    """Something is asked for: given, changed, left, or asked back."""
    given = _given(reading, utterance) if _only_a_number(reading, utterance) else None
    return given or _answered(reading, utterance)


def _answered(reading: Reading, utterance: Utterance) -> Verdict:
    findings = find_requests(reading)
    flow = flow_of(reading)
    intents = {request.intent for request in findings.requests}
    if "hand_off" in intents:
        return Verdict(Route.HAND_OFF, findings.requests)
    orders = tuple(request for request in findings.requests if request.dangerous)
    if any(request.intent != utterance.intent for request in orders):
        return Verdict(Route.SWITCH, findings.requests)
    if flow.cancel in ("hard", "whole") or (utterance.intent in findings.denied and not orders):
        return Verdict(Route.CANCEL)
    if orders:
        return _repeated(orders[0], utterance)
    if _answers(reading, utterance, findings) and not flow.question:
        return _given(reading, utterance) or Verdict(Route.CHAT)
    if (more := corrections.of_answer(reading, utterance, findings)) is not None:
        return Verdict(Route.ASK, (more,))
    if findings.requests and not findings.bare:
        return Verdict(Route.HELP if intents == {"help"} else Route.ASK, findings.requests)
    given = _given(reading, utterance) if not (flow.question == "words" and not flow.polite) else None
    if given is not None:
        return given
    if flow.cancel:
        return Verdict(Route.CANCEL)
    return Verdict(Route.ASK, (Request("plan"),)) if flow.question else Verdict(Route.CHAT)


def _answers(reading: Reading, utterance: Utterance, findings: Findings) -> bool:
    """Whether common words beside a value make a question of it only at first sight ("5 副本", "pod-a")."""
    if utterance.asked is None or not findings.requests:
        return False
    if any(request.intent != "status" for request in findings.requests):
        return False
    given = answer(reading, utterance.asked)
    return given is not None and any(slot in given.slots for slot in ("replicas", "min", "max", "pod", "revision"))


_A_NUMBER: Final = re.compile(
    r"\s*(?:to|by|at|到|成)?\s*-?\d+(?:\.\d+)?\s*(?:个|副本|replicas?|pods?)*[\s.!]*", re.ASCII
)


def _only_a_number(reading: Reading, utterance: Utterance) -> bool:
    """Whether a number is all that is said where one was asked for: "to 2.5" is no image then."""
    asked = utterance.asked.what if utterance.asked is not None else ()
    return bool({"replicas", "min", "max", "tail"} & set(asked)) and _A_NUMBER.fullmatch(reading.masked) is not None


def _repeated(order: Request, utterance: Utterance) -> Verdict:
    """The same order again: what it says is given, or changes what was given before."""
    change = Request("", slots=order.slots, name=order.name, conditional=order.conditional)
    asked = utterance.asked.what if utterance.asked is not None else ()
    gives = set(order.slots) | ({"service"} if order.name is not None else set())
    return Verdict(Route.PROVIDE if not gives or gives & set(asked) else Route.MODIFY, (change,))


def _given(reading: Reading, utterance: Utterance) -> Verdict | None:
    if utterance.asked is not None:
        given = answer(reading, utterance.asked)
        if given is not None:
            return Verdict(Route.PROVIDE, (_with_more(given, reading, utterance),))
    held = next((one.slots for one in utterance.standing if one.waits and one.intent == utterance.intent), {})
    slots = explicit(reading, utterance.intent, held)
    name = _other_name(reading, utterance)
    if slots or name is not None:
        return Verdict(Route.MODIFY, (Request("", slots=slots, name=name),))
    return None


def _with_more(given: Request, reading: Reading, utterance: Utterance) -> Request:
    """An answer with what it says beside of the same order ("5 to 12", where the minimum was asked for)."""
    if "reason" in given.slots:
        return given
    placed = "service" in given.slots
    said = explicit(reading, utterance.intent, {})
    more = {slot: value for slot, value in said.items() if slot not in PLACES or not placed}
    return msgspec.structs.replace(given, slots={**more, **given.slots})


def _other_name(reading: Reading, utterance: Utterance) -> Name | None:
    """A name that is not the one the session is locked to."""
    lock = utterance.lock
    for name in reading.names:
        if lock is None or all(service.entity.key != lock.key for service in name.matches):
            return name
    return None


def _executing(reading: Reading, utterance: Utterance) -> Verdict:
    """The write is under way: words cannot undo it."""
    findings = find_requests(reading)
    if any(request.intent == "hand_off" for request in findings.requests):
        return Verdict(Route.HAND_OFF, findings.requests)
    if any(request.dangerous for request in findings.requests):
        return Verdict(Route.SWITCH, findings.requests)
    if flow_of(reading).cancel or findings.denied:
        return Verdict(Route.CANCEL)
    return Verdict(Route.ASK, findings.requests or (Request("plan"),))


def _handed_off(reading: Reading, utterance: Utterance) -> Verdict:
    """People talk; the bot only notes, until it is called back."""
    text = reading.masked
    findings = find_requests(reading)
    if _CANCEL_HAND_OFF.search(text) and len(text) < 60 and not reading.names:
        return Verdict(Route.CANCEL)
    resumes = any(request.intent == "resume" for request in findings.requests) or not findings.requests
    to_others = "@" in text
    if _RESUME.search(text) and len(text) < 60 and not reading.names and resumes and not to_others:
        return Verdict(Route.RESUME)
    return Verdict(Route.NOTE, findings.requests)


_BY_STATE: Final[dict[State, Callable[[Reading, Utterance], Verdict]]] = {
    State.IDLE: _open,
    State.ARCHIVED: _open,
    State.COLLECTING: _collecting,
    State.CONFIRMING: judge,
    State.APPROVING: judge,
    State.EXECUTING: _executing,
    State.FOLLOW_UP: _follow_up,
    State.HANDED_OFF: _handed_off,
}
