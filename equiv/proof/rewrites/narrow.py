"""Distinct rows with fewer columns: less those fixed outside, or determined by a key among the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from equiv.algebra.terms import (
    Bag,
    Binding,
    Compare,
    Expression,
    Field,
    Lookup,
    Scan,
    Squash,
    Term,
    Variable,
    conjunction,
    conjuncts,
    free,
    sites,
    substitute,
)
from equiv.facts import Fact
from equiv.proof.rewrites.scope import Scope

Row = Variable | Lookup
"""A row of a table: that of a variable, or of a look-up whose column does not count."""


def with_fixed_columns(term: Term, place: int, source: Squash, scope: Scope) -> Term | None:
    """A condition that fixes a column of distinct rows moved in among what makes them; the column goes.

    Before:  SELECT … FROM (SELECT DISTINCT job, dept FROM emp) d WHERE d.dept = 10
    After:   SELECT … FROM (SELECT DISTINCT job FROM emp WHERE dept = 10) d
    Refuse:  d.dept = 10 and dept may hold 10.0, which a function can tell from 10
    Sound:   of the distinct rows those remain whose column is that one value: they differ in the others
    """
    row = term.bindings[place].row
    own = {binding.row for binding in term.bindings}
    inside = scope.within(term.bindings, conjuncts(term.condition))
    fixed: dict[int, Compare] = {}
    rest: list[Expression] = []
    for part in conjuncts(term.condition):
        found = _fixed(part, row, own, inside)
        if found is None or found[0] in fixed:
            rest.append(part)
        else:
            fixed[found[0]] = found[1]
    width = len(source.bag.terms[0].outputs)
    if not fixed or len(fixed) == width:
        return None
    kept = [at for at in range(width) if at not in fixed]
    terms = tuple(_restricted(inner, fixed, kept, scope) for inner in source.bag.terms)
    fields: dict[int, Expression] = {old: Field(row, at) for at, old in enumerate(kept)}
    fields |= {at: comparison.right for at, comparison in fixed.items()}
    changed = Term(term.bindings, conjunction(rest), term.outputs)
    return _replaced(changed, place, Squash(Bag(terms)), fields, scope)


def _fixed(part: Expression, row: Variable, own: set[Variable], scope: Scope) -> tuple[int, Compare] | None:
    """The column that a condition equates with a value from outside the term, and the comparison."""
    match part:
        case Compare("=" | "IS", Field(variable, int() as at) as field, value) if variable == row:
            pass
        case Compare("=" | "IS", value, Field(variable, int() as at) as field) if variable == row:
            pass
        case _:
            return None
    if free(value) & own or sites(value) or not scope.are_identical_if_equal(field, value):
        return None
    return at, Compare(part.operator, field, value)


def _restricted(inner: Term, fixed: Mapping[int, Compare], kept: Sequence[int], scope: Scope) -> Term:
    copies = scope.world.names.copy_of
    claims = [
        Compare(comparison.operator, inner.outputs[at], copies(comparison.right))
        for at, comparison in fixed.items()
    ]
    condition = conjunction([*conjuncts(inner.condition), *claims])
    return Term(inner.bindings, condition, tuple(inner.outputs[at] for at in kept))


def without_determined_columns(term: Term, place: int, source: Squash, scope: Scope) -> Term | None:
    """Columns of distinct rows dropped that belong to one row of a table of which a key is among the columns.

    Before:  SELECT … FROM (SELECT DISTINCT d.id, d.name FROM emp e JOIN dept d ON d.id = e.dept) g
    After:   SELECT …, dept[id = g.id].name FROM (SELECT DISTINCT d.id FROM …) g
    Refuse:  the key is UNIQUE and may be NULL: two rows with a NULL key may have two names
    Sound:   equal keys that are not NULL are keys of one row; of a look-up that finds nothing all columns are
             NULL, as those that a NULL looks up
    """
    if len(source.bag.terms) != 1:
        return None
    (inner,) = source.bag.terms
    inside = scope.within((*term.bindings[:place], *inner.bindings), conjuncts(inner.condition))
    row = term.bindings[place].row
    for owner, table in _rows(inner, inside):
        columns = {_column(o): at for at, o in reversed(list(enumerate(inner.outputs))) if _row(o) == owner}
        found = _key_among(owner, table, columns, inside)
        if found is None:
            continue
        fact, names = found
        lost = {at: name for name, at in columns.items() if name not in names}
        scope.world.use((fact,))
        kept = [at for at in range(len(inner.outputs)) if at not in lost]
        fields: dict[int, Expression] = {old: Field(row, at) for at, old in enumerate(kept)}
        values = tuple(fields[columns[name]] for name in names)
        fields |= {at: Lookup(table, names, values, name) for at, name in lost.items()}
        bag = Bag((Term(inner.bindings, inner.condition, tuple(inner.outputs[at] for at in kept)),))
        return _replaced(term, place, Squash(bag), fields, scope)
    return None


def _row(output: Expression) -> Row | None:
    match output:
        case Field(row, str()):
            return row
        case Lookup(table, key, values):
            return Lookup(table, key, values, "")
    return None


def _column(output: Expression) -> str:
    assert isinstance(output, Field | Lookup)
    return str(output.column)


def _rows(inner: Term, scope: Scope) -> list[tuple[Row, str]]:
    """The rows of which several columns are put out, each with its table."""
    found: list[tuple[Row, str]] = []
    owners = [owner for output in inner.outputs if (owner := _row(output)) is not None]
    for owner in dict.fromkeys(owners):
        table = _table(owner, scope)
        if table and owners.count(owner) > 1:
            found.append((owner, table))
    return found


def _table(owner: Row, scope: Scope) -> str:
    """The table of a row; '' if it is that of a derived one, or chosen."""
    if isinstance(owner, Lookup):
        return "" if sites(owner) else owner.table
    source = scope.sources.get(owner)
    return source.table if isinstance(source, Scan) else ""


def _key_among(
    owner: Row, table: str, columns: Mapping[str, int], scope: Scope
) -> tuple[Fact, tuple[str, ...]] | None:
    """The first key of a table all of whose columns are there, none of them NULL if the row is there."""
    world = scope.world
    for fact in sorted(world.facts.keys(table), key=lambda f: (len(f.columns), f.columns)):
        names = tuple(c.name for c in world.table(table).columns if c.name.lower() in _lower(fact.columns))
        if len(names) != len(fact.columns) or not set(names) < columns.keys():
            continue
        fields = [Field(owner, name) for name in names] if isinstance(owner, Variable) else []
        by_row = fields and all(map(scope.never_null, fields))
        if by_row or all(scope.never_null_column(table, name) for name in names):
            return fact, names
    return None


def _lower(names: Sequence[str]) -> set[str]:
    return {name.lower() for name in names}


def _replaced(term: Term, place: int, source: Squash, fields: Mapping[int, Expression], scope: Scope) -> Term:
    """The term with a source replaced and the fields of its variable by expressions."""
    row = term.bindings[place].row

    def each(field: Field) -> Expression:
        if field.row != row or not isinstance(field.column, int):
            return field
        return scope.world.names.copy_of(fields[field.column])

    later = tuple(substitute(binding, each) for binding in term.bindings[place + 1 :])
    bindings = (*term.bindings[:place], Binding(row, source), *later)
    outputs = tuple(substitute(output, each) for output in term.outputs)
    return Term(bindings, substitute(term.condition, each), outputs)
