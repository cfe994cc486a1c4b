"""Hypotheses: the formulas that a solver is told about a claim, each with its origin.

A script asserts hypotheses and the negated goal, and nothing else.  What is not listed here is a
definition: it gives a name to a term and can contradict nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum

from equiv.smt.logic import Formula


class Origin(StrEnum):
    """The origin of a hypothesis."""

    CONDITION = "condition"
    """The claim says that it is true."""
    LEMMA = "lemma"
    """Matching has shown it of the same rows."""
    ROW = "row"
    """A row that the claim binds comes from rows behind it, or a look-up finds the row that has its key."""
    FACT = "fact"
    """The facts promise it of rows that are there."""
    AXIOM = "axiom"
    """It holds of a function or an aggregate, whatever it is applied to."""
    GOAL = "goal"
    """The negated goal."""


UNIVERSAL = (Origin.FACT, Origin.AXIOM)
"""The origins of hypotheses that hold for every claim: these alone may never contradict each other."""


class Axiom(Enum):
    """The axioms about functions and aggregates that the solver does not interpret; the value states each."""

    COUNT_IS_NOT_NEGATIVE = "a count is 0 or more"
    COUNT_IS_POSITIVE_IF_A_ROW_COUNTS = "a count is above 0 exactly if some row counts"
    SUM_OVER_NO_ROWS_IS_ZERO = "a plain sum over no rows is 0"
    LENGTH_IS_NOT_NEGATIVE = "LENGTH is 0 or more"
    PATTERN_BOUNDS_TEXT = "LIKE and GLOB with a fixed beginning are bounds on the text"
    BEGINNING_BOUNDS_TEXT = "a comparison of SUBSTR(text, 1, n) with a literal is a bound on the text"
    DATE_HAS_PARTS = "year, month and day of a date are in range, and order dates"
    DATE_PART_IS_A_NUMBER = "a part of a date compares as an integer as it does as a text"
    JULIANDAY_COUNTS_DAYS = "JULIANDAY of a date is the number of its day, at noon"
    DATES_ARE_DAYS = "dates are ordered as their days are, and there is none between two days"
    TIMESTAMPS_ARE_INSTANTS = (
        "timestamps are spelt to the microsecond at most, and ordered as their texts are"
    )
    CALL_ON_LITERAL_IS_EVALUATED = "where its argument is a literal, a call returns what SQLite returns"


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A formula that is asserted, and why it may be."""

    formula: Formula
    origin: Origin
    name: str = ""
    """Of the axiom; the fact as ``--assume`` spells it; the row."""

    @property
    def label(self) -> str:
        """Origin and name, for people."""
        return f"{self.origin} {self.name}".strip()


def axiom(formula: Formula, which: Axiom) -> Hypothesis:
    """An instance of an axiom."""
    return Hypothesis(formula, Origin.AXIOM, which.name.lower())
