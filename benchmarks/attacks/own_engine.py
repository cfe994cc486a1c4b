"""Published queries on the engine of their dialect: its readings attacked on drawn databases, and proofs.

Each text that the dialect translates runs on its engine, and its core translation on the same rows: the
answer must be one that the translation allows, its ORDER BY included.  With ``--claims`` the whole engine
decides each pair besides, and both texts of what it calls equivalent run on the same databases.  A third of
these are constructed for a pair as the engine does it, and the others drawn: values that conditions name,
their neighbours, NULLs, ties and nasty ones, within the constraints of the schema.  A function of the schema
whose body means nothing, NULL whatever it is given, means something random on each database: a value of its
type that hangs on the texts of its arguments, strict or not.

Usage: ``python -m benchmarks.attacks.own_engine postgres rewrites --databases 200``; exit code 1 if a reading
or a proof is broken.  What is done is kept in ``results/own_engine.jsonl``, and a rerun with the same code
goes on from there.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from importlib import import_module
from itertools import islice, pairwise
from pathlib import Path
from random import Random
from typing import Any

from sqlglot import exp

from benchmarks import ROOT
from benchmarks.across.attack import Attack, Remembering
from benchmarks.attacks.targets import Target, Texts, code_digest, digest, targets
from benchmarks.budget import within
from benchmarks.command import parser
from benchmarks.pairs.corpora import other_corpora
from equiv.answers.answers import AnswerPlan
from equiv.answers.pair import Pair
from equiv.cells import Cell, Row
from equiv.core.model import Column, Domain, Schema, Table
from equiv.core.query import Query, UnsupportedError
from equiv.core.reading.hints import literal_value
from equiv.core.runner import Failure, RunnerError
from equiv.core.single_values import sql_literal
from equiv.dialects.protocol import DialectEngine, Filled
from equiv.dialects.registry import dialect_named
from equiv.engine.pipeline import Engine
from equiv.generate.plan import databases as constructed
from equiv.graphs import depth_first_postorder
from equiv.relation import RELATION_NAMES, resolve_relation
from equiv.testing.fuzz.own_worlds import AnswersOfBoth, AskedText
from equiv.tiers.witness import CAPS
from equiv.verdict import Equivalent
from equiv.workers.scheduler import do_kept

KEPT = ROOT / "results" / "own_engine.jsonl"
SECONDS = 20.0
"""Of processor time for one verdict."""
TOGETHER = 4
"""How many pairs share databases."""
NEAR, COARSE = 1e-9, 2e-6
"""How far numbers may be apart; where an engine computes with 24 bits."""

_KNOWN = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
VALUES: Mapping[str, Sequence[Cell]] = _KNOWN["values"]
"""What trips queries up, by the kind of a column; an instant is a date and a time."""
MEANT: Mapping[str, Sequence[str]] = _KNOWN["meant"]
"""What functions of each type may result in, besides NULL and the constants of the texts."""
_CONSTANTS = {"bigint": r"\b\d{1,9}\b", "numeric": r"\b\d{1,9}\b", "text": r"'([^']*)'"}
_MEANINGLESS = re.compile(
    r"^CREATE FUNCTION (\w+)\(([^)]*)\) RETURNS (\w+) LANGUAGE (?:sql|plpgsql) IMMUTABLE"
    r" AS '(?:SELECT CAST\(NULL AS \3\)|BEGIN RETURN NULL; END)'",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Asked:
    """Some pairs on one schema, and how they are attacked."""

    target: Target
    pairs: tuple[Texts, ...]
    databases: int
    seed: int
    claims: bool

    @property
    def key(self) -> str:
        """SHA-256 of all that the outcome depends on."""
        version = dialect_named(self.target.options.dialect).engine.version
        own = self.target.place.digest, repr(self.target.options), version
        return digest(code_digest(), *own, self.pairs, self.databases, self.seed, self.claims)


def attacked(task: Asked) -> dict[str, Any]:
    """What came of some pairs, as a JSON object."""
    found, random = Attack(), Random(f"{task.seed} {task.pairs}")
    with task.target.opened() as engine:
        queries, pairs = _read(task, engine, found)
        # What the schema declares a function to mean, its reading computes.
        read = [query for query in queries if query.tree is not None and not query.labelled]
        readings = {query: _Reading(AnswerPlan(query, engine.schema, engine.facts)) for query in read}
        claims = _claimed(pairs, task.target, found) if task.claims else {}
        own = dialect_named(engine.schema.dialect).engine
        for filled in _databases(task.databases, pairs, queries, engine.schema, random) if queries else ():
            script = own.script(engine.schema, [*filled], filled)
            _attack_on(script + _meanings(script, queries, random), readings, claims, own, found)
        found.counts.update(f"text: {reading.end}" for reading in readings.values())
        found.counts.update(f"proof: {end}" for end in claims.values())
    return {"ends": dict(found.counts), "broken": found.broken}


def _read(task: Asked, engine: Engine, found: Attack) -> tuple[list[Query], list[Pair]]:
    """The distinct texts that are translated, and the pairs of these; the others are counted.

    Claims are also of texts that are translated for proofs alone.
    """
    queries: dict[str, Query] = {}
    for text in dict.fromkeys(text for _, *texts in task.pairs for text in texts):
        query = engine.read(text)
        if isinstance(query, Query) and (query.outline if task.claims else query).tree is not None:
            queries[text] = query
        if not isinstance(query, Query) or query.tree is None:
            why = f"unsupported {query.unsupported}" if isinstance(query, Query) else "invalid"
            found.counts[f"text: {why[:80]}"] += 1
    relation = resolve_relation(engine.relation, gold_orders=False)
    read = [(queries[pred], queries[gold]) for _, pred, gold in task.pairs if {pred, gold} <= queries.keys()]
    alone = [(query, query) for query in queries.values()] if not read else []
    return list(queries.values()), [engine.pair(*both, relation) for both in (*read, *alone)]


def _claimed(pairs: Sequence[Pair], target: Target, found: Attack) -> dict[Pair, str]:
    """The pairs that the engine calls equivalent, under the relation of the verdict, and how each ends."""
    claims: dict[Pair, str] = {}
    with ExitStack() as stack:
        judge = stack.enter_context(target.opened())
        for pair in pairs:
            verdict = within(SECONDS, judge.check, pair.pred.sql, pair.gold.sql)
            found.counts[f"pair: {'out of time' if verdict is None else verdict.name}"] += 1
            if verdict is None:
                judge = stack.enter_context(target.opened())
            if isinstance(verdict, Equivalent) and pair.pred.sql != pair.gold.sql:
                claims[replace(pair, relation=verdict.relation)] = "never ran"
    return claims


@dataclass
class _Reading:
    """A text with what its translation allows, and what came of it so far."""

    plan: AnswerPlan
    end: str = "never ran"


def _attack_on(
    script: str, readings: dict[Query, _Reading], claims: dict[Pair, str], own: DialectEngine, found: Attack
) -> None:
    """Ask all that still stands on the database of a script; what falls is told."""
    try:
        session = own.replay(script)
    except RunnerError as error:
        found.counts[f"database: refused: {str(error)[:60]}"] += 1
        return
    with Remembering(session) as remembering:
        asked = AskedText(remembering)
        found.counts["database"] += 1
        for query, reading in readings.items():
            if reading.end == "different":
                continue
            answer = remembering.run(query.sql, CAPS)
            if isinstance(answer, Failure):
                reading.end = f"never ran: {answer.message[:40]}" if "never" in reading.end else reading.end
            elif answers := _misread(query, reading.plan, asked, remembering):
                reading.end = "different"
                found.broken.append(_told(f"MISREAD {query.sql}\ncore: {query.core_sql}", script, answers))
            elif reading.end != "same":
                reading.end = "same" if answer.rows else "same, and always empty"
        for pair in tuple(claims):
            if (answers := asked.parted(pair)) and not _are_near(*answers, _near(pair.pred, pair.gold)):
                del claims[pair]
                texts = f"{pair.pred.sql}\n{pair.gold.sql}"
                found.broken.append(_told(f"WRONG under {pair.relation}\n{texts}", script, answers))
            elif claims[pair] != "stands":
                ran = [remembering.run(query.sql, CAPS) for query in (pair.pred, pair.gold)]
                shown = [each.rows for each in ran if not isinstance(each, Failure)]
                if len(shown) == 2:
                    claims[pair] = "stands" if any(shown) else "stands, and always empty"


def _misread(query: Query, plan: AnswerPlan, asked: AskedText, session: Remembering) -> AnswersOfBoth | None:
    """The answers of engine and core where the translation does not allow the former, or orders otherwise."""
    near = _near(query)
    answers = asked.misread(query, plan)
    if answers is not None:
        return None if _are_near(*answers, near) else answers
    keys = () if plan.has_choices or query.tree is None else _sorted_by(query.tree)
    theirs, ours = session.run(query.sql, CAPS), session.core.run(query.core_sql, CAPS)
    if isinstance(theirs, Failure) or isinstance(ours, Failure) or len(theirs.rows) != len(ours.rows):
        return None
    shown = ([tuple(row[at] for at in keys) for row in each.rows] for each in (theirs, ours))
    in_order = all(map(lambda one, other: _alike(one, other, near), *shown))
    return None if in_order else (theirs, ours)


def _sorted_by(tree: exp.Expression) -> tuple[int, ...]:
    """The columns, from 0, that a query sorts by first, as far as it shows them."""
    selects = tree.selects if isinstance(tree, exp.Query) else []
    places: dict[object, int] = {each.unalias(): at for at, each in enumerate(selects)}
    places |= {each.alias_or_name.lower(): at for at, each in enumerate(selects) if each.alias_or_name}
    found: list[int] = []
    order = tree.args.get("order")
    for key in order.expressions if order is not None else ():
        node = key.this
        named = node.name.lower() if isinstance(node, exp.Column) and not node.table else node
        number = int(node.name) - 1 if isinstance(node, exp.Literal) and node.is_int else None
        place = places.get(named) if number is None else number
        if place is None:
            break
        found.append(place)
    return tuple(found)


def _near(*queries: Query) -> float:
    return COARSE if any(query.has_narrow_fractions for query in queries) else NEAR


def _are_near(one: Any, other: Any, near: float) -> bool:
    """Whether two answers of numbers of 24 bits are the same, in any order."""
    if near == NEAR or len(one.rows) != len(other.rows):
        return False
    return all(
        _alike(*rows, near)
        for rows in zip(sorted(one.rows, key=_order), sorted(other.rows, key=_order), strict=True)
    )


def _order(row: Row) -> list[tuple[bool, bool, float, str]]:
    numbers = [round(float(cell), 3) if isinstance(cell, int | float) else 0.0 for cell in row]
    return [
        (cell is None, isinstance(cell, str), number, str(cell) if isinstance(cell, str) else "")
        for cell, number in zip(row, numbers, strict=True)
    ]


def _alike(one: Row, other: Row, near: float) -> bool:
    return all(
        math.isclose(left, right, rel_tol=near, abs_tol=near)
        if isinstance(left, int | float) and isinstance(right, int | float)
        else left == right
        for left, right in zip(one, other, strict=True)
    )


def _told(head: str, script: str, answers: AnswersOfBoth) -> str:
    rows = (line for line in script.splitlines() if line.startswith("INSERT"))
    return "\n".join((head, *rows, *(repr(each.rows) for each in answers)))


def _meanings(script: str, queries: Iterable[Query], random: Random) -> str:
    """Statements that give each function of a script that means nothing a random meaning."""
    found, texts = [], " ".join(query.sql for query in queries)
    for name, parameters, result in _MEANINGLESS.findall(script):
        if result not in MEANT:
            continue
        pool = [*dict.fromkeys((*MEANT[result], *re.findall(_CONSTANTS.get(result, "$^"), texts)))]
        values = [sql_literal(each) for each in random.sample(pool, random.choice((1, 2)))]
        values += random.choice(((), ("NULL",), [sql_literal(random.choice(pool))]))
        places = range(1, 1 + len(parameters.split(", "))) if parameters else ()
        given = " || ',' || ".join(f"quote_nullable(${at}::text)" for at in places) or "''"
        place = f"1 + (hashtextextended({given}, {random.getrandbits(32)}) & 1023) % {len(values)}"
        body = f"SELECT (CAST(ARRAY[{', '.join(values)}] AS {result}[]))[{place}]"
        head = f"CREATE OR REPLACE FUNCTION {name}({parameters}) RETURNS {result} LANGUAGE sql IMMUTABLE"
        found.append(f"{head}{random.choice(('', ' STRICT'))} AS $${body}$$;\n")
    return "".join(found)


def _databases(
    count: int, pairs: Sequence[Pair], queries: Sequence[Query], schema: Schema, random: Random
) -> Iterator[Filled]:
    """Rows for the tables that queries read, a third constructed for one pair after the other."""
    maker, left = Rows(queries, schema), count
    share = math.ceil(count / 3 / len(pairs))
    for pair in pairs:
        try:
            for made in islice(constructed(pair, share), min(share, left)):
                left -= 1
                yield {**maker.empty, **made.tables}
        except UnsupportedError:
            continue
    for _ in range(left):
        yield maker.database(random)


class Rows:
    """Draws rows for the tables that some queries read, and for those that these refer to.

    Args:
        queries: the queries; columns that they compare with one another get the same few values.
        schema: the tables.
    """

    def __init__(self, queries: Iterable[Query], schema: Schema) -> None:
        self._parents: dict[str, str] = {}
        self._constants: dict[str, dict[Cell, None]] = defaultdict(dict)
        named: list[Table] = []
        trees = (query.outline.tree for query in queries)
        for tree in (each for each in trees if each is not None):
            named += [found for each in tree.find_all(exp.Table) if (found := schema.table(each.name))]
            for node in tree.find_all(exp.Predicate, exp.Func):
                if not isinstance(node, exp.Exists) and not node.args.get("query"):
                    self._learn(node)
        self._loose = list(dict.fromkeys(value for values in self._constants.values() for value in values))
        self._tables = depth_first_postorder(
            list(dict.fromkeys(named)),
            lambda table: [each for key in table.foreign_keys if (each := schema.table(key.parent))],
        )

    @property
    def empty(self) -> Filled:
        """The tables without rows."""
        return {
            table.name: (tuple(c.name for c in table.columns if not c.generated), ())
            for table in self._tables
        }

    def _learn(self, node: exp.Condition) -> None:
        names = [each.name.lower() for each in node.find_all(exp.Column)]
        for one, other in pairwise(names):
            self._parents[self._root(one)] = self._root(other)
        for literal in node.find_all(exp.Literal) if names else ():
            self._constants[names[-1]][literal_value(literal)] = None

    def _root(self, name: str) -> str:
        while self._parents.get(name, name) != name:
            name = self._parents[name]
        return name

    def database(self, random: Random) -> Filled:
        """A few rows for each table, within its keys and references."""
        few, nulls = random.choice((1, 2, 3, 5)), random.choice((0.0, 0.1, 0.3))
        shared: dict[tuple[str, str], list[Cell]] = {}
        filled: dict[str, tuple[tuple[str, ...], list[Row]]] = {}

        def cell(column: Column) -> Cell:
            if not column.not_null and random.random() < nulls:
                return None
            place = self._root(column.name.lower()), column.native_type
            if place not in shared:
                shared[place] = [self._value(column, random) for _ in range(few)]
            return random.choice(shared[place]) if random.random() < 0.8 else self._value(column, random)

        for table in self._tables:
            columns = [column for column in table.columns if not column.generated]
            names = tuple(column.name for column in columns)
            rows: list[Row] = []
            for _ in range(random.choice((0, 1, 2, 4, 7)) if random.random() < 0.5 else random.randint(3, 8)):
                row = {column.name: cell(column) for column in columns}
                _refer(table, row, filled, random)
                if all(row[c.name] is not None for c in columns if c.not_null):
                    rows.append(tuple(row.values()))
            filled[table.name] = names, _unique(rows, table, names)
        return filled

    def _value(self, column: Column, random: Random) -> Cell:
        kind = _kind(column)
        if column.samples is not None:
            return random.choice([each for each in column.samples if isinstance(each, str)] or [None])
        roll, own = random.random(), list(self._constants.get(self._root(column.name.lower()), ()))
        pool = own if own and roll < 0.75 else self._loose if roll < 0.8 else ()
        fitting = [each for each in pool if _fits(each, kind) and column.stores(each)]
        if fitting:
            value = _beside(random.choice(fitting), kind, random)
            return value if column.stores(value) else random.choice(fitting)
        if kind == "timestamp":
            return " ".join(str(random.choice(VALUES[part])) for part in ("date", "time"))
        return random.choice([each for each in VALUES[kind] if column.stores(each)])


def _kind(column: Column) -> str:
    declared = column.declared_type.upper()
    if found := next((each for each in ("timestamp", "date") if each.upper() in declared), None):
        return found
    names = {Domain.INTEGER: "integer", Domain.NUMBER: "number", Domain.BOOLEAN: "boolean"}
    return names.get(column.domain, "text")


def _fits(value: Cell, kind: str) -> bool:
    match kind:
        case "integer":
            return isinstance(value, int)
        case "number":
            return isinstance(value, int | float)
        case "boolean":
            return isinstance(value, int) and value in (0, 1)
        case "date" | "timestamp":
            return isinstance(value, str) and _moment(value) is not None
    return isinstance(value, str) and "\0" not in value


def _moment(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text.removesuffix("+00"))
    except ValueError:
        return None


def _beside(value: Cell, kind: str, random: Random) -> Cell:
    """A value as its kind of column holds it, or one beside it."""
    stays = random.random() < 0.6
    if isinstance(value, str) and kind in ("date", "timestamp") and (moment := _moment(value)) is not None:
        steps = (-1, 1, 30, -365) if kind == "date" else (-1, 1, 1 / 86400, -1 / 86400)
        moment += timedelta(0 if stays else random.choice(steps))
        return date.isoformat(moment) if kind == "date" else moment.isoformat(" ", "seconds")
    if stays:
        return value
    if isinstance(value, str):
        plain = value.replace("%", random.choice(("", "x", "yz"))).replace("_", random.choice(("", "q")))
        return random.choice((plain, plain.swapcase(), plain + "x", plain[:-1], value))
    assert isinstance(value, int | float)
    return 1 - value if kind == "boolean" else value + random.choice((-1, 1, *((0.25,) * (kind == "number"))))


def _refer(table: Table, row: dict[str, Cell], filled: Filled, random: Random) -> None:
    """Let a row refer to rows that are there, or to none."""
    for key in table.foreign_keys:
        names, rows = next((filled[name] for name in filled if name.lower() == key.parent.lower()), ((), ()))
        lower = [name.lower() for name in names]
        places = [lower.index(each.lower()) for each in key.parent_columns if lower]
        parents = [tuple(parent[at] for at in places) for parent in rows]
        if not parents or random.random() < 0.1:
            parents = [(None,) * len(key.columns)]
        own = {each.lower(): each for each in row}
        row.update(zip((own[each.lower()] for each in key.columns), random.choice(parents), strict=True))


def _unique(rows: list[Row], table: Table, names: Sequence[str]) -> list[Row]:
    """The rows but those whose key stands before."""
    places = {name.lower(): at for at, name in enumerate(names)}
    for key in filter(None, (table.primary_key, *table.unique)):
        ats, seen = [places[name.lower()] for name in key], dict[Row, Row]()
        loose = [row for row in rows if any(row[at] is None for at in ats) and key != table.primary_key]
        for row in rows:
            if all(row[at] is not None for at in ats):
                seen.setdefault(tuple(row[at] for at in ats), row)
        rows = [*seen.values(), *loose]
    return rows


def tasks(name: str, given: argparse.Namespace) -> list[Asked]:
    """The tasks of a corpus."""
    made = []
    for target, pairs in targets(name, given.relation):
        texts = tuple((label, gold, gold) for label, _, gold in pairs) if given.golds else pairs
        once = tuple({each[1:]: each for each in texts}.values())
        made += [
            Asked(target, once[start : start + TOGETHER], given.databases, given.seed, given.claims)
            for start in range(0, len(once), TOGETHER)
        ]
    return made[:: given.every]


def main() -> int:
    """Attack some corpora and print what was found."""
    arguments = parser(
        __doc__,
        databases=30,
        seed=0,
        golds=(False, "the gold queries alone"),
        claims=(False, "decide each pair, and attack what is proved"),
        every=1,
        workers=2,
        kept=KEPT,
    )
    names = [each.name for each in other_corpora() if each.dialect]
    arguments.add_argument("corpus", nargs="+", choices=names)
    arguments.add_argument("--relation", choices=RELATION_NAMES, default="sql", help="of claims")
    given = arguments.parse_args()
    faults = 0
    for name in given.corpus:
        ends = Counter[str]()
        for done in do_kept(tasks(name, given), attacked, given.workers, given.kept):
            if done is None:
                faults += 1
                continue
            ends.update(done["ends"])
            faults += len(done["broken"])
            print(*done["broken"], sep="\n\n", end="\n\n" * bool(done["broken"]), flush=True)
        print(name, *(f"{number:6} {how}" for how, number in ends.most_common()), sep="\n")
    return int(faults > 0)


if __name__ == "__main__":
    # Worker processes find what they do by the name of its module, which is not __main__ there.
    sys.exit(import_module("benchmarks.attacks.own_engine").main())
