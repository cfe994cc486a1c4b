"""Window frames: the rows that a window call ranges over, as conditions relative to the current row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from equiv.algebra.terms import (
    Bag,
    Binding,
    Compare,
    Constant,
    Expression,
    Field,
    Or,
    Scan,
    Squash,
    Term,
    Variable,
    conjunction,
    conjuncts,
)
from equiv.algebra.translate.collation import sorted_row
from equiv.algebra.translate.comparison import before, same
from equiv.algebra.translate.expression import expression, holds
from equiv.algebra.translate.query import direction
from equiv.algebra.translate.stage import Part, Stage
from equiv.algebra.world import World
from equiv.core.query import UnsupportedError


@dataclass(frozen=True)
class Window:
    """A window call taken apart."""

    node: exp.Expression
    function: exp.Expression
    condition: exp.Expression | None
    partition: tuple[exp.Expression, ...]
    order: tuple[exp.Expression, ...]
    """The expressions of its ORDER BY."""
    directions: tuple[tuple[bool, bool], ...]

    @staticmethod
    def of(node: exp.Expression) -> Window:
        """Take a window call apart."""
        function, condition = node.this, None
        if isinstance(function, exp.Filter):
            function, condition = function.this, function.expression.this
        order = node.args.get("order")
        terms = order.expressions if order is not None else []
        return Window(
            node,
            function,
            condition,
            tuple(node.args.get("partition_by") or ()),
            tuple(term.this for term in terms),
            tuple((d.descending, d.nulls_first) for d in map(direction, terms)),
        )


def order_tells(window: Window, part: Part, stage: Stage) -> bool:
    """Whether no two rows of a partition tie; facts are recorded as used."""
    columns = keys_of(window, part)
    return len(stage.parts) == 1 and columns_tell_apart(part.term, columns, part.symbols.world)


def keys_of(window: Window, part: Part) -> tuple[Expression, ...]:
    """The keys of the partition, then of the order, as they are compared.

    Raises:
        UnsupportedError: the collation of one is not known.
    """
    nodes = (*window.partition, *window.order)
    return sorted_row(nodes, [expression(node, part.symbols) for node in nodes], part.symbols)


_BOUNDS = {
    ("UNBOUNDED", "PRECEDING", "UNBOUNDED", "FOLLOWING"): "all",
    ("UNBOUNDED", "PRECEDING", "CURRENT ROW", None): "peers",
    ("CURRENT ROW", None, "UNBOUNDED", "FOLLOWING"): "rest",
}


def frame(window: Window, part: Part, stage: Stage) -> str:
    """The name of a window call's frame: all rows, the rows up to its peers, or the rows from its peers on.

    Raises:
        UnsupportedError: a frame of another kind, or one that ends within tied rows.
    """
    spec = window.node.args.get("spec")
    if spec is None:
        return "peers" if window.order else "all"
    bounds = tuple(spec.args.get(name) for name in ("start", "start_side", "end", "end_side"))
    frame_name = _BOUNDS.get(bounds) if spec.args.get("exclude") is None else None
    kind = str(spec.args.get("kind")).upper()
    # ROWS cuts through tied rows in an order of SQLite's choice; RANGE takes peers whole.
    if frame_name is None or (
        frame_name != "all" and kind == "ROWS" and not order_tells(window, part, stage)
    ):
        raise UnsupportedError("WindowSpec", "a frame whose bounds may lie within tied rows")
    return frame_name


def others(
    window: Window,
    part: Part,
    stage: Stage,
    outputs: Sequence[exp.Expression],
    which: str,
) -> Bag:
    """The rows of the current row's partition.

    Args:
        window: the call.
        part: the current row.
        stage: all rows.
        outputs: what is read of each.
        which: ``all``; those strictly ``before`` or ``after`` it; these and its ``peers``; those after it and
            its peers, the ``rest``.
    """
    own = keys_of(window, part)[len(window.partition) :]
    conditions = []
    for term, keys in partners(window, part, stage, outputs):
        parts = [term.condition]
        if which != "all":
            first, second = (keys, own) if which in ("before", "peers") else (own, keys)
            beyond = before(first, second, window.directions)
            parts.append(Or((beyond, same(keys, own))) if which in ("peers", "rest") else beyond)
        conditions.append(replace(term, condition=conjunction(parts)))
    return Bag(tuple(conditions))


def partners(
    window: Window, part: Part, stage: Stage, outputs: Sequence[exp.Expression], *, filtered: bool = True
) -> list[tuple[Term, tuple[Expression, ...]]]:
    """Terms of the rows of the current row's partition, each with the keys by which they are ordered.

    Args:
        window: the call.
        part: the current row.
        stage: all rows.
        outputs: what is read of each.
        filtered: whether only the rows that pass its FILTER.
    """
    current = keys_of(window, part)
    split, width = len(window.partition), len(current)
    terms = []
    for other in stage.parts:
        condition = other.term.condition
        if window.condition is not None and filtered:
            condition = conjunction((condition, holds(window.condition, other.symbols)))
        values = (*keys_of(window, other), *(expression(node, other.symbols) for node in outputs))
        terms.append(Term(other.term.bindings, condition, values))
    found = []
    for term in part.symbols.world.names.copy_of(Bag(tuple(terms))).terms:
        together = conjunction([term.condition, same(term.outputs[:split], current[:split])])
        row = replace(term, condition=together, outputs=term.outputs[width:])
        found.append((row, term.outputs[split:width]))
    return found


def columns_tell_apart(term: Term, columns: Iterable[Expression], world: World) -> bool:
    """Whether rows of a term that agree on some columns, NULLs too, are one choice of rows.

    Facts are recorded as used.
    """
    known = {column for column in columns if isinstance(column, Field)}
    equal = [
        (part.left, part.right)
        for part in conjuncts(term.condition)
        if isinstance(part, Compare) and part.operator in ("=", "IS")
    ]
    open_ = {binding.row: binding for binding in term.bindings}
    while open_:
        for one, other in (*equal, *((b, a) for a, b in equal)):
            if isinstance(other, Field) and (one in known or _is_fixed(one, open_)):
                known.add(other)
        told = [row for row, binding in open_.items() if _is_told(binding, known, world)]
        if not told:
            return False
        for row in told:
            del open_[row]
    return True


def _is_fixed(value: Expression, open_: dict[Variable, Binding]) -> bool:
    """Whether a value is the same for all rows that agree: a literal, or a column of a row that is told."""
    return isinstance(value, Constant) or (isinstance(value, Field) and value.row not in open_)


def _is_told(binding: Binding, known: set[Field], world: World) -> bool:
    columns = {field.column for field in known if field.row == binding.row}
    match binding.source:
        case Scan(table):
            key = world.facts.strict_key(table, [str(column) for column in columns])
            world.use(key or ())
            return key is not None
        case Squash(bag):
            return all(columns >= set(range(len(term.outputs))) for term in bag.terms)
    return False
