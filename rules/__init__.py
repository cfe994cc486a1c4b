"""The rewrite rules, in firing order: one module for each kind of thing they rewrite.

The engine knows none of them; they are handed to it.  CITATIONS.md says where
rules come from that are not folklore.
"""

from __future__ import annotations

from equiv.rule import Rule

from . import (
    aggregate,
    boolean,
    bounds,
    case,
    cast,
    comparison,
    constants,
    dates,
    like,
    membership,
    null_test,
    quotient,
)

EXPRESSIONS: tuple[Rule, ...] = (
    *constants.RULES,
    *boolean.RULES,
    *null_test.RULES,
    *comparison.RULES,
    *bounds.RULES,
    *membership.RULES,
    *like.RULES,
    *dates.RULES,
    *case.RULES,
    *cast.RULES,
    *aggregate.RULES,
    *quotient.RULES,
)
"""Rules that rewrite one expression where it stands."""

RULES: tuple[Rule, ...] = EXPRESSIONS
"""Every rule, in the order in which they are tried on a node."""
