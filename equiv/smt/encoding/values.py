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
from equiv.smt import logic as f

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

    null: f.Formula
    """Bool: whether it is NULL."""
    classes: tuple[tuple[StorageClass, f.Formula], ...] = ()
    """The storage classes that it may have if it is not NULL: exactly one of the conditions then holds."""
    number: f.Formula = ""
    """Real: the value of a number."""
    whole: f.Formula = ""
    """Int: the same, if integer is the only numeric class."""
    rank: f.Formula = ""
    """Real: the place of a text or a blob in the order of its class."""

    def is_(self, *wanted: StorageClass) -> f.Formula:
        """The formula that the value, if not NULL, is of one of some storage classes."""
        if all(kind in wanted for kind, _ in self.classes):
            return f.TRUE if self.classes else f.FALSE
        return f.or_(*(condition for kind, condition in self.classes if kind in wanted))

    @property
    def kinds(self) -> frozenset[StorageClass]:
        """The storage classes that the value may have if it is not NULL."""
        return frozenset(kind for kind, _ in self.classes)


NULL = Encoded(f.TRUE)


def of_whole(null: f.Formula, whole: f.Formula) -> Encoded:
    """An integer or NULL."""
    number = f"{whole}.0" if whole.isdigit() else f"(to_real {whole})"
    return Encoded(null, (("integer", f.TRUE),), number, whole)


def of_real(null: f.Formula, number: f.Formula) -> Encoded:
    """A REAL or NULL."""
    return Encoded(null, (("real", f.TRUE),), number)


def of_number(null: f.Formula, is_integer: f.Formula, number: f.Formula) -> Encoded:
    """A number of either class, or NULL."""
    if is_integer == f.FALSE:
        return of_real(null, number)
    return Encoded(null, (("integer", is_integer), ("real", f.not_(is_integer))), number)


def of_truth(truth: f.Truth) -> Encoded:
    """A truth value as 1, 0 or NULL."""
    return of_whole(truth.null, f.ite(truth.true, "1", "0"))


def with_null(value: Encoded, null: f.Formula) -> Encoded:
    """The value, but NULL exactly under a condition."""
    return Encoded(null, value.classes, value.number, value.whole, value.rank)


def choose(test: f.Formula, then: Encoded, other: Encoded) -> Encoded:
    """One value or the other."""
    if test == f.TRUE or then == other:
        return then
    if test == f.FALSE:
        return other
    null = f.ite(test, then.null, other.null)
    if not then.classes or not other.classes:
        return with_null(then if then.classes else other, null)
    common = [kind for group in _ORDER for kind in group if kind in then.kinds | other.kinds]
    classes = tuple((kind, f.ite(test, then.is_(kind), other.is_(kind))) for kind in common)
    if len(classes) == 1:
        classes = ((common[0], f.TRUE),)
    return Encoded(
        null,
        classes,
        _either(test, then.number, other.number),
        _either(test, then.whole, other.whole) if _NUMERIC[1] not in common else "",
        _either(test, then.rank, other.rank),
    )


def _either(test: f.Formula, then: f.Formula, other: f.Formula) -> f.Formula:
    """A component that does not matter where a value lacks it."""
    return f.ite(test, then, other) if then and other else then or other


def same(left: Encoded, right: Encoded) -> f.Formula:
    """Whether two values that are not NULL are equal: 1 = 1.0, 1 is not '1'."""
    found = [
        f.and_(left.is_(*group), right.is_(*group), _component(f.equal, group, left, right))
        for group in _ORDER
        if left.kinds.intersection(group) and right.kinds.intersection(group)
    ]
    return f.or_(*found)


def not_distinct(left: Encoded, right: Encoded) -> f.Formula:
    """Whether two values are equal or both NULL: SQLite's IS."""
    return f.or_(
        f.and_(left.null, right.null), f.and_(f.not_(left.null), f.not_(right.null), same(left, right))
    )


def indistinguishable(left: Encoded, right: Encoded) -> f.Formula:
    """Whether two values are the same also in storage class, so that no function can distinguish them."""
    mixed = left.kinds.union(right.kinds).issuperset(_NUMERIC)
    number = f.iff(left.is_("integer"), right.is_("integer")) if mixed else f.TRUE
    alike = f.and_(same(left, right), number)
    return f.or_(f.and_(left.null, right.null), f.and_(f.not_(left.null), f.not_(right.null), alike))


def precedes(left: Encoded, right: Encoded) -> f.Formula:
    """Whether a value sorts strictly before another, neither being NULL."""
    cases = []
    for place, group in enumerate(_ORDER):
        if not left.kinds.intersection(group):
            continue
        if right.kinds.intersection(group):
            cases.append(f.and_(left.is_(*group), right.is_(*group), _component(f.less, group, left, right)))
        later = [kind for above in _ORDER[place + 1 :] for kind in above]
        if right.kinds.intersection(later):
            cases.append(f.and_(left.is_(*group), right.is_(*later)))
    return f.or_(*cases)


def _component(
    relation: f.FormulaComparison, group: tuple[StorageClass, ...], left: Encoded, right: Encoded
) -> f.Formula:
    if group is not _NUMERIC:
        return relation(left.rank, right.rank)
    if left.whole and right.whole:
        return relation(left.whole, right.whole)
    return relation(left.number, right.number)


def compared(operator: str, left: Encoded, right: Encoded) -> f.Truth:
    """A comparison of two values."""
    null = f.or_(left.null, right.null)
    match operator:
        case "IS":
            return f.known(not_distinct(left, right))
        case "=":
            return f.unless_null(null, same(left, right))
        case "<":
            return f.unless_null(null, precedes(left, right))
        case _:
            return f.unless_null(null, f.not_(precedes(right, left)))


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
            ((kind, f.TRUE),),
            value.number if numeric else "",
            whole if kind == "integer" else "",
            "" if numeric else value.rank,
        )
        image = make(one) if image is NULL else choose(condition, make(one), image)
    return image


_KINDS: tuple[StorageClass, ...] = ("integer", "real", "text", "blob")


def argument(value: Encoded, *, nulls: bool) -> list[tuple[str, f.Formula]]:
    """The SMT sorts and terms that determine a value as an argument, its NULL flag included if ``nulls``."""
    sorted_terms: list[tuple[str, f.Formula]] = []
    known = f.TRUE
    if nulls:
        sorted_terms.append(("Bool", value.null))
        known = f.not_(value.null)
    sorted_terms += [("Bool", f.and_(known, condition)) for _, condition in value.classes[:-1]]
    if value.whole:
        sorted_terms.append(("Int", f.ite(f.and_(known, value.is_("integer")), value.whole, "0")))
    elif value.number:
        sorted_terms.append(("Real", f.ite(f.and_(known, value.is_("integer", "real")), value.number, "0.0")))
    if value.rank:
        sorted_terms.append(("Real", f.ite(f.and_(known, value.is_("text", "blob")), value.rank, "0.0")))
    return sorted_terms


def signature(value: Encoded, *, nulls: bool) -> Hashable:
    """A key for the sorts that :func:`argument` returns: values with equal keys have the same sorts."""
    return tuple(kind for kind, _ in value.classes), nulls


def symbolic(
    script: f.Script,
    key: Hashable,
    label: str,
    kinds: frozenset[StorageClass],
    arguments: Sequence[tuple[str, f.Formula]] = (),
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

    def part(name: str, sort: str) -> f.Formula:
        symbol = script.declare((key, kinds, name), f"{label} {name}".rstrip(), sorts, sort, mark)
        return f"({symbol} {argument_terms})" if argument_terms else symbol

    possible = [kind for kind in _KINDS if kind in kinds]
    classes: list[tuple[StorageClass, f.Formula]] = []
    remaining = f.TRUE
    for kind in possible[:-1]:
        is_kind = part(f"is {kind}", "Bool")
        classes.append((kind, f.and_(remaining, is_kind)))
        remaining = f.and_(remaining, f.not_(is_kind))
    classes += [(kind, remaining) for kind in possible[-1:]]
    whole = part("", "Int") if "integer" in possible and "real" not in possible else ""
    number = f"(to_real {whole})" if whole else part("", "Real") if "real" in possible else ""
    rank = part("text", "Real") if "text" in possible or "blob" in possible else ""
    null = f.TRUE if not possible else part("null", "Bool") if "null" in kinds else f.FALSE
    return Encoded(null, tuple(classes), number, whole, rank)


class EncodedRow:
    """A row of a base table or of something else; its columns are made on demand."""

    def __init__(self, encoder: Encoder, table: str, present: f.Formula, label: str) -> None:
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
                stated = f.Hypothesis(f"(<= 0 {value.whole} 1)", f.HypothesisOrigin.FACT, str(typed))
                encoder.script.axiom(value.whole, stated)
        return value


class ScannedRow(EncodedRow):
    """A row of a base table, over which a variable ranges."""

    def __init__(self, encoder: Encoder, variable: t.Variable, table: str, present: f.Formula) -> None:
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
        super().__init__(encoder, table, f.FALSE, label)
        if not any(value.null == f.TRUE for value in self.values):
            self.present = encoder.script.declare((self, "found"), f"{label} found", (), "Bool", self)


class DerivedRow(EncodedRow):
    """A row of a derived table."""

    def __init__(self, encoder: Encoder, variable: t.Variable, source: t.Source, present: f.Formula) -> None:
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


def exists(bag: t.Bag, encoder: Encoder) -> f.Formula:
    """Whether a bag has a row."""
    terms = tuple(
        replace(term, outputs=()) for term in bag.terms if term.condition != t.Constant("integer", "0")
    )
    if not terms:
        return f.FALSE
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
            zero = f.equal(value.whole, "0") if value.whole else f.equal(value.number, "0.0")
            stated = f.axiom(f.implies(f.not_(some), zero), f.Axiom.SUM_OVER_NO_ROWS_IS_ZERO)
            encoder.script.axiom(value.whole or value.number, stated)
            if value.whole and all(term.outputs[:1] == (t.TRUE,) for term in node.bag.terms):
                _count(value, some, encoder)
        case "MIN" | "MAX":
            return with_null(value, f.not_(some))
        case "SUM" | "AVG":
            # SUM of Infinity and -Infinity is NULL over rows that count.
            sure = value.kinds == {"integer"} or encoder.world.holds(FactKind.EXACT_ARITHMETIC)
            return with_null(value, f.not_(some) if sure else f.or_(f.not_(some), value.null))
    return value


def _count(value: Encoded, some: f.Formula, encoder: Encoder) -> None:
    encoder.script.axiom(value.whole, f.axiom(f"(>= {value.whole} 0)", f.Axiom.COUNT_IS_NOT_NEGATIVE))
    positive = f.iff(f.less("0", value.whole), some)
    encoder.script.axiom(value.whole, f.axiom(positive, f.Axiom.COUNT_IS_POSITIVE_IF_A_ROW_COUNTS))


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


def _called(node: t.Node, encoder: Encoder) -> tuple[Hashable, list[tuple[str, f.Formula]]]:
    """What tells a function of a node's free fields from others, and its arguments."""
    key, fields = skeleton(node)
    values = [encoder.value(field) for field in fields]
    signed = tuple(signature(value, nulls=True) for value in values)
    return (key, signed), [each for value in values for each in argument(value, nulls=True)]


def _tables(bag: t.Bag) -> str:
    names = [getattr(binding.source, "table", "subquery") for term in bag.terms for binding in term.bindings]
    return ", ".join(names)
