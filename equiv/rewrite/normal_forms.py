"""Normal forms, kept for the next tier and for the next prediction of the same question."""

from __future__ import annotations

import math
from collections import OrderedDict

from sqlglot import exp

from equiv.query.context import Context
from equiv.relation import Rows
from equiv.rewrite.normalise import Normalised, RuleSet, normalise

_KEPT = 128
_PATIENCE = 200_000
"""To print so many characters costs less than to find a normal form once more."""


class NormalForms:
    """The normal forms of resolved trees under one set of rules.

    Trees must not be changed once they have been asked for.
    """

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules
        self._kept: OrderedDict[tuple[object, ...], tuple[exp.Expression, Context, Normalised]] = (
            OrderedDict()
        )

    def of(self, tree: exp.Expression, ctx: Context, *, trace: bool = False) -> Normalised:
        """The normal form of a tree; with ``trace``, its steps are sure to be there."""
        found = self._found(tree, ctx)
        if found is None or (trace and not found.traced):
            patience = math.inf if trace else _PATIENCE
            found = normalise(tree, self._rules, ctx, trace=True, patience=patience)
            self._kept[self._key(tree, ctx, ctx.rows)] = (tree, ctx, found)
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return found

    def _found(self, tree: exp.Expression, ctx: Context) -> Normalised | None:
        for rows in Rows:
            kept = self._kept.get(self._key(tree, ctx, rows))
            if kept is not None and (rows is ctx.rows or _serves(kept[1], kept[2], ctx.rows)):
                return kept[2]
        return None

    def _key(self, tree: exp.Expression, ctx: Context, rows: Rows) -> tuple[object, ...]:
        # By identity; what is kept refers to all three, so that no other object gets theirs.
        return (id(tree), id(ctx.schema), id(ctx.facts), rows)


def _serves(ctx: Context, form: Normalised, rows: Rows) -> bool:
    """Whether a form made for one comparison is that for a stricter one: no step used the difference."""
    is_same = all((ctx.rows is asked) == (rows is asked) for asked in ctx.asked)
    return rows.implies(ctx.rows) and form.under is Rows.LIST and is_same
