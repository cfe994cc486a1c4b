"""``*`` and its like as the columns that they stand for."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from equiv.core.unsupported import UnsupportedError
from equiv.dialects.duckdb.resolving.scope import Node, Scope, Visible
from equiv.dialects.typed import tree as t


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


def _pattern(node: Node) -> Callable[[str], bool]:
    """Whether COLUMNS takes a column of a name: without a pattern each.

    Raises:
        UnsupportedError: a pattern of more than a word, at a begin or an end, and ``.*`` around.
    """
    given = node.get("expr")
    if given is None:
        return lambda name: True
    if given["class"] != "CONSTANT" or given["literal"]["kind"] != "STRING":
        raise UnsupportedError("Star", "COLUMNS of what is no pattern")
    text = str(given["literal"]["text"])
    first, last = text.startswith("^"), text.endswith("$")
    word = text.removeprefix("^").removesuffix("$")
    first, last = first and not word.startswith(".*"), last and not word.endswith(".*")
    word = word.removeprefix(".*").removesuffix(".*")
    if not all(each.isalnum() or each in "_ " for each in word):
        raise UnsupportedError("Star", f"COLUMNS({text[:40]!r})")
    if first and last:
        return lambda name: name == word
    if first or last:
        return lambda name: name.startswith(word) if first else name.endswith(word)
    return lambda name: word in name
