"""Logistic regressions on the features of an audit, each database ranked by what the others taught."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, precision_recall_curve, roc_auc_score
from sklearn.model_selection import LeaveOneGroupOut, StratifiedKFold

from benchmarks.journal import markdown
from equiv.eval.gold.catalogue import OF_SYSTEMS
from equiv.eval.gold.finding import SIGNS, GoldFault
from equiv.eval.gold.ranking import Regression, Tables

INVERSE_PENALTY = 0.5
DIGITS = 3
RECALLS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
BINS = (0.0, 0.15, 0.3, 0.45, 0.6, 0.75, 1.01)


@dataclass(frozen=True, slots=True)
class Example:
    """One gold query with what the audit found, and whether it was changed."""

    question: str
    database: str
    features: dict[str, float]
    kinds: frozenset[str]
    """What the audit found."""
    changed: bool
    meaning: bool

    @property
    def found(self) -> bool:
        """Whether the audit reports anything but signs."""
        return bool(self.kinds - {str(kind) for kind in (*SIGNS, GoldFault.UNSUPPORTED)})

    def alone(self) -> Example:
        """The same without systems."""
        return replace(
            self.without("systems", "results"), kinds=self.kinds - {str(kind) for kind in OF_SYSTEMS}
        )

    def without(self, *groups: str) -> Example:
        """The same without some groups of features."""
        kept = {name: value for name, value in self.features.items() if name.partition(".")[0] not in groups}
        return replace(self, features=kept)

    def with_features(self, more: Mapping[str, float]) -> Example:
        """The same with some more features."""
        return replace(self, features={**self.features, **more})


NAMES = {
    "systems": "with systems",
    "results": "with systems and their results",
    "alone": "without systems",
    "systems_judged": "with systems and a judge",
    "results_judged": "with systems, their results and a judge",
    "judged": "without systems, with a judge",
}
"""What the features are in words."""
NEEDED = {
    "systems": {"systems"},
    "results": {"results"},
    "alone": set[str](),
    "systems_judged": {"systems", "judge"},
    "results_judged": {"results", "judge"},
    "judged": {"judge"},
}
"""The groups of features that a regression rests on."""


def _model() -> LogisticRegression:
    return LogisticRegression(C=INVERSE_PENALTY, max_iter=5000)


def _matrix(examples: Sequence[Example]) -> tuple[Any, DictVectorizer]:
    vectors = DictVectorizer(sparse=False)
    return vectors.fit_transform([one.features for one in examples]), vectors


def _regression(examples: Sequence[Example]) -> Regression:
    x, vectors = _matrix(examples)
    model = _model().fit(x, [one.meaning for one in examples])
    weights = {
        str(name): round(float(weight), DIGITS)
        for name, weight in zip(vectors.get_feature_names_out(), model.coef_[0], strict=True)
        if round(float(weight), DIGITS)
    }
    return Regression(round(float(model.intercept_[0]), DIGITS), weights)


def fitted(known: dict[str, list[Example]]) -> Tables:
    """The tables of all examples."""
    return Tables(
        **{name: _regression([one for one in own if _has(one, name)]) for name, own in known.items()}
    )


def _has(one: Example, name: str) -> bool:
    """Whether all that a regression rests on is known of a gold query."""
    return NEEDED[name] <= {feature.partition(".")[0] for feature in one.features}


def foretold(examples: Sequence[Example], *, by_database: bool) -> Any:
    """The probability of each example by a regression that saw nothing of its fold."""
    x, _ = _matrix(examples)
    y = np.array([one.meaning for one in examples])
    groups = [one.database for one in examples]
    folds = (
        LeaveOneGroupOut().split(x, y, groups)
        if by_database
        else StratifiedKFold(10, shuffle=True, random_state=0).split(x, y)
    )
    probabilities = np.zeros(len(y))
    for train, test in folds:
        probabilities[test] = _model().fit(x[train], y[train]).predict_proba(x[test])[:, 1]
    return probabilities


def page(known: dict[str, list[Example]]) -> str:
    """The figures as Markdown."""
    return "\n".join(_lines(known)) + "\n"


def _lines(known: dict[str, list[Example]]) -> Iterator[str]:
    some = known["alone"]
    changed, meaning = sum(one.changed for one in some), sum(one.meaning for one in some)
    yield "# The gold audit against published corrections"
    yield ""
    yield "Written by `python -m benchmarks.outcomes.gold_audit`. Systems: the six of rose-bench. Each"
    yield "database is ranked by weights of the ten others, or each tenth of all by those of the rest."
    yield "The judge is the recorded o3 of ROSE: its word on each gold query beside six predictions."
    yield ""
    databases = len({one.database for one in some})
    share = f"{changed / len(some):.0%}"
    yield f"{len(some)} gold queries of {databases} databases; {changed} ({share}) were changed,"
    yield f"{meaning} of them in meaning: the other corrections are proven equivalent."
    yield ""
    flags = ("", "flagged", "of these changed", "of the changed, flagged")
    yield from _table("Findings without an order", flags, _flags(known))
    head = ("features", "folds", "label", "area under ROC", "precision at recall 30 %", "at 50 %", "at 70 %")
    yield from _table("Ranked by probability", (*head, "Brier (of the share)"), _summary(known))
    read = (name for what in NAMES.values() for name in (f"{what}: read", "precision"))
    curve = "The curve: gold queries read until a share of the changed is found, a database left out"
    yield from _table(curve, ("recall", *read), _curve(known))
    said = "Whether the probabilities are what they say (with systems, a database left out, meaning)"
    columns = ("probability", "gold queries", "faulty foretold", "changed in meaning")
    yield from _table(said, columns, _calibration(known["systems"]))
    heads = ("kind", "found in", "of these changed")
    yield from _table("Each kind by itself, without systems", heads, _kinds(some))


def _table(heading: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """A heading with a table below it."""
    yield from (f"## {heading}", "")
    yield from markdown(columns, rows)
    yield ""


def _flags(known: dict[str, list[Example]]) -> Iterator[tuple[object, ...]]:
    """How many gold queries are flagged, and of these how many were changed."""
    for name, what in (("systems", "with systems"), ("alone", "text, schema, data alone")):
        flagged = [one for one in known[name] if one.found]
        right = sum(one.changed for one in flagged)
        total = sum(one.changed for one in known[name])
        yield what, len(flagged), f"{right} ({right / len(flagged):.0%})", f"{right / total:.0%}"


def _summary(known: dict[str, list[Example]]) -> Iterator[tuple[object, ...]]:
    """How well each set of features ranks, by kind of folds and label."""
    for name, what in NAMES.items():
        for by_database in (True, False):
            chances = foretold(known[name], by_database=by_database)
            for label in ("changed", "meaning"):
                truth = np.array([getattr(one, label) for one in known[name]])
                share = truth.mean()
                yield (
                    *(what, "a database left out" if by_database else "tenths of the questions", label),
                    f"{roc_auc_score(truth, chances):.3f}",
                    *(f"{_precision_at(truth, chances, recall):.0%}" for recall in (0.3, 0.5, 0.7)),
                    f"{brier_score_loss(truth, chances):.3f} ({share * (1 - share):.3f})",
                )


def _precision_at(truth: Any, chances: Any, recall: float) -> float:
    """The best precision at which at least that share of the faulty ones is found."""
    precisions, recalls, _ = precision_recall_curve(truth, chances)
    return float(max(precisions[recalls >= recall]))


def _curve(known: dict[str, list[Example]]) -> Iterator[tuple[object, ...]]:
    """How many gold queries are read until a share of the changed ones is found, and the precision there."""
    columns = []
    for name in NAMES:
        order = np.argsort(-foretold(known[name], by_database=True), kind="stable")
        columns.append(np.cumsum([known[name][number].changed for number in order]))
    for recall in RECALLS:
        cells = [f"{recall:.0%}"]
        for hits in columns:
            read = int(np.argmax(hits >= recall * hits[-1])) + 1
            cells += [str(read), f"{hits[read - 1] / read:.0%}"]
        yield tuple(cells)


def _calibration(examples: Sequence[Example]) -> Iterator[tuple[object, ...]]:
    """How many gold queries of about one probability were changed in meaning."""
    chances = foretold(examples, by_database=True)
    for low, high in pairwise(BINS):
        inside = [number for number, chance in enumerate(chances) if low <= chance < high]
        if inside:
            right = sum(examples[number].meaning for number in inside)
            yield f"{low:g} to {min(high, 1):g}", len(inside), f"{sum(chances[inside]):.1f}", right


def _kinds(examples: Sequence[Example]) -> Iterator[tuple[object, ...]]:
    """In how many gold queries each kind was found, and how many of these were changed."""
    kinds = sorted({kind for one in examples for kind in one.kinds})
    rows = [(kind, [one.changed for one in examples if kind in one.kinds]) for kind in kinds]
    for kind, hits in sorted(rows, key=lambda row: -sum(row[1]) / len(row[1])):
        yield f"`{kind}`", len(hits), f"{sum(hits)} ({sum(hits) / len(hits):.0%})"
