"""Learns the weights of the rules anew: `make train` writes `chatops_bot/adapters/rules/answers/weights.tsv`.

Two steps. First the words alone, of all rows. Then that and what the rules made of the text, of rows for which no rule was
ever changed: of others the rules look better than they are. To those the first step has to speak of rows that it has not
learned of, so it is learned in parts. Both steps are linear, and are written as one table.

Needs scikit-learn (the extra `train`); the bot itself does not.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from chatops_bot.adapters.rules.answers import weights
from chatops_bot.adapters.rules.answers.by_rules import by_rules
from chatops_bot.adapters.rules.answers.features import signs, words
from chatops_bot.adapters.rules.text.reading import read
from chatops_bot.app.evaluation.command import OWN_ROWS
from chatops_bot.app.evaluation.confirming import utterances
from chatops_bot.app.evaluation.measuring import files_of
from chatops_bot.app.evaluation.rows import Rows

HERE: Final = Path(__file__).parent
TABLE: Final = Path(weights.__file__).with_name("weights.tsv")
TUNED: Final = (OWN_ROWS, HERE / "look" / "confirming.en.jsonl", HERE / "look" / "confirming.zh.jsonl")
FRESH: Final = tuple(HERE / "learn" / f"{name}.jsonl" for name in ("answers.en", "answers.zh", "near", "talk"))

_SAME: Final = {"exit": "cancel"}
_TALK: Final = "not_confirm"
"""What has nothing to do with the plan: learned apart in the first step, waited out in the second."""
_RARE: Final = 2
_PARTS: Final = 4
_LEAST: Final = 8
"""Hundredths of a logit: a feature that weighs less for every label is left out."""
_SOFTNESS_OF_WORDS: Final = 4.0
_SOFTNESS_OF_SIGNS: Final = 1.0
_ROUNDS: Final = 500
_WEIGHS: Final = {"near": 0.3, "talk": 0.3}
"""Such rows are rarer in a channel than here."""


class Example(NamedTuple):
    """A row as it is learned of: its label for the words, and for what they and the rules come to together."""

    label: str
    placed: str
    words: frozenset[str]
    signs: frozenset[str]
    weighs: float


def digest() -> str:
    """What the rows are told by."""
    found = hashlib.sha256()
    for path in (*TUNED, *FRESH):
        found.update(path.read_bytes())
    return found.hexdigest()[:16]


def examples(paths: Iterable[Path]) -> list[Example]:
    """The answers to a plan in these files, as they are learned of."""
    return [example for file in files_of(paths) if isinstance(file, Rows) for example in _of_file(file)]


def _of_file(file: Rows) -> Iterable[Example]:
    for row, utterance in utterances(file):
        reading, plan = read(utterance), utterance.plans[0]
        verdict = by_rules(reading, utterance)
        label = _SAME.get(row.label, row.label)
        yield Example(
            label,
            "hold" if label == _TALK else label,
            words(reading, plan),
            signs(reading, plan, verdict.route, verdict.requests),
            _WEIGHS.get(file.path.stem, 1.0),
        )


class _Words:
    """The first step."""

    def __init__(self, rows: Sequence[Example]) -> None:
        from sklearn.feature_extraction import DictVectorizer
        from sklearn.linear_model import LogisticRegression

        seen = Counter(feature for row in rows for feature in row.words)
        self._kept = {feature for feature, times in seen.items() if times >= _RARE}
        self._vectorizer = DictVectorizer()
        self._vectorizer.fit([{feature: 1.0} for feature in sorted(self._kept)])
        self.model = LogisticRegression(C=_SOFTNESS_OF_WORDS, max_iter=_ROUNDS)
        self.model.fit(self._matrix(rows), [row.label for row in rows], [max(row.weighs, 0.5) for row in rows])

    @property
    def features(self) -> list[str]:
        return list(self._vectorizer.get_feature_names_out())

    def _matrix(self, rows: Sequence[Example]) -> Any:
        return self._vectorizer.transform(
            [dict.fromkeys(row.words & self._kept, weights.STRENGTH / len(row.words) ** 0.5) for row in rows]
        )

    def scores(self, rows: Sequence[Example]) -> Any:
        return self.model.decision_function(self._matrix(rows))


def learn(tuned: Sequence[Example], fresh: Sequence[Example]) -> weights.Weights:
    """The table. Raises `ImportError` without scikit-learn."""
    import numpy as np
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import LogisticRegression

    parts = [fresh[part::_PARTS] for part in range(_PARTS)]
    unseen = np.vstack(
        [
            _Words([*tuned, *(row for other in range(_PARTS) if other != part for row in parts[other])]).scores(
                parts[part]
            )
            for part in range(_PARTS)
        ]
    )
    shuffled = [row for part in parts for row in part]
    vectorizer = DictVectorizer()
    marks = vectorizer.fit_transform([dict.fromkeys(row.signs, 1.0) for row in shuffled]).toarray()
    second = LogisticRegression(C=_SOFTNESS_OF_SIGNS, max_iter=_ROUNDS)
    second.fit(
        np.hstack([unseen, marks]),
        [row.placed for row in shuffled],
        [row.weighs for row in shuffled],
    )
    first = _Words([*tuned, *fresh])
    labels = [str(label) for label in second.classes_]
    of_scores, of_signs = second.coef_[:, : unseen.shape[1]], second.coef_[:, unseen.shape[1] :]
    of = dict(zip(first.features, (first.model.coef_.T @ of_scores.T).tolist(), strict=True))
    of |= dict(zip(vectorizer.get_feature_names_out(), of_signs.T.tolist(), strict=True))
    of[weights.BIAS] = (first.model.intercept_ @ of_scores.T + second.intercept_).tolist()
    rounded = {feature: tuple(round(weight * weights.UNIT) for weight in of[feature]) for feature in sorted(of)}
    kept = {feature: each for feature, each in rounded.items() if max(map(abs, each)) >= _LEAST}
    return weights.Weights(tuple(labels), digest(), kept)


def written(table: weights.Weights) -> str:
    """The table as it stands in its file."""
    lines = [[weights.HEADING, table.rows, *table.labels]]
    lines += [[feature, *map(str, each)] for feature, each in table.of.items()]
    return "".join("\t".join(line) + "\n" for line in lines)


def main() -> None:
    """Learn, and write."""
    learned = learn(examples(TUNED), examples(FRESH))
    TABLE.write_text(written(learned), encoding="utf-8")
    print(f"{len(learned.of)} features in {TABLE.name}")  # noqa: T201


if __name__ == "__main__":
    main()
