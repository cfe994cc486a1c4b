"""Fitting a table of triage on labelled records.

Usage: ``python -m equiv.judge.triage.fit RECORDS.jsonl… > TABLE.json``.  The records are what
``equiv eval --judge … --savings none`` wrote of pairs with labels: only there every pair says whether
its results were equal.

A logistic regression on the values of the features is calibrated on what it says of the pairs of each
database when fitted on the others.  The figures of the table come one such step further out: for each
database from a table that was fitted *and calibrated* without it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from equiv.errors import InputError
from equiv.judge.triage.decide import NAMES, Features, TriageTable, features_of
from equiv.records.record import Record

DIGITS = 4
"""Digits of a weight: the same on every machine."""


@dataclass(frozen=True, slots=True)
class Example:
    """A labelled pair."""

    database: str
    features: Features
    right: bool


def examples_of(records: Iterable[Record]) -> list[Example]:
    """The labelled pairs among some judged records whose features are known."""
    return [
        Example(record["db_id"], features_of(record, record["judge"]["equal"]), record["label"])
        for record in records
        if isinstance(record["label"], bool) and record["verdict"] != "invalid"
    ]


def fitted(examples: Sequence[Example]) -> TriageTable:
    """The table of some examples; the same for the same examples in any order.

    Raises:
        InputError: scikit-learn is not installed, or the examples are of fewer than three databases,
            or all right or all wrong on all databases but one.
    """
    try:
        from sklearn.calibration import CalibratedClassifierCV
        from sklearn.feature_extraction import DictVectorizer
        from sklearn.linear_model import LogisticRegression
        from sklearn.model_selection import LeaveOneGroupOut
    except ModuleNotFoundError:
        raise InputError("triage is fitted by scikit-learn: pip install -e '.[eval]'") from None
    ordered = sorted(examples, key=lambda one: (one.database, *one.features.values(), one.right))
    _refuse_too_few(ordered)
    vectors = DictVectorizer(sparse=False)
    x = vectors.fit_transform([dict(one.features) for one in ordered])
    y = [one.right for one in ordered]
    folds = list(LeaveOneGroupOut().split(x, y, [one.database for one in ordered]))
    model = CalibratedClassifierCV(
        LogisticRegression(max_iter=1000), method="sigmoid", cv=folds, ensemble=False
    )
    (calibrated,) = model.fit(x, y).calibrated_classifiers_
    (sigmoid,) = calibrated.calibrators  # P = 1 / (1 + exp(a * f + b))
    weights: dict[str, dict[str, float]] = {name: {} for name in NAMES}
    for column, weight in zip(vectors.get_feature_names_out(), calibrated.estimator.coef_[0], strict=True):
        name, _, value = str(column).partition("=")
        weights[name][value] = round(float(weight), DIGITS)
    return TriageTable(
        intercept=round(float(calibrated.estimator.intercept_[0]), DIGITS),
        slope=round(-float(sigmoid.a_), DIGITS),
        offset=round(-float(sigmoid.b_), DIGITS),
        weights=weights,
    )


def left_out(examples: Sequence[Example]) -> dict[str, TriageTable]:
    """For each database the table of the examples of the others.

    Raises:
        InputError: as :func:`fitted`, of the others.
    """
    databases = sorted({one.database for one in examples})
    return {name: fitted([one for one in examples if one.database != name]) for name in databases}


def with_figures(examples: Sequence[Example]) -> TriageTable:
    """The table of some examples, with figures on each database by the table of the others.

    Raises:
        InputError: as :func:`left_out`.
    """
    tables = left_out(examples)
    found = [(tables[one.database].probability(one.features), one.right) for one in examples]
    known = [(p, right) for p, right in found if p is not None]
    share = sum(one.right for one in examples) / len(examples)
    figures = {
        "pairs": len(examples),
        "databases": len(tables),
        "right": sum(one.right for one in examples),
        "foretold": len(known),
        "brier": round(sum((p - right) ** 2 for p, right in known) / len(known), DIGITS),
        "brier_of_the_share": round(share * (1 - share), DIGITS),
    }
    return replace(fitted(examples), fitted=figures)


def _refuse_too_few(examples: Sequence[Example]) -> None:
    """Leaving out any one database must leave pairs of both kinds."""
    for name in {one.database for one in examples} or {""}:
        if len({one.right for one in examples if one.database != name}) < 2:
            raise InputError("triage needs right and wrong pairs of several databases")


def _records(files: Iterable[str]) -> list[Record]:
    from equiv.judge.report import read_judged

    records = read_judged(map(Path, files))
    if any(record["judge"]["savings"] for record in records):
        raise InputError("triage is fitted on records judged with --savings none")
    return records


def main(files: Sequence[str]) -> int:
    """Print the table of some files of records."""
    try:
        table = with_figures(examples_of(_records(files)))
    except InputError as error:
        sys.stderr.write(f"equiv: {error}\n")
        return 2
    sys.stdout.write(table.to_json())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
