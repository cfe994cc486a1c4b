"""Facts: what schema, data or caller promise about every allowed database.

A fact has a kind, a place and a grade.  The same set of facts binds the
provers (which may rest on them) and the refuters (whose witnesses may not
violate them).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from equiv.names import fold, folded, is_same, quoted

END_OF_TIMESTAMPS = "9999-12-31 23:59:59.9995"
"""The first instant that SQLite, which rounds to milliseconds, has not."""


class FactKind(StrEnum):
    """The kind of a fact."""

    NOT_NULL = "not_null"
    """The column holds no NULL."""
    UNIQUE = "unique"
    """No two rows agree on all the columns, rows with a NULL among them excepted (SQLite's UNIQUE)."""
    INCLUSION = "inclusion"
    """Each row's columns, if none is NULL, occur together in one row of the parent's columns."""
    CHECK = "check"
    """The expression is not false (true or NULL) for every row."""
    FUNCTIONAL = "functional"
    """Rows that agree on ``columns`` (NULL = NULL) agree on ``parent_columns`` of the same table."""
    ISO_DATE = "iso_date"
    """The column is NULL or text of the form YYYY-MM-DD that is a real date."""
    ISO_TIMESTAMP = "iso_timestamp"
    """The column is NULL or text of the form ``YYYY-MM-DD HH:MM:SS`` that is a real instant; a point and
    up to six digits, the last no zero, may follow.  It is before 9999-12-31 23:59:59.9995: SQLite's limit."""
    NUMERIC_TEXT = "numeric_text"
    """The column is NULL or text that is a plain decimal number."""
    TYPE = "type"
    """The column is NULL or in the domain of its declared type."""
    NOT_EMPTY = "not_empty"
    """The base table has a row; nothing is said of the rows that a filter lets through."""
    EXACT_ARITHMETIC = "exact_arithmetic"
    """REALs are finite and arithmetic on them does not round; has no place."""
    NO_OVERFLOW = "no_overflow"
    """Integers stay within 64 bits, so that no whole number is kept as a REAL instead; has no place."""
    NO_ERROR = "no_error"
    """Neither query raises an error, where the engine of its dialect may raise one; has no place."""
    SETTING = "setting"
    """The engine's session has the value ``expression`` for the setting in ``columns``; has no table."""
    FRESH = "fresh"
    """The materialised view ``table`` holds the rows that its query gives now."""
    IMMUTABLE = "immutable"
    """The function of the schema's own that ``expression`` names gives the same for the same arguments,
    always; has no place.  Its label says so, and no engine holds it to that."""
    STABLE = "stable"
    """The same on one database and in one transaction."""


class Grade(StrEnum):
    """The source of a fact: who promises it."""

    DECLARED = "declared"
    """The DDL enforces it in SQLite."""
    INTENDED = "intended"
    """The SQL-standard reading of the DDL."""
    OBSERVED = "observed"
    """True of the populated database that was given."""
    ASSUMED = "assumed"
    """The caller says so."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One promise.

    ``parent_columns`` serves INCLUSION and FUNCTIONAL, ``parent`` INCLUSION
    (FUNCTIONAL leaves it empty), ``expression`` CHECK, SETTING and the labels of functions.
    """

    kind: FactKind
    grade: Grade
    table: str = ""
    columns: tuple[str, ...] = ()
    parent: str = ""
    parent_columns: tuple[str, ...] = ()
    expression: str = ""

    def __str__(self) -> str:
        """The text that :func:`equiv.schema.policy.parse_fact` reads back, but for the grade."""
        table, where, to = quoted(self.table), self._listed(self.table, self.columns), ""
        match self.kind:
            case FactKind.EXACT_ARITHMETIC | FactKind.NO_OVERFLOW | FactKind.NO_ERROR:
                return self.kind.value
            case FactKind.CHECK:
                where = f"{table}: {self.expression}"
            case FactKind.NOT_EMPTY | FactKind.FRESH:
                where = table
            case FactKind.IMMUTABLE | FactKind.STABLE:
                where = quoted(self.expression)
            case FactKind.SETTING:
                value = self.expression.replace("'", "''")
                where = f"{self.columns[0]} = '{value}'"
            case FactKind.INCLUSION | FactKind.FUNCTIONAL:
                to = f" -> {self._listed(self.parent or self.table, self.parent_columns)}"
        return f"{self.kind.value}({where}{to})"

    def _listed(self, table: str, columns: Iterable[str]) -> str:
        return ", ".join(f"{quoted(table)}.{quoted(column)}" for column in columns)

    def refers_to(self, table: str) -> bool:
        """Whether it is about rows of a table as its parent."""
        return is_same(self.parent, table)

    @property
    def pairs(self) -> frozenset[tuple[str, str]]:
        """The columns of an inclusion, each with that of the parent, folded."""
        pairs = zip(self.columns, self.parent_columns, strict=True)
        return frozenset((fold(column), fold(parent)) for column, parent in pairs)

    @property
    def places(self) -> frozenset[tuple[str, str]]:
        """The columns that it lists, each as (table, column), folded; none of a CHECK's text."""
        own = ((fold(self.table), fold(name)) for name in self.columns)
        within = fold(self.parent or self.table)
        return frozenset((*own, *((within, fold(name)) for name in self.parent_columns)))


class Facts:
    """An immutable set of facts with the look-ups that rules and generators need.

    Look-ups ignore ASCII case and return the fact (so that a derivation can
    name it) or None.
    """

    def __init__(self, facts: Iterable[Fact] = ()) -> None:
        self._facts = tuple(dict.fromkeys(facts))
        self._index: dict[tuple[FactKind, str, frozenset[str]], Fact] = {}
        for fact in self._facts:
            key = (fact.kind, fold(fact.table), folded(fact.columns))
            self._index.setdefault(key, fact)
        self._of: dict[tuple[FactKind, str], list[Fact]] = {}
        for fact in self._facts:
            for place in dict.fromkeys(("", fold(fact.table))):
                self._of.setdefault((fact.kind, place), []).append(fact)
        self._keys: dict[str, tuple[Fact, ...]] = {}

    def __iter__(self) -> Iterator[Fact]:
        return iter(self._facts)

    def __len__(self) -> int:
        return len(self._facts)

    def of(self, kind: FactKind, table: str = "") -> tuple[Fact, ...]:
        """All facts of a kind, of one table if given."""
        return tuple(self._of.get((kind, fold(table)), ()))

    def find(self, kind: FactKind, table: str = "", *columns: str) -> Fact | None:
        """The fact of that kind on exactly that set of columns."""
        return self._index.get((kind, fold(table), folded(columns)))

    def not_null(self, table: str, column: str) -> Fact | None:
        """The fact that a column holds no NULL."""
        return self.find(FactKind.NOT_NULL, table, column)

    def not_empty(self, table: str) -> Fact | None:
        """The fact that a base table has a row."""
        return self.find(FactKind.NOT_EMPTY, table)

    def labelled(self, kind: FactKind, function: str) -> Fact | None:
        """The fact that a function of the schema's own is what its label says, IMMUTABLE or STABLE.

        Of a column, ``table.column``, it is the fact of that kind; of '' the one about no place.
        """
        named = ((fact, fact.expression or ".".join((fact.table, *fact.columns))) for fact in self.of(kind))
        return next((fact for fact, name in named if name == function), None)

    def setting(self, name: str) -> Fact | None:
        """The fact that says which value a setting of the engine's session has."""
        return self.find(FactKind.SETTING, "", name)

    def keys(self, table: str) -> tuple[Fact, ...]:
        """The UNIQUE facts of a table, shortest first."""
        if table not in self._keys:
            self._keys[table] = tuple(sorted(self.of(FactKind.UNIQUE, table), key=lambda f: len(f.columns)))
        return self._keys[table]

    def strict_key(self, table: str, columns: Iterable[str]) -> tuple[Fact, ...] | None:
        """Facts by which some subset of ``columns`` is unique and never NULL, or None."""
        given = folded(columns)
        for key in self.keys(table):
            if folded(key.columns) <= given:
                not_null = [self.not_null(table, c) for c in key.columns]
                if all(not_null):
                    return (key, *(f for f in not_null if f is not None))
        return None

    def without(self, dropped: Iterable[Fact]) -> Facts:
        """The facts without some of them."""
        gone = set(dropped)
        return Facts(f for f in self._facts if f not in gone)


class Watched(Facts):
    """Facts that remember what they were asked: what rests on the answers alone is the same from others.

    Each other look-up of :class:`Facts` must go through those below, or it finds nothing here.

    Args:
        facts: what to answer from.
    """

    def __init__(self, facts: Facts) -> None:
        super().__init__(())
        self._watched = facts
        self._answers: dict[tuple[FactKind | None, str, tuple[str, ...] | None], Any] = {}

    def answered_as(self, facts: Facts) -> bool:
        """Whether other facts would have answered the same all along."""
        if facts is self._watched:
            return True
        return all(_answer(facts, *asked) == answer for asked, answer in self._answers.items())

    def __iter__(self) -> Iterator[Fact]:
        self._answers[None, "", None] = tuple(self._watched)
        return iter(self._watched)

    def __len__(self) -> int:
        iter(self)
        return len(self._watched)

    def of(self, kind: FactKind, table: str = "") -> tuple[Fact, ...]:
        asked = (kind, table, None)
        if asked not in self._answers:
            self._answers[asked] = self._watched.of(kind, table)
        found: tuple[Fact, ...] = self._answers[asked]
        return found

    def find(self, kind: FactKind, table: str = "", *columns: str) -> Fact | None:
        asked = (kind, table, columns)
        if asked not in self._answers:
            self._answers[asked] = self._watched.find(kind, table, *columns)
        found: Fact | None = self._answers[asked]
        return found

    def keys(self, table: str) -> tuple[Fact, ...]:
        self.of(FactKind.UNIQUE, table)
        return self._watched.keys(table)

    def without(self, dropped: Iterable[Fact]) -> Facts:
        return Facts(self).without(dropped)


def _answer(facts: Facts, kind: FactKind | None, table: str, columns: tuple[str, ...] | None) -> object:
    if kind is None:
        return tuple(facts)
    return facts.of(kind, table) if columns is None else facts.find(kind, table, *columns)


def rests_on_exactness(facts: Iterable[Fact]) -> bool:
    """Whether a claim that rests on some facts is made only of arithmetic in which nothing is rounded."""
    return any(fact.kind is FactKind.EXACT_ARITHMETIC for fact in facts)
