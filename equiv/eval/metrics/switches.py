"""What of ESM and ESM+ can be switched off: rules, values, DISTINCT (arXiv 2407.07313, 2.2 and 5.3)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlglot import exp

from equiv.core.query import Query
from equiv.errors import InputError
from equiv.eval.metrics.spider_grammar import COMPARISONS

ALL_RULES = frozenset(range(1, 21))
"""The rules of ESM+ by number."""


@dataclass(frozen=True, slots=True)
class Switches:
    """What of ESM and ESM+ is switched off."""

    disabled: frozenset[int] = frozenset()
    """Rules of ESM+ by number."""
    values: bool = True
    """Whether the values that columns are compared with count."""
    distinct: bool = True
    """Whether DISTINCT counts."""


EVERYTHING_COUNTS = Switches()


def rules_named(text: str) -> frozenset[int]:
    """The rules that ``--disable-rules`` means: ``none``, ``all`` or numbers from 1 to 20.

    Raises:
        InputError: it is none of these.
    """
    if text in ("", "none"):
        return frozenset()
    if text == "all":
        return ALL_RULES
    numbers = [int(part) if part.strip().isdecimal() else 0 for part in text.split(",")]
    if not ALL_RULES.issuperset(numbers):
        raise InputError(f"--disable-rules takes none, all or numbers from 1 to 20, not {text!r}")
    return frozenset(numbers)


def seen(query: Query, switches: Switches) -> Query:
    """A query less what does not count."""
    if query.tree is None or (switches.values and switches.distinct):
        return query
    tree = query.tree.copy()
    if not switches.values:
        _mask_values(tree)
    if not switches.distinct:
        _drop_distinct(tree)
    return replace(query, tree=tree)


MASK = exp.Literal.string("value")


def _mask_values(tree: exp.Expression) -> None:
    """Write one value for every constant that something is compared with."""
    for comparison in tree.find_all(*COMPARISONS):
        if isinstance(comparison, exp.In) and comparison.expressions:
            comparison.set("expressions", [MASK.copy()])
        for side in list(comparison.iter_expressions()):
            value = side.this if isinstance(side, exp.Neg) else side
            if isinstance(value, exp.Literal):
                side.replace(MASK.copy())


def _drop_distinct(tree: exp.Expression) -> None:
    """Take DISTINCT out of every SELECT and aggregate."""
    for node in list(tree.find_all(exp.Select, exp.Distinct)):
        if isinstance(node, exp.Select):
            node.set("distinct", None)
        elif isinstance(node.parent, exp.AggFunc) and len(node.expressions) == 1:
            node.replace(node.expressions[0])
