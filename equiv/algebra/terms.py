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
SQLite's: 1, 0 and NULL.  After the nodes: literals that have names, and AND and OR of parts; traversal, and
copies of a node with changed children; variables, bound and free, fresh names, and alpha-equivalence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from operator import attrgetter
from typing import Any, Literal, TypeAlias, TypeVar, cast, dataclass_transform

from equiv.core.functions.traits import StorageClass


@dataclass(frozen=True, slots=True)
class Variable:
    """A tuple variable: bound once in a whole query; ``label`` is for people, and nothing is sorted by it."""

    number: int
    label: str = field(default="", compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.label or 'r'}{self.number}"


_T = TypeVar("_T")


class _Node:
    """The base of all nodes: a cache for values that are computed once for a node."""

    __slots__ = ("known_alpha", "known_free", "known_hash", "known_variables")


@dataclass_transform(frozen_default=True)
def _node(kind: type[_T]) -> type[_T]:
    """A frozen dataclass whose instances remember their hash: trees are deep, and looked up often."""
    made = dataclass(frozen=True, slots=True)(kind)
    compute: Callable[[Any], int] = vars(made)["__hash__"]

    def remembered(self: Any) -> int:
        try:
            return self.known_hash  # type: ignore[no-any-return]
        except AttributeError:
            value = compute(self)
            object.__setattr__(self, "known_hash", value)
            return value

    setattr(made, "__hash__", remembered)  # noqa: B010
    return made


@_node
class Field(_Node):
    """A column of a variable's row.

    ``column`` is a name, as the schema spells it, if the variable ranges over a scan; else a position.
    """

    row: Variable
    column: str | int


@_node
class Constant(_Node):
    """A literal; ``text`` is its exact spelling: 7, 0.5, abc (unquoted), hexadecimal digits; '' for NULL."""

    kind: StorageClass
    text: str = ""


@_node
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


@_node
class Convert(_Node):
    """``CAST(value AS to)``, or else the affinity or collation ``to`` that a comparison applies to a value.

    An implicit NUMERIC or TEXT conversion is SQLite's "apply affinity": NUMERIC turns text that is a number
    into that number and leaves other text alone; TEXT turns numbers into text.  An implicit NOCASE or RTRIM
    gives the collation key of :mod:`equiv.core.single_values`, and is the identity on what is no text.
    """

    to: Target
    value: Expression
    explicit: bool


@_node
class Compare(_Node):
    """A comparison of two values that need no conversion any more.

    ``=``, ``<`` and ``<=`` are NULL if a side is; ``IS`` never is.  The others are written with
    these: ``a > b`` is ``b < a``, ``a <> b`` is NOT ``a = b``.  The collation is BINARY: under
    another the collation keys of the values are compared, which are equal though the values may differ.
    """

    operator: Literal["=", "<", "<=", "IS"]
    left: Expression
    right: Expression


@_node
class And(_Node):
    """Conjunction of truth values; of none: 1."""

    parts: tuple[Expression, ...] = ()


@_node
class Or(_Node):
    """Disjunction of truth values; of none: 0."""

    parts: tuple[Expression, ...] = ()


@_node
class Not(_Node):
    """Negation of a truth value: NULL for NULL."""

    part: Expression


@_node
class IsTrue(_Node):
    """1 if a value is true (neither NULL nor 0), else 0: never NULL."""

    part: Expression


@_node
class IsNull(_Node):
    """1 if a value is NULL, else 0."""

    value: Expression


@_node
class Case(_Node):
    """The value of the first branch whose condition is true, or the default."""

    branches: tuple[tuple[Expression, Expression], ...]
    default: Expression


@_node
class Found(_Node):
    """A look-up's success: 1 if the table has a row whose key equals (``=``, unconverted) the values, else 0.

    Stands only where the key columns are unique (NULLs excepted): at most one row is found.
    """

    table: str
    key: tuple[str, ...]
    values: tuple[Expression, ...]


@_node
class Lookup(_Node):
    """The column of the row that :class:`Found` speaks of; NULL if there is none."""

    table: str
    key: tuple[str, ...]
    values: tuple[Expression, ...]
    column: str


@_node
class Exists(_Node):
    """1 if the bag has a row, else 0; its outputs do not count."""

    bag: Bag


@_node
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

    @property
    def is_extreme(self) -> bool:
        """Whether it is MIN or MAX, for which it does not count how often an argument is there."""
        return self.function in ("MIN", "MAX")


@_node
class First(_Node):
    """A scalar subquery: the first column of the first row of a :class:`Limited`; NULL if it has no row."""

    rows: Limited


Expression: TypeAlias = (
    "Field | Constant | Apply | Convert | Compare | And | Or | Not | IsTrue | IsNull | Case"
    " | Found | Lookup | Exists | Aggregate | First"
)


@_node
class Scan(_Node):
    """The rows of a base table, by its name in the schema."""

    table: str


@_node
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


@_node
class Limited(_Node):
    """LIMIT: the rows of a bag at ``offset`` to ``offset + limit`` in *an* order by the keys.

    The bag's outputs are the ``visible`` columns, then the keys, one for each direction.  Rows with equal
    keys may stand in any order, so this is a choice.  ``site`` distinguishes the choices of a query: two
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


@_node
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


@_node
class Binding(_Node):
    """A variable with the source that it ranges over."""

    row: Variable
    source: Source


@_node
class Term(_Node):
    """One summand: rows of outputs over all choices for the variables that make the condition true."""

    bindings: tuple[Binding, ...]
    condition: Expression
    outputs: tuple[Expression, ...]

    @property
    def conjuncts(self) -> tuple[Expression, ...]:
        """The parts of the condition, which must all be true."""
        return conjuncts(self.condition)

    @property
    def bound(self) -> set[Variable]:
        """The variables that it binds."""
        return {binding.row for binding in self.bindings}

    def where(self, parts: Iterable[Expression]) -> Term:
        """The term with other parts of a condition."""
        return Term(self.bindings, conjunction(parts), self.outputs)


@_node
class Bag(_Node):
    """A sum of terms with one number of outputs."""

    terms: tuple[Term, ...]


@_node
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


def disjunction(parts: Iterable[Expression]) -> Expression:
    """The OR of some truth values, without FALSE; TRUE if one of them is."""
    found = tuple(dict.fromkeys(part for part in parts if part != FALSE))
    if TRUE in found:
        return TRUE
    if not found:
        return FALSE
    return found[0] if len(found) == 1 else Or(found)


def chained(operator: str, operands: Iterable[Expression]) -> Expression | None:
    """Operands joined by an operator, from left to right; None of none."""
    found: Expression | None = None
    for each in operands:
        found = each if found is None else Apply(operator, (found, each))
    return found


def operands(node: Expression, operator: str) -> tuple[Expression, ...]:
    """The operands that an operator joins, from left to right, however they are put in parentheses."""
    match node:
        case Apply(function, (left, right)) if function == operator:
            return (*operands(left, operator), *operands(right, operator))
    return (node,)


def conjuncts(condition: Expression) -> tuple[Expression, ...]:
    """The parts of a condition that must all be true."""
    if condition == TRUE:
        return ()
    return condition.parts if isinstance(condition, And) else (condition,)


_N = TypeVar("_N", bound=Node)


_Change: TypeAlias = "Callable[[Any], Any]"


def _all_changed(nodes: tuple[Any, ...], change: _Change) -> tuple[Any, ...]:
    new = tuple([change(each) for each in nodes])
    for old, each in zip(nodes, new, strict=True):
        if old is not each:
            return new
    return nodes


def _changed_case(node: Case, change: _Change) -> Case:
    branches = tuple([_all_changed(branch, change) for branch in node.branches])
    default = change(node.default)
    if default is node.default and all(a is b for a, b in zip(branches, node.branches, strict=True)):
        return node
    return Case(branches, default)


def _changed_comparison(node: Compare, change: _Change) -> Compare:
    left, right = change(node.left), change(node.right)
    return node if left is node.left and right is node.right else Compare(node.operator, left, right)


def _changed_term(node: Term, change: _Change) -> Term:
    bindings = _all_changed(node.bindings, change)
    condition = change(node.condition)
    outputs = _all_changed(node.outputs, change)
    if bindings is node.bindings and condition is node.condition and outputs is node.outputs:
        return node
    return Term(bindings, condition, outputs)


def _of_case(node: Case) -> tuple[Node, ...]:
    return (*(part for branch in node.branches for part in branch), node.default)


_Structure: TypeAlias = tuple[Callable[[Any], tuple[Any, ...]], Callable[[Any, _Change], Any]]
"""The nodes directly below a node, and the node with these changed."""


def _holding(name: str, *, several: bool = False) -> _Structure:
    """The structure of nodes with one node, or one tuple of nodes, below them."""
    get = attrgetter(name)

    def changed(node: Any, change: _Change) -> Any:
        old = get(node)
        new = _all_changed(old, change) if several else change(old)
        if new is old:
            return node
        return node.__class__(*[new if each == name else getattr(node, each) for each in node.__match_args__])

    return (get if several else lambda node: (get(node),)), changed


_STRUCTURES: dict[type, _Structure] = {
    **dict.fromkeys((Field, Constant, Scan), (lambda node: (), lambda node, change: node)),
    **dict.fromkeys((And, Or), _holding("parts", several=True)),
    **dict.fromkeys((Not, IsTrue), _holding("part")),
    **dict.fromkeys((IsNull, Convert), _holding("value")),
    **dict.fromkeys((Found, Lookup), _holding("values", several=True)),
    **dict.fromkeys((Exists, Aggregate, Squash, Limited, Numbered, Answer), _holding("bag")),
    Apply: _holding("arguments", several=True),
    Compare: (lambda node: (node.left, node.right), _changed_comparison),
    Case: (_of_case, _changed_case),
    First: _holding("rows"),
    Binding: _holding("source"),
    Term: (lambda node: (*node.bindings, node.condition, *node.outputs), _changed_term),
    Bag: _holding("terms", several=True),
}
_CHILDREN = {kind: below for kind, (below, _) in _STRUCTURES.items()}
_CHANGES = {kind: changed for kind, (_, changed) in _STRUCTURES.items()}


def children(node: Node) -> tuple[Node, ...]:
    """The nodes directly below a node, from left to right."""
    return _CHILDREN[node.__class__](node)


def walk(node: Node) -> Iterator[Node]:
    """The node and all below it, parents first."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack += _CHILDREN[current.__class__](current)


def map_children(node: _N, change: Callable[[Node], Node]) -> _N:
    """The node with each node directly below it changed; the node itself if nothing did."""
    found: _N = _CHANGES[node.__class__](node, change)
    return found


def substitute(node: _N, change: Callable[[Field], Expression]) -> _N:
    """The node with every field replaced; bindings stay as they are."""

    def each(inner: Node) -> Node:
        return change(inner) if isinstance(inner, Field) else map_children(inner, each)

    return each(node)  # type: ignore[return-value]


def renamed(node: _N, names: dict[Variable, Variable]) -> _N:
    """The node with variables renamed, in fields and in bindings."""
    renames = names.keys()

    def each(inner: Node) -> Node:
        used, binds = _variables(inner)
        if renames.isdisjoint(used) and renames.isdisjoint(binds):
            return inner
        if isinstance(inner, Field):
            return Field(names.get(inner.row, inner.row), inner.column)
        changed = map_children(inner, each)
        if isinstance(changed, Binding):
            return Binding(names.get(changed.row, changed.row), changed.source)
        return changed

    return each(node)  # type: ignore[return-value]


_NONE: frozenset[Variable] = frozenset()


def _variables(node: Node) -> tuple[frozenset[Variable], frozenset[Variable]]:
    """The variables whose columns a node mentions, and those that it binds; kept with the node."""
    try:
        return node.known_variables  # type: ignore[union-attr,no-any-return]
    except AttributeError:
        own = frozenset((node.row,)) if isinstance(node, Field | Binding) else _NONE
        used, binds = (_NONE, own) if isinstance(node, Binding) else (own, _NONE)
        for child in children(node):
            more_used, more_bound = _variables(child)
            if more_used:
                used = used | more_used if used else more_used
            if more_bound:
                binds = binds | more_bound if binds else more_bound
        object.__setattr__(node, "known_variables", (used, binds))
        return used, binds


def bound(node: Node) -> frozenset[Variable]:
    """The variables that are bound somewhere in a node."""
    return _variables(node)[1]


def free(node: Node) -> frozenset[Variable]:
    """The variables that a node mentions and does not bind."""
    try:
        return node.known_free  # type: ignore[union-attr,no-any-return]
    except AttributeError:
        used, binds = _variables(node)
        found = used - binds if binds else used
        object.__setattr__(node, "known_free", found)
        return found


def mentions(node: Node, rows: Iterable[Variable]) -> bool:
    """Whether a node mentions one of some variables and does not bind it."""
    return not free(node).isdisjoint(rows)


def sites(node: Node) -> list[int]:
    """The choice sites in a node, one entry for each occurrence."""
    found = (inner.site for inner in walk(node) if isinstance(inner, Limited | Numbered | Aggregate))
    return [site for site in found if site]


@dataclass(slots=True)
class FreshNames:
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
        """A copy of the node with fresh bound variables; choice sites stay."""
        names = {row: self.variable(row.label) for row in sorted(bound(node), key=lambda row: row.number)}
        return renamed(node, names) if names else node


def alpha(node: _N) -> _N:
    """The node with bound variables renumbered below zero, in the order of their binding.

    Nodes that differ only in the names of bound variables become equal.
    """
    try:
        return cast(_N, node.known_alpha)  # type: ignore[union-attr]
    except AttributeError:
        found = cast(_N, _renumbered(node)) if bound(node) else node
        object.__setattr__(node, "known_alpha", found)
        return found


@lru_cache(maxsize=20_000)
def _renumbered(node: Node) -> Node:
    names: dict[Variable, Variable] = {}
    for inner in _in_order(node):
        if isinstance(inner, Binding):
            names[inner.row] = Variable(-len(names) - 1, inner.row.label)
    return renamed(node, names)


def _in_order(node: Node) -> Iterator[Node]:
    """The node and all below it that bind a variable, parents first, from left to right."""
    stack = [node]
    while stack:
        current = stack.pop()
        if bound(current):
            yield current
            stack += reversed(children(current))
