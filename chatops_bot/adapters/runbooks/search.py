"""Search among runbooks by words: SQLite's full-text index (FTS5) ranks them by BM25."""

from __future__ import annotations

import math
import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from chatops_bot.adapters.runbooks.terms import has_chinese, is_name, office_words, plain, terms
from chatops_bot.domain.runbooks import Runbook
from chatops_bot.ports.runbooks import Hit

WEIGHTS: Final = (4.0, 5.0, 3.0, 1.0)
"""Of title, words, names (id, symptoms, alerts) and steps: what was written to be found counts more."""

PHRASE: Final = 5.0
"""For a phrase of `words` that the question has as a whole, shared among the runbooks that have it."""

WHOLE: Final = 8.0
"""For one that is the whole question beside asking for a runbook ("too many connections"), shared likewise: however
common its words are, it is what was asked."""

REASON: Final = 10.0
"""For one that is a name in humps, such as a reason of Kubernetes (`OOMKilled`): nobody writes those by chance."""

ALERT: Final = 14.0
"""For an alert that the question names or the caller knows, shared likewise."""

SYMPTOM: Final = 12.0
"""For a finding that the caller knows, shared likewise."""

SERVICE: Final = 6.0
"""For the service's own runbooks."""

ASIDE: Final = 25.0
"""What each word of the office takes away: the question probably is about something else."""

ENOUGH: Final = 7.0
"""A score that is offered however long the question is."""

LEAST: Final = 6.0
"""A lower score is a word or two that happen to be the same."""

SHARE: Final = 0.3
"""Between the two, so much of the question's words has to be in the runbook, rare ones counting more."""

NEAR: Final = 0.25
"""What is offered beside the best has at least so much of its score."""

MOST: Final = 4_000
"""Characters of a question; what comes after them says nothing new."""

MOST_TERMS: Final = 120

_Index = dict[str, list[int]]
_Scores = dict[int, float]
"""By the position of the runbook."""


class FullTextSearch:
    """An index over some runbooks, in memory. Used by one thread at a time."""

    def __init__(self, runbooks: Iterable[Runbook]) -> None:
        self._books = tuple(runbooks)
        self._rows = {book.id: row for row, book in enumerate(self._books)}
        self._base = sqlite3.connect(":memory:", check_same_thread=False)
        made = "create virtual table {} using fts5({}, tokenize='porter unicode61')"
        self._base.execute(made.format("books", "title, words, names, steps"))
        self._base.execute(made.format("steps", "book unindexed, step unindexed, text"))
        for row, book in enumerate(self._books):
            self._base.execute(
                "insert into books(rowid, title, words, names, steps) values (?, ?, ?, ?, ?)", (row, *_fields(book))
            )
            self._base.executemany("insert into steps(book, step, text) values (?, ?, ?)", _steps(row, book))
        self._phrases = _index((plain(w) for w in book.words if not is_name(w)) for book in self._books)
        self._reasons = _index((plain(w) for w in book.words if is_name(w)) for book in self._books)
        self._alerts = _index((name.lower() for name in book.alerts) for book in self._books)
        self._symptoms = _index(book.symptoms for book in self._books)
        # What a runbook is found by is no word of the office here: a company's trade may be parking, or salaries.
        self._trade = frozenset(
            word for book in self._books for written in _found_by(book) for word in office_words(written)
        )

    def search(
        self,
        text: str,
        *,
        symptoms: Iterable[str] = (),
        alerts: Iterable[str] = (),
        service: Iterable[str] = (),
        most: int = 3,
    ) -> tuple[Hit, ...]:
        """As the port says."""
        text = text[:MOST]
        said = plain(text)
        wanted = tuple(dict.fromkeys(terms(text)))[:MOST_TERMS]
        known: _Scores = {}
        _add(known, _shared(self._symptoms, symptoms, SYMPTOM))
        _add(known, _shared(self._alerts, map(str.lower, alerts), ALERT))
        own = {self._rows[id_]: SERVICE for id_ in service if id_ in self._rows}
        scores = self._by_words(said, wanted)
        named = _says_any(said, self._reasons) or not self._alerts.keys().isdisjoint(said.split())
        aside = 0 if named else len(office_words(text) - self._trade)
        if self._fits(scores, wanted, aside=ASIDE * aside):
            _add(scores, ((row, score) for each in (known, own) for row, score in each.items() if row in scores))
        else:
            _add(known, ((row, score) for row, score in own.items() if row in known or not wanted))
            scores = known if not aside else {}
        ranked = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))[:most]
        ranked = [(row, score) for row, score in ranked if score >= NEAR * ranked[0][1]]
        steps = self._best_steps(wanted)
        return tuple(Hit(self._books[row].id, steps.get(row, 0), round(score, 2)) for row, score in ranked)

    def _by_words(self, said: str, wanted: Sequence[str]) -> _Scores:
        """What each runbook scores by the words of the question alone."""
        scores: _Scores = {}
        if wanted:
            rank = "select rowid, -bm25(books, ?, ?, ?, ?) from books where books match ?"
            _add(scores, self._base.execute(rank, (*WEIGHTS, _any(wanted))))
        for index, points in ((self._phrases, PHRASE), (self._reasons, REASON)):
            _add(scores, _shared(index, (phrase for phrase in index if _says(said, phrase)), points))
        whole = f" {_ASKING.sub(' ', said).strip()} "
        if len(whole.split()) > 1:
            _add(scores, _shared(self._phrases, (whole,), WHOLE))
        _add(scores, _shared(self._alerts, said.split(), ALERT))
        return scores

    def _fits(self, scores: _Scores, wanted: Sequence[str], *, aside: float) -> bool:
        """Whether the best of them is about what was asked at all."""
        if not scores:
            return False
        row = max(scores, key=lambda row: scores[row])
        best = scores[row] - aside
        return best >= ENOUGH or (best >= LEAST and self._share(row, wanted) >= SHARE)

    def _share(self, row: int, wanted: Sequence[str]) -> float:
        """How much of the question is in what of it was written to be found; a word that none has counts most."""
        total = found = 0.0
        for term in wanted:
            match = "select rowid from books where books match ?"
            rows = {row for (row,) in self._base.execute(match, (f'{{title words names}}: "{term}"',))}
            weight = math.log(1 + (len(self._books) - len(rows) + 0.5) / (len(rows) + 0.5))
            total += weight
            found += weight if row in rows else 0.0
        return found / total if total else 0.0

    def _best_steps(self, wanted: Sequence[str]) -> dict[int, int]:
        """The step of each runbook that has most of the question's words, where one has any."""
        if not wanted:
            return {}
        rank = "select book, step from steps where steps match ? order by bm25(steps) desc"
        return dict(self._base.execute(rank, (_any(wanted),)).fetchall())


_ASKING: Final = re.compile(
    r"^ (?:(?:a|the|any|show|find|get|me|is|there|runbooks?|playbooks?|for|about|on|how|to|do|i|we|can|should|fix|"
    r"handle|solve) )+|"
    r" (?:runbooks?|playbooks?|please|what|to|do|now)(?= (?:(?:runbooks?|playbooks?|please|what|to|do|now) )*$)"
)
"""What of a question only asks for a runbook."""


def _any(wanted: Sequence[str]) -> str:
    return " OR ".join(f'"{term}"' for term in wanted)


def _says(said: str, phrase: str) -> bool:
    """Chinese has no spaces where words end."""
    return (phrase.strip() if has_chinese(phrase) else phrase) in said


def _says_any(said: str, phrases: Iterable[str]) -> bool:
    return any(phrase in said for phrase in phrases)


def _shared(index: _Index, keys: Iterable[str], points: float) -> Iterator[tuple[int, float]]:
    """The points of each key, shared among the runbooks that it leads to."""
    for key in keys:
        rows = index.get(key, [])
        yield from ((row, points / len(rows)) for row in rows)


def _add(scores: _Scores, more: Iterable[tuple[int, float]]) -> None:
    for row, points in more:
        scores[row] = scores.get(row, 0.0) + points


def _index(keys: Iterable[Iterable[str]]) -> _Index:
    index: _Index = {}
    for row, each in enumerate(keys):
        for key in dict.fromkeys(each):
            index.setdefault(key, []).append(row)
    return index


def _joined(*texts: str) -> str:
    return " ".join(term for text in texts for term in terms(text))


def _found_by(book: Runbook) -> tuple[str, ...]:
    return (book.title.zh, book.title.en, *book.words)


def _fields(book: Runbook) -> tuple[str, ...]:
    steps = [each for step in book.steps for each in (step.texts.zh, step.texts.en)]
    ends = (book.verification.zh, book.verification.en, book.back.zh, book.back.en)
    names = (book.id, *book.symptoms, *book.alerts, *book.services)
    return _joined(book.title.zh, book.title.en), _joined(*book.words), _joined(*names), _joined(*steps, *ends)


def _steps(row: int, book: Runbook) -> Iterator[tuple[int, int, str]]:
    for number, step in enumerate(book.steps, 1):
        answers = (text for answer in step.answers for text in (answer.texts.zh, answer.texts.en))
        yield row, number, _joined(step.texts.zh, step.texts.en, *answers)
