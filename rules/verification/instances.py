"""Instances of a rule: queries that it rewrites, on every schema pattern on which its guards let it fire.

A schema pattern is a schema with other types, keys, columns and promises, queries left as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from functools import cache

from equiv.answers.pair import Pair
from equiv.core.model import Column, Schema, Table
from equiv.dialects.registry import reference
from equiv.errors import InputError
from equiv.facts import FactKind, Facts
from equiv.relation import Relation, Rows
from equiv.rewrite.rule import Rule
from equiv.rules.verification.golden import GOLDEN, Case, UnmetError, World, read_cases
from equiv.verdict import Step

Change = Callable[[Table], Table]


def _with_columns(table: Table, change: Callable[[Column], Column]) -> Table:
    return replace(table, columns=tuple(map(change, table.columns)))


def _typed(name: str) -> Change:
    return lambda table: _with_columns(table, lambda column: replace(column, declared_type=name))


def _strict(table: Table) -> Table:
    return _with_columns(table, lambda column: replace(column, not_null=True))


def _nullable(table: Table) -> Table:
    own = table.rowid_alias
    return _with_columns(table, lambda column: replace(column, not_null=column.name == own))


def _without_keys(table: Table) -> Table:
    return _nullable(replace(table, primary_key=(), unique=(), foreign_keys=()))


def _with_nullable_keys(table: Table) -> Table:
    """Every primary key becomes UNIQUE: it admits rows with a NULL."""
    keys = (table.primary_key,) if table.primary_key else ()
    return _nullable(replace(table, primary_key=(), unique=tuple(dict.fromkeys((*keys, *table.unique)))))


def _wide(table: Table) -> Table:
    return replace(table, columns=(*table.columns, Column("extra_1"), Column("extra_2", "TEXT")))


def _with_wide_keys(table: Table) -> Table:
    """A primary key of one column gets a second."""
    if len(table.primary_key) != 1:
        return _wide(table)
    return replace(_wide(table), primary_key=(*table.primary_key, "extra_1"))


PATTERNS: dict[str, Change] = {
    "untyped": _typed(""),
    "integer": _typed("INTEGER"),
    "text": _typed("TEXT"),
    "real": _typed("REAL"),
    "numeric": _typed("NUMERIC"),
    "not null": _strict,
    "nullable": _nullable,
    "no keys": _without_keys,
    "nullable keys": _with_nullable_keys,
    "wide": _wide,
    "wide keys": _with_wide_keys,
}
"""How each table of a schema is changed, by name."""


def _collated(name: str, step: int = 1) -> Change:
    """The collation of every column, or of every so-many-th; SQLite gives one to columns of any type."""

    def change(table: Table) -> Table:
        columns = tuple(
            replace(column, collation=name if place % step == 0 else "BINARY")
            for place, column in enumerate(table.columns, 1)
        )
        return replace(table, columns=columns)

    return change


COLLATED: dict[str, Change] = {
    "nocase": _collated("NOCASE"),
    "rtrim": _collated("RTRIM"),
    "half nocase": _collated("NOCASE", step=2),
}
"""Patterns of other collations than BINARY, of which the algebra has few: databases are tried on them."""


def worlds(world: World) -> Iterator[tuple[str, World]]:
    """A world as written, what of it SQLite itself enforces, and every pattern of it that can be made."""
    yield "as written", world
    yield "declared", replace(world, policy="declared")
    yield from _changed(world, PATTERNS)


def collated_worlds(world: World) -> Iterator[tuple[str, World]]:
    """The patterns of a world under other collations than BINARY."""
    yield from _changed(world, COLLATED)


def _changed(world: World, patterns: dict[str, Change]) -> Iterator[tuple[str, World]]:
    for name, change in patterns.items():
        tables = tuple(replace(change(table), ddl="") for table in world.schema.tables)
        try:
            statements = reference().create(Schema(tables, world.schema.views))
            yield name, replace(world, ddl=";\n".join(statements))
        except InputError:
            continue


HEADINGS = ("Before:", "After:", "Refuse:", "Sound:")
"""Of a rule's documentation."""

_ARITHMETIC = (FactKind.EXACT_ARITHMETIC, FactKind.NO_OVERFLOW)


@dataclass(frozen=True, slots=True)
class Seed:
    """A query that a rule rewrites in the world in which it is written."""

    place: str
    """``documentation``, or the golden case."""
    world: World
    sql: str
    rows: Rows
    """How the results are compared."""


@dataclass(frozen=True, slots=True)
class Instance:
    """One application of a rule, with the facts that its guards name."""

    place: str
    pattern: str
    world: World
    step: Step

    @property
    def pair(self) -> Pair:
        """The query before and after, with no facts but those the guards name and those about arithmetic.

        Raises:
            UnmetError: one of the two cannot be read.
        """
        arithmetic = (fact for kind in _ARITHMETIC for fact in self.world.facts.of(kind))
        pred, gold = self.world.read(self.step.before), self.world.read(self.step.after)
        relation = Relation(Rows(self.step.under))
        return Pair(pred, gold, self.world.schema, Facts((*self.step.facts, *arithmetic)), relation)


def section(rule: Rule, heading: str) -> str:
    """The text under a heading of a rule's documentation, on one line."""
    others = "|".join(HEADINGS)
    found = re.search(rf"{heading}(.*?)(?=\n\s*(?:{others})|\Z)", rule.doc, re.DOTALL)
    return " ".join(found[1].split()) if found else ""


@dataclass(frozen=True, slots=True)
class Book:
    """Where queries that a rule rewrites are found."""

    world: World
    """The schema of the documented query."""
    cases: tuple[Case, ...] = ()
    """Golden cases."""


def book_of(rule: Rule) -> Book:
    """The golden file of a rule; the world is the one in which the rule fires first.

    Raises:
        InputError: there is no such file.
    """
    cases = cases_of(rule.name)
    firing = [case for case in cases if rule.name in case.options.get("expect", ())]
    world = (firing or cases)[0].world
    assert world is not None
    return Book(world, cases)


def cases_of(rule: str) -> tuple[Case, ...]:
    """The golden cases of the file of a rule: the one in which most cases expect or refuse it.

    Raises:
        InputError: no golden case names it.
    """
    most: tuple[Case, ...] = max(_golden_rules(), key=lambda cases: _mentions(rule, cases), default=())
    if not _mentions(rule, most):
        raise InputError(f"{rule}: there is no golden case of this rule")
    return most


def _mentions(rule: str, cases: tuple[Case, ...]) -> int:
    """How many cases expect or refuse a rule."""
    return sum(rule in (*case.options.get("expect", ()), *case.options.get("refuse", ())) for case in cases)


@cache
def _golden_rules() -> tuple[tuple[Case, ...], ...]:
    """The cases of each golden file of rules."""
    return tuple(tuple(read_cases(path)) for path in sorted((GOLDEN / "rules").glob("*.sql")))


def instances(
    rule: Rule,
    patterns: Collection[str] | None = None,
    book: Book | None = None,
    *,
    made: Callable[[World], Iterator[tuple[str, World]]] = worlds,
) -> Iterator[Instance]:
    """The applications of a rule to its documented query and in its golden cases, each once.

    Args:
        rule: the rule, which alone is applied.
        patterns: the names of the schema patterns that count; None: all.
        book: where its queries are found; None: in its golden file.
        made: the schema patterns of a world.
    """
    seen: set[tuple[World, Step]] = set()
    for seed in _seeds(rule, book or book_of(rule)):
        for name, world in made(seed.world):
            if patterns is None or name in patterns:
                for step in _steps(rule, seed, world):
                    if (world, step) not in seen:
                        seen.add((world, step))
                        yield Instance(seed.place, name, world, step)


def _seeds(rule: Rule, book: Book) -> Iterator[Seed]:
    yield Seed("documentation", book.world, section(rule, "Before:"), rule.under)
    for case in book.cases:
        if case.world is not None and rule.name in case.options.get("expect", ()):
            rows = Rows(case.option("rows", "list"))
            for step in case.world.norm(case.parts[0], rows=rows).steps:
                if step.rule == rule.name:
                    yield Seed(case.name, case.world, step.before, rows)


def _steps(rule: Rule, seed: Seed, world: World) -> Iterator[Step]:
    try:
        found = world.norm(seed.sql, (rule,), seed.rows)
    except UnmetError:
        return
    for step in found.steps:
        if step.rule == rule.name:
            yield replace(step, facts=tuple(dict.fromkeys(step.facts)))
