"""Name lookup at one place of a query, as SQLite does it, and expressions built anew with names resolved.

After ``lookupName`` in https://sqlite.org/src/file/src/resolve.c: inside a
namespace the columns of its sources come first, then, where they are visible, its
result aliases; then the same in the enclosing namespace.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from sqlglot import exp

from equiv.core.model import Schema, Table
from equiv.core.query import UnsupportedError
from equiv.names import NameMap, UniqueNames, fold, is_same

_ROWID_NAMES = {"rowid", "oid", "_rowid_"}


@dataclass(frozen=True, slots=True)
class OutputColumn:
    """A column of a nested query: the name SQLite gives it, and its name in the resolved tree."""

    name: str
    column: str


@dataclass(frozen=True)
class VisibleSource:
    """One member of a FROM clause."""

    name: str
    """The name that qualifies its columns, in lower case; '' if it has none."""
    alias: str
    """Its alias in the resolved tree."""
    table: Table | None
    """The base table, or None for a nested query."""
    nested: tuple[OutputColumn, ...] = ()
    """The columns of the nested query."""
    side: str = ""
    """LEFT, RIGHT, FULL or '': how it is joined to the sources before it."""
    using: frozenset[str] = frozenset()
    """Names in lower case of the columns that USING or NATURAL joins it on."""
    members: tuple[VisibleSource, ...] = ()
    """Of a join in parentheses: its members, whose names qualify columns as the source's own would."""

    @cached_property
    def _nested(self) -> NameMap[str]:
        return NameMap((output.name, output.column) for output in self.nested)

    def find(self, name: str) -> str | None:
        """The resolved name of a column, or None if there is no such column."""
        if self.table is None:
            return self._nested.get(name)
        found = self.table.column(name)
        return None if found is None else found.name

    @property
    def outputs(self) -> tuple[OutputColumn, ...]:
        """All columns, in order."""
        if self.table is None:
            return self.nested
        return tuple(OutputColumn(each.name, each.name) for each in self.table.columns if not each.hidden)

    def visible(self, column: str) -> str:
        """The name that SQLite gives to the column of that resolved name."""
        if self.table is not None:
            return column
        return next(output.name for output in self.nested if output.column == column)


@dataclass(frozen=True)
class Projection:
    """One result column: as read, or, from a star, as resolved."""

    alias: str | None
    """The name given by AS or by a star's expansion."""
    raw: exp.Expression | None
    fixed: exp.Expression | None = None
    span: str = ""
    """The text of the expression, which is its name when it has no other."""


class Resolution:
    """The state that all namespaces of one statement share."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.sources: dict[str, VisibleSource] = {}
        self._aliases = UniqueNames()
        self._cte_names: UniqueNames | None = None

    def add(self, source: VisibleSource) -> VisibleSource:
        """Register a source under its alias."""
        self.sources[source.alias] = source
        return source

    def alias(self, base: str) -> str:
        """An alias that no source of the statement has yet."""
        return self._aliases.fresh(base)

    def cte_name(self, base: str) -> str:
        """A name that no CTE of the statement and no table of the schema has yet."""
        if self._cte_names is None:
            tables = [table.name for table in self.schema.tables]
            self._cte_names = UniqueNames([*tables, *(view.name for view in self.schema.views)])
        return self._cte_names.fresh(base)


@dataclass(frozen=True)
class Namespace:
    """The names that one clause of a SELECT sees."""

    session: Resolution
    ctes: object
    """The common table expressions visible to its subqueries."""
    sources: Sequence[VisibleSource] = ()
    outer: Namespace | None = None
    projections: Sequence[Projection] | None = None
    """The result columns whose aliases are visible here, if they are."""
    results: Namespace | None = None
    """The namespace in which these result columns are resolved."""
    windows: NameMap[exp.Expression] = field(default_factory=NameMap)

    def levels(self) -> Iterator[Namespace]:
        """The namespace and the namespaces around it, innermost first."""
        level: Namespace | None = self
        while level is not None:
            yield level
            level = level.outer


Resolve = Callable[[exp.Expression, Namespace], exp.Expression]


def column_node(source: VisibleSource, column: str) -> exp.Column:
    """A resolved reference."""
    return exp.Column(this=exp.Identifier(this=column, quoted=False), table=alias_node(source.alias))


def alias_node(name: str) -> exp.Identifier:
    """An identifier of a resolved tree: never quoted there, the printer quotes."""
    return exp.Identifier(this=name, quoted=False)


def _look_up(node: exp.Expression, namespace: Namespace, resolve: Resolve) -> exp.Expression:
    """The node that a column reference stands for.

    Raises:
        UnsupportedError: nothing, or several things.
    """
    name, table = node.name, node.text("table")
    for level in namespace.levels():
        column = in_sources(level.sources, name, table)
        if column is not None:
            return column
        if not table and level.projections is not None and level.results is not None:
            for projection in level.projections:
                if projection.alias is not None and is_same(projection.alias, name):
                    return projected(projection, level.results, resolve)
    if table:
        raise UnsupportedError("Column", f"no such column: {table}.{name}")
    if node.this.args.get("quoted"):
        column = exp.Literal.string(name)
        column.meta["misread"] = True
        return column
    if fold(name) in ("true", "false"):
        return exp.Boolean(this=fold(name) == "true")
    raise UnsupportedError("Column", f"no such column: {name}")


def projected(projection: Projection, results: Namespace, resolve: Resolve) -> exp.Expression:
    """A new copy of a result column; sources inside it get aliases of their own."""
    if projection.fixed is not None:
        return projection.fixed.copy()
    assert projection.raw is not None
    return resolve(projection.raw, results)


def in_sources(sources: Sequence[VisibleSource], name: str, table: str = "") -> exp.Expression | None:
    """The column of that name among sources, or None.

    A column that USING joins is the left one; of a RIGHT JOIN the right one; of
    a FULL JOIN the first that is not NULL.

    Raises:
        UnsupportedError: the name is ambiguous, or is a rowid that no column holds.
    """
    named = [source for source in opened(sources) if not table or source.name == fold(table)]
    matches: list[exp.Column] = []
    for source in named:
        column = source.find(name)
        if column is None:
            continue
        if matches:
            if fold(name) not in source.using:
                raise UnsupportedError("Column", f"ambiguous column name: {name}")
            if source.side not in ("RIGHT", "FULL"):
                continue
            if source.side == "RIGHT":
                matches.clear()
        matches.append(column_node(source, column))
    if len(matches) > 1:
        return exp.Coalesce(this=matches[0], expressions=matches[1:])
    if matches:
        return matches[0]
    if len(named) == 1 and fold(name) in _ROWID_NAMES:
        return _rowid(named[0])
    return None


def opened(sources: Sequence[VisibleSource]) -> list[VisibleSource]:
    """The sources, each join in parentheses replaced by its members."""
    return [member for source in sources for member in (source.members or (source,))]


def _rowid(source: VisibleSource) -> exp.Expression | None:
    if source.table is not None and source.table.without_rowid:
        return None
    if source.table is None or source.table.rowid_alias is None:
        raise UnsupportedError("Column", "a rowid that is not also a column")
    return column_node(source, source.table.rowid_alias)


def expression(node: exp.Expression, namespace: Namespace) -> exp.Expression:
    """The resolved copy of an expression.

    Raises:
        UnsupportedError: a name in it has no single meaning.
    """
    special = _SPECIAL.get(type(node))
    return special(node, namespace) if special is not None else _rebuilt(node, namespace)


def _rebuilt(node: exp.Expression, namespace: Namespace) -> exp.Expression:
    args: dict[str, object] = {}
    for name, value in node.args.items():
        if isinstance(value, exp.Expression):
            args[name] = expression(value, namespace)
        elif isinstance(value, list):
            args[name] = [expression(each, namespace) for each in value]
        elif value is not None:
            args[name] = value
    return type(node)(**args)


def _call(node: exp.Expression, namespace: Namespace) -> exp.Expression:
    """A call; of MATCH, as SQLite calls the operator too, with the table that it searches, or a column.

    Raises:
        UnsupportedError: it searches no FTS5 table.
    """
    if node.name != "MATCH" or len(node.expressions) != 2:
        return _rebuilt(node, namespace)
    pattern, place = node.expressions
    found = _searched(place, namespace) if isinstance(place, exp.Column) else None
    found = found or expression(place, namespace)
    source = namespace.session.sources.get(found.text("table")) if isinstance(found, exp.Column) else None
    if source is None or source.table is None or not source.table.is_searched:
        raise UnsupportedError("Match", "the operator MATCH")
    return exp.Anonymous(this="MATCH", expressions=[expression(pattern, namespace), found])


def _searched(place: exp.Column, namespace: Namespace) -> exp.Expression | None:
    """The hidden column that stands for all of a table that searches texts, and has its name."""
    for level in namespace.levels():
        for source in opened(level.sources):
            table, qualifier = source.table, fold(place.text("table"))
            is_its = table is not None and table.is_searched and is_same(place.name, table.name)
            if table is not None and is_its and qualifier in ("", source.name):
                return column_node(source, table.name)
    return None


def _subquery(node: exp.Expression, namespace: Namespace) -> exp.Expression:
    from equiv.dialects.sqlite.resolve.trees import nested

    return exp.Subquery(this=nested(node.this, namespace))


def _exists(node: exp.Expression, namespace: Namespace) -> exp.Expression:
    from equiv.dialects.sqlite.resolve.trees import nested

    return exp.Exists(this=nested(node.this, namespace))


def _in(node: exp.Expression, namespace: Namespace) -> exp.Expression:
    """``x IN table`` is ``x IN (SELECT * FROM table)``."""
    table = node.args.get("field")
    if table is None:
        return _rebuilt(node, namespace)
    select = exp.Select(expressions=[exp.Star()], from_=exp.From(this=table.copy()))
    select.meta["spans"] = ["*"]
    return exp.In(
        this=expression(node.this, namespace), query=_subquery(exp.Subquery(this=select), namespace)
    )


def _is(node: exp.Expression, namespace: Namespace) -> exp.Expression:
    """IS TRUE and IS FALSE test truth; any other IS is a comparison that NULLs take part in.

    SQLite looks for the word behind every COLLATE (``sqlite3ExprSkipCollateAndLikely`` in
    https://sqlite.org/src/file/src/resolve.c); one that an alias brings along hides it.
    """
    word = behind_collate(node.expression)
    found = expression(word, namespace) if isinstance(word, exp.Column) else None
    if not isinstance(found, exp.Boolean):
        return _rebuilt(node, namespace)
    test = exp.Is(this=expression(node.this, namespace), expression=found)
    return exp.Not(this=test) if isinstance(node, exp.NullSafeNEQ) else test


def behind_collate(node: exp.Expression) -> exp.Expression:
    """The expression behind every COLLATE, where SQLite looks for a word, an alias or a position."""
    while isinstance(node, exp.Collate):
        node = node.this
    return node


def _not(node: exp.Expression, namespace: Namespace) -> exp.Expression:
    found = _rebuilt(node, namespace)
    if node.meta.get("prefix"):
        found.meta["prefix"] = True
    return found


def _window(node: exp.Expression, namespace: Namespace) -> exp.Expression:
    """A window function, its named window written out."""
    args = {name: value for name, value in node.args.items() if name != "this"}
    base = args.pop("alias", None)
    while base is not None:
        found = namespace.windows.get(base.name)
        if found is None:
            raise UnsupportedError("Window", f"no such window: {base.name}")
        inherited = {name: value for name, value in found.args.items() if name not in ("this", "alias")}
        args = inherited | {name: value for name, value in args.items() if value is not None}
        base = found.args.get("alias")
    args["this"] = node.this
    return _rebuilt(exp.Window(**args), namespace)


_SPECIAL: dict[type, Callable[[exp.Expression, Namespace], exp.Expression]] = {
    exp.Anonymous: _call,
    exp.Column: lambda node, namespace: _look_up(node, namespace, expression),
    exp.Not: _not,
    exp.Parameter: lambda node, _: node.copy(),
    exp.Subquery: _subquery,
    exp.Exists: _exists,
    exp.In: _in,
    exp.NullSafeEQ: _is,
    exp.NullSafeNEQ: _is,
    exp.Window: _window,
}
