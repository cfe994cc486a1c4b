"""SQLite's scalar functions: interpreted where that is sound, else uninterpreted with a few axioms."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING

from equiv.algebra.claims import REPRESENTATION
from equiv.algebra.function_kinds import function_kinds
from equiv.algebra.terms import Apply, Constant
from equiv.algebra.world import World
from equiv.core.functions.table import CALLS, names
from equiv.core.functions.traits import ALL, StorageClasses
from equiv.facts import FactKind
from equiv.smt import logic
from equiv.smt.encoding import arithmetic, dates
from equiv.smt.encoding.calls import Call
from equiv.smt.encoding.opaque import argument, signature, symbolic
from equiv.smt.encoding.values import NULL, Value, each_class_apart, of_real, of_truth, with_null
from equiv.smt.hypotheses import Axiom, axiom
from equiv.smt.logic import FALSE, TRUE, Formula, Truth, UninterpretableError, or_

if TYPE_CHECKING:
    from equiv.smt.encoding.expressions import Encoder

_NULL: StorageClasses = frozenset({"null"})
_COMMUTATIVE = names(lambda function: function.commutes)
_ANYTHING = {"LIKE": "%", "GLOB": "*"}


def apply(node: Apply, values: list[Value], encoder: Encoder) -> Value:
    """The value of a call."""
    interpreted = _interpreted(node, values, encoder)
    if interpreted is not None:
        return interpreted
    # Equal values of other classes are one and the same; 0.0 equals -0.0, and 1 equals 1.0.
    if node.function == REPRESENTATION and "real" not in values[0].kinds:
        return values[0]
    function = CALLS.get(node.function)
    if function is not None and not function.is_fixed:
        raise UninterpretableError(node.function)
    if function is None or not function.congruent or not function.takes(len(values)):
        # Of other functions it is not known what they can tell apart: equal only where written alike.
        return symbolic(encoder.script, node, node.function, ALL)
    if function.is_strict or _is_strict_replace(node):
        return _by_class(node, values, encoder)
    classes = function_kinds(node.function, [_kinds(value) for value in values], encoder.world)
    key, label, arguments = _call(node, values, nulls=True)
    value = symbolic(encoder.script, key, label, classes, arguments)
    if node.function == "NOW_DATE":
        encoder.register_date(value, ())
    return value


def _is_strict_replace(node: Apply) -> bool:
    match node:
        case Apply("REPLACE", (_, Constant("text", pattern), _)):
            return pattern != ""
    return False


def _interpreted(node: Apply, values: list[Value], encoder: Encoder) -> Value | None:
    encode = ENCODINGS.get(node.function)
    function = CALLS.get(node.function)
    if encode is None or function is None or not function.takes(len(values)):
        return None
    return encode(node, values, encoder.world)


def _binary(node: Apply, values: list[Value], world: World) -> Value | None:
    return arithmetic.binary(node.function, values[0], values[1], world)


def _rounded(node: Apply, values: list[Value], world: World) -> Value | None:
    if values[0].kinds != {"integer"} or not _is_places(node):
        return None
    return of_real(values[0].null, values[0].number) if world.holds(FactKind.EXACT_ARITHMETIC) else None


ENCODINGS: dict[str, Callable[[Apply, list[Value], World], Value | None]] = {
    **dict.fromkeys(("+", "-", "*", "/", "%"), _binary),
    "NEG": lambda _, values, world: arithmetic.opposite(values[0], world),
    "ABS": lambda _, values, world: arithmetic.absolute(values[0], world),
    "ROUND": _rounded,
    **dict.fromkeys(("MAX", "MIN"), lambda node, values, _: arithmetic.scalar_extreme(node.function, values)),
}
"""The encoding of calls by name; None for a call that stays uninterpreted."""


def _is_places(node: Apply) -> bool:
    """Whether ROUND keeps whole numbers: no number of places, or a literal one (below 0 counts as 0)."""
    if len(node.arguments) == 1:
        return True
    return isinstance(node.arguments[1], Constant) and node.arguments[1].kind == "integer"


def _by_class(node: Apply, values: list[Value], encoder: Encoder) -> Value:
    """A strict function, split by the storage class of the one argument that may have several."""
    mixed = [place for place, value in enumerate(values) if len(value.classes) > 1]
    if len(mixed) != 1:
        return _strict(node, values, encoder)
    (place,) = mixed

    def one(value: Value) -> Value:
        split = [*values[:place], value, *values[place + 1 :]]
        found = _interpreted(node, split, encoder)
        return _strict(node, split, encoder) if found is None else found

    return each_class_apart(values[place], one)


def _strict(node: Apply, values: list[Value], encoder: Encoder) -> Value:
    """A function that is NULL if an argument is, and maybe else."""
    null = or_(*(value.null for value in values))
    own = function_kinds(node.function, [value.kinds for value in values], encoder.world)
    if any(not value.classes for value in values):
        return NULL
    key, label, arguments = _call(node, values, nulls=False)
    found = symbolic(encoder.script, key, label, own, arguments)
    _register(node, values, found, "", encoder)
    if node.function == "LENGTH":
        encoder.script.axiom(found.whole, axiom(f"(>= {found.whole} 0)", Axiom.LENGTH_IS_NOT_NEGATIVE))
    return with_null(found, or_(null, found.null))


def _call(
    node: Apply, values: list[Value], *, nulls: bool
) -> tuple[Hashable, str, list[tuple[str, Formula]]]:
    """Key, label and arguments of a call; literal arguments are part of the function."""
    parts: list[Hashable] = []
    arguments: list[list[tuple[str, Formula]]] = []
    labels = []
    for each, value in zip(node.arguments, values, strict=True):
        if isinstance(each, Constant):
            parts.append(each)
            labels.append(each.text or "NULL")
        else:
            parts.append(signature(value, nulls=nulls))
            arguments.append(argument(value, nulls=nulls))
            labels.append("_")
    if node.function in _COMMUTATIVE and len(arguments) == 2 and parts[0] == parts[1]:
        arguments.sort()
    label = f"{node.function}({', '.join(labels)})"
    return (node.function, tuple(parts)), label, [each for inner in arguments for each in inner]


def matches(node: Apply, values: list[Value], encoder: Encoder) -> Truth:
    """The encoding of LIKE and GLOB; with a blob they may be 0 where another argument is NULL."""
    if any(not value.classes for value in values) and not any("blob" in value.kinds for value in values):
        return Truth(FALSE, FALSE)
    blobs = any("blob" in value.kinds for value in values)
    if node.arguments[1] == Constant("text", _ANYTHING[node.function]) and len(values) == 2 and not blobs:
        return logic.unless_null(values[0].null, TRUE)
    key, label, arguments = _call(node, values, nulls=blobs)
    sorts = tuple(sort for sort, _ in arguments)
    terms = "".join(f" {term}" for _, term in arguments)

    def symbol(part: str) -> Formula:
        name = encoder.script.declare((key, part), f"{label} {part}".rstrip(), sorts, "Bool")
        return f"({name}{terms})" if terms else name

    null = symbol("null") if blobs else or_(*(value.null for value in values))
    holds = symbol("")
    _register(node, values, of_truth(logic.known(holds)), holds, encoder)
    return logic.unless_null(null, holds)


def _register(node: Apply, values: list[Value], result: Value, holds: Formula, encoder: Encoder) -> None:
    """Let theories know of a call with one argument that is no literal, if that is a text."""
    places = [at for at, each in enumerate(node.arguments) if not isinstance(each, Constant)]
    if len(places) == 1 and values[places[0]].kinds == {"text"}:
        subject = node.arguments[places[0]]
        is_date, is_timestamp = dates.is_iso_date(subject, encoder), dates.is_iso_timestamp(subject, encoder)
        encoder.register(Call(node, values[places[0]], result, holds, is_date, is_timestamp))


def _kinds(value: Value) -> StorageClasses:
    return value.kinds | _NULL if value.null != FALSE else value.kinds
