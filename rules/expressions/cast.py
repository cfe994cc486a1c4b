"""CAST that changes nothing.

CAST gives its operand an affinity, which comparisons look at, so a CAST that
keeps every value still goes only where no comparison can tell.  Values keep
their type by the ``type`` facts alone: an INTEGER column may hold text.
"""

from __future__ import annotations

from sqlglot import exp

from equiv.core.claims.blocks import COMPARISONS, is_number
from equiv.core.claims.value_types import HoldingFacts, always_real, conforms
from equiv.core.functions.table import cast_affinity
from equiv.core.model import Affinity, Context, Domain
from equiv.rewrite.rule import rule
from equiv.rules.guards.expressions import Node, arithmetic_is_exact, may_replace


def operand_has_the_type(node: Node, ctx: Context) -> HoldingFacts:
    """Every value of the operand is NULL or of the storage class that CAST asks for."""
    match cast_affinity(node):
        case Affinity.INTEGER:
            return conforms(node.this, Domain.INTEGER, ctx)
        case Affinity.REAL:
            return always_real(node.this, ctx)
        case Affinity.TEXT:
            return conforms(node.this, Domain.TEXT, ctx)
    return None


def nothing_reads_the_affinity(node: Node, ctx: Context) -> HoldingFacts:
    """The operand's affinity and collation do as well as those of the CAST."""
    return may_replace(node, node.this, ctx)


@rule(on=exp.Cast, needs=(operand_has_the_type, nothing_reads_the_affinity))
def eliminate_cast(cast: Node, ctx: Context) -> Node | None:
    """Drop a CAST to the type that the operand has.

    Before:  SELECT CAST(age AS INTEGER) FROM person
    After:   SELECT age FROM person
    Refuse:  CAST(score AS INTEGER), which truncates; CAST(nick AS TEXT) = 5 against nick = 5 without affinity
    Sound:   CAST keeps values of its own storage class
    """
    inner: Node = cast.this
    return inner


def casts_to_real_beside_number(node: Node) -> bool:
    """``CAST(x AS REAL)`` compared with a number."""
    parent = node.parent
    is_compared = isinstance(parent, COMPARISONS) and parent.this is node and is_number(parent.expression)
    return is_compared and cast_affinity(node) is Affinity.REAL


def operand_is_number(node: Node, ctx: Context) -> HoldingFacts:
    """Every value of the operand is NULL or a number."""
    return conforms(node.this, Domain.NUMBER, ctx)


@rule(
    on=exp.Cast,
    shape=(casts_to_real_beside_number,),
    needs=(operand_is_number, arithmetic_is_exact),
)
def eliminate_compared_cast(cast: Node, ctx: Context) -> Node | None:
    """Drop CAST AS REAL of a number that is compared with a number.

    Before:  SELECT id FROM person WHERE CAST(age AS REAL) > 3
    After:   SELECT id FROM person WHERE age > 3
    Refuse:  CAST(nick AS REAL) > 3: text becomes a number
    Sound:   integers and reals compare by value whatever the affinity, and the conversion is exact
    """
    inner: Node = cast.this
    return inner


def is_averaged_as_real(node: Node) -> bool:
    """``AVG(CAST(x AS REAL))``, not DISTINCT."""
    return isinstance(node.parent, exp.Avg) and cast_affinity(node) is Affinity.REAL


@rule(on=exp.Cast, shape=(is_averaged_as_real,), needs=(arithmetic_is_exact,))
def eliminate_averaged_cast(cast: Node, ctx: Context) -> Node | None:
    """Drop CAST AS REAL inside AVG.

    Before:  SELECT AVG(CAST(nick AS REAL)) FROM person
    After:   SELECT AVG(nick) FROM person
    Refuse:  CAST AS INTEGER, which truncates; AVG(DISTINCT CAST(nick AS REAL)), of '1' and '1.0' one value
    Sound:   AVG reads text as CAST does, by the number that it begins with, and its result is REAL anyway
    """
    inner: Node = cast.this
    return inner
