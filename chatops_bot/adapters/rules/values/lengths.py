"""How far back from now something is looked at, as a length of time: "last 10 minutes", "an hour and a half",
"最近半小时"."""

from __future__ import annotations

import re
from typing import Final

from chatops_bot.adapters.rules.text.numbers import NUM, is_number, number
from chatops_bot.adapters.rules.text.patterns import compiled

_SECONDS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
_CHINESE_SECONDS: Final = {"秒": 1, "分": 60, "刻": 900, "小": 3600, "钟": 3600, "天": 86400, "日": 86400, "周": 604800}

_SINCE = compiled(
    rf"(?:last|past|previous|recent|since|within|for|(?:going|reaching|looking) back|--since=|in the (?:last|past))\s*"
    rf"(?:the )?(?P<n>{NUM}|an?|"
    rf"half an|few)?\s*"
    r"(?P<u>s(?:ec(?:ond)?s?)?|m(?:in(?:ute)?s?)?|h(?:(?:ou)?rs?)?|d(?:ays?)?|w(?:eeks?)?)\b(?! of lines)"
    rf"|(?<![\w.:/-])(?P<n3>\d{{1,3}}) ?(?P<u3>mins?|hrs?|[mhd])(?=\W*$)"
    rf"|(?P<n2>{NUM}|an?|half an) ?(?P<u2>sec(?:ond)?s?|min(?:ute)?s?|h(?:(?:ou)?rs?)?|days?|weeks?|m|d) (?:ago|back)\b"
    rf"|(?P<n4>{NUM}|an?|half an) ?(?P<u4>sec(?:ond)?s?|min(?:ute)?s?|h(?:(?:ou)?rs?)?|days?|weeks?) (?:worth )?of\b"
    rf"(?= (?:the |its |\ue000+(?:'s)? )*(?:error |recent |pod )?(?:logs?|events?|lines|output|errors)\b)"
)
_SINCE_PARTS = compiled(
    rf"\b(?P<q>three[ -]|3 ?)?quarters?(?: of)?(?: an)?[ -]hour|"
    rf"(?<![\w.:/-])(?:(?P<n>{NUM}|an?) (?P<u>hour|day)s? and a (?P<h>half|quarter)(?! of an)|"
    rf"(?P<n2>{NUM}) and a (?P<h2>half|quarter) (?P<u2>hour|day)s?)(?![a-z])|"
    rf"(?P<n3>{NUM})\s?(?:个半\s?(?:小时|钟头)|小时半)"
)
"""A length said with a part of its unit: "three quarters of an hour", "an hour and a half", "一个半小时"."""
_SINCE_HALF = re.compile(r"\b(?:last |past )?half (?:an )?hour|(?<!个)半个?(?:小时|钟头)|30\s?min")
_SINCE_CHINESE = re.compile(
    rf"(?:(?:最近|过去|近|这|往?前(?:推|数|倒|看)?|倒推|刚才|之前)\s*(?P<n>{NUM}|几)\s*个?(?P<h>半)?|"
    rf"(?P<n2>{NUM})\s*个?(?P<h2>半)?(?=\s*(?:秒钟?|分钟?|刻钟?|小时|钟头|天|日|周)(?:之?[内前]|以[内来])))"
    r"\s*(?P<u>秒|分|刻|小时|钟头|天|日|周)"
)
_TODAY = re.compile(r"\btoday\b|今天|今日")


def since(masked: str, _text: str) -> int | None:
    """Seconds back from now: "last 10 minutes", "最近半小时"."""
    found = _SINCE_PARTS.search(masked)
    if found is not None:
        return _in_parts(found)
    if _SINCE_HALF.search(masked):
        return 1800
    found = _SINCE.search(masked)
    if found is not None:
        said = found.group("n") or found.group("n2") or found.group("n3") or found.group("n4") or "a"
        unit = (found.group("u") or found.group("u2") or found.group("u3") or found.group("u4"))[0]
        return int(_amount(said) * _SECONDS[unit])
    found = _SINCE_CHINESE.search(masked)
    if found is not None:
        half = 0.5 if found.group("h") or found.group("h2") else 0.0
        return int((_amount(found.group("n") or found.group("n2")) + half) * _CHINESE_SECONDS[found.group("u")[0]])
    return 86400 if _TODAY.search(masked) else None


def _in_parts(found: re.Match[str]) -> int:
    if found["n3"]:
        return int((number(found["n3"]) + 0.5) * 3600)
    said, part = found["n"] or found["n2"], found["h"] or found["h2"]
    if part is None:
        return 2700 if found["q"] else 900
    amount = _amount(said) + (0.5 if part == "half" else 0.25)
    return int(amount * _SECONDS[(found["u"] or found["u2"])[0]])


def _amount(said: str) -> float:
    if said in ("few", "几"):
        return 5
    if said.startswith("half"):
        return 0.5
    return number(said) if is_number(said) else 1
