"""Variables over distinct rows, their redundant columns, and the term that stays when one is rewritten.

All that is done with such a variable needs that equal values of an output are one value, for else DISTINCT
chooses between 1 and 1.0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from equiv.algebra import terms as t
from equiv.facts import Fact
from equiv.names import fold, folded
from equiv.proof.rewrite import rewrite
from equiv.proof.rewrites.ranged import Ranged, variables
from equiv.proof.rewrites.rows.sources import is_definite
from equiv.proof.rewrites.scalars.simplify import value
from equiv.proof.rewrites.scope import Scope

TableRow = t.Variable | t.Lookup
"""A row of a table: that of a variable, or of a look-up whose column does not count."""


@dataclass(frozen=True, slots=True)
class FixedColumns:
    """Columns of a DISTINCT source that conditions of the term equate with values from outside the source."""

    columns: dict[int, tuple[t.Expression, t.Compare]]
    """Each with the condition, and the comparison that it is."""
    are_identical: bool
    """Whether a value that equals such a column is that value."""


def fixed_columns(at: Ranged, scope: Scope) -> FixedColumns | None:
    """The fixed columns of a DISTINCT source, identical ones if any; None if none or all are fixed."""
    term, own = at.shown, at.shown.bound
    inside = scope.inside(term)
    fixed: dict[int, tuple[t.Expression, t.Compare]] = {}
    others: dict[int, tuple[t.Expression, t.Compare]] = {}
    for part in term.conjuncts:
        column_and_comparison = _fixed(part, at.row, own)
        if column_and_comparison is not None and column_and_comparison[0] not in fixed:
            column, comparison = column_and_comparison
            is_one = inside.are_identical_if_equal(comparison.left, comparison.right)
            (fixed if is_one else others)[column] = (part, comparison)
    columns = fixed or others
    width = len(at.bag.terms[0].outputs)
    return FixedColumns(columns, bool(fixed)) if 0 < len(columns) < width else None


def with_fixed_columns(at: Ranged, found: FixedColumns, scope: Scope) -> t.Term:
    """The term with conditions on fixed columns pushed into a DISTINCT source, which loses these columns."""
    used = [part for part, _ in found.columns.values()]
    claims = {column: comparison for column, (_, comparison) in found.columns.items()}
    others = [part for part in at.shown.conjuncts if not any(part is each for each in used)]
    said = Ranged(at.shown.where([*others, *claims.values()]), at.place)
    inside = Ranged(said.with_conditions_inside(claims.values(), scope), at.place)
    return inside.without_columns({column: each.right for column, each in claims.items()}, scope)


def _fixed(part: t.Expression, row: t.Variable, own: set[t.Variable]) -> tuple[int, t.Compare] | None:
    """The column that a condition equates with a value from outside the term, and the comparison."""
    match part:
        case t.Compare("=" | "IS", t.Field(variable, int() as at) as field, value) if variable == row:
            pass
        case t.Compare("=" | "IS", value, t.Field(variable, int() as at) as field) if variable == row:
            pass
        case _:
            return None
    if t.free(value) & own or t.sites(value):
        return None
    return at, t.Compare(part.operator, field, value)


@dataclass(frozen=True, slots=True)
class LookedUpColumn:
    """A column of a DISTINCT source that, in some term of it, a key among the other columns determines."""

    place: int
    way: t.Lookup
    """The column as looked up by that key."""
    key: Fact
    is_so_in_each_term: bool


def looked_up_column(at: Ranged, scope: Scope) -> LookedUpColumn | None:
    """The first column that is looked up by others in each term; if there is none, in one term."""
    row, terms = at.row, at.bag.terms
    insides = [at.around(scope).within(each.bindings, each.conjuncts) for each in terms]
    other: LookedUpColumn | None = None
    for column, way, fact in _ways(terms, insides, row):
        if all(_is_output(way, column, row, *each) for each in zip(terms, insides, strict=True)):
            return LookedUpColumn(column, way, fact, is_so_in_each_term=True)
        other = other or LookedUpColumn(column, way, fact, is_so_in_each_term=False)
    return other


def _ways(
    terms: Sequence[t.Term], insides: Sequence[Scope], row: t.Variable
) -> Iterator[tuple[int, t.Lookup, Fact]]:
    """Columns of a row whose smallest key is among the columns too, each as looked up by that key."""
    for term, inside in zip(terms, insides, strict=True):
        for owner, table in _rows(term, inside):
            outputs = reversed(list(enumerate(term.outputs)))
            columns = {_column(output): at for at, output in outputs if _row(output) == owner}
            found = _key_among(table, columns, inside)
            if found is not None:
                fact, names = found
                values = tuple(t.Field(row, columns[name]) for name in names)
                for name, at in columns.items():
                    if name not in names:
                        yield at, t.Lookup(table, names, values, name), fact


def _is_output(way: t.Lookup, at: int, row: t.Variable, term: t.Term, inside: Scope) -> bool:
    """Whether what is looked up by some columns of a term's rows is another one of them."""
    placed = t.substitute(way, lambda f: term.outputs[int(f.column)] if f.row == row else f)
    return t.alpha(value(placed, inside)) == t.alpha(value(term.outputs[at], inside))


def _row(output: t.Expression) -> TableRow | None:
    match output:
        case t.Field(row, str()):
            return row
        case t.Lookup(table, key, values):
            return t.Lookup(table, key, values, "")
    return None


def _column(output: t.Expression) -> str:
    assert isinstance(output, t.Field | t.Lookup)
    return str(output.column)


def _rows(inner: t.Term, scope: Scope) -> list[tuple[TableRow, str]]:
    """The rows of which several columns are put out, each with its table."""
    found: list[tuple[TableRow, str]] = []
    owners = [owner for output in inner.outputs if (owner := _row(output)) is not None]
    for owner in dict.fromkeys(owners):
        table = _table(owner, scope)
        if table and owners.count(owner) > 1:
            found.append((owner, table))
    return found


def _table(owner: TableRow, scope: Scope) -> str:
    """The table of a row; '' if it is that of a derived one, or chosen."""
    if isinstance(owner, t.Lookup):
        return "" if t.sites(owner) else owner.table
    source = scope.sources.get(owner)
    return source.table if isinstance(source, t.Scan) else ""


def _key_among(table: str, columns: Mapping[str, int], scope: Scope) -> tuple[Fact, tuple[str, ...]] | None:
    """The smallest key of a table all of whose columns are there."""
    world = scope.world
    for fact in sorted(world.facts.keys(table), key=lambda f: (len(f.columns), f.columns)):
        wanted = folded(fact.columns)
        names = tuple(column.name for column in world.table(table).columns if fold(column.name) in wanted)
        if len(names) == len(fact.columns) and set(names) < columns.keys():
            return fact, names
    return None


@dataclass(frozen=True)
class Distinct(Ranged):
    """A variable of a term over a DISTINCT source, and the table that could replace the source, if any."""

    scope: Scope
    """The scope around the term."""
    definite: tuple[Fact, ...] | None
    """Facts by which rows that are equal are identical; None if they may not be."""
    instead: t.Binding | None = None
    key: tuple[str, ...] = ()
    """The key of that table that the columns of the distinct rows are."""
    unique: Fact | None = None
    """That it is one."""

    @cached_property
    def fixed(self) -> FixedColumns | None:
        """Columns that the term equates with values from outside."""
        return fixed_columns(self, self.scope)

    @cached_property
    def echoed(self) -> tuple[int, t.Field] | None:
        """A column that the term equates with a value from around which the source reads, and that value."""
        own = [binding for each in self.bag.terms for binding in each.bindings]
        for part in self.shown.conjuncts:
            if isinstance(part, t.Compare) and part.operator in ("=", "IS"):
                for column, value in ((part.left, part.right), (part.right, part.left)):
                    match column, value:
                        case t.Field(row, int() as at), t.Field() if row == self.row and value.row != row:
                            fixed = (*own, *(each.outputs[at] for each in self.bag.terms))
                            if value in t.walk(self.bag) and not any(value in t.walk(each) for each in fixed):
                                return at, value
        return None

    @cached_property
    def looked_up(self) -> LookedUpColumn | None:
        """A column that may be looked up by others."""
        return looked_up_column(self, self.scope)


def distinct_variables(term: t.Term, scope: Scope) -> Iterator[Distinct]:
    """The variables of a term over distinct rows, each then with the tables that may take its place."""
    for each in variables(term, t.Squash):
        mark = scope.world.open_step()
        definite = is_definite(each.bag, each.around(scope))
        facts = scope.world.close_step(mark, is_taken=False)
        yield (at := Distinct(term, each.place, scope, facts if definite else None))
        if definite:
            for table, names, fact in _keys(len(at.bag.terms[0].outputs), scope):
                new = t.Binding(scope.world.names.variable(table), t.Scan(table))
                yield replace(at, instead=new, key=names, unique=fact)


def is_alone(at: Distinct) -> bool:
    """Whether no table is to take its place."""
    return at.instead is None


def is_of_one_term(at: Distinct) -> bool:
    """Whether the distinct rows are those of one term."""
    return len(at.bag.terms) == 1


def distinct_has_no_choice(at: Distinct, scope: Scope) -> bool:
    """Whether equal rows are identical, so that DISTINCT does not choose between 1 and 1.0."""
    return scope.world.rests_on(at.definite)


def _keys(width: int, scope: Scope) -> list[tuple[str, tuple[str, ...], Fact]]:
    """Tables and keys of so many columns, in a canonical order, each with its fact."""
    world = scope.world
    found = {
        (table.name, tuple(world.column(table.name, name).name for name in fact.columns)): fact
        for table in reversed(world.schema.tables)
        for fact in reversed(world.facts.keys(table.name))
        if len(fact.columns) == width
    }
    return [(*key, found[key]) for key in sorted(found)]


def reads_a_value_equated_with_a_column(at: Distinct) -> bool:
    """Whether the rows read a value from around that a condition equates with one of their columns."""
    return at.instead is None and at.echoed is not None


def value_is_identical_to_column(at: Distinct, scope: Scope) -> bool:
    """Whether the value is identical to each value that equals it."""
    assert at.echoed is not None
    column, value = at.echoed
    return scope.inside(at.shown).are_identical_if_equal(t.Field(at.row, column), value)


@rewrite(
    on=t.Binding,
    keeps="bag",
    shape=(reads_a_value_equated_with_a_column,),
    needs=(distinct_has_no_choice, value_is_identical_to_column),
)
def convert_outer_value_to_column(at: Distinct, scope: Scope) -> list[t.Term] | None:
    """Within distinct rows, read the column that equals a value from around instead of that value.

    Before:  Σ s ∈ b, r ∈ distinct(Σ t ∈ a → (t.x, t.y + s.z)) [r.#1 = s.z] → (r.#2)
    After:   Σ s ∈ b, r ∈ distinct(Σ t ∈ a → (t.x, t.y + t.x)) [r.#1 = s.z] → (r.#2)
    Refuse:  a column computed from the value; values that may be equal and not identical: 1 and 1.0
    Sound:   rows whose column is the value stay as they are; the others keep their column, and are left out
    """
    if at.echoed is None:
        return None
    column, value = at.echoed

    def own(inner: t.Term) -> t.Term:
        def each(field: t.Field) -> t.Expression:
            return scope.world.names.copy_of(inner.outputs[column]) if field == value else field

        outputs = tuple(t.substitute(output, each) for output in inner.outputs)
        return t.Term(inner.bindings, t.substitute(inner.condition, each), outputs)

    return [at.over_source(t.Squash(t.Bag(tuple(map(own, at.bag.terms)))))]
