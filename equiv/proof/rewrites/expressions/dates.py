"""Dates as STRFTIME writes them: compared as dates and part by part, and their parts as numbers."""

from __future__ import annotations

from equiv.algebra.scalar_functions import by_date, by_parts, of_number, on_numbers
from equiv.algebra.terms import And, Apply, Compare, Convert, Expression
from equiv.proof.rewrite import rewrite
from equiv.proof.rewrites.scope import Scope


@rewrite(on=Compare, keeps="value")
def convert_strftime_to_date(node: Compare, scope: Scope) -> Expression | None:
    """Compare DATE(…) with a literal instead of STRFTIME('%Y-%m-%d', …).

    Before:  STRFTIME('%Y-%m-%d', t.d) < '2020-01-01'
    After:   DATE(t.d) < '2020-01-01'
    Refuse:  a literal that does not begin with a digit; another format
    Sound:   they differ for the years before 0 only, which both write with a minus sign in front: before,
             and never equal to, a literal that begins with a digit
    """
    changed = by_date(node)
    return None if changed is node else changed


@rewrite(on=Compare, keeps="value")
def split_date_equality(node: Compare, scope: Scope) -> And | None:
    """Equate the parts of a date one by one.

    Before:  STRFTIME('%m-%d', t.d) = '02-29'
    After:   STRFTIME('%m', t.d) = '02' and STRFTIME('%d', t.d) = '29'
    Refuse:  codes of no fixed width, but for one year; a literal of another form
    Sound:   texts of one format of fixed widths are equal if they are part by part; whether STRFTIME is NULL
             depends on its date alone
    """
    parts = by_parts(node)
    return And(tuple(parts)) if parts else None


@rewrite(on=Convert, keeps="value")
def convert_cast_of_date_part(node: Convert, scope: Scope) -> Expression | None:
    """Read the text of an integer that STRFTIME returns as that integer.

    Before:  CAST(STRFTIME('%Y', t.d) AS REAL)
    After:   CAST(CAST(STRFTIME('%Y', t.d) AS INTEGER) AS REAL)
    Refuse:  formats that return no integer, as %f
    Sound:   such a text spells an integer and nothing else
    """
    changed = of_number(node)
    return None if changed is node else changed


@rewrite(on=Apply, keeps="value")
def convert_date_part_in_arithmetic(node: Apply, scope: Scope) -> Expression | None:
    """Compute with the integer that a text of STRFTIME spells.

    Before:  STRFTIME('%Y', t.d) + 1
    After:   CAST(STRFTIME('%Y', t.d) AS INTEGER) + 1
    Refuse:  ABS and SUM, which make a REAL of a text
    Sound:   arithmetic reads such a text as that integer
    """
    changed = on_numbers(node)
    return None if changed is node else changed
