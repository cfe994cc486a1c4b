"""Whether a printed query is the one that was read: PostgreSQL resolves it to the same tree."""

from __future__ import annotations

from equiv.dialects.postgres.analysis.nodes import Node

_SPELLINGS = frozenset({
    "alias", "aliasname", "casecollid", "coerceformat", "ctename", "eref", "funcformat", "inFromCl",
    "isNatural", "join_using_alias", "lateral_only", "location", "list_end", "list_start", "name",
    "relabelformat", "resname",
    "rteperminfos", "row_format", "stmt_len", "stmt_location", "varattnosyn", "varnosyn", "ctecolnames",
    "aliascolnames", "colnames", "perminfoindex", "refname", "joinleftcols", "joinrightcols", "resorigtbl",
    "resorigcol", "operName", "consttypmod",
})  # fmt: skip
"""Fields that say how something is written, not what it means."""


def difference(one: object, other: object) -> str:
    """Where two node trees differ in what they mean: the path to the first place; '' if nowhere."""
    if isinstance(one, Node) and isinstance(other, Node):
        one, other = _flat(one), _flat(other)
        if one.name != other.name:
            return f"{one.name} is {other.name}"
        for field in one.fields.keys() | other.fields.keys():
            if field not in _SPELLINGS:
                found = difference(one.fields.get(field), other.fields.get(field))
                if found:
                    return f"{one.name}.{field} {found}"
        return ""
    if isinstance(one, list) and isinstance(other, list):
        if len(one) != len(other):
            return f"has {len(one)} parts or {len(other)}"
        return next((found for pair in zip(one, other, strict=True) if (found := difference(*pair))), "")
    return "" if one == other else f"{str(one)[:40]!r} is {str(other)[:40]!r}"


def _flat(node: Node) -> Node:
    """AND within AND, and OR within OR, as one."""
    if node.name != "BOOLEXPR" or node.text("boolop") == "not":
        return node
    parts: list[object] = []
    for each in node.nodes("args"):
        inner = _flat(each)
        same = inner.name == "BOOLEXPR" and inner.text("boolop") == node.text("boolop")
        parts += inner.nodes("args") if same else [inner]
    return Node(node.name, {**node.fields, "args": parts})
