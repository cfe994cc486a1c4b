"""The free choices of a query's answer: its current time, ORDER BY, LIMIT and OFFSET at the top, or none.

SQLite answers a subquery that is SELECT DISTINCT with an OFFSET in ways of its own.  In EXISTS it ignores
the DISTINCT, so that the OFFSET skips duplicates too.  As a value it may compute a row before it skips it:
where the OFFSET skips all rows, the value is that of the last one skipped, not NULL. Whether it does
depends on the plan, indexes included; only DISTINCT of what is sorted by, ascending, is always turned into
GROUP BY, which has no such fault.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import pairwise
from typing import cast

from sqlglot import exp

from equiv.core.claims.blocks import is_grouped, is_scalar, select_operands
from equiv.core.claims.value_types import collation
from equiv.core.functions.table import CALLS, function_of, nodes, rows_named, uncall
from equiv.core.functions.traits import FunctionSort, Reads, Rounds
from equiv.core.lexer import Token, TokenKind, tokens
from equiv.core.model import Context, Schema
from equiv.core.nodes import Rank
from equiv.core.printing import key
from equiv.core.query import Opaque

NOW = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S.%f")[:-3]
"""The one instant for which 'now' and CURRENT_TIMESTAMP stand in laid-open queries."""


def freeze_time(root: exp.Expression, instant: str = NOW) -> bool:
    """Put one instant for 'now' and CURRENT_*, which else differ between two statements.

    Args:
        root: is changed in place.
        instant: YYYY-MM-DD HH:MM:SS.SSS.

    Returns:
        Whether the tree mentions the current time.

    Raises:
        Opaque: a text that may be handed to a date function, or not.
    """
    instants = list(root.find_all(*nodes(lambda function: function.sort is FunctionSort.INSTANT)))
    for node in instants:
        node.replace(exp.Literal.string(instant[slice(*CALLS[_name(node)].shown)]))
    calls = [call for call in root.walk() if _is_time_call(call)]
    for call in calls:
        if isinstance(call, exp.Anonymous) and len(call.expressions) == moment_of(_name(call)):
            call.append("expressions", exp.Literal.string("now"))
    texts = [text for text in root.find_all(exp.Literal) if text.is_string]
    words = [text for text in texts if text.name.lower() == "now"] if calls else []
    for word in words:
        if not _is_time_call(word.parent):
            raise Opaque("Literal", "'now', handed to a date function or not")
        if _is_moment(word):
            word.replace(exp.Literal.string(instant))
    return bool(instants or words)


def reads_the_clock(root: exp.Expression) -> bool:
    """Whether a query mentions the current time."""
    return any(map(_may_read_it, root.walk())) and freeze_time(root.copy())


def _may_read_it(node: object) -> bool:
    """Whether a node may mention the current time: by name, as a text, or as an argument left out."""
    if isinstance(node, exp.Literal):
        return node.is_string and node.name.lower() == "now"
    function = function_of(node)
    return isinstance(node, exp.Anonymous) or (function is not None and function.sort is FunctionSort.INSTANT)


def _is_time_call(node: object) -> bool:
    function = function_of(node)
    return function is not None and function.reads_time


def _is_moment(argument: exp.Expression) -> bool:
    """Whether an argument of a date function is its time value, not its format or a modifier."""
    call = uncall(cast(exp.Expression, argument.parent))
    if call is None:
        return True
    position = next(at for at, each in enumerate(call[1]) if each is argument)
    return CALLS[call[0].upper()].how_reads(position) is Reads.TIME


def _name(node: object) -> str:
    function = function_of(node)
    assert function is not None
    return function.name


def moment_of(name: str) -> int:
    """The position of a function's time value, which is 'now' where it is left out."""
    return CALLS[name].reads.index(Reads.TIME)


def limits(root: exp.Expression) -> tuple[int, int | None]:
    """The window of the top-level LIMIT and OFFSET: start and stop (None: no limit).

    Raises:
        Opaque: they are not computed of integer literals.
    """
    start = _integer(root.args["offset"].expression) if root.args.get("offset") is not None else 0
    start = max(start, 0)
    if root.args.get("limit") is None:
        return start, None
    count = _integer(root.args["limit"].expression)
    return start, None if count < 0 else start + count


_COMPUTING: dict[type[exp.Expression], Callable[[int, int], int]] = {
    exp.Add: operator.add,
    exp.Sub: operator.sub,
    exp.Mul: operator.mul,
}


def _integer(node: exp.Expression) -> int:
    if isinstance(node, exp.Neg):
        return -_integer(node.this)
    if isinstance(node, exp.Literal) and not node.is_string and node.name.isdigit():
        return int(node.name)
    compute = _COMPUTING.get(type(node))
    if compute is not None:
        # Beyond 64 bits it is a REAL, and an error.
        found = compute(_integer(node.this), _integer(node.expression))
        if -(2**63) <= found < 2**63:
            return found
    raise Opaque("Limit", "LIMIT or OFFSET that is not an integer literal")


def ranked(root: exp.Expression) -> exp.Expression:
    """The query without its top-level LIMIT; its last column is the rank of each row's ORDER BY group."""
    root = root.copy()
    order = root.args.get("order")
    for name in ("order", "limit", "offset"):
        root.set(name, None)
    if order is None:
        terms: list[exp.Expression] = []
    elif isinstance(root, exp.Select) and root.args.get("distinct") is None:
        if not any(term.find(exp.Window) for term in order.expressions):
            root.append("expressions", _rank(order.expressions))
            return root
        return _ranked_outside(root, order.expressions)
    else:
        terms = _output_terms(root, order.expressions)
    outer = exp.Select(expressions=[exp.Star(), _rank(terms)])
    if terms:
        _name_outputs(root)
    alias = exp.TableAlias(this=exp.to_identifier("equiv_top"))
    outer.set("from_", exp.From(this=exp.Subquery(this=root, alias=alias)))
    return outer


def _ranked_outside(root: exp.Select, terms: list[exp.Expression]) -> exp.Expression:
    """The query as a subquery, which shows by what its rows are ordered: no window stands within another."""
    outputs = len(root.expressions)
    known = {key(x.unalias()) for x in root.expressions}
    for term in terms:
        # A value that is shown is not computed again: its own ties would fall otherwise.
        if key(term.this) not in known:
            root.append("expressions", term.this.copy())
            known.add(key(term.this))
    rank = _rank(_output_terms(root, terms))
    _name_outputs(root)
    shown = [exp.column(f"equiv_c{place}") for place in range(1, outputs + 1)]
    alias = exp.TableAlias(this=exp.to_identifier("equiv_top"))
    outer = exp.Select(expressions=[*shown, rank])
    outer.set("from_", exp.From(this=exp.Subquery(this=root, alias=alias)))
    return outer


def require_own_collation(root: exp.Expression, ctx: Context) -> None:
    """Make sure that the columns of an ordered compound sort in a subquery as they do at the top.

    A compound sorts by the first collation that an operand has, a subquery's column by that of its first.

    Raises:
        Opaque: the first operand leaves a collation to another.
    """
    if not isinstance(root, exp.SetOperation) or root.args.get("order") is None:
        return
    operands = [x.expressions for x in select_operands(root)]
    for first, *others in zip(*operands, strict=True):
        collations = [collation(x.unalias(), ctx) for x in (first, *others)]
        if collations[0] in ("", None) and not {*collations} <= {"", "BINARY"}:
            raise Opaque("Order", "ORDER BY under the collation of a later operand")


def _rank(terms: list[exp.Expression]) -> exp.Expression:
    order = exp.Order(expressions=[term.copy() for term in terms]) if terms else None
    return exp.Window(this=Rank(), order=order, over="OVER") if order else exp.Literal.number(1)


def _name_outputs(root: exp.Expression) -> None:
    first = root
    while isinstance(first, exp.SetOperation | exp.Subquery):
        first = first.this
    if not isinstance(first, exp.Select):
        raise Opaque("Values", "VALUES, ordered")
    outputs = [x.unalias().copy() for x in first.expressions]
    first.set("expressions", [exp.alias_(x, f"equiv_c{n}") for n, x in enumerate(outputs, 1)])


def _output_terms(root: exp.Expression, terms: list[exp.Expression]) -> list[exp.Expression]:
    """ORDER BY terms of a DISTINCT or compound query, as references to its numbered outputs."""
    projections = [key(x.unalias()) for x in root.expressions] if isinstance(root, exp.Select) else []
    renamed = []
    for term in terms:
        wanted = term.this
        if isinstance(wanted, exp.Collate):
            raise Opaque("Order", "ORDER BY with COLLATE over DISTINCT or a set operation")
        is_select = isinstance(root, exp.Select)
        position = projections.index(key(wanted)) + 1 if is_select else _integer(wanted)
        copied = term.copy()
        copied.set("this", exp.column(f"equiv_c{position}"))
        renamed.append(copied)
    return renamed


def skips_distinct_rows(tree: exp.Expression) -> bool:
    """Whether an OFFSET skips distinct rows of a subquery in EXISTS, or of one that stands for a value."""
    return any(_is_answered_oddly(node.parent) for node in tree.find_all(exp.Offset) if _skips(node))


def _skips(offset: exp.Expression) -> bool:
    return not (isinstance(offset.expression, exp.Literal) and offset.expression.name == "0")


def _is_answered_oddly(query: exp.Expr | None) -> bool:
    if not isinstance(query, exp.Select | exp.SetOperation):
        return False
    if all(each.args.get("distinct") is None for each in select_operands(query)):
        return False
    if _is_in_exists(query):
        return True
    return is_scalar(query) and not _sorts_by_its_outputs(query)


def _is_in_exists(query: exp.Expression) -> bool:
    parent = query.parent
    while isinstance(parent, exp.Subquery):
        parent = parent.parent
    return isinstance(parent, exp.Exists)


def _sorts_by_its_outputs(query: exp.Expression) -> bool:
    """Whether a plain SELECT DISTINCT sorts by just its outputs, each ascending."""
    order = query.args.get("order")
    if order is None or not isinstance(query, exp.Select) or is_grouped(query):
        return False
    if any(term.args.get("desc") or term.args.get("nulls_first") is False for term in order.expressions):
        return False
    return [key(x.unalias()) for x in query.expressions] == [key(term.this) for term in order.expressions]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_CHOOSING = _words("""
    LIMIT OFFSET OVER WINDOW GROUP DISTINCT UNION INTERSECT EXCEPT WITH VALUES COLLATE HAVING FILTER
    CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP ROWID OID _ROWID_
""")
_ROUNDING = frozenset(("/", "+", "-", "%"))
_BEFORE_STAR = frozenset(("SELECT", "ALL", ",", "."))
_CALLABLE = frozenset((TokenKind.NAME, TokenKind.QUOTED))
"""SQLite takes a quoted name for that of a function."""
_BEFORE_PARENTHESIS = _words("""
    AND BETWEEN BY CASE CAST ELSE FROM GLOB IN IS JOIN LIKE NOT ON OR SELECT THEN WHEN WHERE
""")


def is_plain_text(sql: str, schema: Schema) -> bool:
    """Whether a query has one SELECT, of no view, and nothing that chooses, rounds, or may vary."""
    parts = tokens(sql)
    words = [token.word for token in parts]
    if any(schema.view(word.strip('"`[]')) is not None for word in words):
        return False
    if words.count("SELECT") != 1 or not _CHOOSING.isdisjoint(word.strip('"`[]') for word in words):
        return False
    if not _ROUNDING.isdisjoint(words) or any(map(_multiplies, parts, parts[1:])):
        return False
    return all(
        first.kind not in _CALLABLE or second.word != "(" or _may_precede(first.word)
        for first, second in pairwise(parts)
    )


def _may_precede(word: str) -> bool:
    """Whether a word before a parenthesis neither chooses nor rounds nor reads the clock."""
    rows = rows_named(word)
    is_plain = all(row.is_call and row.is_fixed and row.rounds is Rounds.NO for row in rows)
    is_timeless = not any(row.reads_time for row in rows)
    return word in _BEFORE_PARENTHESIS or (bool(rows) and is_plain and is_timeless)


def _multiplies(first: Token, second: Token) -> bool:
    """Whether an asterisk is no star of a SELECT list."""
    return second.word == "*" and first.word not in _BEFORE_STAR
