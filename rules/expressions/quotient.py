"""Quotients of REAL numbers: percentages and averages in one form.

``CAST(a AS REAL) * 100 / b``, ``a * 100.0 / b`` and ``100 * (a / CAST(b AS REAL))``
are one number if REAL arithmetic is exact and every division in them is one of
REALs.  ``a / b`` of two integers truncates and is never touched, nor is what
divides by a quotient: ``a / (b / c)`` is NULL for c = 0, ``a * c / b`` is not.
AVG is such a quotient too: of the SUM and the COUNT of what is not NULL.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from sqlglot import exp

from equiv.core.claims.fingerprint import Fingerprint
from equiv.core.claims.value_types import Claim, all_of, always_real, cast_affinity, is_repeatable
from equiv.core.model import Affinity, Context
from equiv.rewrite.rule import rule
from equiv.rules.guards.expressions import Node, arithmetic_is_exact, chain, number


@dataclass(frozen=True)
class Product:
    """A constant times factors over divisors."""

    constant: Fraction = Fraction(1)
    factors: tuple[Node, ...] = ()
    divisors: tuple[Node, ...] = ()

    def times(self, other: Product) -> Product:
        """The product of both."""
        return Product(
            self.constant * other.constant, self.factors + other.factors, self.divisors + other.divisors
        )

    def over(self, divisor: Node) -> Product:
        """The quotient by a number; a divisor that is a quotient itself stays whole."""
        other = product_of(divisor)
        if other.divisors:
            return Product(self.constant, self.factors, (*self.divisors, divisor))
        return Product(self.constant / other.constant, self.factors, self.divisors + other.factors)

    def tree(self) -> Node:
        """The constant as REAL and the factors, over the divisors, each in a fixed order."""
        order = Fingerprint({}).of
        factors = [factor.copy() for factor in sorted(self.factors, key=order)]
        divisors = [divisor.copy() for divisor in sorted(self.divisors, key=order)]
        top = chain(exp.Mul, [exp.Literal.number(f"{self.constant.numerator}.0"), *factors])
        if self.constant.denominator != 1:
            divisors.insert(0, number(self.constant.denominator))
        return exp.Div(this=top, expression=chain(exp.Mul, divisors)) if divisors else top


def product_of(node: Node) -> Product:
    """An expression as a product, all its divisions read as exact."""
    match node:
        case exp.Literal() if _constant(node) is not None:
            return Product(_constant(node) or Fraction(1))
        case exp.Cast() if cast_affinity(node) is Affinity.REAL:
            inner = node.this
            return Product(factors=(inner,)) if isinstance(inner, exp.Div) else product_of(inner)
        case exp.Mul():
            return product_of(node.this).times(product_of(node.expression))
        case exp.Div():
            return product_of(node.this).over(node.expression)
    return Product(factors=(node,))


def _constant(literal: Node) -> Fraction | None:
    """The value of a positive decimal literal."""
    digits = str(literal.name)
    if literal.is_string or len(digits) > 12 or not digits.replace(".", "", 1).isdigit():
        return None
    return Fraction(digits) or None


def is_whole_product(node: Node) -> bool:
    """A product or quotient that is not part of another."""
    return not isinstance(node.parent, exp.Mul | exp.Div)


def _divisions(node: Node) -> list[Node]:
    """The divisions that a product consists of."""
    own: list[Node] = [node] if isinstance(node, exp.Div) else []
    if isinstance(node, exp.Mul | exp.Div):
        return [*own, *_divisions(node.this), *_divisions(node.expression)]
    is_open = isinstance(node, exp.Cast) and cast_affinity(node) is Affinity.REAL
    return _divisions(node.this) if is_open and not isinstance(node.this, exp.Div) else own


def holds_a_division(node: Node) -> bool:
    """Some division among the factors."""
    return bool(_divisions(node))


def no_division_truncates(node: Node, ctx: Context) -> Claim:
    """In every division one side is REAL."""
    return all_of(*(always_real(division, ctx) for division in _divisions(node)))


@rule(
    on=(exp.Mul, exp.Div),
    shape=(is_whole_product, holds_a_division),
    needs=(arithmetic_is_exact, no_division_truncates),
)
def convert_real_quotient(node: Node, ctx: Context) -> Node | None:
    """Write a REAL quotient as one constant times its factors over its divisors.

    Before:  SELECT CAST(age AS REAL) * 100 / score FROM person
    After:   SELECT 100.0 * age / score FROM person
    Refuse:  1.0 * (age * 100 / 7) truncates inside; without exact arithmetic the order of rounding shows
    Sound:   exact multiplication and division commute, whatever is read as a number; the value is REAL
             either way, and NULL exactly if a part is NULL or a divisor 0
    """
    new = product_of(node).tree()
    order = Fingerprint({}).of
    return None if order(new) == order(node) else new


def averages_values(node: Node) -> bool:
    """``AVG(x)``, perhaps under FILTER, that is no window function and holds no subquery to be read twice."""
    if not is_repeatable(node):
        return False
    if isinstance(node, exp.Filter):
        return isinstance(node.this, exp.Avg) and not isinstance(node.parent, exp.Window)
    return not isinstance(node.parent, exp.Filter | exp.Window)


@rule(on=(exp.Avg, exp.Filter), shape=(averages_values,), needs=(arithmetic_is_exact,))
def convert_average_to_quotient(call: Node, ctx: Context) -> Node | None:
    """Write AVG as the REAL quotient of SUM and COUNT.

    Before:  SELECT AVG(score) FROM person
    After:   SELECT 1.0 * SUM(score) / COUNT(score) FROM person
    Refuse:  without exact arithmetic, where the sum of REALs depends on the order of rounding
    Sound:   AVG is the sum of what is not NULL over its count, in REAL; with nothing left both are NULL
    """
    average = call.this if isinstance(call, exp.Filter) else call

    def instead(kind: type[Node]) -> Node:
        new: Node = kind(this=average.this.copy())
        return exp.Filter(this=new, expression=call.expression.copy()) if call is not average else new

    total = exp.Mul(this=exp.Literal.number("1.0"), expression=instead(exp.Sum))
    return exp.Div(this=total, expression=instead(exp.Count))


RULES = (convert_average_to_quotient, convert_real_quotient)
