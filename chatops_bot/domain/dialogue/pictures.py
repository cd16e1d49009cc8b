"""Charts of a report as pictures of a card."""

from __future__ import annotations

from collections.abc import Sequence

from chatops_bot.domain.cards import Picture
from chatops_bot.domain.charts import Caption, Chart, amount, summary
from chatops_bot.domain.intents import Language
from chatops_bot.domain.say import say
from chatops_bot.domain.texts import render

CHARTS = 2
"""Of one picture: more cannot be read on a phone."""


def pictures(charts: Sequence[Chart], language: Language) -> tuple[Picture, ...]:
    """Pictures of at most two charts each, in order, with what is written on them."""
    return tuple(
        Picture(tuple(part), tuple(caption(chart, language) for chart in part))
        for part in (charts[start : start + CHARTS] for start in range(0, len(charts), CHARTS))
    )


def caption(chart: Chart, language: Language) -> Caption:
    """What is written on a chart, and the line that stands for it where it cannot be drawn."""
    title = render(chart.title, language)
    labels = tuple(render(threshold.label, language) for threshold in chart.thresholds)
    line = render(summary(chart, title=title), language)
    for threshold, label in zip(chart.thresholds, labels, strict=True):
        # A label that says its own value is not followed by it again.
        value = "" if threshold.label.args else amount(threshold.value, chart.unit)
        line = render(say("chart.line_limit", line=line, label=label, value=value), language).rstrip()
    if chart.left_out:
        line = render(say("chart.line_left_out", line=line, count=chart.left_out), language)
    return Caption(
        title=title, line=line, thresholds=labels, marks=tuple(render(mark.label, language) for mark in chart.marks)
    )
