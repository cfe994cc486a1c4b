"""Worlds in a dialect's own words: random schemas, rows of nasty values, and questions in several ways.

Databases of a world are made on the engine of its dialect, where pairs part and texts turn out to be
misread.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from random import Random
from string import Template

from equiv.answers.answers import (
    CAREFUL_RUNS,
    AnswerPlan,
    Arithmetic,
    DatabaseFinding,
    explains,
    find,
    outcomes,
)
from equiv.answers.choices import register
from equiv.answers.compare import same_result
from equiv.answers.pair import Pair
from equiv.cells import Cell, Row
from equiv.core.query import Query
from equiv.core.runner import Failure, Guarded, Result, RunnerError
from equiv.dialects.protocol import DialectEngine, Session
from equiv.dialects.words import COMPARED, KINDS, Words, kind_of
from equiv.relation import Relation, Rows
from equiv.tiers.bindings import signed
from equiv.tiers.witness import CAPS

VALUES = {
    "number": ("0", "1", "-1", "2", "3", "0.5", "1.5", "2.5", "-0.5", "-2.5", "2.25", "-3"),
    "text": ("", "a", "A", "b", "ab", "aB", "AB", "a ", " a", "a%", "É", "1", "2", "abc"),
    "boolean": ("true", "false"),
    "date": (
        *("2000-01-01", "1999-12-31", "2000-02-29", "2000-03-31", "2001-01-01", "2000-01-02", "2001-02-03"),
        *("2001-03-02", "2000-04-02", "2000-10-29", "2000-03-26"),
    ),
    "time": ("00:00:00", "00:00:00", "12:34:56", "23:59:59.5", "01:30:00", "02:30:00"),
    "instant": (
        *("2000-01-01 00:00:00+00", "1999-12-31 23:59:59.5+00", "2000-01-01 05:00:00+00"),
        *(
            "1999-12-31 18:15:00+00",
            "2001-01-01 03:30:00+00",
            "2001-02-03 00:00:00+00",
            "2000-02-29 13:00:00+00",
        ),
        *("2000-04-02 06:59:59+00", "2000-04-02 07:00:00+00", "2000-04-02 07:30:00+00"),
        *("2000-10-29 05:30:00+00", "2000-10-29 06:30:00+00", "2000-10-29 06:00:00+00"),
        *(
            "2000-03-25 14:30:00+00",
            "2000-03-25 15:00:00+00",
            "2000-03-25 15:20:00+00",
            "2000-03-26 01:30:00+00",
        ),
        *(
            "2000-08-26 15:29:59+00",
            "2000-08-26 15:30:00+00",
            "2011-12-30 09:59:59+00",
            "2011-12-30 10:00:00+00",
        ),
        *("2000-10-29 03:31:00+00", "2000-10-29 04:31:00+00", "2000-04-02 03:31:00+00"),
    ),
}
"""The values of each kind of column, and the times of timestamps; instants around changes of clocks."""

UNLESS_TAKEN = " ON CONFLICT DO NOTHING"
"""Behind an INSERT into a table with keys: a row whose key is there already is skipped."""

COLUMNS = "".join(KINDS.values())
REFERENCED = 0.7
"""The share of schemas in which ``u.pid`` refers to ``t.id``."""


@dataclass(frozen=True)
class DrawnWorld:
    """Two tables, ``t`` and ``u``, of the same columns."""

    types: Mapping[str, Mapping[str, str]]
    constraints: Mapping[str, tuple[str, ...]]
    stated: Mapping[str, str] = field(default_factory=dict)
    """The settings that its script states."""

    @property
    def script(self) -> str:
        """The statements that state settings and make the tables."""
        return "\n".join((*(f"SET {name} = '{value}';" for name, value in self.stated.items()), self.ddl))

    @property
    def ddl(self) -> str:
        """The statements that make the tables."""
        made = []
        for table, types in self.types.items():
            columns = [f"{name} {kind}" for name, kind in types.items()]
            made.append(f"CREATE TABLE {table} ({', '.join((*columns, *self.constraints[table]))});")
        return "\n".join(made)

    def rows(self, random: Random) -> list[str]:
        """Statements that insert rows, each of which a constraint may refuse."""
        drawn, found, ids = _Cells(random), [], list[str]()
        for table, types in self._required().items():
            keys = [each for each in self.constraints[table] if each.startswith(("PRIMARY", "UNIQUE"))]
            for _ in range(random.choice((0, 1, 2, 3, 5, 7))):
                cells = {name: drawn.cell(name, kind) for name, kind in types.items()}
                if table == "t":
                    ids.append(cells["id"])
                elif ids and cells["pid"] not in ("NULL", *ids):
                    cells["pid"] = random.choice(ids)
                values = ", ".join(cells.values())
                found.append(f"INSERT INTO {table} VALUES ({values}){UNLESS_TAKEN if keys else ''};")
        return found

    def _required(self) -> dict[str, dict[str, str]]:
        """The types by table and column, those of a primary key NOT NULL as well."""
        found = {}
        for table, types in self.types.items():
            primary = next((each for each in self.constraints[table] if each.startswith("PRIMARY")), "")
            there = primary.partition("(")[2].rstrip(")").split(", ")
            found[table] = {
                name: f"{kind} NOT NULL" if name in there else kind for name, kind in types.items()
            }
        return found


class _Cells:
    """Draws cells of one database: few values, so that they meet."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._nulls = random.choice((0.0, 0.15, 0.4))
        self._few = {
            kind: random.sample(values, min(len(values), random.choice((1, 2, 3, 5))))
            for kind, values in VALUES.items()
        }

    def cell(self, name: str, type_name: str) -> str:
        """A constant of a column's type."""
        random, kind = self._random, kind_of(name)
        if "NOT NULL" not in type_name and random.random() < self._nulls:
            return "NULL"
        if name in ("id", "pid"):
            return str(random.randint(0, 7))
        value = random.choice(self._few[kind] if random.random() < 0.85 else VALUES[kind])
        if name in "ij":
            value = str(round(float(value)))
        if kind == "number":
            return f"({value})"
        if name in "my":
            value += f" {random.choice(self._few['time'])}"
        length = type_name.partition("(")[2].partition(")")[0]
        return f"'{value[: int(length)] if length.isdigit() else value}'"


def world(words: Words, random: Random) -> DrawnWorld:
    """A schema with some keys, a reference, and columns that are NOT NULL, drawn at random."""
    references = random.random() < REFERENCED
    types, constraints = dict[str, dict[str, str]](), dict[str, tuple[str, ...]]()
    for table in ("t", "u"):
        columns = {"id": "integer", "pid": "integer"}
        columns |= {name: random.choice(words.types[name]) for name in COLUMNS}
        types[table] = {name: kind + " NOT NULL" * (random.random() < 0.25) for name, kind in columns.items()}
        is_parent = table == "t" and references
        constraints[table] = tuple(_constraints(words, random, is_parent=is_parent))
    if references:
        constraints["u"] += ("FOREIGN KEY (pid) REFERENCES t (id)",)
    return DrawnWorld(types, constraints)


def _constraints(words: Words, random: Random, *, is_parent: bool) -> list[str]:
    found = []
    if is_parent or random.random() < 0.7:
        found.append("PRIMARY KEY (id)")
    elif random.random() < 0.4:
        found.append("PRIMARY KEY (pid, i)")
    for _ in range(random.choice((0, 0, 1, 2))):
        key = random.sample(COLUMNS, random.choice((1, 1, 2)))
        found.append(f"{random.choice(words.unique)} ({', '.join(key)})")
    if random.random() < 0.3:
        found.append(random.choice(words.checks))
    return found


AnswersOfBoth = tuple[Result, Result]
"""What the queries of a pair answer, or a text on the engine and its reading on the core."""

_EXACT = Arithmetic(exact=True, bounded=True)


@dataclass(frozen=True, slots=True)
class Parting:
    """A database, as a script, on which two answers part that should not."""

    script: str
    rows: tuple[tuple[Row, ...], tuple[Row, ...]]


class AskedText:
    """An open database that is asked about texts, each once.

    Args:
        session: the database.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._answers: dict[str, Result | Failure] = {}

    def parted(self, pair: Pair) -> AnswersOfBoth | None:
        """The answers of a pair where they part, whatever choices are made; None where one is an error."""
        pred, gold = (self._of(query.sql) for query in (pair.pred, pair.gold))
        if isinstance(pred, Failure) or isinstance(gold, Failure):
            return None
        if are_same(pair, pred.rows, gold.rows) or self._is_open(pair, (pred, gold)):
            return None
        return pred, gold

    def _is_open(self, pair: Pair, answers: AnswersOfBoth) -> bool:
        """Whether free choices or rounding explain that two answers part.

        The core then distinguishes the queries not, and each answer is one that the core allows.
        """
        if any(plan.opaque for plan in pair.plans):
            return False
        core, exact = self._core, pair.exact_arithmetic
        if find(core, *pair.plans, pair.relation, CAPS, exact_arithmetic=exact) is DatabaseFinding.APART:
            return False
        sides = zip((pair.pred, pair.gold), pair.plans, answers, strict=True)
        return all(explains(core, plan, CAPS, signed(found, query)) for query, plan, found in sides)

    def misread(self, query: Query, plan: AnswerPlan) -> AnswersOfBoth | None:
        """The answers of a text and of its reading, where the core does not allow what the engine answers.

        None also where either is an error, where rounding explains it, and where there are so many choices
        that not each was made.
        """
        found = self._of(query.sql)
        if plan.opaque or isinstance(found, Failure) or explains(self._core, plan, CAPS, found):
            return None
        foreseen = outcomes(self._core, plan, CAPS, runs=CAREFUL_RUNS)
        if isinstance(foreseen, Failure) or not (foreseen.is_complete or len(foreseen.seen) == 1):
            return None
        ours = self._core.run(plan.sql, CAPS)
        if isinstance(ours, Failure) or (plan.computes and explains(self._core, plan, CAPS, found, _EXACT)):
            return None
        return found, ours

    @cached_property
    def _core(self) -> Guarded:
        found = self._session.core
        register(found.connection)
        return found

    def _of(self, text: str) -> Result | Failure:
        if text not in self._answers:
            self._answers[text] = self._session.run(text, CAPS)
        return self._answers[text]


def are_same(pair: Pair, pred: Sequence[Row], gold: Sequence[Row]) -> bool:
    """Whether the answers of a pair are the same under its relation."""
    rows = _told_apart(pred, pair.pred), _told_apart(gold, pair.gold)
    return same(*rows, pair.relation, (pair.pred.orders, pair.gold.orders))


def same(one: Sequence[Row], other: Sequence[Row], relation: Relation, orders: tuple[bool, bool]) -> bool:
    """Whether two answers are the same; a list only as far as both queries order their rows."""
    if relation.rows is not Rows.LIST or all(orders):
        return same_result(one, other, relation)
    if any(orders) and len(set(one)) > 1:
        return False
    return same_result(one, other, Relation(Rows.BAG, relation.columns))


def _told_apart(rows: Sequence[Row], query: Query) -> Sequence[Row]:
    """Rows whose values bear the name of their family, numbers apart: values of two are never equal."""
    families = [each.partition("(")[0] for each in query.types]
    marks = ["" if family == "number" else f"{family}: " for family in families]
    return [tuple(map(_marked, row, marks)) for row in rows] if any(marks) else rows


def _marked(cell: Cell, mark: str) -> Cell:
    return f"{mark}{cell!r}" if mark and cell is not None else cell


def kept_rows(world: DrawnWorld, rows: Sequence[str], engine: DialectEngine) -> list[str]:
    """The rows that the constraints of a world let in, in their order."""

    def runs(some: Sequence[str]) -> bool:
        try:
            engine.replay(script(world, some)).close()
        except RunnerError:
            return False
        return True

    if runs(rows):
        return list(rows)
    kept: list[str] = []
    for row in rows:
        if runs([*kept, row]):
            kept.append(row)
    return kept


def script(world: DrawnWorld, rows: Sequence[str]) -> str:
    """Tables and rows as one script."""
    return "\n".join((world.ddl, *rows)) + "\n"


Try = Callable[[AskedText], AnswersOfBoth | None]
"""What is wrong on a database; None if nothing is."""


def shrunk(
    trial: Try, world: DrawnWorld, rows: Sequence[str], engine: DialectEngine, answers: AnswersOfBoth
) -> Parting:
    """The database on which answers part, without the rows that the difference does not need."""

    def tried(some: Sequence[str]) -> Parting | None:
        text = script(world, some)
        try:
            with engine.replay(text) as session:
                found = trial(AskedText(session))
        except RunnerError:
            return None
        return None if found is None else Parting(text, (found[0].rows, found[1].rows))

    smallest, kept = Parting(script(world, rows), (answers[0].rows, answers[1].rows)), list(rows)
    for row in reversed(rows):  # first those that refer to others
        fewer = [each for each in kept if each is not row]
        smaller = tried(fewer)
        if smaller is not None:
            kept, smallest = fewer, smaller
    return tried([row.replace(UNLESS_TAKEN, "") for row in kept]) or smallest


CONDITIONS = (
    "$ = #",
    "$ IS NOT NULL",
    "$ > #",
    "$ IN (#, #)",
    "$ IS NULL",
    "$ <> #",
    "NOT $ < #",
    "$ BETWEEN # AND #",
)
"""Conditions on a value ``$``, with constants ``#``."""

WRAPPED = ("", "", "x", "xy", "xv", "xyvw", "v", "y")
"""Which of the values of a question are wrapped, each as often as it stands here."""


HANGING = 0.8
"""Where settings are drawn, the share of questions whose answers may depend on them."""

OTHER = 0.15
"""The share of constants of time that mean another than the question's."""

TIMES = tuple(
    datetime.fromisoformat(text)
    for text in (
        *("2000-01-01", "2000-01-01", "1999-12-31", "2001-02-03", "2001-03-02", "2000-02-29", "2000-10-29"),
        *("2000-04-02", "2000-03-26", "2001-01-01", "2000-04-02 07:00:00", "2000-10-29 06:00:00"),
        *("2000-10-29 01:30:00", "2000-04-02 02:30:00", "2000-03-25 15:00:00", "1999-12-31 23:30:00"),
    )
)
"""The times of questions; some are none, or two, in a zone whose clocks change."""

APART = tuple(timedelta(minutes=each) for each in (-1440, -300, -60, -30, 30, 60, 300, 330, 345, 1440))
"""How far another time lies from the question's."""


class OwnWordsQuestions:
    """Draws questions on tables ``t`` and ``u``.

    Args:
        words: the dialect's.
        random: what the questions depend on.
        hanging: the share of those whose answers may depend on settings.
    """

    def __init__(self, words: Words, random: Random, hanging: float = 0.0) -> None:
        self._words = words
        self._random = random
        self._hanging = hanging

    def ways(self, most: int) -> list[str]:
        """Up to so many different texts that ask one question, or nearly so."""
        hangs = self._random.random() < self._hanging
        ways = self._random.choice(self._words.hanging if hangs else self._words.questions)
        fixed, time, found = self.fixed(), self._random.choice(TIMES), dict[str, None]()
        for _ in range(2 * most):
            way = self._timed(self._random.choice(ways), time)
            found[Template(way).substitute(self.once(fixed))] = None
            if len(found) == most:
                break
        return list(found)

    def fixed(self) -> dict[str, str]:
        """The parts that all ways of a question share."""
        random, words = self._random, self._words
        columns = random.choice(COMPARED)
        x, y, v, w = (random.choice(columns) for _ in range(4))
        kind = kind_of(x)
        any_of = ["id", "pid", *COLUMNS]
        number = random.choice("noijf")
        return {
            "kind": kind, "xn": x, "yn": y, "vn": v, "wn": w, "an": number,
            "x": f"t.{x}", "y": f"t.{y}", "v": f"u.{v}", "w": f"u.{w}",
            "l": random.choice(words.literals[kind]), "m": random.choice(words.literals[kind]),
            "s": f"t.{random.choice(any_of)}", "r": f"t.{random.choice(any_of)}",
            "p": self._condition("t"), "q": self._condition("u"),
            "a": f"t.{number}", "o": f"t.{random.choice('noijf')}", "i": f"t.{random.choice('ij')}",
            "c": f"t.{random.choice('ccvvse')}", "d": f"t.{random.choice('dm')}",
            "b": f"t.{random.choice('bg')}", "g2": f"t.{random.choice('bg')}",
            "k": f"t.{random.choice('kl')}", "k2": f"t.{random.choice('kl')}",
            "ts": f"t.{random.choice('my')}", "day": f"t.{random.choice('dx')}",
            "other": random.choice(words.wrappers[kind]),
            "wraps": random.choice(WRAPPED),
        }  # fmt: skip

    def once(self, fixed: dict[str, str]) -> dict[str, str]:
        """The parts of one way: those that all share, and values, wrapped or not."""

        def wrapped(place: str, source: str) -> str:
            text = f"{source}.{fixed[place + 'n']}"
            if place not in fixed["wraps"]:
                return text
            others = self._words.wrappers[fixed["kind"]]
            other = fixed["other"] if self._random.random() < 0.85 else self._random.choice(others)
            return f"({other.replace('$', text)})"

        return {
            **fixed,
            "e": wrapped("x", "t"), "f": wrapped("y", "t"), "e2": wrapped("x", "z"),
            "g": wrapped("v", "u"), "h": wrapped("w", "u"),
        }  # fmt: skip

    def _timed(self, way: str, time: datetime) -> str:
        """A way with its constants of time, each written in some way, some of another time."""
        for mark, kind in (("$D", "date"), ("$T", "timestamp"), ("$U", "instant")):
            while mark in way:
                own = time + self._random.choice(APART) if self._random.random() < OTHER else time
                told = own.strftime(self._random.choice(self._words.spellings[kind]))
                way = way.replace(mark, told.replace("$", "$$"), 1)
        return way

    def _condition(self, source: str) -> str:
        column, text = self._random.choice(COLUMNS), self._random.choice(CONDITIONS)
        literals = self._words.literals[kind_of(column)]
        while "#" in text:
            text = text.replace("#", self._random.choice(literals), 1)
        return text.replace("$", f"{source}.{column}")
