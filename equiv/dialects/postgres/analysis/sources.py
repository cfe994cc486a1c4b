"""What FROM reads, of node trees."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from equiv.core.model import quoted
from equiv.core.query import UnsupportedError
from equiv.dialects.postgres.analysis.expressions import called, expression, maybe
from equiv.dialects.postgres.analysis.nodes import Node
from equiv.dialects.postgres.analysis.scope import Scope
from equiv.dialects.typed.tree import (
    Called,
    CommonTableUse,
    DerivedTable,
    FromItem,
    FromSource,
    Joined,
    TableUse,
    ValuesList,
)

_SIDES: dict[int, Literal["INNER", "LEFT", "RIGHT", "FULL"]] = {0: "INNER", 1: "LEFT", 2: "FULL", 3: "RIGHT"}


def item(node: Node, scope: Scope) -> FromItem:
    """A source or a join that FROM names."""
    if node.name == "RANGETBLREF":
        return source(node.number("rtindex"), scope)
    if node.name != "JOINEXPR":
        raise UnsupportedError("From", node.name)
    left, right = item(node.node("larg"), scope), item(node.node("rarg"), scope)
    number = node.number("rtindex")
    entry = scope.level().table(number)
    names = _names(entry)
    found = Joined(
        _SIDES[node.number("jointype")],
        left,
        right,
        None,
        tuple(str(each) for each in node.list("usingClause")),
        scope.session.numbers(),
        _alias(entry) if entry.maybe("alias") is not None else "",
        names,
        tuple(expression(each, scope) for each in entry.nodes("joinaliasvars")),
    )
    if len(found.merged) != len(names):
        raise UnsupportedError("Join", "a join with dropped columns")
    scope.level().entries[number] = found
    found = replace(found, condition=maybe(node.maybe("quals"), scope))
    scope.level().entries[number] = found
    return found


def source(number: int, scope: Scope) -> FromSource:
    """An entry of the range table that is no join, by its number; is read once."""
    level = scope.level()
    if number not in level.entries:
        level.entries[number] = _source(level.table(number), scope)
    found = level.entries[number]
    assert isinstance(found, FromSource)
    return found


def _names(entry: Node) -> tuple[str, ...]:
    return tuple(str(each) for each in entry.node("eref").list("colnames"))


def _alias(entry: Node) -> str:
    return entry.node("eref").text("aliasname")


def _source(entry: Node, scope: Scope) -> FromSource:
    kind = entry.number("rtekind")
    if entry.maybe("tablesample") is not None:
        raise UnsupportedError("From", "TABLESAMPLE")
    if kind == 0 or entry.text("relkind") == "v":
        return _relation(entry, scope)
    number, alias, names = scope.session.numbers(), _alias(entry), _names(entry)
    if kind == 1:
        from equiv.dialects.postgres.analysis.queries import query

        return DerivedTable(number, alias, names, query(entry.node("subquery"), scope), entry.flag("lateral"))
    if kind == 5:
        rows = [_row(each, scope) for each in entry.list("values_lists")]
        types = _typed(entry, scope)
        return ValuesList(number, alias, names, tuple(rows), types, entry.flag("lateral"))
    if kind == 3:
        return Called(number, alias, names, called(_only_function(entry), scope))
    if kind == 6:
        if entry.flag("self_reference"):
            raise UnsupportedError("With", "WITH RECURSIVE")
        cte = scope.cte(entry.text("ctename"), entry.number("ctelevelsup"))
        return CommonTableUse(number, alias, names, cte.number)
    what = {4: "XMLTABLE or JSON_TABLE", 7: "a transition table"}.get(kind, "such a source")
    raise UnsupportedError("From", f"{what} in FROM")


def _only_function(entry: Node) -> Node:
    """The call of a function in FROM that gives one column.

    Raises:
        UnsupportedError: there are several, or several columns, or they are numbered.
    """
    functions = entry.nodes("functions")
    if len(functions) != 1 or functions[0].number("funccolcount") != 1 or entry.flag("funcordinality"):
        raise UnsupportedError("From", "functions in FROM with several columns")
    call = functions[0].node("funcexpr")
    if call.name != "FUNCEXPR" or functions[0].list("funccoltypes"):
        raise UnsupportedError("From", "a value of the session in FROM")
    return call


def _row(values: object, scope: Scope):  # type: ignore[no-untyped-def]
    assert isinstance(values, list)
    return tuple(expression(each, scope) for each in values)


def _typed(entry: Node, scope: Scope):  # type: ignore[no-untyped-def]
    modifiers = entry.list("coltypmods")
    return tuple(
        scope.catalogue.type(int(str(oid)), int(str(modifier)))
        for oid, modifier in zip(entry.list("coltypes"), modifiers, strict=True)
    )


def _relation(entry: Node, scope: Scope) -> FromSource:
    oid, alias, names = entry.number("relid"), _alias(entry), _names(entry)
    found = scope.catalogue.relation(oid)
    number = scope.session.numbers()
    if found.schema in ("pg_catalog", "information_schema", "pg_toast"):
        raise UnsupportedError("From", f"the table {found.schema}.{found.name}")
    if found.kind in "rp":
        is_renamed = any(name and name != own for name, own in zip(names, found.columns, strict=True))
        return TableUse(
            number,
            alias,
            found.columns,
            found.schema,
            found.name,
            entry.flag("inh"),
            not entry.flag("inh") and not found.has_children,
            scope.session.refreshed,
            names if is_renamed else (),
        )
    if found.kind not in "vm":
        raise UnsupportedError("From", f"{found.name}, which is neither a table nor a view")
    from equiv.dialects.postgres.analysis.queries import query

    session = scope.session
    if found.kind == "m":
        session = replace(session, refreshed=(*session.refreshed, f"{found.schema}.{found.name}"))
    if session.refreshed and not session.is_immutable(oid):
        raise UnsupportedError("From", f"{found.name}, whose rows hang on when it was refreshed")
    inner = query(session.view_query(oid), Scope(session, ()))
    return DerivedTable(number, alias, names, inner, view=f"{quoted(found.schema)}.{quoted(found.name)}")
