"""CAST, and the conversions that comparisons apply."""

from __future__ import annotations

from typing import TYPE_CHECKING

from equiv.algebra import times
from equiv.algebra.kinds import converted_kinds
from equiv.algebra.terms import Convert
from equiv.core.collation import COLLATIONS
from equiv.core.functions.traits import Kind
from equiv.smt.encoding import arithmetic, dates
from equiv.smt.encoding.calls import Call
from equiv.smt.encoding.opaque import argument, signature, symbolic
from equiv.smt.encoding.values import Value, each_class_apart, with_null
from equiv.smt.logic import FALSE

if TYPE_CHECKING:
    from equiv.smt.encoding.expressions import Encoder

_UNTOUCHED: dict[tuple[str, bool], frozenset[Kind]] = {
    ("NUMERIC", False): frozenset({"integer", "real", "blob"}),
    ("TEXT", False): frozenset({"text", "blob"}),
    ("BLOB", False): frozenset({"integer", "real", "text", "blob"}),
    ("NOCASE", False): frozenset({"integer", "real", "blob"}),
    ("RTRIM", False): frozenset({"integer", "real", "blob"}),
    ("INTEGER", True): frozenset({"integer"}),
    ("REAL", True): frozenset({"real"}),
    ("NUMERIC", True): frozenset({"integer", "real"}),
    ("TEXT", True): frozenset({"text"}),
    ("BLOB", True): frozenset({"blob"}),
}
"""The storage classes that a conversion leaves as they are."""


def convert(node: Convert, value: Value, encoder: Encoder) -> Value:
    """A converted value: NULL exactly where the value is."""
    return each_class_apart(value, lambda one: _convert(node, one, encoder))


def _convert(node: Convert, value: Value, encoder: Encoder) -> Value:
    if value.kinds <= _UNTOUCHED.get((node.to, node.explicit), frozenset()):
        return value
    number = None
    if node.explicit and node.to == "REAL":
        number = arithmetic.as_real(value, encoder.world)
    elif node.explicit and node.to == "INTEGER":
        number = arithmetic.as_integer(value, encoder.world)
    if number is not None:
        return number
    name = "CAST AS" if node.explicit else "key under" if node.to in COLLATIONS else "affinity"
    key = ("convert", node.to, node.explicit, signature(value, nulls=False))
    classes = converted_kinds(node, value.kinds)
    symbol = symbolic(encoder.script, key, f"{name} {node.to}", classes, argument(value, nulls=False))
    if value.kinds == {"text"}:
        year = times.is_year(node.value)
        count = 4 if year else dates.digits(node.value, encoder)
        encoder.register(Call(node, value, symbol, digits=count, is_signed=year))
    return with_null(symbol, value.null) if symbol.null == FALSE else symbol
