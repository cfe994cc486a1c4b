"""Random queries asked of two engines: what is called equivalent across dialects, and each reading by itself.

``python -m benchmarks.across.attack sqlite/postgres --queries 200 --seed 1`` draws queries in words that the
dialects share, decides each against itself, and against its transpilation, in the other dialect, and runs
both on databases that both engines store.  Printed is each pair that is called equivalent and answers
differently, and each query whose answer on its own engine is none that the core's text of it allows.  With
``--settings 8`` what is called equivalent also runs under so many drawn settings of each side's session, but
for those that the verdict names.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from random import Random

import sqlglot

from benchmarks.across.texts import DDL, Texts, rows
from equiv.answers.choices import functions as choice_functions
from equiv.answers.compare import same_result
from equiv.answers.pair import Pair
from equiv.cells import Row
from equiv.core.query import Query
from equiv.core.runner import Failure, Limits, RunnerError
from equiv.dialects.crossing.scripts import parted
from equiv.dialects.crossing.session import CrossedSession
from equiv.dialects.protocol import Session
from equiv.dialects.registry import dialect_named
from equiv.engine.engine import Engine
from equiv.engine.make import make_engine
from equiv.facts import FactKind
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


class Side:
    """One side of the databases of an attack, which answers under any settings of its dialect's session.

    Args:
        dialect: its name.
        scripts: one for each database.
    """

    def __init__(self, dialect: str, scripts: Sequence[str]) -> None:
        found = dialect_named(dialect)
        bare = [text.replace('"public".', "") for text in scripts]
        parts = [[each.strip() for each in found.reader.statements(text)] for text in bare]
        filled = [[each for each in some if each.upper().startswith("INSERT")] for some in parts]
        made = "".join(f"{each};\n" for each in parts[0] if each and each not in filled[0])
        words = found.words() if found.words is not None else None
        self.settings = {} if words is None else words.settings
        self._opened = None if words is None or words.databases is None else words.databases(made, filled)

    def drawn(self, random: Random, named: Mapping[str, str]) -> dict[str, str]:
        """Settings drawn at random, but for those that are named; dates and intervals are written as ever."""
        found = {name: random.choice(values) for name, values in self.settings.items()}
        order = {"DateStyle": f"ISO, {found['DateStyle'][-3:]}"} if "DateStyle" in found else {}
        own = {name: values[0] for name, values in self.settings.items() if name in WRITTEN}
        return {**found, **own, **order, **{name: value for name, value in named.items() if name in found}}

    def rows(self, number: int, settings: Mapping[str, str], text: str, session: Session) -> list[Row] | None:
        """The rows of a text; None if it is refused."""
        if self._opened is not None:
            return self._opened.rows(number, settings, [text])[0]
        found = session.run(text, CAPS)
        return None if isinstance(found, Failure) else list(found.rows)

    def close(self) -> None:
        """Close the databases."""
        if self._opened is not None:
            self._opened.close()


WRITTEN = ("IntervalStyle", "bytea_output", "extra_float_digits")
"""Settings that change how values are written alone, which two engines do in two ways anyhow."""


@dataclass(frozen=True)
class Worlds:
    """Open databases, and the two sides of them under settings.

    Attributes:
        sessions: under the engines' own.
        sides: of the prediction and of the gold query.
        settings: under how many drawn settings each pair runs on each database.
        random: what they are drawn from.
    """

    sessions: list[CrossedSession]
    sides: tuple[Side, Side]
    settings: int
    random: Random


def attacked(dialects: str, seed: int, queries: int, databases: int, settings: int = 0) -> Attack:
    """The findings on random pairs across two dialects.

    Args:
        dialects: the name of the dialect of pairs, as in ``sqlite/postgres``.
        seed: of what is drawn.
        queries: how many texts are drawn, each a pair or two.
        databases: how many databases each pair is run on.
        settings: under how many drawn settings each is run there, besides the engines' own.
    """
    pred, _, gold = dialects.partition("/")
    options = Options(dialect=pred, gold_dialect=gold, timeout=None, relation="bag", effort=30)
    schema = dialect_named(dialects).loader.read_ddl(DDL)
    found = Attack()
    with closing(make_engine(schema, None, options)) as engine:
        made = list(_databases(dialects, engine, Random(seed), databases))
        scripts = [parted(script) for script, _ in made] if settings else []
        sides = Side(pred, [one for one, _ in scripts]), Side(gold, [other for _, other in scripts])
        worlds = Worlds([session for _, session in made], sides, settings, Random(seed))
        found.counts["databases"] = len(made)
        for one, other in _pairs(pred, gold, Random(seed), queries):
            _attack_pair(engine, worlds, one, other, found)
        for opened in (*worlds.sessions, *sides):
            opened.close()
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


def _databases(
    dialects: str, engine: Engine, random: Random, count: int
) -> Iterator[tuple[str, CrossedSession]]:
    """Scripts and open databases with random rows that keep the facts and that both engines store."""
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
            yield script, session


def _attack_pair(engine: Engine, worlds: Worlds, pred: str, gold: str, found: Attack) -> None:
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
    for number, world in enumerate(worlds.sessions):
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
        if broken := _under_settings(worlds, number, pair, verdict, found):
            found.broken.append(f"WRONG {pred}\n   || {gold}\n{broken}\n{_shown(world, answers)}")
            return


def _under_settings(worlds: Worlds, number: int, pair: Pair, verdict: Equivalent, found: Attack) -> str:
    """The settings, each side's own, under which a database tells a pair apart; '' if none of so many do."""
    named = {fact.columns[0]: fact.expression for fact in verdict.facts if fact.kind is FactKind.SETTING}
    session = worlds.sessions[number]
    pred, gold = worlds.sides
    for _ in range(worlds.settings):
        drawn = pred.drawn(worlds.random, named), gold.drawn(worlds.random, named)
        ours = pred.rows(number, drawn[0], pair.pred.sql, session.pred)
        theirs = gold.rows(number, drawn[1], pair.gold.sql, session.gold)
        found.counts["under settings"] += 1
        if ours is not None and theirs is not None and not same_result(ours, theirs, pair.relation):
            return f"{drawn[0]}\n{drawn[1]}\n{ours}\n{theirs}"
    return ""


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
    parser.add_argument("--settings", type=int, default=0, help="drawn for each database and pair")
    given = parser.parse_args()
    found = attacked(given.dialects, given.seed, given.queries, given.databases, given.settings)
    for each in found.broken:
        print(each, end="\n\n")
    print(dict(found.counts), "broken:", len(found.broken))


if __name__ == "__main__":
    main()
