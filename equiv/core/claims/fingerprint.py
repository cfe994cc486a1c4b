"""Order-free texts of trees: what canonical ordering and naming sort by.

A fingerprint is a text that ignores the order of commutative operands and of
inner-joined sources, and that names sources by a given colour instead of
their alias.  It only *chooses* an order among equals; whether two trees are
the same is decided by the exact key of :mod:`equiv.core.printing`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sqlglot import exp

from equiv.core.functions.table import nodes
from equiv.names import fold

COMMUTATIVE = (exp.EQ, exp.NEQ, exp.Is, *nodes(lambda function: function.commutes))
MIRRORED: dict[type[exp.Expression], type[exp.Expression]] = {
    exp.GT: exp.LT,
    exp.GTE: exp.LTE,
    exp.LT: exp.GT,
    exp.LTE: exp.GTE,
}
UNORDERED_COMPOUNDS = (exp.Union, exp.Intersect)
"""Compounds whose operands may be sorted where they are the whole query."""
UNORDERED_LISTS = {(exp.In, "expressions"), (exp.Group, "expressions"), (exp.Window, "partition_by")}


def operands(node: exp.Expression, kind: type[exp.Expression]) -> Iterator[exp.Expression]:
    """The operands of a chain of one binary operator, left to right."""
    stack: list[exp.Expression] = [node]
    while stack:
        current = stack.pop()
        if type(current) is kind:
            stack += (current.args["expression"], current.this)
        else:
            yield current


def chain(kind: type[exp.Expression], parts: Sequence[exp.Expression]) -> exp.Expression:
    """A left-deep chain of one binary operator over at least one part."""
    chained = parts[0]
    for part in parts[1:]:
        chained = kind(this=chained, expression=part)
    return chained


def sources(select: exp.Expression) -> list[exp.Expression]:
    """The sources of a SELECT in FROM and JOIN order."""
    first = select.args.get("from_")
    if first is None:
        return []
    return [first.this, *(join.this for join in select.args.get("joins") or ())]


class Fingerprint:
    """Fingerprints under one colouring of the sources.

    Args:
        colours: colour of each source alias; an alias without one stands for itself.
        outputs: for (alias, column) of derived tables and CTE references, the projected expression;
            empty to name such columns by their name.
        texts: where the fingerprint of each node is kept, by its identity; None: none is.
    """

    def __init__(
        self,
        colours: Mapping[str, str],
        outputs: Mapping[tuple[str, str], exp.Expression] | None = None,
        texts: dict[int, str] | None = None,
    ) -> None:
        self.colours = colours
        self.outputs = outputs or {}
        self._texts = texts
        self._output_texts: dict[tuple[str, str], str] = {}

    def of(self, node: exp.Expression) -> str:
        """The fingerprint of a tree."""
        if self._texts is None:
            return self._made(node)
        if id(node) not in self._texts:
            self._texts[id(node)] = self._made(node)
        return self._texts[id(node)]

    def _made(self, node: exp.Expression) -> str:
        kind = type(node)
        if kind is exp.Column:
            return self._column(node)
        if kind is exp.Literal:
            return f"{'s' if node.is_string else 'n'}:{node.name!r}"
        if kind is exp.Boolean:
            return f"b:{bool(node.this)}"
        if kind is exp.Identifier:
            return f"i:{fold(node.name)}"
        if kind is exp.Alias:
            return self.of(node.this)
        if kind in (exp.And, exp.Or):
            return f"{kind.__name__}({','.join(sorted(self.of(x) for x in operands(node, kind)))})"
        if kind in COMMUTATIVE:
            return f"{kind.__name__}({','.join(sorted((self.of(node.this), self.of(node.expression))))})"
        if kind in (exp.GT, exp.GTE):
            return f"{MIRRORED[kind].__name__}({self.of(node.expression)},{self.of(node.this)})"
        if kind in (exp.LT, exp.LTE):
            return f"{kind.__name__}({self.of(node.this)},{self.of(node.expression)})"
        if kind in UNORDERED_COMPOUNDS and node.parent is None:
            return self._compound(node)
        if kind is exp.Table and node.name:
            colour = self.colours.get(node.alias_or_name, node.alias_or_name)
            return f"Table({fold(node.name)} {colour})"
        return self._generic(node)

    def _compound(self, node: exp.Expression) -> str:
        """A compound that is the whole query, whose operands may stand in any order."""
        rest = self._generic(node, without=("this", "expression"))
        return f"{rest}[{','.join(sorted(self.of(x) for x in operands(node, type(node))))}]"

    def _column(self, node: exp.Expression) -> str:
        place = (node.args["table"].name if node.args.get("table") else "", node.name)
        colour = self.colours.get(place[0], place[0])
        if place not in self.outputs:
            return f"c:{colour}.{fold(place[1])}"
        if place not in self._output_texts:
            self._output_texts[place] = "..."
            self._output_texts[place] = self.of(self.outputs[place])
        return f"c:{colour}.<{self._output_texts[place]}>"

    def _generic(self, node: exp.Expression, without: tuple[str, ...] = ()) -> str:
        parts = []
        for name, value in sorted(node.args.items()):
            if name == "alias" or name in without or value is None or value is False or value == []:
                continue
            if isinstance(value, list):
                texts = [self.of(x) if isinstance(x, exp.Expression) else repr(x) for x in value]
                if (type(node), name) in UNORDERED_LISTS or name == "joins":
                    texts.sort()
                parts.append(f"{name}=[{','.join(texts)}]")
            else:
                parts.append(f"{name}={self.of(value) if isinstance(value, exp.Expression) else repr(value)}")
        if isinstance(node, exp.Select):
            parts = self._with_sorted_sources(node, parts)
        return f"{type(node).__name__}({','.join(parts)})"

    def _with_sorted_sources(self, select: exp.Expression, parts: list[str]) -> list[str]:
        joins = select.args.get("joins") or ()
        if not joins or any(join.args.get("side") for join in joins):
            return parts
        kept = [part for part in parts if not part.startswith(("from_=", "joins="))]
        texts = sorted(self.of(source) for source in sources(select))
        conditions = sorted(self.of(join.args["on"]) for join in joins if join.args.get("on"))
        return [f"sources=[{','.join(texts)}|{','.join(conditions)}]", *kept]
