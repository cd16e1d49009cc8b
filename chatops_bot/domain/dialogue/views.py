"""The bot's cards, built from plans, reports and questions. Pure; the language is the reader's."""

from __future__ import annotations

from chatops_bot.domain.cards import Block, Button, Card, Fields, Note, Text, Tone
from chatops_bot.domain.dialogue.plan_lines import autoscaler_range_for, plan_lines
from chatops_bot.domain.dialogue.report_parts import as_of, report_blocks, report_buttons
from chatops_bot.domain.dialogue.turn import label
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.intents import Language
from chatops_bot.domain.plans import Plan
from chatops_bot.domain.reports import Report
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.session import Pending
from chatops_bot.domain.texts import render, word

SHOWN_CHOICES = 5
"""Buttons offered for one question: more cannot be told apart on a phone."""


def place(entity: Entity, language: Language) -> str:
    """Where it is, in words: environment, cluster, namespace."""
    environment = word(f"environment.{entity.environment}", language)
    if environment.startswith("environment."):
        environment = entity.environment
    parts = [environment, entity.cluster, entity.namespace]
    return " · ".join(part for part in parts if part)


def plan_card(
    pending: Pending,
    plan: Plan,
    language: Language,
    *,
    notes: tuple[Say, ...] = (),
    approvals: tuple[Say, ...] = (),
    now: int,
) -> Card:
    """The plan as it waits for a confirmation or for approvals: what, where, what it costs, and its buttons.
    `approvals` say how far these are."""
    high = plan.risk == "high"
    names = {"action": f"action.{plan.action}", "service": label(plan.entity)}
    lines = plan_lines(plan)
    blocks: list[Block] = [Note(render(note, language)) for note in notes]
    blocks += [Text(render(line, language), strong=True) for line in lines.change]
    blocks += [Text(render(line, language)) for line in (*lines.place, *lines.details)]
    blocks += [Text("⚠ " + render(line, language)) for line in lines.warnings]
    if lines.beside:
        beside = " · ".join(render(line, language) for line in lines.beside)
        blocks.append(Note(render(say("plan.beside", lines=beside), language)))
    rows = [
        (render(say("plan.risk"), language), word(f"risk.{plan.risk}", language)),
        (render(say("plan.requester"), language), plan.requester_name or plan.requester),
    ]
    if plan.reason:
        rows.append((render(say("plan.reason"), language), plan.reason))
    blocks.append(Fields(tuple(rows)))
    blocks += [Note(render(line, language)) for line in (*lines.tried, *(approvals or _how(plan, now)))]
    title = "plan.approving_title" if pending.phase == "approving" else "plan.title"
    return Card(
        title=render(Say(f"{title}_high" if high else title, {**names}), language),
        language=language,
        tone="danger" if high else "warn",
        blocks=tuple(blocks),
        buttons=plan_buttons(pending, language),
    )


def _how(plan: Plan, now: int) -> list[Say]:
    """How a confirmation is given, and what more it takes."""
    minutes = max(1, -(-(plan.expires - now) // 60_000))
    how = say("plan.expires_high" if plan.risk == "high" else "plan.expires", minutes=minutes, service=plan.entity.name)
    return [say("plan.approvals", count=plan.approvals), how] if plan.approvals else [how]


def plan_buttons(pending: Pending, language: Language) -> tuple[Button, ...]:
    """The live buttons of a plan in its phase; none once it is being judged or executed."""
    token = pending.token
    if pending.phase == "shown":
        return (
            Button("confirm", word("button.confirm", language), "danger", token),
            Button("cancel", word("button.cancel", language), "default", token),
            Button("modify", word("button.modify", language), "default", token),
            *_better(pending.plan, token, language),
        )
    if pending.phase == "approving":
        return (
            Button("approve", word("button.approve", language), "danger", token),
            Button("reject", word("button.reject", language), "default", token),
            Button("cancel", word("button.cancel", language), "default", token),
        )
    return ()


def _better(plan: Plan | None, token: str, language: Language) -> tuple[Button, ...]:
    """The action that would last where this one is put back: an autoscaler's range that holds what was asked for."""
    wanted = autoscaler_range_for(plan) if plan is not None else None
    if plan is None or wanted is None:
        return ()
    low, high = wanted
    text = render(say("button.range", min=low, max=high), language)
    return (Button("set_autoscaler", text, "default", token, f"min={low} max={high} {plan.entity.key}"),)


def closed_card(pending: Pending, reason: str, note: Say, language: Language) -> Card:
    """A plan that ended without being run: its title says so, and nothing on it can be pressed."""
    names: dict[str, str | int] = {
        "action": f"action.{pending.action}",
        "service": label(pending.entity),
        "reason": f"reason.{reason}",
    }
    blocks: list[Block] = [Text(render(note, language), strong=True)]
    if pending.plan is not None:
        blocks.append(Text(change_of(pending.plan, language)))
    blocks.append(Note(f"{pending.entity.target} · {place(pending.entity, language)}"))
    return Card(
        title=render(Say("plan.closed", names), language), language=language, tone="muted", blocks=tuple(blocks)
    )


def change_of(plan: Plan, language: Language) -> str:
    """The change in a few words: its first preview line."""
    return render(plan.preview[0], language) if plan.preview else word(f"action.{plan.action}", language)


def progress_card(title: Say, language: Language, plan: Plan | None = None) -> Card:
    """Something is under way."""
    blocks: tuple[Block, ...] = ()
    if plan is not None:
        blocks = (Text(change_of(plan, language)), Note(f"{plan.entity.target} · {place(plan.entity, language)}"))
    return Card(title=render(title, language), language=language, tone="info", blocks=blocks)


def line_card(title: Say, language: Language, *lines: Say, tone: Tone = "info") -> Card:
    """A title and sentences."""
    return Card(
        title=render(title, language),
        language=language,
        tone=tone,
        blocks=tuple(Text(render(line, language)) for line in lines),
    )


def choice_card(question: Say, language: Language, buttons: tuple[Button, ...], *notes: Say) -> Card:
    """One question with its answers as buttons."""
    return Card(
        title=render(question, language),
        language=language,
        tone="info",
        blocks=tuple(Text(render(note, language)) for note in notes),
        buttons=buttons,
    )


def report_card(report: Report, language: Language, *, notes: tuple[Say, ...] = (), card: str = "") -> Card:
    """The answer to a query: verdict first, then evidence, then what can be done. `card` is the one that it is drawn
    on, so that its refresh button draws it anew in place."""
    blocks: list[Block] = list(report_blocks(report, language))
    blocks += [Note(render(note, language)) for note in notes]
    entity = report.entity
    part = report.slots.get("part")
    title = word(f"intent.{part}" if isinstance(part, str) else f"intent.{report.kind}", language)
    if entity is not None:
        title = f"{label(entity)} · {title}"
        where = f"{place(entity, language)} · {entity.target}"
        blocks.append(Note(render(say("report.as_of", place=where, time=as_of(report)), language)))
    elif "place" in report.headline.args:
        blocks.append(
            Note(render(say("report.as_of", place=report.headline.args["place"], time=as_of(report)), language))
        )
    buttons = report_buttons(report, language, card=card)
    return Card(title=title, language=language, tone=report.tone, blocks=tuple(blocks), buttons=buttons)
