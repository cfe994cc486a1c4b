"""Count the rows that the witnesses of a corpus can spare: those without which they still are witnesses.

Usage: ``python -m benchmarks.outcomes.minimal_witnesses own`` or ``… rose-vec --most 500`` (minutes); exit
code 1 if a row can be spared.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import closing
from itertools import islice

from benchmarks.attacks.attack import readable_pairs
from benchmarks.attacks.targets import OWN, tasks
from benchmarks.pairs.corpora import corpora
from equiv.answers.pair import Pair
from equiv.core.model import quoted
from equiv.core.runner import RunnerError
from equiv.engine.make import make_engine
from equiv.facts import FactKind
from equiv.relation import RELATION_NAMES, resolve_relation
from equiv.schema.violations import FactChecker
from equiv.tiers.generate import GenerateTier
from equiv.tiers.outcome import Refuted
from equiv.tiers.trial_database import CAPS
from equiv.tiers.witness import replay, tells_apart
from equiv.verdict import Witness

EFFORT = 200


def main() -> int:
    """Print each row that can be spared, and how many witnesses were looked at."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", choices=[OWN, *(c.name for c in corpora())])
    parser.add_argument("--relation", choices=RELATION_NAMES, default="bag")
    parser.add_argument("--most", type=int, default=500, help="witnesses that are looked at")
    given = parser.parse_args()
    looked_at = wordy = 0
    for name, pair, witness in islice(witnesses(given.corpus, given.relation), given.most):
        looked_at += 1
        rows = list(spared(pair, witness))
        wordy += bool(rows)
        for row in rows:
            print(f"{name}: {row}\n{pair.pred.sql}\n----\n{pair.gold.sql}\n", flush=True)
    print(f"{given.corpus}: {looked_at} witnesses, {wordy} with a row that can be spared")
    return int(wordy > 0)


def witnesses(corpus: str, relation_name: str) -> Iterator[tuple[str, Pair, Witness]]:
    """The generated witnesses of a corpus' pairs without parameters, each with the pair and its name."""
    for task in tasks(corpus, relation_name, 0, 0):
        place = task.target.place
        with closing(make_engine(place.schema, place.database, task.target.options)) as engine:
            tier = GenerateTier(engine.schema, engine.facts)
            for name, pred, gold in readable_pairs(task, engine):
                relation = resolve_relation(engine.relation, gold_orders=gold.orders)
                pair = Pair(pred, gold, engine.schema, engine.facts, relation)
                found = Refuted if pair.has_parameters else tier.settle(pair, EFFORT)
                if isinstance(found, Refuted) and isinstance(found.evidence, Witness):
                    yield name, pair, found.evidence


def spared(pair: Pair, witness: Witness) -> Iterator[str]:
    """The INSERTs of a witness without any one of which it still is allowed, and tells the queries apart."""
    lines = witness.sql.splitlines()
    checker = FactChecker(pair.schema, pair.facts.without(pair.facts.of(FactKind.NOT_EMPTY)))
    for at, line in enumerate(lines):
        if line.startswith("INSERT INTO "):
            rest = "\n".join(each for place, each in enumerate(lines) if place != at)
            if _is_witness(pair, rest, checker):
                yield line


def _is_witness(pair: Pair, sql: str, checker: FactChecker) -> bool:
    try:
        with replay(sql) as engine:
            for table in pair.occupied:
                if not engine.connection.execute(f"SELECT 1 FROM {quoted(table)} LIMIT 1").fetchone():
                    return False
            return checker.holds(engine.connection) and tells_apart(pair, engine, CAPS)
    except RunnerError:
        return False


if __name__ == "__main__":
    sys.exit(main())
