"""What a report's card is made of: its findings with what they rest on, and the buttons that fit what was found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Final

import msgspec

from chatops_bot.domain.actions.registry import ACTIONS
from chatops_bot.domain.cards import Block, Button, Code, Note, Table, Text
from chatops_bot.domain.dialogue.button_values import carried
from chatops_bot.domain.dialogue.called import labels
from chatops_bot.domain.dialogue.pictures import pictures
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.intents import Language, Quantity, SlotValue
from chatops_bot.domain.objects import listed
from chatops_bot.domain.offers import Offer
from chatops_bot.domain.reports import Cited, Detail, Report
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.texts import render, word
from chatops_bot.domain.world import World

RUNBOOKS_SHOWN: Final = 2
TITLE: Final = 40
"""Characters of a runbook's title on its button."""
_USUAL: Final = ("restart", "scale")
"""Offered where nothing better fits."""


def fitted(report: Report, world: World) -> Report:
    """The report with the runbooks that are about it, and without what cannot be offered: actions that its kind does
    not have, targets that nobody knows here."""
    entity = report.entity
    if entity is None:
        return report
    offers = tuple(offer for offer in report.offers if _possible(offer, entity, world))
    return msgspec.structs.replace(report, offers=offers, runbooks=report.runbooks or _runbooks(report, entity, world))


def named(report: Report, names: Mapping[str, str]) -> Report:
    """With the names of people in the place of their accounts, where they are known."""
    if not names or report.kind not in ("history", "changes"):
        return report
    table = tuple(tuple(names.get(cell) or cell for cell in row) for row in report.table)
    args = {key: names.get(str(value)) or value for key, value in report.headline.args.items()}
    return msgspec.structs.replace(report, table=table, headline=Say(report.headline.key, args))


def _possible(offer: Offer, entity: Entity, world: World) -> bool:
    action = ACTIONS.get(offer.action)
    target = entity
    if offer.entity:
        service = world.by_key(offer.entity)
        if service is None:
            return False
        target = service.entity
    return action is not None and target.kind in action.kinds


def _runbooks(report: Report, entity: Entity, world: World) -> tuple[Cited, ...]:
    """Those of the symptoms, the service's own first among them; of a healthy service none."""
    service = world.by_key(entity.key)
    listed_ones = (world.runbooks.by_id(id_) for id_ in (service.runbooks if service else ()))
    own = {one.id for one in (*listed_ones, *world.runbooks.for_service(entity.name)) if one is not None}
    found = sorted(world.runbooks.for_symptoms(report.codes), key=lambda one: one.id not in own)
    return tuple(Cited(id=one.id, titles={"zh": one.title.zh, "en": one.title.en}) for one in found[:RUNBOOKS_SHOWN])


def report_blocks(report: Report, language: Language) -> Iterator[Block]:
    """The verdict, the findings with their evidence in small print and what is likely behind them, the facts, the
    table, the charts, what others wrote, and last what could not be read."""
    if report.worded:
        yield from (Text(render(line, language)) for line in report.worded)
        yield Note(render(say("model.worded"), language))
    yield Text(render(report.headline, language), strong=True)
    if report.applied:
        yield Note(" · ".join(render(line, language) for line in report.applied))
    for line, detail in zip(report.lines, report.details, strict=False):
        yield Text(render(line, language))
        yield from _detail(detail, language)
    for number, row in enumerate(report.rows, 1):
        yield Text(f"{number}. {render(row.line, language)}")
    facts = report.lines[len(report.details) :]
    if report.kind == "status" and report.table:  # of a diagnosis they are what stands around the verdict
        yield from (Note(render(line, language)) for line in facts)
    else:
        yield from (Text(render(line, language)) for line in facts)
    if report.looked:
        yield Note(_looked(report.looked, language))
    if report.table:
        yield Table((tuple(_cell(cell, language) for cell in report.table[0]), *report.table[1:]))
    yield from pictures(report.charts, language)
    if report.code:
        yield Code(report.code)
    yield from (Note("⚠ " + render(line, language)) for line in report.unread)


def _looked(looked: tuple[Say, ...], language: Language) -> str:
    count, *things = (render(one, language) for one in looked)
    return count + ("、" if language == "zh" else ", ").join(things)


def _detail(detail: Detail, language: Language) -> Iterator[Block]:
    if detail.causes:
        causes = "; ".join(render(cause, language) for cause in detail.causes)
        yield Text(render(say("report.likely", causes=causes), language))
    if detail.evidence:
        yield Note("\n".join(detail.evidence))


def _cell(key: str, language: Language) -> str:
    try:
        return render(Say(key), language)
    except KeyError:
        return key


def as_of(report: Report) -> str:
    """When it was read, in UTC."""
    return datetime.fromtimestamp(report.at / 1000, UTC).strftime("%m-%d %H:%M:%S")


def report_buttons(report: Report, language: Language, *, card: str = "") -> tuple[Button, ...]:
    """What fits first, then what helps to look further. `card` is the one that they stand on, to be drawn again by
    `refresh`. They are few: six is all that WeCom shows, and the last give way."""
    entity = report.entity
    if report.kind == "overview":
        return tuple(_overview_buttons(report, language, card))
    if entity is None or report.kind == "runbook":
        return tuple(_runbook_buttons(report.runbooks, language))
    offered = [_offer_button(offer, entity, language) for offer in report.offers]
    looks = [name for name in _readable(entity) if name != report.kind or report.slots]
    if report.kind != "status" or report.slots:
        looks.append("diagnose")
    beside = {"card": card} if card else {}
    refresh = f"{report.kind} {carried({**report.slots, **beside}, entity.key)}"
    usual = [name for name in _USUAL if entity.kind in ACTIONS[name].kinds and not offered]
    if report.headline.key == "status.zero":  # there is nothing to restart
        usual = [name for name in usual if name != "restart"]
    return (
        *offered,
        *(_plain(name, entity.key, language) for name in looks[:1]),
        *_runbook_buttons(report.runbooks[: 1 if len(offered) > 1 else RUNBOOKS_SHOWN], language),
        *(_plain(name, entity.key, language) for name in looks[1:]),
        _plain("refresh", refresh, language),
        *(_plain(name, entity.key, language) for name in usual),
        _plain("hand_off", entity.key, language),
        *_thumbs(report, language, card),
    )


def _thumbs(report: Report, language: Language, card: str) -> Iterator[Button]:
    """Whether a diagnosis helped, asked last."""
    if report.kind == "status" and card and not report.slots:
        for name in ("helpful", "unhelpful"):
            yield _plain(name, f"{card} {thumbed(report)}", language)


def thumbed(report: Report) -> str:
    """What tells a thumb's answer from later ones on the same card."""
    return f"{report.kind} {report.at}"


def _overview_buttons(report: Report, language: Language, card: str) -> Iterator[Button]:
    """One a row, and to look again."""
    for name, entity in labels(tuple(row.entity for row in report.rows)).items():
        yield Button(f"open:{name}", name, value=f"{language} {entity.key}")
    beside = {"card": card} if card else {}
    yield _plain("refresh", f"{report.kind} {carried({**report.slots, **beside}, '-')}", language)


def _readable(entity: Entity) -> tuple[str, ...]:
    return ("events",) if entity.kind == "Node" else ("logs", "events")


def _plain(name: str, value: str, language: Language) -> Button:
    return Button(name, word(f"button.{name}", language), value=value)


def _runbook_buttons(cited: Iterable[Cited], language: Language) -> Iterator[Button]:
    for one in cited:
        title = one.titles.get(language) or one.id
        shown = title if len(title) <= TITLE else title[: TITLE - 1] + "…"
        yield Button("runbook", render(say("button.runbook", title=shown), language), value=one.id)


def _offer_button(offer: Offer, entity: Entity, language: Language) -> Button:
    slots = {name: _as_said(name, value) for name, value in offer.slots.items()}
    return Button(offer.action, offer_label(offer, language), value=carried(slots, offer.entity or entity.key))


def _as_said(slot: str, value: SlotValue) -> SlotValue:
    """Replicas are said as a quantity, and not taken for anything else."""
    return Quantity("to", value) if slot == "replicas" and isinstance(value, int) else value


def offer_label(offer: Offer, language: Language) -> str:
    """What the button does, with the value that it carries, and its target where that is another than the card's."""
    text = render(_offer_say(offer), language)
    rest = {name: value for name, value in offer.slots.items() if name in ("image", "container")}
    if rest:
        text = f"{text} {listed(str(value).rpartition('/')[2] for value in rest.values())}"
    name = offer.entity.rpartition("/")[2]
    return f"{text} {name}" if name else text


def _offer_say(offer: Offer) -> Say:
    slots = offer.slots
    if offer.action == "rollback" and "revision" in slots:
        return say("offer.rollback_to", revision=str(slots["revision"]))
    if offer.action == "delete_pod" and "pod" in slots:
        return say("offer.delete_pod_named", pod=str(slots["pod"]))
    if offer.action == "set_autoscaler" and {"min", "max"} <= slots.keys():
        return say("button.range", min=str(slots["min"]), max=str(slots["max"]))
    replicas = slots.get("replicas")
    if offer.action == "scale" and isinstance(replicas, Quantity):
        key = "offer.scale_by" if replicas.kind == "by" else "offer.scale_to"
        shown = f"{replicas.value:+g}" if replicas.kind == "by" else f"{replicas.value:g}"
        return say(key, replicas=shown)
    if offer.action == "scale" and replicas is not None:
        return say("offer.scale_to", replicas=str(replicas))
    return say(f"offer.{offer.action}")
