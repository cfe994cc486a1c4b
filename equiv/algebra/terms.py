"""The algebra: a query as a sum of terms over tuple variables.

A :class:`Bag` is a sum of terms.  A :class:`Term` has variables, each ranging
over a source, a condition and outputs: it contributes one row, its outputs,
for every choice of rows for its variables, from each source as often as the
row occurs there, under which the condition is *true*.  Bags nest: inside
expressions as :class:`Exists`, :class:`Aggregate` and :class:`First`, and as
the sources :class:`Squash` and :class:`Limited`.  A nested bag may mention the
variables of the terms around it; a source may mention the variables that are
bound before it in its term.

All nodes are frozen, hashable and compared by structure.  Truth values are
SQLite's: 1, 0 and NULL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, TypeAlias, TypeVar

Kind: TypeAlias = Literal["null", "integer", "real", "text", "blob"]
"""A storage class of SQLite."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A tuple variable: bound once in a whole query; ``label`` is for people."""

    number: int
    label: str = field(default="", compare=False)

    def __str__(self) -> str:
        return f"{self.label or 'r'}{self.number}"


# Expressions


@dataclass(frozen=True, slots=True)
class Field:
    """A column of a variable's row.

    ``column`` is a name, as the schema spells it, if the variable ranges over a scan; else a position.
    """

    row: Variable
    column: str | int


@dataclass(frozen=True, slots=True)
class Constant:
    """A literal; ``text`` is its exact spelling: 7, 0.5, abc (unquoted), hexadecimal digits; '' for NULL."""

    kind: Kind
    text: str = ""


@dataclass(frozen=True, slots=True)
class Apply:
    """A scalar function or operator, by its upper-case SQLite name, on its arguments in order.

    Operators: ``+ - * / % || NEG & | ~ << >>``; LIKE(text, pattern[, escape]) and GLOB(text, pattern);
    MAX and MIN with two or more arguments are the scalar functions. 'now' and CURRENT_* are
    functions of no arguments: NOW_DATE, NOW_TIME, NOW_TIMESTAMP (texts), NOW_INSTANT (anything else of it).
    """

    function: str
    arguments: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class Convert:
    """``CAST(value AS to)``, or else the affinity ``to`` that a comparison applies to an operand.

    An implicit NUMERIC or TEXT conversion is SQLite's "apply affinity": NUMERIC turns text that is a number
    into that number and leaves other text alone; TEXT turns numbers into text.
    """

    to: Literal["INTEGER", "REAL", "NUMERIC", "TEXT", "BLOB"]
    value: Expression
    explicit: bool


@dataclass(frozen=True, slots=True)
class Compare:
    """A comparison of two values that need no conversion any more.

    ``=``, ``<`` and ``<=`` are NULL if a side is; ``IS`` never is.  The others are written with
    these: ``a > b`` is ``b < a``, ``a <> b`` is NOT ``a = b``.  The collation is BINARY.
    """

    operator: Literal["=", "<", "<=", "IS"]
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class And:
    """Conjunction of truth values; of none: 1."""

    parts: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class Or:
    """Disjunction of truth values; of none: 0."""

    parts: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class Not:
    """Negation of a truth value: NULL for NULL."""

    part: Expression


@dataclass(frozen=True, slots=True)
class IsTrue:
    """1 if a value is true (neither NULL nor 0), else 0: never NULL."""

    part: Expression


@dataclass(frozen=True, slots=True)
class IsNull:
    """1 if a value is NULL, else 0."""

    value: Expression


@dataclass(frozen=True, slots=True)
class Case:
    """The value of the first branch whose condition is true, or the default."""

    branches: tuple[tuple[Expression, Expression], ...]
    default: Expression


@dataclass(frozen=True, slots=True)
class Found:
    """1 if the table has a row whose key columns equal (``=``, without conversion) the values, else 0.

    Stands only where the key columns are unique (NULLs excepted): at most one row is found.
    """

    table: str
    key: tuple[str, ...]
    values: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Lookup:
    """The column of the row that :class:`Found` speaks of; NULL if there is none."""

    table: str
    key: tuple[str, ...]
    values: tuple[Expression, ...]
    column: str


@dataclass(frozen=True, slots=True)
class Exists:
    """1 if the bag has a row, else 0; its outputs do not count."""

    bag: Bag


@dataclass(frozen=True, slots=True)
class Aggregate:
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


@dataclass(frozen=True, slots=True)
class First:
    """A scalar subquery: the first column of the first row of a :class:`Limited`; NULL if it has no row."""

    rows: Limited


Expression: TypeAlias = (
    "Field | Constant | Apply | Convert | Compare | And | Or | Not | IsTrue | IsNull | Case"
    " | Found | Lookup | Exists | Aggregate | First"
)


# Sources and sums


@dataclass(frozen=True, slots=True)
class Scan:
    """The rows of a base table, by its name in the schema."""

    table: str


@dataclass(frozen=True, slots=True)
class Squash:
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


@dataclass(frozen=True, slots=True)
class Limited:
    """Some rows of a bag: those at ``offset`` to ``offset + limit`` in *an* order by the keys.

    The bag's outputs are the ``visible`` columns, then the keys, one for each direction.  Rows with equal
    keys may stand in any order, so this is a choice.  ``site`` tells the choices of a query apart: two
    nodes with one site (copies made by a rewrite) choose alike for equal values of their free variables.
    ``limit`` None: all rows from ``offset`` on.
    """

    bag: Bag
    visible: int
    directions: tuple[Direction, ...]
    limit: int | None
    offset: int
    site: int


@dataclass(frozen=True, slots=True)
class Numbered:
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


@dataclass(frozen=True, slots=True)
class Binding:
    """A variable and what it ranges over."""

    row: Variable
    source: Source


@dataclass(frozen=True, slots=True)
class Term:
    """One summand: rows of outputs over all choices for the variables that make the condition true."""

    bindings: tuple[Binding, ...]
    condition: Expression
    outputs: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Bag:
    """A sum of terms with one number of outputs."""

    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Answer:
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

_N = TypeVar("_N", bound=Node)

NULL = Constant("null")
TRUE = Constant("integer", "1")
FALSE = Constant("integer", "0")


def integer(value: int) -> Constant:
    """An integer literal."""
    return Constant("integer", str(value))


def conjunction(parts: Iterable[Expression]) -> Expression:
    """The AND of some truth values, flattened, without TRUE; FALSE if one of them is."""
    flat: dict[Expression, None] = {}
    for part in parts:
        for each in part.parts if isinstance(part, And) else (part,):
            if each == FALSE:
                return FALSE
            if each != TRUE:
                flat[each] = None
    found = tuple(flat)
    if not found:
        return TRUE
    return found[0] if len(found) == 1 else And(found)


def conjuncts(condition: Expression) -> tuple[Expression, ...]:
    """The parts of a condition that must all be true."""
    if condition == TRUE:
        return ()
    return condition.parts if isinstance(condition, And) else (condition,)


def children(node: Node) -> Iterator[Node]:
    """The nodes directly below a node."""
    for name in _names(node.__class__):
        yield from _nodes(getattr(node, name))


_NAMES: dict[type, tuple[str, ...]] = {}


def _names(kind: type[Any]) -> tuple[str, ...]:
    """The names of a node's fields: ``dataclasses.fields`` is too slow to be asked for each node."""
    if kind not in _NAMES:
        _NAMES[kind] = tuple(each.name for each in fields(kind))
    return _NAMES[kind]


def _nodes(value: object) -> Iterator[Node]:
    if isinstance(value, tuple):
        for item in value:
            yield from _nodes(item)
    elif not isinstance(value, Variable | Direction) and hasattr(value, "__dataclass_fields__"):
        yield value  # type: ignore[misc]


def walk(node: Node) -> Iterator[Node]:
    """The node and all below it, parents first."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack += children(current)


def map_children(node: _N, change: Callable[[Node], Node]) -> _N:
    """The node with each node directly below it changed; the node itself if nothing did."""
    changes: dict[str, Any] = {}
    for name in _names(node.__class__):
        old = getattr(node, name)
        new = _mapped(old, change)
        if new is not old:
            changes[name] = new
    return replace(node, **changes) if changes else node


def _mapped(value: object, change: Callable[[Node], Node]) -> object:
    if isinstance(value, tuple):
        new = tuple(_mapped(item, change) for item in value)
        return value if all(a is b for a, b in zip(value, new, strict=True)) else new
    if isinstance(value, Variable | Direction) or not hasattr(value, "__dataclass_fields__"):
        return value
    return change(value)  # type: ignore[arg-type]


def substitute(node: _N, change: Callable[[Field], Expression]) -> _N:
    """The node with every field replaced; bindings stay as they are."""

    def each(inner: Node) -> Node:
        return change(inner) if isinstance(inner, Field) else map_children(inner, each)

    return each(node)  # type: ignore[return-value]


def renamed(node: _N, names: dict[Variable, Variable]) -> _N:
    """The node with variables renamed, in fields and in bindings."""

    def each(inner: Node) -> Node:
        if isinstance(inner, Field):
            return Field(names.get(inner.row, inner.row), inner.column)
        changed = map_children(inner, each)
        if isinstance(changed, Binding):
            return Binding(names.get(changed.row, changed.row), changed.source)
        return changed

    return each(node)  # type: ignore[return-value]


def bound(node: Node) -> set[Variable]:
    """The variables that are bound somewhere in a node."""
    return {inner.row for inner in walk(node) if isinstance(inner, Binding)}


def free(node: Node) -> set[Variable]:
    """The variables that a node mentions and does not bind."""
    used = {inner.row for inner in walk(node) if isinstance(inner, Field)}
    return used - bound(node)


def sites(node: Node) -> list[int]:
    """The choice sites in a node, one entry for each occurrence."""
    found = (inner.site for inner in walk(node) if isinstance(inner, Limited | Numbered | Aggregate))
    return [site for site in found if site]


@dataclass(slots=True)
class Names:
    """A supply of fresh variables and choice sites for one proof or search."""

    next_variable: int = 1
    next_site: int = 1

    def variable(self, label: str = "") -> Variable:
        """A variable that was not handed out before."""
        self.next_variable += 1
        return Variable(self.next_variable - 1, label)

    def site(self) -> int:
        """A choice site that was not handed out before."""
        self.next_site += 1
        return self.next_site - 1

    def copy_of(self, node: _N) -> _N:
        """The node with all variables that it binds replaced by fresh ones; choice sites stay."""
        names = {row: self.variable(row.label) for row in sorted(bound(node), key=lambda row: row.number)}
        return renamed(node, names)


def alpha(node: _N) -> _N:
    """The node with the variables that it binds renumbered in the order of their binding, below zero.

    Nodes that differ only in the names of bound variables become equal.
    """
    names: dict[Variable, Variable] = {}
    for inner in _in_order(node):
        if isinstance(inner, Binding):
            names[inner.row] = Variable(-len(names) - 1, inner.row.label)
    return renamed(node, names)


def _in_order(node: Node) -> Iterator[Node]:
    """The node and all below it, parents first, from left to right."""
    yield node
    for child in children(node):
        yield from _in_order(child)
