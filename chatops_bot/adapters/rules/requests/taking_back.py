"""What takes back the request before it within one utterance: "scale web to 5, no scratch that, just restart it",
"重启网关，不对，重启支付", "restart web, actually don't restart it"."""

from __future__ import annotations

from typing import Final

from chatops_bot.adapters.rules.requests.clauses import Clause, Mark, Split
from chatops_bot.adapters.rules.requests.naming import add_named_slots, same
from chatops_bot.adapters.rules.requests.orders import standing
from chatops_bot.adapters.rules.text.numbers import NUM
from chatops_bot.adapters.rules.text.patterns import compiled
from chatops_bot.domain.intents import Request, SlotValue

_LEAD_EN: Final = r"(?:(?:oh|uh|er|um|hmm+|ah|ok|and|but|well|sorry|actually|no|nah|nope|wait|hang on|hold on)[\s,]+)*"
_LEAD_ZH: Final = r"(?:哦|噢|呃|额|啊|哎|唉|诶|嗯|等一?下|等等|不对|不|那|还是|先|[\s,~.])*"
_REVOKED: Final = compiled(
    rf"\s*{_LEAD_EN}(?:(?:scratch|strike|forget|drop|cancel|nix|ignore|disregard) (?:that|it|this|that one)"
    r"(?=\W*$| (?:just|instead|only|please|pls|and|let's)(?![a-z]))|never ?mind(?: (?:that|it|this))?(?![a-z])"
    r"(?! (?:the|why|what|how))|nvm(?![a-z])|(?:i )?changed my mind|leave it(?: be| alone| for now| as is)?\W*$|"
    r"(?:don't|dont|do not)(?: do (?:that|it|this)| "
    r"bother)?\W*$)|"
    rf"{_LEAD_ZH}(?:算了|当我没说|(?:免|别|不用|不要|不必)了(?=[吧啦,\s]*$)|(?:先|还是)?别(?:动|急|搞|弄)?(?=[吧啦,\s]*$)|(?:取消|作废|撤销)[了吧掉]*\s*$|"
    r"(?:不|先不|别|先别|不用|不要)(?:扩|缩|重启|回滚|暂停|停|弄|搞|动|操作|排空|封)(?:容)?了[吧啦\s]*$)"
)
_RATHER: Final = compiled(
    rf"\s*{_LEAD_EN}(?:on second thoughts?|actually[\s,]+(?:just|only|simply)|rather|instead)(?![a-z])"
    r"(?!.*\b(?:also|too)\b)|"
    r"(?:哦|噢|呃|额|啊|哎|唉|诶|嗯|等一?下|等等|那|要不|[\s,~.])*还是"
)
"""Before an order: it is given in place of the one before."""
_SLIP: Final = compiled(
    rf"\s*{_LEAD_EN}(?:no|nope|wrong(?: one| service)?|oops|my bad|i mean(?:t)?|correction)(?: (?:wait|no|sorry))*\W*|"
    r"(?:(?:哦|噢|呃|额|啊|哎|唉|诶|嗯|等一?下|等等|[\s,~.])*(?:不对|不是|错了|说错|搞错|打错|口误|写错)[了啦哈]*)+"
    r"[\s,~.!]*|(?:哦|噢|呃|额|啊|哎)(?:不+|不是)[\s,~.!]*"
)
"""Alone in a clause: the order before was not what was meant, the one behind it is."""
_MILD: Final = compiled(r"\s*(?:(?:oh|uh|um|er|erm|ah|sorry|sry|oops|whoops|actually|rather|wait)(?![a-z])[\s,.!~]*)+")
"""The same where nothing but another name stands behind it."""
_SLIP_LEADS: Final = compiled(
    r"\s*(?:oops|wait no|no wait|actually no|wrong one|no sorry)(?![a-z])|(?:等一?下|等等|呃|哦|\s)*(?:不对|说错|"
    r"搞错|打错|口误)了?(?:是|,|\s)"
)
"""The same before the order that was meant, in its clause."""
_SURELY_SLIP: Final = compiled(r"(?<![a-z])(?:wrong|oops|my bad)(?![a-z])|错|口误")
"""Says so whatever stands behind it."""
_MEANT: Final = compiled(
    rf"\s*{_LEAD_EN}(?:i mean(?:t)?|make (?:it|that)|it'?s|that'?s) (?:the )?N\W*|"
    r"\s*(?:(?:oh|uh|er|um|hmm+|no|nah|nope|wait|sorry|sry|oops|whoops|actually|hang on|hold on|rather|my bad)[\s,]+)+"
    r"(?:i mean(?:t)? )?(?:the )?N[\s,.!~]*|"
    r"\s*(?:哦|啊|呃|额|诶|唉)*(?:不对|错了|说错了?|搞错了?|口误|不+|不是)[\s,了]*N[\s吧啦,.!~]*|"
    r"(?:不对|不|错了|说错了?|搞错了?|口误|\s)*(?:我(?:是)?说的?是?|我指的?是|我要的是|应该是|而?是)\s*N[\s吧啦,.!~]*"
)
_WANTED: Final = compiled(
    r"\s*(?:但是?|可是?|而|but |the )*N\s*(?:才|就|倒|还是|还)?(?:是?要|得|需要|可以)的?[吧啦\s,.!~]*|"
    r"\s*(?:but )?(?:the )?N (?:does|should|needs? (?:it|one|to|that)|please|is|could use (?:one|it)|can)\W*"
)
_REFUSED: Final = compiled(
    r"N(?:'s)? (?:does(?: not|n'?t)|is(?: not|n'?t)|needs? no|won'?t|should(?: not|n'?t))(?![a-z])"
)
_WITHOUT_VALUE: Final = frozenset({"restart", "pause", "resume", "rollback", "cordon", "uncordon", "drain"})
_A_NUMBER: Final = compiled(
    rf"\s*(?:(?:make it|to|just|only|it's|at|by|改成|改为|改|要|就|到|是)\s*)*{NUM}\s*(?:个|台|副本|replicas|pods)*\W*"
)
_SAID_AFRESH: Final = compiled(
    r"(?:N|\b(?:it|them|that|this|now|yet|please|pls|either|then)\b|它们?|了|吧|先|一下|\W)*"
)
_VERBS: Final = {
    "scale": compiled("[扩缩]"),
    "restart": compiled("重启"),
    "rollback": compiled("回滚"),
    "drain": compiled("排空"),
    "cordon": compiled("封"),
}
"""Verbs that say which of the requests before is taken back."""


def taken_back(said: Split, index: int, requests: list[Request]) -> list[Request]:
    """Those of the requests so far that a clause takes back: the last one, with those of the same kind before it."""
    clause = said.clauses[index]
    if not requests:
        return []
    text = said.text(clause)
    later = said.clauses[index + 1] if index + 1 < len(said.clauses) else None
    if later is not None and _A_NUMBER.fullmatch(said.text(later)):
        return []
    intent = requests[-1].intent
    if _REVOKED.match(text):
        verbs = (one for one, verb in _VERBS.items() if verb.search(text))
        intent = next((one for one in verbs if any(request.intent == one for request in requests)), intent)
    elif requests[-1].dangerous and not clause.names and _RATHER.match(text):
        other = any(mark.dangerous and mark.intent != requests[-1].intent for mark in clause.marks)
        return requests[-1:] if other else []
    elif clause.names:
        return requests[-1:] if any(mark.dangerous for mark in clause.marks) and _SLIP_LEADS.match(text) else []
    elif later and later.names and not later.marks and _MILD.fullmatch(text):
        return requests[-1:] if requests[-1].dangerous else []
    elif _SLIP.fullmatch(text) and (requests[-1].dangerous or (later and later.names and not later.marks)):
        goes_on = later is not None and (later.names or later.marks)
        return requests[-1:] if goes_on or _SURELY_SLIP.search(text) else []
    else:
        return []
    return [request for request in requests if request.intent == intent]


def is_slip(said: Split, clause: Clause) -> bool:
    """Whether a clause says that what stood before it was said by mistake."""
    text = said.text(clause)
    return not clause.names and (_SLIP.fullmatch(text) or _MILD.fullmatch(text)) is not None


def meant_instead(said: Split, clause: Clause, slipped: Request | None, last: Request | None) -> Request | None:
    """The order that a clause says the right name for, behind a slip or as one ("restart web, no i mean mailer"): the
    one that `slipped`, else the `last`."""
    order = slipped or last
    if order is None or not order.dangerous or clause.marks or _MEANT.fullmatch(said.text(clause)) is None:
        return None
    if order.name is None or same(order.name, clause.names[0]):
        return None
    return order


def wanted_instead(said: Split, index: int) -> list[Request] | None:
    """The order that the clause before denied of another name, which this one is to have ("web 不用重启，api 要")."""
    clause = said.clauses[index]
    before = said.clauses[index - 1] if index else None
    if before is None or not clause.names or clause.marks or _WANTED.fullmatch(said.text(clause)) is None:
        return None
    refused = _REFUSED.search(said.text(before)) is not None
    denied = (mark for mark in before.marks if mark.dangerous and _is_denied(said, before, mark, refused=refused))
    mark = next((mark for mark in denied if mark.intent in _WITHOUT_VALUE), None)
    if mark is None or any(same(name, clause.names[0]) for name in before.names):
        return None
    slots: dict[str, SlotValue] = {}
    add_named_slots(mark.intent, slots, clause.names[0])
    return [Request(mark.intent, slots, clause.names[0], start=clause.start)]


def _is_denied(said: Split, clause: Clause, mark: Mark, *, refused: bool) -> bool:
    found = standing(said, clause, mark)
    return found == "denied" or (refused and found == "told")


def forbidden_after(said: Split, clause: Clause, mark: Mark, requests: list[Request]) -> list[Request]:
    """Requests that a clause forbids again, of the same name or of none, with nothing added ("don't restart it")."""
    if _SAID_AFRESH.fullmatch(said.masked, mark.end, clause.end) is None:
        return []
    return [
        request
        for request in requests
        if request.intent == mark.intent
        and (not clause.names or (request.name is not None and any(same(request.name, one) for one in clause.names)))
    ]


def without(requests: list[Request], dropped: list[Request]) -> list[Request]:
    """The requests less those that are dropped."""
    return [request for request in requests if not any(request is one for one in dropped)]
