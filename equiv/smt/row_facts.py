"""Hypotheses from facts (keys, NOT NULL, foreign keys, types, CHECK) about the rows of a proof."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING

from equiv.algebra import terms as t
from equiv.algebra.kinds import column_kinds
from equiv.algebra.world import World
from equiv.core.model import Column
from equiv.core.query import UnsupportedError
from equiv.dialects.registry import reference
from equiv.facts import Fact, FactKind
from equiv.schema.policy import format_fact
from equiv.smt.encoding.values import (
    DerivedRow,
    Encoded,
    EncodedRow,
    LookedUpRow,
    ScannedRow,
    indistinguishable,
    not_distinct,
    same,
)
from equiv.smt.logic import (
    FALSE,
    Formula,
    Hypothesis,
    HypothesisOrigin,
    Symbol,
    UninterpretableError,
    and_,
    implies,
    names_in,
    not_,
    or_,
)

if TYPE_CHECKING:
    from equiv.smt.encoding.expressions import Encoder


@dataclass(frozen=True, slots=True)
class _Broken:
    """When a row breaks a CHECK, over the variable that stands for the row, and the facts that say so."""

    row: t.Variable
    condition: t.Expression
    facts: tuple[Fact, ...]


class CheckReader:
    """Hypotheses from the CHECK facts of a schema; each CHECK is read once."""

    def __init__(self, world: World) -> None:
        self._world = World(world.schema, world.facts, world.names)
        self._broken: dict[Fact, _Broken | None] = {}

    def of(self, row: EncodedRow, encoder: Encoder) -> Iterator[Hypothesis]:
        """The hypotheses that no CHECK is false of a row, over the columns that occur in the proof."""
        for fact in encoder.world.facts.of(FactKind.CHECK, row.table):
            if fact not in self._broken:
                self._broken[fact] = self._read(fact)
            broken = self._broken[fact]
            condition = None if broken is None else _about(row, broken.row, broken.condition)
            if broken is not None and condition is not None:
                encoder.world.use((fact, *broken.facts))
                kept = implies(row.present, not_(encoder.truth(condition).true))
                yield Hypothesis(kept, HypothesisOrigin.FACT, format_fact(fact))

    def _read(self, fact: Fact) -> _Broken | None:
        from equiv.algebra.translate.query import translate

        world = self._world
        world.used = {}
        query = reference().rows_breaking(fact.expression, world.table(fact.table))
        if query is None:
            return None
        try:
            answer = translate(query, world)
        except (UnsupportedError, RecursionError):
            return None
        if len(answer.bag.terms) != 1:
            return None
        (term,) = answer.bag.terms
        match term.bindings:
            case (binding,) if isinstance(binding.source, t.Scan):
                return _Broken(binding.row, term.condition, tuple(world.used))
        return None


def _about(row: EncodedRow, variable: t.Variable, condition: t.Expression) -> t.Expression | None:
    """The condition for one row; None if it mentions a column that does not occur."""
    names = {each.column for each in t.walk(condition) if isinstance(each, t.Field) and each.row == variable}
    if not all(isinstance(name, str) and name.lower() in row.columns for name in names):
        return None
    match row:
        case ScannedRow():
            return t.substitute(condition, lambda field: t.Field(row.variable, field.column))
        case LookedUpRow():
            return t.substitute(condition, lambda field: _looked_up(row, field))
    return None


def _looked_up(row: LookedUpRow, field: t.Field) -> t.Expression:
    names, values = zip(*row.pairs, strict=True)
    return t.Lookup(row.table, names, values, str(field.column))


MAX_ROWS = 48
"""How many rows one claim may speak of: what is said of each two of them grows with the square."""

_SKOLEM = 1_000_000_000
_NUMBERS = frozenset({"integer", "real", "null"})


class RowFacts:
    """States the facts about the rows whose columns or presence occur in a query.

    Rows of one table are the same where they agree on a key; a row that a look-up can find is
    found; a row refers to a row of the parent table; a row of a derived table has rows behind it.
    """

    def __init__(self, encoder: Encoder, checks: CheckReader) -> None:
        self._encoder = encoder
        self._behind: dict[tuple[EncodedRow, int], tuple[list[Hypothesis], dict[Fact, None]]] = {}
        self._checks = checks
        self._fresh = 0

    def hypotheses(self, seen: dict[str, Symbol]) -> list[Hypothesis]:
        """The hypotheses about the rows that occur among some symbols.

        Raises:
            UninterpretableError: there are too many.
        """
        rows = list(dict.fromkeys(s.mark for s in seen.values() if isinstance(s.mark, EncodedRow)))
        if len(rows) > MAX_ROWS:
            raise UninterpretableError(f"{len(rows)} rows")
        hypotheses: list[Hypothesis] = []
        for row in rows:
            if isinstance(row, DerivedRow):
                hypotheses += self._rows_behind(row)
        tables: dict[str, list[EncodedRow]] = {}
        targets = [row for row in rows if isinstance(row, LookedUpRow)]
        for row in rows:
            if row.table:
                tables.setdefault(row.table.lower(), []).append(row)
                hypotheses += self._referring(row, targets)
        for name, group in tables.items():
            hypotheses += self._one_table(name, group, seen)
        return hypotheses

    def _one_table(
        self, table: str, rows: Sequence[EncodedRow], seen: dict[str, Symbol]
    ) -> Iterator[Hypothesis]:
        for row in rows:
            yield from self._checks.of(row, self._encoder)
            if isinstance(row, LookedUpRow) and row.present != FALSE:
                hit = _agree([row.column(c) for c in row.key], row.values)
                yield Hypothesis(implies(row.present, hit), HypothesisOrigin.ROW, row.label)
                for other in rows:
                    if other is not row:
                        hit = _agree([other.column(c) for c in row.key], row.values)
                        formula = implies(and_(other.present, hit), row.present)
                        yield Hypothesis(formula, HypothesisOrigin.ROW, row.label)
        for left, right in combinations(rows, 2):
            both = and_(left.present, right.present)
            shared = [name for name in _occurring(left, seen) if name in _occurring(right, seen)]
            if shared:
                yield from self._same_row(table, left, right, both, shared)

    def _same_row(
        self, table: str, left: EncodedRow, right: EncodedRow, both: Formula, shared: list[str | int]
    ) -> Iterator[Hypothesis]:
        facts = {
            tuple(sorted(c.lower() for c in f.columns)): f for f in self._encoder.world.facts.keys(table)
        }
        for key, fact in facts.items():
            # UNIQUE allows several NULLs: rows agree on a key only where no column is NULL.
            agree = self._agree_on(left, right, key)
            if agree == FALSE:
                continue
            self._encoder.world.use((fact,))
            alike = [indistinguishable(left.column(c), right.column(c)) for c in shared]
            yield _by_fact(implies(and_(both, agree), and_(*alike)), fact)

    def _agree_on(self, left: EncodedRow, right: EncodedRow, key: Sequence[str]) -> Formula:
        """Whether two rows agree on a key as UNIQUE compares them: under the collations of its columns."""
        if isinstance(left, ScannedRow) and isinstance(right, ScannedRow):
            return _agree(*([self._compared(row, name) for name in key] for row in (left, right)))
        return _agree([left.column(c) for c in key], [right.column(c) for c in key])

    def _compared(self, row: ScannedRow, name: str) -> Encoded:
        match self._encoder.world.column(row.table, name):
            case Column(name=column, collation="NOCASE" | "RTRIM" as collation):
                return self._encoder.value(
                    t.Convert(collation, t.Field(row.variable, column), explicit=False)
                )
        return row.column(name)

    def _referring(self, row: EncodedRow, targets: Sequence[LookedUpRow]) -> Iterator[Hypothesis]:
        """A row to which another one refers is found, whatever key it is looked up by."""
        world = self._encoder.world
        for fact in world.facts.of(FactKind.INCLUSION, row.table):
            referred = {
                name.lower(): own for name, own in zip(fact.parent_columns, fact.columns, strict=True)
            }
            for target in targets:
                apt = target.table.lower() == fact.parent.lower() and referred.keys() >= set(target.key)
                if apt and target.present != FALSE and _compares_plainly(fact, self._encoder):
                    world.use((fact,))
                    # A foreign key with a NULL in any column refers to nothing.
                    complete = (not_(row.column(name).null) for name in fact.columns)
                    hit = _agree([row.column(referred[name]) for name in target.key], target.values)
                    yield _by_fact(implies(and_(row.present, *complete, hit), target.present), fact)

    def _rows_behind(self, row: DerivedRow) -> list[Hypothesis]:
        key = (row, len(row.columns))
        return self._encoder.remembered(self._behind, key, partial(self._new_rows_behind, row))

    def _new_rows_behind(self, row: DerivedRow) -> list[Hypothesis]:
        """The derived table's row comes from rows that make a term's condition true."""
        if isinstance(row.source, t.Scan):
            return []
        terms = row.source.bag.terms
        chosen: list[Formula] = []
        behind = []
        for number, term in enumerate(terms):
            choice = row.present
            if len(terms) > 1:
                label = f"{row.label} from term {number}"
                choice = self._encoder.script.declare((row, number), label, (), "Bool")
            chosen.append(choice)
            behind.append(implies(choice, self._one_behind(row, term, choice)))
        stated = [implies(row.present, or_(*chosen)), *behind]
        return [Hypothesis(each, HypothesisOrigin.ROW, row.label) for each in stated]

    def _one_behind(self, row: DerivedRow, term: t.Term, choice: Formula) -> Formula:
        encoder = self._encoder
        names: dict[t.Variable, t.Variable] = {}
        for binding in term.bindings:
            self._fresh += 1
            names[binding.row] = t.Variable(_SKOLEM + self._fresh, binding.row.label)
        copy = t.renamed(term, names)
        for binding in copy.bindings:
            encoder.bind(binding, choice)
        visible = getattr(row.source, "visible", len(copy.outputs))
        outputs = [
            not_distinct(row.column(place), encoder.value(output))
            for place, output in enumerate(copy.outputs[:visible])
            if place in row.columns
        ]
        return and_(encoder.truth(copy.condition).true, *outputs)


def _by_fact(formula: Formula, fact: Fact) -> Hypothesis:
    return Hypothesis(formula, HypothesisOrigin.FACT, format_fact(fact))


def _agree(left: Sequence[Encoded], right: Sequence[Encoded]) -> Formula:
    """Whether values are equal one by one, none being NULL."""
    return and_(
        *(
            and_(not_(one.null), not_(other.null), same(one, other))
            for one, other in zip(left, right, strict=True)
        )
    )


def _occurring(row: EncodedRow, seen: dict[str, Symbol]) -> list[str | int]:
    """The columns of a row that matter in a query."""
    return [
        name
        for name, (value, _) in row.columns.items()
        if any(symbol in seen for part in (value.null, value.number, value.rank) for symbol in names_in(part))
    ]


def _compares_plainly(fact: Fact, encoder: Encoder) -> bool:
    """Whether a reference is equality of values: no conversion, no collation but BINARY."""
    world = encoder.world
    for child, parent in zip(fact.columns, fact.parent_columns, strict=True):
        try:
            own, above = world.column(fact.table, child), world.column(fact.parent, parent)
        except KeyError:
            return False
        if own.collation.upper() != "BINARY" or above.collation.upper() != "BINARY":
            return False
        classes = [column_kinds(fact.table, child, world), column_kinds(fact.parent, parent, world)]
        alike = own.affinity is above.affinity or all(each <= _NUMBERS for each in classes)
        if not alike and not all(each <= {"text", "null"} for each in classes):
            return False
    return True
