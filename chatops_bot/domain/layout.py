"""Cards as lines of text, for platforms that show a table as code."""

from __future__ import annotations

import unicodedata

CELL_WIDTH = 80


def table_lines(rows: tuple[tuple[str, ...], ...]) -> list[str]:
    """Rows as lines of aligned columns, Chinese characters counted as two columns wide."""
    cells = [[_cell(cell) for cell in row] for row in rows]
    columns = max((len(row) for row in cells), default=0)
    widths = [max((_width(row[place]) for row in cells if place < len(row)), default=0) for place in range(columns)]
    return [
        "  ".join(cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=False)).rstrip()
        for row in cells
    ]


def _cell(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= CELL_WIDTH else line[: CELL_WIDTH - 1] + "…"


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)
