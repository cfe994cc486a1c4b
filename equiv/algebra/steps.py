"""The record of a normalisation (each application of a rewrite), and the rewrites that a run must not use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from equiv.algebra.claims import NORMAL_FORM, Alike, Claim, Stated
from equiv.algebra.terms import (
    TRUE,
    Answer,
    Bag,
    Binding,
    Compare,
    Expression,
    IsTrue,
    Limited,
    Term,
)
from equiv.facts import Fact

Keeps = Literal["value", "truth", "bag", "set", "answers"]
"""What a rewrite preserves, on all databases that the facts allow: the value of an expression, NULL included;
whether it is true; the rows of a term or bag, each as often; which rows there are; the possible answers."""

Written: TypeAlias = "Expression | Term | Limited | Bag | Answer"
"""The nodes that a step can have before or after it."""


@dataclass(frozen=True, slots=True)
class Step:
    """One application of a rewrite."""

    rewrite: str
    keeps: Keeps
    before: Written
    after: tuple[Written, ...]
    """The nodes after the step: a term may become several terms, or none."""
    rows: tuple[Binding, ...]
    """The bindings of the variables around the node."""
    given: tuple[Expression, ...]
    """The conditions on their rows."""
    facts: tuple[Fact, ...]
    """The facts that it rests on."""
    aside: bool
    """Whether it was part of a question only: the normal form does not show it."""

    @property
    def stated(self) -> Stated | None:
        """The statement that a step makes, to be tried on databases; None if a free choice is rewritten."""
        if self.keeps == "answers":
            return None
        before = _bag((self.before,))
        likeness: Literal["bag", "set"] = "set" if self.keeps == "set" else "bag"
        if before is not None:
            after = _bag(self.after)
            assert after is not None
            return Stated(self._by, Alike(self.rows, self.given, before, after, likeness))
        old, (new,) = self.before, self.after
        assert not isinstance(old, Bag | Term | Limited | Answer)
        assert not isinstance(new, Bag | Term | Limited | Answer)
        if self.keeps == "truth":
            claim = Compare("IS", IsTrue(old), IsTrue(new))
            return Stated(self._by, Claim(self.rows, self.given, claim))
        left, right = Bag((Term((), TRUE, (old,)),)), Bag((Term((), TRUE, (new,)),))
        return Stated(self._by, Alike(self.rows, self.given, left, right, "bag", exactly=True))

    @property
    def _by(self) -> str:
        return f"{NORMAL_FORM}: {self.rewrite}"


def _bag(nodes: tuple[Written, ...]) -> Bag | None:
    """Terms, or a bag, as a bag; None for expressions."""
    if len(nodes) == 1 and isinstance(nodes[0], Bag):
        return nodes[0]
    terms = tuple(node for node in nodes if isinstance(node, Term))
    return Bag(terms) if len(terms) == len(nodes) else None


@dataclass(frozen=True, slots=True)
class Switches:
    """Rewrites and needs that a normalisation leaves out."""

    disabled: frozenset[str] = frozenset()
    """Rewrites that do not fire, by name."""
    waived: frozenset[tuple[str, str]] = frozenset()
    """Needs that are taken for granted, by rewrite and guard: to show what they are needed for."""


ALL_ON = Switches()
"""All rewrites, with all their needs."""
