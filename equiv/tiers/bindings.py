"""Queries with parameters, or that read the clock: what tests such a pair, a value or an instant at a time.

A parameter is an unknown constant. Equivalent means: for all values, of every storage class and NULL. One
binding and one database that distinguish the queries refute that; so the tiers that refute are asked about
the pair with values in the parameters' places, and what they find is run again with the values bound.
Likely values are tried first, then NULL and other storage classes.

'now' and CURRENT_* are one unknown instant: equivalent means at every one. One instant and one database
that distinguish the queries refute that; so queries that agree today are asked again with the texts of some
instants in the places of the clock, and what a witness shows is what these texts return.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date, timedelta
from functools import cache
from itertools import islice, pairwise, product
from json import dumps, loads

from sqlglot import exp

from equiv.answers.answers import explains
from equiv.answers.pair import Pair
from equiv.cells import Cell
from equiv.core.claims.blocks import COMPARISONS, base_column
from equiv.core.claims.choices import freeze_time, reads_the_clock
from equiv.core.functions.table import INSTANTS, function_of
from equiv.core.functions.traits import LiteralStyle
from equiv.core.model import Column, Context, Domain, Table
from equiv.core.printing import to_sql
from equiv.core.query import Opaque, Query
from equiv.core.reading.hints import is_parameter, literal_value
from equiv.core.runner import Failure, Limits, Result, RunnerError
from equiv.core.single_values import Calculator, sql_literal
from equiv.dialects.crossing.sides import gold_side
from equiv.dialects.protocol import Dialect, Session
from equiv.generate.neighbours import GENERIC, GENERIC_DATES, UUID, names_of_objects
from equiv.names import fold
from equiv.tiers.outcome import Open, Refuted, TierOutcome, most_telling
from equiv.verdict import ParameterBinding

Sample = Callable[[Table, Column], list[Cell]]
"""A sample of the values of a column in the given data."""

_TYPICAL = 6
_LARGEST = 2**62
_ODD: tuple[Cell, ...] = (None, 0, 1, "1", "a", "A", -1, 1.5, "", "1.0", b"a", b"1")
_COUNTS: tuple[Cell, ...] = (2, 3, 1, 10, 0, -1)
_PATTERNS: tuple[Cell, ...] = ("a%", "%", "a", "A_", "%b", "")
_TYPED: dict[str, tuple[Cell, ...]] = {
    "integer": (0, 1, 2, -1, 10),
    "number": (0, 1, 1.5, -1, 10),
    "float": (0, 1, 1.5, -1, 10),
    "boolean": (0, 1),
    "text": ("a", "A", "", "a%", "_", "1"),
    "date": GENERIC_DATES,
    "timestamp": tuple(f"{day} 12:30:00" for day in GENERIC_DATES),
    "uuid": ("00000000-0000-0000-0000-000000000001", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
    "timestamptz": tuple(f"{day} 12:30:00" for day in GENERIC_DATES),
    "interval": ("1 day", "0", "1 mon", "-2 hours"),
    "document": ('{"a": 1}', "{}", "[]", '{"a": "b"}', "1"),
    "bytes": (b"a", b"", b"\x00\xff"),
}
_SHAPES = {
    "uuid": UUID,
    "date": re.compile(r"\d{4}-\d\d-\d\d", re.ASCII),
    "timestamp": re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", re.ASCII),
}
_COMPARED = (*COMPARISONS, exp.NullSafeEQ, exp.NullSafeNEQ)
_BESIDE = (*_COMPARED, exp.In, exp.Between, exp.Anonymous)


def bindings(pair: Pair, most: int, sample: Sample | None = None) -> list[dict[str, Cell]]:
    """Different bindings of all parameters of a pair, at least one and at most so many.

    Args:
        pair: a pair with parameters.
        most: how many bindings are wanted.
        sample: gives values of the given data, if there is any.
    """
    names = sorted({*pair.pred.parameters, *pair.gold.parameters}, key=lambda name: (len(name), name))
    pools = [_pool(name, pair, sample) for name in names]
    idle = [_idle_value(name, pair) for name in names]
    by_values: dict[tuple[tuple[type, Cell], ...], dict[str, Cell]] = {}
    for values in islice(_choices(pools, idle), 20 * most):
        by_values.setdefault(
            tuple((type(value), value) for value in values), dict(zip(names, values, strict=True))
        )
        if len(by_values) == most:
            break
    return list(by_values.values())


def _choices(pools: list[list[Cell]], idle: list[tuple[Cell] | None]) -> Iterator[tuple[Cell, ...]]:
    """Likely values, different, swapped and equal; then each parameter odd by itself; then mixtures.

    Where some parameters ask for nothing by a value of theirs, all of them do first, then all but one.
    """
    first = tuple(pool[place % len(pool)] for place, pool in enumerate(pools))
    still = [first[place] if found is None else found[0] for place, found in enumerate(idle)]
    if any(idle):
        yield tuple(still)
    for shift in range(2):
        yield tuple(pool[(place + shift) % len(pool)] for place, pool in enumerate(pools))
    for place in [at for at, found in enumerate(idle) if found][:_TYPICAL]:
        yield (*still[:place], first[place], *still[place + 1 :])
    yield tuple(pool[-place % len(pool)] for place, pool in enumerate(pools, 1))
    yield tuple(pool[0] for pool in pools)
    yield tuple(None for _ in pools)
    base = [pool[place % len(pool)] for place, pool in enumerate(pools)]
    for rank in range(max(map(len, pools))):
        for place, pool in enumerate(pools):
            if rank < len(pool):
                yield (*base[:place], pool[rank], *base[place + 1 :])
    picks = random.Random(len(pools))
    while True:
        yield tuple(picks.choice(pool) for pool in pools)


def _idle_value(name: str, pair: Pair) -> tuple[Cell] | None:
    """The value by which a parameter asks for nothing, as in ``$1 IS NULL OR …``; None if none."""
    for query in (pair.pred, pair.gold):
        tree = query.outline.tree
        for node in tree.find_all(exp.Parameter) if tree is not None else ():
            test = node.parent
            if node.name != name or test is None or test.find_ancestor(exp.Or) is None:
                continue
            if isinstance(test, exp.Is) and isinstance(test.expression, exp.Null):
                return (None,)
            other = test.expression if isinstance(test, exp.EQ) and test.this is node else None
            if isinstance(other, exp.Literal):
                return (literal_value(other),)
    return None


def _pool(name: str, pair: Pair, sample: Sample | None) -> list[Cell]:
    """Values for one parameter, the likeliest first."""
    likely: list[Cell] = []
    trees = [tree for query in (pair.pred, pair.gold) if (tree := query.outline.tree) is not None]
    ctx = Context(replace(pair.schema, is_asked_for=pair.asks_catalogue), pair.facts)
    for tree in trees:
        for node in tree.find_all(exp.Parameter):
            if node.name == name:
                likely += _likely(node, ctx, sample)
    literals = [value for tree in trees for value in _literal_values(tree)]
    kind = _kind(name, pair)
    if kind:
        if kind.startswith(("one of ", "several of ")):
            return [*_labels(kind), None]
        element = _element(kind)
        sought = [*likely[:_TYPICAL], *literals, *_TYPED[element or kind]]
        if element:
            parts = _distinct([value for value in sought if _fits(value, element)])
            sought += _lists([_told(part, element) for part in parts], _BRACKETS[kind.endswith("[]")])
        return [*_distinct([value for value in sought if _fits(value, kind)]), None]
    first = likely[:_TYPICAL] or [*literals[:2], *GENERIC[Domain.ANY][:2]]
    return _distinct([*first, *_ODD, *literals[:_TYPICAL]])


def _kind(name: str, pair: Pair) -> str:
    """The type of a parameter by the engine of its dialect, or ''."""
    for query in (pair.pred, pair.gold):
        for known, kind in zip(query.parameters, query.parameter_types, strict=False):
            if known == name:
                return kind
    return ""


def _labels(kind: str) -> list[Cell]:
    """The labels of an enumeration, or arrays of them: of one, of all and the first again, and of none."""
    several, _, listed = kind.partition(" of ")
    labels: list[str] = loads(listed)
    if several == "one":
        return [*labels]
    some = (*((label,) for label in labels), (*labels, *labels[:1]), ())
    return ["{" + ",".join(map(dumps, each)) + "}" for each in some]


_BRACKETS = ("[", ", ", "]"), ("{", ",", "}")
"""What stands around the elements of a list of DuckDB's or an array of PostgreSQL's, and between them."""


def _element(kind: str) -> str:
    """What the elements of a parameter are that is a list or an array; '' of another."""
    found = kind.removeprefix("list of ").removesuffix("[]")
    return "" if found == kind else found


def _lists(elements: list[Cell], written: tuple[str, str, str]) -> list[Cell]:
    """Arrays of one element, of two, the first of them twice, of one and NULL, and of none, as texts."""
    start, between, end = written
    texts = [dumps(each) if isinstance(each, str) else str(each) for each in elements[:_TYPICAL]]
    parts = [*((each,) for each in texts), *((one, other, one) for one, other in pairwise(texts))]
    parts += [(texts[0], "NULL"), ()]
    return [start + between.join(each) + end for each in parts]


def _fits(value: Cell, kind: str) -> bool:
    """Whether a value is one of a type."""
    if _element(kind):
        return isinstance(value, str) and value.startswith("{" if kind.endswith("[]") else "[")
    match kind:
        case "integer":
            return isinstance(value, int)
        case "boolean":
            return value in (0, 1) and isinstance(value, int)
        case "number" | "float":
            return isinstance(value, int | float)
        case "date" | "timestamp" | "uuid":
            return isinstance(value, str) and bool(_SHAPES[kind].fullmatch(value))
        case "text":
            return isinstance(value, str)
        case "bytes":
            return isinstance(value, bytes)
    return value in _TYPED[kind] or (kind == "timestamptz" and _fits(value, "timestamp"))


def _distinct(values: list[Cell]) -> list[Cell]:
    """The values without repetition; 1, 1.0 and '1' are three."""
    return list({(type(value), value): value for value in values}.values())


def _likely(node: exp.Expression, ctx: Context, sample: Sample | None) -> list[Cell]:
    """Values that bear on what stands beside a parameter."""
    parent = node.parent
    function = None if parent is None else function_of(parent)
    if function is not None and function.style is LiteralStyle.JSON and node.arg_key != "expression":
        sought = [each for each in _literal_values(node.root()) if not str(each).startswith("$")]
        return [dumps(pair) for pair in product([*sought[:1], 1], repeat=2)]
    while isinstance(parent, exp.Neg | exp.Tuple | exp.Cast | exp.Collate) or (
        isinstance(parent, exp.Anonymous | exp.Coalesce) and parent.find(exp.Column) is None
    ):
        parent = parent.parent
    if isinstance(parent, exp.Limit | exp.Offset):
        return [*_COUNTS]
    if isinstance(parent, exp.Like | exp.Glob) and node.arg_key == "expression":
        return [*_PATTERNS]
    if not isinstance(parent, _BESIDE):
        return []
    values: list[Cell] = [*_literal_values(parent)]
    for column in parent.find_all(exp.Column):
        base = base_column(column, ctx)
        if base is not None:
            values += _of_column(*base, sample)
        elif ctx.schema.is_asked_for:
            values += names_of_objects(ctx.schema, fold(column.name))
    return values


def _literal_values(node: exp.Expr) -> Iterator[Cell]:
    """The values of the literals below a node that can be bound, and printed again as a literal."""
    for value in (literal_value(each) for each in node.find_all(exp.Literal) if not is_parameter(each)):
        if "\x00" not in value if isinstance(value, str) else abs(value) < _LARGEST:
            yield value


def _of_column(table: Table, column: Column, sample: Sample | None) -> list[Cell]:
    given = sample(table, column) if sample is not None else []
    if column.samples is not None:
        return [*given, *column.samples[:_TYPICAL]]
    dated = "date" in f"{column.declared_type} {column.name}".lower()
    return [*given, *(GENERIC_DATES[:2] if dated else ()), *GENERIC[column.domain][:_TYPICAL]]


MOST_BINDINGS = 24
"""How many bindings of a pair's parameters are tried."""

_LEAST_EFFORT = 8


def settle_bound(
    settle: Callable[[Pair, int], TierOutcome],
    pair: Pair,
    effort: int,
    sample: Sample | None = None,
    *,
    most: int = MOST_BINDINGS,
) -> TierOutcome:
    """The outcome of a refuting tier on a pair with parameters: the first binding that is refuted settles it.

    The effort is shared among the bindings, each of which has some databases of its own.  That none is
    refuted within some bound says nothing of other values: no bound is claimed.
    """
    # On the engine alone each database is dear: few of them are for few bindings.
    chosen = bindings(pair, most if pair.runs_on_core else min(most, -(-effort // _LEAST_EFFORT)), sample)
    share = min(effort, max(_LEAST_EFFORT, effort // len(chosen)))
    if not pair.may_read_rows:  # one database is as good as all of them
        chosen, share = bindings(pair, most, sample), 1
    open_ones: list[Open] = []
    for values in chosen:
        bound = bind(pair, values)
        outcome = settle(bound, share)
        if isinstance(outcome, Refuted):
            shown = outcome.evidence.binding or bound.binding
            return replace(outcome, evidence=replace(outcome.evidence, binding=shown))
        assert isinstance(outcome, Open)
        evidence = None if outcome.evidence is None else replace(outcome.evidence, binding=bound.binding)
        remarks = () if open_ones else outcome.remarks
        open_ones.append(
            replace(outcome, evidence=evidence, bounded=None, failure_code=None, remarks=remarks)
        )
    return most_telling(open_ones)


def bind(pair: Pair, values: Mapping[str, Cell]) -> Pair:
    """The pair with values in the places of its parameters."""
    pred, gold = (_filled(query, values, pair.dialect) for query in (pair.pred, pair.gold))
    shown = {name: _told(value, _kind(name, pair)) for name, value in values.items()}
    binding = ParameterBinding(tuple(shown.items()), pred.sql, gold.sql)
    return replace(pair, pred=pred, gold=gold, binding=binding, asked=(pair.pred.sql, pair.gold.sql))


def _told(value: Cell, kind: str) -> Cell:
    """A value as a text of the dialect says it: an instant whatever the zone of the session that reads it."""
    return f"{value}+00" if kind == "timestamptz" and isinstance(value, str) else value


def replays(pair: Pair, played: Session, caps: Limits) -> bool:
    """Whether both queries as asked return, on their own engine, what the core's texts of them may return.

    So must a query with the values of its parameters bound, and one that the core runs as another text.
    """
    values = {} if pair.binding is None else dict(pair.binding.values)
    asked = pair.asked or (pair.pred.sql, pair.gold.sql)
    sides = played, gold_side(played)
    for sql, query, plan, side in zip(asked, (pair.pred, pair.gold), pair.plans, sides, strict=True):
        if pair.binding is None and query.core_sql == sql and not pair.is_across:
            continue
        result = side.run(sql, caps, values)
        if isinstance(result, Failure):
            return False
        if not plan.opaque and not explains(played.core, plan, caps, signed(result, query)):
            return False
    return True


def signed(result: Result, query: Query) -> Result:
    """A result with the query's sign where the core's text has it."""
    if not query.apart:
        return result
    rows = (
        tuple(query.sign if at in query.apart and cell is not None else cell for at, cell in enumerate(row))
        for row in result.rows
    )
    return replace(result, rows=tuple(rows))


def _filled(query: Query, values: Mapping[str, Cell], dialect: Dialect) -> Query:
    if not query.parameters:
        return query
    tree = None if query.tree is None else _filled_tree(query.tree, values)
    spelt = _shielded if query.tree is None or _is_delicate(query.tree) else _literal
    kinds = dict(zip(query.parameters, query.parameter_types, strict=False))
    told = {name: spelt(_told(values[name], kinds.get(name, ""))) for name in query.parameters}
    texts = query.sql, query.watched, query.watched_order
    sql, watched, of_order = (dialect.reader.filled(text, told) for text in texts)
    core = None if query.core_text is None else "" if tree is None else to_sql(tree)
    symbols = query.with_symbols and _filled(query.with_symbols, values, dialect)
    begin = cache(lambda: (begun := query.begin()) and _filled(begun, values, dialect))
    return replace(
        query,
        sql=sql,
        tree=tree,
        parameters=(),
        core_text=core,
        watched=watched,
        watched_order=of_order,
        with_symbols=symbols,
        begin=begin,
    )


def _is_delicate(tree: exp.Expression) -> bool:
    """Whether a parameter stands where SQLite's parser treats a literal in its own way.

    A number as a term of ORDER BY or GROUP BY is a position, and ``x AND 0`` is folded before x is looked at.
    """
    return any(_is_folded_place(node) for node in tree.find_all(exp.Parameter))


def _is_folded_place(node: exp.Expression) -> bool:
    return isinstance(_reader_of(node), exp.Ordered | exp.Group | exp.And)


def _reader_of(node: exp.Expression) -> exp.Expr | None:
    """What reads a parameter, whatever its sign and collation."""
    parent = node.parent
    while isinstance(parent, exp.Collate | exp.Neg):
        parent = parent.parent
    return parent


def _literal(value: Cell) -> str:
    text = sql_literal(value)
    return f"({text})" if text.startswith("-") else text


def _shielded(value: Cell) -> str:
    """A value as what no parser folds, has no affinity and is no position."""
    return f"(SELECT {sql_literal(value)})"


def _filled_tree(tree: exp.Expression, values: Mapping[str, Cell]) -> exp.Expression:
    def change(node: exp.Expression) -> exp.Expression:
        if not isinstance(node, exp.Parameter):
            return node
        # As a term of ORDER BY or GROUP BY a constant orders nothing, and a number would be a position.
        constant = isinstance(_reader_of(node), exp.Ordered | exp.Group)
        return exp.Null() if constant else value_node(values[node.name])

    filled = tree.copy().transform(change, copy=False)
    assert isinstance(filled, exp.Expression)
    return filled


def value_node(value: Cell) -> exp.Expression:
    """A value as the literal of a resolved tree."""
    match value:
        case None:
            return exp.Null()
        case bytes():
            return exp.HexString(this=value.hex())
        case str():
            return exp.Literal.string(value)
        case _ if value < 0:
            return exp.Neg(this=exp.Literal(this=repr(-value), is_string=False))
    return exp.Literal(this=repr(value), is_string=False)


CLOCK = "now"
"""The name under which a binding keeps the instant."""

_GENERIC = (
    "2024-02-29 12:34:56.789",
    "2023-12-31 23:59:59.999",
    "2023-01-31 00:00:00.000",
    "2030-07-01 06:07:08.090",
)
_MOST = 8
_DAY = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?(?!\d)", re.ASCII)
_WITHIN_A_YEAR = re.compile(r"(0[1-9]|1[0-2])(?:-(0[1-9]|[12]\d|3[01]))?", re.ASCII)
_YEARS = range(1970, 2200)


def settle_at_instants(
    settle: Callable[[Pair, int], TierOutcome], pair: Pair, effort: int, today: TierOutcome
) -> TierOutcome:
    """The outcome of a refuting tier on a pair that reads the clock, tried at several instants besides today.

    Args:
        settle: the tier.
        effort: is shared among the instants.
        today: what the tier says of the pair as it is.
    """
    if isinstance(today, Refuted) or not reads_any_clock(pair):
        return today
    # Each of many bindings has one.
    chosen = list(islice(dict.fromkeys(_instants(pair)), _MOST if pair.binding is None else 1))
    for instant in chosen:
        outcome = _settled(settle, pair, instant, max(_LEAST_EFFORT, effort // len(chosen)))
        if isinstance(outcome, Refuted):
            return outcome
    return today


def _settled(
    settle: Callable[[Pair, int], TierOutcome], pair: Pair, instant: str, effort: int
) -> TierOutcome | None:
    try:
        at = pair_at(pair, instant)
    except Opaque:
        return None
    outcome = settle(at, effort)
    if isinstance(outcome, Refuted):
        return replace(outcome, evidence=replace(outcome.evidence, binding=at.binding))
    return outcome


def reads_any_clock(pair: Pair) -> bool:
    """Whether both queries can be read, and one of them reads the clock."""
    trees = [query.tree for query in (pair.pred, pair.gold) if query.tree is not None]
    try:
        return len(trees) == 2 and any(map(reads_the_clock, trees))
    except Opaque:
        return False


def pair_at(pair: Pair, instant: str) -> Pair:
    """The pair with the texts of an instant, YYYY-MM-DD HH:MM:SS.SSS, in the places of the clock.

    Raises:
        Opaque: it is not known where that is.
    """
    pred, gold = (_at(query, instant, pair.dialect) for query in (pair.pred, pair.gold))
    values = () if pair.binding is None else pair.binding.values
    binding = ParameterBinding((*values, (CLOCK, instant)), pred.sql, gold.sql)
    return replace(pair, pred=pred, gold=gold, binding=binding, asked=(pred.sql, gold.sql))


def _at(query: Query, instant: str, dialect: Dialect) -> Query:
    assert query.tree is not None
    tree = query.tree.copy()
    if not freeze_time(tree, instant):
        return query
    tree = _computed(tree, instant)
    if query.core_text is None:
        return replace(query, sql=to_sql(tree), tree=tree)
    told = dialect.reader.at_instant(query.sql, instant)
    if told is None:
        raise Opaque("Literal", "the clock, in a text that is not printed from its tree")
    return replace(query, sql=told, tree=tree, core_text=to_sql(tree), with_symbols=None)


def _computed(tree: exp.Expression, instant: str) -> exp.Expression:
    """The tree with the texts that functions make of an instant, by which values beside them are chosen."""
    known = {instant[slice(*row.shown)] for row in INSTANTS}

    def change(node: exp.Expression) -> exp.Expression:
        parts = [*node.walk()] if isinstance(node, exp.Func) else []
        leaves = [part for part in parts if isinstance(part, exp.Literal)]
        if not known.intersection(leaf.name for leaf in leaves) or any(map(_is_of_rows, parts)):
            return node
        try:
            value = _calculator().value(to_sql(node))
        except RunnerError:
            return node
        return exp.Literal.string(value) if isinstance(value, str) else node

    found = tree.transform(change)
    assert isinstance(found, exp.Expression)
    return found


def _is_of_rows(node: exp.Expr) -> bool:
    return isinstance(node, exp.Column | exp.Parameter | exp.Query | exp.AggFunc | exp.Window | exp.Star)


@cache
def _calculator() -> Calculator:
    return Calculator()


def _instants(pair: Pair) -> Iterator[str]:
    """Instants that the literals of the queries ask for, and others at which the calendar turns."""
    days = [day for text in _literals(pair) for day in _days(text)]
    yield from (f"{day} 12:34:56.789" for day in days[: _MOST - len(_GENERIC)])
    yield from _GENERIC


def _literals(pair: Pair) -> Iterator[str]:
    for query in (pair.pred, pair.gold):
        assert query.tree is not None
        for literal in query.tree.find_all(exp.Literal):
            yield str(literal.this)


def _days(text: str) -> Iterator[str]:
    """Days in and beside what a literal may name: a year, a month or a day, or the part of a year."""
    whole, part = _DAY.match(text), _WITHIN_A_YEAR.fullmatch(text)
    if whole is not None and int(whole[1]) in _YEARS:
        try:
            day = date(int(whole[1]), int(whole[2] or 12), int(whole[3] or 1))
        except ValueError:
            return
        yield day.isoformat()
        yield (day + timedelta(days=1 if whole[3] else 31)).isoformat()
    elif part is not None:
        yield f"2024-{part[1]}-{part[2] or '15'}"
