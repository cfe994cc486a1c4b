"""The nodes of the algebra: expressions, sources, terms and bags."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, TypeVar

from equiv.core.functions.traits import StorageClass


@dataclass(frozen=True, slots=True)
class Variable:
    """A tuple variable: bound once in a whole query; ``label`` is for people, and nothing is sorted by it."""

    number: int
    label: str = field(default="", compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.label or 'r'}{self.number}"


_T = TypeVar("_T", bound=type)


class _Node:
    """The base of all nodes: a cache for values that are computed once for a node."""

    __slots__ = ("known_alpha", "known_free", "known_hash", "known_variables")


def _hashed_once(kind: _T) -> _T:
    """A class whose instances remember their hash: trees are deep, and looked up often."""
    compute: Callable[[Any], int] = vars(kind)["__hash__"]

    def remembered(self: Any) -> int:
        try:
            return self.known_hash  # type: ignore[no-any-return]
        except AttributeError:
            value = compute(self)
            object.__setattr__(self, "known_hash", value)
            return value

    setattr(kind, "__hash__", remembered)  # noqa: B010
    return kind


@_hashed_once
@dataclass(frozen=True, slots=True)
class Field(_Node):
    """A column of a variable's row.

    ``column`` is a name, as the schema spells it, if the variable ranges over a scan; else a position.
    """

    row: Variable
    column: str | int


@_hashed_once
@dataclass(frozen=True, slots=True)
class Constant(_Node):
    """A literal; ``text`` is its exact spelling: 7, 0.5, abc (unquoted), hexadecimal digits; '' for NULL."""

    kind: StorageClass
    text: str = ""


@_hashed_once
@dataclass(frozen=True, slots=True)
class Apply(_Node):
    """A scalar function or operator, by its upper-case SQLite name, on its arguments in order.

    Operators: ``+ - * / % || NEG & | ~ << >>``; LIKE(text, pattern[, escape]) and GLOB(text, pattern);
    MAX and MIN with two or more arguments are the scalar functions. 'now' and CURRENT_* are
    functions of no arguments: NOW_DATE, NOW_TIME, NOW_TIMESTAMP (texts), NOW_INSTANT (anything else of it);
    so is a parameter, by its name: ``?1``, ``:x``.
    """

    function: str
    arguments: tuple[Expression, ...] = ()


Target: TypeAlias = Literal["INTEGER", "REAL", "NUMERIC", "TEXT", "BLOB", "NOCASE", "RTRIM"]
"""The target of a :class:`Convert`."""


@_hashed_once
@dataclass(frozen=True, slots=True)
class Convert(_Node):
    """``CAST(value AS to)``, or else the affinity or collation ``to`` that a comparison applies to a value.

    An implicit NUMERIC or TEXT conversion is SQLite's "apply affinity": NUMERIC turns text that is a number
    into that number and leaves other text alone; TEXT turns numbers into text.  An implicit NOCASE or RTRIM
    gives the collation key of :mod:`equiv.core.single_values`, and is the identity on what is no text.
    """

    to: Target
    value: Expression
    explicit: bool


@_hashed_once
@dataclass(frozen=True, slots=True)
class Compare(_Node):
    """A comparison of two values that need no conversion any more.

    ``=``, ``<`` and ``<=`` are NULL if a side is; ``IS`` never is.  The others are written with
    these: ``a > b`` is ``b < a``, ``a <> b`` is NOT ``a = b``.  The collation is BINARY: under
    another the collation keys of the values are compared, which are equal though the values may differ.
    """

    operator: Literal["=", "<", "<=", "IS"]
    left: Expression
    right: Expression


@_hashed_once
@dataclass(frozen=True, slots=True)
class And(_Node):
    """Conjunction of truth values; of none: 1."""

    parts: tuple[Expression, ...] = ()


@_hashed_once
@dataclass(frozen=True, slots=True)
class Or(_Node):
    """Disjunction of truth values; of none: 0."""

    parts: tuple[Expression, ...] = ()


@_hashed_once
@dataclass(frozen=True, slots=True)
class Not(_Node):
    """Negation of a truth value: NULL for NULL."""

    part: Expression


@_hashed_once
@dataclass(frozen=True, slots=True)
class IsTrue(_Node):
    """1 if a value is true (neither NULL nor 0), else 0: never NULL."""

    part: Expression


@_hashed_once
@dataclass(frozen=True, slots=True)
class IsNull(_Node):
    """1 if a value is NULL, else 0."""

    value: Expression


@_hashed_once
@dataclass(frozen=True, slots=True)
class Case(_Node):
    """The value of the first branch whose condition is true, or the default."""

    branches: tuple[tuple[Expression, Expression], ...]
    default: Expression


@_hashed_once
@dataclass(frozen=True, slots=True)
class Found(_Node):
    """A look-up's success: 1 if the table has a row whose key equals (``=``, unconverted) the values, else 0.

    Stands only where the key columns are unique (NULLs excepted): at most one row is found.
    """

    table: str
    key: tuple[str, ...]
    values: tuple[Expression, ...]


@_hashed_once
@dataclass(frozen=True, slots=True)
class Lookup(_Node):
    """The column of the row that :class:`Found` speaks of; NULL if there is none."""

    table: str
    key: tuple[str, ...]
    values: tuple[Expression, ...]
    column: str


@_hashed_once
@dataclass(frozen=True, slots=True)
class Exists(_Node):
    """1 if the bag has a row, else 0; its outputs do not count."""

    bag: Bag


@_hashed_once
@dataclass(frozen=True, slots=True)
class Aggregate(_Node):
    """An aggregate over all rows of a bag, of which the first output is the argument.

    COUNT counts the rows whose argument is not NULL (so that COUNT(*) has the argument 1); SUM, TOTAL,
    AVG, MIN and MAX are SQLite's; GROUP_CONCAT has the separator as second output.  DISTINCT is
    spelt with a :class:`Squash` in the bag.  LINEAR is made by normalisation only: the exact sum of
    its arguments, of which none is NULL; 0 over no rows; an integer if ``whole``.

    ``site`` is 0 but for GROUP_CONCAT, whose value depends on the order of the rows: see :class:`Limited`.
    """

    function: Literal["COUNT", "SUM", "TOTAL", "AVG", "MIN", "MAX", "GROUP_CONCAT", "LINEAR"]
    bag: Bag
    whole: bool = False
    site: int = 0


@_hashed_once
@dataclass(frozen=True, slots=True)
class First(_Node):
    """A scalar subquery: the first column of the first row of a :class:`Limited`; NULL if it has no row."""

    rows: Limited


Expression: TypeAlias = (
    "Field | Constant | Apply | Convert | Compare | And | Or | Not | IsTrue | IsNull | Case"
    " | Found | Lookup | Exists | Aggregate | First"
)


@_hashed_once
@dataclass(frozen=True, slots=True)
class Scan(_Node):
    """The rows of a base table, by its name in the schema."""

    table: str


@_hashed_once
@dataclass(frozen=True, slots=True)
class Squash(_Node):
    """The distinct rows of a bag (NULL IS NULL), each once."""

    bag: Bag


@dataclass(frozen=True, slots=True)
class Direction:
    """How one key of an order sorts."""

    descending: bool = False
    nulls_first: bool = True

    @staticmethod
    def of(*, descending: bool) -> Direction:
        """SQLite's default: NULLs first when ascending, last when descending."""
        return Direction(descending, not descending)


@_hashed_once
@dataclass(frozen=True, slots=True)
class Limited(_Node):
    """LIMIT: the rows of a bag at ``offset`` to ``offset + limit`` in *an* order by the keys.

    The bag's outputs are the ``visible`` columns, then the keys, one for each direction.  Rows with equal
    keys may stand in any order, so this is a choice.  ``site`` tells the choices of a query apart: two
    nodes with one site (copies made by a rewrite) choose alike for equal values of their free variables.
    The site 0 says that there is no choice: rows with equal keys look alike.
    ``limit`` None: all rows from ``offset`` on.
    """

    bag: Bag
    visible: int
    directions: tuple[Direction, ...]
    limit: int | None
    offset: int
    site: int


@_hashed_once
@dataclass(frozen=True, slots=True)
class Numbered(_Node):
    """The rows of a bag, each with its ROW_NUMBER as last column.

    The bag's outputs are the ``visible`` columns, then ``partition`` columns to part by, then one key for
    each direction.  A choice like :class:`Limited` where keys tie.
    """

    bag: Bag
    visible: int
    partition: int
    directions: tuple[Direction, ...]
    site: int


Source: TypeAlias = "Scan | Squash | Limited | Numbered"


@_hashed_once
@dataclass(frozen=True, slots=True)
class Binding(_Node):
    """A variable with the source that it ranges over."""

    row: Variable
    source: Source


@_hashed_once
@dataclass(frozen=True, slots=True)
class Term(_Node):
    """One summand: rows of outputs over all choices for the variables that make the condition true."""

    bindings: tuple[Binding, ...]
    condition: Expression
    outputs: tuple[Expression, ...]


@_hashed_once
@dataclass(frozen=True, slots=True)
class Bag(_Node):
    """A sum of terms with one number of outputs."""

    terms: tuple[Term, ...]


@_hashed_once
@dataclass(frozen=True, slots=True)
class Answer(_Node):
    """A whole query: the rows of a bag in an order by the keys, cut at top level.

    The bag's outputs are the ``visible`` columns, then one key for each direction (none without ORDER BY).
    ``limit`` None: no LIMIT.
    """

    bag: Bag
    visible: int
    directions: tuple[Direction, ...] = ()
    limit: int | None = None
    offset: int = 0


Node: TypeAlias = "Expression | Limited | Scan | Squash | Numbered | Binding | Term | Bag | Answer"
