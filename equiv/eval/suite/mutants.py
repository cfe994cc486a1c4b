"""Mutants of a query: each changes one place in one way, as a slip of a system would.

The changes are those of the mutation operators for SQL (Tuya, Suarez-Cabal and de la Riva 2007, Mutating
database queries: clauses, operators, NULLs, identifiers) and of the neighbour queries that Spider's test
suites are distilled by (arXiv 2010.02840).  Whether a mutant means something else is the engine's to say.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from sqlglot import exp

from equiv.core.model import Schema
from equiv.core.printing.trees import to_sql
from equiv.eval.suite.changes import CHANGES, Change, Kinds


def mutants(tree: exp.Expression, schema: Schema, number: int) -> list[tuple[str, str]]:
    """Up to so many mutants of a resolved query: what was changed, and the SQL.

    The kinds of changes take turns, so that few mutants still are of many kinds.
    """
    by_kind = [_of_kind(tree, schema, name, kinds, change) for name, kinds, change in CHANGES]
    seen = {to_sql(tree)}
    texts: list[tuple[str, str]] = []
    for turn in zip_longest(*by_kind):
        for mutant in filter(None, turn):
            if mutant[1] and mutant[1] not in seen and len(texts) < number:
                seen.add(mutant[1])
                texts.append(mutant)
        if len(texts) == number:
            break
    return texts


def _of_kind(
    tree: exp.Expression, schema: Schema, name: str, kinds: Kinds, change: Change
) -> Iterator[tuple[str, str]]:
    for place, node in enumerate(tree.walk()):
        if isinstance(node, kinds):
            for new in change(node, schema):
                yield name, _replaced(tree, place, new)


def _replaced(tree: exp.Expression, place: int, new: exp.Expression) -> str:
    """The SQL of a tree with another node at a place; nothing where that cannot be printed."""
    changed = tree.copy()
    node = next(node for at, node in enumerate(changed.walk()) if at == place)
    if node is changed:
        changed = new
    else:
        node.replace(new)
    try:
        return to_sql(changed)
    except (AttributeError, KeyError, TypeError, ValueError):
        return ""
