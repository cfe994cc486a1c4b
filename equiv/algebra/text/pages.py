"""Nodes, whole answers, steps and claims as lines."""

from __future__ import annotations

from equiv.algebra.claims import Claim
from equiv.algebra.steps import Step
from equiv.algebra.terms import FALSE, Answer, Node
from equiv.algebra.text.labels import Labels
from equiv.algebra.text.writer import EMPTY, Writer, ordered


def text_of(node: Node, labels: Labels | None = None) -> str:
    """A node on one line.

    Args:
        node: an expression, a term, a bag, a whole answer, or a source.
        labels: names shared with other texts; by default those of the node alone.
    """
    return Writer(labels or Labels(node)).node(node)


def page_of(answer: Answer, labels: Labels | None = None) -> str:
    """A whole answer with a line for each term; long terms take several."""
    writer = Writer(labels or Labels(answer))
    terms = [writer.broken(term, answer.visible) for term in answer.bag.terms]
    return "\n".join(["\n+ ".join(terms) or EMPTY, *ordered(answer)])


def texts_of(step: Step) -> tuple[str, str]:
    """The text of a step: the node before, and the node after."""
    labels = Labels(*step.rows, step.before, *step.after)
    after = " + ".join(text_of(each, labels) for each in step.after) or EMPTY
    return text_of(step.before, labels), after


def lines_of(claim: Claim) -> tuple[list[str], str]:
    """The text of a claim.

    Returns:
        the lines "for ROWS", "if CONDITION", "knowing LEMMA"; and the conclusion, "then GOAL".
    """
    labels = Labels(*claim.rows, *claim.given, *claim.lemmas, claim.goal)
    rows = ", ".join(text_of(row, labels) for row in claim.rows)
    before = [
        *([f"for {rows}"] if rows else []),
        *(f"if {text_of(each, labels)}" for each in claim.given),
        *(f"knowing {text_of(each, labels)}" for each in claim.lemmas),
    ]
    return before, "then false" if claim.goal == FALSE else f"then {text_of(claim.goal, labels)}"
