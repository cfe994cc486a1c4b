"""What readers of typed dialects share: typed queries printed, and put in the core's text.

An engine's reader parses and types a text, prints the typed tree, has it resolved again and compares: every
name is qualified, every operator in parentheses.  What is faithful is lowered to the core's text, which the
core's reader takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

from equiv.core import recursion
from equiv.core.claims.blocks import looks_beside, reads_numbers
from equiv.core.printing import to_sql
from equiv.core.query import Broken, Query, Unsupported, UnsupportedError
from equiv.dialects.registry import reference
from equiv.dialects.typed import tree as t
from equiv.dialects.typed.calendar import in_calendar_form
from equiv.dialects.typed.lowering.bags import without_idle_keys
from equiv.dialects.typed.lowering.build import is_plain
from equiv.dialects.typed.lowering.numbers import computed_in, has_narrow_fractions
from equiv.dialects.typed.lowering.operators import has_constant_error
from equiv.dialects.typed.lowering.queries import lower
from equiv.dialects.typed.lowering.sources import core_table
from equiv.dialects.typed.walks import parts_of, shape_of
from equiv.names import fold

if TYPE_CHECKING:
    from equiv.core.model import Schema
    from equiv.dialects.protocol import Session
    from equiv.dialects.typed.lowering.calls import Routines


KEPT = {"0": "", "1": "MATERIALIZED ", "2": "NOT MATERIALIZED "}
"""Whether a common table expression is computed apart, as it is written."""


class TypedPrinter:
    """Prints queries; an engine has a function for each class of expressions of its own, and clauses."""

    printers: ClassVar[Mapping[type, Callable[[Any, Any], str]]] = {}
    """By class of expressions, besides those that engines write alike."""

    def query(self, query: t.TypedQuery) -> str:
        """The text of a query, without parentheses around it."""
        word = "WITH RECURSIVE" if any(each.recursive for each in query.ctes) else "WITH"
        ctes = f"{word} {', '.join(map(self.cte, query.ctes))} " if query.ctes else ""
        return ctes + (self.select(query) if isinstance(query, t.Select) else self.compound_query(query))

    def expression(self, value: t.Expr) -> str:
        """The text of an expression."""
        own = self.printers.get(type(value))
        return own(self, value) if own is not None else _PRINTERS[type(value)](self, value)

    def cte(self, cte: t.CommonTable) -> str:
        """A common table expression."""
        raise NotImplementedError

    def targets(self, query: t.Select, places: tuple[int, ...]) -> str:
        """The result columns with their names, or numbers where an operand goes by the names of another."""
        raise NotImplementedError

    def item(self, item: t.FromItem) -> str:
        """Something that FROM reads."""
        raise NotImplementedError

    def compound(self, body: t.Compound) -> str:
        """A set operation."""
        raise NotImplementedError

    def operand(self, body: t.Compound | t.SetOperand) -> str:
        """An operand of a set operation."""
        return f"({self.query(body.query) if isinstance(body, t.SetOperand) else self.compound(body)})"

    def quantified(self, value: t.NestedQuery, inner: str) -> str:
        """A value compared with the rows of a subquery."""
        raise NotImplementedError

    def name(self, routine: t.Routine) -> str:
        """The name by which a function is called."""
        raise NotImplementedError

    def group(self, group: t.GroupBy, query: t.Select) -> str:
        """The keys that rows are grouped by."""
        raise NotImplementedError

    def key(self, value: t.Expr, query: t.Select) -> str:  # noqa: ARG002 - an engine may ask which columns it has
        """A term by which rows of a query are distinguished or sorted."""
        return self.expression(value)

    def further(self, query: t.Select) -> list[str]:  # noqa: ARG002 - an engine may have some
        """The clauses after HAVING."""
        return []

    def select(self, query: t.Select, places: tuple[int, ...] = ()) -> str:
        """A SELECT without its common table expressions."""
        # What the columns are called is known when FROM is written.
        items = ", ".join(map(self.item, query.items))
        distinct = "DISTINCT " if query.distinct else ""
        if query.distinct_on:
            distinct = f"DISTINCT ON ({', '.join(self.key(each, query) for each in query.distinct_on)}) "
        parts = [f"SELECT {distinct}{self.targets(query, places)}"]
        if items:
            parts.append(f"FROM {items}")
        if query.where is not None:
            parts.append(f"WHERE {self.expression(query.where)}")
        if query.group is not None:
            parts.append(f"GROUP BY {self.group(query.group, query)}")
        if query.having is not None:
            parts.append(f"HAVING {self.expression(query.having)}")
        parts += self.further(query)
        if query.order:
            keys = (self.key(each.value, query) + way_of(each) for each in query.order)
            parts.append(f"ORDER BY {', '.join(keys)}")
        return " ".join([*parts, *self._limit(query.limit)])

    def _limit(self, limit: t.Limit | None) -> list[str]:
        if limit is None:
            return []
        parts = []
        if limit.count is not None:
            count = self.expression(limit.count)
            parts.append(f"FETCH FIRST ({count}) ROWS WITH TIES" if limit.with_ties else f"LIMIT {count}")
        if limit.offset is not None:
            parts.append(f"OFFSET {self.expression(limit.offset)}")
        return parts

    def compound_query(self, query: t.SetQuery) -> str:
        """A set operation without its common table expressions."""
        parts = [self.compound(query.body)]
        if query.order:
            terms = (f"{place}{direction(down, first)}" for place, down, first in query.order)
            parts.append(f"ORDER BY {', '.join(terms)}")
        return " ".join([*parts, *self._limit(query.limit)])

    def order(self, keys: Iterable[t.SortKey]) -> str:
        """ORDER BY of an aggregate or a window."""
        return "ORDER BY " + ", ".join(self.expression(key.value) + way_of(key) for key in keys)

    def listed(self, values: Iterable[t.Expr]) -> str:
        """Expressions with commas between."""
        return ", ".join(map(self.expression, values))

    def rows_of(self, values: t.ValuesList) -> str:
        """VALUES."""
        return "VALUES " + ", ".join(f"({self.listed(row)})" for row in values.rows)

    def logic(self, value: t.Logic) -> str:
        """AND, OR or NOT."""
        operands = [self.expression(each) for each in value.operands]
        if value.operator == "not":
            return f"(NOT {operands[0]})"
        return "(" + f" {value.operator.upper()} ".join(operands) + ")"

    def is_null(self, value: t.NullTest) -> str:
        """IS NULL."""
        return f"({self.expression(value.value)} IS {'NOT ' if value.negated else ''}NULL)"

    def is_distinct(self, value: t.IsDistinct) -> str:
        """IS DISTINCT FROM."""
        return f"({self.expression(value.left)} IS DISTINCT FROM {self.expression(value.right)})"

    def case(self, value: t.CaseWhen) -> str:
        """CASE, with the value that its branches compare, if there is one."""
        parts = ["CASE"]
        if value.subject is not None:
            parts.append(self.expression(value.subject))
        for condition, result in value.branches:
            shown = condition if value.subject is None else _compared_with(condition)
            parts.append(f"WHEN {self.expression(shown)} THEN {self.expression(result)}")
        return " ".join([*parts, f"ELSE {self.expression(value.default)}", "END"])

    def nested(self, value: t.NestedQuery) -> str:
        """A subquery in an expression."""
        inner = self.query(value.query)
        if value.form == "exists":
            return f"(EXISTS ({inner}))"
        if value.form in ("scalar", "array"):
            return f"{'ARRAY' * (value.form == 'array')}({inner})"
        return self.quantified(value, inner)

    def aggregate(self, value: t.AggregateCall) -> str:
        """An aggregate."""
        if value.ordered_set:
            text = f"({self.listed(value.direct)}) WITHIN GROUP ({self.order(value.order)})"
        else:
            inner = "*" if value.star else self.listed(value.arguments)
            order = f" {self.order(value.order)}" if value.order else ""
            text = f"({'DISTINCT ' if value.distinct else ''}{inner}{order})"
        return self.name(value.routine) + text + self._filter(value.filter)

    def _filter(self, condition: t.Expr | None) -> str:
        return "" if condition is None else f" FILTER (WHERE {self.expression(condition)})"

    def over(self, value: t.Over) -> str:
        """A window function."""
        inner = "*" if value.star else self.listed(value.arguments)
        parts = [f"PARTITION BY {self.listed(value.partition)}"] if value.partition else []
        if value.order:
            parts.append(self.order(value.order))
        if value.frame.given:
            parts.append(self._frame(value.frame))
        return f"({self.name(value.routine)}({inner}){self._filter(value.filter)} OVER ({' '.join(parts)}))"

    def _frame(self, frame: t.Frame) -> str:
        start, end = (
            word if offset is None else f"{self.expression(offset)} {word}"
            for word, offset in ((frame.start, frame.start_offset), (frame.end, frame.end_offset))
        )
        exclusion = f" EXCLUDE {frame.exclusion}" if frame.exclusion else ""
        return f"{frame.unit} {start if frame.short else f'BETWEEN {start} AND {end}'}{exclusion}"


def bare_values(query: t.TypedQuery) -> t.ValuesList | None:
    """The rows of a query that VALUES alone writes, common table expressions apart."""
    match query:
        case t.Select(targets, (t.ValuesList() as values,), None, None, None, False, (), (), None):
            fields = [target.value for target in targets]
            whole = [t.SourceColumn(found, values.number, at) for at, found in enumerate(values.types, 1)]
            return values if fields == whole else None
    return None


def _compared_with(condition: t.Expr) -> t.Expr:
    """The value that a branch of CASE compares the subject with: the right side of their equation."""
    if isinstance(condition, t.RoutineCall) and len(condition.arguments) == 2:
        return condition.arguments[1]
    return condition


def way_of(key: t.SortKey) -> str:
    """How a term of ORDER BY sorts, behind it."""
    return direction(key.descending, key.nulls_first)


def direction(descending: bool, nulls_first: bool) -> str:
    """A direction, and where NULLs come, as they are written."""
    return f" {'DESC' if descending else 'ASC'} NULLS {'FIRST' if nulls_first else 'LAST'}"


_PRINTERS: dict[type, Callable[[TypedPrinter, Any], str]] = {
    t.AggregateCall: lambda p, value: p.aggregate(value),
    t.CaseWhen: TypedPrinter.case,
    t.Coalesce: lambda p, value: f"COALESCE({p.listed(value.arguments)})",
    t.GreatestLeast: lambda p, v: f"{'greatest' if v.greatest else 'least'}({p.listed(v.arguments)})",
    t.Grouped: lambda p, value: p.expression(value.value),
    t.Grouping: lambda p, value: f"GROUPING({p.listed(value.keys)})",
    t.IsDistinct: TypedPrinter.is_distinct,
    t.Logic: TypedPrinter.logic,
    t.NestedQuery: lambda p, value: p.nested(value),
    t.NullIf: lambda p, value: f"NULLIF({p.expression(value.value)}, {p.expression(value.other)})",
    t.NullTest: TypedPrinter.is_null,
    t.Over: lambda p, value: p.over(value),
    t.ParameterValue: lambda _, value: value.name,
}


@dataclass(frozen=True)
class CoreTranslation:
    """A query as far as it is translated; without a text of the core there is a reason."""

    core: str = ""
    why: Unsupported | None = None
    is_prepared: bool = True
    """Whether the core's runner takes it."""
    may_fail: bool = False
    orders: bool = False
    lengths: tuple[int | None, ...] = ()
    """For each column the characters that its values show, blanks behind among them; None: not known."""
    computed: frozenset[tuple[str, str]] = frozenset()
    has_narrow_fractions: bool = False
    has_constant_error: bool = False
    shape: str = ""
    settings: frozenset[str] = frozenset()
    """Those that it depends on."""
    fresh: frozenset[str] = frozenset()
    passed_on: frozenset[tuple[str, str]] = frozenset()
    watched: str | None = None
    """See :attr:`~equiv.core.query.Query.watched`; None: what it chooses is not known."""
    watched_order: str = ""
    begin: Callable[[], Query | None] | None = None
    """See :attr:`~equiv.core.query.Query.begin`; None without recursions."""
    with_symbols: CoreTranslation | None = None
    """The same with symbols for what depends on settings, or has no meaning in the core, if there is such a
    reading."""


def beside(found: CoreTranslation, other: CoreTranslation) -> CoreTranslation:
    """A translation with one of the same query with symbols beside it, where that says more.

    Args:
        found: without symbols.
        other: with symbols.
    """
    if other.why is not None:
        # What even symbols do not help over is the obstacle.
        return found if found.why is None else replace(found, why=other.why)
    if found.why is not None:
        # What is said of errors and of numbers is said of what is proved.
        return replace(other, core="", why=found.why, with_symbols=other)
    return replace(found, with_symbols=other) if other.settings < found.settings else found


def untyped(found: str) -> str:
    """A literal of the core, maybe shielded by a subquery, as one of no type yet."""
    inner = found[len("(SELECT ") : -1] if found.startswith("(SELECT ") else found
    inner = inner[1:-1] if inner.startswith("(") and inner.endswith(")") else inner
    if inner.startswith(("x'", "X'")):
        return f"'\\x{inner[2:]}"
    if inner == "NULL" or inner.startswith("'"):
        return inner
    return f"'{inner}'"


def why_not(error: UnsupportedError | RecursionError) -> Unsupported:
    """Why a query has no translation."""
    if isinstance(error, UnsupportedError):
        return Unsupported(error.node, error.why)
    return Unsupported("Query", "nested too deeply")


def lowered(
    typed: t.TypedQuery,
    plain: t.TypedQuery,
    read: t.TypedQuery,
    schema: Schema,
    routines: Mapping[str, Routines],
    *,
    symbols: dict[str, t.Expr] | None = None,
) -> CoreTranslation:
    """A typed query in the core's text.

    Args:
        typed: as it is resolved.
        plain: the same in the words that engines share, calls of constants computed.
        read: the same, moved to where the core answers alike.
        schema: the tables and views.
        routines: what lowers the calls of each schema of functions that is not PostgreSQL's.
        symbols: as in :func:`~equiv.dialects.typed.lowering.queries.lower`.

    Raises:
        UnsupportedError: it has no meaning there.
    """
    made = lower(without_idle_keys(in_calendar_form(read)), schema, routines, symbols=symbols)
    tree = recursion.with_symbols(made)
    core = to_sql(tree)

    @cache
    def begin() -> Query | None:
        found = reference().read_unprepared(to_sql(recursion.begun(made)), schema.with_numbers)
        return found if found.tree is not None else None

    return CoreTranslation(
        core,
        is_prepared=not reads_numbers(tree) and not looks_beside(tree),
        may_fail=bool(symbols),
        passed_on=frozenset() if symbols is None else frozenset(_passed_on(read, schema)),
        computed=computed_in(plain),
        has_narrow_fractions=has_narrow_fractions(typed),
        has_constant_error=has_constant_error(plain),
        shape=shape_of(typed),
        begin=begin if tree is not made else None,
    )


def _passed_on(query: t.TypedQuery, schema: Schema) -> Iterator[tuple[str, str]]:
    """The columns of tables, of those that a query reads, of whose values the core knows identity alone."""
    parts = list(parts_of(query))
    uses = {each.number: each for each in parts if isinstance(each, t.TableUse)}
    for each in parts:
        if isinstance(each, t.SourceColumn) and each.source in uses and not is_plain(each.type):
            use = uses[each.source]
            found = core_table(schema, use.schema, use.name)
            if found is not None:
                yield fold(found.name), fold(use.columns[each.position - 1])


def stated_otherwise(
    asked: Iterable[str], schema: Schema, taken: Mapping[str, str]
) -> dict[str, Unsupported]:
    """The settings that are asked for and stated with a value that texts are not read under, and why not."""
    names = {*asked}
    return {
        name: Unsupported("Setting", f"{name} is {value!r}; queries that depend on it need {taken[name]!r}")
        for name, value in schema.settings
        if name in names and value != taken[name]
    }


def with_trees(found: Query, made: CoreTranslation, schema: Schema, empty: Session) -> Query:
    """The query with the tree of its translation, as the core's reader takes it, and one with symbols."""
    if made.with_symbols is not None:
        other = _with_tree(found, made.with_symbols, schema, empty)
        found = replace(found, with_symbols=other if other.tree is not None else None, begin=other.begin)
    return _with_tree(found, made, schema, empty)


def _with_tree(found: Query, made: CoreTranslation, schema: Schema, empty: Session) -> Query:
    tree, why = None, made.why
    if made.core:
        core: Query | Broken
        if made.is_prepared:
            core = reference().reader.read(made.core, schema, empty)
        else:
            core = reference().read_unprepared(made.core, schema.with_numbers)
        if isinstance(core, Broken):
            why = Unsupported("resolution", f"its translation to SQLite cannot be read: {core.message}")
        else:
            tree, why = core.tree, core.unsupported
    return replace(
        found,
        tree=tree,
        begin=made.begin or found.begin,
        unsupported=why,
        may_fail=made.may_fail,
        has_constant_error=made.has_constant_error,
        shape=made.shape,
        settings=made.settings,
        fresh=made.fresh,
        passed_on=made.passed_on,
        computed=made.computed,
        has_narrow_fractions=made.has_narrow_fractions,
        core_text=made.core if why is None else "",
    )
