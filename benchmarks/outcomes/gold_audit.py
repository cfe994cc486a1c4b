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
import subprocess
import sys
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from benchmarks import ROOT
from benchmarks.journal import read_lines, write_lines
from benchmarks.outcomes.gold_audit_fit import Example, fitted, page
from benchmarks.pairs.corpora import DATA
from equiv.eval.arguments import Auditing
from equiv.eval.gold.audit import Audit
from equiv.eval.gold.ranking import SHIPPED, results_of, strengths_of, word_of_judge
from equiv.options import Options

WORK = ROOT / "results" / "gold_audit"
PAGE = Path(__file__).with_name("gold_audit.md")
BIRD = ("--db-root", str(DATA / "bird" / "databases"), "--schema", str(DATA / "bird" / "ddl"))


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


def _evaluate(pairs: Path, verdicts: Path) -> list[dict[str, Any]]:
    """The records of some pairs, made or completed."""
    command = [sys.executable, "-m", "cli", "eval", str(pairs), *BIRD, "--effort", "quick"]
    command += ["--out", str(verdicts)]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return read_lines(verdicts)


def _audit() -> dict[str, Any]:
    """The features of each gold query, and the kinds found in it, by question."""
    auditing = Auditing(db_root=DATA / "bird" / "databases", schema=DATA / "bird" / "ddl")
    audit = Audit((VERDICTS, GOLDS), auditing, Options(timeout=60, effort="quick"))
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
    meanings = {r["question_id"]: r["verdict"] for r in _evaluate(CORRECTIONS, MEANINGS)}
    _evaluate(PREDICTIONS, VERDICTS)
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
    own: dict[Any, list[dict[str, Any]]] = {}
    for record in verdicts:
        own.setdefault(record["question_id"], []).append(record)
    return {
        str(number): results_of(
            records, [scores.get((number, record["source"])) for record in records], strengths
        )
        for number, records in own.items()
    }


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
