"""The rows that an aggregate ranges over: those of a group, and those of a window frame.

The groups are the distinct values of the keys; an aggregate ranges over a copy of the rows whose keys are the
same as the group's.  The value of any row is a choice for each call.  A bare column comes from one row of the
group, a choice: with a single MIN or MAX in the
query from a row with that value, of any row if all are NULL (https://sqlite.org/lang_select.html#bareagg).

A window call ranges over the rows of its frame, told by conditions relative to the current row.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from equiv.algebra import terms as t
from equiv.algebra.translate.comparison import before, same, sorted_row
from equiv.algebra.translate.expression import expression, holds
from equiv.algebra.translate.query import direction
from equiv.algebra.translate.symbol_table import AliasedColumn, NamedRows, Stage, StagePart, SymbolTable
from equiv.algebra.world import World
from equiv.core.claims.blocks import aggregates, is_aggregate, result_clauses, source_aliases
from equiv.core.functions.own import ANY_CELL
from equiv.core.functions.table import function_of, uncall
from equiv.core.functions.traits import CallForm
from equiv.core.printing import key
from equiv.core.query import UnsupportedError


@dataclass(frozen=True)
class Groups:
    """The rows of a block before grouping, its keys, and the values of the keys for one group."""

    select: exp.Expression
    rows: NamedRows
    symbols: SymbolTable
    """The symbol table around the block."""
    keys: tuple[exp.Expression, ...]
    group: tuple[t.Expression, ...]

    def members(self, outputs: Sequence[exp.Expression], condition: exp.Expression | None = None) -> t.Bag:
        """The rows of the group that meet a condition, as a bag of some expressions."""
        terms = []
        for term in self.rows.bag.terms:
            inside = self.symbols.inside(self.rows.columns(term))
            own = sorted_row(self.keys, [expression(each, inside) for each in self.keys], inside)
            # IS, not =: GROUP BY puts NULLs into one group.
            parts = [term.condition, same(own, self.group)]
            if condition is not None:
                parts.append(holds(condition, inside))
            values = tuple(expression(each, inside) for each in outputs)
            terms.append(t.Term(term.bindings, t.conjunction(parts), values))
        return self.symbols.world.names.copy_of(t.Bag(tuple(terms)))


def grouped(select: exp.Expression, rows: NamedRows, symbols: SymbolTable) -> Stage:
    """The groups of a block that HAVING keeps, with the values of keys, aggregates and bare columns."""
    clause = select.args.get("group")
    keys = tuple(clause.expressions) if clause is not None else ()
    folded = [each for each in keys if symbols.translation.folds_values_of(each)]
    for each in keys:
        if each not in folded:
            # A group keeps any one of its equal keys, 1 or 1.0, as its key.
            symbols.translation.require_merging([each], "GROUP BY")
    bindings: tuple[t.Binding, ...] = ()
    fields: tuple[t.Expression, ...] = ()
    if clause is not None:
        row = symbols.world.names.variable("group")
        fields = tuple(t.Field(row, n) for n in range(len(keys)))
        bindings = (t.Binding(row, t.Squash(_keys(keys, rows, symbols))),)
    groups = Groups(select, rows, symbols, keys, fields)
    values: dict[object, t.Expression] = {
        key(node): value
        for node, value in zip(keys, fields, strict=True)
        if node not in folded and node.find(exp.Column) is not None and node.find(exp.Query) is None
    }
    columns = {
        (node.text("table"), node.name): value
        for node, value in zip(keys, fields, strict=True)
        if isinstance(node, exp.Column) and node not in folded
    }
    bare = [place for place in _bare_columns(select, set(values)) if place not in columns]
    _check_not_read(folded, bare)
    if bare:
        row = symbols.world.names.variable("bare")
        bindings = (*bindings, t.Binding(row, _one_row(groups, bare)))
        columns |= {place: t.Field(row, n) for n, place in enumerate(bare)}
    chosen = {key(call): call for call in aggregates(select) if _is_choice(call)}
    for call_key, call in chosen.items():
        row = symbols.world.names.variable("any")
        bindings = (*bindings, t.Binding(row, _any_row(call, groups)))
        values[call_key] = t.Field(row, 0)
    values |= _aggregates(groups, values)
    inside = replace(symbols.inside(columns), values=values)
    having = select.args.get("having")
    condition = t.TRUE if having is None else holds(having.this, inside)
    return Stage((StagePart(t.Term(bindings, condition, ()), inside),))


def _keys(keys: Sequence[exp.Expression], rows: NamedRows, symbols: SymbolTable) -> t.Bag:
    """The keys of every row, as GROUP BY compares them."""
    terms = []
    for term in rows.bag.terms:
        inside = symbols.inside(rows.columns(term))
        values = sorted_row(keys, [expression(each, inside) for each in keys], inside)
        terms.append(t.Term(term.bindings, term.condition, values))
    return symbols.world.names.copy_of(t.Bag(tuple(terms)))


def _check_not_read(folded: Sequence[exp.Expression], read: Collection[AliasedColumn]) -> None:
    """Make sure that no text is read of which a collation merges several into one key.

    Raises:
        UnsupportedError: one is: any of the merged texts may be meant.
    """
    for node in folded:
        if any((column.text("table"), column.name) in read for column in node.find_all(exp.Column)):
            raise UnsupportedError("Collate", "texts that a collation treats as equal in GROUP BY")


def _aggregates(groups: Groups, known: Collection[object]) -> dict[object, t.Expression]:
    """The values of the block's aggregates, by the key of the call with its FILTER."""
    found: dict[object, t.Expression] = {}
    for call in aggregates(groups.select):
        node = call.parent if isinstance(call.parent, exp.Filter) else call
        check_aggregate(node, groups.symbols)
        if key(node) not in found and key(node) not in known:
            found[key(node)] = _aggregate(call, groups)
    return found


def _is_choice(call: exp.Expression) -> bool:
    function = function_of(call)
    return function is not None and function.form is CallForm.CHOICE


def _any_row(call: exp.Expression, groups: Groups) -> t.Limited:
    """The value of a call that chooses it: of one row, or NULL if there is none to choose from."""
    if isinstance(call.parent, exp.Filter):
        raise UnsupportedError("AggFunc", "FILTER of a call that chooses any row's value")
    name, argument, _, distinct = aggregate_call(call)
    if distinct:
        raise UnsupportedError("AggFunc", "DISTINCT in a call that chooses any row's value")
    site = groups.symbols.translation.site(groups.select, f"any {key(call)}")
    if name == ANY_CELL:
        return t.Limited(_or_nulls(groups, [argument]), 1, (), 1, 0, site)
    # Rows in which it is NULL come last.
    is_null = exp.Is(this=argument.copy(), expression=exp.Null())
    bag = _or_nulls(groups, [argument, is_null])
    return t.Limited(bag, 1, (t.Direction(descending=False, nulls_first=False),), 1, 0, site)


def _or_nulls(groups: Groups, outputs: Sequence[exp.Expression]) -> t.Bag:
    """The rows of a group; without GROUP BY one of NULLs if there are none, since even they are a group."""
    members = groups.members(outputs)
    if groups.select.args.get("group") is not None:
        return members
    empty = t.Term((), t.Not(t.Exists(groups.members(()))), (t.NULL,) * len(outputs))
    return t.Bag((*members.terms, empty))


def _aggregate(call: exp.Expression, groups: Groups) -> t.Expression:
    condition = call.parent.expression.this if isinstance(call.parent, exp.Filter) else None
    name, argument, separator, distinct = aggregate_call(call)
    is_pair = name == "GROUP_CONCAT" and not distinct
    bag = groups.members([argument, separator] if is_pair else [argument], condition)
    if distinct:
        if name == "COUNT":
            keys = (sorted_row([argument], each.outputs, groups.symbols) for each in bag.terms)
            bag = t.Bag(tuple(replace(each, outputs=k) for each, k in zip(bag.terms, keys, strict=True)))
        row = groups.symbols.world.names.variable("distinct")
        outputs: tuple[t.Expression, ...] = (t.Field(row, 0),)
        if name == "GROUP_CONCAT":
            outputs = (*outputs, t.Constant("text", ","))
        bag = t.Bag((t.Term((t.Binding(row, t.Squash(bag)),), t.TRUE, outputs),))
    # All of a block's GROUP_CONCATs meet the rows in one order: one choice.
    site = groups.symbols.translation.site(groups.select, "order") if name == "GROUP_CONCAT" else 0
    return t.Aggregate(name, bag, site=site)  # type: ignore[arg-type]


def aggregate_call(call: exp.Expression) -> tuple[str, exp.Expression, exp.Expression, bool]:
    """Name, argument and separator of an aggregate, and whether it has DISTINCT; the argument of ``*`` is 1.

    Raises:
        UnsupportedError: an aggregate that the algebra does not know.
    """
    parts = uncall(call)
    function = function_of(call)
    name = parts[0].upper() if parts is not None else type(call).__name__
    is_known = function is not None and function.form in (CallForm.AGGREGATE, CallForm.CHOICE)
    if parts is None or not is_known or not parts[1]:
        raise UnsupportedError("AggFunc", f"the aggregate {name}")
    argument, *others = parts[1]
    separator = others[0] if others else exp.Literal.string(",")
    if len(others) > (name == "GROUP_CONCAT"):
        raise UnsupportedError("AggFunc", f"{name} of several arguments")
    distinct = isinstance(argument, exp.Distinct)
    if distinct:
        argument = argument.expressions[0]
    return name, exp.Literal.number(1) if isinstance(argument, exp.Star) else argument, separator, distinct


def check_aggregate(node: exp.Expression, symbols: SymbolTable) -> None:
    """Refuse an aggregate or window of which the answer depends on which of several equal values it keeps."""
    call = node
    while isinstance(call, exp.Filter | exp.Window):
        call = call.this
    name, argument, _, distinct = aggregate_call(call)
    shown = _is_shown(node, symbols.translation.tree)
    # COUNT(DISTINCT x) counts equal values once: whether 1 or 1.0 is kept does not show.
    if distinct and name == "COUNT":
        return
    if distinct or name in ("MIN", "MAX"):
        symbols.translation.require_merging([argument], name, shown=shown and name in ("MIN", "MAX"))


def _is_shown(node: exp.Expression, tree: exp.Expression) -> bool:
    """Whether a value only becomes a column of the whole query, or a key of its order."""
    parent = node.parent
    if isinstance(parent, exp.Ordered):
        return parent.parent is not None and parent.parent.parent is tree
    projection = parent if isinstance(parent, exp.Alias) else node
    return projection.parent is tree and projection.arg_key == "expressions"


def _one_row(groups: Groups, bare: list[AliasedColumn]) -> t.Limited:
    """One row of the group; of NULLs if the block has no keys and no rows."""
    select, symbols = groups.select, groups.symbols
    extremes = {key(call): call for call in aggregates(select) if isinstance(call, exp.Min | exp.Max)}
    directions: tuple[t.Direction, ...] = ()
    outputs: list[exp.Expression] = [_column(place, select) for place in bare]
    # Which row such a call leaves for bare columns is not documented.
    if any(isinstance(c.parent, exp.Filter) or isinstance(c.this, exp.Distinct) for c in extremes.values()):
        raise UnsupportedError("Column", "a bare column together with MIN or MAX that has FILTER or DISTINCT")
    if len(extremes) == 1:
        call = next(iter(extremes.values()))
        symbols.translation.require_binary([call.this], "MIN or MAX")
        directions = (t.Direction(isinstance(call, exp.Max), nulls_first=False),)
        outputs.append(call.this)
    bag = _or_nulls(groups, outputs)
    return t.Limited(bag, len(bare), directions, 1, 0, symbols.translation.site(select, "bare"))


def _column(place: AliasedColumn, select: exp.Expression) -> exp.Expression:
    """A node of the block that mentions a column."""
    return next(
        column for column in select.find_all(exp.Column) if (column.text("table"), column.name) == place
    )


def _bare_columns(select: exp.Expression, keys: set[object]) -> list[AliasedColumn]:
    """The columns of a block's sources outside its aggregates and keys, nested queries included."""
    own = source_aliases(select)
    columns: dict[AliasedColumn, None] = {}
    stack = [(clause, True) for clause in reversed(result_clauses(select))]
    while stack:
        node, is_own = stack.pop()
        if is_own and (key(node) in keys or is_aggregate(node) or _filters_aggregate(node)):
            continue
        if isinstance(node, exp.Column) and node.text("table") in own:
            columns[node.text("table"), node.name] = None
        is_own = is_own and not isinstance(node, exp.Query)
        stack += [(child, is_own) for child in reversed(list(node.iter_expressions()))]
    return list(columns)


def _filters_aggregate(node: exp.Expression) -> bool:
    return isinstance(node, exp.Filter) and is_aggregate(node.this)


@dataclass(frozen=True)
class WindowCall:
    """A window call taken apart."""

    node: exp.Expression
    function: exp.Expression
    condition: exp.Expression | None
    partition: tuple[exp.Expression, ...]
    order: tuple[exp.Expression, ...]
    """The expressions of its ORDER BY."""
    directions: tuple[t.Direction, ...]

    @staticmethod
    def of(node: exp.Expression) -> WindowCall:
        """Take a window call apart."""
        function, condition = node.this, None
        if isinstance(function, exp.Filter):
            function, condition = function.this, function.expression.this
        order = node.args.get("order")
        terms = order.expressions if order is not None else []
        return WindowCall(
            node,
            function,
            condition,
            tuple(node.args.get("partition_by") or ()),
            tuple(term.this for term in terms),
            tuple(map(direction, terms)),
        )


def order_tells(window: WindowCall, part: StagePart, stage: Stage) -> bool:
    """Whether no two rows of a partition tie; facts are recorded as used."""
    columns = keys_of(window, part)
    return len(stage.parts) == 1 and columns_tell_apart(part.term, columns, part.symbols.world)


def keys_of(window: WindowCall, part: StagePart) -> tuple[t.Expression, ...]:
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


def frame(window: WindowCall, part: StagePart, stage: Stage) -> str:
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
        raise UnsupportedError("WindowSpec", "a window frame that may begin or end among tied rows")
    return frame_name


def others(
    window: WindowCall,
    part: StagePart,
    stage: Stage,
    outputs: Sequence[exp.Expression],
    which: str,
) -> t.Bag:
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
            parts.append(t.Or((beyond, same(keys, own))) if which in ("peers", "rest") else beyond)
        conditions.append(term.where(parts))
    return t.Bag(tuple(conditions))


def partners(
    window: WindowCall,
    part: StagePart,
    stage: Stage,
    outputs: Sequence[exp.Expression],
    *,
    filtered: bool = True,
) -> list[tuple[t.Term, tuple[t.Expression, ...]]]:
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
            condition = t.conjunction((condition, holds(window.condition, other.symbols)))
        values = (*keys_of(window, other), *(expression(node, other.symbols) for node in outputs))
        terms.append(t.Term(other.term.bindings, condition, values))
    found = []
    for term in part.symbols.world.names.copy_of(t.Bag(tuple(terms))).terms:
        together = t.conjunction([term.condition, same(term.outputs[:split], current[:split])])
        row = replace(term, condition=together, outputs=term.outputs[width:])
        found.append((row, term.outputs[split:width]))
    return found


def columns_tell_apart(term: t.Term, columns: Iterable[t.Expression], world: World) -> bool:
    """Whether rows of a term that agree on some columns, NULLs too, are one choice of rows.

    Facts are recorded as used.
    """
    known = {column for column in columns if isinstance(column, t.Field)}
    equal = [
        (part.left, part.right)
        for part in term.conjuncts
        if isinstance(part, t.Compare) and part.operator in ("=", "IS")
    ]
    open_ = {binding.row: binding for binding in term.bindings}
    while open_:
        for one, other in (*equal, *((b, a) for a, b in equal)):
            if isinstance(other, t.Field) and (one in known or _is_fixed(one, open_)):
                known.add(other)
        told = [row for row, binding in open_.items() if _is_told(binding, known, world)]
        if not told:
            return False
        for row in told:
            del open_[row]
    return True


def _is_fixed(value: t.Expression, open_: dict[t.Variable, t.Binding]) -> bool:
    """Whether a value is the same for all rows that agree: a literal, or a column of a row that is told."""
    return isinstance(value, t.Constant) or (isinstance(value, t.Field) and value.row not in open_)


def _is_told(binding: t.Binding, known: set[t.Field], world: World) -> bool:
    columns = {field.column for field in known if field.row == binding.row}
    match binding.source:
        case t.Scan(table):
            key = world.facts.strict_key(table, [str(column) for column in columns])
            world.use(key or ())
            return key is not None
        case t.Squash(bag):
            return all(columns >= set(range(len(term.outputs))) for term in bag.terms)
    return False
