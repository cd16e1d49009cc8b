"""What people think of an answer: by a thumb below it, or by words. Counted for how the conversation ended; it changes
nothing else. Each person has one vote a card, the last one."""

from __future__ import annotations

import re
from typing import Final

from chatops_bot.domain.dialogue import requests
from chatops_bot.domain.dialogue.known import may_see_logs
from chatops_bot.domain.dialogue.report_parts import thumbed
from chatops_bot.domain.dialogue.turn import Turn
from chatops_bot.domain.dialogue.views import line_card, report_card
from chatops_bot.domain.events import Click, Message
from chatops_bot.domain.intents import Interpretation, Route
from chatops_bot.domain.reports import Report
from chatops_bot.domain.say import say
from chatops_bot.domain.texts import word

MOST: Final = 50
"""Votes kept of a conversation, the latest."""

WORDS: Final = "words"
"""In the place of a card: what was said of the conversation as a whole."""

_TYPED: Final = tuple(
    text.casefold()
    for name in ("helpful", "unhelpful")
    for text in (word(f"button.{name}", "zh"), word(f"button.{name}", "en"))
)
"""Thumbs as they are typed, where a platform has no room for the buttons."""

_BAD: Final = re.compile(
    r"\b(?:not? (?:help|use|good|right|correct|what)|n't (?:help|work|what)|didnt help|useless|unhelpful|wrong|bad|"
    r"worse|terrible|garbage|nonsense|rubbish|crap|still (?:down|broken|failing|bad|not))|👎|"
    r"没(?:有)?(?:用|帮助|卵用|帮上)|不(?:对|准|行|好用|管用|靠谱)|错|答非所问|废话|垃圾|差劲|太差|瞎|"
    r"还是(?:不行|不好|没好|挂|坏|慢|报错)",
    re.IGNORECASE,
)


_THANKS: Final = re.compile(
    r"\W*(?:ok(?:ay)?[\s,.!]*|great[\s,.!]*|好(?:的|了)?[\s，,。！!]*)?"
    r"(?:(?:many )?thanks?\b|thank (?:you|u)\b|thx\b|tks\b|"
    r"tysm?\b|cheers\b|多?谢+|感谢|辛苦|👍|🙏)"
    r"(?:[\s,，.。!！~～👍🙏😊❤\ufe0f]|\b(?:bot|all|everyone|team|guys|man|mate|again|(?:a lot|so much|very much)|"
    r"for (?:the|your|all the) help)\b|[了啦哈你您谢]|大家|各位|机器人){0,8}",
    re.IGNORECASE,
)
"""Nothing but thanks, once the conversation is over: there it is no answer to anything."""


def thanked(text: str) -> bool:
    """Whether somebody only says thanks."""
    return _THANKS.fullmatch(text.strip()) is not None


def said(turn: Turn, event: Message, meaning: Interpretation) -> None:
    """Thanks end nothing and start nothing, and between people they are not the bot's. What only a model takes for
    praise or blame is answered, and counts for nothing: nobody has said it."""
    if turn.via_card and not (event.addressed or event.direct):
        return
    bad = _BAD.search(event.text) is not None
    if not turn.model:
        if turn.route == Route.FEEDBACK or any(label in event.text.casefold() for label in _TYPED):
            _vote(turn, WORDS, good=not bad)
        turn.set(closing="bad" if bad else "good")
    text = say("feedback.sorry" if bad else "answer.thanks")
    turn.reply(line_card(text, turn.language, tone="muted"))


def goes_on(turn: Turn, route: Route) -> None:
    """Words are the closing ones only as long as nothing else is said."""
    if turn.session.closing and route not in (Route.FEEDBACK, Route.DONE, Route.CHAT):
        turn.set(closing="")


def helped(turn: Turn, event: Click, rest: str) -> None:
    """A thumb up."""
    _pressed(turn, event, good=True)


def did_not_help(turn: Turn, event: Click, rest: str) -> None:
    """A thumb down."""
    _pressed(turn, event, good=False)


def _pressed(turn: Turn, event: Click, *, good: bool) -> None:
    card, _, about = event.value.partition(" ")
    if not requests.redrawable(turn, card):
        requests.refuse(turn, say("feedback.gone"), reason="button")
        return
    _vote(turn, card, good=good)
    up, down = count(turn.session.votes, card)
    tally = say("feedback.counted", up=up, down=down)
    report = _shown(turn, about)
    if report is None:
        turn.reply(line_card(tally, turn.language, tone="muted"))
    else:
        turn.draw(card, report_card(report, turn.language, notes=(tally,), card=card))


def _shown(turn: Turn, about: str) -> Report | None:
    """What stands on the card, where it is still known and whoever presses may see what it quotes."""
    report = next((one for one in turn.session.results.values() if thumbed(one) == about), None)
    if report is None or turn.user is None or not may_see_logs(turn, report.entity, turn.user):
        return None
    return report


def _vote(turn: Turn, card: str, *, good: bool) -> None:
    if turn.user is None:
        return
    key = f"{card} {turn.user.key}"
    others = {other: vote for other, vote in turn.session.votes.items() if other != key}
    turn.set(votes=dict([*others.items(), (key, good)][-MOST:]))
    lock = turn.session.lock
    turn.record("decision", reason="rated_good" if good else "rated_bad", service=lock.entity.key if lock else "")


def count(votes: dict[str, bool], card: str = "") -> tuple[int, int]:
    """Thumbs up and down, of one card or of all."""
    of_card = [vote for key, vote in votes.items() if not card or key.partition(" ")[0] == card]
    return of_card.count(True), of_card.count(False)
