"""The algebra: a query as a sum of terms over tuple variables.

A :class:`Bag` is a sum of terms.  A :class:`Term` has variables, each ranging
over a source, a condition and outputs: it contributes one row, its outputs,
for every choice of rows for its variables, from each source as often as the
row occurs there, under which the condition is *true*.  Bags nest: inside
expressions as :class:`Exists`, :class:`Aggregate` and :class:`First`, and as
the sources :class:`Squash` and :class:`Limited`.  A nested bag may mention the
variables of the terms around it; a source may mention the variables that are
bound before it in its term.

All nodes are frozen, hashable and compared by structure.  Truth values are
SQLite's: 1, 0 and NULL.
"""

from __future__ import annotations

from equiv.algebra.terms.connectives import FALSE, NULL, TRUE, conjunction, conjuncts, disjunction, integer
from equiv.algebra.terms.names import Names, alpha, bound, free, mentions, renamed, sites
from equiv.algebra.terms.nodes import (
    Aggregate,
    And,
    Answer,
    Apply,
    Bag,
    Binding,
    Case,
    Compare,
    Constant,
    Convert,
    Direction,
    Exists,
    Expression,
    Field,
    First,
    Found,
    IsNull,
    IsTrue,
    Limited,
    Lookup,
    Node,
    Not,
    Numbered,
    Or,
    Scan,
    Source,
    Squash,
    Target,
    Term,
    Variable,
)
from equiv.algebra.terms.traversal import children, map_children, substitute, walk

__all__ = [
    "FALSE",
    "NULL",
    "TRUE",
    "Aggregate",
    "And",
    "Answer",
    "Apply",
    "Bag",
    "Binding",
    "Case",
    "Compare",
    "Constant",
    "Convert",
    "Direction",
    "Exists",
    "Expression",
    "Field",
    "First",
    "Found",
    "IsNull",
    "IsTrue",
    "Limited",
    "Lookup",
    "Names",
    "Node",
    "Not",
    "Numbered",
    "Or",
    "Scan",
    "Source",
    "Squash",
    "Target",
    "Term",
    "Variable",
    "alpha",
    "bound",
    "children",
    "conjunction",
    "conjuncts",
    "disjunction",
    "free",
    "integer",
    "map_children",
    "mentions",
    "renamed",
    "sites",
    "substitute",
    "walk",
]
