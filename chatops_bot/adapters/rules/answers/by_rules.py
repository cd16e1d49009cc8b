"""Routes while a plan waits: in `confirming` and `approving`. Design section 5.

Order of precedence: a plain yes; a person is wanted; the flow is left, alone or for something else; the plan is
changed; something is asked; and whatever cannot be placed is unclear, so that the card is shown again.
"""

from __future__ import annotations

import re
from typing import Final

import msgspec

from chatops_bot.adapters.rules.answers import corrections
from chatops_bot.adapters.rules.answers.guard import is_yes, names_plan
from chatops_bot.adapters.rules.requests.finding import Findings, find_requests
from chatops_bot.adapters.rules.requests.naming import is_pod
from chatops_bot.adapters.rules.tables import phrases as say
from chatops_bot.adapters.rules.text.numbers import NUM
from chatops_bot.adapters.rules.text.reading import Reading
from chatops_bot.adapters.rules.text.sections import sections
from chatops_bot.adapters.rules.tone.filler import left
from chatops_bot.adapters.rules.tone.flow import Flow, flow_of, of_the_plan
from chatops_bot.adapters.rules.values.asked import answer
from chatops_bot.adapters.rules.values.changed import is_denied, of_plan, sole, stated
from chatops_bot.adapters.rules.values.explicit import explicit, lone
from chatops_bot.adapters.rules.values.parameters import OF_INTENT, PLACES
from chatops_bot.adapters.rules.values.placing import says_only_place
from chatops_bot.adapters.rules.values.quantities import bare_quantity
from chatops_bot.adapters.rules.values.stepping import steps_from
from chatops_bot.adapters.rules.verdict import Verdict
from chatops_bot.domain.intents import Name, PendingPlan, Quantity, Request, Route, SlotValue, State, Utterance
from chatops_bot.domain.places import environment_of, environment_of_entity

_BESIDE: Final = re.compile(say.BESIDE)
_OWN_EYES: Final = re.compile(r"\bi(?:'m|'ll| am| will)\b|\b(?:checking|looking|reading|let me)\b|(?<![给帮让])我")
_SWITCH: Final = re.compile(say.SWITCH)
_INSTEAD: Final = re.compile(r"\binstead\b|换成|改成|改为|换为|^\W*改")
_OPENED: Final = (
    r"(?:no|nope|yes|yeah|yep|ok|okay|sure|fine|but|actually|sorry|wait|then|to|just|only|well|hmm|good|"
    r"不对|不是|不|是|行|好的?|可以|但是?|不过|嗯|算|那|就|等一?下)(?![a-z])"
)
_BARE_NUMBER: Final = re.compile(
    rf"(?>{_OPENED}[\s,.!]*|[\s,.!]+)*+(?P<n>{NUM}\s*(?:个|台|副本|replicas?|pods?|instances?)*)"
    r"[\s,.!]*(?:please|pls|instead|then|吧|就行|就好)?[\s.!?]*"
)
_SLANG: Final = re.compile(r"6{3,}|8{2,}|2333*|520|1{3,}")
_ABILITY: Final = re.compile(r"(?:可以|能|可否|能否|能不能|可不可以)\w{0,8}(?:吗|么)|^\W*(?:can|could) (?:we|i)\b")
_TAKEN_BACK: Final = re.compile(r"(?:^|[,.;!])\s*撤(?:回|了|销|掉)(?:吧|这条|这个)*\s*(?:[,.;!]|$)")
"""Takes the order back, not a release."""
_OPPOSITES: Final = {"pause": "resume", "resume": "pause", "cordon": "uncordon", "uncordon": "cordon"}
"""Who forbids the one and names the other leaves things as they are."""
_HYPOTHETICAL: Final = re.compile(r"如果|要是|万一|假如|的话|\bif\b|\bunless\b|\bin case\b")
_OWN_LOOK: Final = re.compile(
    r"(?:^|[,.;!])\s*(?>那|嗯|等等|等下|等会|好)*+(?:(?:让我|容我|我(?:先|再|得|去|这边先?))(?:再|先|去)?"
    r"(?:确认|看|查|问|核对|想|算|了解|评估|联系|试|瞅|研究)|我问(?:问|下|一下)|"
    r"我(?:跟|和|找)[^,.]{1,8}?(?:确认|问|核对|聊|沟通|商量|对)(?:一?下|一声|下))|"
    r"^\W*+(?:let me|lemme|i(?:'ll| will|'m| am| need to|'d better| have to)) (?:just |first |quickly )?"
    r"(?:check|look|ask|verify|confirm|see|think|find)(?:ing)?\b"
)
_OWN_CALL: Final = re.compile(
    r"(?:在|正在|我去?|已经|刚)(?:拉|叫|找|喊|摇|呼叫|联系)(?:人|个人|dba|sre|他|她)|(?:i'm|im|i am|"
    r"already) (?:paging|calling|getting)"
)
_LOOK: Final = re.compile(
    r"看(?!着|到|起来|来)|查|列|给我|发我|贴|显示|瞅|瞧|\b(?:show|list|get|give|check|look|see|tail|fetch|pull|"
    r"print|describe|compare|diff)\b"
)
_NOUNS: Final = frozenset({"status", "resources", "changes", "events", "history", "overview", "incident", "runbook"})
"""Questions whose words people also tell with."""
_CORRECTIVE: Final = re.compile(
    r"\bnot\b|\bwrong\b|\btypo\b|\binstead\b|should(?:'ve| have)? (?:be|been|read|say)|\bi (?:meant|mean|said)\b|"
    r"\bactually\b|\brather\b|"
    r"\bmix(?:ed)?[- ]?up\b|\bmistake\b|\bmisread\b|错(?!误)|不是|而是|应该是|改|换|不对|反了|口误|手误|语音|"
    r"\bbut (?:on|with|for|in|the)\b|\bmake (?:it|that)\b|\buse\b"
)
_SLIP: Final = re.compile(
    r"^\W*(?:no+|nope|nah)\b|唔[系係]|错(?!误)|手[抖滑误]|口误|\b(?:oops|typo|my bad|mistake|misread|wrong)\b|"
    r"应该是|\bshould(?:'ve| have)? be(?:en)?\b|"
    r"\b(?:that's|it's|this is|that was) (?:meant )?for\b"
)
_TRIED: Final = re.compile(
    r"\b(?:tested|tried|verified|validated|worked|works|happened|passed|failed|broke|ran|saw|seen|looked|soaked|baked|"
    r"went|had|yesterday|last (?:week|night|time|month|friday|monday)|ago|(?:this|that) morning|earlier today|same "
    r"(?:thing|issue|problem|error))\b|[\u4e00-\u9fff]过了?(?![一-鿿]*[吧到])|(?:验|测|试|跑|看|验证|测试)完|"
    r"验证(?:通过|好)|昨天|上周|上次|前天|刚才?在|也(?:这样|有|出|是这)",
)
"""Tells of what was done or seen in a place."""
_OUTRIGHT: Final = re.compile(
    r"\bi me?ant\b|\bshould(?:'ve| have)? be(?:en)?\b|\bsupposed to\b|\bwrong (?:env\w*|place|cluster)\b|\binstead\b|"
    r"\brather\b|\btypo\b|错了|口误|手[抖滑误]|应该是|说的是|[换改]成|不是"
)
"""Says that another place was meant, whatever it tells."""
_DONE_THERE: Final = re.compile(
    r"\b(?:do|run|try|use|apply|put|move|go|restart|scale|make|switch|roll|start|change|only)\b|\bjust (?:on|in|for)\b|"
    r"(?:[在去到用先只]|换|改)[^,.;!?]{0,8}(?:做|弄|试|搞|来|跑|执行|重启|操作|扩|缩|回滚|上|发)|[要先只]"
)
"""Asks for something to be done in a place."""
_OTHER_LEFT: Final = re.compile(
    r"\b(?:scrap|cancel|drop|kill|leave|forget|skip|ignore|keep|abort|stop|not) (?:with )?the other(?: one)?\b|"
    r"(?:取消|别动|不要|放弃|不是)(?:掉)?另(?:外)?[一那]?[个条]"
)
"""The other one of two is done away with, or not meant."""
_ASSENT: Final = re.compile(
    r"^\W*(?:(?:yes|yeah|yep|yup|ok|okay|sure|approved?|lgtm)\b|好|行|可以|同意|批准|嗯)", re.ASCII
)
_TICKET: Final = re.compile(
    r"[A-Z]{2,}-?\d+|(?i:inc|jira|chg|cr|tkt|ticket|issue|bug|sev|task|req|prb|incident|change|pr|mr)-?\d+", re.ASCII
)
"""What records of incidents and changes are called by, and no service."""
_LEAVES: Final = re.compile(
    r"取消|算了|放弃|作罢|不(?:做|搞|弄|要)了|\b(?:cancel|abort|forget|never ?mind|drop it|scrap)\b"
)
_TAGGED: Final = re.compile(r"(?:ok(?:ay)?|好吧|行不|right|yeah|deal)\?")
_RELATIVE: Final = re.compile(
    r"(?:再)?(?:往前|往后|再退|再回|多退|退多|早|晚)(?:一|两|1|2)?(?:退|回)?(?:一|两|1|2|几)?(?:个)?(?:版|版本)|"
    r"(?:前|后)一(?:个)?版|上上(?:个)?版|"
    r"\b(?:one|two|\d) (?:\w+ )?(?:further|earlier|older|newer|back|before)\b|\bthe (?:one|revision|"
    r"version) (?:before|after) (?:that|it)\b"
)
_TO_PEOPLE: Final = re.compile(
    (
        r"^\W*(?:@(?!bot\b)[\w.\u4e00-\u9fff-]+[\s,:]+)+(?:can|could|would|will|please|pls|have|take|do|are|is|what|"
        r"how|you|any|帮|看|麻烦|你|能|要不|觉得|确认|怎么|来|有空)"
    ),
    re.IGNORECASE,
)
"""Turning to somebody who is mentioned first."""
_WANTED: Final = re.compile(r"一下|帮|麻烦|请|改|换|直接|instead|first|just|please")


def by_rules(reading: Reading, utterance: Utterance) -> Verdict:
    """What the rules make of it; a plain yes is found by them alone."""
    plans = utterance.plans
    if any(is_yes(reading, plan, dismissed=bool(utterance.dismissed)) for plan in plans):
        if utterance.state is State.APPROVING:
            return Verdict(Route.UNCLEAR)
        return Verdict(Route.CONFIRM, affirmative=len(plans) == 1)
    reading = sections(reading)
    flow = flow_of(reading)
    findings = _to_the_bot(reading, flow, find_requests(reading))
    if _TO_PEOPLE.search(reading.text) or (_OWN_LOOK.search(reading.masked) and "?" not in reading.masked):
        return Verdict(Route.UNCLEAR)
    if any(request.intent == "hand_off" for request in findings.requests):
        return Verdict(Route.HAND_OFF, _of(findings, "hand_off"))
    if (change := _put_right(reading, flow, findings, plans)) is not None:
        return Verdict(Route.MODIFY, (change,))
    if flow.others:
        return Verdict(Route.UNCLEAR)
    if _OTHER_LEFT.search(reading.masked) and not findings.requests:
        return Verdict(Route.UNCLEAR)
    if corrections.instead(reading):
        return Verdict(Route.MODIFY, (Request(""),))
    return _left(reading, flow, findings, plans) or _kept(reading, flow, findings, utterance)


def _put_right(reading: Reading, flow: Flow, findings: Findings, plans: tuple[PendingPlan, ...]) -> Request | None:
    """What is put right outright, whatever else is said beside it, unless that leaves the plan or orders another."""
    if flow.cancel == "whole" or _LEAVES.search(reading.masked) or findings.told or corrections.instead(reading):
        return None
    right = corrections.puts_right if flow.others else corrections.outright
    for plan in plans:
        change = change_of(reading, findings, plan)
        if change is not None and right(reading, plan, change):
            return None if orders_in(reading, findings, plan) else change
    return None


def _to_the_bot(reading: Reading, flow: Flow, findings: Findings) -> Findings:
    """Without what is told rather than asked for: "no, the traffic is down", "hold on, I am calling somebody"."""
    requests = findings.requests
    if flow.hold and _OWN_CALL.search(reading.masked):
        requests = tuple(request for request in requests if request.intent != "hand_off")
    if (flow.cancel or flow.hold or findings.denied) and not flow.question and not _LOOK.search(reading.masked):
        requests = tuple(request for request in requests if request.dangerous or request.intent not in _NOUNS)
    return findings if requests == findings.requests else findings._replace(requests=requests)


def _of(findings: Findings, intent: str) -> tuple[Request, ...]:
    return tuple(request for request in findings.requests if request.intent == intent)


def _left(reading: Reading, flow: Flow, findings: Findings, plans: tuple[PendingPlan, ...]) -> Verdict | None:
    """The escape hatch: what leaves the flow whatever else is said."""
    orders = _orders(reading, flow, findings) if flow.cancel != "whole" else ()
    opposed = {_OPPOSITES.get(action, "") for action in set(findings.denied) & {plan.action for plan in plans}}
    if _TAKEN_BACK.search(reading.masked):
        opposed.add("rollback")
    orders = tuple(request for request in orders if request.intent not in opposed)
    other = tuple(request for request in orders if _is_new(request, plans, reading.masked))
    if other:
        return Verdict(Route.SWITCH, findings.requests)
    if flow.cancel == "whole":
        return Verdict(Route.CANCEL)
    if flow.cancel == "hard" and not _puts_right(reading, findings, plans):
        leaves_for = (
            findings.requests and not findings.bare and not all(request.dangerous for request in findings.requests)
        )
        return Verdict(Route.SWITCH, findings.requests) if leaves_for else Verdict(Route.CANCEL)
    denied = set(findings.denied) & {plan.action for plan in plans}
    if denied and (flow.kept or _HYPOTHETICAL.search(reading.masked)):
        return None
    if denied and not flow.question and not orders and not findings.requests and not flow.modify:
        return Verdict(Route.CANCEL)
    return None


def _puts_right(reading: Reading, findings: Findings, plans: tuple[PendingPlan, ...]) -> bool:
    """Whether somebody takes back a slip and says what was meant ("手抖了，7 个"), rather than leaving it all."""
    for plan in plans:
        change = change_of(reading, findings, plan)
        if change is not None and corrections.puts_right(reading, plan, change):
            return _LEAVES.search(reading.masked) is None
    if _SLIP.search(reading.masked) is None or _LEAVES.search(reading.masked) is not None:
        return False
    return any(change_of(reading, findings, plan) is not None for plan in plans)


def orders_in(reading: Reading, findings: Findings, plan: PendingPlan) -> tuple[Request, ...]:
    """Orders of something else than the plan that waits."""
    return tuple(one for one in _orders(reading, flow_of(reading), findings) if _is_new(one, (plan,), reading.masked))


def _orders(reading: Reading, flow: Flow, findings: Findings) -> tuple[Request, ...]:
    """Orders that hold now and are not only asked after ("可以回滚吗"), nor a bare "pause" in the sense of wait."""
    orders = tuple(
        request
        for request in findings.requests
        if request.dangerous
        and not request.conditional
        and not corrections.goes_on(request, reading)
        and not (request.name is not None and _is_stray(request.name, reading))
    )
    if flow.question == "words" and not (flow.polite or findings.denied or _WANTED.search(reading.masked)):
        return ()
    if len(orders) != 1 or orders[0].name is not None or orders[0].pronoun:
        return orders
    if reading.masked.strip(" .!") in ("pause", "暂停", "暂停一下"):
        return ()
    asked_after = flow.question and _ABILITY.search(reading.masked) and not _WANTED.search(reading.masked)
    return () if asked_after else orders


def _is_new(request: Request, plans: tuple[PendingPlan, ...], masked: str) -> bool:
    """Whether an order is another one than those that wait, rather than a change of one."""
    same = [plan for plan in plans if plan.action == request.intent]
    if not same:
        return bool(plans)
    if request.name is None or any(names_plan(request.name, plan) for plan in same):
        return False
    if set(request.slots) & set(OF_INTENT.get(request.intent, {})):
        return True
    return request.intent not in ("scale", "set_autoscaler") and not _INSTEAD.search(masked)


def _kept(reading: Reading, flow: Flow, findings: Findings, utterance: Utterance) -> Verdict:
    """What the flow survives: a change, a question, a digression, or nothing."""
    asks = bool(flow.question and not flow.polite)
    if flow.question == "mark" and _TAGGED.search(reading.masked):
        asks = False
    given = answer(reading, utterance.asked) if utterance.asked is not None and not asks else None
    if given is not None:
        return Verdict(Route.MODIFY, (given,))
    return (
        _replaced(reading, flow, findings, utterance.plans, asks=asks, approving=utterance.state is State.APPROVING)
        or _corrected(reading, findings, utterance, asks=asks)
        or _asked_beside(reading, flow, findings, utterance.plans)
        or _talk(reading, flow, asks=asks)
    )


def _replaced(
    reading: Reading, flow: Flow, findings: Findings, plans: tuple[PendingPlan, ...], *, asks: bool, approving: bool
) -> Verdict | None:
    """What is put in place of something of the plan."""
    change = next(filter(None, (change_of(reading, findings, plan) for plan in _meant(findings, plans))), None)
    if change is None or _is_weak(reading, flow, change):
        return None
    if approving and change.name is not None and not _resembles(change.name) and not _puts_name_right(reading):
        return None
    if not asks and _of_another(change):
        return Verdict(Route.SWITCH, (msgspec.structs.replace(change, intent=plans[0].action),))
    if asks and not _INSTEAD.search(reading.masked) and not stated(reading, plans[0].action, plans[0].parameters):
        return None
    return Verdict(Route.MODIFY, (change,))


def _asked_beside(reading: Reading, flow: Flow, findings: Findings, plans: tuple[PendingPlan, ...]) -> Verdict | None:
    """A question to the bot beside the plan, or turning to something else."""
    queries = tuple(
        request
        for request in findings.requests
        if not request.dangerous and not (request.name is not None and _TICKET.fullmatch(request.name.text))
    )
    if reading.masked.strip(" .!") in ("pause", "暂停", "暂停一下"):
        return Verdict(Route.UNCLEAR)
    if queries and not findings.bare:
        return _digression(reading, flow, queries, plans)
    if _SWITCH.search(reading.masked) and not flow.question:
        return Verdict(Route.SWITCH, queries)
    return Verdict(Route.ASK, queries) if queries and _asked(flow) else None


def _asked(flow: Flow) -> bool:
    return flow.question == "words" or bool(flow.question and not flow.doubt and not flow.hold)


def _talk(reading: Reading, flow: Flow, *, asks: bool) -> Verdict:
    """Nothing that can be placed exactly: put off, put right, left, asked, or unclear."""
    if flow.hold and not (flow.question or flow.corrects or flow.modify):
        return Verdict(Route.UNCLEAR)
    if flow.corrects and not (asks or flow.hold) and flow.cancel != "hard":
        return Verdict(Route.MODIFY, (Request(""),))
    if flow.cancel and not flow.question:
        return Verdict(Route.CANCEL)
    if _asked(flow):
        return Verdict(Route.ASK, (Request("plan"),))
    changes = flow.modify or (not flow.question and _RELATIVE.search(reading.masked))
    if changes and not flow.hold:
        return Verdict(Route.MODIFY, (Request(""),))
    refuses = not flow.question and _REFUSES.search(of_the_plan(reading.masked))
    return Verdict(Route.CANCEL) if refuses and not flow.hold else Verdict(Route.UNCLEAR)


def _corrected(reading: Reading, findings: Findings, utterance: Utterance, *, asks: bool) -> Verdict | None:
    """The same for another service, or more or less of what was asked beside the plan."""
    again = corrections.same_for(reading, utterance, findings)
    if again is not None and not asks:
        return Verdict(Route.MODIFY, (Request("", name=again.name),))
    more = corrections.of_answer(reading, utterance, findings)
    return Verdict(Route.ASK, (more,)) if more is not None else None


_REFUSES: Final = re.compile(
    r"\b(?:no|nope|nah|nein|non|don'?t|dont|never ?mind|nvm|cancel\w*|scrap|abort|hands off|leave (?:it|"
    r"them|that|this)|let it|"
    r"false (?:alarm|alert)|recovered|self.?healed|back to normal|forget|drop (?:it|that|this)|"
    r"withdraw\w*|retract\w*)\b|"
    r"^(?!\W*(?:ok|yes|yep|yeah|sure|好|行|可以)|[^a-z]{0,9}👍).*[🙅❌🚫🛑]|"
    r"别(?![人的样处墨磨])|甭|勿|唔(?:好|使|换|用)|不(?:要|用|必|许|换|扩|缩|停|删|排|封|滚|重启|回滚|发|"
    r"升|改了|弄|搞|做|执行)|"
    r"算(?:了|啦|鸟)|撤(?:了|回|销)|免了|取消|作废|误报|自愈|当我没说|当我冇讲|大可不必|没必要|否决|驳回"
)
"""A refusal in the middle of other words. Only what nothing else explains is read so: it lets nothing run.
A sign beside a yes is two answers, and neither is taken."""


def _meant(findings: Findings, plans: tuple[PendingPlan, ...]) -> list[PendingPlan]:
    """The plans that a change may be of, the likeliest first: that whose order is said again, or those of the service
    that is meant."""
    again = [
        plan
        for request in findings.requests
        for plan in plans
        if plan.action == request.intent and (request.name is None or names_plan(request.name, plan))
    ]
    return again[:1] or [plan for plan in plans if plan.entity == plans[0].entity]


def _digression(reading: Reading, flow: Flow, queries: tuple[Request, ...], plans: tuple[PendingPlan, ...]) -> Verdict:
    """A question is answered and the plan kept; turning to another service first is a switch."""
    other = any(
        request.name is not None and not any(names_plan(request.name, plan) for plan in plans) for request in queries
    )
    if other and not flow.question and not _BESIDE.search(reading.masked):
        return Verdict(Route.SWITCH, queries)
    if (
        flow.hold
        and not flow.question
        and not other
        and all(request.pronoun or not request.name for request in queries)
    ):
        return Verdict(Route.UNCLEAR) if _only_own_eyes(reading) else Verdict(Route.ASK, queries)
    return Verdict(Route.ASK, queries)


def _only_own_eyes(reading: Reading) -> bool:
    """Whether the speaker is the one who looks ("I'm checking the dashboard", "我看下监控")."""
    return _OWN_EYES.search(reading.masked) is not None


def change_of(reading: Reading, findings: Findings, plan: PendingPlan) -> Request | None:
    """What an utterance changes of a plan: its number, its parameters, its service, its environment."""
    order = next((request for request in findings.requests if request.intent == plan.action), None)
    said = _parameters(reading, plan)
    slots = said if order is None else dict(order.slots) | said
    slots = {slot: value for slot, value in slots.items() if not _unchanged(slot, value, plan)}
    if set(slots) == {"environment"} and _is_mentioned(reading):
        slots = {}
    name = next((one for one in reading.names if not names_plan(one, plan) and not _is_stray(one, reading)), None)
    if findings.requests and order is None and not findings.bare and not _corrects_name(reading):
        name = None  # it is of what is asked for, and so is a place
        slots = {slot: value for slot, value in slots.items() if slot not in PLACES}
    if plan.action == "delete_pod" and (pod := _another_pod(reading, plan)) is not None:
        slots.setdefault("pod", pod.text)
        name = None if name == pod else name
    if not slots and name is None:
        return None
    return Request("", slots=slots, name=name, conditional=order is not None and order.conditional)


def _another_pod(reading: Reading, plan: PendingPlan) -> Name | None:
    """A pod of the same workload, which need not be known, that the plan does not delete."""
    planned, workload = str(plan.parameters.get("pod")).lower(), plan.entity.workload.lower()
    for name in reading.names:
        said = name.text.lower()
        known = is_pod(name) and names_plan(name, plan)
        alike = not name.matches and said.startswith(f"{workload}-") and said.count("-") == planned.count("-")
        if (known or alike) and said != planned:
            return name
    return None


def _is_mentioned(reading: Reading) -> bool:
    """Whether a place is only mentioned ("i tested it in staging"), and nothing wanted there."""
    masked = reading.masked
    if _OUTRIGHT.search(masked) or says_only_place(reading):
        return False
    if _TRIED.search(masked):
        return True
    wanted = (_DONE_THERE, _CORRECTIVE, _INSTEAD, _SLIP)
    return not (flow_of(reading).modify or any(one.search(masked) for one in wanted))


def _resembles(name: Name) -> bool:
    """Whether a name is one of the catalog, or like one: any word may stand where names stand."""
    return bool(name.matches or name.closest)


def _puts_name_right(reading: Reading) -> bool:
    return any(one.search(reading.masked) for one in (_CORRECTIVE, _INSTEAD, _SLIP))


def _is_stray(name: Name, reading: Reading) -> bool:
    """Whether what looks like a name is just a word ("yes restart helps") or the number of a ticket: nothing like it
    is known, nothing is put right with it, and something else is said beside it."""
    if _resembles(name):
        return False
    if _TICKET.fullmatch(name.text):
        return True
    if _puts_name_right(reading) or flow_of(reading).cancel or not name.text.isalpha():
        return False
    rest = reading.masked[: name.start] + reading.masked[name.start + len(name.text) :]
    return _ASSENT.search(reading.masked) is not None or left(rest) > _BESIDE_NAME


_BESIDE_NAME: Final = 8
"""Letters that may stand beside a word for it to be a name."""


def _is_weak(reading: Reading, flow: Flow, change: Request) -> bool:
    """Whether what looks like another place or name is only mentioned while somebody waits or asks ("测试还在验")."""
    known = change.name is not None and (change.name.matches or is_pod(change.name))
    if known or not set(change.slots) <= {"environment"} or flow.modify:
        return False
    put_right = _INSTEAD if change.name is None else _CORRECTIVE
    slipped = not flow.question and _SLIP.search(reading.masked) is not None
    return bool(flow.hold or flow.question) and not slipped and put_right.search(reading.masked) is None


def _of_another(change: Request) -> bool:
    """Whether it is the same order for another service with its own values ("not payment, checkout to 5")."""
    return change.name is not None and bool(change.name.matches) and bool(set(change.slots) - {*PLACES, "node", "pod"})


def _corrects_name(reading: Reading) -> bool:
    """Whether a name beside a common question word is put right ("wrong pod, it is …"), not looked at."""
    return _CORRECTIVE.search(reading.masked) is not None and _LOOK.search(reading.masked) is None


def _parameters(reading: Reading, plan: PendingPlan) -> dict[str, SlotValue]:
    """Parameters of the plan's action that are said without its verb ("make it 8", "in staging")."""
    held = plan.parameters
    slots = lone(reading, plan.action, held) | explicit(reading, plan.action, held) | of_plan(reading, plan)
    if plan.action == "scale" and "replicas" not in slots:
        bare = _BARE_NUMBER.fullmatch(reading.masked)
        number = bare_quantity(bare.group("n")) if bare is not None else None
        denied = number is not None and is_denied(reading.masked, number.value)
        if number is not None and not (denied or _SLANG.fullmatch(reading.masked)):
            slots["replicas"] = number
    said = slots.get("replicas")
    if isinstance(said, Quantity) and said.kind in ("by", "times"):
        slots |= sole(reading, plan, but=abs(said.value))  # "one more, so 3": what it comes to
    return slots | steps_from(reading.masked, plan.action, held)


def _unchanged(slot: str, value: SlotValue, plan: PendingPlan) -> bool:
    """Whether a value is what the plan has anyway."""
    if slot == "environment":
        return environment_of(str(value)) == environment_of_entity(plan.entity)
    if slot in ("cluster", "namespace"):
        return value == (plan.entity.cluster if slot == "cluster" else plan.entity.namespace)
    if slot == "reason":  # a first one is a change: a freeze that began meanwhile wants it
        return bool(plan.reason)
    planned = plan.parameters.get(slot)
    if isinstance(value, Quantity) and not isinstance(planned, Quantity):
        return value.kind == "to" and isinstance(planned, int) and value.value == planned
    return value == planned
