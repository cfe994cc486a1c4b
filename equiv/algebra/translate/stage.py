"""The rows of a block as its projections and its ORDER BY see them: after grouping, or after windows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from equiv.algebra.terms import Bag, Expression, Term
from equiv.algebra.translate.symbol_table import NamedRows, SymbolTable

Translate = Callable[[exp.Expression, SymbolTable], Expression]


@dataclass(frozen=True)
class Part:
    """One summand, and what its expressions see."""

    term: Term
    """Its outputs do not count."""
    symbols: SymbolTable


@dataclass(frozen=True)
class Stage:
    """The summands of a block."""

    parts: tuple[Part, ...]

    @staticmethod
    def of(rows: NamedRows, symbols: SymbolTable) -> Stage:
        """The rows of a FROM clause."""
        return Stage(tuple(Part(t, symbols.inside(rows.columns(t))) for t in rows.bag.terms))

    def bag(self, nodes: Sequence[exp.Expression], translate: Translate) -> Bag:
        """The bag of some expressions."""
        return Bag(
            tuple(
                replace(part.term, outputs=tuple(translate(node, part.symbols) for node in nodes))
                for part in self.parts
            )
        )

    def with_values(self, found: Sequence[Mapping[object, Expression]]) -> Stage:
        """The stage with more values known in each part."""
        parts = (
            Part(part.term, replace(part.symbols, values={**part.symbols.values, **values}))
            for part, values in zip(self.parts, found, strict=True)
        )
        return Stage(tuple(parts))
