"""What the typed tree of DuckDB's queries has besides that of PostgreSQL's."""

from __future__ import annotations

from dataclasses import dataclass

from equiv.dialects.typed.tree import (
    Expr,
    FromSource,
    Joined,
    Logic,
    Routine,
    RoutineCall,
    Select,
    SetOperand,
    SourceColumn,
    Type,
    TypedQuery,
)

SCHEMA = "duckdb"
"""The schema of routines whose meaning is DuckDB's own."""


@dataclass(frozen=True, slots=True)
class Implied(RoutineCall):
    """A literal of another type than it has by itself: DuckDB converts it where it stands."""


@dataclass(frozen=True, slots=True)
class Tried(RoutineCall):
    """TRY_CAST: NULL where the cast would raise an error."""


@dataclass(frozen=True, slots=True)
class RowCompared(Expr):
    """A comparison of two rows, which are values: NULL equals NULL in them, and comes last."""

    sign: str
    routines: tuple[Routine, ...]
    """The comparison for equality of each pair of values."""
    left: tuple[Expr, ...]
    right: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Unpivoted(FromSource):
    """UNPIVOT: a row for each row of a source and each of some of its columns."""

    item: FromSource
    fields: tuple[SourceColumn, ...]
    """The columns of the source."""
    kept: tuple[int, ...]
    """The places, from 0, of the columns that stay."""
    chosen: tuple[tuple[str, int], ...]
    """The others: the name that is shown, and the place."""
    kind: Type
    """The type of their values."""
    nulls: bool
    """Whether there are rows for NULL."""


@dataclass(frozen=True, slots=True)
class NamedBranch(SetOperand):
    """An operand of UNION BY NAME, ``query`` with a column for each of the whole."""

    written: TypedQuery
    places: tuple[int, ...]
    """For each column as written, its place in the whole."""


@dataclass(frozen=True, slots=True)
class RowIn(Logic):
    """IN of a list of rows: the comparison with each of them."""


@dataclass(frozen=True, slots=True)
class Contained(Expr):
    """Whether a list of constants contains a value: NULL only if the value is."""

    name: str
    routine: Routine
    elements: tuple[Expr, ...]
    value: Expr


@dataclass(frozen=True, slots=True)
class Between(Logic):
    """BETWEEN: a comparison with its lower and one with its upper bound, of one value."""


@dataclass(frozen=True, slots=True)
class NotDistinct(Logic):
    """IS NOT DISTINCT FROM: NOT of IS DISTINCT FROM."""


@dataclass(frozen=True, slots=True)
class Qualified(Select):
    """A SELECT with QUALIFY."""

    qualify: Expr | None = None


@dataclass(frozen=True, slots=True)
class HalfJoined(Joined):
    """A SEMI or ANTI join: the rows of the left side that have, or have no, partner."""

    anti: bool = False


@dataclass(frozen=True, slots=True)
class AsofJoined(Joined):
    """An ASOF join: of the rows that the tests allow the one that is nearest, of which there is but one."""

    tests: tuple[RoutineCall, ...] = ()
    """Each compares a value of the left side with a column of the right side."""


def comparison(sign: str, left: Expr, right: Expr) -> Routine:
    """The comparison of two values, which both dialects mean alike."""
    names = ("anyenum" if each.type.sort == "e" else each.type.name for each in (left, right))
    return Routine(sign, tuple(names), "i", True, operator=True)


def own(name: str, arguments: tuple[Expr, ...], *, operator: bool = False) -> Routine:
    """A function or operator of DuckDB's."""
    return Routine(name, tuple(each.type.name for each in arguments), "i", True, SCHEMA, operator)
