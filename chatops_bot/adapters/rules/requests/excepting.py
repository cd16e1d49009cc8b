"""What an order leaves out: "restart everything except checkout", "回滚除收银台以外的所有服务", "restart web everywhere
but prod". No order is given for all but one, and none where it is not wanted: what leaves something out is done
to nothing of what it leaves out, and where nothing else is left it is none."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from chatops_bot.adapters.rules.text.reading import Reading
from chatops_bot.adapters.rules.values.slots import environment, places_left_out
from chatops_bot.domain.intents import Request
from chatops_bot.domain.places import environment_of_entity

_X: Final = r"[\ue000\ue001]"
_ALL: Final = r"\b(?:all|every(?:thing|one|body)?|any(?:thing|one)?|each|the (?:rest|others?|lot|whole))\b"
_KINDS: Final = r"\b(?:services|nodes|deployments|apps|pods|rollouts|releases)"
_EXCEPT: Final = (
    r"\b(?:except(?:ing|ed)?(?: for)?|besides|other than|apart from|aside from|excluding|exclud(?:e|es)|"
    r"with(?: the)? exception of|save(?: for)?|barring|leaving out)"
)
_BUT: Final = r"\b(?:bar|minus|sans|but(?: (?:for|not))?)"
_THE: Final = r"\s+(?:(?:the|service|services|node|nodes|on|in|to|of|deployment|deploy)\s+)*"
_LEFT_OUT: Final = re.compile(
    rf"{_ALL}[^.;!?\n]{{0,60}}?(?:{_EXCEPT}|{_BUT}){_THE}{_X}|{_KINDS}[ ,]{{1,3}}(?:{_EXCEPT}){_THE}{_X}|"
    rf"\b(?:everything|everyone|all(?: (?:the )?\w+)?),? not{_THE}{_X}|"
    rf"\b(?:except(?:ing)?(?: for)?|excluding|apart from|aside from|with the exception of){_THE}{_X}|"
    rf"(?:所有|全部|全|都|其他|其它|其余|别的|剩下)[^;!?\n]{{0,30}}?(?:除了?|除去|除开|不算|不包括|不包含|不含|排除|"
    rf"去掉|刨去|抛开)\s*{_X}|"
    rf"(?<![排解删清移])除(?:了|去|开|却|掉)?\s*{_X}[^;!?\n]{{0,30}}?(?:都|全|所有|其他|其它|其余|别的|剩下|外)|"
    rf"(?:不算|不包括|不包含|不含|排除|刨去|抛开)(?:掉|了)?\s*{_X}|"
    rf"{_X}\s*(?:服务|节点|应用)?(?:之外|以外|除外)|{_X}\s+(?:excluded|excepted|aside)\b"
)
_BESIDES: Final = re.compile(
    rf"(?<![排解删清移])除(?:了|去|开|却)?\s*{_X}+[^;!?\n都全所其别剩]{{0,20}}?(?:还|也|再)", re.ASCII
)
"""Adds something to what is named first, and leaves nothing out."""


def leaves_out(masked: str) -> bool:
    """Whether a text is about all but something that it names."""
    return _LEFT_OUT.search(masked) is not None and _BESIDES.search(masked) is None


def spared(requests: list[Request], reading: Reading) -> list[Request]:
    """The requests without orders for what the text leaves out: of a name in several places those that are left."""
    if not any(request.dangerous for request in requests):
        return requests
    if leaves_out(reading.masked):
        return [request for request in requests if not request.dangerous]
    out = places_left_out(reading.masked)
    kept = (_elsewhere(request, out) if out and request.dangerous else request for request in requests)
    return [request for request in kept if request is not None]


def _elsewhere(request: Request, out: frozenset[str]) -> Request | None:
    """An order where it is wanted; None where it is wanted nowhere that is known."""
    if request.name is None:
        return request if request.slots.get("environment") else None
    if not request.name.matches:
        return request
    left = tuple(one for one in request.name.matches if environment_of_entity(one.entity) not in out)
    if len(left) == len(request.name.matches):
        return request
    return msgspec.structs.replace(request, name=msgspec.structs.replace(request.name, matches=left)) if left else None


def not_here(reading: Reading, own: frozenset[str]) -> bool:
    """Whether a text leaves out the place of what waits, and says no other one."""
    return bool(places_left_out(reading.masked) & own) and environment(reading.masked, reading.text) is None
