"""Small changes to a query, most of which change what it means.

Some of them change one node, the others one SELECT.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from sqlglot import exp

from equiv.core.model import Schema
from equiv.core.printing.trees import to_sql
from equiv.testing.making.node_changes import MUTATIONS, other_column
from equiv.testing.making.select_changes import Changes
from equiv.testing.making.visible_columns import MARK


def mutants(
    tree: exp.Expression, schema: Schema, seed: int, number: int, asides: Sequence[str] = ()
) -> Iterator[str]:
    """Up to ``number`` different mutants of a resolved query, as SQL.

    Args:
        tree: the query; left as it is.
        schema: its tables, of which a mutant may read others.
        seed: what the mutants depend on.
        number: how many.
        asides: other queries on the schema, which a condition may ask for a row.
    """
    yield from drawn_mutants(tree, schema, Random(seed), number, asides)


def drawn_mutants(
    tree: exp.Expression, schema: Schema, rng: Random, number: int, asides: Sequence[str] = ()
) -> Iterator[str]:
    """As :func:`mutants`, from any source of choices."""
    seen = {to_sql(tree)}
    for _ in range(number * 4):
        text = _mutant(tree.copy(), Changes(schema, rng, asides))
        if text and text not in seen:
            seen.add(text)
            yield text
        if len(seen) > number:
            return


def _mutant(tree: exp.Expression, changes: Changes) -> str:
    """The SQL of a changed tree; nothing where a change led out of what can be printed."""
    rng = changes.random
    for _ in range(rng.choice((1, 1, 1, 1, 2))):
        changed = _change_select(tree, changes) if rng.random() < 0.6 else _change_node(tree, changes)
        if changed is None:
            return ""
        tree = changed
    try:
        return changes.printed(tree)
    except (AttributeError, KeyError, TypeError, ValueError):
        return ""


def _change_select(tree: exp.Expression, changes: Changes) -> exp.Expression | None:
    selects = list(tree.find_all(exp.Select))
    return tree if any(changes.change(changes.random.choice(selects)) for _ in range(8)) else None


def _change_node(tree: exp.Expression, changes: Changes) -> exp.Expression | None:
    rng = changes.random
    nodes = [node for node in tree.find_all(exp.Expression) if not node.name.startswith(MARK)]
    for _ in range(20):
        node = rng.choice(nodes)
        kinds = [m for kinds, m in MUTATIONS if isinstance(node, kinds)]
        if isinstance(node, exp.Column):
            kinds.append(lambda n, r: other_column(n, tree, changes.schema, r))
        if kinds and rng.choice(kinds)(node, rng) is not None:
            return tree
    return None
