"""``*`` and its like as the columns that they stand for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from equiv.core.query import UnsupportedError
from equiv.dialects.duckdb.resolving.rows import list_of
from equiv.dialects.duckdb.resolving.scope import Node, Scope, Visible
from equiv.dialects.duckdb.trees import nodes
from equiv.dialects.typed import tree as t


def starred(node: Node, scope: Scope) -> Iterator[t.ResultColumn]:
    """The result columns of ``*``, ``t.*`` or ``COLUMNS('…')`` with EXCLUDE, REPLACE and RENAME.

    Raises:
        UnsupportedError: of a form that is not known.
    """
    from equiv.dialects.duckdb.resolving.expressions import resolved

    if node.get("qualified_exclude_list") or node.get("unpacked"):
        raise UnsupportedError("Star", "with qualified names to leave out, or unpacked")
    out = {_name(each) for each in node.get("exclude_list") or ()}
    replaced = {str(each["key"]).lower(): each["value"] for each in node.get("replace_list") or ()}
    renamed = {_name(each["key"]): str(each["value"]) for each in node.get("rename_list") or ()}
    chosen = _pattern(node, scope)
    for each in _columns(str(node.get("relation_name") or ""), scope):
        name = each.name.lower()
        if name in out or not chosen(each.name):
            continue
        value = each.plain if not node.get("relation_name") else each.value
        assert value is not None
        if name in replaced:
            value = resolved(replaced[name], scope)
        yield t.ResultColumn(value, renamed.get(name, each.name))


def _name(found: object) -> str:
    if isinstance(found, dict):
        if found.get("table"):
            raise UnsupportedError("Star", "with qualified names")
        found = found["column"]
    return str(found).lower()


def _columns(relation: str, scope: Scope) -> Iterator[Visible]:
    if not relation:
        yield from (each for each in scope.columns if each.plain is not None)
        return
    found = [each for each in scope.columns if each.qualifier == relation.lower()]
    if not found:
        raise UnsupportedError("Star", f"{relation}.*, which is not resolved")
    yield from found


def _pattern(node: Node, scope: Scope) -> Callable[[str], bool]:
    """Whether COLUMNS takes a column of a name: all, those of a list, or those of a pattern.

    Raises:
        UnsupportedError: what stands there is none of these.
    """
    given = node.get("expr")
    if given is None:
        return lambda name: True
    listed = list_of(given)
    if listed is not None and all(map(_is_text, listed)):
        names = {str(each["literal"]["text"]).lower() for each in listed}
        return lambda name: name.lower() in names
    if _is_text(given):
        return partial(scope.session.probe.names, "regexp_matches", str(given["literal"]["text"]))
    if given.get("class") == "FUNCTION" and given["function_name"] == "list_filter":
        return _lambda(given["arguments"][1]["expression"], scope)
    raise UnsupportedError("Star", "COLUMNS of what is no pattern, list or plain lambda")


def _lambda(node: Node, scope: Scope) -> Callable[[str], bool]:
    """``lambda c: c LIKE '…'`` and its like."""
    body, name = node["expr"], node["lhs"].get("column_names")
    if body.get("class") == "FUNCTION" and body["function_name"] in _TESTS and len(body["arguments"]) == 2:
        subject, pattern = (each["expression"] for each in body["arguments"])
        if subject.get("column_names") == name and _is_text(pattern):
            test, text = str(body["function_name"]), str(pattern["literal"]["text"])
            return partial(scope.session.probe.names, test, text)
    raise UnsupportedError("Star", "COLUMNS of a lambda that is no plain test")


_TESTS = frozenset(("~~", "!~~", "~~*", "!~~*", "~~~", "regexp_matches", "starts_with", "contains", "suffix"))


def _is_text(node: Node) -> bool:
    return bool(node.get("class") == "CONSTANT" and node["literal"]["kind"] == "STRING")


def filtered_star(node: Node) -> Node | None:
    """The star of ``* LIKE '…'`` with its test as COLUMNS has it; None of anything else."""
    if node.get("class") != "FUNCTION" or node["function_name"] not in _TESTS or len(node["arguments"]) != 2:
        return None
    star, pattern = (each["expression"] for each in node["arguments"])
    if star.get("class") != "STAR" or star.get("columns") or star.get("expr") or not _is_text(pattern):
        return None
    subject = {"class": "COLUMN_REF", "column_names": ["name"]}
    arguments = [{"name": "", "expression": each} for each in (subject, pattern)]
    body = {"class": "FUNCTION", "function_name": node["function_name"], "arguments": arguments}
    test = {"class": "LAMBDA", "lhs": subject, "expr": body}
    listed = [{"name": "", "expression": each} for each in ({}, test)]
    return {**star, "expr": {"class": "FUNCTION", "function_name": "list_filter", "arguments": listed}}


def spread(node: Node, scope: Scope) -> list[Node] | None:
    """An expression once for each column that COLUMNS(…) within it stands for; None if there is no COLUMNS.

    Raises:
        UnsupportedError: several that differ.
    """
    stars = [each for each in nodes(node) if each.get("class") == "STAR" and each.get("columns")]
    if not stars:
        return None
    if any(_bare(each) != _bare(stars[0]) for each in stars):
        raise UnsupportedError("Star", "several COLUMNS that differ")
    found = []
    for target in starred(stars[0], scope):
        known = {"class": RESOLVED, "value": target.value, "name": target.name}
        found.append(_replaced(node, known))
    return found


RESOLVED = "RESOLVED"
"""The class of a node that stands for an expression that is resolved already."""


def _bare(node: object) -> object:
    """A node without the place at which it stands."""
    if isinstance(node, dict):
        return {key: _bare(each) for key, each in node.items() if not key.startswith("query_location")}
    return [_bare(each) for each in node] if isinstance(node, list) else node


def _replaced(node: Any, known: Node) -> Any:
    if isinstance(node, dict):
        if node.get("class") == "STAR" and node.get("columns"):
            return known
        return {key: _replaced(each, known) for key, each in node.items()}
    return [_replaced(each, known) for each in node] if isinstance(node, list) else node
