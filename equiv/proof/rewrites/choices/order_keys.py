"""Orders and columns of a choice: redundant sort keys, OFFSET as conditions, and outputs reduced to keys.

Keys that are constants, repetitions, or only order equal rows go.  OFFSET is a condition on the number of
rows, or on the values that sort before.  The outputs of a choice are keys and columns of the chosen row;
expressions are computed outside.  Columns of distinct sources, which have names only, and of results stand in
canonical order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, permutations

from equiv.algebra import terms as t
from equiv.algebra.correspondences import ATOMS
from equiv.algebra.translate.comparison import before
from equiv.algebra.world import World
from equiv.proof.rewrite import PlaceIn, Surroundings, rewrite
from equiv.proof.rewrites.scope import Scope

MAX_PERMUTATIONS = 24
"""How many orders of the columns of a result are tried."""


def print_of(expression: t.Expression) -> str:
    """The text of an expression in which labels stand for variables, so that their numbers do not count."""
    return repr(t.alpha(t.substitute(expression, lambda f: t.Constant("text", f"{f.row.label}.{f.column}"))))


def with_sorted_columns(answer: t.Answer) -> t.Answer:
    """The answer with the columns of every distinct source in canonical order.

    Left as it is if a variable stands for distinct sources that want several orders.
    """
    orders: dict[t.Variable, Mapping[int, int]] = {}
    clashes: set[t.Variable] = set()

    def each(node: t.Node) -> t.Node:
        changed = t.map_children(node, each)
        if isinstance(changed, t.Binding) and isinstance(changed.source, t.Squash):
            order = _order(changed.source.bag)
            places = {old: new for new, old in enumerate(order)}
            if orders.setdefault(changed.row, places) != places:
                clashes.add(changed.row)
            return t.Binding(changed.row, t.Squash(_reordered(changed.source.bag, order)))
        return changed

    sorted_answer = each(answer)
    assert isinstance(sorted_answer, t.Answer)
    if clashes:
        return answer

    def moved(field: t.Field) -> t.Expression:
        if field.row in orders and isinstance(field.column, int):
            return t.Field(field.row, orders[field.row][field.column])
        return field

    return t.substitute(sorted_answer, moved)


def _order(bag: t.Bag) -> list[int]:
    width = len(bag.terms[0].outputs) if bag.terms else 0
    prints = [tuple(print_of(term.outputs[n]) for term in bag.terms) for n in range(width)]
    return sorted(range(width), key=lambda n: prints[n])


def _reordered(bag: t.Bag, order: Sequence[int]) -> t.Bag:
    terms = (
        t.Term(each.bindings, each.condition, tuple(each.outputs[n] for n in order)) for each in bag.terms
    )
    return t.Bag(tuple(terms))


def reorderings(pred: t.Answer, gold: t.Answer) -> Iterator[tuple[tuple[int, ...], t.Answer]]:
    """The gold answer with its visible columns permuted, the order most like the prediction's first."""
    if pred.visible != gold.visible:
        return
    if not pred.bag.terms or not gold.bag.terms:
        yield tuple(range(gold.visible)), gold
        return
    mine = [print_of(output) for output in pred.bag.terms[0].outputs[: pred.visible]]
    theirs = [print_of(output) for output in gold.bag.terms[0].outputs[: gold.visible]]
    orders = list(islice(permutations(range(gold.visible)), 5040))
    orders.sort(key=lambda order: -sum(mine[n] == theirs[old] for n, old in enumerate(order)))
    for order in orders[:MAX_PERMUTATIONS]:
        keys = range(gold.visible, gold.visible + len(gold.directions))
        bag = _reordered(gold.bag, [*order, *keys])
        yield order, t.Answer(bag, gold.visible, gold.directions, gold.limit, gold.offset)


@rewrite(on=t.Term, keeps="answers")
def reduce_choice_to_keys(term: t.Term, scope: Surroundings) -> t.Term | None:
    """Let a choice hand on keys and columns of the rows below, not values computed from them.

    Before:  Σ r ∈ (Σ t ∈ a → (t.x + 1) | t.y; rows 1 to 1) → (r.#1)
    After:   Σ r ∈ (Σ t ∈ a → (t.id) | t.y; rows 1 to 1) → (a[id = r.#1].x + 1)
    Refuse:  a choice over several terms; a table without a strict key hands on the columns themselves
    Sound:   which rows are chosen does not depend on what is computed from them
    """
    world = scope.world
    changes: dict[t.Field, t.Expression] = {}
    bindings = []
    for binding in term.bindings:
        narrowed = _narrowed(term, binding, world)
        if narrowed is None:
            bindings.append(binding)
            continue
        source, outputs = narrowed
        bindings.append(t.Binding(binding.row, source))
        changes |= {t.Field(binding.row, n): output for n, output in outputs.items()}
    if not changes:
        return None
    return t.substitute(replace(term, bindings=tuple(bindings)), lambda f: changes.get(f, f))


def _narrowed(
    term: t.Term, binding: t.Binding, world: World
) -> tuple[t.Limited, dict[int, t.Expression]] | None:
    """A choice of leaves, and what is read of its columns in terms of them; None if it is one of leaves."""
    source = binding.source
    if not isinstance(source, t.Limited) or len(source.bag.terms) != 1:
        return None
    inner = source.bag.terms[0]
    read = sorted({int(f.column) for f in t.walk(term) if isinstance(f, t.Field) and f.row == binding.row})
    leaves = _Leaves(binding.row, {b.row: b.source for b in inner.bindings}, world)
    outputs = {column: leaves.over(inner.outputs[column]) for column in read}
    ordered = sorted(leaves.found, key=print_of)
    if ordered == list(inner.outputs[: source.visible]):
        return None
    moved = {leaves.found[leaf]: place for place, leaf in enumerate(ordered)}

    def place(field: t.Field) -> t.Expression:
        return t.Field(field.row, moved[int(field.column)]) if field.row == binding.row else field

    bag = t.Bag((replace(inner, outputs=(*ordered, *inner.outputs[source.visible :])),))
    fields = {column: t.substitute(output, place) for column, output in outputs.items()}
    return replace(source, bag=bag, visible=len(ordered)), fields


class _Leaves:
    """The outputs of a choice that suffice to compute some expressions outside it."""

    def __init__(self, row: t.Variable, sources: Mapping[t.Variable, t.Source], world: World) -> None:
        self.row = row
        self.sources = sources
        self.world = world
        self.found: dict[t.Expression, int] = {}

    def over(self, expression: t.Expression) -> t.Expression:
        """The expression over the row that is handed on."""

        def each(node: t.Node) -> t.Node:
            if isinstance(node, t.Field) and node.row in self.sources:
                return self._column(node)
            if isinstance(node, ATOMS) and t.free(node) & set(self.sources):
                return self._leaf(node)
            return t.map_children(node, each)

        return each(expression)  # type: ignore[return-value]

    def _leaf(self, node: t.Expression) -> t.Field:
        return t.Field(self.row, self.found.setdefault(node, len(self.found)))

    def _column(self, field: t.Field) -> t.Expression:
        """A column, by the key of its table if there is one that is never NULL."""
        source = self.sources[field.row]
        if not isinstance(source, t.Scan):
            return self._leaf(field)
        columns = [column.name for column in self.world.table(source.table).columns]
        key = self.world.facts.strict_key(source.table, columns)
        if key is None or field.column in key[0].columns:
            return self._leaf(field)
        self.world.use(key)
        values = tuple(self._leaf(t.Field(field.row, column)) for column in key[0].columns)
        return t.Lookup(source.table, key[0].columns, values, str(field.column))


@dataclass(frozen=True, slots=True)
class Ordered(PlaceIn[t.Bag]):
    """A bag whose last outputs are the keys of an order."""

    visible: int
    directions: tuple[t.Direction, ...]


@rewrite(on=t.Bag, keeps="answers")
def eliminate_idle_order_key(rows: Ordered, scope: Scope) -> Ordered | None:
    """Drop sort keys that decide nothing: constants, and repetitions of an earlier key.

    Before:  Σ t ∈ a → (t.x) in the order of t.y, 1, t.y
    After:   Σ t ∈ a → (t.x) in the order of t.y
    Refuse:  a key that is constant in each of several terms, but not the same
    Sound:   rows that tie on the keys before tie on such a key as well
    """
    bag, visible, directions = rows.shown, rows.visible, rows.directions
    kept: list[int] = []
    for place in range(visible, visible + len(directions)):
        columns = [[term.outputs[n] for term in bag.terms] for n in (*kept, place)]
        constant = len(set(columns[-1])) <= 1 and all(isinstance(e, t.Constant) for e in columns[-1])
        if not constant and columns[-1] not in columns[:-1]:
            kept.append(place)
    return None if len(kept) == len(directions) else _sorted_by(rows, kept)


def _sorted_by(rows: Ordered, kept: Sequence[int]) -> Ordered:
    """The rows sorted by some of their keys, given as places among the outputs."""
    terms = tuple(
        t.Term(
            term.bindings, term.condition, (*term.outputs[: rows.visible], *(term.outputs[n] for n in kept))
        )
        for term in rows.shown.terms
    )
    return Ordered(t.Bag(terms), rows.visible, tuple(rows.directions[n - rows.visible] for n in kept))


def has_keys_behind_outputs(rows: Ordered) -> bool:
    """Whether each output is a key, with other keys after them all."""
    return _telling(rows) is not None


def tied_rows_look_alike(rows: Ordered, scope: Scope) -> bool:
    """Whether values of an output that sort as equal are identical."""
    inside = scope.within([binding for term in rows.shown.terms for binding in term.bindings])
    return all(inside.are_identical_if_equal(*_column(rows.shown, place)) for place in _open(rows))


@rewrite(on=t.Bag, keeps="answers", shape=(has_keys_behind_outputs,), needs=(tied_rows_look_alike,))
def eliminate_key_behind_outputs(rows: Ordered, scope: Scope) -> Ordered | None:
    """Drop sort keys behind all outputs: they only order rows whose outputs are equal.

    Before:  Σ t ∈ a → (t.x) in the order of t.x, t.y
    After:   Σ t ∈ a → (t.x) in the order of t.x
    Refuse:  an output that is not a key before; 1 and 1.0 in it, which tie and do not look alike
    Sound:   rows that tie on the keys before are one and the same row to whoever reads them, so that neither
             their order nor which of them a LIMIT takes can be seen
    """
    number = _telling(rows)
    return None if number is None else _sorted_by(rows, range(rows.visible, rows.visible + number))


def _telling(rows: Ordered) -> int | None:
    """How many keys there are up to where each output is one, if there are others behind."""
    outputs = [_named(rows.shown, n) for n in _open(rows)]
    keys = [_named(rows.shown, rows.visible + n) for n in range(len(rows.directions))]
    return next((n for n in range(len(keys)) if all(output in keys[:n] for output in outputs)), None)


@rewrite(on=t.Bag, keeps="answers")
def eliminate_key_behind_partition(rows: Ordered, scope: Scope) -> Ordered | None:
    """Drop sort keys behind those that distinguish the partitions of each of which one row is left.

    Before:  Σ r ∈ (numbered Σ t ∈ a → (t.x, t.y | t.x) by t.y) [r.#3 = 1] → (r.#1) in the order of r.#1, r.#2
    After:   Σ r ∈ (numbered Σ t ∈ a → (t.x, t.y | t.x) by t.y) [r.#3 = 1] → (r.#1) in the order of r.#1
    Refuse:  another number than a single one; a partition by more than the keys before; other rows beside
    Sound:   no two rows tie on the keys before
    """
    match rows.shown.terms:
        case (t.Term((t.Binding(row, t.Numbered() as numbered),), condition, outputs),):
            number = t.Field(row, numbered.visible)
            is_single = any(
                isinstance(part, t.Compare)
                and part.operator == "="
                and number in (part.left, part.right)
                and t.integer(1) in (part.left, part.right)
                for part in t.conjuncts(condition)
            )
            if not is_single:
                return None
            keys = outputs[rows.visible :]
            parts = range(numbered.visible, numbered.visible + numbered.partition)
            same = [_equal_columns(numbered.bag, part, range(numbered.visible)) for part in parts]
            for kept in range(len(keys)):
                if all(any(t.Field(row, place) in keys[:kept] for place in places) for places in same):
                    return _sorted_by(rows, range(rows.visible, rows.visible + kept))
    return None


@rewrite(on=t.Numbered, keeps="answers")
def eliminate_key_of_partition(rows: t.Numbered, scope: Scope) -> t.Numbered | None:
    """Drop sort keys of numbered rows that are the same for all rows of a partition.

    Before:  numbered Σ t ∈ a → (t.z | t.x) by t.x, t.y
    After:   numbered Σ t ∈ a → (t.z | t.x) by t.y
    Refuse:  a key that is not a column of the partition in some term
    Sound:   rows of one partition tie on such a key
    """
    start = rows.visible + rows.partition
    parts = range(rows.visible, start)
    places = range(start, start + len(rows.directions))
    kept = [place for place in places if not _equal_columns(rows.bag, place, parts)]
    if len(kept) == len(places):
        return None
    sorted_by = _sorted_by(Ordered(rows.bag, start, rows.directions), kept)
    return replace(rows, bag=sorted_by.shown, directions=sorted_by.directions)


def _equal_columns(bag: t.Bag, place: int, others: Sequence[int]) -> list[int]:
    """The columns among some that are written as a column is, in each term."""
    return [other for other in others if _column(bag, other) == _column(bag, place)]


def _open(rows: Ordered) -> list[int]:
    """The outputs that are not one constant."""
    return [n for n in range(rows.visible) if not _is_one_constant(_column(rows.shown, n))]


def _column(bag: t.Bag, place: int) -> list[t.Expression]:
    return [term.outputs[place] for term in bag.terms]


def _named(bag: t.Bag, place: int) -> list[t.Node]:
    """A column whose bound variables are named by where they stand, so that copies are equal."""
    return [t.alpha(value) for value in _column(bag, place)]


def _is_one_constant(column: list[t.Expression]) -> bool:
    return len(set(column)) <= 1 and all(isinstance(each, t.Constant) for each in column)


@dataclass(frozen=True, slots=True)
class OrderKey:
    """A key of sorted rows, by its place among the outputs."""

    rows: Ordered
    place: int

    @property
    def shown(self) -> t.Bag:
        """The bag."""
        return self.rows.shown

    @property
    def direction(self) -> t.Direction:
        """How the key sorts."""
        return self.rows.directions[self.place - self.rows.visible]


def order_keys_of(rows: Ordered, scope: Scope) -> Iterator[OrderKey]:
    """The keys of sorted rows."""
    for number in range(len(rows.directions)):
        yield OrderKey(rows, rows.visible + number)


def nulls_have_a_place_of_their_own(at: OrderKey) -> bool:
    """Whether NULLs stand elsewhere than SQLite puts them."""
    return at.direction != t.Direction.of(descending=at.direction.descending)


def key_is_never_null(at: OrderKey, scope: Scope) -> bool:
    """Whether no row has NULL as key."""
    scopes = (scope.inside(term) for term in at.shown.terms)
    columns = _column(at.shown, at.place)
    return all(inside.never_null(key) for inside, key in zip(scopes, columns, strict=True))


@rewrite(
    on=t.Bag,
    keeps="answers",
    at=order_keys_of,
    shape=(nulls_have_a_place_of_their_own,),
    needs=(key_is_never_null,),
)
def eliminate_place_of_nulls(at: OrderKey, scope: Scope) -> Ordered | None:
    """Leave NULLs where SQLite has them, where a sort key is never NULL.

    Before:  Σ t ∈ a → (t.x) in the order of t.id, NULLs last
    After:   Σ t ∈ a → (t.x) in the order of t.id
    Refuse:  a key that may be NULL
    Sound:   where no NULL is, it stands nowhere
    """
    usual, number = t.Direction.of(descending=at.direction.descending), at.place - at.rows.visible
    directions = (*at.rows.directions[:number], usual, *at.rows.directions[number + 1 :])
    return replace(at.rows, directions=directions)


def with_telling_keys(rows: Ordered, scope: Scope) -> Ordered:
    """A bag and its order without keys that decide nothing."""
    rows = eliminate_idle_order_key(rows, scope) or rows
    rows = eliminate_place_of_nulls.until_done(rows, scope)
    rows = eliminate_key_behind_partition(rows, scope) or rows
    return eliminate_key_behind_outputs(rows, scope) or rows


@rewrite(on=t.Exists, keeps="value")
def convert_skipping_exists_to_count(node: t.Exists, scope: Surroundings) -> t.Expression | None:
    """Ask whether there are more rows than an OFFSET skips.

    Before:  (∃ r ∈ (Σ t ∈ a → (t.x) | t.y; rows 2 to 2))
    After:   1 < COUNT{Σ t ∈ a → (1)}
    Refuse:  LIMIT 0; a condition on the row that is chosen
    Sound:   some row is left exactly if more are there than are skipped, whichever these are
    """
    match node.bag:
        case t.Bag((t.Term((t.Binding(_, t.Limited(bag, limit=limit, offset=offset)),), condition),)):
            if not offset or limit == 0 or t.conjuncts(condition):
                return None
            rows = t.Bag(tuple(replace(term, outputs=(t.integer(1),)) for term in bag.terms))
            return t.Compare("<", t.integer(offset), t.Aggregate("COUNT", rows))
    return None


@rewrite(on=t.Limited, keeps="answers")
def convert_skipped_value_to_bound(rows: t.Limited, scope: Surroundings) -> t.Limited | None:
    """Choose among the distinct values before which another one comes, instead of skipping the first.

    Before:  Σ g ∈ distinct(Σ t ∈ a → (t.x)) → (g.#1) | g.#1 descending; row 2
    After:   Σ g ∈ distinct(Σ t ∈ a [(∃ s ∈ a [t.x < s.x])] → (t.x)) → (g.#1) | g.#1 descending; row 1
    Refuse:  rows that are not distinct; more columns than the one that is sorted by; more rows; OFFSET 2
    Sound:   of distinct values all but the first have one before them
    """
    if (rows.limit, rows.offset, len(rows.directions)) != (1, 1, 1):
        return None
    match rows.bag.terms:
        case (t.Term((t.Binding(row, t.Squash(t.Bag((inner,)))),), condition, outputs),):
            if len(inner.outputs) != 1 or outputs[rows.visible] != t.Field(row, 0):
                return None
            if t.conjuncts(condition) or t.sites(inner):
                return None
        case _:
            return None
    other = scope.world.names.copy_of(inner)
    earlier = before(other.outputs, inner.outputs, rows.directions)
    some = t.Exists(t.Bag((t.Term(other.bindings, t.conjunction((other.condition, earlier)), ()),)))
    bound = t.Term(inner.bindings, t.conjunction((inner.condition, some)), inner.outputs)
    chosen = t.Term((t.Binding(row, t.Squash(t.Bag((bound,)))),), condition, outputs)
    return replace(rows, bag=t.Bag((chosen,)), offset=0)


def skips_one_row_of_a_table(node: t.Limited | t.Answer) -> bool:
    """Whether the bag has all rows of a table that meet a condition, but the first by a column."""
    if (node.limit, node.offset, len(node.directions)) != (None, 1, 1) or t.sites(node.bag):
        return False
    match node.bag.terms:
        case (t.Term((t.Binding(row, t.Scan()),), _, outputs),):
            key = outputs[node.visible]
            return isinstance(key, t.Field) and key.row == row
    return False


def sorted_column_is_a_key(node: t.Limited | t.Answer, scope: Surroundings) -> bool:
    """Whether no two rows have one value of the column, and none has NULL."""
    (term,) = node.bag.terms
    source, key = term.bindings[0].source, term.outputs[node.visible]
    assert isinstance(source, t.Scan)
    assert isinstance(key, t.Field)
    return scope.world.rests_on(scope.world.facts.strict_key(source.table, (str(key.column),)))


@rewrite(
    on=(t.Limited, t.Answer),
    keeps="answers",
    shape=(skips_one_row_of_a_table,),
    needs=(sorted_column_is_a_key,),
)
def convert_skipped_row_to_bound(
    node: t.Limited | t.Answer, scope: Surroundings
) -> t.Limited | t.Answer | None:
    """Range over the rows of a table before which another one comes, instead of skipping the first.

    Before:  Σ t ∈ a → (t.x | t.id); rows from 2 on by #2
    After:   Σ t ∈ a [(∃ s ∈ a [s.id < t.id])] → (t.x | t.id); rows from 1 on by #2
    Refuse:  a column that two rows may share, or that may be NULL; more rows skipped; a LIMIT
    Sound:   of rows with values that differ all but the first have one before them
    """
    (term,) = node.bag.terms
    other = scope.world.names.copy_of(term)
    low, high = (other, term) if not node.directions[0].descending else (term, other)
    earlier = t.Compare("<", low.outputs[node.visible], high.outputs[node.visible])
    some = t.Exists(t.Bag((t.Term(other.bindings, t.conjunction((other.condition, earlier)), ()),)))
    bound = term.where((term.condition, some))
    return replace(node, bag=t.Bag((bound,)), offset=0)
