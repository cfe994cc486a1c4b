"""CAST, and the affinity that a comparison applies."""

from __future__ import annotations

from equiv.algebra.kinds import stored_form
from equiv.algebra.terms import Convert, Expression
from equiv.core.functions.traits import StorageClass
from equiv.proof.rewrite import rewrite
from equiv.proof.rewrites.constants import fold_convert
from equiv.proof.rewrites.expressions.dates import convert_cast_of_date_part
from equiv.proof.rewrites.scope import Scope

_UNCHANGED: dict[tuple[str, bool], frozenset[StorageClass]] = {
    ("INTEGER", True): frozenset({"null", "integer"}),
    ("REAL", True): frozenset({"null", "real"}),
    ("TEXT", True): frozenset({"null", "text"}),
    ("BLOB", True): frozenset({"null", "blob"}),
    ("NUMERIC", True): frozenset({"null", "integer"}),
    ("NUMERIC", False): frozenset({"null", "integer", "real", "blob"}),
    ("TEXT", False): frozenset({"null", "text", "blob"}),
    ("BLOB", False): frozenset({"null", "integer", "real", "text", "blob"}),
    ("NOCASE", False): frozenset({"null", "integer", "real", "blob"}),
    ("RTRIM", False): frozenset({"null", "integer", "real", "blob"}),
}
"""The storage classes that a conversion leaves alone."""


def has_affinity_or_cast(node: Convert) -> bool:
    """The conversion leaves some storage classes alone."""
    return (node.to, node.explicit) in _UNCHANGED


def operand_is_left_alone(node: Convert, scope: Scope) -> bool:
    """The operand is of a storage class that the conversion leaves alone, or stored under that affinity."""
    is_numeric = (node.to, node.explicit) == ("NUMERIC", False)
    # A text in a column of INTEGER, NUMERIC or REAL affinity is one that the affinity leaves alone.
    if is_numeric and stored_form(node.value, scope.world, scope.sources) in ("whole if it can be", "REAL"):
        return True
    return scope.within_kinds(node.value, _UNCHANGED[node.to, node.explicit])


@rewrite(on=Convert, keeps="value", shape=(has_affinity_or_cast,), needs=(operand_is_left_alone,))
def eliminate_conversion(node: Convert, scope: Scope) -> Expression | None:
    """Drop a conversion that changes nothing.

    Before:  CAST(t.id AS INTEGER)
    After:   t.id
    Refuse:  a column that may hold another storage class, whatever its declared type; CAST of a stored text
    Sound:   the value has the class that it is converted to, or one that is left alone; NUMERIC leaves alone
             what is stored under INTEGER, NUMERIC or REAL affinity, which convert the same texts
    """
    return node.value


@rewrite(on=Convert, keeps="value")
def fold_conversion(node: Convert, scope: Scope) -> Expression | None:
    """Convert a constant, where that is plain.

    Before:  NUMERIC('5')
    After:   5
    Refuse:  '5.0', ' 5', '05', and texts that are no number
    Sound:   the text is how SQLite writes the integer
    """
    changed = fold_convert(node)
    return None if changed is node else changed


CONVERSIONS = (convert_cast_of_date_part, eliminate_conversion, fold_conversion)
"""Rewrites of a conversion of a simplified value, in firing order."""
