"""Unions of conjunctive queries, read from an answer of the algebra, and regions of values.

A region is what conditions with constants say of one element of a database.  What is read is the translation
of the query as written: no rewrite has touched it.  A conversion that a comparison applies stands in it as a
node of its own, so that a comparison of plain fields converts nothing.  Where duplicates do not count, nested
distinct rows, and rows that EXISTS or IN ask for, are further atoms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum

from equiv.algebra import terms as t

RegionValue = int | str


class EmptyRegionError(Exception):
    """Nothing can be as conditions and facts ask together."""


@dataclass(frozen=True, slots=True)
class Region:
    """Values other than NULL: integers between bounds, or any values but some."""

    low: int | None = None
    """The least integer; None: no bound below."""
    high: int | None = None
    without: frozenset[RegionValue] = frozenset()
    only: RegionValue | None = None
    """The value, where there is one alone."""

    def meet(self, other: Region) -> Region:
        """The intersection.

        Raises:
            ContradictionError: it is empty.
        """
        low = max((b for b in (self.low, other.low) if b is not None), default=None)
        high = min((b for b in (self.high, other.high) if b is not None), default=None)
        only = self.only if self.only is not None else other.only
        if other.only is not None and other.only != only:
            raise EmptyRegionError
        return _settled(Region(low, high, self.without | other.without, only))

    def splits_at(self, bound: int) -> bool:
        """Whether it has integers below a bound, and others."""
        if self.only is not None:
            return False
        return (self.low is None or self.low < bound) and (self.high is None or self.high >= bound)

    def may_be(self, value: RegionValue) -> bool:
        """Whether it has a value, and another one too."""
        if self.only is not None or value in self.without:
            return False
        return not isinstance(value, int) or _within(value, self.low, self.high)


def _settled(region: Region) -> Region:
    """A region in the one form that it has; so two are equal if they have the same values.

    Raises:
        ContradictionError: it is empty.
    """
    low, high, only = region.low, region.high, region.only
    while low is not None and low in region.without and (high is None or low <= high):
        low += 1
    while high is not None and high in region.without and (low is None or low <= high):
        high -= 1
    if low is not None and high is not None and low > high:
        raise EmptyRegionError
    if only is None and low is not None and low == high:
        only = low
    if only is None:
        kept = frozenset(v for v in region.without if not isinstance(v, int) or _within(v, low, high))
        return Region(low, high, kept)
    if only in region.without or (isinstance(only, int) and not _within(only, low, high)):
        raise EmptyRegionError
    return Region(only=only)


def _within(value: int, low: int | None, high: int | None) -> bool:
    return (low is None or low <= value) and (high is None or value <= high)


AtomCell = tuple[int, str]
"""The number of an atom in its block, and a column of its table."""


class OutsideError(Exception):
    """A query or its schema lies outside the fragment; the message says by what, in one line."""


class ColumnSort(StrEnum):
    """Values that may be compared with one another without a conversion."""

    NUMBER = "number"
    TEXT = "text"
    DATE = "date"
    """Columns of dates and times, which SQLite converts as it does numbers."""
    ANY = "any"
    """Columns without a declared type."""


@dataclass(frozen=True, slots=True)
class Null:
    """The output that is NULL."""


BlockOutput = AtomCell | RegionValue | Null


@dataclass(frozen=True)
class ConjunctiveQuery:
    """One conjunctive query: a row of outputs for each choice of rows that meets all conditions."""

    atoms: tuple[str, ...]
    """The table of each atom, as the schema spells it."""
    sames: tuple[tuple[AtomCell, AtomCell], ...]
    """Cells that are equal, and not NULL."""
    nulls: tuple[AtomCell, ...]
    """Cells that are NULL."""
    fixed: tuple[tuple[AtomCell, RegionValue], ...]
    """Cells that equal a constant."""
    tests: tuple[t.Expression, ...]
    """Conditions on cells and constants; their fields have the atom's number in place of a variable's."""
    outputs: tuple[BlockOutput, ...]


@dataclass(frozen=True)
class Union:
    """The sum of blocks, or the set of its rows."""

    blocks: tuple[ConjunctiveQuery, ...]
    distinct: bool


@dataclass
class Cuts:
    """The values that distinguish cases in one column: those that conditions of the pair compare with it."""

    nulls: bool = False
    """Whether it matters if a cell is NULL."""
    bounds: set[int] = field(default_factory=set)
    """Integers that matter: a value is below one, or not."""
    points: set[RegionValue] = field(default_factory=set)
    """Values that matter: a value is the one, or another."""


MOST_ATOMS = 10
"""Blocks of more tables are outside."""

MOST_BLOCKS = 12
"""Queries of more blocks are outside."""

_LARGEST = 10**6


def read(answer: t.Answer, *, as_set: bool, ordered: bool) -> Union:
    """The union of conjunctive queries that an answer is.

    Args:
        answer: a query as translated.
        as_set: whether duplicates do not count in the comparison of answers.
        ordered: whether the order of rows counts.

    Raises:
        OutsideError: it is none.
    """
    if answer.limit is not None or answer.offset:
        raise OutsideError("LIMIT")
    if ordered and answer.directions:
        raise OutsideError("ORDER BY, where the order of rows counts")
    distinct, terms = as_set, answer.bag.terms
    inner = _distinct_rows(answer)
    if inner is not None:
        distinct, terms = True, inner
    blocks: list[ConjunctiveQuery] = []
    for term in terms:
        shown = replace(term, outputs=term.outputs[: answer.visible])
        for flat in _flat(shown, distinct=distinct):
            blocks += _blocks(flat)
            if len(blocks) > MOST_BLOCKS:
                raise OutsideError(f"more than {MOST_BLOCKS} SELECTs")
    return Union(tuple(blocks), distinct)


def _distinct_rows(answer: t.Answer) -> tuple[t.Term, ...] | None:
    """The terms of which an answer is the distinct rows; None if it is not of that form."""
    match answer.bag.terms:
        case (t.Term((t.Binding(row, t.Squash(bag)),), condition, outputs),):
            shown = outputs[: answer.visible]
            wanted = {t.Field(row, at) for at in range(len(bag.terms[0].outputs) if bag.terms else 0)}
            # Distinct rows less a column may have duplicates.
            if wanted <= set(shown) and all(isinstance(each, t.Field | t.Constant) for each in shown):
                return tuple(
                    t.Term(
                        own.bindings,
                        t.conjunction([own.condition, _put(condition, row, own)]),
                        tuple(_put(each, row, own) for each in shown),
                    )
                    for own in bag.terms
                )
    return None


def _put(expression: t.Expression, row: t.Variable, term: t.Term) -> t.Expression:
    """An expression over a row of a bag, over the variables of one of its terms."""
    return t.substitute(expression, lambda f: term.outputs[int(f.column)] if f.row == row else f)


def _flat(term: t.Term, *, distinct: bool) -> Iterator[t.Term]:
    """The terms over base tables alone of which a term is the sum."""
    for at, binding in enumerate(term.bindings):
        match binding.source:
            case t.Scan():
                continue
            case t.Squash(bag) if distinct:
                rest = (*term.bindings[:at], *term.bindings[at + 1 :])
                for inner in bag.terms:
                    condition = t.conjunction([_put(term.condition, binding.row, inner), inner.condition])
                    outputs = tuple(_put(each, binding.row, inner) for each in term.outputs)
                    yield from _flat(t.Term((*rest, *inner.bindings), condition, outputs), distinct=True)
                return
            case t.Squash():
                raise OutsideError("a DISTINCT subquery where duplicates count")
            case other:
                raise OutsideError(type(other).__name__)
    parts = list(_parts(term.condition))
    for at, part in enumerate(parts):
        if isinstance(part, t.Exists) and distinct:
            rest_of = [*parts[:at], *parts[at + 1 :]]
            for inner in part.bag.terms:
                condition = t.conjunction([*rest_of, inner.condition])
                yield from _flat(
                    t.Term((*term.bindings, *inner.bindings), condition, term.outputs), distinct=True
                )
            return
    yield term.where(parts)


def _parts(condition: t.Expression) -> Iterator[t.Expression]:
    """The conditions that must all be true."""
    match condition:
        case t.And(parts):
            for part in parts:
                yield from _parts(part)
        case t.IsTrue(part):
            yield from _parts(part)
        case _ if condition != t.TRUE:
            yield condition


def _blocks(term: t.Term) -> Iterator[ConjunctiveQuery]:
    """The blocks of a term over base tables: several where cells are compared by IS."""
    if len(term.bindings) > MOST_ATOMS:
        raise OutsideError(f"a SELECT over more than {MOST_ATOMS} tables")
    numbers = {binding.row: number for number, binding in enumerate(term.bindings)}
    if len(numbers) < len(term.bindings):
        raise OutsideError("a derived table that is used twice")
    atoms = tuple(b.source.table for b in term.bindings if isinstance(b.source, t.Scan))
    start = ConjunctiveQuery(atoms, (), (), (), (), tuple(_output(each, numbers) for each in term.outputs))
    found = [start]
    for part in _parts(term.condition):
        found = [wider for block in found for wider in _with(block, part, numbers)]
        if len(found) > MOST_BLOCKS:
            raise OutsideError(f"more than {MOST_BLOCKS} SELECTs")
    yield from found


def _with(
    block: ConjunctiveQuery, part: t.Expression, numbers: dict[t.Variable, int]
) -> Iterable[ConjunctiveQuery]:
    match part:
        case t.Compare("=", t.Field() as left, t.Field() as right):
            return [replace(block, sames=(*block.sames, (_cell(left, numbers), _cell(right, numbers))))]
        case t.Compare("IS", t.Field() as left, t.Field() as right):
            one, other = _cell(left, numbers), _cell(right, numbers)
            if one == other:
                return [block]
            equal = replace(block, sames=(*block.sames, (one, other)))
            return [equal, replace(block, nulls=(*block.nulls, one, other))]
        case t.Compare("=" | "IS", t.Field() as cell, t.Constant() as constant) | t.Compare(
            "=" | "IS", t.Constant() as constant, t.Field() as cell
        ) if constant.kind != "null":
            fixed = (_cell(cell, numbers), value_of(constant))
            return [replace(block, fixed=(*block.fixed, fixed))]
    _check(part)
    numbered = t.substitute(part, lambda f: t.Field(t.Variable(_cell(f, numbers)[0]), f.column))
    return [replace(block, tests=(*block.tests, numbered))]


def _cell(field: t.Field, numbers: dict[t.Variable, int]) -> AtomCell:
    if field.row not in numbers or not isinstance(field.column, str):
        raise OutsideError("a column of an outer query or of a derived table")
    return numbers[field.row], field.column


def _output(expression: t.Expression, numbers: dict[t.Variable, int]) -> BlockOutput:
    match expression:
        case t.Field():
            return _cell(expression, numbers)
        case t.Constant("null"):
            return Null()
        case t.Constant():
            return value_of(expression)
    raise OutsideError(f"an output that is computed ({type(expression).__name__})")


def value_of(constant: t.Constant) -> RegionValue:
    """The value of an integer or text literal.

    Raises:
        OutsideError: it is another literal, or an integer so large that REAL cells may take it for another.
    """
    if constant.kind == "text":
        return constant.text
    if constant.kind == "integer" and abs(int(constant.text)) <= _LARGEST:
        return int(constant.text)
    raise OutsideError(f"a literal that is neither a text nor an integer up to {_LARGEST}")


def _check(part: t.Expression) -> None:
    """Let a Boolean combination of comparisons of columns with constants pass.

    Raises:
        OutsideError: it is none.
    """
    match part:
        case t.And() | t.Or() | t.Not() | t.IsTrue():
            for child in t.children(part):
                _check(child)  # type: ignore[arg-type]
        case t.IsNull(t.Field() | t.Constant()):
            pass
        case t.Constant(kind) if kind in ("null", "integer"):
            pass
        case t.Compare(_, t.Field(), t.Constant() as constant) | t.Compare(
            _, t.Constant() as constant, t.Field()
        ):
            if constant.kind != "null":
                value_of(constant)
        case t.Compare(_, t.Constant() as left, t.Constant() as right):
            kinds = {left.kind, right.kind} - {"null"}
            if len(kinds) > 1:
                raise OutsideError("a comparison of constants of different types")
            for constant in (left, right):
                if constant.kind != "null":
                    value_of(constant)
        case t.Compare(_, t.Field(), t.Field()):
            raise OutsideError("columns compared by operators other than = and IS, or under OR or NOT")
        case _:
            raise OutsideError(f"a condition with {type(part).__name__}")
