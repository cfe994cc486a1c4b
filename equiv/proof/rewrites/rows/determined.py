"""Equal values, and variables that they determine: a row fixed by its key is looked up.

What a condition equates are classes of equal values, each with one representative.

If a conjunct for each column of a unique key of the table equates it with a value that does not
depend on the row, at most one row of the table counts.  Its fields become look-ups and the term
keeps the condition that it is found, unless a foreign key or other conditions imply it.  The same holds for a
variable over distinct rows all of whose columns are equated: the term keeps the condition that they occur.
(How QED, PVLDB 2024, section 5.2, drops a summation variable; after UDP, PVLDB 2018.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice, product
from typing import TypeVar

from equiv.algebra import terms as t
from equiv.algebra.world import World
from equiv.facts import Fact
from equiv.names import fold, folded
from equiv.proof.rewrite import PlaceIn, rewrite
from equiv.proof.rewrites.lookups import found_row, is_found
from equiv.proof.rewrites.ranged import Ranged, rows_equal_to, variables, where_exists
from equiv.proof.rewrites.scalars.comparisons import is_exact, same_constant
from equiv.proof.rewrites.scope import ConditionOf, Scope, in_order, shape

_N = TypeVar("_N", bound=t.Node)


class EqualityClasses:
    """A partition of expressions, by structure."""

    def __init__(self) -> None:
        self._of: dict[t.Expression, list[t.Expression]] = {}

    def unite(self, left: t.Expression, right: t.Expression) -> None:
        """Merge the classes of two expressions."""
        one, two = self.of(left), self.of(right)
        if one is not two:
            one += two
            for each in two:
                self._of[each] = one

    def of(self, expression: t.Expression) -> list[t.Expression]:
        """The class of an expression, in the order of uniting."""
        return self._of.setdefault(expression, [expression])

    def all(self) -> list[list[t.Expression]]:
        """The classes of two members or more."""
        found = {id(members): members for members in self._of.values() if len(members) > 1}
        return list(found.values())


def equal_values(conditions: Iterable[t.Expression]) -> EqualityClasses:
    """Classes of values that are equal by ``=``, none NULL, if the conditions are true."""
    classes = EqualityClasses()
    for condition in conditions:
        match condition:
            case t.Compare("=", left, right):
                classes.unite(left, right)
    return classes


def contradicts(classes: EqualityClasses) -> bool:
    """Whether some class holds two different constants, so that the conditions cannot all be true."""
    for members in classes.all():
        constants = [each for each in members if isinstance(each, t.Constant) and is_exact(each)]
        if any(not same_constant(constants[0], other) for other in constants[1:]):
            return True
    return False


@rewrite(on=t.Term, keeps="bag")
def reject_different_constants(term: t.Term, scope: Scope) -> list[t.Term] | None:
    """Drop a term whose conditions equate two constants that differ.

    Before:  Σ t ∈ a [t.x = 1 and t.x = 2] → (t.y)
    After:   ∅
    Refuse:  1 and 1.0; REAL constants at all
    Sound:   = is transitive, and no value equals both
    """
    return [] if contradicts(equal_values(term.conjuncts)) else None


@dataclass(frozen=True, slots=True)
class Equations(PlaceIn[t.Term]):
    """Conditions of a term that equate values."""

    equations: tuple[t.Compare, ...]
    identical: tuple[Fact, ...] | None
    """Facts by which values that are equal so are identical; None if they may not be."""


def equations(term: t.Term, scope: Scope, equates: Callable[[t.Expression], bool]) -> Iterator[Equations]:
    """The equations among a term's conditions: those of identical values together, then each other one."""
    inside = scope.inside(term)
    identical, others = list[t.Compare](), list[t.Compare]()
    mark = scope.world.open_step()
    for condition in term.conjuncts:
        if isinstance(condition, t.Compare) and equates(condition):
            is_one = inside.are_identical_if_equal(condition.left, condition.right)
            (identical if is_one else others).append(condition)
    facts = scope.world.close_step(mark, is_taken=False)
    if identical:
        yield Equations(term, tuple(identical), facts)
    for other in others:
        yield Equations(term, (other,), None)


def equal_values_are_identical(at: Equations, scope: Scope) -> bool:
    """Whether values that the conditions equate are identical: no function and no output tells them apart."""
    return scope.world.rests_on(at.identical)


def names_value(condition: t.Expression) -> bool:
    """Whether a condition equates a column with another value, without a bag or a choice in it."""
    match condition:
        case t.Compare("=" | "IS", left, right) if left != right and not t.sites(condition):
            names = isinstance(left, t.Field | t.Lookup) or isinstance(right, t.Field | t.Lookup)
            return names and not any(isinstance(node, t.Binding) for node in t.walk(condition))
    return False


@rewrite(
    on=t.Term, keeps="bag", at=partial(equations, equates=names_value), needs=(equal_values_are_identical,)
)
def convert_equals_to_representative(at: Equations, scope: Scope) -> list[t.Term] | None:
    """Replace identical values (equated by the condition) by one representative of their class.

    Before:  Σ t ∈ a, s ∈ b [t.x = s.y and s.y = 1] → (s.y, t.x)
    After:   Σ t ∈ a, s ∈ b [t.x = 1 and s.y = 1] → (1, 1)
    Refuse:  values that may be equal and not identical: 1 and 1.0, 0.0 and -0.0
    Sound:   the equations stay as conjuncts, those of one class each with its representative
    """
    term, classes = at.shown, EqualityClasses()
    for equation in at.equations:
        classes.unite(equation.left, equation.right)
    order = scope.within(term.bindings).shapes
    own = term.bound
    names: dict[t.Expression, t.Expression] = {}
    kept: list[t.Compare] = []
    for members in classes.all():
        chosen = min(members, key=lambda each: _rank(each, own, order))
        strict = any(c.operator == "=" and c.left in members for c in at.equations)
        for each in members:
            if each != chosen:
                kept.append(t.Compare("=" if strict else "IS", each, chosen))
                if isinstance(each, t.Field | t.Lookup) and each not in t.walk(chosen):
                    names[each] = chosen
    changed = _replaced(term, names, at.equations, kept, order)
    return None if changed == term else [changed]


def _replaced(
    term: t.Term,
    names: dict[t.Expression, t.Expression],
    equations: Sequence[t.Compare],
    kept: Sequence[t.Compare],
    order: Mapping[t.Variable, str],
) -> t.Term:
    def each(node: _N) -> _N:
        return _renamed(node, names)

    def inner(node: t.Expression) -> t.Expression:
        # The sides of a kept equation stay, what is below them may change.
        return (
            t.map_children(node, lambda child: _renamed(child, names)) if isinstance(node, t.Lookup) else node
        )

    conditions = [each(part) for part in term.conjuncts if part not in equations]
    sides = [in_order(t.Compare(c.operator, inner(c.left), c.right), order) for c in kept]
    own = term.bound
    outer = {name: chosen for name, chosen in names.items() if not t.free(chosen) & own}
    # A source may not come to mention variables that are bound after it.
    bindings = tuple(_renamed(binding, outer) for binding in term.bindings)
    return t.Term(
        bindings, t.conjunction([*conditions, *sides]), tuple(each(output) for output in term.outputs)
    )


def _renamed(node: _N, names: Mapping[t.Expression, t.Expression]) -> _N:
    """The node with fields and look-ups replaced, outermost first."""
    if isinstance(node, t.Field | t.Lookup) and node in names:
        return names[node]  # type: ignore[return-value]
    return t.map_children(node, lambda child: _renamed(child, names))


def _rank(
    expression: t.Expression, own: set[t.Variable], order: Mapping[t.Variable, str]
) -> tuple[object, ...]:
    """Constants first, then outer values, then small ones, then by name."""
    depends = bool(t.free(expression) & own)
    size = sum(1 for _ in t.walk(expression))
    return (not isinstance(expression, t.Constant), depends, size, shape(expression, order))


@dataclass(frozen=True, slots=True)
class Determination(Ranged):
    """A variable of a term, with the columns that conditions equate with values from outside its row."""

    columns: tuple[str | int, ...]
    values: tuple[t.Expression, ...]
    key: Fact | None
    """The uniqueness of these columns; None if they are no key, or columns of distinct rows."""


def determinations(term: t.Term, scope: Scope) -> Iterator[Determination]:
    """The variables of a term with equated columns, best look-ups first, variables without a key last."""
    classes = equal_values(term.conjuncts)
    inside = scope.inside(term)
    order = inside.shapes
    candidates = [
        way for at in variables(term, t.Scan, t.Squash) for way in _ways(at, classes, order, inside)
    ]
    yield from sorted(candidates, key=lambda way: _preference(way, inside, order))
    fixed = {way.row for way in candidates}
    for at in variables(term, t.Scan):
        if isinstance(at.source, t.Scan) and at.row not in fixed:
            columns = inside.world.table(at.source.table).columns
            values = {c.name: _value(t.Field(at.row, c.name), classes, order) for c in columns}
            known = {name: value for name, value in values.items() if value is not None}
            if known:
                yield Determination(term, at.place, tuple(known), tuple(known.values()), None)


def _ways(
    at: Ranged, classes: EqualityClasses, order: dict[t.Variable, str], scope: Scope
) -> Iterator[Determination]:
    row, source = at.row, at.source
    if isinstance(source, t.Scan):
        for fact in scope.world.facts.keys(source.table):
            columns = _spelt(scope.world, source.table, fact.columns)
            values = [_value(t.Field(row, column), classes, order) for column in columns]
            if len(columns) == len(fact.columns) and None not in values:
                fixed = tuple(v for v in values if v is not None)
                yield Determination(at.shown, at.place, columns, fixed, fact)
    elif isinstance(source, t.Squash) and source.bag.terms and not t.sites(source):
        positions = tuple(range(len(source.bag.terms[0].outputs)))
        values = [_value(t.Field(row, position), classes, order) for position in positions]
        if None not in values:
            fixed = tuple(v for v in values if v is not None)
            yield Determination(at.shown, at.place, positions, fixed, None)


def _spelt(world: World, table: str, columns: Sequence[str]) -> tuple[str, ...]:
    """Columns as the schema spells them, in the order of the schema."""
    found = world.schema.table(table)
    names = folded(columns)
    return tuple(c.name for c in found.columns if fold(c.name) in names) if found else ()


def _value(column: t.Field, classes: EqualityClasses, order: dict[t.Variable, str]) -> t.Expression | None:
    """The value that a column is equated with, canonically chosen, which does not depend on its row."""
    others = [each for each in classes.of(column) if column.row not in t.free(each)]
    if not others:
        return None
    return min(
        others,
        key=lambda each: (not isinstance(each, t.Constant), len(t.free(each)), shape(each, order)),
    )


def _preference(way: Determination, scope: Scope, order: dict[t.Variable, str]) -> tuple[object, ...]:
    """The order of candidates: parents that are surely found first, then by name, key and structure.

    Of distinct rows those of fewer columns come first, which others of more columns may show to be there.
    """
    own = way.shown.bound
    depends = any(t.free(value) & own for value in way.values)
    if way.key is None:
        return (depends, True, order[way.row], len(way.columns), (), "")
    names = tuple(str(column) for column in way.columns)
    sure = is_found(order[way.row], names, way.values, scope)
    values = ",".join(shape(value, order) for value in way.values)
    return (depends, not sure, order[way.row], len(names), names, values)


def is_row_of_table(way: Determination) -> bool:
    """Whether the variable ranges over a table."""
    return isinstance(way.source, t.Scan)


def columns_are_unique(way: Determination, scope: Scope) -> bool:
    """Whether the columns are a unique key of the table."""
    scope.world.use((way.key,) if way.key is not None else ())
    return way.key is not None


@rewrite(on=t.Binding, keeps="bag", shape=(is_row_of_table,), needs=(columns_are_unique,))
def convert_determined_row_to_lookup(way: Determination, scope: Scope) -> list[t.Term] | None:
    """Replace a variable whose key is fixed by a look-up by that key.

    Before:  Σ t ∈ a, s ∈ b [s.a_id = t.id] → (t.x)
    After:   Σ s ∈ b [a[id = s.a_id] ≠ ∅] → (a[id = s.a_id].x)
    Refuse:  the columns are not unique, or the values depend on the row itself
    Sound:   at most one row meets the equations; where there is none, the term has no row for this choice
    """
    inside = scope.inside(way.shown)
    assert isinstance(way.source, t.Scan)
    table = way.source.table
    names = tuple(str(column) for column in way.columns)
    fixed = dict(zip(names, way.values, strict=True))
    copies = scope.world.names.copy_of

    def each(field: t.Field) -> t.Expression:
        if field.row != way.row:
            return field
        value = fixed.get(str(field.column))
        if value is not None and inside.are_identical_if_equal(field, value):
            return copies(value)
        return t.Lookup(table, names, tuple(map(copies, way.values)), str(field.column))

    return way.exchanged(each, t.Found(table, names, way.values))


def is_distinct_row(way: Determination) -> bool:
    """Whether the variable ranges over distinct rows."""
    return isinstance(way.source, t.Squash)


def values_are_identical_to_columns(way: Determination, scope: Scope) -> bool:
    """Whether a value that equals a column is that value."""
    inside = scope.inside(way.shown)
    pairs = zip(way.columns, way.values, strict=True)
    return all(inside.are_identical_if_equal(t.Field(way.row, column), value) for column, value in pairs)


@rewrite(on=t.Binding, keeps="bag", shape=(is_distinct_row,), needs=(values_are_identical_to_columns,))
def convert_determined_distinct_to_exists(way: Determination, scope: Scope) -> list[t.Term] | None:
    """Replace a variable over a DISTINCT source by EXISTS where all its columns are equated.

    Before:  Σ r ∈ distinct(Σ t ∈ a → (t.x)), s ∈ b [r.#1 = s.y] → (r.#1)
    After:   Σ s ∈ b [(∃ t ∈ a [t.x = s.y])] → (s.y)
    Refuse:  a column without an equation; values that are equal but not identical, as 1 and 1.0
    Sound:   exactly one distinct row has these values, if one has; it has where the other rows show it
    """
    fixed = dict(zip(way.columns, way.values, strict=True))
    wanted = rows_equal_to(way.bag, way.values, scope, "=")
    left = way.exchanged(
        lambda field: scope.world.names.copy_of(fixed[field.column]) if field.row == way.row else field
    )
    return left and [where_exists(term, wanted, scope) for term in left]


DETERMINED = (convert_determined_row_to_lookup, convert_determined_distinct_to_exists)
"""Rewrites of a variable whose row is determined."""


MAX_SPELLINGS = 16
"""How many ways to say the key of one look-up are tried."""


def row_is_not_read(at: ConditionOf[t.Found]) -> bool:
    """Whether no column of the row is read."""
    return not _is_read(at.part, [*at.others, *at.shown.outputs])


def row_is_found_by_equal_values(at: ConditionOf[t.Found], scope: Scope) -> bool:
    """Whether the row is there by values that the other conditions equate with its key's."""
    others = at.others
    inside = scope.within(at.shown.bindings, others)
    with scope.world.aside():
        return any(found_row(spelt, inside) == t.TRUE for spelt in _spellings(at.part, others))


@rewrite(on=t.Term, keeps="bag", shape=(row_is_not_read,), needs=(row_is_found_by_equal_values,))
def eliminate_implied_lookup(at: ConditionOf[t.Found], scope: Scope) -> t.Term | None:
    """Drop the condition that a parent is found, where a child row with a foreign key to it is joined.

    Before:  Σ s ∈ b [a[id = 1] ≠ ∅ and s.a_id = 1] → (s.y)
    After:   Σ s ∈ b [s.a_id = 1] → (s.y)
    Refuse:  the foreign key may be NULL here; or a column of the parent is read
    Sound:   values in one class of = are equal by = and not NULL where the other conditions are true, so that
             one of them finds a row of the parent just if the others do
    """
    return at.shown.where(at.others)


def without_implied_lookups(term: t.Term, scope: Scope) -> t.Term:
    """The term without the conditions "a row is found" that its other conditions imply."""
    for part in term.conjuncts:
        if isinstance(part, t.Found):
            term = eliminate_implied_lookup(ConditionOf(term, part), scope) or term
    return term


def _is_read(node: t.Found, nodes: Sequence[t.Node]) -> bool:
    """Whether a column of the row is read somewhere."""
    wanted = t.alpha(node)
    lookups = (inner for each in nodes for inner in t.walk(each) if isinstance(inner, t.Lookup))
    return any(t.alpha(t.Found(each.table, each.key, each.values)) == wanted for each in lookups)


def _spellings(node: t.Found, conditions: Sequence[t.Expression]) -> Iterator[t.Found]:
    """The look-up by other values that the conditions equate with its own."""
    classes = equal_values(conditions)
    ways = product(*(classes.of(value) for value in node.values))
    return (t.Found(node.table, node.key, values) for values in islice(ways, MAX_SPELLINGS))
