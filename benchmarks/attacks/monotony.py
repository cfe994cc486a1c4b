"""Proofs that a further fact loses: each proved pair is put to rules and proof once more with further facts.

Facts only narrow the databases that a proof speaks of, so whatever is proved without a fact holds with it.
Each table that a pair reads is given a key more, one column after the other, then all of them, then NOT NULL
on all columns; every proof should stay.

Usage: ``python -m benchmarks.attacks.monotony own`` (a corpus of :mod:`benchmarks.pairs.corpora`, or the
project's own pairs; ``--relation``; ``--every N``: each so-many-th task); prints each proof that a fact
loses, and counts.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace

from benchmarks.attacks.targets import parser, readable_pairs, tasks
from equiv.answers.pair import Pair
from equiv.core.model import Table
from equiv.facts import Fact, FactKind, Facts, Grade
from equiv.tiers.outcome import Proved, Settler
from equiv.verdict import PROVERS


def further_facts(pair: Pair) -> Iterator[tuple[Fact, ...]]:
    """Sets of facts to add to those of a pair: keys one by one, all keys, NOT NULL everywhere."""
    keys = [fact for table in pair.tables_read for fact in _of_each_column(FactKind.UNIQUE, table)]
    yield from ((key,) for key in keys)
    yield tuple(keys)
    yield tuple(fact for table in pair.tables_read for fact in _of_each_column(FactKind.NOT_NULL, table))


def _of_each_column(kind: FactKind, table: Table) -> Iterator[Fact]:
    return (Fact(kind, Grade.ASSUMED, table.name, (column.name,)) for column in table.columns)


def is_proved(pair: Pair, provers: list[Settler]) -> bool:
    """Whether one of some tiers proves a pair."""
    return any(isinstance(tier.settle(pair, 0), Proved) for tier in provers)


def main() -> int:
    """Print what is lost; exit code 1 if anything is."""
    given = parser(__doc__, "bag").parse_args()
    proofs = tried = lost = 0
    for task in (task for name in given.corpus for task in tasks(name, given)):
        with task.target.opened() as engine:
            provers = [tier for tier in engine.tiers if tier.tier in PROVERS]
            for name, pair in readable_pairs(task, engine):
                if not is_proved(pair, provers):
                    continue
                proofs += 1
                for further in further_facts(pair):
                    tried += 1
                    if not is_proved(replace(pair, facts=Facts((*pair.facts, *further))), provers):
                        lost += 1
                        added = ", ".join(map(str, further))
                        texts = f"    {pair.pred.sql}\n    {pair.gold.sql}"
                        print(f"lost with {added}: {name}\n{texts}", flush=True)
    print(f"{', '.join(given.corpus)}: {proofs} proofs, {tried} with further facts, {lost} lost")
    return int(lost > 0)


if __name__ == "__main__":
    sys.exit(main())
