"""Schemas as plain data: tables, columns, keys and views of one database, and the context of claims.

Names keep the spelling of their source; look-ups fold them.  The model holds what
the DDL *declares*; what may be concluded from it is the business of :mod:`equiv.facts`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from equiv.facts import FactKind, Facts
from equiv.graphs import depth_first_postorder
from equiv.names import fold, folded, is_same
from equiv.relation import Rows

if TYPE_CHECKING:
    from equiv.facts import Fact


class Affinity(StrEnum):
    """SQLite's column affinity, by https://sqlite.org/datatype3.html section 3.1."""

    INTEGER = "INTEGER"
    TEXT = "TEXT"
    BLOB = "BLOB"
    REAL = "REAL"
    NUMERIC = "NUMERIC"


@lru_cache(maxsize=4096)
def affinity_of(declared_type: str) -> Affinity:
    """The affinity that SQLite derives from a declared type, by its five rules."""
    name = declared_type.upper()
    if "INT" in name:
        return Affinity.INTEGER
    if any(word in name for word in ("CHAR", "CLOB", "TEXT")):
        return Affinity.TEXT
    if "BLOB" in name or not name:
        return Affinity.BLOB
    if any(word in name for word in ("REAL", "FLOA", "DOUB")):
        return Affinity.REAL
    return Affinity.NUMERIC


REFERENCE = "sqlite"
"""The dialect of the engine that the core runs on; schemas are written in its text."""


class Domain(StrEnum):
    """The values that a declared type intends (the ``type`` fact of a column)."""

    INTEGER = "integer"
    """NULL or storage class integer."""
    NUMBER = "number"
    """NULL or storage class integer or real."""
    TEXT = "text"
    """NULL or storage class text."""
    BOOLEAN = "boolean"
    """NULL, 0 or 1."""
    ANY = "any"
    """Anything: the column has no declared type."""


@lru_cache(maxsize=4096)
def domain_of(declared_type: str) -> Domain:
    """The domain that a declared type intends, within what its affinity leaves of values.

    DATE and TIME types hold text although their affinity is NUMERIC.  Words count,
    not parts of words as for the affinity: POINT, INTERVAL and ENUM say nothing.
    """
    name, affinity = declared_type.upper(), affinity_of(declared_type)
    if affinity is Affinity.TEXT:
        return Domain.TEXT
    if affinity is Affinity.BLOB:
        return Domain.ANY
    if "BOOL" in name:
        return Domain.BOOLEAN
    if _FRACTION.search(name):
        return Domain.NUMBER
    if _WHOLE.search(name):
        return Domain.INTEGER
    if affinity is Affinity.NUMERIC and ("DATE" in name or "TIME" in name):
        return Domain.TEXT
    return Domain.ANY


_WHOLE = re.compile(r"\bU?(TINY|SMALL|MEDIUM|BIG|LONG|HUGE|CHAR|CLOB|TEXT|BLOB)?INT(EGER)?\d*\b")
_FRACTION = re.compile(r"\b(REAL|FLOAT\d*|FLOATING|DOUBLE|NUMERIC|NUMBER|NUM|DECIMAL|DEC)\b")


def _has_decimals(value: float, most: int) -> bool:
    """Whether a number is a multiple of so many tenths of tenths; of tens, if that is negative."""
    number = Decimal(repr(value)).normalize()
    exponent = number.as_tuple().exponent
    return isinstance(exponent, int) and (not number or exponent >= -most)


@dataclass(frozen=True, slots=True)
class Column:
    """One column as declared."""

    name: str
    declared_type: str = ""
    """'' if there is none, and for ANY in a STRICT table, which has no affinity there."""
    not_null: bool = False
    """NOT NULL is enforced: declared, or implied by INTEGER PRIMARY KEY, WITHOUT ROWID or STRICT."""
    collation: str = "BINARY"
    generated: bool = False
    """A GENERATED ALWAYS column: never inserted into."""
    hidden: bool = False
    """``*`` does not show it: the rowid of a table that searches texts."""
    default: str | None = None
    has_native_default: bool = False
    """The dialect's engine gives a row that names no value for it another one than NULL."""
    expression: str = ""
    """The expression of a generated column, as SQL text over the table's own columns; '' if not known."""
    native_type: str = ""
    """The type in the words of the schema's dialect, where these are not the core's."""
    samples: tuple[str | bytes, ...] | None = None
    """The values that are generated, where the dialect's engine takes few others; else None."""
    longest: int = 0
    """The most characters that the dialect's engine stores; 0: no limit that generated values meet."""
    derived: bool = False
    """The dialect's engine computes it, and the core does not know how: a plain column here."""
    below: int = 0
    """Numbers that the dialect's engine stores are below this one, sign apart; 0: no limit is met."""
    decimals: int | None = None
    """The most decimals that it stores, others being rounded; None: no limit."""

    def stores(self, value: object) -> bool:
        """Whether the dialect's engine stores a value as it is; blobs alone where the samples are blobs."""
        if self.samples and isinstance(self.samples[0], bytes):
            return value is None or isinstance(value, bytes)
        match value:
            case str():
                return not self.longest or len(value) <= self.longest
            case int() | float():
                fits = not self.below or abs(value) < self.below
                return fits and (self.decimals is None or _has_decimals(value, self.decimals))
        return True

    @property
    def affinity(self) -> Affinity:
        return affinity_of(self.declared_type)

    @property
    def domain(self) -> Domain:
        return domain_of(self.declared_type)


@dataclass(frozen=True, slots=True)
class ForeignKey:
    """``columns`` reference ``parent_columns`` of the table named ``parent``."""

    columns: tuple[str, ...]
    parent: str
    parent_columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Earlier:
    """The rows of a table when materialised views were refreshed."""

    table: str
    views: tuple[str, ...]
    """The views, each with its schema: the last one read the table, each other one the view after it."""


@dataclass(frozen=True)
class Table:
    """One base table as declared."""

    name: str
    columns: tuple[Column, ...]
    primary_key: tuple[str, ...] = ()
    unique: tuple[tuple[str, ...], ...] = ()
    """Column tuples of UNIQUE constraints and full (not partial, not expression) unique indexes."""
    foreign_keys: tuple[ForeignKey, ...] = ()
    checks: tuple[str, ...] = ()
    """CHECK expressions as SQL text over the table's own columns."""
    without_rowid: bool = False
    strict: bool = False
    descending_key: bool = False
    """Declared INTEGER PRIMARY KEY DESC: not the rowid, so it admits NULL and any type."""
    indexes: tuple[str, ...] = ()
    """CREATE INDEX statements that forbid rows and that ``unique`` cannot hold: partial ones, those on
    expressions (which fail on some values, unique or not) and unique ones under another collation.  Of a
    dialect's table that has statements of its own, those of these that the core can say."""
    collated_keys: bool = False
    """A PRIMARY KEY or UNIQUE constraint has another collation than its column: only ``ddl`` tells."""
    ddl: str = ""
    """The CREATE TABLE statement as found, or '' when the source had none."""
    namespace: str = ""
    """The schema that it is in, in the sense of the dialect, where names of tables need one."""
    native: tuple[str, ...] = ()
    """Statements of the schema's dialect that create it, where they are not the core's."""
    promised: tuple[Fact, ...] = ()
    """Facts, each with its grade, that hold by the dialect's rules besides what the other fields say."""
    earlier: Earlier | None = None
    """Of what no engine holds any more: what its rows are."""
    remark: str = ""
    """What a reader of a verdict on its rows should know of them."""
    is_filtered: bool = False
    """Whether a policy may hide rows, so that what refers to them refers to none that is seen."""
    is_unenforced: bool = False
    """Whether its rows, or some, lie elsewhere, so that nothing but their types is enforced of them."""
    looser: str = ""
    """The constraints that it lacks of those that its source declares: rows that they forbid may be made."""

    @cached_property
    def _by_name(self) -> dict[str, Column]:
        return {fold(column.name): column for column in self.columns}

    @property
    def unique_indexes(self) -> tuple[str, ...]:
        """The statements, of the source's dialect, of the unique indexes that it has as statements."""
        made = self.native or self.indexes
        return tuple(each for each in made if each.upper().split(None, 2)[:2] == ["CREATE", "UNIQUE"])

    @property
    def is_searched(self) -> bool:
        """Whether its texts are searched by MATCH."""
        return any(column.hidden for column in self.columns)

    def marked_as(self, other: Table) -> Table:
        """The table with the remark of another reading of it, and with what that says of all its rows."""
        return replace(
            self,
            remark="; ".join(dict.fromkeys(filter(None, (other.remark, self.remark)))),
            is_filtered=other.is_filtered,
            is_unenforced=other.is_unenforced,
        )

    def column(self, name: str) -> Column | None:
        """The column of that name, ASCII case ignored, or None."""
        return self._by_name.get(fold(name))

    @property
    def rowid_alias(self) -> str | None:
        """The column that is the rowid (a sole INTEGER PRIMARY KEY), or None."""
        if self.without_rowid or self.descending_key or len(self.primary_key) != 1:
            return None
        column = self.column(self.primary_key[0])
        if column is None or column.declared_type.upper() != "INTEGER":
            return None
        return column.name


NUMBERS = Table("numbers.", (Column("n", "INTEGER", not_null=True),), primary_key=("n",))
"""The whole numbers, by which proofs distinguish the rows of a function: those up to how many there are.  No
schema has a table of this name."""


@dataclass(frozen=True, slots=True)
class View:
    """A view: its name, its defining query as SQL text, and its column names, if declared."""

    name: str
    sql: str
    columns: tuple[str, ...] = ()
    stored: str = ""
    """Of a materialised view, its name with its schema, as :attr:`Earlier.views` has it; '' of another."""


@dataclass(frozen=True, slots=True)
class PassedOver:
    """An object of a schema's source that the schema lacks."""

    kind: str
    """What the source calls it: ``table``, ``trigger``, ``check``, …."""
    name: str
    """As the source spells it; of a part of a table, that of the table behind it: ``audit on orders``."""
    why: str
    line: int = 0
    """Of the source, from 1; 0 where it has none."""
    lost: tuple[str, ...] = ()
    """The tables and views that are left out with it, since they name it."""

    @property
    def bare(self) -> str:
        """Its name, folded, without that of its schema."""
        return fold(self.name.partition(" on ")[0].rpartition(".")[2].strip('"'))

    def __str__(self) -> str:
        place = f" (line {self.line})" if self.line else ""
        lost = f"; these depend on it and are left out, too: {', '.join(self.lost)}" if self.lost else ""
        return f"{self.kind} {self.name}: {self.why}{place}{lost}"


@dataclass(frozen=True)
class Schema:
    """The tables and views of one database, their texts (DDL, CHECKs, views) in the core's language."""

    tables: tuple[Table, ...]
    views: tuple[View, ...] = ()
    name: str = ""
    foreign: str = ""
    """The clause of its DDL that is of another dialect than SQLite, if there is one."""
    qualifiers: tuple[str, ...] = ()
    """What its DDL writes before names of tables, in lower case: ``public`` of ``public.t``; of an attached
    database, and of temporary tables, with the name of each table that is made there: ``o.t``.  Of a DuckDB
    file or a PostgreSQL server the name of the database."""
    dialect: str = field(default=REFERENCE, repr=False)
    """The name of the dialect that queries on it are written in, and whose engine has the last word."""
    native: tuple[str, ...] = ()
    """Statements of the dialect for what its tables rest on, schemas and types; of PostgreSQL all that make
    the database, in order: those of the user's script, or what the catalogue of a server says."""
    native_views: tuple[View, ...] = ()
    """The views whose texts are the dialect's own; its reader writes them out, so that the core has none."""
    notes: tuple[str, ...] = ()
    """What a reader of a verdict should know of how its source was read, a line each."""
    passed: tuple[PassedOver, ...] = field(default=(), repr=False)
    """The objects of its source that it lacks, each once, in the source's order."""
    triggers: tuple[str, ...] = ()
    """CREATE TRIGGER statements: they may refuse the rows of a witness, change them and add others."""
    withheld: tuple[str, ...] = ()
    """Names, in lower case, of views and functions that were skipped: a query that misses one is no
    failure."""
    hiding: tuple[str, ...] = ()
    """Names, in lower case, of functions and operators that were skipped, and that a query may mean where
    an engine without them takes its own."""
    is_asked_for: bool = False
    """Whether queries ask the engine's own catalogue: a script then makes all that the schema has."""
    path: tuple[str, ...] = ()
    """The schemas, in the sense of the dialect, in which a session of its source finds names, in their order;
    () if it says nothing."""
    settings: tuple[tuple[str, str], ...] = ()
    """The settings of the session that its source states, each with its value, by the names of the dialect's
    table; one that is stated in two ways is left out."""
    sides: tuple[Schema, ...] = field(default=(), repr=False)
    """The same tables as the dialects of prediction and gold query have them, where these differ."""
    fresh: tuple[str, ...] = ()
    """The materialised views, each with its schema, that facts say hold what their queries give now."""
    functions: tuple[tuple[str, str], ...] = ()
    """The functions of its own, each with the weakest label of those that bear its name: immutable, stable or
    volatile, which is what one without a label is.  That of the schema ``public`` has its bare name."""

    def under(self, facts: Facts) -> Schema:
        """The schema whose materialised views and functions are read as some facts say."""
        named = {fact.table for fact in facts.of(FactKind.FRESH)}
        fresh = tuple(view.stored for view in self.native_views if view.stored and view.name in named)
        kinds = (FactKind.STABLE, FactKind.IMMUTABLE)
        assumed = {fact.expression: str(kind) for kind in kinds for fact in facts.of(kind)}
        functions = tuple(
            (name, assumed.get(name, label) if label == "volatile" else label)
            for name, label in self.functions
        )
        if (fresh, functions) == (self.fresh, self.functions):
            return self
        return replace(self, fresh=fresh, functions=functions)

    @cached_property
    def with_numbers(self) -> Schema:
        """The schema and :data:`NUMBERS`."""
        return replace(self, tables=(*self.tables, NUMBERS))

    @cached_property
    def _tables(self) -> dict[str, Table]:
        return {fold(table.name): table for table in self.tables}

    @cached_property
    def has_twins(self) -> bool:
        """Whether two tables, or two columns of one, have one name: look-ups here cannot tell them."""
        named = ([table.name for table in self.tables], *([c.name for c in t.columns] for t in self.tables))
        return any(len(folded(names)) < len(names) for names in named)

    @cached_property
    def collations(self) -> frozenset[str]:
        """The collations of its columns other than BINARY, in upper case."""
        found = {column.collation.upper() for table in self.tables for column in table.columns}
        return frozenset(found - {"BINARY"})

    @cached_property
    def _views(self) -> dict[str, View]:
        return {fold(view.name): view for view in self.views}

    def table(self, name: str) -> Table | None:
        """The base table of that name, ASCII case ignored, or None."""
        return self._tables.get(fold(name))

    def parents_first(self, names: Iterable[str]) -> list[Table]:
        """The tables of some names and those that their foreign keys refer to, each after its parents."""

        def parents(name: str) -> Iterator[str]:
            return (fold(key.parent) for key in self._tables[name].foreign_keys if self.table(key.parent))

        wanted = (fold(name) for name in names if self.table(name))
        return [self._tables[name] for name in depth_first_postorder(wanted, parents)]

    def reference_columns(self, table: Table) -> set[str]:
        """The columns of a table, in lower case, that refer to others or are referred to."""
        own = {fold(name) for key in table.foreign_keys for name in key.columns}
        keys = (key for other in self.tables for key in other.foreign_keys if is_same(key.parent, table.name))
        return own.union(fold(name) for key in keys for name in key.parent_columns)

    def view(self, name: str) -> View | None:
        """The view of that name, ASCII case ignored, or None."""
        return self._views.get(fold(name))


def complete_foreign_keys(schema: Schema) -> Schema:
    """Foreign keys spelled as their parents are, with the parent's primary key where no columns are named.

    A key without parent columns whose parent is unknown, or has a primary
    key of another length, means nothing and is dropped.
    """

    def complete(key: ForeignKey) -> ForeignKey | None:
        parent = schema.table(key.parent)
        named = key.parent_columns or (parent.primary_key if parent else ())
        if len(named) != len(key.columns):
            return None
        if parent is None:
            return key
        columns = (parent.column(name) for name in named)
        spelled = tuple(c.name if c else name for c, name in zip(columns, named, strict=True))
        return ForeignKey(key.columns, parent.name, spelled)

    def keys(table: Table) -> tuple[ForeignKey, ...]:
        completed = (complete(key) for key in table.foreign_keys)
        return tuple(dict.fromkeys(key for key in completed if key))

    return replace(schema, tables=tuple(replace(t, foreign_keys=keys(t)) for t in schema.tables))


@dataclass(frozen=True, slots=True)
class Context:
    """The context of a rule's node: schema, facts, and how results are compared."""

    schema: Schema
    facts: Facts
    rows: Rows = Rows.LIST
    """How the rows of the two results will be compared; rules ask :meth:`compares_as`."""
    asked: set[Rows] = field(default_factory=set, compare=False)
    """The arguments of :meth:`compares_as`: a normal form serves another comparison with the same answers."""

    def compares_as(self, rows: Rows) -> bool:
        """Whether the rows of the two results will be compared so."""
        self.asked.add(rows)
        return self.rows is rows
