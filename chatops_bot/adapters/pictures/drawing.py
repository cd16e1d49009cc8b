"""Charts drawn by matplotlib's objects alone: `pyplot` keeps every figure and the state of all in the process.

Read on a phone: 380 points wide, so letters are large, lines thick, and a chart has few marks on its axes. Colours are
those of Okabe and Ito, which people who see fewer colours can tell apart; lines differ in their dashes too.
"""

from __future__ import annotations

import io
import math
import unicodedata
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo

from matplotlib import font_manager
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.dates import AutoDateLocator, DateFormatter, date2num
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.ticker import FuncFormatter, MaxNLocator, MultipleLocator

from chatops_bot.domain.cards import Picture
from chatops_bot.domain.charts import Caption, Chart, Threshold, Unit, amount
from chatops_bot.domain.intents import Language
from chatops_bot.domain.normalise import has_chinese
from chatops_bot.domain.texts import render

WIDTH: Final = 7.6
HEIGHT: Final = 3.3
"""Inches of one chart, at `DPI`: 1,064 pixels wide, nearly three for each point of a phone."""
ROW: Final = 0.25
"""What each row of names below it adds."""
DPI: Final = 140

SIZE: Final = 15.0
SMALL: Final = 12.5
COLOURS: Final = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#8C564B", "#666666", "#B8A500")
DASHES: Final = ("-", "-", "-", "-", (0, (5, 1.5)), (0, (5, 1.5)), (0, (2, 1.2)), (0, (2, 1.2)))
LIMIT: Final = "#D55E00"
INK: Final = "#222222"
GRID: Final = "#DDDDDD"
_CHINESE: Final = (
    "Noto Sans CJK SC",
    "Source Han Sans SC",
    "Source Han Sans CN",
    "Noto Sans SC",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "PingFang SC",
    "Microsoft YaHei",
    "SimHei",
    "Droid Sans Fallback",
)
_NAME: Final = 40
_TITLE: Final = 52
_LINE: Final = 60
"""Columns: of a line's name, of a title, and of all names in a row."""
_SAME: Final = 4
"""What names have in common is left out from so many letters on."""
_BACKGROUND: Final = {"facecolor": "white", "edgecolor": "none", "alpha": 0.75, "pad": 1.5}


def draw(picture: Picture, language: Language, *, zone: ZoneInfo) -> bytes:
    """The PNG of a picture. Without a font for Chinese, what the bot says on it is in English."""
    fonts = families()
    chinese = len(fonts) > 1
    captions = picture.captions if chinese or language == "en" else tuple(_english(chart) for chart in picture.charts)
    heights = [HEIGHT + ROW * -(-len(chart.series) // _columns(chart)) for chart in picture.charts]
    figure = Figure(figsize=(WIDTH, sum(heights)), dpi=DPI, facecolor="white", layout="constrained")
    FigureCanvasAgg(figure)
    rows = figure.subplots(len(picture.charts), 1, squeeze=False, height_ratios=heights)
    for place, (chart, caption) in enumerate(zip(picture.charts, captions, strict=True)):
        _chart(rows[place][0], chart, caption, zone=zone, fonts=fonts)
    out = io.BytesIO()
    figure.savefig(out, format="png", metadata={"Software": None})
    return out.getvalue()


@cache
def families() -> tuple[str, ...]:
    """Fonts in the order in which a letter is looked for: matplotlib's own, then one for Chinese where there is one."""
    known = {entry.name for entry in font_manager.fontManager.ttflist}
    return ("DejaVu Sans", *[name for name in _CHINESE if name in known][:1])


def _english(chart: Chart) -> Caption:
    return Caption(
        title=render(chart.title, "en"),
        line="",
        thresholds=tuple(render(threshold.label, "en") for threshold in chart.thresholds),
        marks=tuple(render(mark.label, "en") for mark in chart.marks),
    )


def _chart(axes: Axes, chart: Chart, caption: Caption, *, zone: ZoneInfo, fonts: Sequence[str]) -> None:
    def font(size: float, *, bold: bool = False) -> FontProperties:
        return FontProperties(family=list(fonts), size=size, weight="bold" if bold else "normal")

    times = [_day(chart.start + place * chart.step) for place in range(chart.length)]
    names = _names(chart)
    for place, line in enumerate(chart.series):
        values = [value if value is not None else float("nan") for value in line.values]
        lone = [value for value in line.values if value is not None]
        axes.plot(
            times,
            values,
            color=COLOURS[place],
            linestyle=DASHES[place],
            linewidth=2.4,
            marker="o" if len(lone) == 1 else None,
            label=names[place],
        )
    _levels(axes, chart, caption, font=font)
    _happenings(axes, chart, caption, font=font)
    _frame(axes, chart, zone=zone, font=font)
    title = _plain(_cut(" ".join((caption.title, *_unseen(chart, caption))), _TITLE))
    axes.set_title(title, loc="left", fontproperties=font(SIZE, bold=not has_chinese(title)))
    if any(names):
        if chart.left_out:
            axes.plot([], [], " ", label=f"+ {chart.left_out}")
        axes.legend(
            loc="upper left",
            bbox_to_anchor=(0, -0.14),
            ncols=_columns(chart),
            frameon=False,
            prop=font(SMALL),
            handlelength=1.6,
            borderaxespad=0,
        )


def _levels(axes: Axes, chart: Chart, caption: Caption, *, font: Callable[..., FontProperties]) -> None:
    top = _range(chart)[1]
    for threshold, label in zip(chart.thresholds, caption.thresholds, strict=True):
        if threshold.value > top:
            continue
        axes.axhline(threshold.value, color=LIMIT, linestyle=(0, (6, 3)), linewidth=2)
        said = axes.annotate(
            _plain(_level(chart, threshold, label)),
            xy=(1, threshold.value),
            xycoords=("axes fraction", "data"),
            xytext=(-4, 4),
            textcoords="offset points",
            ha="right",
            va="bottom",
            color=LIMIT,
            fontproperties=font(SMALL),
            bbox=_BACKGROUND,
        )
        said.set_in_layout(False)  # it lies inside, and has no say in how large that is


def _unseen(chart: Chart, caption: Caption) -> list[str]:
    """Levels so far above all values that they are said beside the title."""
    top = _range(chart)[1]
    return [
        f"({_level(chart, threshold, label)})"
        for threshold, label in zip(chart.thresholds, caption.thresholds, strict=True)
        if threshold.value > top
    ]


def _level(chart: Chart, threshold: Threshold, label: str) -> str:
    """A label that says its own value is not followed by it again."""
    return label if threshold.label.args else f"{label} {amount(threshold.value, chart.unit)}"


def _happenings(axes: Axes, chart: Chart, caption: Caption, *, font: Callable[..., FontProperties]) -> None:
    for mark, label in zip(chart.marks, caption.marks, strict=True):
        late = mark.at > (chart.start + chart.end) / 2
        axes.axvline(_day(mark.at), color=INK, linestyle=":", linewidth=1.8)
        said = axes.annotate(
            _plain(label),
            xy=(_day(mark.at), 1),
            xycoords=("data", "axes fraction"),
            xytext=(-4 if late else 4, -4),
            textcoords="offset points",
            ha="right" if late else "left",
            va="top",
            color=INK,
            fontproperties=font(SMALL),
            bbox=_BACKGROUND,
        )
        said.set_in_layout(False)  # it lies inside, and has no say in how large that is


def _frame(axes: Axes, chart: Chart, *, zone: ZoneInfo, font: Callable[..., FontProperties]) -> None:
    low, high = _range(chart)
    axes.set_ylim(low, high)
    axes.set_xlim(_day(chart.start), _day(max(chart.end, chart.start + 1000)))
    if chart.unit == "bytes":
        axes.yaxis.set_major_locator(MultipleLocator(2.0 ** math.ceil(math.log2(max(high - low, 4) / 5))))
    else:
        axes.yaxis.set_major_locator(MaxNLocator(nbins=4, integer=chart.unit == "count"))
    axes.yaxis.set_major_formatter(FuncFormatter(_formatter(chart.unit)))
    axes.xaxis.set_major_locator(AutoDateLocator(tz=zone, minticks=3, maxticks=5))
    days = chart.end - chart.start > 36 * 3_600_000
    axes.xaxis.set_major_formatter(DateFormatter("%m-%d" if days else "%H:%M", tz=zone))
    axes.annotate(
        zone.key,
        xy=(1, 1),
        xycoords="axes fraction",
        xytext=(0, 7),
        textcoords="offset points",
        ha="right",
        va="bottom",
        color="#555555",
        fontproperties=font(SMALL),
    )
    axes.grid(axis="y", color=GRID, linewidth=1)
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.tick_params(length=0, colors=INK)
    for tick in (*axes.get_xticklabels(), *axes.get_yticklabels()):
        tick.set_fontproperties(font(SMALL))


def _range(chart: Chart) -> tuple[float, float]:
    """From nothing (or below) to a little above the highest line; a limit far above is not worth flattening it."""
    values = [value for line in chart.series for value in line.values if value is not None] or [0.0]
    top, bottom = max(values), min(0.0, *values)
    levels = [threshold.value for threshold in chart.thresholds]
    seen = [level for level in levels if level <= max(top * 4, 0) or top <= 0]
    high, low = max([top, *seen]), min([bottom, *levels])
    if high <= low:
        high = low + 1
    return low, high + (high - low) * 0.18


def _formatter(unit: Unit) -> Callable[[float, float], str]:
    return lambda value, _: amount(value, unit)


def _day(moment: int) -> float:
    return float(date2num(datetime.fromtimestamp(moment / 1000, UTC)))


def _names(chart: Chart) -> list[str]:
    """Names of the lines without what all of them begin with, which says nothing: pods differ by their ends."""
    names = [line.name for line in chart.series]
    parts = [name.split("-") for name in names]
    alike = 0
    while len(names) > 1 and len({tuple(part[: alike + 1]) for part in parts}) == 1 and alike < len(parts[0]) - 1:
        alike += 1
    same = len("-".join(parts[0][:alike])) + 1 if alike else 0
    return [_plain(_cut(f"…{name[same - 1 :]}" if same > _SAME else name, _NAME)) for name in names]


def _columns(chart: Chart) -> int:
    """Names side by side, as many as the longest lets."""
    longest = max((_wide(name) for name in _names(chart)), default=0)
    return next((count for count in (4, 3, 2) if count <= len(chart.series) and (longest + 6) * count <= _LINE), 1)


def _wide(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def _cut(text: str, limit: int) -> str:
    """The end gives way; Chinese letters are two columns wide."""
    if _wide(text) <= limit:
        return text
    kept = ""
    for letter in text:
        if _wide(kept) + _wide(letter) >= limit:
            break
        kept += letter
    return kept + "…"


def _plain(text: str) -> str:
    """Text in which matplotlib reads no formula, and which fits one line; a legend passes over names with `_` first."""
    line = " ".join(text.replace("$", r"\$").split())
    return f" {line}" if line.startswith("_") else line
