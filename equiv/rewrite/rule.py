"""Rewrite rules: what they look like to the engine, which contains none.

A rule says on which node types it fires, what the tree must look like
(``shape``), what schema and facts must promise (``needs``), the weakest rows
relation that it preserves (``under``), and has a body that only builds the
replacement.  Rules work on resolved trees; see :mod:`equiv.core.query` for what
may be relied on.

``under=Rows.LIST`` (the default) preserves a query's possible answers in
context and may fire anywhere.  A weaker ``under`` holds for the result as a
whole, so such a rule fires only on the root and only if the comparison is at
least that weak.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType

from sqlglot import exp

from equiv.core.model import Context
from equiv.facts import Fact
from equiv.relation import Rows

Shape = Callable[[exp.Expression], bool]
"""A claim about the tree alone."""

Need = Callable[[exp.Expression, Context], Sequence[Fact] | None]
"""A claim about schema and facts: the facts by which it holds (maybe none), or None if it does not."""

Body = Callable[[exp.Expression, Context], exp.Expression | None]
"""Builds the replacement (the node itself, changed in place, or another); None if there is nothing to do."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rewrite rule; made by :func:`rule`."""

    name: str
    on: tuple[type[exp.Expression], ...]
    shape: tuple[Shape, ...]
    needs: tuple[Need, ...]
    under: Rows
    body: Body
    esm_plus: int | None
    """The number of the rule in Table 1 of the ESM+ paper (arXiv 2407.07313), if it is one of these."""
    doc: str
    module: str


def rule(
    *,
    on: type[exp.Expression] | tuple[type[exp.Expression], ...],
    shape: tuple[Shape, ...] = (),
    needs: tuple[Need, ...] = (),
    under: Rows = Rows.LIST,
    esm_plus: int | None = None,
) -> Callable[[Body], Rule]:
    """Make a rule of a body; the function's name becomes the rule's."""

    def wrap(body: Body) -> Rule:
        return Rule(
            name=body.__name__,
            on=on if isinstance(on, tuple) else (on,),
            shape=shape,
            needs=needs,
            under=under,
            body=body,
            esm_plus=esm_plus,
            doc=(body.__doc__ or "").strip(),
            module=body.__module__,
        )

    return wrap


def rules_of(module: ModuleType) -> tuple[Rule, ...]:
    """The rules that a module defines, in the order in which they stand there."""
    found = (each for each in vars(module).values() if isinstance(each, Rule))
    return tuple(each for each in found if each.module == module.__name__)
