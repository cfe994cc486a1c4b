"""How well ``equiv gold`` ranks gold queries that curators changed, and the weights by which it does.

Usage: ``python -m benchmarks.outcomes.gold_audit`` writes ``gold_audit.md`` beside it and the shipped table
of weights.  The gold queries are those of BIRD mini-dev with a published correction (``corrections`` of the
reference data), the systems those of rose-bench, held against the same gold queries.  Verdicts and features
stand in ``results/gold_audit/``; delete them to measure anew.

A gold query counts as *changed* as published, or as changed *in meaning*: its correction is not proven
equivalent (``--relation sql``), since some corrections only quote names otherwise.  The fit is on meaning.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, precision_recall_curve, roc_auc_score
from sklearn.model_selection import LeaveOneGroupOut, StratifiedKFold

from benchmarks import ROOT
from benchmarks.command import evaluated
from benchmarks.journal import calibration, read_lines, section, write_lines
from benchmarks.pairs.corpora import DATA
from equiv.eval.arguments import Auditing
from equiv.eval.gold.audit import Audit
from equiv.eval.gold.catalogue import OF_SYSTEMS
from equiv.eval.gold.finding import SIGNS, GoldFault
from equiv.eval.gold.ranking import SHIPPED, Regression, Tables, results_of, strengths_of, word_of_judge
from equiv.graphs import grouped_by
from equiv.options import Options

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


SETS: dict[str, tuple[str, set[str]]] = {
    "systems": ("with systems", {"systems"}),
    "results": ("with systems and their results", {"results"}),
    "alone": ("without systems", set()),
    "systems_judged": ("with systems and a judge", {"systems", "judge"}),
    "results_judged": ("with systems, their results and a judge", {"results", "judge"}),
    "judged": ("without systems, with a judge", {"judge"}),
}
"""What the features of a regression are in words, and the groups of features that it rests on."""


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
    return SETS[name][1] <= {feature.partition(".")[0] for feature in one.features}


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
    yield from section(flags, _flags(known), "Findings without an order")
    head = ("features", "folds", "label", "area under ROC", "precision at recall 30 %", "at 50 %", "at 70 %")
    yield from section((*head, "Brier (of the share)"), _summary(known), "Ranked by probability")
    read = (name for what, _ in SETS.values() for name in (f"{what}: read", "precision"))
    curve = "The curve: gold queries read until a share of the changed is found, a database left out"
    yield from section(("recall", *read), _curve(known), curve)
    said = "Whether the probabilities are what they say (with systems, a database left out, meaning)"
    columns = ("probability", "gold queries", "faulty foretold", "changed in meaning")
    chances = foretold(known["systems"], by_database=True)
    truths = [one.meaning for one in known["systems"]]
    yield from section(columns, calibration([*zip(chances, truths, strict=True)], BINS), said)
    heads = ("kind", "found in", "of these changed")
    yield from section(heads, _kinds(some), "Each kind by itself, without systems")


def _flags(known: dict[str, list[Example]]) -> Iterator[tuple[object, ...]]:
    """How many gold queries are flagged, and of these how many were changed."""
    for name, what in (("systems", "with systems"), ("alone", "text, schema, data alone")):
        flagged = [one for one in known[name] if one.found]
        right = sum(one.changed for one in flagged)
        total = sum(one.changed for one in known[name])
        yield what, len(flagged), f"{right} ({right / len(flagged):.0%})", f"{right / total:.0%}"


def _summary(known: dict[str, list[Example]]) -> Iterator[tuple[object, ...]]:
    """How well each set of features ranks, by kind of folds and label."""
    for name, (what, _) in SETS.items():
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
    for name in SETS:
        order = np.argsort(-foretold(known[name], by_database=True), kind="stable")
        columns.append(np.cumsum([known[name][number].changed for number in order]))
    for recall in RECALLS:
        cells = [f"{recall:.0%}"]
        for hits in columns:
            read = int(np.argmax(hits >= recall * hits[-1])) + 1
            cells += [str(read), f"{hits[read - 1] / read:.0%}"]
        yield tuple(cells)


def _kinds(examples: Sequence[Example]) -> Iterator[tuple[object, ...]]:
    """In how many gold queries each kind was found, and how many of these were changed."""
    kinds = sorted({kind for one in examples for kind in one.kinds})
    rows = [(kind, [one.changed for one in examples if kind in one.kinds]) for kind in kinds]
    for kind, hits in sorted(rows, key=lambda row: -sum(row[1]) / len(row[1])):
        yield f"`{kind}`", len(hits), f"{sum(hits)} ({sum(hits) / len(hits):.0%})"


WORK = ROOT / "results" / "gold_audit"
PAGE = Path(__file__).with_name("gold_audit.md")
BIRD = {"db_root": DATA / "bird" / "databases", "schema": DATA / "bird" / "ddl"}
GOLDS, PREDICTIONS, CORRECTIONS, VERDICTS, MEANINGS = (
    WORK / f"{name}.jsonl" for name in ("golds", "predictions", "corrections", "verdicts", "meanings")
)
AUDITED = WORK / "audited.json"
"""The files that are made from the reference data."""


def _prepare() -> dict[Any, dict[str, Any]]:
    """Write gold queries, predictions and corrections as pairs; the published lines by question."""
    published = {line["question_id"]: line for line in read_lines(DATA / "corrections" / "arcwise.jsonl")}
    WORK.mkdir(parents=True, exist_ok=True)
    names = ("question_id", "db_id", "question", "evidence", "gold_sql")
    golds = {number: {name: line[name] for name in names} for number, line in published.items()}
    write_lines(GOLDS, golds.values())
    pairs: dict[tuple[Any, str], dict[str, Any]] = {}
    for line in read_lines(DATA / "rose-bench" / "pairs.jsonl"):
        number, method = line["question_id"], line["method"]
        if number in golds:
            pair = {"method": method, **golds[number], "predicted_sql": line["predicted_sql"]}
            pairs.setdefault((number, method), pair)
    write_lines(PREDICTIONS, pairs.values())
    changed = [
        {"method": "correction", **golds[number], "predicted_sql": line["corrected_sql"]}
        for number, line in published.items()
        if line["changed"]
    ]
    write_lines(CORRECTIONS, changed)
    return published


def _audit() -> dict[str, Any]:
    """The features of each gold query, and the kinds found in it, by question."""
    audit = Audit((VERDICTS, GOLDS), Auditing(**BIRD), Options(timeout=60, effort="quick"))
    found: dict[str, set[str]] = {}
    with closing(audit), closing(audit.looks()) as looks:
        for looked in looks:
            found.setdefault(str(looked.gold.question_id), set()).update(str(f.kind) for f in looked.findings)
    told = {str(one.gold.question_id): dict(one.features) for one in audit.ranking}
    return {
        number: {"features": features, "kinds": sorted(found[number])} for number, features in told.items()
    }


def examples() -> dict[str, list[Example]]:
    """The labelled gold queries, with what systems predicted and without."""
    published = _prepare()
    corrected = evaluated([CORRECTIONS], MEANINGS, **BIRD, effort="quick")
    meanings = {r["question_id"]: r["verdict"] for r in corrected}
    evaluated([PREDICTIONS], VERDICTS, **BIRD, effort="quick")
    if not AUDITED.exists():
        AUDITED.write_text(json.dumps(_audit()))
    audited = json.loads(AUDITED.read_text())
    recorded = _results(published)
    whole = [
        Example(
            question=str(number),
            database=line["db_id"],
            features=audited[str(number)]["features"],
            kinds=frozenset(audited[str(number)]["kinds"]),
            changed=bool(line["changed"]),
            meaning=bool(line["changed"]) and meanings[number] != "equivalent",
        )
        for number, line in published.items()
    ]
    alone = [one.alone() for one in whole]
    systems = [one.without("results") for one in whole]
    results = [one.with_features(recorded.get(one.question, {})) for one in systems]
    words = {str(number): word_of_judge(said) for number, said in _replies(published).items()}
    judged = {
        f"{name}_judged" if name != "alone" else "judged": [
            one.with_features(words.get(one.question, {})) for one in own
        ]
        for name, own in (("systems", systems), ("results", results), ("alone", alone))
    }
    return {"systems": systems, "results": results, "alone": alone, **judged}


def _results(published: Mapping[Any, Mapping[str, Any]]) -> dict[str, dict[str, float]]:
    """The features of recorded execution accuracy, which has the databases that are not at hand."""
    verdicts = read_lines(VERDICTS)
    strengths = strengths_of(verdicts)
    scores = {
        (line["question_id"], line["method"]): bool(line["ex_score"])
        for line in read_lines(DATA / "rose-bench" / "pairs.jsonl")
        if line["question_id"] in published and line["gold_sql"] == published[line["question_id"]]["gold_sql"]
    }
    found = {}
    for number, records in grouped_by(lambda record: record["question_id"], verdicts).items():
        own = [scores.get((number, record["source"])) for record in records]
        found[str(number)] = results_of(records, own, strengths)
    return found


def _replies(published: Mapping[Any, Mapping[str, Any]]) -> dict[Any, list[dict[str, Any]]]:
    """What the recorded Refuter said of each gold query, where it saw the same text."""
    found: dict[Any, list[dict[str, Any]]] = {}
    for line in read_lines(DATA / "rose-bench" / "pairs.jsonl"):
        own = published.get(line["question_id"])
        if own is not None and own["gold_sql"] == line["gold_sql"] and line["refuter"]:
            said = {"gold_correct": line["refuter"].get("gold_correct")}
            found.setdefault(line["question_id"], []).append({"refuter_result": said})
    return found


def main() -> int:
    """Write page and weights."""
    known = examples()
    SHIPPED.write_text(fitted(known).to_json())
    PAGE.write_text(page(known))
    sys.stdout.write(PAGE.read_text())
    return 0


if __name__ == "__main__":
    sys.exit(main())
