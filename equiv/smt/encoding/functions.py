"""SQLite's operators and functions: interpreted where that is sound, else uninterpreted with a few axioms.

Integers are unbounded only under NO_OVERFLOW, REALs rational only under EXACT_ARITHMETIC; an operation that
lacks the fact that it needs is left uninterpreted.  The calls of uninterpreted functions on a text are kept,
since theories find them again.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from equiv.algebra.scalar_functions import function_kinds
from equiv.algebra.terms import Apply, Constant, Convert, Expression
from equiv.algebra.world import REPRESENTATION, World
from equiv.core.functions.table import CALLS, names
from equiv.core.functions.traits import ALL, INTEGERS, NULL_ONLY, NUMBERS, REALS, Solved, StorageClasses
from equiv.facts import FactKind
from equiv.smt import logic as f
from equiv.smt.encoding import simplify
from equiv.smt.encoding.values import (
    NULL,
    Encoded,
    argument,
    choose,
    each_class_apart,
    of_number,
    of_real,
    of_truth,
    of_whole,
    precedes,
    signature,
    symbolic,
    with_null,
)

if TYPE_CHECKING:
    from equiv.smt.encoding.expressions import Encoder


@dataclass(frozen=True, slots=True)
class TextCall:
    """A call of which one argument, a text, is no literal."""

    node: Apply | Convert
    subject: Encoded
    result: Encoded
    """The result where the subject is not NULL; of LIKE and GLOB: 1 or 0."""
    holds: f.Formula = ""
    """Of LIKE and GLOB: whether it holds, the subject not being NULL."""
    is_date: bool = False
    """Whether the subject is NULL or a date YYYY-MM-DD by facts."""
    is_timestamp: bool = False
    """Whether the subject is NULL or a timestamp YYYY-MM-DD HH:MM:SS by a fact."""
    digits: int = 0
    """How many decimal digits the subject consists of, if that is known, else 0."""
    is_signed: bool = False
    """Whether the subject may also be a year before 0, with a sign and so many or fewer digits."""

    @property
    def slice(self) -> tuple[int, int] | None:
        """Start and length of a SUBSTR by literals, both above 0."""
        match self.node:
            case Apply("SUBSTR", (_, Constant("integer", start), Constant("integer", length))):
                return (int(start), int(length)) if int(start) > 0 and int(length) > 0 else None
        return None

    @property
    def prefix(self) -> tuple[str, bool] | None:
        """The fixed beginning that a pattern asks for and nothing else, and whether case matters."""
        match self.node:
            case Apply("LIKE", (_, Constant("text", pattern))):
                plain, wildcards, case = pattern.removesuffix("%"), "%_", False
            case Apply("GLOB", (_, Constant("text", pattern))):
                plain, wildcards, case = pattern.removesuffix("*"), "*?[", True
            case _:
                return None
        if plain == pattern or not plain or not is_plain(plain) or set(plain) & set(wildcards):
            return None
        return plain, case

    def on(self, literal: str) -> Expression:
        """The call with its text argument replaced by a literal."""
        text = Constant("text", literal)
        if isinstance(self.node, Convert):
            return Convert(self.node.to, text, self.node.explicit)
        arguments = (each if isinstance(each, Constant) else text for each in self.node.arguments)
        return Apply(self.node.function, tuple(arguments))


def is_plain(text: str) -> bool:
    """Whether a text has printable ASCII characters only.

    Then its characters are its bytes, and comparing up to its length is not disturbed by NUL
    characters, at which SUBSTR and LIKE stop reading, nor by invalid UTF-8.
    """
    return all(" " <= character <= "~" for character in text)


def successor(text: str) -> bytes:
    """The least sequence of bytes after all texts that begin with a plain text."""
    return text[:-1].encode() + bytes([ord(text[-1]) + 1])


def exact(world: World, *, integers: bool, reals: bool) -> bool:
    """Whether results of these classes are exact by the facts, which are recorded."""
    return (not integers or world.holds(FactKind.NO_OVERFLOW)) and (
        not reals or world.holds(FactKind.EXACT_ARITHMETIC)
    )


def binary(operator: str, left: Encoded, right: Encoded, world: World) -> Encoded | None:
    """``+ - * / %`` of two numbers, or None if the result is not known exactly."""
    if not (left.kinds <= NUMBERS and right.kinds <= NUMBERS and left.classes and right.classes):
        return None
    if operator in ("/", "%"):
        return _divided(operator, left, right, world)
    integers = "integer" in left.kinds and "integer" in right.kinds
    reals = not (left.kinds == right.kinds == INTEGERS)
    if not exact(world, integers=integers, reals=reals):
        return None
    null = f.or_(left.null, right.null)
    if not reals:
        return of_whole(null, f"({operator} {left.whole} {right.whole})")
    whole = f.and_(left.is_("integer"), right.is_("integer")) if integers else f.FALSE
    return of_number(null, whole, f"({operator} {left.number} {right.number})")


def _divided(operator: str, left: Encoded, right: Encoded, world: World) -> Encoded | None:
    if left.whole and right.whole and left.kinds == right.kinds == INTEGERS:
        # Only by a literal: division by a variable is beyond what Z3 decides well.
        if not right.whole.lstrip("(- ").rstrip(")").isdigit() or not exact(
            world, integers=True, reals=False
        ):
            return None
        null = f.or_(left.null, right.null, f.equal(right.whole, "0"))
        return of_whole(null, _truncated("div" if operator == "/" else "mod", left.whole, right.whole))
    # Between two integers / truncates: one side must surely be REAL.
    if operator == "/" and REALS in (left.kinds, right.kinds):
        if not exact(world, integers=False, reals=True):
            return None
        # Division by zero is NULL, no error.
        null = f.or_(left.null, right.null, f.equal(right.number, "0.0"))
        return of_real(null, f"(/ {left.number} {right.number})")
    return None


def _truncated(operator: str, left: f.Formula, right: f.Formula) -> f.Formula:
    """SMT-LIB's remainder is never negative; SQLite's has the sign of the dividend."""
    return f.ite(f"(>= {left} 0)", f"({operator} {left} {right})", f"(- ({operator} (- {left}) {right}))")


def opposite(value: Encoded, world: World) -> Encoded | None:
    """``- value``."""
    if not value.classes or not value.kinds <= NUMBERS:
        return None
    if not exact(world, integers="integer" in value.kinds, reals=False):
        return None
    if value.whole:
        return of_whole(value.null, f"(- {value.whole})")
    return of_number(value.null, value.is_("integer"), f"(- {value.number})")


def absolute(value: Encoded, world: World) -> Encoded | None:
    """``ABS(value)``."""
    negative = opposite(value, world)
    if negative is None:
        return None
    is_negative = f.less(value.whole, "0") if value.whole else f.less(value.number, "0.0")
    return choose(is_negative, negative, value)


def as_real(value: Encoded, world: World) -> Encoded | None:
    """``CAST(value AS REAL)`` of a number."""
    if value.kinds == REALS:
        return value
    if not value.classes or not value.kinds <= NUMBERS or not exact(world, integers=False, reals=True):
        return None
    return of_real(value.null, value.number)


def as_integer(value: Encoded, world: World) -> Encoded | None:
    """``CAST(value AS INTEGER)`` of a number: towards zero; what does not fit is cut off."""
    if value.kinds == INTEGERS:
        return value
    if not value.classes or not value.kinds <= NUMBERS or not exact(world, integers=True, reals=False):
        return None
    number = value.number
    return of_whole(value.null, f"(ite (>= {number} 0.0) (to_int {number}) (- (to_int (- {number}))))")


def scalar_extreme(function: str, values: list[Encoded]) -> Encoded:
    """MAX or MIN of several values: NULL if one is; of equal ones MAX keeps the first, MIN the last."""
    best = values[0]
    for value in values[1:]:
        if function == "MAX":
            best = choose(precedes(best, value), value, best)
        else:
            best = choose(precedes(best, value), best, value)
    return with_null(best, f.or_(*(value.null for value in values)))


_COMMUTATIVE = names(lambda function: function.commutes)
_ANYTHING = {"LIKE": "%", "GLOB": "*"}


def apply(node: Apply, values: list[Encoded], encoder: Encoder) -> Encoded:
    """The value of a call."""
    interpreted = _interpreted(node, values, encoder)
    if interpreted is not None:
        return interpreted
    # Equal values of other classes are one and the same; 0.0 equals -0.0, and 1 equals 1.0.
    if node.function == REPRESENTATION and "real" not in values[0].kinds:
        return values[0]
    function = CALLS.get(node.function)
    if function is not None and not function.is_fixed:
        raise f.UninterpretableError(node.function)
    if function is None or function.solved is Solved.AS_WRITTEN or not function.takes(len(values)):
        # Of other functions it is not known what they can distinguish: equal only where written alike.
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


def _interpreted(node: Apply, values: list[Encoded], encoder: Encoder) -> Encoded | None:
    encode = ENCODINGS.get(node.function)
    function = CALLS.get(node.function)
    if encode is None or function is None or not function.takes(len(values)):
        return None
    return encode(node, values, encoder.world)


def _rounded(node: Apply, values: list[Encoded], world: World) -> Encoded | None:
    if values[0].kinds != {"integer"} or not _is_places(node):
        return None
    return of_real(values[0].null, values[0].number) if world.holds(FactKind.EXACT_ARITHMETIC) else None


def _sign(value: Encoded) -> Encoded | None:
    if not value.classes or not value.kinds <= NUMBERS:
        return None
    zero, number = ("0", value.whole) if value.whole else ("0.0", value.number)
    return of_whole(value.null, f.ite(f.less(zero, number), "1", f.ite(f.less(number, zero), "(- 1)", "0")))


ENCODINGS: dict[str, Callable[[Apply, list[Encoded], World], Encoded | None]] = {
    **dict.fromkeys(
        ("+", "-", "*", "/", "%"),
        lambda node, values, world: binary(node.function, values[0], values[1], world),
    ),
    "NEG": lambda _, values, world: opposite(values[0], world),
    "ABS": lambda _, values, world: absolute(values[0], world),
    "SIGN": lambda _, values, __: _sign(values[0]),
    "ROUND": _rounded,
    **dict.fromkeys(("MAX", "MIN"), lambda node, values, _: scalar_extreme(node.function, values)),
}
"""The encoding of calls by name; None for a call that stays uninterpreted."""


def _is_places(node: Apply) -> bool:
    """Whether ROUND keeps whole numbers: no number of places, or a literal one (below 0 counts as 0)."""
    if len(node.arguments) == 1:
        return True
    return isinstance(node.arguments[1], Constant) and node.arguments[1].kind == "integer"


def _by_class(node: Apply, values: list[Encoded], encoder: Encoder) -> Encoded:
    """A strict function, split by the storage class of the one argument that may have several."""
    mixed = [place for place, value in enumerate(values) if len(value.classes) > 1]
    if len(mixed) != 1:
        return _strict(node, values, encoder)
    (place,) = mixed

    def one(value: Encoded) -> Encoded:
        split = [*values[:place], value, *values[place + 1 :]]
        found = _interpreted(node, split, encoder)
        return _strict(node, split, encoder) if found is None else found

    return each_class_apart(values[place], one)


def _strict(node: Apply, values: list[Encoded], encoder: Encoder) -> Encoded:
    """A function that is NULL if an argument is, and maybe else."""
    null = f.or_(*(value.null for value in values))
    own = function_kinds(node.function, [value.kinds for value in values], encoder.world)
    if any(not value.classes for value in values):
        return NULL
    key, label, arguments = _call(node, values, nulls=False)
    found = symbolic(encoder.script, key, label, own, arguments)
    _register(node, values, found, "", encoder)
    if node.function == "LENGTH":
        encoder.script.axiom(found.whole, f.axiom(f"(>= {found.whole} 0)", f.Axiom.LENGTH_IS_NOT_NEGATIVE))
    return with_null(found, f.or_(null, found.null))


def _call(
    node: Apply, values: list[Encoded], *, nulls: bool
) -> tuple[Hashable, str, list[tuple[str, f.Formula]]]:
    """Key, label and arguments of a call; literal arguments are part of the function."""
    parts: list[Hashable] = []
    arguments: list[list[tuple[str, f.Formula]]] = []
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


def matches(node: Apply, values: list[Encoded], encoder: Encoder) -> f.Truth:
    """The encoding of LIKE and GLOB; with a blob they may be 0 where another argument is NULL."""
    if any(not value.classes for value in values) and not any("blob" in value.kinds for value in values):
        return f.Truth(f.FALSE, f.FALSE)
    blobs = any("blob" in value.kinds for value in values)
    if node.arguments[1] == Constant("text", _ANYTHING[node.function]) and len(values) == 2 and not blobs:
        return f.unless_null(values[0].null, f.TRUE)
    key, label, arguments = _call(node, values, nulls=blobs)
    sorts = tuple(sort for sort, _ in arguments)
    terms = "".join(f" {term}" for _, term in arguments)

    def symbol(part: str) -> f.Formula:
        name = encoder.script.declare((key, part), f"{label} {part}".rstrip(), sorts, "Bool")
        return f"({name}{terms})" if terms else name

    null = symbol("null") if blobs else f.or_(*(value.null for value in values))
    holds = symbol("")
    _register(node, values, of_truth(f.known(holds)), holds, encoder)
    return f.unless_null(null, holds)


def _register(
    node: Apply, values: list[Encoded], result: Encoded, holds: f.Formula, encoder: Encoder
) -> None:
    """Let theories know of a call with one argument that is not a literal, if that is a text."""
    places = [at for at, each in enumerate(node.arguments) if not isinstance(each, Constant)]
    if len(places) == 1 and values[places[0]].kinds == {"text"}:
        subject = node.arguments[places[0]]
        is_date, is_timestamp = (
            simplify.is_iso_date(subject, encoder),
            simplify.is_iso_timestamp(subject, encoder),
        )
        encoder.register(TextCall(node, values[places[0]], result, holds, is_date, is_timestamp))


def _kinds(value: Encoded) -> StorageClasses:
    return value.kinds | NULL_ONLY if value.null != f.FALSE else value.kinds
