"""``*`` and its like as the columns that they stand for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from equiv.core.unsupported import UnsupportedError
from equiv.dialects.duckdb.resolving.scope import Node, Scope, Visible
from equiv.dialects.postgres.analysis import tree as t

_LONGEST = 200
_PLAIN = re.compile(r"[\w .*^$]*\Z")


def starred(node: Node, scope: Scope) -> Iterator[t.Target]:
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
    chosen = _pattern(node)
    for each in _columns(str(node.get("relation_name") or ""), scope):
        name = each.name.lower()
        if name in out or not chosen(each.name):
            continue
        value = each.plain if not node.get("relation_name") else each.value
        assert value is not None
        if name in replaced:
            value = resolved(replaced[name], scope)
        yield t.Target(value, renamed.get(name, each.name))


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


class _pattern:  # noqa: N801 - a function with a state
    """Whether COLUMNS takes a column of a name: by no pattern each."""

    def __init__(self, node: Node) -> None:
        self._pattern: re.Pattern[str] | None = None
        given = node.get("expr")
        if given is None:
            return
        if given["class"] != "CONSTANT" or given["literal"]["kind"] != "STRING":
            raise UnsupportedError("Star", "COLUMNS of what is no pattern")
        text = str(given["literal"]["text"])
        # Of such patterns DuckDB's expressions and Python's mean the same, and are fast.
        if len(text) > _LONGEST or not _PLAIN.match(text) or text.count("*") > 2:
            raise UnsupportedError("Star", f"COLUMNS({text[:40]!r})")
        try:
            self._pattern = re.compile(text)
        except re.error:
            raise UnsupportedError("Star", f"COLUMNS({text[:40]!r})") from None

    def __call__(self, name: str) -> bool:
        return self._pattern is None or self._pattern.search(name) is not None
