"""What follows from conditions that are true: which expressions are true, false, NULL or not NULL."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from equiv.algebra.function_kinds import STRICT
from equiv.algebra.terms import (
    NULL,
    And,
    Apply,
    Case,
    Compare,
    Constant,
    Convert,
    Exists,
    Expression,
    Field,
    Found,
    IsNull,
    IsTrue,
    Lookup,
    Not,
    Or,
    Term,
    free,
)
from equiv.proof.rewrites.outputs import key


def is_truth(expression: Expression) -> bool:
    """Whether a value is always 1, 0 or NULL."""
    match expression:
        case Compare() | And() | Or() | Not() | IsTrue() | IsNull() | Found() | Exists():
            return True
        case Constant(kind, text):
            return kind == "null" or (kind == "integer" and text in ("0", "1"))
        case Apply("LIKE" | "GLOB"):
            return True
        case Case(branches, default):
            return is_truth(default) and all(is_truth(value) for _, value in branches)
    return False


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of the rows in scope."""

    true: frozenset[Expression] = frozenset()
    """Keys of expressions that are true."""
    untrue: frozenset[Expression] = frozenset()
    """Keys of expressions that are false or NULL."""
    not_null: frozenset[Expression] = frozenset()
    null: frozenset[Expression] = frozenset()

    def and_also(self, conditions: Iterable[Expression]) -> Known:
        """This and what follows from some conditions that are true."""
        true, untrue = set(self.true), set(self.untrue)
        not_null, null = set(self.not_null), set(self.null)
        for condition in _flat(conditions):
            true.add(key(condition))
            match condition:
                case Not(IsTrue(part)) | Not(part):
                    untrue.add(key(part))
                case IsNull(value):
                    null.add(key(value))
            not_null.update(not_null_if_true(condition))
        for value in not_null:
            if isinstance(value, Lookup):
                true.add(Found(value.table, value.key, value.values))
        return Known(frozenset(true), frozenset(untrue), frozenset(not_null), frozenset(null))


def _flat(conditions: Iterable[Expression]) -> Iterator[Expression]:
    for condition in conditions:
        match condition:
            case And(parts):
                yield from _flat(parts)
            case IsTrue(part):
                yield from _flat((part,))
            case _:
                yield condition


def not_null_if_true(condition: Expression) -> set[Expression]:
    """Keys of expressions that are not NULL if a condition is true."""
    match condition:
        case Compare("=" | "<" | "<=", left, right) | Not(Compare("=" | "<" | "<=", left, right)):
            return not_null_with(left) | not_null_with(right)
        case Compare("IS", left, Constant() as right) | Compare("IS", Constant() as right, left):
            return not_null_with(left) if right != NULL else set()
        case Not(IsNull(value)):
            return not_null_with(value)
        case Found(_, _, values):
            return {key(condition)}.union(*map(not_null_with, values))
        case IsTrue(part):
            return not_null_if_true(part)
        case Exists(bag) if bag.terms:
            return set.intersection(*map(_not_null_if_there, bag.terms))
        case And(parts):
            return set().union(*map(not_null_if_true, parts))
        case Or(parts) if parts:
            return set.intersection(*map(not_null_if_true, parts))
        case Apply("LIKE" | "GLOB", arguments):
            # A LIKE that is 0 may have a NULL argument beside a blob.
            return set().union(*map(not_null_with, arguments))
        case Field() | Lookup() | Apply() | Convert():
            return not_null_with(condition)
    return set()


def _not_null_if_there(term: Term) -> set[Expression]:
    """Keys of expressions without a term's own variables that are not NULL if the term has a row."""
    own = {binding.row for binding in term.bindings}
    return {each for each in not_null_if_true(term.condition) if not free(each) & own}


def not_null_with(value: Expression) -> set[Expression]:
    """Keys of the value and of what it needs in order not to be NULL."""
    match value:
        case Lookup(_, _, values):
            return {key(value)}.union(*map(not_null_with, values))
        case Apply(function, arguments) if function in STRICT:
            return {key(value)}.union(*map(not_null_with, arguments))
        case Convert(_, inner):
            return {key(value)} | not_null_with(inner)
    return {key(value)}
