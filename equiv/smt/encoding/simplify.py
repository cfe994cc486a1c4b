"""Expressions brought to one form before they are encoded: literals evaluated, dates spelt one way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from equiv.algebra.function_kinds import ARITHMETIC
from equiv.algebra.terms import Apply, Constant, Convert, Expression
from equiv.facts import FactKind
from equiv.smt.encoding import dates, folding

if TYPE_CHECKING:
    from equiv.smt.encoding.expressions import Encoder

_LOWER = {ord(letter): letter.lower() for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
"""LIKE ignores the case of ASCII letters, and of no others."""


class Simplifier:
    """Simplifies calls and conversions, bottom up."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._rounds = encoder.world.facts.find(FactKind.EXACT_ARITHMETIC) is None

    def __call__(self, expression: Expression) -> Expression:
        """The expression or an equal one that is simpler."""
        if not isinstance(expression, Apply | Convert):
            return expression
        return self._apply(expression) if isinstance(expression, Apply) else self._convert(expression)

    def _apply(self, node: Apply) -> Expression:
        arguments = self._plain_arguments(node.function, tuple(self(each) for each in node.arguments))
        literals = [each for each in arguments if isinstance(each, Constant)]
        if arguments and len(literals) == len(arguments) and self._folds(node.function, literals):
            value = folding.call(node.function, literals)
            if value is not None:
                return value
        if any(old is not new for old, new in zip(node.arguments, arguments, strict=True)):
            node = Apply(node.function, arguments)
        return dates.normalised(node, self._encoder)

    def _plain_arguments(self, function: str, arguments: tuple[Expression, ...]) -> tuple[Expression, ...]:
        """The arguments, or simpler ones that make no difference to this function."""
        if function in ARITHMETIC:
            # Text that is nothing but digits counts as that integer.
            return tuple(
                Convert("INTEGER", each, explicit=True) if dates.digits(each, self._encoder) else each
                for each in arguments
            )
        if function == "LIKE" and len(arguments) == 2:
            text, pattern = arguments
            if isinstance(pattern, Constant) and pattern.kind == "text":
                pattern = Constant("text", pattern.text.translate(_LOWER))
            match text:
                case Apply("UPPER" | "LOWER", (inner,)) if "blob" not in self._encoder.value(inner).kinds:
                    text = inner
            return text, pattern
        return arguments

    def _folds(self, function: str, arguments: list[Constant]) -> bool:
        """Whether SQLite's own arithmetic on literals is what the facts say: exact, or rounding."""
        exact = self._rounds or all(each.kind in ("integer", "null") for each in arguments)
        return function not in ARITHMETIC or exact

    def _convert(self, node: Convert) -> Expression:
        value = self(node.value)
        if isinstance(value, Constant):
            run = folding.cast if node.explicit else folding.affinity
            found = run(node.to, value)
            if found is not None:
                return found
        if node.to in ("REAL", "NUMERIC") and dates.digits(value, self._encoder):
            value = Convert("INTEGER", value, explicit=True)
            if node.to == "NUMERIC":
                return value
        return node if value is node.value else Convert(node.to, value, node.explicit)
