"""SQLite's query grammar: SELECT, VALUES, compounds and WITH, to sqlglot nodes.

Compound operators are left-associative and of one level.  The texts of the
projections, which SQLite uses as column names, are kept in ``meta["spans"]``
of each SELECT.
"""

from __future__ import annotations

from sqlglot import exp

from equiv.core.functions.table import SETS
from equiv.core.lexer import Cursor, TokenKind
from equiv.dialects.sqlite.grammar.expressions import (
    closed_list,
    expression,
    expressions,
    name,
    table_name,
    window,
)

_COMPOUND = {"UNION": exp.Union, "INTERSECT": exp.Intersect, "EXCEPT": exp.Except}
_JOIN_WORDS = ("NATURAL", "LEFT", "RIGHT", "FULL", "OUTER", "INNER", "CROSS", "JOIN")
_AFTER_SOURCE = {
    *_JOIN_WORDS, "ON", "USING", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "UNION", "INTERSECT", "EXCEPT",
    "INDEXED", "NOT", "AND", "OR",
}  # fmt: skip
_AFTER_PROJECTION = {
    "FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "UNION", "INTERSECT", "EXCEPT",
}  # fmt: skip


def read(text: str) -> exp.Expression:
    """The unresolved tree of one query.

    Raises:
        GrammarError: the text is not a query, or uses what is not read here.
        RecursionError: the text nests too deeply.
    """
    cursor = Cursor(text)
    found = query(cursor)
    if cursor.token.kind is not TokenKind.END:
        cursor.fail("Query", "the query ends before")
    return found


def query(cursor: Cursor) -> exp.Expression:
    """Read a query with its WITH, ORDER BY and LIMIT clauses."""
    ctes = _with(cursor)
    found = _core(cursor)
    while cursor.word in _COMPOUND:
        operator = _COMPOUND[cursor.advance().word]
        distinct = not cursor.take("ALL")
        found = operator(this=found, expression=_core(cursor), distinct=distinct)
    found.set("order", order_by(cursor))
    _limit(cursor, found)
    found.set("with_", ctes)
    return found


def _with(cursor: Cursor) -> exp.Expression | None:
    if not cursor.take("WITH"):
        return None
    if cursor.ahead(1) not in ("AS", "("):
        cursor.take("RECURSIVE")
    found = [_cte(cursor)]
    while cursor.take(","):
        found.append(_cte(cursor))
    return exp.With(expressions=found)


def _cte(cursor: Cursor) -> exp.Expression:
    alias = exp.TableAlias(this=name(cursor))
    if cursor.take("("):
        alias.set("columns", _names(cursor))
    cursor.expect("AS")
    hint = [word for word in ("NOT", "MATERIALIZED") if cursor.take(word)]
    cursor.expect("(")
    body = query(cursor)
    cursor.expect(")")
    found = exp.CTE(this=body, alias=alias)
    found.meta["hint"] = "".join(f"{word} " for word in hint)
    return found


def _names(cursor: Cursor) -> list[exp.Expression]:
    found = [name(cursor)]
    while cursor.take(","):
        found.append(name(cursor))
    cursor.expect(")")
    return found


def _core(cursor: Cursor) -> exp.Expression:
    if cursor.take("VALUES"):
        return _values(cursor)
    cursor.expect("SELECT")
    select = exp.Select(distinct=exp.Distinct() if cursor.take("DISTINCT") else None)
    cursor.take("ALL")
    _projections(cursor, select)
    if cursor.take("FROM"):
        first, joins = _sources(cursor)
        select.set("from_", exp.From(this=first))
        select.set("joins", joins)
    if cursor.take("WHERE"):
        select.set("where", exp.Where(this=expression(cursor)))
    if cursor.take("GROUP", "BY"):
        select.set("group", exp.Group(expressions=expressions(cursor)))
    if cursor.take("HAVING"):
        select.set("having", exp.Having(this=expression(cursor)))
    if cursor.take("WINDOW"):
        select.set("windows", _windows(cursor))
    return select


def _values(cursor: Cursor) -> exp.Expression:
    """VALUES as what it stands for: a UNION ALL of SELECTs without FROM."""
    rows: exp.Expression | None = None
    while rows is None or cursor.take(","):
        cursor.expect("(")
        row = expressions(cursor)
        cursor.expect(")")
        names = [f"column{place}" for place in range(1, len(row) + 1)]
        named = [exp.Alias(this=node, alias=exp.to_identifier(n)) for node, n in zip(row, names, strict=True)]
        select = exp.Select(expressions=named)
        select.meta["spans"] = names
        rows = select if rows is None else exp.Union(this=rows, expression=select, distinct=False)
        rows.meta["values"] = True
    return rows


def _projections(cursor: Cursor, select: exp.Expression) -> None:
    found: list[exp.Expression] = []
    spans = []
    while not found or cursor.take(","):
        first = cursor.index
        node = _star(cursor) or expression(cursor)
        spans.append(cursor.span(first))
        alias = None if _is_star(node) else _alias(cursor, _AFTER_PROJECTION | {"WINDOW"})
        found.append(node if alias is None else exp.Alias(this=node, alias=alias))
    select.set("expressions", found)
    select.meta["spans"] = spans


def _star(cursor: Cursor) -> exp.Expression | None:
    if cursor.take("*"):
        return exp.Star()
    if cursor.ahead(1) == "." and cursor.ahead(2) == "*":
        table = name(cursor)
        cursor.take(".", "*")
        return exp.Column(this=exp.Star(), table=table)
    return None


def _is_star(node: exp.Expression) -> bool:
    return isinstance(node, exp.Star) or (isinstance(node.this, exp.Star) and isinstance(node, exp.Column))


def _alias(cursor: Cursor, after: set[str]) -> exp.Expression | None:
    if cursor.take("AS"):
        return name(cursor)
    kind = cursor.token.kind
    if kind in (TokenKind.QUOTED, TokenKind.STRING) or (
        kind is TokenKind.NAME and not _at_keyword(cursor, after)
    ):
        return name(cursor)
    return None


def _at_keyword(cursor: Cursor, after: set[str]) -> bool:
    """Whether WINDOW is a keyword here: only before a name and AS."""
    if cursor.word == "WINDOW":
        return cursor.ahead(2) == "AS"
    return cursor.word in after


_QUERY_WORDS = ("SELECT", "WITH", "VALUES")


def _sources(cursor: Cursor) -> tuple[exp.Expression, list[exp.Expression]]:
    first = _source(cursor)
    joins = []
    while cursor.at(",") or cursor.word in _JOIN_WORDS:
        joins.append(_join(cursor))
    return first, joins


def _join(cursor: Cursor) -> exp.Expression:
    words = set()
    if not cursor.take(","):
        while cursor.word in _JOIN_WORDS:
            words.add(cursor.advance().word)
    side = " ".join(word for word in ("LEFT", "RIGHT", "FULL") if word in words)
    if side == "LEFT RIGHT":
        side = "FULL"
    if words & {"OUTER"} and not side:
        cursor.fail("Join", "OUTER JOIN without LEFT, RIGHT or FULL")
    join = exp.Join(
        this=_source(cursor),
        side=side or None,
        kind="CROSS" if "CROSS" in words else None,
        method="NATURAL" if "NATURAL" in words else None,
    )
    if cursor.take("ON"):
        join.set("on", expression(cursor))
    elif cursor.take("USING", "("):
        join.set("using", _names(cursor))
    return join


def _source(cursor: Cursor) -> exp.Expression:
    # SQLite has none: what it prepares has no such word before a query.
    if cursor.at("LATERAL", "(") and cursor.ahead(2) in _QUERY_WORDS:
        cursor.advance()
        source = _source(cursor)
        source.set("lateral", True)
        return source
    if not cursor.take("("):
        table = table_name(cursor)
        if cursor.at("("):
            called = table.name.upper()
            if called not in SETS or table.args.get("db"):
                cursor.fail("Table", "a table-valued function")
            cursor.advance()
            table.set("this", exp.Anonymous(this=called, expressions=closed_list(cursor)))
        _name_source(cursor, table)
        if cursor.take("INDEXED", "BY"):
            name(cursor)
        cursor.take("NOT", "INDEXED")
        return table
    if cursor.word in _QUERY_WORDS:
        source = exp.Subquery(this=query(cursor))
    else:
        first, joins = _sources(cursor)
        source = exp.Subquery(this=exp.From(this=first), joins=joins)
    cursor.expect(")")
    _name_source(cursor, source)
    return source


def _name_source(cursor: Cursor, source: exp.Expression) -> None:
    alias = _alias(cursor, _AFTER_SOURCE)
    if alias is not None:
        source.set("alias", exp.TableAlias(this=alias))


def _windows(cursor: Cursor) -> list[exp.Expression]:
    found: list[exp.Expression] = []
    while not found or cursor.take(","):
        called = name(cursor)
        cursor.expect("AS")
        cursor.expect("(")
        found.append(exp.Window(this=called, **window(cursor)))
    return found


def order_by(cursor: Cursor) -> exp.Expression | None:
    """Read an ORDER BY clause, if there is one."""
    if not cursor.take("ORDER", "BY"):
        return None
    found = [_ordered(cursor)]
    while cursor.take(","):
        found.append(_ordered(cursor))
    return exp.Order(expressions=found)


def _ordered(cursor: Cursor) -> exp.Expression:
    """``nulls_first`` is set only where it differs from SQLite's default: first for ASC, last for DESC."""
    node = expression(cursor)
    desc = cursor.take("DESC")
    if not desc:
        cursor.take("ASC")
    found = exp.Ordered(this=node, desc=desc)
    if cursor.take("NULLS"):
        first = cursor.advance().word == "FIRST"
        if first == desc:
            found.set("nulls_first", first)
    return found


def _limit(cursor: Cursor, found: exp.Expression) -> None:
    if not cursor.take("LIMIT"):
        return
    count, offset = expression(cursor), None
    if cursor.take("OFFSET"):
        offset = expression(cursor)
    elif cursor.take(","):
        count, offset = expression(cursor), count
    found.set("limit", exp.Limit(expression=count))
    if offset is not None:
        found.set("offset", exp.Offset(expression=offset))
