"""A query as its engine resolves it: typed expressions over numbered sources, nothing left implicit.

Every value is frozen and compares by what it says, so that a grouped expression is found again by equality.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import takewhile
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from equiv.core.model import Schema


@dataclass(frozen=True, slots=True)
class Type:
    """A type with its modifier."""

    name: str
    """As ``pg_type`` has it: ``int4``, ``bpchar``, ``_text`` (an array of texts)."""
    modifier: int = -1
    """The length of ``bpchar`` and ``varchar`` plus 4; precision and scale of ``numeric``; -1: none."""
    sort: str = field(default="b", compare=False)
    """``pg_type.typtype``: b(ase), d(omain), e(num), c(omposite), p(seudo), r(ange)."""
    schema: str = field(default="pg_catalog", compare=False)
    labels: tuple[str, ...] = field(default=(), compare=False)
    """Of an enumeration, in the order in which it declares them."""
    base: Type | None = field(default=None, compare=False)
    """Of a domain, what is below it; no domain."""

    @property
    def length(self) -> int | None:
        """The characters of a ``bpchar(n)`` or ``varchar(n)``; None if there is no bound."""
        return self.modifier - 4 if self.name in ("bpchar", "varchar") and self.modifier >= 4 else None

    @property
    def scale(self) -> int | None:
        """The decimals of a ``numeric(p, s)``; None if there is no bound."""
        if self.name != "numeric" or self.modifier < 4:
            return None
        scale = (self.modifier - 4) & 0x7FF
        return (scale ^ 1024) - 1024

    @property
    def signature(self) -> str:
        """The type in the signature of a symbol."""
        own = "" if self.schema == "pg_catalog" else f"{self.schema}."
        return f"{own}{self.name}" + (f"[{self.modifier}]" if self.modifier != -1 else "")


SESSION = "\0session"
"""The schema of the routines that stand for what depends on a session; no engine has one of that name."""


@dataclass(frozen=True, slots=True)
class Routine:
    """A function, or the operator that calls it."""

    name: str
    """That of a function which is not PostgreSQL's own has its schema before it: none that is has such."""
    arguments: tuple[str, ...]
    """The names of the types that are declared for its arguments."""
    volatility: str = "i"
    """i(mmutable), s(table) or v(olatile)."""
    strict: bool = True
    schema: str = "pg_catalog"
    operator: bool = False
    returns_set: bool = False
    alike: tuple[str, str, str] = ("", "", "")
    """The operators of its schema that say the same: of operands that change places, of the opposite, and of
    the opposite of operands that change places; '' where there is none.  After the ``COMMUTATOR`` and
    ``NEGATOR`` of PostgreSQL's catalogue."""

    @property
    def bare(self) -> str:
        """The name without that of the schema."""
        return self.name.removeprefix(f"{self.schema}.")

    def __str__(self) -> str:
        return f"{self.name}({', '.join(self.arguments)})"


@dataclass(frozen=True, slots=True)
class Expr:
    """An expression."""

    type: Type


@dataclass(frozen=True, slots=True)
class SourceColumn(Expr):
    """A column of a source."""

    source: int
    position: int
    """From 1."""


@dataclass(frozen=True, slots=True)
class TypedConstant(Expr):
    """A constant; its text as PostgreSQL writes the value, None for NULL."""

    text: str | None


@dataclass(frozen=True, slots=True)
class ParameterValue(Expr):
    """A parameter of an engine whose texts keep them, which is one constant of its type, or NULL."""

    name: str


@dataclass(frozen=True, slots=True)
class RoutineCall(Expr):
    """A function or an operator of one row's values."""

    routine: Routine
    arguments: tuple[Expr, ...]
    cast: bool = False
    """Written as a cast: the further arguments say the modifier of the type."""
    variadic: bool = False


@dataclass(frozen=True, slots=True)
class Conversion(Expr):
    """A cast without a function: bytes taken for another type, or the text of one read as another."""

    value: Expr
    through_text: bool


@dataclass(frozen=True, slots=True)
class Logic(Expr):
    """AND, OR or NOT."""

    operator: Literal["and", "or", "not"]
    operands: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class NullTest(Expr):
    """IS NULL, or IS NOT NULL."""

    value: Expr
    negated: bool


@dataclass(frozen=True, slots=True)
class IsTruth(Expr):
    """IS TRUE, IS NOT FALSE, and so on."""

    value: Expr
    truth: bool | None
    """None: UNKNOWN."""
    negated: bool


@dataclass(frozen=True, slots=True)
class IsDistinct(Expr):
    """IS DISTINCT FROM."""

    routine: Routine
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Subject(Expr):
    """The subject of a CASE whose branches compare it: the expression after CASE."""


@dataclass(frozen=True, slots=True)
class CaseWhen(Expr):
    """CASE, with the value that its branches compare, if there is one."""

    subject: Expr | None
    branches: tuple[tuple[Expr, Expr], ...]
    default: Expr


@dataclass(frozen=True, slots=True)
class Coalesce(Expr):
    """COALESCE."""

    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class GreatestLeast(Expr):
    """GREATEST or LEAST."""

    greatest: bool
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class NullIf(Expr):
    """NULLIF."""

    routine: Routine
    value: Expr
    other: Expr


@dataclass(frozen=True, slots=True)
class Array(Expr):
    """ARRAY[…]."""

    elements: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Compared(Expr):
    """``value OP ANY (array)`` or ``value OP ALL (array)``."""

    routine: Routine
    any: bool
    value: Expr
    array: Expr


@dataclass(frozen=True, slots=True)
class RowValue(Expr):
    """A row of values."""

    values: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class WholeRow(RowValue):
    """The row of a source, under its name: NULL where an outer join has none."""

    values: tuple[SourceColumn, ...]


@dataclass(frozen=True, slots=True)
class FieldAccess(Expr):
    """A field of a row."""

    value: Expr
    name: str


@dataclass(frozen=True, slots=True)
class RowComparison(Expr):
    """A comparison of two rows by ``<``, ``<=``, ``>=`` or ``>``."""

    operator: str
    left: tuple[Expr, ...]
    right: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class NestedQuery(Expr):
    """A subquery in an expression."""

    form: Literal["exists", "scalar", "any", "all", "array"]
    query: TypedQuery
    routines: tuple[Routine, ...] = ()
    """For ANY and ALL the operator of each pair of columns."""
    left: tuple[Expr, ...] = ()
    negated: bool = False
    """Of a row of several columns: ``<>``, true where one pair differs."""


@dataclass(frozen=True, slots=True)
class SortKey:
    """A term of ORDER BY."""

    value: Expr
    descending: bool
    nulls_first: bool


@dataclass(frozen=True, slots=True)
class AggregateCall(Expr):
    """An aggregate over the rows of a group."""

    routine: Routine
    arguments: tuple[Expr, ...]
    star: bool = False
    distinct: bool = False
    order: tuple[SortKey, ...] = ()
    filter: Expr | None = None
    direct: tuple[Expr, ...] = ()
    """What stands before WITHIN GROUP, of an ordered-set aggregate: ``order`` then has its arguments."""
    ordered_set: bool = False


@dataclass(frozen=True, slots=True)
class Frame:
    """The frame of a window."""

    unit: Literal["RANGE", "ROWS", "GROUPS"]
    start: str
    end: str
    """``UNBOUNDED PRECEDING``, ``CURRENT ROW``, ``PRECEDING`` and so on."""
    start_offset: Expr | None = None
    end_offset: Expr | None = None
    exclusion: str = ""
    given: bool = False
    """Whether it is written, even if it is the one that is meant without."""
    short: bool = False
    """Whether it is written without BETWEEN, by its start alone."""


@dataclass(frozen=True, slots=True)
class Over(Expr):
    """A window function."""

    routine: Routine
    arguments: tuple[Expr, ...]
    star: bool
    filter: Expr | None
    partition: tuple[Expr, ...]
    order: tuple[SortKey, ...]
    frame: Frame


@dataclass(frozen=True, slots=True)
class Grouped(Expr):
    """An expression that GROUP BY has, where it stands for the key of the group."""

    value: Expr


@dataclass(frozen=True, slots=True)
class Grouping(Expr):
    """GROUPING(…): a bit for each key, set where the grouping set lacks it."""

    keys: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Now(Expr):
    """CURRENT_DATE and its like, and CURRENT_SCHEMA and what else is the session's."""

    word: str


@dataclass(frozen=True, slots=True)
class FromSource:
    """Something that FROM reads: its number in the whole query, its alias, and the names of its columns."""

    number: int
    alias: str
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TableUse(FromSource):
    """A table."""

    schema: str
    name: str
    inherits: bool = True
    """Read with the tables that inherit from it: without ONLY."""
    is_alone: bool = False
    """Read by ONLY, though no table inherits from it."""
    refreshed: tuple[str, ...] = ()
    """Read as it was when these materialised views were refreshed, the last one for the one before it."""
    renamed: tuple[str, ...] = ()
    """The names that the query gives the columns, where it gives one another than it has."""

    def fresh_in(self, schema: Schema) -> tuple[str, ...]:
        """The outermost of these views that hold what their queries give now, and so are as good as plain."""
        return tuple(takewhile(schema.fresh.__contains__, self.refreshed))


@dataclass(frozen=True, slots=True)
class SystemTable(TableUse):
    """A table or view of the engine's own catalogue, of whose rows no more is known than what this says."""

    required: tuple[bool, ...] = ()
    """Of each column whether it is never NULL."""


@dataclass(frozen=True, slots=True)
class DerivedTable(FromSource):
    """A subquery in FROM, or a view."""

    query: TypedQuery
    lateral: bool = False
    view: str = ""
    """The view that it is the query of."""


@dataclass(frozen=True, slots=True)
class ValuesList(FromSource):
    """VALUES."""

    rows: tuple[tuple[Expr, ...], ...]
    types: tuple[Type, ...]
    lateral: bool = False


@dataclass(frozen=True, slots=True)
class CalledFunction:
    """A function in FROM."""

    call: RoutineCall
    width: int = 1
    """How many columns it gives."""
    defined: tuple[tuple[str, Type], ...] = ()
    """The columns that a list behind it defines, where it has none of its own."""


@dataclass(frozen=True, slots=True)
class RowsOfFunction(Expr):
    """How many rows a function has, or a column, from 1, of the row of a number."""

    function: CalledFunction
    column: int = 0
    """0: how many."""
    number: Expr | None = None


@dataclass(frozen=True, slots=True)
class Called(FromSource):
    """The rows of functions, side by side, NULL where one has none left."""

    functions: tuple[CalledFunction, ...]
    numbered: bool = False
    """WITH ORDINALITY: a last column numbers the rows, from 1."""
    lateral: bool = False

    @property
    def call(self) -> RoutineCall | None:
        """The only function, if it is one of one column, and rows are not numbered."""
        first = self.functions[0]
        is_alone = len(self.functions) == 1 and first.width == 1 and not first.defined and not self.numbered
        return first.call if is_alone else None


@dataclass(frozen=True, slots=True)
class CommonTableUse(FromSource):
    """A common table expression that is read by name."""

    cte: int
    """The number of the common table expression."""


@dataclass(frozen=True, slots=True)
class Joined:
    """Two items of FROM, joined; ``source`` is how expressions name what USING merges, if they do."""

    side: Literal["INNER", "LEFT", "RIGHT", "FULL"]
    left: FromItem
    right: FromItem
    condition: Expr | None
    using: tuple[str, ...] = ()
    number: int = 0
    alias: str = ""
    columns: tuple[str, ...] = ()
    merged: tuple[Expr, ...] = ()
    """What each column of the join stands for."""


FromItem = FromSource | Joined


@dataclass(frozen=True, slots=True)
class ResultColumn:
    """A result column."""

    value: Expr
    name: str


@dataclass(frozen=True, slots=True)
class CommonTable:
    """A common table expression."""

    number: int
    name: str
    columns: tuple[str, ...]
    query: TypedQuery
    materialized: str = "0"
    recursive: bool = False
    """Whether its second operand reads it, which has the rows of the step before then."""


@dataclass(frozen=True, slots=True)
class Limit:
    """LIMIT and OFFSET; ``with_ties``: FETCH … WITH TIES."""

    count: Expr | None
    offset: Expr | None = None
    with_ties: bool = False


@dataclass(frozen=True, slots=True)
class GroupBy:
    """The keys, and the sets of keys (by index) that rows are grouped by in turn."""

    keys: tuple[Expr, ...]
    sets: tuple[tuple[int, ...], ...] | None = None
    """None: one set, of all keys."""
    text: str = ""
    """With sets, or for all terms of the result: as written, ``{0}`` for the first key; or DISTINCT."""


@dataclass(frozen=True, slots=True)
class Select:
    """A SELECT."""

    targets: tuple[ResultColumn, ...]
    items: tuple[FromItem, ...] = ()
    where: Expr | None = None
    group: GroupBy | None = None
    having: Expr | None = None
    distinct: bool = False
    distinct_on: tuple[Expr, ...] = ()
    order: tuple[SortKey, ...] = ()
    limit: Limit | None = None
    ctes: tuple[CommonTable, ...] = ()
    aggregates: bool = False
    """Whether it is one group even without GROUP BY."""


@dataclass(frozen=True, slots=True)
class SetOperand:
    """An operand of a set operation, a query of its own."""

    query: TypedQuery


@dataclass(frozen=True, slots=True)
class Compound:
    """UNION, INTERSECT or EXCEPT of two operands, and the types of its columns."""

    operator: Literal["UNION", "INTERSECT", "EXCEPT"]
    all: bool
    left: Compound | SetOperand
    right: Compound | SetOperand
    types: tuple[Type, ...]


@dataclass(frozen=True, slots=True)
class SetQuery:
    """A set operation with what stands around it; ORDER BY names columns by position, from 1."""

    body: Compound
    names: tuple[str, ...]
    order: tuple[tuple[int, bool, bool], ...] = ()
    """Position, whether it descends, whether NULL comes first."""
    limit: Limit | None = None
    ctes: tuple[CommonTable, ...] = ()


TypedQuery = Select | SetQuery

EMPTY_ROW = "()"
"""The cell that stands for a row of PostgreSQL's without columns."""


def joined(operator: Literal["and", "or"], conditions: Iterable[Expr]) -> Expr:
    """Some conditions, of which there is one at least, as one."""
    found = tuple(conditions)
    return found[0] if len(found) == 1 else Logic(found[0].type, operator, found)


def all_of(conditions: Iterable[Expr | None]) -> Expr | None:
    """Conditions joined by AND; None if there is none."""
    found = [each for each in conditions if each is not None]
    return joined("and", found) if found else None


def columns_of(query: TypedQuery) -> tuple[Type, ...]:
    """The types of the columns of a query's result."""
    if isinstance(query, Select):
        return tuple(target.value.type for target in query.targets)
    return query.body.types
