"""A whole query of which only the set of its rows counts."""

from __future__ import annotations

from equiv.algebra.terms import TRUE, Bag, Binding, Field, Squash, Term


def without_root_squash(bag: Bag) -> Bag:
    """A bag of which duplicates do not count, DISTINCT gone where it is all that a term does.

    Before:  SELECT DISTINCT city, name FROM person
    After:   SELECT city, name FROM person
    Refuse:  the distinct rows are read by a condition or a function, which may tell 1 from 1.0
    Sound:   DISTINCT keeps one of the rows that are equal by value, and sets are compared by value
    """
    return Bag(tuple(plain for term in bag.terms for plain in _without_squash(term)))


def _without_squash(term: Term) -> tuple[Term, ...]:
    match term:
        case Term((Binding(row, Squash(bag)),), condition, outputs) if condition == TRUE:
            places = [field.column for field in outputs if isinstance(field, Field) and field.row == row]
            if len(places) == len(outputs):
                return tuple(
                    Term(each.bindings, each.condition, tuple(each.outputs[int(place)] for place in places))
                    for each in without_root_squash(bag).terms
                )
    return (term,)
