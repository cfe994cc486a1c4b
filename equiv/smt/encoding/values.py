"""SQLite values and rows as formulas: NULL and storage class are tracked outside these.

An uninterpreted function computes whatever SQLite does: from the same arguments the same.  The arguments
carry all that a function can distinguish: that 1 is not 1.0 nor '1', and what is NULL.
(-0.0 and 0.0 are one number here: no function that is strict or never NULL distinguishes them.)

A proof speaks of rows of scans, of key look-ups and of derived tables.  A nested bag is a function of the
fields that it takes from outside: two that differ only in the names of bound variables and in those fields
are one function.  What holds of an aggregate whatever the bag is said.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from equiv.algebra import terms as t
from equiv.algebra.kinds import column_kinds, kinds, never_null
from equiv.core.functions.traits import StorageClass
from equiv.core.model import Domain
from equiv.facts import Fact, FactKind
from equiv.names import fold
from equiv.schema.policy import format_fact
from equiv.smt import logic
from equiv.smt.logic import (
    FALSE,
    TRUE,
    Axiom,
    Formula,
    Hypothesis,
    HypothesisOrigin,
    Script,
    Truth,
    and_,
    axiom,
    equal,
    iff,
    implies,
    ite,
    less,
    not_,
    or_,
)

if TYPE_CHECKING:
    from equiv.smt.encoding.expressions import Encoder


_NUMERIC: tuple[StorageClass, ...] = ("integer", "real")
_ORDER: tuple[tuple[StorageClass, ...], ...] = (_NUMERIC, ("text",), ("blob",))
"""Groups of storage classes, in the order in which SQLite sorts them."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """A value of SQLite.

    ``number``, ``whole`` and ``rank`` say something only where the value is of a class that has them.
    """

    null: Formula
    """Bool: whether it is NULL."""
    classes: tuple[tuple[StorageClass, Formula], ...] = ()
    """The storage classes that it may have if it is not NULL: exactly one of the conditions then holds."""
    number: Formula = ""
    """Real: the value of a number."""
    whole: Formula = ""
    """Int: the same, if integer is the only numeric class."""
    rank: Formula = ""
    """Real: the place of a text or a blob in the order of its class."""

    def is_(self, *wanted: StorageClass) -> Formula:
        """The formula that the value, if not NULL, is of one of some storage classes."""
        if all(kind in wanted for kind, _ in self.classes):
            return TRUE if self.classes else FALSE
        return or_(*(condition for kind, condition in self.classes if kind in wanted))

    @property
    def kinds(self) -> frozenset[StorageClass]:
        """The storage classes that the value may have if it is not NULL."""
        return frozenset(kind for kind, _ in self.classes)


NULL = Encoded(TRUE)


def of_whole(null: Formula, whole: Formula) -> Encoded:
    """An integer or NULL."""
    number = f"{whole}.0" if whole.isdigit() else f"(to_real {whole})"
    return Encoded(null, (("integer", TRUE),), number, whole)


def of_real(null: Formula, number: Formula) -> Encoded:
    """A REAL or NULL."""
    return Encoded(null, (("real", TRUE),), number)


def of_number(null: Formula, is_integer: Formula, number: Formula) -> Encoded:
    """A number of either class, or NULL."""
    if is_integer == FALSE:
        return of_real(null, number)
    return Encoded(null, (("integer", is_integer), ("real", not_(is_integer))), number)


def of_truth(truth: Truth) -> Encoded:
    """A truth value as 1, 0 or NULL."""
    return of_whole(truth.null, ite(truth.true, "1", "0"))


def with_null(value: Encoded, null: Formula) -> Encoded:
    """The value, but NULL exactly under a condition."""
    return Encoded(null, value.classes, value.number, value.whole, value.rank)


def choose(test: Formula, then: Encoded, other: Encoded) -> Encoded:
    """One value or the other."""
    if test == TRUE or then == other:
        return then
    if test == FALSE:
        return other
    null = ite(test, then.null, other.null)
    if not then.classes or not other.classes:
        return with_null(then if then.classes else other, null)
    common = [kind for group in _ORDER for kind in group if kind in then.kinds | other.kinds]
    classes = tuple((kind, ite(test, then.is_(kind), other.is_(kind))) for kind in common)
    if len(classes) == 1:
        classes = ((common[0], TRUE),)
    return Encoded(
        null,
        classes,
        _either(test, then.number, other.number),
        _either(test, then.whole, other.whole) if _NUMERIC[1] not in common else "",
        _either(test, then.rank, other.rank),
    )


def _either(test: Formula, then: Formula, other: Formula) -> Formula:
    """A component that does not matter where a value lacks it."""
    return ite(test, then, other) if then and other else then or other


def same(left: Encoded, right: Encoded) -> Formula:
    """Whether two values that are not NULL are equal: 1 = 1.0, 1 is not '1'."""
    found = [
        and_(left.is_(*group), right.is_(*group), _component(equal, group, left, right))
        for group in _ORDER
        if left.kinds.intersection(group) and right.kinds.intersection(group)
    ]
    return or_(*found)


def not_distinct(left: Encoded, right: Encoded) -> Formula:
    """Whether two values are equal or both NULL: SQLite's IS."""
    return or_(and_(left.null, right.null), and_(not_(left.null), not_(right.null), same(left, right)))


def indistinguishable(left: Encoded, right: Encoded) -> Formula:
    """Whether two values are the same also in storage class, so that no function can distinguish them."""
    mixed = left.kinds.union(right.kinds).issuperset(_NUMERIC)
    number = logic.iff(left.is_("integer"), right.is_("integer")) if mixed else TRUE
    alike = and_(same(left, right), number)
    return or_(and_(left.null, right.null), and_(not_(left.null), not_(right.null), alike))


def precedes(left: Encoded, right: Encoded) -> Formula:
    """Whether a value sorts strictly before another, neither being NULL."""
    cases = []
    for place, group in enumerate(_ORDER):
        if not left.kinds.intersection(group):
            continue
        if right.kinds.intersection(group):
            cases.append(
                and_(left.is_(*group), right.is_(*group), _component(logic.less, group, left, right))
            )
        later = [kind for above in _ORDER[place + 1 :] for kind in above]
        if right.kinds.intersection(later):
            cases.append(and_(left.is_(*group), right.is_(*later)))
    return or_(*cases)


def _component(
    relation: logic.FormulaComparison, group: tuple[StorageClass, ...], left: Encoded, right: Encoded
) -> Formula:
    if group is not _NUMERIC:
        return relation(left.rank, right.rank)
    if left.whole and right.whole:
        return relation(left.whole, right.whole)
    return relation(left.number, right.number)


def compared(operator: str, left: Encoded, right: Encoded) -> Truth:
    """A comparison of two values."""
    null = or_(left.null, right.null)
    match operator:
        case "IS":
            return logic.known(not_distinct(left, right))
        case "=":
            return logic.unless_null(null, same(left, right))
        case "<":
            return logic.unless_null(null, precedes(left, right))
        case _:
            return logic.unless_null(null, not_(precedes(right, left)))


def each_class_apart(value: Encoded, make: Callable[[Encoded], Encoded]) -> Encoded:
    """The image of a value under ``make``, made for each storage class and joined by the class conditions."""
    if len(value.classes) < 2:
        return make(value)
    image = NULL
    for kind, condition in reversed(value.classes):
        whole = f"(to_int {value.number})" if kind == "integer" and not value.whole else value.whole
        numeric = kind in _NUMERIC
        one = Encoded(
            value.null,
            ((kind, TRUE),),
            value.number if numeric else "",
            whole if kind == "integer" else "",
            "" if numeric else value.rank,
        )
        image = make(one) if image is NULL else choose(condition, make(one), image)
    return image


_KINDS: tuple[StorageClass, ...] = ("integer", "real", "text", "blob")


def argument(value: Encoded, *, nulls: bool) -> list[tuple[str, Formula]]:
    """The SMT sorts and terms that determine a value as an argument, its NULL flag included if ``nulls``."""
    sorted_terms: list[tuple[str, Formula]] = []
    known = TRUE
    if nulls:
        sorted_terms.append(("Bool", value.null))
        known = not_(value.null)
    sorted_terms += [("Bool", and_(known, condition)) for _, condition in value.classes[:-1]]
    if value.whole:
        sorted_terms.append(("Int", ite(and_(known, value.is_("integer")), value.whole, "0")))
    elif value.number:
        sorted_terms.append(("Real", ite(and_(known, value.is_("integer", "real")), value.number, "0.0")))
    if value.rank:
        sorted_terms.append(("Real", ite(and_(known, value.is_("text", "blob")), value.rank, "0.0")))
    return sorted_terms


def signature(value: Encoded, *, nulls: bool) -> Hashable:
    """A key for the sorts that :func:`argument` returns: values with equal keys have the same sorts."""
    return tuple(kind for kind, _ in value.classes), nulls


def symbolic(
    script: Script,
    key: Hashable,
    label: str,
    kinds: frozenset[StorageClass],
    arguments: Sequence[tuple[str, Formula]] = (),
    *,
    mark: object = None,
) -> Encoded:
    """A value of some storage classes of which nothing else is known but that it is fixed by the arguments.

    Args:
        script: where its symbols are declared.
        key: distinguishes functions.
        label: for people.
        kinds: the classes, NULL included if it may be NULL.
        arguments: sorts and terms.
        mark: what a theory knows the symbols by.
    """
    sorts = tuple(sort for sort, _ in arguments)
    argument_terms = " ".join(term for _, term in arguments)

    def part(name: str, sort: str) -> Formula:
        symbol = script.declare((key, kinds, name), f"{label} {name}".rstrip(), sorts, sort, mark)
        return f"({symbol} {argument_terms})" if argument_terms else symbol

    possible = [kind for kind in _KINDS if kind in kinds]
    classes: list[tuple[StorageClass, Formula]] = []
    remaining = TRUE
    for kind in possible[:-1]:
        is_kind = part(f"is {kind}", "Bool")
        classes.append((kind, and_(remaining, is_kind)))
        remaining = and_(remaining, not_(is_kind))
    classes += [(kind, remaining) for kind in possible[-1:]]
    whole = part("", "Int") if "integer" in possible and "real" not in possible else ""
    number = f"(to_real {whole})" if whole else part("", "Real") if "real" in possible else ""
    rank = part("text", "Real") if "text" in possible or "blob" in possible else ""
    null = TRUE if not possible else part("null", "Bool") if "null" in kinds else FALSE
    return Encoded(null, tuple(classes), number, whole, rank)


class EncodedRow:
    """A row of a base table or of something else; its columns are made on demand."""

    def __init__(self, encoder: Encoder, table: str, present: Formula, label: str) -> None:
        self.encoder = encoder
        self.table = table
        """The base table, or '' if it is a row of something else."""
        self.present = present
        """When there is such a row: what facts say of it holds only then."""
        self.label = label
        self.columns: dict[str | int, tuple[Encoded, dict[Fact, None]]] = {}

    def column(self, name: str | int) -> Encoded:
        """The value in a column; meaningless unless the row is present."""
        name = fold(name) if isinstance(name, str) else name
        return self.encoder.remembered(self.columns, name, lambda: self.made(name))

    def made(self, name: str | int) -> Encoded:
        """A fresh value for a column of the base table."""
        encoder, world = self.encoder, self.encoder.world
        classes = column_kinds(self.table, str(name), world)
        value = symbolic(encoder.script, (self, name), f"{self.label}.{name}", classes, mark=self)
        fact = world.facts.find(FactKind.ISO_DATE, self.table, str(name))
        if fact is not None and classes <= {"text", "null"}:
            encoder.register_date(value, (fact,))
        fact = world.facts.find(FactKind.ISO_TIMESTAMP, self.table, str(name))
        if fact is not None and classes <= {"text", "null"}:
            encoder.register_timestamp(value, fact)
        typed = world.facts.find(FactKind.TYPE, self.table, str(name))
        if typed is not None and classes <= {"integer", "null"} and value.whole:
            table = world.schema.table(self.table)
            column = table.column(str(name)) if table is not None else None
            if column is not None and column.domain is Domain.BOOLEAN:
                world.use((typed,))
                stated = Hypothesis(f"(<= 0 {value.whole} 1)", HypothesisOrigin.FACT, format_fact(typed))
                encoder.script.axiom(value.whole, stated)
        return value


class ScannedRow(EncodedRow):
    """A row of a base table, over which a variable ranges."""

    def __init__(self, encoder: Encoder, variable: t.Variable, table: str, present: Formula) -> None:
        super().__init__(encoder, table, present, str(variable))
        self.variable = variable


class LookedUpRow(EncodedRow):
    """The row of a table with some key values, if there is one."""

    def __init__(self, encoder: Encoder, table: str, pairs: tuple[tuple[str, t.Expression], ...]) -> None:
        self.pairs = pairs
        self.key = tuple(fold(name) for name, _ in pairs)
        self.values = [encoder.value(value) for _, value in pairs]
        number = sum(isinstance(row, LookedUpRow) for row in encoder.rows.values())
        label = f"{table} by {', '.join(self.key)} #{number}"
        super().__init__(encoder, table, FALSE, label)
        if not any(value.null == TRUE for value in self.values):
            self.present = encoder.script.declare((self, "found"), f"{label} found", (), "Bool", self)


class DerivedRow(EncodedRow):
    """A row of a derived table."""

    def __init__(self, encoder: Encoder, variable: t.Variable, source: t.Source, present: Formula) -> None:
        super().__init__(encoder, "", present, str(variable))
        self.variable = variable
        self.source = source

    def made(self, name: str | int) -> Encoded:
        encoder = self.encoder
        column = t.Field(self.variable, name)
        classes = kinds(column, encoder.world, encoder.sources)
        return symbolic(encoder.script, (self, name), f"{self.label}.{name}", classes, mark=self)


_PLACE = t.Variable(-1_000_000)


def skeleton(node: t.Node) -> tuple[t.Node, tuple[t.Field, ...]]:
    """The node with placeholders for the fields of free variables, and these fields in order.

    A node that makes a choice is left whole: its choice may depend on the rows around it.
    """
    inside = t.bound(node)
    if t.sites(node):
        # Renaming must not capture: numbers below zero are what alpha gives to bound variables.
        return (node if any(row.number < 0 for row in t.free(node)) else t.alpha(node)), ()
    numbers: dict[t.Field, int] = {}

    def place(field: t.Field) -> t.Expression:
        return field if field.row in inside else t.Field(_PLACE, numbers.setdefault(field, len(numbers)))

    placed = t.substitute(node, place)
    return t.alpha(placed), tuple(numbers)


def exists(bag: t.Bag, encoder: Encoder) -> Formula:
    """Whether a bag has a row."""
    terms = tuple(
        replace(term, outputs=()) for term in bag.terms if term.condition != t.Constant("integer", "0")
    )
    if not terms:
        return FALSE
    if len(terms) == 1 and isinstance(inner := _sole_squash(terms[0]), t.Bag):
        return exists(inner, encoder)
    key, arguments = _called(t.Exists(t.Bag(terms)), encoder)
    sorts = tuple(sort for sort, _ in arguments)
    symbol = encoder.script.declare(key, f"exists {_tables(bag)}", sorts, "Bool")
    return f"({symbol} {' '.join(term for _, term in arguments)})" if arguments else symbol


def _sole_squash(term: t.Term) -> t.Bag | None:
    """The bag of which a term takes all distinct rows, if it does nothing else."""
    if len(term.bindings) != 1 or term.condition != t.Constant("integer", "1"):
        return None
    source = term.bindings[0].source
    return source.bag if isinstance(source, t.Squash) else None


def first(node: t.First, encoder: Encoder) -> Encoded:
    """A scalar subquery."""
    return _opaque(node, f"first of {_tables(node.rows.bag)}", encoder)


def aggregate(node: t.Aggregate, encoder: Encoder) -> Encoded:
    """An aggregate; it is tied to whether the bag has a row that counts."""
    label = f"{node.function} {_tables(node.bag)}"
    value = _opaque(node, label, encoder)
    some = exists(_counted(node, encoder), encoder)
    match node.function:
        case "COUNT":
            _count(value, some, encoder)
        case "LINEAR":
            zero = equal(value.whole, "0") if value.whole else equal(value.number, "0.0")
            stated = axiom(implies(not_(some), zero), Axiom.SUM_OVER_NO_ROWS_IS_ZERO)
            encoder.script.axiom(value.whole or value.number, stated)
            if value.whole and all(term.outputs[:1] == (t.TRUE,) for term in node.bag.terms):
                _count(value, some, encoder)
        case "MIN" | "MAX":
            return with_null(value, not_(some))
        case "SUM" | "AVG":
            # SUM of Infinity and -Infinity is NULL over rows that count.
            sure = value.kinds == {"integer"} or encoder.world.holds(FactKind.EXACT_ARITHMETIC)
            return with_null(value, not_(some) if sure else or_(not_(some), value.null))
    return value


def _count(value: Encoded, some: Formula, encoder: Encoder) -> None:
    encoder.script.axiom(value.whole, axiom(f"(>= {value.whole} 0)", Axiom.COUNT_IS_NOT_NEGATIVE))
    positive = iff(less("0", value.whole), some)
    encoder.script.axiom(value.whole, axiom(positive, Axiom.COUNT_IS_POSITIVE_IF_A_ROW_COUNTS))


def _counted(node: t.Aggregate, encoder: Encoder) -> t.Bag:
    """The rows of an aggregate's bag that it does not skip."""
    terms = []
    for term in node.bag.terms:
        inner = {**encoder.sources, **{each.row: each.source for each in term.bindings}}
        value = term.outputs[0]
        condition = term.condition
        # Aggregates skip NULL arguments: a group of NULLs alone is as empty as no rows.
        if not never_null(value, encoder.world, inner):
            condition = t.conjunction((condition, t.Not(t.IsNull(value))))
        terms.append(t.Term(term.bindings, condition, ()))
    return t.Bag(tuple(terms))


def _opaque(node: t.Aggregate | t.First, label: str, encoder: Encoder) -> Encoded:
    key, arguments = _called(node, encoder)
    return symbolic(encoder.script, key, label, kinds(node, encoder.world, encoder.sources), arguments)


def _called(node: t.Node, encoder: Encoder) -> tuple[Hashable, list[tuple[str, Formula]]]:
    """What tells a function of a node's free fields from others, and its arguments."""
    key, fields = skeleton(node)
    values = [encoder.value(field) for field in fields]
    signed = tuple(signature(value, nulls=True) for value in values)
    return (key, signed), [each for value in values for each in argument(value, nulls=True)]


def _tables(bag: t.Bag) -> str:
    names = [getattr(binding.source, "table", "subquery") for term in bag.terms for binding in term.bindings]
    return ", ".join(names)
