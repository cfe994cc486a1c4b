"""Rewrites of a query that lay its free choices open, and the SQL functions that choose.

SQL leaves choices to the engine: which of tied rows a LIMIT keeps, which row a bare column comes from,
which row DISTINCT keeps or sorts by, the order in which GROUP_CONCAT concatenates, the row of a scalar
subquery with several. :func:`randomised` makes each of them at random, or as prescribed, through
:class:`Choices`; the results then range over the possible answers, or over a superset, which errs on the
side of caution. The top level is left to :mod:`equiv.core.claims.choices`, rounding to
:mod:`equiv.answers.exact`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, cast

from sqlglot import exp

from equiv.answers.exact import register_all, sql_call
from equiv.answers.representatives import (
    folds_text,
    free_representative,
    is_plain_distinct,
    is_plain_extreme,
    mixes_numbers,
    tells_types,
)
from equiv.cells import Cell
from equiv.core.claims import blocks
from equiv.core.claims.choices import freeze_time
from equiv.core.claims.value_types import Applied, affinity, is_binary
from equiv.core.functions.own import ANY_VALUE, CHOOSING
from equiv.core.functions.table import function_of, uncall
from equiv.core.functions.traits import OrderDependence
from equiv.core.model import Context
from equiv.core.nodes import DType
from equiv.core.printing import key
from equiv.core.query import Opaque
from equiv.core.runner import Connection
from equiv.core.single_values import Calculator, sort_key

RANDOM = "equiv_random"
ROW = "equiv_row"
"""Called with a text of ``<`` and ``>``, one for each MIN and MAX, with their arguments, and with cells."""
CELL = "equiv_cell"
"""Called with what ``ROW`` gives, and the place of a cell in it."""
SHUFFLED_CONCAT = "equiv_shuffled_concat"
AS_NUMBER = "equiv_as_number"
AS_TEXT = "equiv_as_text"
CHOOSE = "equiv_choose"
"""Called before a query with the choices that it must make, or NULL if it makes them at random."""
CHOSEN = "equiv_chosen"
"""Called after it; gives each choice that it made and of how many, NULL if one was of too many."""


def cells_of_a_row(
    cells: Sequence[exp.Expression], extremes: Sequence[tuple[str, exp.Expression]] = ()
) -> list[exp.Expression]:
    """For each of some expressions its value in a row of the group that is one and the same for all.

    It is any row, or one that gives an extreme its value: a sign, ``<`` for MIN and ``>`` for MAX, and an
    argument.  SQLite computes equal aggregate calls of one SELECT once.
    """
    signs = exp.Literal.string("".join(sign for sign, _ in extremes))
    arguments = [signs, *(value for _, value in extremes), *cells]

    def cell(place: int) -> exp.Expression:
        row = sql_call(ROW, *(argument.copy() for argument in arguments))
        return sql_call(CELL, row, exp.Literal.number(place))

    return [cell(place) for place in range(len(cells))]


def source_of_cell(call: exp.Expression) -> tuple[exp.Expression, bool]:
    """The expression whose value a cell of a row is, and whether the row must give an extreme its value."""
    row, place = call.expressions
    extremes = len(row.expressions[0].name)
    return row.expressions[1 + extremes + int(place.name)], extremes > 0


class Choices:
    """Makes the choices of queries: at random, or as prescribed, and then the first of the others."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._prescribed: list[int] | None = None
        self._made: list[tuple[int, int]] | None = []

    def seed(self, seed: int) -> None:
        """Start the random choices anew."""
        self._random.seed(seed)

    def choose(self, prescribed: str | None) -> None:
        """Forget what was chosen, and let the next query choose: a JSON list of places; None at random."""
        self._prescribed = None if prescribed is None else json.loads(prescribed)
        self._made = []

    def chosen(self) -> str | None:
        """The JSON list of (choice, number of those to choose from); None if one was among too many."""
        return None if self._made is None else json.dumps(self._made)

    def number(self) -> float:
        """A random number, which is among too many."""
        self._made = None
        return self._random.random()

    def place(self, number: int) -> int:
        """One of the places 0, 1, … of so many."""
        if number == 1:
            return 0
        if self._prescribed is None:
            return self._random.randrange(number)
        if self._made is None:
            return 0
        place = self._prescribed[len(self._made)] if len(self._made) < len(self._prescribed) else 0
        if place >= number:
            self._made = None
            return 0
        self._made.append((place, number))
        return place


def _row(choices: Choices) -> type:
    class ChosenRow:
        """The cells of any row as JSON, or of one that gives a MIN or MAX its value; any if one has NULL."""

        def __init__(self) -> None:
            self.signs = ""
            self.rows: list[tuple[Cell, ...]] = []

        def step(self, signs: str, *row: Cell) -> None:
            self.signs = signs
            self.rows.append(row)

        def final(self) -> Cell:
            extremes = len(self.signs)
            eligible = [] if extremes else self.rows
            for place, sign in enumerate(self.signs):
                known = [row for row in self.rows if row[place] is not None] or self.rows
                best = (min if sign == "<" else max)(sort_key(row[place]) for row in known)
                eligible += [row for row in known if sort_key(row[place]) == best]
            packed = list(dict.fromkeys(_packed(row[extremes:]) for row in eligible))
            return packed[choices.place(len(packed))] if packed else None

    return ChosenRow


def _packed(cells: Sequence[Cell]) -> str:
    return json.dumps([{"blob": cell.hex()} if isinstance(cell, bytes) else cell for cell in cells])


def _cell(packed: str | None, place: int) -> Cell:
    if packed is None:
        return None
    cell: Any = json.loads(packed)[place]
    found: Cell = bytes.fromhex(cell["blob"]) if isinstance(cell, dict) else cell
    return found


def _shuffled_concat(choices: Choices) -> type:
    class ShuffledConcat:
        """GROUP_CONCAT in random order."""

        def __init__(self) -> None:
            self.parts: list[tuple[Cell, Cell]] = []
            """Each value with the separator of its row, which stands before it unless it is the first."""

        def step(self, value: Cell, separator: Cell = ",") -> None:
            if value is not None:
                self.parts.append((value, "" if separator is None else separator))

        def final(self) -> Cell:
            if not self.parts:
                return None
            rest = self.parts
            first, *others = [rest.pop(choices.place(len(rest))) for _ in range(len(rest))]
            return _as_text(first[0]) + "".join(
                _as_text(part) for value, sep in others for part in (sep, value)
            )

    return ShuffledConcat


_SQLITE = Calculator()


def _as_text(value: Cell) -> str:
    if isinstance(value, float):
        return str(_SQLITE.value("CAST(? AS TEXT)", (value,)))
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _as_number(value: Cell) -> Cell:
    """A number or NULL as it is.

    Raises:
        TypeError: it is neither, so that a CAST would change it.
    """
    if isinstance(value, str | bytes):
        raise TypeError("text or a blob in a numeric column")
    return value


def _only_text(value: Cell) -> Cell:
    """A text or NULL as it is.

    Raises:
        TypeError: it is neither, so that a CAST would change it.
    """
    if value is not None and not isinstance(value, str):
        raise TypeError("a value other than text in a text column")
    return value


def register(connection: Connection, seed: int = 0) -> Choices:
    """Make the functions known to a connection; their choices repeat for one seed of what is returned."""
    choices = Choices(seed)
    connection.create_function(CHOOSE, 1, choices.choose)
    connection.create_function(CHOSEN, 0, choices.chosen)
    connection.create_function(RANDOM, 0, choices.number)
    connection.create_function(AS_NUMBER, 1, _as_number, deterministic=True)
    connection.create_function(AS_TEXT, 1, _only_text, deterministic=True)
    connection.create_function(CELL, 2, _cell, deterministic=True)
    register_all(connection)
    connection.create_aggregate(ROW, -1, _row(choices))
    connection.create_aggregate(SHUFFLED_CONCAT, -1, _shuffled_concat(choices))
    return choices


_GROUPS = "equiv_groups"


def randomise_distinct_order(select: exp.Expression, ctx: Context | None) -> bool:
    """Sort SELECT DISTINCT by an arbitrary one of the merged rows, where the sort key is not projected."""
    order = select.args.get("order")
    if order is None or select.args.get("distinct") is None:
        return False
    projected = {key(x.unalias()) for x in select.expressions}
    hidden = [term for term in order.expressions if key(term.this) not in projected]
    if not hidden:
        return False
    if blocks.is_grouped(select):
        if select.parent is not None:
            raise Opaque(
                "Order", "SELECT DISTINCT with GROUP BY in a subquery, ordered by what it does not project"
            )
        _wrap_groups(select, ctx)
        return True
    keys = [x.unalias().copy() for x in select.expressions if x.find(exp.Column) is not None]
    if not keys:
        raise Opaque("Order", "SELECT DISTINCT of constants, ordered")
    for term, cell in zip(hidden, cells_of_a_row([term.this for term in hidden]), strict=True):
        term.set("this", cell)
    select.set("distinct", None)
    select.set("group", exp.Group(expressions=keys))
    return True


def _wrap_groups(select: exp.Expression, ctx: Context | None) -> None:
    """Make the groups of SELECT DISTINCT the rows of a subquery, merged around it, sorted by any of them."""
    outputs = [x.unalias().copy() for x in select.expressions]
    terms = select.args["order"].expressions
    inner = select.copy()
    for name in ("distinct", "order", "limit", "offset", "with_"):
        inner.set(name, None)
    aliased = [exp.alias_(x, f"equiv_d{n}") for n, x in enumerate(outputs)]
    keys = [exp.alias_(term.this.copy(), f"equiv_k{n}") for n, term in enumerate(terms)]
    inner.set("expressions", [*aliased, *keys])
    randomise_bare_columns(inner, ctx)
    places = {key(x): n for n, x in reversed(list(enumerate(outputs)))}
    merged = cells_of_a_row([exp.column(f"equiv_k{n}", table=_GROUPS) for n in range(len(terms))])
    for cell, term in zip(merged, terms, strict=True):
        place = places.get(key(term.this))
        term.set("this", cell if place is None else exp.column(f"equiv_d{place}", table=_GROUPS))
    columns = [exp.column(f"equiv_d{n}", table=_GROUPS) for n in range(len(outputs))]
    for name in ("distinct", "joins", "laterals", "where", "having", "windows"):
        select.set(name, None)
    select.set("expressions", [x.copy() for x in columns])
    select.set("group", exp.Group(expressions=columns))
    alias = exp.TableAlias(this=exp.to_identifier(_GROUPS))
    select.set("from_", exp.From(this=exp.Subquery(this=inner, alias=alias)))


def randomise_distinct_numbers(select: exp.Expression, ctx: Context) -> bool:
    """Keep any of the equal numbers, such as 1 and 1.0, that DISTINCT merges."""
    outputs = [x.unalias() for x in select.expressions]
    if not is_plain_distinct(select) or not any(mixes_numbers([x], ctx) for x in outputs):
        return False
    select.set("distinct", None)
    select.set("group", exp.Group(expressions=[x.copy() for x in outputs]))
    for x in outputs:
        kind = affinity(x, ctx)
        x.replace(_with_affinity(cells_of_a_row([x])[0], kind))
    return True


def randomise_extremes(root: exp.Expression, ctx: Context) -> bool:
    """Keep any of the equal numbers, such as 1 and 1.0, that are the least or greatest of a group."""
    # Inner ones first: an argument stands twice in what replaces the call.
    calls = reversed(list(cast(Iterator[exp.Expression], root.find_all(exp.Min, exp.Max))))
    mixed = [call for call in calls if is_plain_extreme(call) and mixes_numbers([call.this], ctx)]
    for call in mixed:
        call.replace(cells_of_a_row([call.this], [(_sign(call), call.this)])[0])
    return bool(mixed)


def _sign(call: exp.Expression) -> str:
    return "<" if isinstance(call, exp.Min) else ">"


def randomise_bare_columns(select: exp.Expression, ctx: Context | None) -> bool:
    """Take the bare columns of a grouped SELECT from any row of its group, the same row for all of them."""
    if not blocks.is_grouped(select):
        return False
    group = select.args.get("group")
    terms = group.expressions if group is not None else []
    keys = {key(x) for x in terms}
    # Equal numbers of a key differ as 1 and 1.0 do; that they are of the row of the others is nowhere said.
    mixed = {
        key(x) for x in terms if ctx is not None and isinstance(x, exp.Column) and mixes_numbers([x], ctx)
    }
    own = blocks.source_aliases(select)
    bare = [
        column
        for clause in blocks.result_clauses(select)
        for column in _bare_columns(clause, keys - mixed, own)
    ]
    if not all(_is_in_block(column, select) for column in bare):
        raise Opaque("Column", "a bare column inside a correlated subquery")
    extremes = _extremes(select, ctx)
    kinds = {key(column): column for column in bare}
    together = [column for kind, column in kinds.items() if kind not in mixed]
    cells = dict(zip(map(key, together), cells_of_a_row(together, extremes), strict=True))
    cells |= {kind: cells_of_a_row([kinds[kind]], extremes)[0] for kind in kinds.keys() & mixed}
    for column in bare:
        kind = affinity(column, ctx) if ctx is not None and _may_be_compared(column) else Applied.NONE
        column.replace(_with_affinity(cells[key(column)].copy(), kind))
    return bool(bare)


def _may_be_compared(column: exp.Expression) -> bool:
    """Whether the affinity of a result column's value can matter: in a comparison, here or further out."""
    parent = column.parent.parent if isinstance(column.parent, exp.Alias) else column.parent
    if isinstance(parent, exp.Select):
        return parent.parent is not None
    return isinstance(parent, (exp.Predicate, exp.Case, exp.If, exp.Tuple, exp.Collate))


def _with_affinity(chosen: exp.Expression, kind: Applied) -> exp.Expression:
    """A chosen value with the affinity of its column, which decides how comparisons convert."""
    match kind:
        case Applied.NUMERIC:
            return exp.Cast(this=sql_call(AS_NUMBER, chosen), to=exp.DataType(this=DType.DECIMAL))
        case Applied.TEXT:
            return exp.Cast(this=sql_call(AS_TEXT, chosen), to=exp.DataType(this=DType.TEXT))
        case Applied.UNKNOWN:
            raise Opaque("Column", "a bare column of unknown affinity")
    return chosen


def _extremes(select: exp.Expression, ctx: Context | None) -> list[tuple[str, exp.Expression]]:
    """The plain MINs and MAXs of which one at least has its value from the row of the bare columns.

    Which one, SQLite does not say: https://sqlite.org/lang_select.html#bareagg.  None of them, and so any
    row, is a safe answer.
    """
    extremes = {key(call): call for call in blocks.aggregates(select) if isinstance(call, exp.Min | exp.Max)}
    calls = list(extremes.values())
    is_plain = not any(isinstance(c.this, exp.Distinct) or isinstance(c.parent, exp.Filter) for c in calls)
    # Under another collation more rows give an extreme than the function at hand sees.
    is_seen = len(calls) == 1 or (ctx is not None and all(is_binary(call.this, ctx) for call in calls))
    # What a nested query may choose is not chosen alike in a copy.
    is_flat = not any(call.find(*blocks.QUERY_BLOCKS) for call in calls)
    return [(_sign(call), call.this) for call in calls] if is_plain and is_seen and is_flat else []


def _bare_columns(node: exp.Expression, keys: set[tuple[object, ...]], own: set[str]) -> list[exp.Expression]:
    """Columns of the own sources outside aggregates and group keys, nested queries included."""
    if keys and key(node.this if isinstance(node, exp.Alias) else node) in keys:
        return []
    call = node.this if isinstance(node, exp.Filter) else node
    if blocks.is_aggregate(call) and _own_aggregate(call, own):
        return []
    if isinstance(node, exp.Anonymous) and node.name == CELL:
        return []
    if isinstance(node, exp.Column):
        return [node] if node.table in own else []
    bare = []
    for child in node.iter_expressions():
        bare += _bare_columns(child, keys, own)
    return bare


def _own_aggregate(call: exp.Expression, own: set[str]) -> bool:
    """Whether an aggregate is of the query with these sources, not of one nested in it."""
    select = call.find_ancestor(exp.Select)
    return select is None or blocks.source_aliases(select) == own


def _is_in_block(node: exp.Expr, select: exp.Expression) -> bool:
    while node.parent is not None and not isinstance(node, blocks.QUERY_BLOCKS):
        node = node.parent
    return node is select


def laid_open(root: exp.Expression, ctx: Context) -> exp.Expression | None:
    """The query with its choices made at random, and one instant for the current time.

    Returns None if there is nothing to choose and no mention of the current time.

    Raises:
        Opaque: a choice cannot be laid open.
    """
    if reason := free_representative(root, ctx):
        raise Opaque("Select", reason)
    frozen = root.copy()
    mentions_time = freeze_time(frozen)
    return frozen if _randomise(frozen, ctx) or mentions_time else None


def randomised(root: exp.Expression, ctx: Context | None = None) -> exp.Expression | None:
    """The query with every choice below its top-level ORDER BY and LIMIT made at random.

    Returns None if there is no such choice.  Without a context, bare columns lose their affinity:
    enough to tell whether there is a choice.

    Raises:
        Opaque: a choice cannot be laid open.
    """
    root = root.copy()
    return root if _randomise(root, ctx) else None


def _randomise(root: exp.Expression, ctx: Context | None) -> bool:
    """Make every choice of a query at random, in place; whether there is any."""
    changed = False
    folds = ctx is not None and folds_text(root, ctx)
    numbers = ctx if ctx is not None and tells_types(root, ctx) else None
    for select in list(root.find_all(exp.Select)):
        if numbers is not None and select is not root:
            changed |= randomise_distinct_numbers(select, numbers)
        is_chosen = randomise_distinct_order(select, ctx)
        is_chosen |= randomise_bare_columns(select, ctx)
        if is_chosen and folds:
            raise Opaque("Column", "a bare column together with a collation")
        changed |= is_chosen
    for window in list(root.find_all(exp.Window)):
        changed |= _randomise_window(window)
    for chosen in [each for each in root.find_all(exp.Anonymous) if each.name.upper() in CHOOSING]:
        changed |= _randomise_value(chosen)
    calls = [each for each in root.walk() if isinstance(each, exp.Expression) and blocks.is_aggregate(each)]
    for call in calls:
        if (row := function_of(call)) is not None and row.order is OrderDependence.ROWS:
            _randomise_order_of_rows(call)
            changed = True
    queries: list[exp.Expression] = list(root.find_all(exp.Select, exp.SetOperation))
    for query in queries:
        if query is not root:
            changed |= _randomise_subquery(query)
    if numbers is not None:
        changed |= randomise_extremes(root, numbers)
    return changed


_ALL_ROWS = {"start": "UNBOUNDED", "start_side": "PRECEDING", "end": "UNBOUNDED", "end_side": "FOLLOWING"}


def _randomise_value(call: exp.Anonymous) -> bool:
    """Take the value in any row of the group, in one where it is not NULL if the call wants that."""
    (argument,) = call.expressions
    # That of NULL is 1, the least where there is no other.
    is_null = exp.Is(this=argument.copy(), expression=exp.Null())
    call.replace(cells_of_a_row([argument], [("<", is_null)] if call.name.upper() == ANY_VALUE else [])[0])
    return True


def _randomise_window(window: exp.Expression) -> bool:
    """Break the ties of a window's ORDER BY, as far as its function and frame let them be seen."""
    function = window.this.this if isinstance(window.this, exp.Filter) else window.this
    spec = window.args.get("spec")
    kind = "" if spec is None else str(spec.args.get("kind", "")).upper()
    called = function_of(function)
    order = called.order if called is not None else OrderDependence.NO
    by_position = order in (OrderDependence.FRAME, OrderDependence.ROWS)
    if order is OrderDependence.PARTITION:
        return _append_random(window)
    if spec is None and (not by_position or isinstance(function, exp.FirstValue)):
        return by_position and _append_random(window)
    if spec is not None and str(spec.args.get("exclude") or "") in ("GROUP", "TIES"):
        raise Opaque("WindowSpec", "a window frame that excludes tied rows")
    if kind == "ROWS":
        return _append_random(window)
    if not by_position:
        return False
    if isinstance(function, exp.LastValue) and _ends_with_peers(window):
        return _randomise_peers(window)
    start = (spec or exp.WindowSpec(**_ALL_ROWS)).args
    if isinstance(function, exp.NthValue) and _ends_with_peers(window) and start.get("start") == "UNBOUNDED":
        return _randomise_nth(window, function)
    if not _takes_all(window):
        raise Opaque("Window", "a window function whose value depends on the order of tied rows")
    window.set("spec", exp.WindowSpec(kind="ROWS", **_ALL_ROWS))
    return _append_random(window)


def _ends_with_peers(window: exp.Expression) -> bool:
    """Whether the frame of every row ends with its peers."""
    spec = window.args.get("spec")
    if window.args.get("order") is None or spec is None:
        return window.args.get("order") is not None
    return spec.args.get("exclude") is None and spec.args.get("end") == "CURRENT ROW"


def _randomise_nth(window: exp.Expression, function: exp.NthValue) -> bool:
    """Let NTH_VALUE return that row of the partition, its ties broken, where the frame reaches so far."""
    reached = window.copy()
    reached.set("this", exp.Count(this=exp.Star()))
    window.set("spec", exp.WindowSpec(kind="ROWS", **_ALL_ROWS))
    _append_random(window)
    is_reached = exp.GTE(this=reached, expression=function.args["offset"].copy())
    window.replace(exp.Case(ifs=[exp.If(this=is_reached, true=window.copy())]))
    return True


def _randomise_peers(window: exp.Expression) -> bool:
    """Let LAST_VALUE return any one of a row's peers, the same for all of these."""
    peers = [term.this.copy() for term in window.args["order"].expressions]
    window.set("partition_by", [*(window.args.get("partition_by") or ()), *peers])
    window.set("order", None)
    window.set("spec", exp.WindowSpec(kind="ROWS", **_ALL_ROWS))
    return _append_random(window)


def _takes_all(window: exp.Expression) -> bool:
    """Whether the frame of every row is its whole partition."""
    spec = window.args.get("spec")
    if spec is None:
        return window.args.get("order") is None
    return spec.args.get("exclude") is None and all(spec.args.get(k) == v for k, v in _ALL_ROWS.items())


def _append_random(node: exp.Expression) -> bool:
    """Append a random last key to the ORDER BY of a query or a window."""
    if isinstance(node, exp.Window) and node.args.get("alias") is not None:
        raise Opaque("Window", "a named window")
    order = node.args.get("order")
    terms = list(order.expressions) if order is not None else []
    node.set("order", exp.Order(expressions=[*terms, exp.Ordered(this=sql_call(RANDOM), desc=False)]))
    return True


def _randomise_order_of_rows(call: exp.Expression) -> None:
    """Take the rows of an aggregate, or those that an ORDER BY within it leaves tied, in any order."""
    _, arguments = uncall(call) or ("", [])
    last = arguments[-1]
    if isinstance(call, exp.GroupConcat) and not isinstance(last, exp.Order):
        call.replace(sql_call(SHUFFLED_CONCAT, *(each.copy() for each in arguments)))
        return
    if not isinstance(last, exp.Order):
        last.replace(order := exp.Order(expressions=[]))
        order.set("this", last)
        last = order
    last.append("expressions", exp.Ordered(this=sql_call(RANDOM), desc=False))


def _randomise_subquery(query: exp.Expression) -> bool:
    """Break the ties of a nested LIMIT, or of a scalar subquery that may return several rows."""
    limited = query.args.get("limit") is not None or query.args.get("offset") is not None
    scalar = blocks.is_scalar(query) and not blocks.returns_one_row(query)
    if not limited and not scalar:
        return False
    said = query.parent.meta.get("recursion") if isinstance(query.parent, exp.CTE) else None
    if said is not None and limited:
        if not said.is_chain:
            raise Opaque("With", "LIMIT in a recursion")
        return False
    if isinstance(query, exp.SetOperation):
        if limited and query.args.get("order") is not None:
            raise Opaque("Limit", "LIMIT over an ordered set operation in a subquery")
        query = _wrap(query)
    _append_random(query)
    if query.args.get("limit") is None:
        query.set("limit", exp.Limit(expression=exp.Literal.number(1)))
    return True


def _wrap(query: exp.Expression) -> exp.Expression:
    """Put ``SELECT * FROM (query)`` in the place of a query; the LIMIT moves to the outer one."""
    outer = exp.Select(expressions=[exp.Star()])
    query.replace(outer)
    for name in ("limit", "offset"):
        outer.set(name, query.args.get(name))
        query.set(name, None)
    alias = exp.TableAlias(this=exp.to_identifier("equiv_inner"))
    outer.set("from_", exp.From(this=exp.Subquery(this=query, alias=alias)))
    return outer
