"""Every sentence the bot says, in Chinese and English, in one place; chosen by the reader's language.

A table maps a key to `(zh, en)`; fields in braces are filled from a `Say`'s arguments. An argument may be
a key itself where a template names a word (an action, an environment): such words are rendered first.
"""

from __future__ import annotations

import re
from typing import Final

from chatops_bot.domain.intents import Language
from chatops_bot.domain.say import Say
from chatops_bot.domain.texts import (
    alerts,
    approvals,
    audit,
    charts,
    cluster,
    confirming,
    correcting,
    dialogue,
    flows,
    handing,
    incidents,
    linking,
    memory,
    model,
    overview,
    platform,
    policy,
    runbooks,
    settling,
    silencing,
    subscribing,
    undoing,
    walking,
    words,
)

TEXTS: dict[str, tuple[str, str]] = {
    **words.TEXTS,
    **dialogue.TEXTS,
    **confirming.TEXTS,
    **correcting.TEXTS,
    **flows.TEXTS,
    **flows.WORDS,
    **undoing.TEXTS,
    **handing.TEXTS,
    **subscribing.TEXTS,
    **incidents.TEXTS,
    **linking.TEXTS,
    **cluster.TEXTS,
    **overview.TEXTS,
    **overview.WORDS,
    **policy.TEXTS,
    **approvals.TEXTS,
    **alerts.TEXTS,
    **platform.TEXTS,
    **charts.TEXTS,
    **runbooks.TEXTS,
    **walking.TEXTS,
    **audit.TEXTS,
    **settling.TEXTS,
    **silencing.TEXTS,
    **settling.WORDS,
    **memory.TEXTS,
    **memory.WORDS,
    **model.TEXTS,
}


def render(said: Say, language: Language) -> str:
    """The sentence in one language. Arguments that are keys of words are rendered too.

    Raises `KeyError` for an unknown key or a missing argument: a test renders every key.
    """
    place = 0 if language == "zh" else 1
    template = TEXTS[said.key][place]
    if not said.args:
        return template
    filled = {name: _word(value, place) if isinstance(value, str) else value for name, value in said.args.items()}
    for name in _SPANS & filled.keys() if language == "zh" else ():
        span = _chinese_span(str(filled[name]))
        if span:
            filled[name], template = span, template.replace(f"{{{name}}} ", f"{{{name}}}")
    return template.format(**filled)


def renders(said: Say) -> bool:
    """Whether this version has words for it: what is stored may have been written by a newer one."""
    try:
        render(said, "en")
    except (KeyError, IndexError, ValueError):
        return False
    return True


_SPANS: Final = frozenset({"ago", "span", "after"})
"""Arguments that may be durations as kubectl writes them ("3h10m")."""

_SPAN: Final = re.compile(r"(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?", re.ASCII)


def _chinese_span(written: str) -> str:
    """A duration in Chinese, "" for what is none."""
    found = _SPAN.fullmatch(written)
    units = zip(found.groups(), ("天", "小时", "分钟", "秒"), strict=True) if found else ()
    return " ".join(f"{number} {unit}" for number, unit in units if number)


def word(key: str, language: Language) -> str:
    """A word of the `words` table, or the key itself where it is none (names, header cells of others)."""
    return _word(key, 0 if language == "zh" else 1)


def _word(key: str, place: int) -> str:
    known = next((table[key] for table in _WORDS if key in table), None)
    return known[place] if known else key


_WORDS: Final = (
    words.TEXTS,
    flows.WORDS,
    handing.WORDS,
    subscribing.WORDS,
    settling.WORDS,
    cluster.WORDS,
    incidents.WORDS,
    overview.WORDS,
    memory.WORDS,
)
