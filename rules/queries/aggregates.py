"""Aggregates and their idioms, counts, and the quotients that are made of them.

COUNT counts rows or values; SUM, AVG, MIN and MAX skip NULL and are NULL where nothing is left.  That is
why ``SUM(CASE WHEN p THEN 1 ELSE 0 END)`` is ``COUNT(*) FILTER (WHERE p)`` only for a group that has
rows: over no rows the SUM is NULL and the COUNT 0.  A group of GROUP BY always has rows, the one group of
a query without GROUP BY may have none, unless it is a whole table that is not empty.

*Counting rows or values* is the same where a filter leaves no NULL to skip.  ``COUNT(x)`` beside a filter
that rejects NULL in x is ``COUNT(*)``.  Where the filter does nothing else, ``WHERE x IS NOT NULL``,
aggregates that skip NULL in x skip just the rows that it removes; of no rows at all COUNT is 0 either
way.

*Quotients over the rows of one query* are NULL anyway where there are none: inside a quotient whose
divisor counts or sums the same rows it cannot be seen whether what is divided is NULL or 0, since a
divisor of NULL or 0 makes NULL.  NULLIF(x, 0) as a divisor says the same twice.

*Quotients of REAL numbers*, percentages and averages, have one form.  ``CAST(a AS REAL) * 100 / b``, ``a
* 100.0 / b`` and ``100 * (a / CAST(b AS REAL))`` are one number if REAL arithmetic is exact and every
division in them is one of REALs.  ``a / b`` of two integers truncates and is never touched, nor is what
divides by a quotient: ``a / (b / c)`` is NULL for c = 0, ``a * c / b`` is not.  AVG is such a quotient
too: of the SUM and the COUNT of what is not NULL.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import cast

from sqlglot import exp

from equiv.core.claims.blocks import aggregates, escapes, home, is_bit, is_boolean, result_clauses
from equiv.core.claims.fingerprint import Fingerprint, chain
from equiv.core.claims.nullness import is_null_test, never_null, rejected_nulls, strict_columns
from equiv.core.claims.value_types import HoldingFacts, all_of, always_real, is_repeatable
from equiv.core.functions.table import cast_affinity
from equiv.core.model import Affinity, Context
from equiv.rewrite.rule import rule
from equiv.rules.guards.clauses import Place, filters, group_keys, has_windows, place_of, set_filters
from equiv.rules.guards.expressions import Node, arithmetic_is_exact, number, operand_is_never_null
from equiv.rules.guards.selects import has_no_filter, has_one_source, source_has_rows

SKIPPING_NULL = (exp.Count, exp.Sum, exp.Avg)


def counts_values(node: Node) -> bool:
    """``COUNT(x)``, neither ``COUNT(*)`` nor ``COUNT(DISTINCT x)``."""
    return isinstance(node.this, exp.Expression) and not isinstance(node.this, exp.Star | exp.Distinct)


def aggregates_own_rows(node: Node) -> bool:
    """The call aggregates rows of the query in which it stands, not of an outer one."""
    return not escapes(node)


def guards_its_argument(node: Node) -> bool:
    """``AGG(CASE WHEN p THEN x END)``, DISTINCT or not, and no window function."""
    case = _argument(node)
    is_case = (
        isinstance(case, exp.Case) and case.args.get("this") is None and case.args.get("default") is None
    )
    is_plain = not isinstance(node.parent, exp.Filter | exp.Window) and not node.expressions
    return is_case and is_plain and len(case.args["ifs"]) == 1


def _argument(call: Node) -> Node:
    argument: Node = call.this
    if isinstance(argument, exp.Distinct) and len(argument.expressions) == 1:
        argument = argument.expressions[0]
    return argument


@rule(on=SKIPPING_NULL, shape=(guards_its_argument,))
def convert_guarded_argument(call: Node, ctx: Context) -> Node | None:
    """Write a CASE inside an aggregate as FILTER.

    Before:  SELECT COUNT(CASE WHEN age > 3 THEN city END) FROM person
    After:   SELECT COUNT(city) FILTER (WHERE age > 3) FROM person
    Refuse:  CASE ... ELSE 0 END, which adds values; MIN and MAX, which choose the row of bare columns
    Sound:   rows for which the CASE is NULL are skipped, which is what FILTER does with them
    """
    branch = _argument(call).args["ifs"][0]
    condition, value = branch.this, branch.args["true"]
    if isinstance(call.this, exp.Distinct):
        value = exp.Distinct(expressions=[value])
    return exp.Filter(this=type(call)(this=value), expression=exp.Where(this=condition))


def _is(node: Node, bit: str) -> bool:
    return is_bit(node) and node.name == bit


def _counted(summed: Node) -> Node | None:
    """The condition that ``CASE WHEN p THEN 1 ELSE 0 END`` or a predicate that is summed counts."""
    if isinstance(summed, exp.Case) and summed.args.get("this") is None and len(summed.args["ifs"]) == 1:
        branch, default = summed.args["ifs"][0], summed.args.get("default")
        if default is not None and _is(branch.args["true"], "1") and _is(default, "0"):
            condition: Node = branch.this
            return condition
    return summed if is_boolean(summed) else None


def sums_bits(node: Node) -> bool:
    """``SUM(CASE WHEN p THEN 1 ELSE 0 END)`` or ``SUM(p)``, and no window function."""
    is_plain = not isinstance(node.parent, exp.Filter | exp.Window)
    return is_plain and isinstance(node.this, exp.Expression) and _counted(node.this) is not None


def bits_are_never_null(node: Node, ctx: Context) -> HoldingFacts:
    """What is summed is 0 or 1 in every row."""
    return never_null(node.this, ctx)


def group_has_rows(node: Node, ctx: Context) -> HoldingFacts:
    """The query groups, so that each of its groups has a row; or it reads a whole table that has one."""
    select = node.find_ancestor(exp.Select)
    if select is None:
        return None
    if group_keys(select):
        return ()
    return source_has_rows(select, ctx) if has_one_source(select) and has_no_filter(select) else None


@rule(on=exp.Sum, shape=(sums_bits,), needs=(bits_are_never_null, group_has_rows))
def convert_sum_to_count(call: Node, ctx: Context) -> Node | None:
    """Write the sum of 0 and 1 over rows of which there are some as a count.

    Before:  SELECT city, SUM(CASE WHEN age > 3 THEN 1 ELSE 0 END) FROM person GROUP BY city
    After:   SELECT city, COUNT(*) FILTER (WHERE age > 3) FROM person GROUP BY city
    Refuse:  without GROUP BY, unless over a whole table that is not empty: of no rows SUM is NULL and COUNT 0
    Sound:   there are rows, and in each the summand is 1 where p is true, else 0
    """
    return count_instead(call)


@rule(on=exp.Count, shape=(counts_values, aggregates_own_rows), needs=(operand_is_never_null,), esm_plus=7)
def convert_count_to_star(call: Node, ctx: Context) -> Node | None:
    """Count rows instead of values that are never NULL.

    Before:  SELECT COUNT(city) FROM person
    After:   SELECT COUNT(*) FROM person
    Refuse:  the right side of a LEFT JOIN, whose NOT NULL columns are padded with NULL
    Sound:   COUNT(x) counts the rows in which x is not NULL, and that is all of them
    """
    return exp.Count(this=exp.Star())


def count_instead(call: Node) -> Node:
    """The count of the rows in which the bit is 1 that a call sums."""
    condition = _counted(call.this)
    assert condition is not None
    return _count_where(condition)


def _count_where(condition: Node) -> Node:
    count = exp.Count(this=exp.Star())
    return count if _is(condition, "1") else exp.Filter(this=count, expression=exp.Where(this=condition))


_SKIPPING_NULL = (exp.Count, exp.Sum, exp.Avg, exp.Min, exp.Max)


def rejects_null(condition: exp.Expression, place: Place) -> bool:
    """Whether a filter is not true where a column is NULL; an EXISTS if a filter inside is not."""
    if place in rejected_nulls(condition):
        return True
    query = condition.this if isinstance(condition, exp.Exists) else None
    query = query.this if isinstance(query, exp.Subquery) else query
    if not isinstance(query, exp.Select) or (aggregates(query) and not group_keys(query)):
        return False
    return any(rejects_null(part, place) for part in filters(query))


def filter_rejects_null(node: Node, ctx: Context) -> HoldingFacts:
    """The query filters its rows by a condition that is not true where the counted column is NULL."""
    select = node.find_ancestor(exp.Select)
    if select is None or not isinstance(node.this, exp.Column) or home(node.this) is not select:
        return None
    return () if any(rejects_null(part, place_of(node.this)) for part in filters(select)) else None


@rule(on=exp.Count, shape=(counts_values,), needs=(filter_rejects_null,))
def convert_filtered_count_to_star(call: Node, ctx: Context) -> Node | None:
    """Count rows instead of the values of a column in which a filter rejects NULL.

    Before:  SELECT COUNT(nick) FROM person WHERE nick = 'a'
    After:   SELECT COUNT(*) FROM person WHERE nick = 'a'
    Refuse:  COUNT(nick) WHERE nick = 'a' OR age = 3; a condition of LEFT JOIN, which pads with NULL
    Sound:   in every row that passes the filter the column has a value
    """
    return exp.Count(this=exp.Star())


def tests_for_value(condition: exp.Expression) -> exp.Expression | None:
    """The column of ``x IS NOT NULL``."""
    tested = condition.this if isinstance(condition, exp.Not) else None
    found = tested.this if tested is not None and is_null_test(tested) else None
    return found if isinstance(found, exp.Column) else None


def idle_null_tests(select: exp.Expression) -> Iterator[exp.Expression]:
    """The filters ``x IS NOT NULL`` of which every aggregate skips the rows anyway, or counts rows."""
    own = [call for call in aggregates(select) if isinstance(call, _SKIPPING_NULL)]
    for condition in filters(select):
        column = tests_for_value(condition)
        if column is not None and home(column) is select and all(_skips(c, place_of(column)) for c in own):
            yield condition


def _skips(call: exp.Expression, place: Place) -> bool:
    if isinstance(call.this, exp.Star):
        return not isinstance(call.parent, exp.Window)
    argument = call.this
    if isinstance(argument, exp.Distinct) and len(argument.expressions) == 1:
        argument = argument.expressions[0]
    return not call.expressions and place in strict_columns(argument)


def aggregates_all_rows(select: exp.Expression) -> bool:
    """Aggregates that skip NULL, and no column outside them; neither GROUP BY, HAVING nor windows."""
    calls = aggregates(select)
    clauses = ("group", "having", "with_", "distinct", "limit", "offset", "order")
    if not calls or any(select.args.get(name) is not None for name in clauses) or has_windows(select):
        return False
    return all(isinstance(call, _SKIPPING_NULL) for call in calls) and not any(
        True for clause in result_clauses(select) for _ in _outside(clause)
    )


def _outside(node: exp.Expression) -> Iterator[exp.Expression]:
    """The columns and queries of a clause that stand in no aggregate."""
    if isinstance(node, _SKIPPING_NULL) and not node.expressions:
        return
    if isinstance(node, exp.Column | exp.Query):
        yield node
    for child in node.iter_expressions():
        yield from _outside(child)


def has_idle_null_test(select: exp.Expression) -> bool:
    """A filter ``x IS NOT NULL`` that the aggregates make needless."""
    return next(idle_null_tests(select), None) is not None


@rule(on=exp.Select, shape=(aggregates_all_rows, has_idle_null_test))
def eliminate_null_test_before_aggregates(select: exp.Expression, ctx: Context) -> exp.Expression | None:
    """Drop a filter IS NOT NULL on what every aggregate skips; COUNT(*) counts the values then.

    Before:  SELECT COUNT(*), MAX(age + 1) FROM person WHERE NOT age IS NULL
    After:   SELECT COUNT(age), MAX(age + 1) FROM person
    Refuse:  COUNT(city) beside it, which counts more rows then; GROUP BY, of which groups would come back
    Sound:   the rows that come back are those that the aggregates skip, and no row makes no difference
    """
    condition = next(idle_null_tests(select), None)
    column = tests_for_value(condition) if condition is not None else None
    if column is None:
        return None
    for call in aggregates(select):
        if isinstance(call.this, exp.Star):
            call.set("this", column.copy())
    set_filters(select, [part for part in filters(select) if part is not condition])
    return select


DIVISIONS = (exp.Div, exp.Mod)
_KEEPING_NULL_OR_ZERO = (exp.Mul, exp.Div, exp.Cast, exp.Neg, exp.Paren, exp.Nullif)
"""NULL or 0 if an operand is, of NULLIF the first one."""


def vanishes_without_rows(node: Node) -> bool:
    """Whether an expression is NULL or 0 if the query in which it stands aggregates no rows."""
    match node:
        case exp.Count() | exp.Sum() | exp.Avg():
            return aggregates_own_rows(node)
        case exp.Filter():
            return vanishes_without_rows(node.this)
        case exp.Mul() | exp.Div():
            return vanishes_without_rows(node.this) or vanishes_without_rows(node.expression)
        case exp.Cast() | exp.Neg() | exp.Paren() | exp.Nullif():
            return vanishes_without_rows(node.this)
    return False


def is_divided_by_its_rows(node: Node) -> bool:
    """A quotient of the query in which it stands is NULL if there are no rows, as it is if this is 0 then."""
    is_factor = True
    below, above = node, cast(Node | None, node.parent)
    while above is not None and not isinstance(above, exp.Query):
        if isinstance(above, exp.Div):
            if above.expression is below and is_factor:
                return True
            if above.this is below and vanishes_without_rows(above.expression):
                return True
        is_factor = is_factor and isinstance(above, _KEEPING_NULL_OR_ZERO) and below.arg_key != "expressions"
        if isinstance(above, exp.Nullif):
            is_factor = is_factor and above.this is below
        below, above = above, cast(Node | None, above.parent)
    return False


def divides_by_nullif_zero(node: Node) -> bool:
    """``x / NULLIF(y, 0)``."""
    divisor = node.expression
    zero = divisor.expression if isinstance(divisor, exp.Nullif) else None
    return isinstance(zero, exp.Literal) and not zero.is_string and zero.name == "0"


@rule(on=DIVISIONS, shape=(divides_by_nullif_zero,))
def eliminate_nullif_of_divisor(division: Node, ctx: Context) -> Node | None:
    """Drop NULLIF(…, 0) around a divisor.

    Before:  SELECT age / NULLIF(score, 0) FROM person
    After:   SELECT age / score FROM person
    Refuse:  NULLIF(score, 1); NULLIF(score, 0) * 2 as a factor, which would be 0
    Sound:   division by 0 is NULL in SQLite, and so is division by NULL
    """
    division.set("expression", division.expression.this)
    return division


@rule(
    on=exp.Sum,
    shape=(sums_bits, aggregates_own_rows, is_divided_by_its_rows),
    needs=(bits_are_never_null,),
)
def convert_divided_sum_to_count(call: Node, ctx: Context) -> Node | None:
    """Write a sum of 0 and 1 as a count where it is divided by an aggregate of the same rows.

    Before:  SELECT SUM(CASE WHEN age > 3 THEN 1 ELSE 0 END) * 100.0 / COUNT(*) FROM person
    After:   SELECT COUNT(*) FILTER (WHERE age > 3) * 100.0 / COUNT(*) FROM person
    Refuse:  SUM(...) / 2, and SUM(...) / (SELECT COUNT(*) FROM pet): of no rows NULL, where COUNT gives 0
    Sound:   over some rows both are one integer; over none the divisor is NULL or 0, and the quotient NULL
    """
    return count_instead(call)


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


def no_division_truncates(node: Node, ctx: Context) -> HoldingFacts:
    """In every division one side is REAL."""
    return all_of(*(always_real(division, ctx) for division in _divisions(node)))


def averages_values(node: Node) -> bool:
    """``AVG(x)``, perhaps under FILTER, not a window function, which holds no subquery to be read twice."""
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
