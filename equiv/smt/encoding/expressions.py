"""This module encodes expressions of the algebra as symbolic values and truth values, with CAST and affinity.

Texts and blobs become bytes, which BINARY compares by their ranks.  A rank is a rational number for a
sequence of bytes, in the order of ``memcmp`` with a shorter sequence before its extensions.  Such an order
has countably many elements, so it embeds in the rationals around any finite set of ranks that respects it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable
from fractions import Fraction
from typing import TypeVar

from equiv.algebra import scalar_functions
from equiv.algebra import terms as t
from equiv.algebra.kinds import UNTOUCHED, converted_kinds
from equiv.algebra.scalar_functions import number_of
from equiv.algebra.world import World
from equiv.core.single_values import COLLATIONS
from equiv.facts import Fact
from equiv.smt import logic as f
from equiv.smt.encoding import functions, simplify, values
from equiv.smt.encoding.functions import TextCall
from equiv.smt.encoding.simplify import Simplifier
from equiv.smt.encoding.values import (
    NULL,
    DerivedRow,
    Encoded,
    EncodedRow,
    LookedUpRow,
    ScannedRow,
    argument,
    choose,
    compared,
    each_class_apart,
    of_real,
    of_truth,
    of_whole,
    signature,
    symbolic,
    with_null,
)

_K = TypeVar("_K")
_V = TypeVar("_V")


class Encoder:
    """Encodes the expressions of one claim; equal expressions are encoded once.

    An encoder serves one claim and no other: what is said of a row that one claim binds, that it is there
    above all, is nothing that another claim may assume.  Facts on which an encoding rests are in
    ``world.used`` after it was asked for.

    Args:
        world: schema and facts.
        rows: what the claim binds, outermost first.
    """

    def __init__(self, world: World, rows: Iterable[t.Binding]) -> None:
        self.world = World(world.schema, world.facts, world.names)
        self.script = f.Script()
        self.ranks = _Ranks()
        self.sources: dict[t.Variable, t.Source] = {}
        self.rows: dict[Hashable, EncodedRow] = {}
        self.simplify = Simplifier(self)
        self.calls: dict[str, dict[TextCall, None]] = {}
        self.literals: dict[str, str] = {}
        self.texts: dict[str, bytes] = {}
        self.dates: dict[str, tuple[Encoded, tuple[Fact, ...]]] = {}
        self.timestamps: dict[str, tuple[Encoded, Fact]] = {}
        self._values: dict[t.Expression, tuple[Encoded, dict[Fact, None]]] = {}
        self._truths: dict[t.Expression, tuple[f.Truth, dict[Fact, None]]] = {}
        for binding in rows:
            self.bind(binding, f.TRUE)

    def remembered(self, cache: dict[_K, tuple[_V, dict[Fact, None]]], key: _K, make: Callable[[], _V]) -> _V:
        """The value of a key in a cache, made if missing; the facts behind it are recorded each time."""
        found = cache.get(key)
        if found is None:
            outer, self.world.used = self.world.used, {}
            try:
                found = make(), self.world.used
            finally:
                self.world.used = outer
            cache[key] = found
        self.world.used.update(found[1])
        return found[0]

    def value(self, expression: t.Expression) -> Encoded:
        """The value of an expression.

        Raises:
            UninterpretableError: it has no sound encoding.
        """
        return self.remembered(
            self._values, expression, lambda: self._shared(self._value(self.simplify(expression)))
        )

    def truth(self, expression: t.Expression) -> f.Truth:
        """The truth value of an expression.

        Raises:
            UninterpretableError: it has no sound encoding.
        """

        def make() -> f.Truth:
            truth = self._truth(self.simplify(expression))
            return f.Truth(self.script.shared(truth.true, "Bool"), self.script.shared(truth.false, "Bool"))

        return self.remembered(self._truths, expression, make)

    def _shared(self, value: Encoded) -> Encoded:
        name = self.script.shared
        whole = name(value.whole, "Int") if value.whole else ""
        number = value.number
        if number:
            number = f"(to_real {whole})" if whole and whole != value.whole else name(number, "Real")
        return Encoded(
            name(value.null, "Bool"),
            tuple((kind, name(condition, "Bool")) for kind, condition in value.classes),
            number,
            whole,
            name(value.rank, "Real") if value.rank else "",
        )

    def _value(self, expression: t.Expression) -> Encoded:
        match expression:
            case t.Field():
                return self.row(expression.row).column(expression.column)
            case t.Constant():
                return self._constant(expression)
            case t.Case(branches, default):
                value = self.value(default)
                for condition, result in reversed(branches):
                    value = choose(self.truth(condition).true, self.value(result), value)
                return value
            case t.Convert():
                value = self.value(expression.value)
                return each_class_apart(value, lambda one: _converted(expression, one, self))
            case t.Apply("LIKE" | "GLOB"):
                return of_truth(self.truth(expression))
            case t.Apply():
                return functions.apply(expression, [self.value(each) for each in expression.arguments], self)
            case t.Lookup():
                row = self.looked_up(expression)
                raw = row.column(expression.column)
                return with_null(raw, f.or_(f.not_(row.present), raw.null))
            case t.Aggregate():
                return values.aggregate(expression, self)
            case t.First():
                return values.first(expression, self)
        return of_truth(self.truth(expression))

    def _truth(self, expression: t.Expression) -> f.Truth:
        match expression:
            case t.Compare(operator, left, right):
                return compared(operator, self.value(left), self.value(right))
            case t.And(parts):
                return f.all_of([self.truth(part) for part in parts])
            case t.Or(parts):
                return f.any_of([self.truth(part) for part in parts])
            case t.Not(part):
                return ~self.truth(part)
            case t.IsTrue(part):
                return f.known(self.truth(part).true)
            case t.IsNull(value):
                return f.known(self.value(value).null)
            case t.Found():
                return f.known(self.looked_up(expression).present)
            case t.Exists(bag):
                return f.known(values.exists(bag, self))
            case t.Apply("LIKE" | "GLOB"):
                return functions.matches(
                    expression, [self.value(each) for each in expression.arguments], self
                )
        return self._as_truth(self.value(expression))

    def _as_truth(self, value: Encoded) -> f.Truth:
        """Whether a value is true: numbers but 0 are; text and blobs by the number that they begin with."""
        truths = []
        if "integer" in value.kinds or "real" in value.kinds:
            zero = f.equal(value.whole, "0") if value.whole else f.equal(value.number, "0.0")
            truths.append(f.and_(value.is_("integer", "real"), f.not_(zero)))
        if "text" in value.kinds or "blob" in value.kinds:
            arguments = argument(value, nulls=False)
            name = self.script.declare(
                ("truth", signature(value, nulls=False)), "truth", tuple(s for s, _ in arguments), "Bool"
            )
            term = f"({name} {' '.join(term for _, term in arguments)})"
            truths.append(f.and_(value.is_("text", "blob"), term))
        return f.unless_null(value.null, f.or_(*truths))

    def _constant(self, constant: t.Constant) -> Encoded:
        if constant.kind == "null":
            return NULL
        if constant.kind in ("integer", "real"):
            number = number_of(constant)
            if number is None:
                raise f.UninterpretableError(constant.text)
            if isinstance(number, int):
                return of_whole(f.FALSE, f.integer(number))
            return of_real(f.FALSE, f.real(number))
        data = _bytes_of(constant)
        if data is None:
            raise f.UninterpretableError(constant.text)
        rank = self.literal(constant.text) if constant.kind == "text" else self.rank(data)
        return Encoded(f.FALSE, ((constant.kind, f.TRUE),), rank=rank)

    def literal(self, text: str) -> f.Formula:
        """The rank of a text literal; theories order it among the others."""
        rank = self.rank(text.encode())
        self.literals[rank] = text
        return rank

    def rank(self, data: bytes) -> f.Formula:
        """The rank of the bytes of a text or blob."""
        label = repr(data.decode(errors="replace"))[:40]
        found = self.script.constant(label, "Real", f.real(self.ranks.of(data)))
        self.texts[found] = data
        return found

    def register_date(self, value: Encoded, facts: tuple[Fact, ...]) -> None:
        """Let theories know of a value that is NULL or a date by some facts."""
        self.dates[value.rank] = value, facts

    def register_timestamp(self, value: Encoded, fact: Fact) -> None:
        """Let theories know of a value that is NULL or a timestamp by a fact."""
        self.timestamps[value.rank] = value, fact

    def register(self, call: TextCall) -> None:
        """Let theories know of a call whose result has a symbol of its own."""
        symbol = f.names_in(call.holds or call.result.rank or call.result.whole or call.result.number)
        if symbol:
            self.calls.setdefault(symbol[0], {})[call] = None

    def bind(self, binding: t.Binding, present: f.Formula) -> None:
        """Let a variable stand for a row of its source, if there is one."""
        row, source = binding.row, binding.source
        self.sources[row] = source
        if isinstance(source, t.Scan):
            self.rows[row] = ScannedRow(self, row, source.table, present)
        else:
            self.rows[row] = DerivedRow(self, row, source, present)

    def row(self, variable: t.Variable) -> EncodedRow:
        """The row that a variable stands for.

        Raises:
            UninterpretableError: the claim does not bind it.
        """
        found = self.rows.get(variable)
        if found is None:
            raise f.UninterpretableError(f"{variable} has no row")
        return found

    def looked_up(self, node: t.Found | t.Lookup) -> LookedUpRow:
        """The row that a key look-up speaks of."""
        pairs = tuple(sorted(zip(node.key, node.values, strict=True), key=lambda pair: pair[0]))
        key = (node.table, pairs)
        found = self.rows.get(key)
        if found is None:
            found = LookedUpRow(self, node.table, pairs)
            self.rows[key] = found
        assert isinstance(found, LookedUpRow)
        return found


class _Ranks:
    """The ranks handed out so far."""

    def __init__(self) -> None:
        self._keys: list[bytes] = []
        self._ranks: list[Fraction] = []

    def of(self, data: bytes) -> Fraction:
        """The rank of a sequence of bytes, new ones in the middle of their neighbours."""
        at = bisect_left(self._keys, data)
        if at < len(self._keys) and self._keys[at] == data:
            return self._ranks[at]
        if not self._keys:
            rank = Fraction(0)
        elif at == 0:
            rank = self._ranks[0] - 1
        elif at == len(self._keys):
            rank = self._ranks[-1] + 1
        else:
            rank = (self._ranks[at - 1] + self._ranks[at]) / 2
        self._keys.insert(at, data)
        self._ranks.insert(at, rank)
        return rank


def _bytes_of(constant: t.Constant) -> bytes | None:
    """The bytes of a text or blob literal, or None if they are not known."""
    try:
        return bytes.fromhex(constant.text) if constant.kind == "blob" else constant.text.encode()
    except ValueError:
        return None


def _converted(node: t.Convert, value: Encoded, encoder: Encoder) -> Encoded:
    """A value of one class converted: NULL exactly where the value is."""
    if value.kinds <= UNTOUCHED.get((node.to, node.explicit), frozenset()):
        return value
    number = None
    if node.explicit and node.to == "REAL":
        number = functions.as_real(value, encoder.world)
    elif node.explicit and node.to == "INTEGER":
        number = functions.as_integer(value, encoder.world)
    if number is not None:
        return number
    name = "CAST AS" if node.explicit else "key under" if node.to in COLLATIONS else "affinity"
    key = ("convert", node.to, node.explicit, signature(value, nulls=False))
    classes = converted_kinds(node, value.kinds)
    symbol = symbolic(encoder.script, key, f"{name} {node.to}", classes, argument(value, nulls=False))
    if value.kinds == {"text"}:
        year = scalar_functions.is_year(node.value)
        count = 4 if year else simplify.digits(node.value, encoder)
        encoder.register(TextCall(node, value, symbol, digits=count, is_signed=year))
    return with_null(symbol, value.null) if symbol.null == f.FALSE else symbol
