"""Proof obligations: a claim with the SMT-LIB script whose unsatisfiability proves it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from equiv.algebra.claims import Claim
from equiv.algebra.text.pages import lines_of
from equiv.facts import Fact
from equiv.schema.notation import format_fact
from equiv.smt.encoding.symbols import Symbol, text_of
from equiv.smt.hypotheses import UNIVERSAL, Hypothesis, Origin
from equiv.verdict import Obligation


def body(seen: dict[str, Symbol], asserted: Iterable[Hypothesis]) -> str:
    """Declarations, definitions and assertions."""
    return "\n".join(text_of(seen, asserted))


def obligation(
    claim: Claim,
    asserted: Iterable[Hypothesis],
    facts: Iterable[Fact],
    script: str,
    *,
    is_empty: bool,
) -> Obligation:
    """An obligation from its parts.

    Args:
        claim: what was proved.
        asserted: all that the solver was told.
        facts: those that the script rests on, in what it asserts and in how it writes values.
        script: the same as SMT-LIB.
        is_empty: whether the conditions are never true, so that the claim says nothing but that.
    """
    told = Counter(each.label for each in asserted if each.origin in UNIVERSAL)
    names = [f"{Origin.FACT} {format_fact(fact)}" for fact in facts]
    for name in names:
        told.setdefault(name, 1)
    before, then = lines_of(claim)
    lines = [
        *before,
        *(f"by {label}" + (f", {times} times" if times > 1 else "") for label, times in told.items()),
        then,
        *(["because there are no such rows"] if is_empty else []),
    ]
    rests = "".join(f"; rests on {' '.join(name.split())}\n" for name in names)
    return Obligation("\n".join(lines), f"(set-logic ALL)\n{rests}{script}\n(check-sat)\n")
