"""Alert groups: one card each, updated in place, closed when every alert of it is resolved. Design section 10."""

from __future__ import annotations

from chatops_bot.domain.cards import Block, Button, Card, Note, Text
from chatops_bot.domain.dialogue.lock import bind
from chatops_bot.domain.dialogue.turn import Turn, label
from chatops_bot.domain.dialogue.views import place
from chatops_bot.domain.events import Alert, AlertGroup
from chatops_bot.domain.say import say
from chatops_bot.domain.session import AlertState, Summary
from chatops_bot.domain.texts import word

SHOWN_ALERTS = 10
"""Lines on one card; the rest is counted."""


def on_alert(turn: Turn, event: AlertGroup) -> None:
    """Judge each alert on its own status; the group is closed by the last, never by the first."""
    known = turn.session.alert or AlertState(group=event.group)
    alerts = dict(known.alerts)
    for alert in event.alerts:
        alerts[alert.fingerprint] = (alert.firing, alert.name, alert.summary)
    service = turn.world.catalog.by_key(event.service) if event.service else None
    if service is not None and turn.session.lock is None:
        bind(turn, service.entity)
    card = known.card or turn.new_card()
    turn.set(alert=AlertState(group=event.group, alerts=alerts, card=card), used=True)
    turn.record("alert", service=event.service, text=", ".join(sorted({a.name for a in event.alerts}))[:300])
    turn.draw(card, _card(turn, event, alerts))
    firing = any(alert[0] for alert in alerts.values())
    if not firing and not turn.session.pending:
        lock = turn.session.lock
        turn.archive(
            Summary(
                thread=turn.session.thread,
                at=turn.now,
                entity=lock.entity if lock else None,
                outcome="resolved",
                asked=_name(event.alerts),
            )
        )


def _card(turn: Turn, event: AlertGroup, alerts: dict[str, tuple[bool, str, str]]) -> Card:
    firing = [alert for alert in alerts.values() if alert[0]]
    name = _name(event.alerts)
    title = say("alert.firing", name=name, count=len(firing)) if firing else say("alert.resolved", name=name)
    shown = sorted(alerts.values(), key=lambda alert: not alert[0])
    lines: list[Block] = [
        Text(f"{'🔴' if is_firing else '✅'} {alert_name} {summary}".strip())
        for is_firing, alert_name, summary in shown[:SHOWN_ALERTS]
    ]
    if len(shown) > SHOWN_ALERTS:
        lines.append(Note(turn.text(say("alert.more", count=len(shown) - SHOWN_ALERTS))))
    lock = turn.session.lock
    buttons: tuple[Button, ...] = ()
    if lock is None:
        lines.append(Note(turn.text(say("alert.unmapped"))))
    else:
        lines.append(Note(f"{label(lock.entity)} · {place(lock.entity, turn.language)}"))
        offered = ("diagnose", "logs", "events", "restart", "scale", "hand_off")
        buttons = tuple(Button(n, word(f"button.{n}", turn.language), value=lock.entity.key) for n in offered)
    return Card(
        title=turn.text(title),
        language=turn.language,
        tone="danger" if firing else "ok",
        blocks=tuple(lines),
        buttons=buttons,
    )


def _name(alerts: tuple[Alert, ...]) -> str:
    names = sorted({alert.name for alert in alerts})
    return ", ".join(names[:3]) or "?"
