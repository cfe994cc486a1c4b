"""Normal forms, kept for the next tier and for the next prediction of the same question."""

from __future__ import annotations

import math
from collections import OrderedDict
from dataclasses import dataclass, replace

from sqlglot import exp

from equiv.core.model import Context
from equiv.facts import Watched
from equiv.relation import Rows
from equiv.rewrite.normalise import Normalised, RuleSet, normalise

_KEPT = 128
_VARIANTS = 8
"""So many forms of one tree are kept, from facts that give other answers."""
_PATIENCE = 200_000
"""To print so many characters costs less than to find a normal form once more."""


@dataclass(frozen=True, slots=True)
class _Form:
    """A normal form, and what it was made from."""

    tree: exp.Expression
    ctx: Context
    facts: Watched
    normal: Normalised

    def serves(self, ctx: Context) -> bool:
        """Whether it is the form in another context: no step used what is different there."""
        if not self.facts.answered_as(ctx.facts):
            return False
        if ctx.rows is self.ctx.rows:
            return True
        is_same = all((self.ctx.rows is asked) == (ctx.rows is asked) for asked in self.ctx.asked)
        return ctx.rows.implies(self.ctx.rows) and self.normal.under is Rows.LIST and is_same


class NormalForms:
    """The normal forms of resolved trees under one set of rules.

    Trees must not be changed once they have been asked for.
    """

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules
        self._kept: OrderedDict[tuple[object, ...], list[_Form]] = OrderedDict()

    def of(self, tree: exp.Expression, ctx: Context, *, trace: bool = False) -> Normalised:
        """The normal form of a tree; with ``trace``, its steps are sure to be there."""
        found = self._found(tree, ctx)
        if found is None or (trace and not found.traced):
            patience = math.inf if trace else _PATIENCE
            facts = Watched(ctx.facts)
            own = replace(ctx, facts=facts)
            found = normalise(tree, self._rules, own, trace=True, patience=patience)
            self._keep(_Form(tree, own, facts, found))
        return found

    def _keep(self, form: _Form) -> None:
        forms = self._kept.setdefault(self._key(form.tree, form.ctx, form.ctx.rows), [])
        forms.insert(0, form)
        del forms[_VARIANTS:]
        if len(self._kept) > _KEPT:
            self._kept.popitem(last=False)

    def _found(self, tree: exp.Expression, ctx: Context) -> Normalised | None:
        for rows in Rows:
            for form in self._kept.get(self._key(tree, ctx, rows), ()):
                if form.serves(ctx):
                    return form.normal
        return None

    def _key(self, tree: exp.Expression, ctx: Context, rows: Rows) -> tuple[object, ...]:
        # By identity; what is kept refers to both, so that no other object gets theirs.
        return (id(tree), id(ctx.schema), rows)
