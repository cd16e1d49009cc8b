"""What people do in a run: they order, confirm, almost confirm, press what is live, stale, foreign or forged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from chatops_bot.domain.cards import Button
from chatops_bot.domain.events import Click, Message
from chatops_bot.domain.identity import User
from tests.safety.judge import Act
from tests.safety.platform import Shown
from tests.safety.run import Run
from tests.safety.scene import NAMES, ROOMS, SAYINGS, USERS, Sense
from tests.safety.steps import Step

NUMBERS: Final = (1, 2, 3, 4, 5, 6, 8, 0, 40)
SENSES: Final[dict[str, tuple[Sense, ...]]] = {
    "order": ("order",),
    "yes": ("yes",),
    "almost": ("almost",),
    "change": ("change",),
    "leave": ("leave",),
    "read": ("read",),
    "other words": ("other", "read only", "write again"),
}


class People:
    """Each method is one step."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self._count = 0
        self._at_rest = False

    def steps(self) -> dict[str, Callable[[Step], None]]:
        return {
            **dict.fromkeys(SENSES, self.say),
            "confirm": lambda step: self.press(step, "confirm"),
            "approve": lambda step: self.press(step, "approve"),
            "button": self.any_button,
            "stale": self.stale,
            "forged": self.forged,
            "twice": self.twice,
            "redeliver": self.redeliver,
        }

    def play(self, step: Step, *, at_rest: bool) -> None:
        self._at_rest = at_rest
        self.steps()[step.kind](step)

    def say(self, step: Step) -> None:
        sayings = [words for words in SAYINGS if words.sense in SENSES[step.kind]]
        words = sayings[step.a % len(sayings)]
        # Few people and few services, so that they get into each other's way.
        user = USERS[(0, 0, 0, 1, 1, 2, 3, 4)[step.b % 8]]
        name, other = NAMES[(0, 0, 0, 1, 2, 3, 4)[step.c % 7]], NAMES[step.c // 7 % len(NAMES)]
        text = words.text.format(s=name, t=other, n=NUMBERS[step.c // 64 % len(NUMBERS)])
        answered = self._answered(step) if step.kind != "order" or step.c % 5 == 0 else None
        room = next((room for room in ROOMS if answered and room.channel == answered.room), ROOMS[step.b // 8 % 8 == 7])
        addressed = step.b // 64 % 6 != 0
        message = Message(
            id=self._id("w"),
            room=room,
            user=user,
            text=text,
            addressed=addressed,
            answers=(answered.message,) if answered else (),
            name=user.id,
        )
        named = name if "{s}" in words.text else ""
        alone = answered is None or self._waiting(answered.thread) == 1
        self._do(
            Act(self.run.judge.tick(), message, sense=words.sense, named=named, alone=alone, at_rest=self._at_rest),
            f"{user.id} says {text!r}"
            + ("" if addressed else " (to nobody)")
            + (f" under {answered.message}" if answered else ""),
        )
        if words.sense == "write again":
            self.run.judge.regime(read_only=False, at_rest=False)

    def _answered(self, step: Step) -> Shown | None:
        """The card replied to: mostly one that waits, sometimes any, sometimes none."""
        waiting = self.run.shown_with("confirm", "approve")
        if waiting and step.a // 64 % 3:
            return waiting[-1 - step.a // 256 % min(3, len(waiting))][0]
        cards = list(self.run.platform.cards.values())
        return cards[-1 - step.a // 256 % min(12, len(cards))] if cards and step.a // 64 % 6 == 3 else None

    def _waiting(self, thread: str) -> int:
        plans = self.run.judge.plans
        return sum(bool(live) and plans[token].thread == thread for token, live in self.run.judge.live.items())

    def press(self, step: Step, button: str) -> None:
        """The newest live buttons most of the time. Where there is none, somebody orders something."""
        live = self.run.shown_with(button)
        if not live:
            self.say(msgspec.structs.replace(step, kind="order"))
            return
        shown, token = live[-1 - step.a % min(3, len(live))]
        self._press(shown, Button(button, "", token=token), self._user(step))

    def any_button(self, step: Step) -> None:
        live = [(shown, b) for shown in self.run.platform.there() for b in shown.card.buttons if b.id != "confirm"]
        if live:
            shown, button = live[-1 - step.a % min(16, len(live))]
            self._press(shown, button, self._user(step))

    def stale(self, step: Step) -> None:
        """A button as it once was on a card."""
        once = [
            (shown, button)
            for shown in self.run.platform.cards.values()
            for view in shown.views[:-1]
            for button in view.buttons
            if button.id in ("confirm", "approve", "cancel", "undo")
        ]
        if once:
            shown, button = once[-1 - step.a % min(20, len(once))]
            self._press(shown, button, self._user(step), "an old ")

    def forged(self, step: Step) -> None:
        """A token that is none, of another thread, or pressed in another room."""
        live = self.run.shown_with("confirm", "approve")
        if not live:
            return
        shown, token = live[-1 - step.a % len(live)]
        button = "approve" if any(b.id == "approve" for b in shown.card.buttons) else "confirm"
        forms = (
            (shown, "0" * 32, ""),
            (shown, token[:-1] + ("0" if token[-1] != "0" else "1"), ""),
            (live[step.b % len(live)][0], live[step.c % len(live)][1], ""),
            (shown, token, "room"),
            (shown, "", ""),
        )
        where, forged, other = forms[step.b // 16 % len(forms)]
        room = next(room.channel for room in ROOMS if (room.channel != where.room) == bool(other))
        self._press(where, Button(button, "", token=forged), self._user(step), "a forged ", room=room)

    def twice(self, step: Step) -> None:
        """The last click again, as another click."""
        clicks = [act.event for act in self.run.judge.acts if isinstance(act.event, Click)]
        if clicks:
            again = msgspec.structs.replace(clicks[-1], id=self._id("k"))
            self._do(
                Act(self.run.judge.tick(), again, at_rest=self._at_rest),
                f"{again.user.id} clicks once more: {again.button}",
            )

    def redeliver(self, step: Step) -> None:
        acts = self.run.judge.acts
        if acts:
            act = acts[-1 - step.a % min(30, len(acts))]
            self.run.happened(act.event, "delivered again")
            self.run.deliver(act)

    def _press(self, shown: Shown, button: Button, user: User, how: str = "", *, room: str = "") -> None:
        click = Click(
            id=self._id("k"),
            room=next(r for r in ROOMS if r.channel == (room or shown.room)),
            user=user,
            button=button.id,
            card=shown.message,
            thread=shown.thread,
            token=button.token,
            value=button.value,
            name=user.id,
        )
        self._do(
            Act(self.run.judge.tick(), click, at_rest=self._at_rest),
            f"{user.id} presses {how}{button.id} {button.token[:6]} on {shown.message} in {click.room.channel}",
        )

    def _user(self, step: Step) -> User:
        return USERS[(0, 0, 1, 1, 2, 2, 3, 4)[step.b % 8]]

    def _id(self, letter: str) -> str:
        self._count += 1
        return f"{letter}{self._count}"

    def _do(self, act: Act, words: str) -> None:
        self.run.judge.did(act)
        self.run.happened(act.event, words)
        self.run.deliver(act)
