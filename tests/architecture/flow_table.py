"""The table of flows as it stands in the docs; run as a program it writes it there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from chatops_bot.domain.flows import FLOWS, SLOTS, About
from chatops_bot.domain.intents import ACTIONS
from chatops_bot.domain.texts import word

DOCS: Final = Path(__file__).parents[2] / "docs" / "dialogue.md"
BEGIN: Final = "<!-- flows -->\n"
END: Final = "<!-- end of flows -->\n"
_ABOUT: Final[dict[About, str]] = {
    "service": "a service",
    "node": "a node",
    "any": "a service or a node",
    "maybe": "a service or a node, or nothing",
    "nothing": "–",
}


def table() -> str:
    """Both tables, in Markdown."""
    return "\n".join([*_intents(), "", *_slots(), ""])


def written() -> str:
    """What stands in the docs."""
    return DOCS.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0]


def _intents() -> Iterator[str]:
    yield "| intent | in words | about | slots |"
    yield "| --- | --- | --- | --- |"
    for name, form in FLOWS.items():
        group = "action" if name in ACTIONS else "intent"
        words = f"{word(f'{group}.{name}', 'en')} / {word(f'{group}.{name}', 'zh')}"
        slots = ", ".join(f"**`{slot}`**" if slot in form.required else f"`{slot}`" for slot in form.slots)
        yield f"| `{name}` | {words} | {_ABOUT[form.about]} | {slots or '–'} |"


def _slots() -> Iterator[str]:
    yield "| slot | in words | always offered |"
    yield "| --- | --- | --- |"
    for name, slot in SLOTS.items():
        words = f"{word(f'slot.{name}', 'en')} / {word(f'slot.{name}', 'zh')}"
        yield f"| `{name}` | {words} | {', '.join(f'`{choice}`' for choice in slot.choices) or '–'} |"


if __name__ == "__main__":
    text = DOCS.read_text(encoding="utf-8")
    head, _, rest = text.partition(BEGIN)
    DOCS.write_text(f"{head}{BEGIN}{table()}{END}{rest.partition(END)[2]}", encoding="utf-8")
