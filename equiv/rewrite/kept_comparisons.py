"""This module tests whether a rewritten tree compares its values under the same collations and affinities.

A rule that puts one expression in another's place keeps the value, and may change what compares it: of
``CASE WHEN 1 THEN n END = 'A'`` it makes ``n = 'A'``, which is true of 'a' where n is NOCASE.  No rule has to
think of that.  The driver notes of each tree what is compared with what, and how; a step is refused unless

- nothing in either tree is compared otherwise than value by value under BINARY, or
- each pair of origins that was compared is compared in the way that it was, and, where it was compared in
  several ways, in none of them more often; and
- a pair that was not compared is compared in the one way in which its origins were compared with others; an
  origin that was not compared at all, unconverted, and under BINARY if it is not a constant.

:func:`is_plain` looks quickly whether any comparison may convert something: the usual query has none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from sqlglot import exp

from equiv.core.claims.blocks import COMPARISONS
from equiv.core.claims.comparisons import BINARY, ValueComparison, comparisons, conversions
from equiv.core.claims.value_types import Applied, OriginSort, ValueOrigin, effect, origins
from equiv.core.model import Affinity, Context, Table

Way = tuple[str, str, str]
"""How a pair is compared: the collation, and what the conversion makes of the one and of the other."""

ComparedPair = tuple[ValueOrigin, ValueOrigin]
"""In the order of the origins; an origin that is distinguished or sorted is paired with itself."""

PLAIN: Way = (BINARY, "", "")


@dataclass(frozen=True, slots=True)
class Stopped:
    """A step that was refused because it would have changed how values are compared."""

    rule: str
    change: str
    """The comparison that the step would have changed, in words."""


Ways = Mapping[ComparedPair, Counter[Way]]
"""How often a tree compares each pair in which way."""


def ways(root: exp.Expression, ctx: Context, *, whole: bool = False) -> Ways | None:
    """The comparisons of a resolved tree by pairs of origins; None if all are plain, unless ``whole``."""
    if not (whole or ctx.schema.collations):
        doubtful = _unsettled(root, ctx)
        if doubtful is not None and all(way == PLAIN for each in doubtful for _, way in _ways_of(each, ctx)):
            return None
    found: dict[ComparedPair, Counter[Way]] = {}
    for comparison in comparisons(root, ctx):
        for pair, way in _ways_of(comparison, ctx):
            found.setdefault(pair, Counter())[way] += 1
    return found if whole or not is_plain(found) else None


def _ways_of(comparison: ValueComparison, ctx: Context) -> Iterator[tuple[ComparedPair, Way]]:
    left = _origins(comparison.left, ctx)
    right = _origins(comparison.right, ctx)
    name = comparison.collation
    if not comparison.right:
        for origin in left:
            yield (origin, origin), (BINARY if origin.sort is OriginSort.NUMBER else name, "", "")
        return
    if comparison.conversion is not Applied.TEXT and (_are_numbers(left) or _are_numbers(right)):
        name = BINARY
    for one, other in product(left, right):
        effects = [effect(comparison.conversion, origin) for origin in (one, other)]
        if comparison.of_rows and any(effects):
            name = f"{name} of rows"
        yield _sorted(one, other, name, effects)


def _sorted(
    one: ValueOrigin, other: ValueOrigin, name: str, effects: Sequence[str]
) -> tuple[ComparedPair, Way]:
    if other < one:
        return (other, one), (name, effects[1], effects[0])
    return (one, other), (name, effects[0], effects[1])


def _origins(values: Iterable[exp.Expression], ctx: Context) -> set[ValueOrigin]:
    return {origin for value in values for origin in origins(value, ctx)}


def _are_numbers(found: Iterable[ValueOrigin]) -> bool:
    return all(origin.sort is OriginSort.NUMBER for origin in found)


def is_plain(ways: Ways) -> bool:
    """Whether every comparison is value by value under BINARY."""
    return all(way == PLAIN for counted in ways.values() for way in counted)


def change(before: Ways | None, after: Ways | None) -> str:
    """The comparison that a step changed, in words; '' if none."""
    if before is None and after is None:
        return ""
    unnoted = {PLAIN} if before is None else set()
    before, after = before or {}, after or {}
    each_before = _of_origins(before)
    for pair, ways in after.items():
        was = before.get(pair)
        if was is not None:
            if len({*was, *ways}) > 1 and any(ways[way] > was[way] for way in ways):
                return _said(pair, ways, was)
        else:
            for way in ways:
                if not _follows(pair, way, each_before):
                    return _said(pair, ways, unnoted)
    return ""


def _of_origins(ways: Ways) -> dict[ValueOrigin, set[tuple[str, str]]]:
    """The ways in which each origin is compared with others: the collation, and what becomes of it."""
    found: dict[ValueOrigin, set[tuple[str, str]]] = {}
    for pair, counted in ways.items():
        for name, *effects in counted:
            for origin, own in zip(pair, effects, strict=True):
                found.setdefault(origin, set()).add((name, own))
    return found


def _follows(pair: ComparedPair, way: Way, each_before: Mapping[ValueOrigin, set[tuple[str, str]]]) -> bool:
    """Whether a pair that was not compared may be compared so: as its origins were with others."""
    name, *effects = way
    is_known = any(origin in each_before for origin in pair)
    for origin, own in zip(pair, effects, strict=True):
        ways = each_before.get(origin)
        if ways is None:
            if own or (name != BINARY and not (origin.is_constant and is_known)):
                return False
        elif ways != {(name, own)}:
            return False
    return True


def _said(pair: ComparedPair, found: Iterable[Way], was: Iterable[Way]) -> str:
    what = " and ".join(dict.fromkeys(str(origin) for origin in pair))
    return f"{what}: {_words(was) or 'not compared'} before, {_words(found)} then"


def _words(ways: Iterable[Way]) -> str:
    return ", ".join(" ".join(dict.fromkeys(filter(None, way))) for way in sorted(ways))


_SIDES: frozenset[type] = frozenset((*COMPARISONS, exp.NullSafeEQ, exp.NullSafeNEQ))
_CONVERTING = _SIDES | {exp.Is, exp.Between, exp.In, exp.Case}
"""The kinds of nodes that may convert what they compare."""
_LEAVES = frozenset((exp.Column, exp.Literal, exp.Identifier, exp.Null, exp.DataType, exp.Star))
_CLASSES = {Affinity.INTEGER: "n", Affinity.REAL: "n", Affinity.NUMERIC: "n", Affinity.TEXT: "t"}
_PLAIN = frozenset(("nn", "tt", "n0", "0n", "t'", "'t", "00", "0'", "'0", "''"))
"""Classes that no conversion changes: columns of numbers (n) and texts (t), literals of both (0, ')."""


def _unsettled(root: exp.Expression, ctx: Context) -> Iterator[ValueComparison] | None:
    """The comparisons of a tree without collations that may convert something; None if it has a COLLATE."""
    nodes, tables = [], {}
    stack: list[object] = [root]
    while stack:
        node = stack.pop()
        kind = node.__class__
        if kind in _LEAVES or not isinstance(node, exp.Expression):
            continue
        if kind is exp.Collate:
            return None
        if kind is exp.Table:
            tables[node.alias_or_name] = ctx.schema.table(node.name)
            continue
        if kind in _CONVERTING:
            nodes.append(node)
        for value in node.args.values():
            if value.__class__ is list:
                stack += value
            else:
                stack.append(value)
    doubtful = (node for node in nodes if not _is_settled(node, tables))
    return (each for node in doubtful for each in conversions(node, ctx))


def _is_settled(node: exp.Expression, tables: dict[str, Table | None]) -> bool:
    kind: type = type(node)
    if kind in _SIDES:
        return _class(node.this, tables) + _class(node.expression, tables) in _PLAIN
    if kind is exp.Is:
        return isinstance(node.expression, exp.Null | exp.Boolean)
    if kind is exp.Case:
        return node.args.get("this") is None
    if kind is exp.Between:
        others: Iterable[exp.Expression] = (node.args["low"], node.args["high"])
    else:
        others = node.expressions
    left = _class(node.this, tables)
    return bool(others) and all(left + _class(other, tables) in _PLAIN for other in others)


def _class(node: exp.Expression, tables: dict[str, Table | None]) -> str:
    if isinstance(node, exp.Column):
        table = tables.get(node.text("table"))
        column = table.column(node.name) if table is not None else None
        return _CLASSES.get(column.affinity, "") if column is not None else ""
    if isinstance(node, exp.Literal):
        return "'" if node.is_string else "0"
    return ""
