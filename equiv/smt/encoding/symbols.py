"""The symbols of a proof with their SMT-LIB declarations, definitions and axioms.

Symbols are made on demand and numbered, so that those that a query needs can be written in order.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field

from equiv.smt.hypotheses import Hypothesis
from equiv.smt.logic import Formula

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
            key: tells symbols apart.
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
