"""Formulas as SMT-LIB text, SQLite's three truth values, and the hypotheses and symbols of a script.

A formula is built once as text and simplified on the way; Z3 parses what the certificate shows.

A script asserts hypotheses, each with its origin, and the negated goal, and nothing else.  What is not listed
as a hypothesis is a definition: it gives a name to a term and can contradict nothing.  Symbols are made on
demand and numbered, so that those that a query needs can be written in order, each with its declaration, its
definition and its axioms.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from fractions import Fraction

Formula = str
"""A term of SMT-LIB."""

FormulaComparison = Callable[[Formula, Formula], Formula]

TRUE: Formula = "true"
FALSE: Formula = "false"


class UninterpretableError(Exception):
    """An expression has no sound encoding: nothing is proved about it."""


class InconsistentError(Exception):
    """Axioms and facts contradict each other: whatever is concluded from them is worth nothing."""


class ContradictionError(InconsistentError):
    """The facts themselves contradict each other, one of which somebody wrote: no table can have a row."""


def not_(part: Formula) -> Formula:
    """Negation; double negation goes away."""
    if part == TRUE:
        return FALSE
    if part == FALSE:
        return TRUE
    return part[5:-1] if part.startswith("(not ") else f"(not {part})"


def and_(*parts: Formula) -> Formula:
    """Conjunction of two-valued formulas, without doubles; of none: true."""
    return _joined("and", parts, TRUE, FALSE)


def or_(*parts: Formula) -> Formula:
    """Disjunction of two-valued formulas, without doubles; of none: false."""
    return _joined("or", parts, FALSE, TRUE)


def _joined(word: str, parts: tuple[Formula, ...], unit: Formula, zero: Formula) -> Formula:
    found: dict[Formula, None] = {}
    for part in parts:
        if part == zero or not_(part) in found:
            return zero
        if part != unit:
            found[part] = None
    if not found:
        return unit
    return next(iter(found)) if len(found) == 1 else f"({word} {' '.join(found)})"


def implies(left: Formula, right: Formula) -> Formula:
    """Implication."""
    return or_(not_(left), right)


def iff(left: Formula, right: Formula) -> Formula:
    """Equality of two-valued formulas."""
    for one, other in ((left, right), (right, left)):
        if one == TRUE:
            return other
        if one == FALSE:
            return not_(other)
    return equal(left, right)


def ite(test: Formula, then: Formula, other: Formula) -> Formula:
    """A choice between two terms of one sort."""
    if then == other or test == TRUE:
        return then
    if test == FALSE:
        return other
    if then == TRUE:
        return or_(test, other)
    if then == FALSE:
        return and_(not_(test), other)
    if other == TRUE:
        return or_(not_(test), then)
    if other == FALSE:
        return and_(test, then)
    return f"(ite {test} {then} {other})"


def equal(left: Formula, right: Formula) -> Formula:
    """Equality of two terms of one sort."""
    if left == right:
        return TRUE
    return f"(= {left} {right})" if left < right else f"(= {right} {left})"


def less(left: Formula, right: Formula) -> Formula:
    """Strict order of two numbers of one sort."""
    return FALSE if left == right else f"(< {left} {right})"


def integer(value: int) -> Formula:
    """A numeral of sort Int."""
    return str(value) if value >= 0 else f"(- {-value})"


def real(value: Fraction) -> Formula:
    """A numeral of sort Real."""
    size = f"{abs(value.numerator)}.0"
    if value.denominator != 1:
        size = f"(/ {size} {value.denominator}.0)"
    return size if value >= 0 else f"(- {size})"


@dataclass(frozen=True, slots=True)
class Truth:
    """A three-valued truth value as two formulas: when it is true, and when it is false; else it is NULL."""

    true: Formula
    false: Formula

    @property
    def null(self) -> Formula:
        """The formula that the truth value is NULL."""
        return not_(or_(self.true, self.false))

    def __invert__(self) -> Truth:
        return Truth(self.false, self.true)


def known(holds: Formula) -> Truth:
    """A truth value that is never NULL."""
    return Truth(holds, not_(holds))


def unless_null(null: Formula, holds: Formula) -> Truth:
    """NULL under a condition, else whether something holds."""
    return Truth(and_(not_(null), holds), and_(not_(null), not_(holds)))


def all_of(parts: list[Truth]) -> Truth:
    """SQLite's AND."""
    return Truth(and_(*(part.true for part in parts)), or_(*(part.false for part in parts)))


def any_of(parts: list[Truth]) -> Truth:
    """SQLite's OR."""
    return Truth(or_(*(part.true for part in parts)), and_(*(part.false for part in parts)))


class HypothesisOrigin(StrEnum):
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


UNIVERSAL = (HypothesisOrigin.FACT, HypothesisOrigin.AXIOM)
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
    origin: HypothesisOrigin
    name: str = ""
    """Of the axiom; the fact as ``--assume`` spells it; the row."""

    @property
    def label(self) -> str:
        """Origin and name, for people."""
        return f"{self.origin} {self.name}".strip()


def axiom(formula: Formula, which: Axiom) -> Hypothesis:
    """An instance of an axiom."""
    return Hypothesis(formula, HypothesisOrigin.AXIOM, which.name.lower())


_SYMBOL = re.compile(r"\|[^|]*\||\$\d+")
_UNPRINTABLE = re.compile(r"[^ -\[\]-{}~]")
_LONG = 48
"""Terms longer than this are given a name, so that nested terms stay small."""


@dataclass(slots=True)
class Symbol:
    """A declared or defined symbol."""

    number: int
    text: str
    """The declaration or definition of the symbol."""
    uses: tuple[str, ...] = ()
    axioms: list[Hypothesis] = field(default_factory=list)
    """The axioms about the symbol."""
    mark: object = None
    """The mark by which a theory finds the symbol."""


class Script:
    """A growing set of symbols."""

    def __init__(self) -> None:
        self._symbols: dict[str, Symbol] = {}
        self._names: dict[Hashable, str] = {}
        self._defined: dict[tuple[str, Formula], str] = {}

    def declare(
        self, key: Hashable, label: str, arguments: tuple[str, ...], sort: str, mark: object = None
    ) -> str:
        """The symbol that stands for a key, declared at its first use.

        Args:
            key: distinguishes symbols.
            label: for people.
            arguments: sorts.
            sort: of the result.
            mark: what a theory knows the symbol by.
        """
        name = self._names.get(key)
        if name is None:
            name = self._names[key] = self._fresh(label)
            text = f"(declare-fun {name} ({' '.join(arguments)}) {sort})"
            self._symbols[name] = Symbol(len(self._symbols), text, mark=mark)
        return name

    def _fresh(self, label: str) -> str:
        """A symbol that reads like a label and is no other symbol, whatever labels the schema makes for."""
        plain = _UNPRINTABLE.sub("_", label)
        found, number = f"|{plain}|", len(self._symbols)
        while found in self._symbols:
            found, number = f"|{plain} #{number}|", number + 1
        return found

    def shared(self, term: Formula, sort: str) -> Formula:
        """The term, or a name for it if it is long."""
        if len(term) <= _LONG:
            return term
        found = self._defined.get((sort, term))
        if found is None:
            number = len(self._symbols)
            found = f"${number}"
            text = f"(define-fun {found} () {sort} {term})"
            self._symbols[found] = Symbol(number, text, tuple(dict.fromkeys(_SYMBOL.findall(term))))
            self._defined[sort, term] = found
        return found

    def constant(self, label: str, sort: str, value: Formula) -> Formula:
        """A readable name for a literal."""
        key = ("constant", sort, value)
        found = self._names.get(key)
        if found is None:
            found = self._names[key] = self._fresh(label)
            self._symbols[found] = Symbol(len(self._symbols), f"(define-fun {found} () {sort} {value})")
        return found

    def axiom(self, about: Formula, stated: Hypothesis) -> None:
        """State an axiom; it is asserted wherever the first symbol of ``about`` is needed."""
        known = self._symbols[_SYMBOL.findall(about)[0]].axioms
        if stated not in known:
            known.append(stated)

    def needed(self, terms: Iterable[Formula], seen: dict[str, Symbol]) -> list[Hypothesis]:
        """Add to ``seen`` the symbols that terms need; return the axioms of those that are new."""
        axioms: list[Hypothesis] = []
        stack = [name for term in terms for name in _SYMBOL.findall(term)]
        while stack:
            name = stack.pop()
            if name in seen:
                continue
            symbol = self._symbols[name]
            seen[name] = symbol
            stack += symbol.uses
            for axiom in symbol.axioms:
                axioms.append(axiom)
                stack += _SYMBOL.findall(axiom.formula)
        return axioms


def text_of(seen: dict[str, Symbol], asserted: Iterable[Hypothesis]) -> Iterator[str]:
    """The lines of a script: declarations and definitions in order, then assertions, each with its label."""
    for symbol in sorted(seen.values(), key=lambda symbol: symbol.number):
        yield symbol.text
    for number, stated in enumerate(asserted, 1):
        label = _UNPRINTABLE.sub("_", f"{number} {stated.label}")
        yield f"(assert (! {stated.formula} :named |{label}|))"


def names_in(term: Formula) -> list[str]:
    """The symbols that a term mentions."""
    return _SYMBOL.findall(term)
