"""Typed queries as PostgreSQL text that means exactly them; calls on constants, computed by PostgreSQL.

Every name is qualified, every operator in parentheses, every constant has its type: what comes out is for
PostgreSQL to read again, see :mod:`equiv.dialects.postgres.analysis.nodes`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from equiv.core.query import UnsupportedError
from equiv.dialects.postgres.analysis.nodes import TreeNode, difference, read_nodes
from equiv.dialects.postgres.wire import Wire, WireError
from equiv.dialects.typed import tree as t
from equiv.dialects.typed.lowering.build import parameter_of
from equiv.dialects.typed.query_texts import code
from equiv.dialects.typed.reader import KEPT, TypedPrinter, bare_values
from equiv.dialects.typed.walks import children, exchanged, found_in
from equiv.dialects.typed.watching import WatchingPrinter
from equiv.names import quoted_name

if TYPE_CHECKING:
    from equiv.dialects.postgres.sandbox import Sandbox


_NAMES = {
    "bool": "boolean", "int2": "smallint", "int4": "integer", "int8": "bigint", "float4": "real",
    "float8": "double precision", "varchar": "character varying", "timestamp": "timestamp without time zone",
    "timestamptz": "timestamp with time zone",
}  # fmt: skip


class PostgresPrinter(TypedPrinter):
    """Prints queries; knows the sources by their numbers."""

    def __init__(self) -> None:
        self.sources: dict[int, t.FromSource | t.Joined] = {}
        self._hidden: dict[tuple[int, int], tuple[int, int]] = {}
        """By source and position the column of a join with an alias, behind which the source has no name."""

    def _register(self, item: t.FromItem) -> None:
        self.sources[item.number] = item
        if isinstance(item, t.Joined):
            self._register(item.left)
            self._register(item.right)

    def cte(self, cte: t.CommonTable) -> str:
        return (
            f"w{cte.number}{self._renamed(cte.columns)} AS {KEPT[cte.materialized]}({self.query(cte.query)})"
        )

    def _columns(self, names: Iterable[str]) -> str:
        return ", ".join(map(quoted_name, told_apart(names)))

    def _renamed(self, names: Iterable[str]) -> str:
        """Names for columns behind an alias; nothing where there are none."""
        found = self._columns(names)
        return f" ({found})" if found else ""

    def select(self, query: t.Select, places: tuple[int, ...] = ()) -> str:
        for item in query.items:
            self._register(item)
        values = bare_values(query)
        return super().select(query, places) if values is None else self.rows_of(values)

    def targets(self, query: t.Select, places: tuple[int, ...]) -> str:  # noqa: ARG002 - no operand has any
        return ", ".join(
            f"{self.expression(each.value)} AS {quoted_name(each.name or '?column?')}"
            for each in query.targets
        )

    def group(self, group: t.GroupBy, query: t.Select) -> str:  # noqa: ARG002 - a key is written anew
        keys = [self.expression(key) for key in group.keys]
        return group.text + ", ".join(keys) if group.sets is None else group.text.format(*keys)

    def compound(self, body: t.Compound) -> str:
        word = body.operator + (" ALL" if body.all else "")
        return f"{self.operand(body.left)} {word} {self.operand(body.right)}"

    def item(self, item: t.FromItem) -> str:
        match item:
            case t.Joined():
                return self._join(item)
            case t.TableUse():
                only = "" if item.inherits else "ONLY "
                names = self._renamed(filter(None, item.renamed))
                return f"{only}{quoted_name(item.schema)}.{quoted_name(item.name)} AS s{item.number}{names}"
            case t.DerivedTable(view=view) if view:
                return f"{view} AS s{item.number}{self._renamed(item.columns)}"
            case t.DerivedTable():
                lateral = "LATERAL " if item.lateral else ""
                return f"{lateral}({self.query(item.query)}) AS s{item.number}{self._renamed(item.columns)}"
            case t.CommonTableUse():
                return f"w{item.cte} AS s{item.number}{self._renamed(item.columns)}"
            case t.Called():
                return self._called(item)
            case t.ValuesList():
                return f"({self.rows_of(item)}) AS s{item.number}{self._renamed(item.columns)}"
        raise TypeError(type(item).__name__)

    def _function(self, found: t.CalledFunction) -> str:
        columns = ", ".join(f"{quoted_name(name)} {type_name(kind)}" for name, kind in found.defined)
        return self.call(found.call) + (f" AS ({columns})" if columns else "")

    def rows_of_function(self, value: t.RowsOfFunction) -> str:
        text = f"ROWS FROM ({self._function(value.function)})"
        if value.number is None:
            return f"(SELECT count(*) FROM {text} AS s)"
        names = ", ".join(f"c{place}" for place in range(1, value.function.width + 1))
        where = f"n = {self.expression(value.number)}"
        return f"(SELECT c{value.column} FROM {text} WITH ORDINALITY AS s({names}, n) WHERE {where})"

    def _called(self, item: t.Called) -> str:
        calls = [self._function(each) for each in item.functions]
        is_alone = len(calls) == 1 and not item.functions[0].defined
        text = calls[0] if is_alone else f"ROWS FROM ({', '.join(calls)})"
        words = "LATERAL " * item.lateral, " WITH ORDINALITY" * item.numbered
        return f"{words[0]}{text}{words[1]} AS s{item.number}{self._renamed(item.columns)}"

    def _join(self, join: t.Joined) -> str:
        word = "JOIN" if join.side == "INNER" else f"{join.side} JOIN"
        left, right = self.item(join.left), self.item(join.right)
        if join.using:
            text = f"{left} {word} {right} USING ({self._columns(join.using)})"
            text += "" if join.alias else f" AS j{join.number}"
        elif join.condition is None:
            text = f"{left} CROSS JOIN {right}"
        else:
            text = f"{left} {word} {right} ON {self.expression(join.condition)}"
        if join.alias:
            for place, merged in enumerate(join.merged, 1):
                if isinstance(merged, t.SourceColumn):
                    self._hidden[merged.source, merged.position] = join.number, place
            return f"({text}) AS j{join.number}{self._renamed(join.columns)}"
        return f"({text})"

    def field(self, value: t.SourceColumn) -> str:
        number, position = self._hidden.get((value.source, value.position), (value.source, value.position))
        source = self.sources[number]
        names = source.columns
        if isinstance(source, t.TableUse) and source.renamed:
            names = source.renamed
        letter = "j" if isinstance(source, t.Joined) else "s"
        return f"{letter}{number}.{quoted_name(told_apart(names)[position - 1])}"

    def constant(self, value: t.TypedConstant) -> str:
        name = type_name(value.type)
        return f"NULL::{name}" if value.text is None else f"{literal(value.text)}::{name}"

    def call(self, value: t.RoutineCall) -> str:
        routine, arguments = value.routine, [self.expression(each) for each in value.arguments]
        if routine.operator:
            return self._operator(routine, arguments)
        if value.cast:
            return f"CAST({arguments[0]} AS {type_name(value.type)})"
        if value.variadic:
            arguments[-1] = f"VARIADIC {arguments[-1]}"
        return f"{quoted_name(routine.schema)}.{quoted_name(routine.bare)}({', '.join(arguments)})"

    def _operator(self, routine: t.Routine, arguments: list[str]) -> str:
        sign = f"OPERATOR({quoted_name(routine.schema)}.{routine.name})"
        if len(arguments) == 1:
            return f"({sign} {arguments[0]})"
        return f"({arguments[0]} {sign} {arguments[1]})"

    def convert(self, value: t.Conversion) -> str:
        return f"CAST({self.expression(value.value)} AS {type_name(value.type)})"

    def is_truth(self, value: t.IsTruth) -> str:
        word = {True: "TRUE", False: "FALSE", None: "UNKNOWN"}[value.truth]
        return f"({self.expression(value.value)} IS {'NOT ' if value.negated else ''}{word})"

    def compared(self, value: t.Compared) -> str:
        sign = f"OPERATOR({quoted_name(value.routine.schema)}.{value.routine.name})"
        word = "ANY" if value.any else "ALL"
        return f"({self.expression(value.value)} {sign} {word} ({self.expression(value.array)}))"

    def array(self, value: t.Array) -> str:
        return f"ARRAY[{self.listed(value.elements)}]" + (
            "" if value.elements else f"::{type_name(value.type)}"
        )

    def row(self, value: t.RowValue) -> str:
        text = f"ROW({self.listed(value.values)})"
        return f"CAST({text} AS {type_name(value.type)})" if value.type.sort == "c" else text

    def rows(self, value: t.RowComparison) -> str:
        return f"(ROW({self.listed(value.left)}) {value.operator} ROW({self.listed(value.right)}))"

    def quantified(self, value: t.NestedQuery, inner: str) -> str:
        left = self.expression(value.left[0]) if len(value.left) == 1 else f"ROW({self.listed(value.left)})"
        routine = value.routines[0]
        sign = f"OPERATOR({quoted_name(routine.schema)}.{routine.name})"
        return f"({left} {sign} {value.form.upper()} ({inner}))"

    def name(self, routine: t.Routine) -> str:
        return f"{quoted_name(routine.schema)}.{quoted_name(routine.bare)}"


def told_apart(names: Iterable[str]) -> list[str]:
    """Names of columns, with its position appended to each that repeats an earlier name."""
    found: list[str] = []
    for name in names:
        found.append(name if name not in found else f"{name} {len(found)}")
    return found


def type_name(found: t.Type) -> str:
    """A type as casts write it."""
    if found.name.startswith("_"):
        return type_name(t.Type(found.name[1:], sort=found.sort, schema=found.schema)) + "[]"
    if found.length is not None:
        word = "character" if found.name == "bpchar" else "character varying"
        return f"{word}({found.length})"
    if found.name == "numeric" and found.modifier >= 4:
        return f"numeric({(found.modifier - 4) >> 16},{found.scale})"
    if found.name in ("timestamp", "timestamptz", "time") and found.modifier >= 0:
        word, _, zone = (_NAMES.get(found.name) or "time").partition(" ")
        return f"{word}({found.modifier}) {zone}".rstrip()
    own = _NAMES.get(found.name)
    return own if own is not None else f"{quoted_name(found.schema)}.{quoted_name(found.name)}"


def literal(text: str) -> str:
    """A text as PostgreSQL writes it."""
    escaped = text.replace("'", "''")
    return "E'" + escaped.replace("\\", "\\\\") + "'" if "\\" in text else f"'{escaped}'"


PostgresPrinter.printers = {
    t.Array: PostgresPrinter.array,
    t.RoutineCall: PostgresPrinter.call,
    t.Compared: PostgresPrinter.compared,
    t.TypedConstant: PostgresPrinter.constant,
    t.Conversion: PostgresPrinter.convert,
    t.RowsOfFunction: PostgresPrinter.rows_of_function,
    t.SourceColumn: PostgresPrinter.field,
    t.IsTruth: PostgresPrinter.is_truth,
    t.Now: lambda _, value: value.word,
    t.FieldAccess: lambda p, value: f"({p.expression(value.value)}).{quoted_name(value.name)}",
    t.RowValue: PostgresPrinter.row,
    t.WholeRow: lambda _, value: f"s{value.values[0].source}",
    t.RowComparison: PostgresPrinter.rows,
}


class PostgresWatcher(WatchingPrinter, PostgresPrinter):
    """Prints a query as one in which PostgreSQL raises an error where the query has a choice that shows."""

    shown = 'ROW({0})::text COLLATE "C"'

    def expression(self, value: t.Expr) -> str:
        is_cast = isinstance(value, t.RoutineCall) and value.cast
        name = None if is_cast else parameter_of(value)
        return super().expression(value) if name is None else f"CAST({name} AS {type_name(value.type)})"


_FOLDED = frozenset(("date", "timestamp", "numeric", "float4", "float8", "text", "varchar", "bpchar"))
"""Types of results whose text is that of a constant; of integers calls stay as they are written."""
_MOST = 200
_IN_FROM = _FOLDED | {"int2", "int4", "int8", "bool"}
_MOST_ROWS = 50
_LONGEST = 10_000
"""Characters of a value."""
_MILLISECONDS = 2_000


def folded(query: t.TypedQuery, server: Wire) -> t.TypedQuery:
    """The query with the values of such calls in their places, and in FROM with their rows.

    A call that raises an error is left, and one of many rows.
    """
    calls = list(dict.fromkeys(_foldable(query)))[:_MOST]
    known: dict[object, object] = {}
    for call in calls:
        text = _value(call, server)
        if text is not None:
            known[call] = t.TypedConstant(call.type, text)
    for source in found_in(query, t.Called):
        only = source.call
        if only is not None and (rows := _rows(only, server)):
            known[source] = t.ValuesList(source.number, source.alias, source.columns, rows, (only.type,))
    if not known:
        return query
    return exchanged(
        query, lambda part: known.get(part) if isinstance(part, t.RoutineCall | t.Called) else None
    )


def _rows(call: t.RoutineCall, server: Wire) -> tuple[tuple[t.TypedConstant, ...], ...]:
    """The rows of a function of constants; none if they are many, or an error is raised."""
    one = replace(call, routine=replace(call.routine, returns_set=False))
    if call.type.name not in _IN_FROM or not _is_constant(one):
        return ()
    # In the list rows come one by one; in FROM the server makes them all first.
    found = texts_of(f"{_shown(call)} LIMIT {_MOST_ROWS + 1}", server)
    if len(found) > _MOST_ROWS or any(text is not None and _is_odd(text) for text in found):
        return ()
    return tuple((t.TypedConstant(call.type, text),) for text in found)


def _foldable(value: object) -> Iterator[t.RoutineCall]:
    """The outermost calls on constants alone."""
    if isinstance(value, t.RoutineCall) and _is_foldable(value):
        yield value
        return
    for each in children(value):
        yield from _foldable(each)


def _is_foldable(call: t.RoutineCall) -> bool:
    return call.type.name in _FOLDED and call.routine.strict and _is_constant(call)


def _is_constant(value: object) -> bool:
    match value:
        case t.TypedConstant(text=text):
            return text is not None
        case t.RoutineCall(routine=routine, arguments=arguments):
            return (
                routine.volatility == "i"
                and routine.schema == "pg_catalog"
                and not routine.returns_set
                and all(map(_is_constant, arguments))
            )
        case t.Conversion(through_text=False, value=inner):
            return _is_constant(inner)
        case t.Array(elements=elements):
            return all(map(_is_constant, elements))
    return False


def _value(call: t.RoutineCall, server: Wire) -> str | None:
    """The text of the value; None if there is none, or an error is raised."""
    found = next(iter(texts_of(_shown(call), server)), None)
    return None if found is None or _is_odd(found) else found


def _shown(call: t.RoutineCall) -> str:
    return f"SELECT left(({PostgresPrinter().expression(call)})::text, {_LONGEST + 1})"


def texts_of(query: str, server: Wire) -> list[str | None]:
    """The texts that a query of constants returns; none if an error is raised, or it takes long."""
    with server.undoing(f"SET LOCAL statement_timeout = {_MILLISECONDS}"):
        try:
            return [row[0] for row in server.one(query).rows]
        except WireError:
            return []


def _is_odd(text: str) -> bool:
    """Whether a value is none that the core's cells have."""
    return "infinity" in text or " BC" in text or text == "NaN" or len(text) > _LONGEST


def require_faithful(typed: t.TypedQuery, node: TreeNode, columns: int, sandbox: Sandbox) -> None:
    """Make sure that the typed tree says all: printed, PostgreSQL resolves it to the same tree.

    Raises:
        UnsupportedError: it does not.
    """
    try:
        again = sandbox.viewed(PostgresPrinter().query(typed), columns)
    except WireError as error:
        raise UnsupportedError("resolution", f"PostgreSQL rejects its printed text: {error}") from None
    found = difference([node], read_nodes(again.tree))
    if found:
        raise UnsupportedError("resolution", f"PostgreSQL reads its printed text differently: {found}")


_TYPE = re.compile(
    r'::((?:"(?:[^"]|"")+"|[A-Za-z_]\w*(?: varying| precision| with(?:out)? time zone| [a-z]+ to [a-z]+)?)'
    r'(?:\.(?:"(?:[^"]|"")+"|\w+))?(?:\([\d, ]*\))?(?:\[\])*)'
)


class Constants:
    """The constants of printed queries, by their types and bytes; looked for when the first is asked for.

    Args:
        printed: queries as PostgreSQL prints them.
        sandbox: where their constants are made again.
    """

    def __init__(self, printed: Iterable[str], sandbox: Sandbox) -> None:
        self._printed = tuple(printed)
        self._sandbox = sandbox
        self._known: dict[tuple[int, str], str] | None = None

    def text_of(self, kind: int, value: str) -> str:
        """The text of a constant.

        Args:
            kind: the OID of its type.
            value: its length and its bytes, as a node tree has them.

        Raises:
            UnsupportedError: it is not found.
        """
        if self._known is None:
            self._known = self._made()
        found = self._known.get((kind, value))
        if found is None:
            raise UnsupportedError("Const", "a constant whose literal is not found")
        return found

    def _made(self) -> dict[tuple[int, str], str]:
        written = dict.fromkeys(found for text in self._printed for found in _typed_strings(text))
        texts = list(written)[:_MOST]
        if not texts:
            return {}
        shown = ", ".join(f"{literal(text)}::{kind}" for text, kind in texts)
        try:
            (node,) = read_nodes(self._sandbox.viewed(f"SELECT {shown}", len(texts)).tree)
        except WireError:
            return {}
        assert isinstance(node, TreeNode)
        found = {}
        for (text, _), target in zip(texts, node.nodes("targetList"), strict=True):
            made = target.node("expr")
            if made.name == "CONST" and not made.flag("constisnull"):
                found[made.number("consttype"), made.text("constvalue")] = text
        return found


def _typed_strings(printed: str) -> Iterator[tuple[str, str]]:
    """The strings of a printed query behind which a type stands, each with the type."""
    for (start, end), (following, _) in pairwise(code(printed)):
        kind = _TYPE.match(printed, following)
        if kind is not None and printed[end] == "'":
            has_escapes = printed[max(start, end - 1) : end] == "E"
            yield _plain(printed[end + 1 : following - 1], escapes=has_escapes), kind[1].strip()


def _plain(text: str, *, escapes: bool) -> str:
    found = text.replace("''", "'")
    return re.sub(r"\\(.)", r"\1", found, flags=re.DOTALL) if escapes else found
