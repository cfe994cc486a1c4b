"""Look-ups that say nothing: the row is there by what else is true of the term's rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product

from equiv.algebra.terms import TRUE, Binding, Expression, Found, Lookup, Node, walk
from equiv.proof.rewrites.equalities import equal_values
from equiv.proof.rewrites.lookups import found_row
from equiv.proof.rewrites.outputs import key
from equiv.proof.rewrites.scope import Scope

MAX_SPELLINGS = 16
"""How many ways to say the key of one look-up are tried."""


def without_implied_lookups(
    parts: Sequence[Expression], outputs: Sequence[Expression], bindings: Sequence[Binding], scope: Scope
) -> list[Expression]:
    """Conditions less those that a parent is found, where a child's key is equated with the parent's.

    Before:  FROM account a JOIN district d ON d.id = a.district_id WHERE a.district_id = 1
             as ``Σ a [district[id = 1] ≠ ∅ and a.district_id = 1]``
    After:   ``Σ a [a.district_id = 1]``
    Refuse:  the foreign key may be NULL here; or a column of the parent is read
    Sound:   values in one class of ``=`` are equal by ``=`` and not NULL where the other conditions are true,
             so that one of them finds a row of the parent just if the others do

    Args:
        parts: the conditions of a term.
        outputs: its outputs: a row of which a column is read keeps its condition.
        bindings: its variables.
        scope: what is around the term.
    """
    kept = list(parts)
    for part in parts:
        others = [other for other in kept if other is not part]
        if not isinstance(part, Found) or _is_read(part, [*others, *outputs]):
            continue
        inside = scope.within(bindings, others)
        if any(found_row(spelt, inside) == TRUE for spelt in _spellings(part, others)):
            kept = others
    return kept


def _is_read(node: Found, nodes: Sequence[Node]) -> bool:
    """Whether a column of the row is read somewhere."""
    wanted = key(node)
    lookups = (inner for each in nodes for inner in walk(each) if isinstance(inner, Lookup))
    return any(key(Found(each.table, each.key, each.values)) == wanted for each in lookups)


def _spellings(node: Found, conditions: Sequence[Expression]) -> Iterator[Found]:
    """The look-up by other values that the conditions equate with its own."""
    classes = equal_values(conditions)
    ways = product(*(classes.of(value) for value in node.values))
    return (Found(node.table, node.key, values) for values in islice(ways, MAX_SPELLINGS))
