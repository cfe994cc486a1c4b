"""Random queries asked of two engines: what is called equivalent across dialects, and each reading by itself.

``python -m benchmarks.across.attack sqlite/postgres --queries 200 --seed 1`` draws queries in words that the
dialects share, decides each against itself, and against its transpilation, in the other dialect, and runs
both on databases that both engines store.  Printed is each pair that is called equivalent and answers
differently, and each query whose answer on its own engine is none that the core's text of it allows.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from random import Random

import sqlglot

from benchmarks.across.texts import DDL, Texts, rows
from equiv.answers.choices import functions as choice_functions
from equiv.answers.compare import same_result
from equiv.answers.pair import Pair
from equiv.core.query import Query
from equiv.core.runner import Failure, Limits, RunnerError
from equiv.dialects.crossing.session import CrossedSession
from equiv.dialects.registry import dialect_named
from equiv.engine.engine import Engine
from equiv.engine.make import make_engine
from equiv.options import Options
from equiv.relation import Relation, Rows
from equiv.schema.violations import FactChecker
from equiv.tiers.bindings import replays
from equiv.verdict import Equivalent

CAPS = Limits(seconds=2.0)
NAMES = {"sqlite": "sqlite", "postgres": "postgres", "duckdb": "duckdb"}


@dataclass
class Attack:
    """What an attack has found.

    Attributes:
        counts: of outcomes, by name.
        broken: a text for each finding.
    """

    counts: Counter[str] = field(default_factory=Counter)
    broken: list[str] = field(default_factory=list)


def attacked(dialects: str, seed: int, queries: int, databases: int) -> Attack:
    """The findings on random pairs across two dialects.

    Args:
        dialects: the name of the dialect of pairs, as in ``sqlite/postgres``.
        seed: of what is drawn.
        queries: how many texts are drawn, each a pair or two.
        databases: how many databases each pair is run on.
    """
    pred, _, gold = dialects.partition("/")
    options = Options(dialect=pred, gold_dialect=gold, timeout=None, relation="bag", effort=30)
    schema = dialect_named(dialects).loader.read_ddl(DDL)
    found = Attack()
    with closing(make_engine(schema, None, options)) as engine:
        worlds = list(_databases(dialects, engine, Random(seed), databases))
        found.counts["databases"] = len(worlds)
        for one, other in _pairs(pred, gold, Random(seed), queries):
            _attack_pair(engine, worlds, one, other, found)
        for session in worlds:
            session.close()
    return found


def _pairs(pred: str, gold: str, random: Random, queries: int) -> Iterator[tuple[str, str]]:
    texts = Texts(random)
    for _ in range(queries):
        text = texts.query()
        yield text, text
        try:
            told = sqlglot.transpile(text, read=NAMES[pred], write=NAMES[gold])[0]
        except sqlglot.errors.SqlglotError:
            continue
        if told != text:
            yield text, told


def _databases(dialects: str, engine: Engine, random: Random, count: int) -> Iterator[CrossedSession]:
    """Open databases with random rows that keep the facts and that both engines store."""
    crossed = dialect_named(dialects).engine
    checker = FactChecker(engine.schema, engine.facts)
    for _ in range(count):
        script = crossed.script(engine.schema, ("t", "u"), rows(random))
        try:
            session = crossed.replay(script)
        except RunnerError:
            continue
        assert isinstance(session, CrossedSession)
        try:
            choice_functions.register(session.core.connection)
        except RunnerError:
            session.close()
            continue
        if checker.holds(session.core.connection):
            yield session


def _attack_pair(engine: Engine, worlds: list[CrossedSession], pred: str, gold: str, found: Attack) -> None:
    read = engine.read(pred), engine.read(gold, gold=True)
    if not all(isinstance(each, Query) for each in read):
        found.counts["refused by an engine"] += 1
        return
    one, other = read
    assert isinstance(one, Query)
    assert isinstance(other, Query)
    if one.tree is None or other.tree is None:
        found.counts["not translated"] += 1
        return
    verdict = engine.check(pred, gold)
    found.counts[verdict.name] += 1
    pair = Pair(one, other, engine.schema, engine.facts, Relation(Rows.BAG))
    for world in worlds:
        answers = world.pred.run(one.sql, CAPS), world.gold.run(other.sql, CAPS)
        failed = [isinstance(each, Failure) for each in answers]
        choice = any(plan.has_choices or plan.window != (0, None) for plan in pair.plans)
        narrow = one.has_narrow_fractions or other.has_narrow_fractions
        if not any(failed) and not choice and not narrow and not replays(pair, world, CAPS):
            found.broken.append(f"MISREAD {pred}\n     || {gold}\n{_shown(world, answers)}")
            return
        if any(failed) or choice or not isinstance(verdict, Equivalent):
            continue
        ours, theirs = answers
        assert not isinstance(ours, Failure)
        assert not isinstance(theirs, Failure)
        if not same_result(ours.rows, theirs.rows, pair.relation):
            found.broken.append(f"WRONG {pred}\n   || {gold}\n{_shown(world, answers)}")
            return


def _shown(world: CrossedSession, answers: tuple[object, ...]) -> str:
    lines = [repr(getattr(each, "rows", each)) for each in answers]
    for table in ("t", "u"):
        lines += [f"{table} {row}" for row in world.core.connection.execute(f"SELECT * FROM {table}")]
    return "\n".join(lines)


def main() -> None:
    """Attack, and print what broke."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dialects")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--databases", type=int, default=12)
    given = parser.parse_args()
    found = attacked(given.dialects, given.seed, given.queries, given.databases)
    for each in found.broken:
        print(each, end="\n\n")
    print(dict(found.counts), "broken:", len(found.broken))


if __name__ == "__main__":
    main()
