"""How many of the pairs that generation cannot refute are proved, and why the others are not.

Reads ``results/<corpus>.<relation>.jsonl`` (:mod:`benchmarks.outcomes.verdicts` writes it) and attacks its
undecided pairs with 20 times the normal effort of generation; proofs are attacked by
:mod:`benchmarks.attacks.soundness`.  A pair that stands twice is attacked once and counted twice.  A pair
that this refutes should have been refuted before: its question ids are listed as well.

Usage: ``python -m benchmarks.outcomes.coverage rose-vec bird``.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass
from multiprocessing import Pool

from benchmarks.outcomes.verdicts import RESULTS, Record, read, what
from benchmarks.pairs.corpora import corpus
from equiv.answers.pair import Pair
from equiv.core.query import Query
from equiv.engine.make import make_engine
from equiv.options import EFFORTS, Options
from equiv.relation import resolve_relation
from equiv.schema.locate import Place
from equiv.tiers.generate import GenerateTier
from equiv.tiers.outcome import Refuted

EFFORT = 20 * EFFORTS["normal"]
_NO_PAIRS = frozenset({"GOLD_INVALID"})
"""Reasons of records that hold no pair of queries."""

PairKey = tuple[str, str, str]
"""Database, prediction, gold query."""


@dataclass(frozen=True, slots=True)
class Attack:
    """A pair to be attacked on its place."""

    place: Place
    pair: PairKey
    relation: str


def attack(task: Attack) -> tuple[PairKey, bool]:
    """Whether 20 times the normal effort refutes a pair."""
    engine = make_engine(
        task.place.schema, task.place.database, Options(relation=task.relation, timeout=None)
    )
    _, pred_sql, gold_sql = task.pair
    pred, gold = engine.read(pred_sql), engine.read(gold_sql)
    if not isinstance(pred, Query) or not isinstance(gold, Query):
        return task.pair, False
    relation = resolve_relation(task.relation, gold_orders=gold.orders)
    pair = Pair(pred, gold, engine.schema, engine.facts, relation)
    return task.pair, isinstance(GenerateTier(engine.schema, engine.facts).settle(pair, EFFORT), Refuted)


def pair_of(record: Record) -> PairKey:
    """What a record's pair is told from others by."""
    return record["db_id"], record["predicted_sql"], record["gold_sql"]


def coverage(name: str, relation: str, workers: int = 2) -> str:
    """The coverage of one corpus under one relation, as Markdown.

    Raises:
        OSError: there are no results to read.
    """
    records = read(RESULTS / f"{name}.{relation}.jsonl")
    undecided = [r for r in records if r["verdict"] == "undecided" and r["reason"] not in _NO_PAIRS]
    _, places = corpus(name).read()
    tasks = [Attack(places[key[0]], key, relation) for key in dict.fromkeys(map(pair_of, undecided))]
    with Pool(workers) as pool:
        refuted = {key for key, broken in pool.imap_unordered(attack, tasks) if broken}
    late = [record for record in undecided if pair_of(record) in refuted]
    left = [record for record in undecided if pair_of(record) not in refuted]
    proved = [record for record in records if record["verdict"] == "equivalent"]
    total = len(proved) + len(left)
    rows = Counter(f"proved by {record['tier']}" for record in proved)
    rows.update(f"undecided: {_reason(record)}" for record in left)
    lines = [
        f"### {name}, relation `{relation}`: {total} pairs that {EFFORT} generated databases cannot refute",
        "",
        "| outcome | pairs | share |",
        "|---|---|---|",
        *(f"| {outcome} | {n} | {n / max(total, 1):.1%} |" for outcome, n in rows.most_common()),
        "",
        (
            f"{len(proved) / max(total, 1):.1%} proved; {len(tasks)} distinct undecided pairs attacked with "
            f"{len(tasks) * EFFORT} databases in all, {len(late)} pairs refuted late."
        ),
        "",
    ]
    lines += [f"late: {record['db_id']} {record['question_id']} ({record['source']})" for record in late]
    return "\n".join(lines)


def _reason(record: Record) -> str:
    """The reason that a pair is undecided for, with the node that is not supported."""
    detail = str(record["detail"] or "")
    return f"{what(record)} {detail}" if record["reason"] == "UNSUPPORTED" else what(record)


def main() -> int:
    """Print the coverage of the corpus and relation given."""
    name, relation = sys.argv[1:3]
    print(coverage(name, relation))
    return 0


if __name__ == "__main__":
    sys.exit(main())
