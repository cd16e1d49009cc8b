"""What became of one row, in a form that is the same for rows of every kind."""

from __future__ import annotations

import msgspec

Slots = dict[str, str]
"""Values as they are labelled, by the name of their slot."""


class Judged(msgspec.Struct, frozen=True, omit_defaults=True):
    """One row, posed once.

    - `where` is its line, or its turn; `label` what it is labelled with, `understood` the label that comes nearest to
      what was understood.
    - `right`: as labelled; a confirmation also where it is answered with what would execute it. `harmless`: nothing may
      be executed because of it, so that it counts among those that could be executed falsely; `executed`: something
      was, or would have been.
    - `confirmed`: both keys of a confirmation turned, whether or not anything was executed then.
    - `wanted` and `found` are the slots that it says and those that were taken, None where slots are not compared.
    - `marks` are what else is counted of its kind.
    - `seconds` and `tokens` are those of each call of the interpreter.
    """

    where: str
    lang: str
    label: str
    understood: str
    right: bool
    text: str
    harmless: bool = True
    executed: bool = False
    confirmed: bool = False
    wanted: Slots | None = None
    found: Slots | None = None
    marks: frozenset[str] = frozenset()
    seconds: tuple[float, ...] = ()
    tokens: tuple[int, ...] = ()

    @property
    def false(self) -> bool:
        """Whether it was confirmed, or something executed, that should not have been."""
        return self.harmless and (self.executed or self.confirmed)
