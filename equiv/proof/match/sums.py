"""Terms that do not pair one to one, compared as sums over common variables."""

from __future__ import annotations

from collections.abc import Sequence

from equiv.algebra.correspondences import correspondences
from equiv.algebra.terms import (
    FALSE,
    TRUE,
    Apply,
    Case,
    Expression,
    IsTrue,
    Limited,
    Numbered,
    Term,
    conjunction,
    integer,
    walk,
)
from equiv.proof.match import atoms as match_atoms
from equiv.proof.match import bags as match_terms
from equiv.proof.match.cell_equality import Same, not_distinct
from equiv.proof.match.matching import Matching, Place


def balance(
    m: Matching,
    left: list[Term],
    right: list[Term],
    here: Place,
    same: Same,
) -> bool:
    """Whether the terms of both sides, over common variables, contribute every row equally often.

    For rows of the variables and any target row, the number of terms on the left that are true there and
    put out the target must be that on the right.  (QED's complete fragment, for one ordering.)
    """
    # Copies of a choice in several terms may fall differently, so that sums do not balance.
    if not left or any(isinstance(n, Limited | Numbered) for t in (*left, *right) for n in walk(t)):
        return False
    first = left[0]
    others = []
    for term in (*left[1:], *right):
        candidate = next(correspondences(first, term), None)
        if candidate is None:
            return False
        sources = {b.row: b.source for b in candidate.bindings}
        if not all(match_terms.same_source(m, b.source, sources[b.row], here) for b in first.bindings):
            return False
        others.append(candidate)
    width = range(len(first.outputs))
    targets = [Apply("TARGET", (integer(number),)) for number in width]

    def occurs(condition: Expression, outputs: Sequence[Expression]) -> Expression:
        hits = [same.claim(output, target) for output, target in zip(outputs, targets, strict=True)]
        return Case(((conjunction([IsTrue(condition), *hits]), TRUE),), FALSE)

    inner = here.within(first.bindings)
    mine = [first, *others[: len(left) - 1]]
    theirs = others[len(left) - 1 :]
    expressions = [e for term in mine for e in (term.condition, *term.outputs)]
    wanted = [e for term in theirs for e in (term.condition, *term.outputs)]
    aligned, relations = match_atoms.align(m, expressions, wanted, inner)
    step = len(first.outputs) + 1
    aligned_terms = [aligned[n : n + step] for n in range(0, len(aligned), step)]
    total_left = _sum([occurs(t.condition, t.outputs) for t in mine])
    total_right = _sum([occurs(parts[0], parts[1:]) for parts in aligned_terms])
    return m.proves(not_distinct(total_left, total_right), inner.relying_on(relations))


def _sum(parts: Sequence[Expression]) -> Expression:
    total: Expression = integer(0)
    for part in parts:
        total = Apply("+", (total, part))
    return total
