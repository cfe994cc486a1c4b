"""Rewrites of a query that lay its free choices open.

SQL leaves choices to the engine: which of tied rows a LIMIT keeps, which row
a bare column comes from, the order in which GROUP_CONCAT concatenates, the
row of a scalar subquery with several.  :func:`randomised` makes each of them
at random, or as prescribed, through :mod:`equiv.answers.choices.functions`; the
results then range over the possible answers, or over a superset, which errs on
the side of caution.
The top level is left to :mod:`equiv.core.claims.top_level`, rounding to
:mod:`equiv.answers.exact.queries`.
"""

from __future__ import annotations

from sqlglot import exp

from equiv.answers.choices.representatives import folds_text, free_representative, tells_types
from equiv.answers.choices.rows import (
    randomise_bare_columns,
    randomise_distinct_numbers,
    randomise_distinct_order,
    randomise_extremes,
)
from equiv.answers.choices.ties import randomise_concatenation, randomise_subquery, randomise_window
from equiv.core.clock import freeze_time
from equiv.core.context import Context
from equiv.core.functions.nodes import calls_of
from equiv.core.functions.traits import Order
from equiv.core.opaque_choices import Opaque


def laid_open(root: exp.Expression, ctx: Context) -> exp.Expression | None:
    """The query with its choices made at random, and one instant for the current time.

    Returns None if there is nothing to choose and no mention of the current time.

    Raises:
        Opaque: a choice cannot be laid open.
    """
    if reason := free_representative(root, ctx):
        raise Opaque("Select", reason)
    frozen = root.copy()
    mentions_time = freeze_time(frozen)
    return frozen if _randomise(frozen, ctx) or mentions_time else None


def randomised(root: exp.Expression, ctx: Context | None = None) -> exp.Expression | None:
    """The query with every choice below its top-level ORDER BY and LIMIT made at random.

    Returns None if there is no such choice.  Without a context, bare columns lose their affinity:
    enough to tell whether there is a choice.

    Raises:
        Opaque: a choice cannot be laid open.
    """
    root = root.copy()
    return root if _randomise(root, ctx) else None


def _randomise(root: exp.Expression, ctx: Context | None) -> bool:
    """Make every choice of a query at random, in place; whether there is any."""
    changed = False
    folds = ctx is not None and folds_text(root, ctx)
    numbers = ctx if ctx is not None and tells_types(root) else None
    for select in list(root.find_all(exp.Select)):
        if numbers is not None and select is not root:
            changed |= randomise_distinct_numbers(select, numbers)
        chosen = randomise_distinct_order(select, ctx)
        chosen |= randomise_bare_columns(select, ctx)
        if chosen and folds:
            raise Opaque("Column", "a bare column beside a collation")
        changed |= chosen
    for window in list(root.find_all(exp.Window)):
        changed |= randomise_window(window)
    for call in list(root.find_all(exp.GroupConcat)):
        changed |= randomise_concatenation(call)
    queries: list[exp.Expression] = list(root.find_all(exp.Select, exp.SetOperation))
    for query in queries:
        if query is not root:
            changed |= randomise_subquery(query)
    if numbers is not None:
        changed |= randomise_extremes(root, numbers)
    for function in calls_of(root):
        if function.order is Order.ROWS and function.node is None:
            raise Opaque("AggFunc", f"{function.name}, whose order is free")
    return changed
