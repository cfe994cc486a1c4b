"""Operators, functions and conversions of simplified arguments.

A CAST, and the affinity that a comparison applies, go where they change nothing.  Dates as STRFTIME writes
them are compared as dates and part by part, and their parts as numbers.  A division by zero is NULL, so that
the CASE that guards a quotient says nothing.
"""

from __future__ import annotations

from equiv.algebra import terms as t
from equiv.algebra.kinds import UNTOUCHED, stored_form
from equiv.algebra.scalar_functions import by_date, by_parts, of_number, on_numbers
from equiv.core.functions.traits import NULL_ONLY, WHOLE, StorageClasses
from equiv.proof.rewrite import rewrite
from equiv.proof.rewrites.scalars.comparisons import (
    convert_like_to_glob,
    fold_apply,
    fold_convert,
    merge_wildcards,
)
from equiv.proof.rewrites.scope import Scope


@rewrite(on=t.Compare, keeps="value")
def convert_strftime_to_date(node: t.Compare, scope: Scope) -> t.Expression | None:
    """Compare DATE(…) with a literal instead of STRFTIME('%Y-%m-%d', …).

    Before:  STRFTIME('%Y-%m-%d', t.d) < '2020-01-01'
    After:   DATE(t.d) < '2020-01-01'
    Refuse:  a literal that does not begin with a digit; another format
    Sound:   they differ for the years before 0 only, which both write with a minus sign in front: before,
             and never equal to, a literal that begins with a digit
    """
    changed = by_date(node)
    return None if changed is node else changed


@rewrite(on=t.Compare, keeps="value")
def split_date_equality(node: t.Compare, scope: Scope) -> t.And | None:
    """Equate the parts of a date one by one.

    Before:  STRFTIME('%m-%d', t.d) = '02-29'
    After:   STRFTIME('%m', t.d) = '02' and STRFTIME('%d', t.d) = '29'
    Refuse:  codes of no fixed width, but for one year; a literal of another form
    Sound:   texts of one format of fixed widths are equal if they are part by part; whether STRFTIME is NULL
             depends on its date alone
    """
    parts = by_parts(node)
    return t.And(tuple(parts)) if parts else None


@rewrite(on=t.Convert, keeps="value")
def convert_cast_of_date_part(node: t.Convert, scope: Scope) -> t.Expression | None:
    """Read the text of an integer that STRFTIME returns as that integer.

    Before:  CAST(STRFTIME('%Y', t.d) AS REAL)
    After:   CAST(CAST(STRFTIME('%Y', t.d) AS INTEGER) AS REAL)
    Refuse:  formats that return no integer, as %f
    Sound:   such a text spells an integer and nothing else
    """
    changed = of_number(node)
    return None if changed is node else changed


@rewrite(on=t.Apply, keeps="value")
def convert_date_part_in_arithmetic(node: t.Apply, scope: Scope) -> t.Expression | None:
    """Compute with the integer that a text of STRFTIME spells.

    Before:  STRFTIME('%Y', t.d) + 1
    After:   CAST(STRFTIME('%Y', t.d) AS INTEGER) + 1
    Refuse:  ABS and SUM, which make a REAL of a text
    Sound:   arithmetic reads such a text as that integer
    """
    changed = on_numbers(node)
    return None if changed is node else changed


DIVISIONS = ("/", "%")


def is_quotient(node: t.Apply) -> bool:
    """Whether the node is a quotient."""
    return node.function in DIVISIONS


def divisor_is_zero(node: t.Apply, scope: Scope) -> bool:
    """Whether the conditions around say that the divisor equals 0."""
    zero = t.Compare("=", node.arguments[1], t.integer(0))
    return t.alpha(zero) in scope.known.true


@rewrite(on=t.Apply, keeps="value", shape=(is_quotient,), needs=(divisor_is_zero,))
def fold_quotient_by_zero(node: t.Apply, scope: Scope) -> t.Expression | None:
    """A quotient is NULL where its divisor is zero.

    Before:  {t.y = 0: t.x / t.y; else 1}
    After:   {t.y = 0: NULL; else 1}
    Refuse:  a divisor about which nothing is known
    Sound:   division by zero is NULL, of integers as of REALs
    """
    return t.NULL


def tests_for_zero(node: t.Not) -> bool:
    """Whether the node is ``x <> 0``."""
    match node.part:
        case t.Compare("=", _, zero) | t.Compare("=", zero, _):
            return zero == t.integer(0)
    return False


def divides_what_is_there(node: t.Not, scope: Scope) -> bool:
    """Whether the value divides something whose quotient is known not to be NULL."""
    assert isinstance(node.part, t.Compare)
    sides = {t.alpha(node.part.left), t.alpha(node.part.right)}
    quotients = (each for each in scope.known.not_null if isinstance(each, t.Apply) and is_quotient(each))
    return any(t.alpha(quotient.arguments[1]) in sides for quotient in quotients)


@rewrite(on=t.Not, keeps="truth", shape=(tests_for_zero,), needs=(divides_what_is_there,))
def eliminate_test_of_divisor(node: t.Not, scope: Scope) -> t.Expression | None:
    """What divides something and leaves a value is not zero.

    Before:  Σ t ∈ a [not t.y = 0 and 1 < t.x / t.y] → (t.x)
    After:   Σ t ∈ a [1 < t.x / t.y] → (t.x)
    Refuse:  a quotient that may be NULL: t.x / t.y is NULL
    Sound:   a quotient by zero, or by NULL, is NULL
    """
    return t.TRUE


def compares_case_with_constant(node: t.Compare) -> bool:
    """Whether a constant is compared with a CASE of one branch, one of whose values is a constant too."""
    match node:
        case t.Compare(_, t.Constant(), t.Case(((_, result),), default)):
            return _is_decisive(result) or _is_decisive(default)
        case t.Compare(_, t.Case(((_, result),), default), t.Constant()):
            return _is_decisive(result) or _is_decisive(default)
    return False


def _is_decisive(value: t.Expression) -> bool:
    return isinstance(value, t.Constant) and value != t.NULL


@rewrite(on=t.Compare, keeps="truth", shape=(compares_case_with_constant,))
def push_comparison_into_case(node: t.Compare, scope: Scope) -> t.Expression | None:
    """Compare the values of a CASE, of which a constant decides one, instead of the CASE, in a condition.

    Before:  Σ t ∈ a [1 < {t.y = 0: 0; else t.x / t.y}] → (t.x)
    After:   Σ t ∈ a [{t.y = 0: 1 < 0; else 1 < t.x / t.y}] → (t.x)
    Refuse:  values that are not constants, or NULL, as of sums without rows; more branches
    Sound:   the CASE is one of its values
    """
    case = node.right if isinstance(node.right, t.Case) else node.left
    assert isinstance(case, t.Case)
    ((condition, result),) = case.branches

    def compared(value: t.Expression) -> t.Compare:
        if case is node.right:
            return t.Compare(node.operator, node.left, value)
        return t.Compare(node.operator, value, node.right)

    return t.Case(((condition, compared(result)),), compared(case.default))


_UNCHANGED: dict[tuple[t.Target, bool], StorageClasses] = {
    **{conversion: classes | NULL_ONLY for conversion, classes in UNTOUCHED.items()},
    ("NUMERIC", True): WHOLE,
}
"""The storage classes that a conversion leaves alone."""


def has_affinity_or_cast(node: t.Convert) -> bool:
    """Whether the conversion leaves some storage classes alone."""
    return (node.to, node.explicit) in _UNCHANGED


def operand_is_left_alone(node: t.Convert, scope: Scope) -> bool:
    """Whether the operand is stored under that affinity, or of a class that the conversion leaves alone."""
    is_numeric = (node.to, node.explicit) == ("NUMERIC", False)
    # A text in a column of INTEGER, NUMERIC or REAL affinity is one that the affinity leaves alone.
    if is_numeric and stored_form(node.value, scope.world, scope.sources) in ("whole if it can be", "REAL"):
        return True
    return scope.within_kinds(node.value, _UNCHANGED[node.to, node.explicit])


@rewrite(on=t.Convert, keeps="value", shape=(has_affinity_or_cast,), needs=(operand_is_left_alone,))
def eliminate_conversion(node: t.Convert, scope: Scope) -> t.Expression | None:
    """Drop a conversion that changes nothing.

    Before:  CAST(t.id AS INTEGER)
    After:   t.id
    Refuse:  a column that may hold another storage class, whatever its declared type; CAST of a stored text
    Sound:   the value has the class that it is converted to, or one that is left alone; NUMERIC leaves alone
             what is stored under INTEGER, NUMERIC or REAL affinity, which convert the same texts
    """
    return node.value


@rewrite(on=t.Convert, keeps="value")
def fold_conversion(node: t.Convert, scope: Scope) -> t.Expression | None:
    """Convert a constant, where that is plain.

    Before:  NUMERIC('5')
    After:   5
    Refuse:  '5.0', ' 5', '05', and texts that are not number
    Sound:   the text is how SQLite writes the integer
    """
    changed = fold_convert(node)
    return None if changed is node else changed


def rounds_to_integer(node: t.Convert) -> bool:
    """Whether a rounded number is made an integer."""
    match node:
        case t.Convert("INTEGER", t.Apply("ROUND", (_,)), True):
            return True
    return False


def operand_is_an_exact_integer(node: t.Convert, scope: Scope) -> bool:
    """Whether what is rounded is an integer or NULL, and REALs hold it exactly."""
    assert isinstance(node.value, t.Apply)
    return scope.is_whole(node.value.arguments[0]) and scope.adds_exactly()


@rewrite(on=t.Convert, keeps="value", shape=(rounds_to_integer,), needs=(operand_is_an_exact_integer,))
def eliminate_rounding_of_integer(node: t.Convert, scope: Scope) -> t.Expression | None:
    """Do not round an integer.

    Before:  CAST(ROUND(t.n) AS INTEGER)
    After:   t.n
    Refuse:  a number that may be a REAL; integers beyond 2**53, of which ROUND makes another REAL
    Sound:   ROUND of an integer is the REAL of its value, of which CAST makes that integer again
    """
    assert isinstance(node.value, t.Apply)
    return node.value.arguments[0]


CONVERSIONS = (
    convert_cast_of_date_part,
    eliminate_conversion,
    eliminate_rounding_of_integer,
    fold_conversion,
)
"""Rewrites of a conversion of a simplified value, in firing order."""


def divides_case(node: t.Apply) -> bool:
    """Whether a CASE is divided by something."""
    match node:
        case t.Apply("/", (t.Case(), _)):
            return True
    return False


@rewrite(on=t.Apply, keeps="value", shape=(divides_case,))
def push_division_into_case(node: t.Apply, scope: Scope) -> t.Expression | None:
    """Divide each branch of a CASE, whose class may be known where that of the whole is not.

    Before:  {t.x = 1: 1; else 0.5} / 2
    After:   {t.x = 1: 0; else 0.25}
    Refuse:  a CASE that is always an integer, or always a REAL
    Sound:   the value is that of the branch that is taken
    """
    numerator, denominator = node.arguments
    assert isinstance(numerator, t.Case)
    if not scope.kinds(numerator) >= {"integer", "real"}:
        return None
    return _spread_division(numerator, denominator, scope)


def computes_with_chosen_literal(node: t.Apply) -> bool:
    """Whether one operand is a CASE of literals: of one and NULL, if the other operand has a bag inside."""
    match node:
        case t.Apply("+" | "-" | "*" | "/", (left, right)):
            one, other = (left, right) if isinstance(left, t.Case) else (right, left)
            if not isinstance(one, t.Case):
                return False
            results = (*(result for _, result in one.branches), one.default)
            is_said_once = sum(result != t.NULL for result in results) < 2
            is_plain = not any(isinstance(part, t.Bag) for part in t.walk(other))
            return all(map(_is_closed, results)) and (is_plain or is_said_once)
    return False


def _is_closed(value: t.Expression) -> bool:
    """Whether a value is made of literals alone."""
    return not any(isinstance(part, t.Field | t.Bag) for part in t.walk(value))


@rewrite(on=t.Apply, keeps="value", shape=(computes_with_chosen_literal,))
def push_arithmetic_into_case(node: t.Apply, scope: Scope) -> t.Expression | None:
    """Compute with each literal of a CASE.

    Before:  t.x * {t.y = 1: 0.5; else 1}
    After:   {t.y = 1: t.x * 0.5; else t.x * 1}
    Refuse:  a CASE of other values; an operand with a bag inside, which would stand there several times
    Sound:   the value is that of the branch that is taken, and NULL of NULL
    """
    left, right = node.arguments
    chosen = left if isinstance(left, t.Case) else right
    assert isinstance(chosen, t.Case)

    def computed(literal: t.Expression) -> t.Expression:
        if literal == t.NULL:
            return t.NULL
        pair = (literal, right) if chosen is left else (left, literal)
        return t.Apply(node.function, pair)

    branches = tuple((condition, computed(result)) for condition, result in chosen.branches)
    return t.Case(branches, computed(chosen.default))


def divides_zero(node: t.Apply) -> bool:
    """Whether the integer 0 is divided by something."""
    match node:
        case t.Apply("/", (t.Constant("integer", "0"), _)):
            return True
    return False


def denominator_is_whole(node: t.Apply, scope: Scope) -> bool:
    """Whether the denominator is an integer or NULL."""
    return scope.within_kinds(node.arguments[1], WHOLE)


@rewrite(on=t.Apply, keeps="value", shape=(divides_zero,), needs=(denominator_is_whole,))
def fold_division_of_zero(node: t.Apply, scope: Scope) -> t.Expression | None:
    """Zero divided by an integer is zero, unless that is zero or NULL.

    Before:  0 / t.x
    After:   {t.x is NULL or t.x = 0: NULL; else 0}
    Refuse:  a REAL denominator, which makes 0.0 or -0.0
    Sound:   the quotient of integers is one, and a division by zero is NULL
    """
    denominator = node.arguments[1]
    zero = t.Compare("=", denominator, t.integer(0))
    return t.Case(((t.Or((t.IsNull(denominator), zero)), t.NULL),), t.integer(0))


@rewrite(on=t.Apply, keeps="value")
def eliminate_round_to_no_digits(node: t.Apply, scope: Scope) -> t.Expression | None:
    """ROUND to 0 digits is ROUND.

    Before:  ROUND(t.x, 0)
    After:   ROUND(t.x)
    Refuse:  NULL digits, which make NULL
    Sound:   0 is the default
    """
    match node:
        case t.Apply("ROUND", (rounded, t.Constant("integer", "0"))):
            return t.Apply("ROUND", (rounded,))
    return None


@rewrite(on=t.Apply, keeps="value")
def eliminate_inner_letter_case(node: t.Apply, scope: Scope) -> t.Expression | None:
    """UPPER and LOWER of UPPER or LOWER are those of its argument.

    Before:  UPPER(LOWER(t.x))
    After:   UPPER(t.x)
    Refuse:  another function between them
    Sound:   both change ASCII letters alone, each by itself, into the same text
    """
    match node:
        case t.Apply("UPPER" | "LOWER" as outer, (t.Apply("UPPER" | "LOWER", (inner,)),)):
            return t.Apply(outer, (inner,))
    return None


@rewrite(on=t.Apply, keeps="value")
def fold_call(node: t.Apply, scope: Scope) -> t.Expression | None:
    """A strict function of NULL is NULL, and arithmetic of small integers is computed.

    Before:  1 + 2
    After:   3
    Refuse:  results beyond 2**53; division; REALs; functions that are not NULL for NULL
    Sound:   the result is beyond doubt
    """
    changed = fold_apply(node)
    return None if changed is node else changed


CALLS = (
    convert_date_part_in_arithmetic,
    fold_quotient_by_zero,
    push_division_into_case,
    push_arithmetic_into_case,
    fold_division_of_zero,
    eliminate_round_to_no_digits,
    eliminate_inner_letter_case,
    merge_wildcards,
    convert_like_to_glob,
    fold_call,
)
"""Rewrites of a call of simplified values, in firing order."""


def _spread_division(numerator: t.Case, denominator: t.Expression, scope: Scope) -> t.Case:
    """The quotient of each branch, whose class may be known where that of the whole is not."""

    def over(part: t.Expression) -> t.Expression:
        return t.Apply("/", (part, scope.world.names.copy_of(denominator)))

    branches = tuple((condition, over(result)) for condition, result in numerator.branches)
    return t.Case(branches, over(numerator.default))
