"""The parts of a resolved tree: literals, truth values, blocks, aggregates, the source of a column.

Claims are remembered while a tree is unchanged: between two rewrites it is only read, by many rules that
ask the same of it: which aggregates a SELECT has, which table a column is
of.  :mod:`equiv.rewrite.normalise` says when a tree stands; at any other time nothing is kept.

Source aliases are unique in a whole query, so a column is found by walking up
from its use until a SELECT lists its alias.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from itertools import pairwise
from typing import Any, TypeVar, cast

from sqlglot import exp

from equiv.core.claims.fingerprint import sources
from equiv.core.functions.table import function_of, nodes
from equiv.core.functions.traits import FunctionSort
from equiv.core.model import NUMBERS, Column, Context, Schema, Table
from equiv.names import fold, is_same

T = TypeVar("T")


class TreeMemo(threading.local):
    """The claims computed for the tree of this thread while no rule's body changes it."""

    known: dict[tuple[object, ...], Any] | None = None
    """By function and identity of the node; None while a body runs."""
    handed: dict[tuple[object, ...], Any] | None = None
    """What was known when a rule's body began, for the candidates of a choice, which its guards found."""
    root: exp.Expr | None = None
    ctx: Context | None = None

    def take_handed(self) -> dict[tuple[object, ...], Any]:
        """Take what was known when the body of a rule began; nothing the second time or later."""
        handed, self.handed = self.handed, None
        return handed or {}

    def holds(self, node: exp.Expr) -> bool:
        """Whether a node is part of the tree: only then its identity stays its own while the tree stands."""
        while node.parent is not None:
            node = node.parent
        return node is self.root


TREE_MEMO = TreeMemo()


def of_node(function: Callable[[Any], T]) -> Callable[[Any], T]:
    """Memoise a function of one node while the node's tree is unchanged; the result must not be changed."""

    @wraps(function)
    def asked(node: Any) -> T:
        known = TREE_MEMO.known
        if known is None:
            return function(node)
        key = (function, id(node))
        if key in known:
            result: T = known[key]
            return result
        result = function(node)
        if TREE_MEMO.holds(node):
            known[key] = result
        return result

    return asked


def of_node_in_context(function: Callable[[Any, Context], T]) -> Callable[[Any, Context], T]:
    """Like :func:`of_node`, for a function of a node and the context of the rewriting."""

    @wraps(function)
    def asked(node: Any, ctx: Context) -> T:
        known = TREE_MEMO.known
        if known is None or ctx is not TREE_MEMO.ctx:
            return function(node, ctx)
        key = (function, id(node))
        if key in known:
            result: T = known[key]
            return result
        result = function(node, ctx)
        if TREE_MEMO.holds(node):
            known[key] = result
        return result

    return asked


COMPARISONS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE)
BOOLEAN = (
    *COMPARISONS,
    exp.And,
    exp.Or,
    exp.Not,
    exp.Is,
    exp.NullSafeEQ,
    exp.NullSafeNEQ,
    exp.In,
    exp.Between,
    exp.Like,
    exp.Glob,
    exp.Exists,
)

COLLATION_READERS: tuple[type[exp.Expr], ...] = (
    *COMPARISONS,
    exp.NullSafeEQ,
    exp.NullSafeNEQ,
    exp.In,
    exp.Between,
    *nodes(lambda function: function.compares),
    exp.Distinct,
    exp.Ordered,
    exp.Group,
    exp.Window,
)
"""Node classes that depend on the collation of their operands."""


def reads_numbers(tree: exp.Expression | None) -> bool:
    """Whether a query reads :data:`~equiv.core.model.NUMBERS`."""
    return tree is not None and any(table.name == NUMBERS.name for table in tree.find_all(exp.Table))


def looks_beside(tree: exp.Expression) -> bool:
    """Whether a source of a query sees others beside it: LATERAL."""
    return any(node.args.get("lateral") for node in tree.find_all(exp.Subquery))


def is_number(node: exp.Expression) -> bool:
    """Whether the node is a numeric literal, possibly negative."""
    literal = node.this if isinstance(node, exp.Neg) else node
    return isinstance(literal, exp.Literal) and not literal.is_string


def is_text(node: exp.Expression) -> bool:
    """Whether the node is a string literal."""
    return isinstance(node, exp.Literal) and bool(node.is_string)


def is_literal(node: exp.Expression) -> bool:
    """Whether the node is the literal of a number or a string, not NULL."""
    return is_number(node) or is_text(node)


def is_integer_literal(node: exp.Expression) -> bool:
    """Whether the node is an integer literal that fits in 64 bits, possibly negative."""
    literal = node.this if isinstance(node, exp.Neg) else node
    digits = literal.name.lstrip("0")
    return is_number(node) and literal.name.isdigit() and len(digits) < 20 and int(digits or "0") < 2**63


def is_real_literal(node: exp.Expression) -> bool:
    """Whether the node is a numeric literal of storage class REAL, possibly negative."""
    return is_number(node) and not (node.this if isinstance(node, exp.Neg) else node).name.isdigit()


def is_boolean(node: exp.Expression) -> bool:
    """Whether an expression can only be 0, 1 or NULL."""
    if isinstance(node, exp.Escape):
        return isinstance(node.this, exp.Like)
    return isinstance(node, BOOLEAN) or is_bit(node)


def is_bit(node: exp.Expression) -> bool:
    """Whether the node is the literal 0 or 1."""
    return isinstance(node, exp.Literal) and not node.is_string and node.name in ("0", "1")


QUERY_BLOCKS = (exp.Select, exp.SetOperation, exp.Values)
"""Node classes at the root of a nested query."""

UNGROUPED_CLAUSES = ("from_", "joins", "where")
"""The clauses of a SELECT that are computed before grouping."""


def walk_block(node: exp.Expression) -> Iterator[exp.Expression]:
    """The nodes of an expression without those of queries nested in it (the node itself included)."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack += [child for child in current.iter_expressions() if not isinstance(child, QUERY_BLOCKS)]


def is_aggregate(node: exp.Expression) -> bool:
    """Whether a node is an aggregate call, neither scalar MIN and MAX nor a window function."""
    function = function_of(node)
    if function is None or function.sort is not FunctionSort.AGGREGATE:
        return False
    parent = node.parent.parent if isinstance(node.parent, exp.Filter) else node.parent
    return not isinstance(parent, exp.Window)


def result_clauses(select: exp.Expression) -> list[exp.Expression]:
    """The expressions of a SELECT that are computed after grouping: projections, HAVING, ORDER BY."""
    later = [select.args.get(name) for name in ("having", "order")]
    return [*select.expressions, *(clause for clause in later if clause is not None)]


@of_node
def aggregates(select: exp.Expression) -> list[exp.Expression]:
    """The aggregate calls of a SELECT, those of nested queries left out."""
    return [node for clause in result_clauses(select) for node in walk_block(clause) if is_aggregate(node)]


def calls_of_aggregates(tree: exp.Expression) -> Iterator[exp.Expression]:
    """All aggregate calls of a tree, wherever they stand."""
    return (node for node in tree.find_all(exp.Expression) if is_aggregate(node))


def escapes(call: exp.Expression) -> bool:
    """Whether an aggregate call belongs to an outer query, not to the one in which it stands.

    SQLite then aggregates over the outer query's rows (``resolve.c``, "aggregate belongs to"): all columns of
    its arguments and its FILTER are of outer sources.  One in WHERE or ON, where no rows are grouped yet, can
    be no other: SQLite refuses those of the query's own rows there.
    """
    clause, block = call, call.parent
    while block is not None and not isinstance(block, QUERY_BLOCKS):
        clause, block = cast(exp.Expression, block), block.parent
    if not isinstance(block, exp.Select):
        return False
    if clause.arg_key in UNGROUPED_CLAUSES:
        return True
    whole = call.parent if isinstance(call.parent, exp.Filter) else call
    tables = {column.table for column in whole.find_all(exp.Column)}
    return bool(tables) and not tables & source_aliases(block)


def is_grouped(select: exp.Expression) -> bool:
    """Whether a SELECT aggregates: by GROUP BY or by an aggregate call."""
    return select.args.get("group") is not None or bool(aggregates(select))


def returns_one_row(query: exp.Expression) -> bool:
    """Whether a query returns exactly one row on every database: an ungrouped aggregate without HAVING."""
    return (
        isinstance(query, exp.Select)
        and query.args.get("group") is None
        and query.args.get("having") is None
        and query.args.get("limit") is None
        and query.args.get("offset") is None
        and bool(aggregates(query))
    )


def is_scalar(query: exp.Expression) -> bool:
    """Whether a nested query stands for a value: that of its first row."""
    parent = query.parent
    if isinstance(parent, exp.Subquery):
        query, parent = parent, parent.parent
        if isinstance(parent, exp.From | exp.Join):
            return False
    if isinstance(parent, exp.In):
        return query.arg_key != "query"
    return parent is not None and not isinstance(parent, exp.CTE | exp.SetOperation | exp.Exists)


def tables_read(trees: Iterable[exp.Expression], schema: Schema) -> list[Table]:
    """The tables of a schema that trees read, in its order."""
    names = {fold(table.name) for tree in trees for table in tree.find_all(exp.Table)}
    return [table for table in schema.tables if fold(table.name) in names]


def source_aliases(select: exp.Expression) -> set[str]:
    """The aliases of a SELECT's own sources."""
    return {source.alias_or_name for source in sources(select)}


def ancestry(node: exp.Expression) -> Iterator[exp.Expression]:
    """A node, its parent, and so on up to the root."""
    current: exp.Expr | None = node
    while current is not None:
        yield cast(exp.Expression, current)
        current = current.parent


def is_within(node: exp.Expression, ancestor: exp.Expression) -> bool:
    """Whether a node is another or stands below it."""
    return any(current is ancestor for current in ancestry(node))


@of_node
def home(column: exp.Expression) -> exp.Expression | None:
    """The SELECT whose FROM clause lists the source of a column, or None if the tree is detached."""
    alias = column.text("table")
    select = column.find_ancestor(exp.Select)
    while select is not None and not any(s.alias_or_name == alias for s in sources(select)):
        select = select.find_ancestor(exp.Select)
    return select


@of_node
def source_of(column: exp.Expression) -> exp.Expression | None:
    """The Table or Subquery that a column reads from."""
    select = home(column)
    if select is None:
        return None
    return next(s for s in sources(select) if s.alias_or_name == column.text("table"))


@of_node
def defining_query(source: exp.Expression) -> exp.Expression | None:
    """The query behind a derived table or a CTE reference; None for a base table."""
    if isinstance(source, exp.Subquery):
        return cast(exp.Expression, source.this)
    for node in ancestry(source):
        clause = node.args.get("with_")
        for cte in clause.expressions if clause is not None else ():
            if is_same(cte.alias, source.name):
                return cast(exp.Expression, cte.this)
    return None


@of_node_in_context
def base_column(column: exp.Expression, ctx: Context) -> tuple[Table, Column] | None:
    """The schema's table and column that a column of a base table names; None for any other source."""
    source = source_of(column)
    if not isinstance(source, exp.Table) or defining_query(source) is not None:
        return None
    table = ctx.schema.table(source.name)
    found = table.column(column.name) if table is not None else None
    return (table, found) if table is not None and found is not None else None


def reads_function(column: exp.Expression) -> bool:
    """Whether a column is of a function in FROM."""
    source = source_of(column)
    return source is not None and isinstance(source.this, exp.Anonymous)


def feeds(column: exp.Expression) -> list[exp.Expression] | None:
    """The expressions that feed a column of a derived table or CTE, one for each compound operand.

    None where they are not to be had: VALUES, recursion, a base table.
    """
    source = source_of(column)
    query = defining_query(source) if source is not None else None
    if source is None or query is None or is_within(column, query):
        return None
    operands = list(select_operands(query))
    names = [projection.alias_or_name for projection in operands[0].expressions]
    if column.name not in names:
        return None
    if isinstance(source, exp.Table) and any(t.name == source.name for t in query.find_all(exp.Table)):
        return None
    if not all(isinstance(o, exp.Select) and len(o.expressions) == len(names) for o in operands):
        return None
    return [operand.expressions[names.index(column.name)].unalias() for operand in operands]


@of_node
def is_typed_early(feed: exp.Expression) -> bool:
    """Whether SQLite types a column of a derived table before the column that it hands on has a type.

    The columns of a derived table are typed when its query has been resolved, inner queries first.  A column
    of a derived table (or a CTE, or joins in parentheses) of a query *around* has no affinity and collation
    then: those of ``c`` in ``(SELECT u.a AS c) AS w`` depend on whether the outer ``u`` is a base table.
    """
    select = feed.find_ancestor(exp.Select)
    for column in feed.find_all(exp.Column):
        source, listing = source_of(column), home(column)
        if source is None or defining_query(source) is None or listing is select:
            continue
        if select is not None and listing is not None and is_within(select, listing):
            return True
    return False


def select_operands(query: exp.Expression) -> Iterator[exp.Expression]:
    """The operands of a compound query, left to right; the query itself if it is not compound."""
    stack = [query]
    while stack:
        current = stack.pop()
        if isinstance(current, exp.SetOperation):
            stack += (current.expression, current.this)
        elif isinstance(current, exp.Subquery):
            stack.append(current.this)
        else:
            yield current


def is_padded(column: exp.Expression) -> bool:
    """Whether an outer join may have padded the column's source with NULLs where the column is read."""
    select = home(column)
    if select is None:
        return True
    joins = select.args.get("joins") or []
    own = [s.alias_or_name for s in sources(select)].index(column.text("table"))
    reader = next((n for n, join in enumerate(joins, 1) if is_within(column, join)), len(joins) + 1)
    if own > reader:
        return True
    sides = ["", *(join.side.upper() for join in joins)]
    padded_itself = sides[own] in ("LEFT", "FULL") and own != reader
    return padded_itself or any(side in ("RIGHT", "FULL") for side in sides[own + 1 : reader])


def is_bare_in_ungrouped(column: exp.Expression) -> bool:
    """Whether a column stands outside every aggregate of an aggregate query without GROUP BY.

    Such a column is NULL if there are no rows.  An aggregate of a subquery is none of the outer query's.
    """
    select = home(column)
    if select is None:
        return True
    if select.args.get("group") is not None:
        return False
    above = list(ancestry(column))
    above = above[: next(n for n, node in enumerate(above) if node is select) + 1]
    clause = next(child for child, parent in pairwise(above) if parent is select)
    if clause.arg_key in ("from_", "joins", "where"):
        return False
    own = above[:-1]
    nested = max((n for n, node in enumerate(own) if isinstance(node, exp.Query)), default=-1)
    for node in own[nested + 1 :]:
        if is_aggregate(node.this if isinstance(node, exp.Filter) else node):
            return False
    return select.args.get("having") is not None or bool(aggregates(select))
