"""SQLite's functions and operators: one row each, from which all else that is said of them derives.

https://sqlite.org/lang_corefunc.html, lang_datefunc.html, lang_mathfunc.html, lang_aggfunc.html,
windowfunctions.html and lang_expr.html, and by experiment: ``tests/core/test_functions.py`` asks SQLite
about every claim.  Of a function without a row nothing is known: it is equal only where it is written alike.

A function that has a node class of its own is read as that; every other is ``exp.Anonymous`` with its name
in upper case.  MIN and MAX of several arguments, no aggregates, are ``exp.Least`` and ``exp.Greatest``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from sqlglot import exp

from equiv.core.functions.own import OWN
from equiv.core.functions.traits import (
    INTEGERS,
    NUMBERS,
    REALS,
    TEXTS,
    CallForm,
    Function,
    FunctionSort,
    LiteralStyle,
    Nearby,
    Nulls,
    OrderDependence,
    Raises,
    Reads,
    Rounds,
    Solved,
    StorageClasses,
)
from equiv.core.model import Affinity, affinity_of
from equiv.core.nodes import CumeDist, DenseRank, DType, Ntile, PercentRank, Rank
from equiv.graphs import grouped_by

_TEXT_OR_BLOB: StorageClasses = frozenset(("text", "blob"))

_AS_NUMBER, _AS_INTEGER, _AS_TEXT = (Reads.NUMBER,), (Reads.INTEGER,), (Reads.TEXT,)
_TIME_AND_MODIFIERS = (Reads.TIME, Reads.TEXT)

_SAFE: Mapping[str, Any] = {"raises": Raises.NEVER}


def _operator(name: str, node: type[exp.Expression], **traits: Any) -> Function:
    """A binary operator that is NULL if an operand is."""
    given = {"nulls": Nulls.EXACTLY, "folds": True, "solved": Solved.SYMBOL, **_SAFE, **traits}
    return Function(name, 2, 2, FunctionSort.OPERATOR, node=node, places=("this", "expression"), **given)


def _arithmetic(name: str, node: type[exp.Expression], **traits: Any) -> Function:
    given = {"nulls": Nulls.AT_LEAST, "results": NUMBERS, "follows": True, "reads": _AS_NUMBER, **traits}
    return _operator(name, node, solved=Solved.MEANING, **given)


def _prefix(name: str, node: type[exp.Expression], **traits: Any) -> Function:
    given = {"nulls": Nulls.EXACTLY, "folds": True, "solved": Solved.SYMBOL, **_SAFE, **traits}
    return Function(name, 1, 1, FunctionSort.OPERATOR, node=node, places=("this",), **given)


def _bits(name: str, node: type[exp.Expression], *, commutes: bool = False) -> Function:
    return _operator(name, node, results=INTEGERS, reads=_AS_INTEGER, commutes=commutes)


def _pattern(name: str, node: type[exp.Expression], most: int) -> Function:
    # With a blob it may be 0 where the other argument is NULL, in some builds.
    return Function(
        name, 2, most, FunctionSort.OPERATOR, Nulls.AT_MOST, INTEGERS, node=node,
        places=("this", "expression"), reads=_AS_TEXT, folds=True, solved=Solved.SYMBOL,
        style=LiteralStyle.PATTERN,
    )  # fmt: skip


def _strict(name: str, least: int, most: int, **traits: Any) -> Function:
    """A function that is NULL if an argument is; of texts, if nothing else is said."""
    given = {"nulls": Nulls.EXACTLY, "results": TEXTS, "reads": _AS_TEXT, "solved": Solved.SYMBOL, **_SAFE}
    given |= traits
    return Function(name, least, most, folds=True, **given)


def _time(name: str, results: StorageClasses, **traits: Any) -> Function:
    given = {"least": 0, "most": None, "nulls": Nulls.AT_LEAST, "reads": _TIME_AND_MODIFIERS, **traits}
    return Function(name, results=results, folds=True, solved=Solved.SYMBOL, **_SAFE, **given)


_SIDES = ("this", "expression")


def _json(name: str, least: int, most: int | None = 2, **traits: Any) -> Function:
    """A function of a text of JSON, and of paths in it."""
    given = {"nulls": Nulls.AT_LEAST, "solved": Solved.SYMBOL, "style": LiteralStyle.JSON, **traits}
    return Function(name, least, most, **{"results": NUMBERS | TEXTS, **given})


def _irrational(name: str, least: int = 1, most: int = 1, synonyms: tuple[str, ...] = ()) -> Function:
    return Function(
        name, least, most, nulls=Nulls.AT_LEAST, results=REALS, synonyms=synonyms,
        rounds=Rounds.IRRATIONAL, nearby=Nearby.NEAR, **_SAFE,
    )  # fmt: skip


def _to_whole(name: str, synonyms: tuple[str, ...] = ()) -> Function:
    return Function(
        name, 1, 1, nulls=Nulls.AT_LEAST, results=NUMBERS, synonyms=synonyms, rounds=Rounds.DIGITS, **_SAFE
    )


def _varying(name: str, count: int, results: StorageClasses, nulls: Nulls = Nulls.NEVER) -> Function:
    return Function(
        name, count, count, nulls=nulls, results=results, solved=Solved.REFUSED, form=CallForm.NONE, **_SAFE
    )


def _aggregate(name: str, most: int = 1, **traits: Any) -> Function:
    given = {"least": 1, "nulls": Nulls.NOTHING, "form": CallForm.AGGREGATE, **_SAFE, **traits}
    return Function(
        name, most=most, sort=FunctionSort.AGGREGATE, places=("this", "separator")[:most], **given
    )


def _sum(name: str, node: type[exp.Expression] | None, results: StorageClasses, nulls: Nulls) -> Function:
    return _aggregate(
        name, node=node, results=results, nulls=nulls, reads=_AS_NUMBER, rounds=Rounds.ARITHMETIC,
        nearby=Nearby.NEAR, raises=Raises.NEVER if results == REALS else Raises.OVERFLOW,
    )  # fmt: skip


def _extreme_of_rows(name: str, node: type[exp.Expression]) -> Function:
    return _aggregate(name, node=node, passes=True, compares=True, nearby=Nearby.NEAR)


def _extreme(name: str, node: type[exp.Expression]) -> Function:
    return Function(
        name, 2, None, nulls=Nulls.EXACTLY, follows=True, passes=True, node=node,
        places=("this", "expressions"), compares=True, nearby=Nearby.NEAR, folds=True,
        solved=Solved.MEANING, **_SAFE,
    )  # fmt: skip


def _unsaid(name: str, least: int, most: int, **traits: Any) -> Function:
    """An aggregate that the algebra does not know."""
    return Function(name, least, most, FunctionSort.AGGREGATE, form=CallForm.NONE, **traits)


def _window(name: str, node: type[exp.Expression], *places: str, **traits: Any) -> Function:
    given = {"least": len(places), "form": CallForm.WINDOW, **_SAFE, **traits}
    return Function(name, most=len(places), sort=FunctionSort.WINDOW, node=node, places=places, **given)


def _number_of_row(name: str, node: type[exp.Expression], *places: str, **traits: Any) -> Function:
    return _window(name, node, *places, **{"nulls": Nulls.NEVER, "results": INTEGERS, **traits})


def _of_frame(name: str, node: type[exp.Expression], *places: str, **traits: Any) -> Function:
    return _window(name, node, "this", *places, passes=True, order=OrderDependence.FRAME, **traits)


def _beside(name: str, node: type[exp.Expression]) -> Function:
    return _window(name, node, "this", "offset", "default", least=1, order=OrderDependence.PARTITION)


def _now(name: str, shown: tuple[int, int], spelling: str, **traits: Any) -> Function:
    given = {"results": TEXTS, "solved": Solved.SYMBOL, **_SAFE, **traits}
    sort, nulls = FunctionSort.INSTANT, Nulls.NEVER
    return Function(name, 0, 0, sort, nulls, shown=shown, spelling=spelling, **given)


OPERATORS = (
    _arithmetic("+", exp.Add, rounds=Rounds.ARITHMETIC, nearby=Nearby.NEAR, commutes=True),
    _arithmetic("-", exp.Sub, rounds=Rounds.ARITHMETIC, nearby=Nearby.NEAR),
    _arithmetic("*", exp.Mul, rounds=Rounds.ARITHMETIC, nearby=Nearby.NEAR, commutes=True),
    _arithmetic("/", exp.Div, rounds=Rounds.ARITHMETIC, nearby=Nearby.NEAR),
    _arithmetic("%", exp.Mod, reads=_AS_INTEGER),
    _prefix(
        "NEG",
        exp.Neg,
        results=NUMBERS,
        follows=True,
        reads=_AS_NUMBER,
        nearby=Nearby.NEAR,
        solved=Solved.MEANING,
    ),
    _operator("||", exp.DPipe, results=TEXTS, reads=_AS_TEXT),
    _bits("&", exp.BitwiseAnd, commutes=True),
    _bits("|", exp.BitwiseOr, commutes=True),
    _bits("<<", exp.BitwiseLeftShift),
    _bits(">>", exp.BitwiseRightShift),
    _prefix("~", exp.BitwiseNot, results=INTEGERS, reads=_AS_INTEGER),
    _pattern("LIKE", exp.Like, 3),
    _pattern("GLOB", exp.Glob, 2),
    _json("->", 2, sort=FunctionSort.OPERATOR, results=TEXTS, node=exp.JSONExtract, places=_SIDES),
    _json("->>", 2, sort=FunctionSort.OPERATOR, node=exp.JSONExtractScalar, places=_SIDES),
)
SCALARS = (
    Function(
        "ABS", 1, 1, nulls=Nulls.EXACTLY, results=NUMBERS, follows=True, node=exp.Abs, places=("this",),
        reads=_AS_NUMBER, nearby=Nearby.NEAR, folds=True, solved=Solved.MEANING,
        raises=Raises.OVERFLOW,
    ),
    Function(
        "CHAR", 0, None, nulls=Nulls.NEVER, results=TEXTS, reads=_AS_INTEGER, folds=True, **_SAFE
    ),
    Function(
        "COALESCE", 2, None, nulls=Nulls.AT_MOST, passes=True, node=exp.Coalesce,
        places=("this", "expressions"), synonyms=("IFNULL",), nearby=Nearby.NEAR, form=CallForm.CASE, **_SAFE,
    ),
    Function(
        "HEX", 1, 1, nulls=Nulls.NEVER, results=TEXTS, reads=_AS_TEXT, folds=True, solved=Solved.SYMBOL,
        style=LiteralStyle.HEXADECIMAL, **_SAFE,
    ),
    Function(
        "IIF", 2, 3, passes=True, node=exp.If, places=("this", "true", "false"), synonyms=("IF",),
        reads=(Reads.TRUTH, Reads.ANY), form=CallForm.CASE, **_SAFE,
    ),
    _strict("INSTR", 2, 2, results=INTEGERS, node=exp.StrPosition, places=("this", "substr")),
    _json("JSON", 1, 1, results=TEXTS),
    _json("JSON_ARRAY_LENGTH", 1, results=INTEGERS),
    _json("JSON_EXTRACT", 0, None),
    _json("JSON_TYPE", 1, results=TEXTS),
    _json("JSON_VALID", 1, results=INTEGERS, style=LiteralStyle.PLAIN),
    _strict("LENGTH", 1, 1, results=INTEGERS, node=exp.Length, places=("this",), style=LiteralStyle.LENGTH),
    _strict("LOWER", 1, 1, node=exp.Lower, places=("this",), variants=("B{}",)),
    _strict("LTRIM", 1, 2, node=exp.Trim, variants=(" {}",)),
    Function(
        "NULLIF", 2, 2, passes=True, node=exp.Nullif, places=("this", "expression"), compares=True,
        form=CallForm.CASE, **_SAFE,
    ),
    Function("PRINTF", 0, None, results=TEXTS, synonyms=("FORMAT",), rounds=Rounds.DIGITS),
    Function("QUOTE", 1, 1, nulls=Nulls.NEVER, results=TEXTS, folds=True, solved=Solved.SYMBOL, **_SAFE),
    # With the pattern '' it gives the text of its first argument, whatever the third one is.
    Function(
        "REPLACE", 3, 3, nulls=Nulls.AT_MOST, results=TEXTS, node=exp.Replace,
        places=("this", "expression", "replacement"), reads=(Reads.ANY, Reads.TEXT), folds=True,
        solved=Solved.SYMBOL, **_SAFE,
    ),
    _strict(
        "ROUND", 1, 2, results=REALS, node=exp.Round, places=("this", "decimals"),
        reads=(Reads.NUMBER, Reads.INTEGER), rounds=Rounds.DIGITS, solved=Solved.MEANING, parameters=(1,),
    ),
    _strict("RTRIM", 1, 2, node=exp.Trim, variants=("{} ",)),
    Function(
        "SIGN", 1, 1, nulls=Nulls.AT_LEAST, results=INTEGERS, folds=True, solved=Solved.MEANING, **_SAFE
    ),
    # Where a build has it: https://sqlite.org/compile.html#soundex; of what has no letter it is '?000'.
    Function(
        "SOUNDEX", 1, 1, nulls=Nulls.NEVER, results=TEXTS, reads=_AS_TEXT, folds=True, solved=Solved.SYMBOL,
        **_SAFE,
    ),
    _strict(
        "SUBSTR", 2, 3, nulls=Nulls.AT_LEAST, results=_TEXT_OR_BLOB, follows=True, node=exp.Substring,
        places=("this", "start", "length"), synonyms=("SUBSTRING",), reads=(Reads.TEXT, Reads.INTEGER),
        style=LiteralStyle.PART, parameters=(1, 2),
    ),
    _strict("TRIM", 1, 2, node=exp.Trim, places=("this", "expression"), variants=("{} ", " {}")),
    Function(
        "TYPEOF", 1, 1, nulls=Nulls.NEVER, results=TEXTS, node=exp.Typeof, places=("this",),
        nearby=Nearby.SAME, folds=True, solved=Solved.SYMBOL, **_SAFE,
    ),
    _strict("UNICODE", 1, 1, nulls=Nulls.AT_LEAST, results=INTEGERS),
    _strict("UPPER", 1, 1, node=exp.Upper, places=("this",), variants=("B{}",)),
    Function(
        "ZEROBLOB", 1, 1, nulls=Nulls.NEVER, results=frozenset(("blob",)), reads=_AS_INTEGER,
        solved=Solved.SYMBOL,
    ),
    _extreme("MAX", exp.Greatest),
    _extreme("MIN", exp.Least),
)  # fmt: skip
TIMES = (
    _time("DATE", TEXTS, node=exp.Date, places=("this",)),
    _time("DATETIME", TEXTS),
    _time("JULIANDAY", REALS, rounds=Rounds.MILLISECONDS, nearby=Nearby.NEAR),
    _time(
        "STRFTIME", TEXTS, least=0, node=exp.TimeToStr, reads=(Reads.TEXT, Reads.TIME, Reads.TEXT),
        style=LiteralStyle.TIME, parameters=(0,),
    ),
    _time("TIME", TEXTS),
    _time("UNIXEPOCH", INTEGERS),
    Function("TIMEDIFF", 2, 2, nulls=Nulls.AT_LEAST, results=TEXTS, reads=(Reads.TIME,), **_SAFE),
)  # fmt: skip
MATHEMATICS = (
    *map(_irrational, ("ACOS", "ACOSH", "ASIN", "ASINH", "ATAN", "ATANH", "COS", "COSH", "SIN", "SINH")),
    *map(_irrational, ("TAN", "TANH", "DEGREES", "RADIANS", "EXP", "LN", "LOG10", "LOG2", "SQRT")),
    _irrational("ATAN2", 2, 2),
    _irrational("LOG", 1, 2),
    _irrational("POW", 2, 2, ("POWER",)),
    _to_whole("CEIL", ("CEILING",)),
    _to_whole("FLOOR"),
    _to_whole("TRUNC"),
)
VARYING = (
    _varying("CHANGES", 0, INTEGERS),
    _varying("LAST_INSERT_ROWID", 0, INTEGERS),
    _varying("RANDOM", 0, INTEGERS),
    _varying("RANDOMBLOB", 1, frozenset(("blob",))),
    _varying("SQLITE_COMPILEOPTION_GET", 1, TEXTS, Nulls.ANY),
    _varying("SQLITE_COMPILEOPTION_USED", 1, INTEGERS, Nulls.ANY),
    _varying("SQLITE_OFFSET", 1, INTEGERS, Nulls.ANY),
    _varying("SQLITE_SOURCE_ID", 0, TEXTS),
    _varying("SQLITE_VERSION", 0, TEXTS),
    _varying("TOTAL_CHANGES", 0, INTEGERS),
)
_AGGREGATE_ROWS = (
    _sum("AVG", exp.Avg, REALS, Nulls.NOTHING),
    _aggregate("COUNT", least=0, node=exp.Count, nulls=Nulls.NEVER, results=INTEGERS, nearby=Nearby.SAME),
    _aggregate(
        "GROUP_CONCAT", 2, node=exp.GroupConcat, results=TEXTS, synonyms=("STRING_AGG",), reads=_AS_TEXT,
        order=OrderDependence.ROWS,
    ),
    _extreme_of_rows("MAX", exp.Max),
    _extreme_of_rows("MIN", exp.Min),
    _sum("SUM", exp.Sum, NUMBERS, Nulls.NOTHING),
    # NULL where infinities of both signs add up to no number.
    _sum("TOTAL", None, REALS, Nulls.ANY),
    _unsaid("JSON_GROUP_ARRAY", 1, 1, order=OrderDependence.ROWS, nulls=Nulls.NEVER, results=TEXTS),
    _unsaid("JSON_GROUP_OBJECT", 2, 2, order=OrderDependence.ROWS, nulls=Nulls.NEVER, results=TEXTS),
    _unsaid("JSONB_GROUP_ARRAY", 1, 1, order=OrderDependence.ROWS),
    _unsaid("JSONB_GROUP_OBJECT", 2, 2, order=OrderDependence.ROWS),
    _unsaid("MEDIAN", 1, 1),
    _unsaid("PERCENTILE", 2, 2),
    _unsaid("PERCENTILE_CONT", 2, 2),
    _unsaid("PERCENTILE_DISC", 2, 2),
)  # fmt: skip
WINDOWS = (
    _number_of_row("CUME_DIST", CumeDist, results=REALS, form=CallForm.NONE),
    _number_of_row("DENSE_RANK", DenseRank),
    _of_frame("FIRST_VALUE", exp.FirstValue),
    _beside("LAG", exp.Lag),
    _of_frame("LAST_VALUE", exp.LastValue),
    _beside("LEAD", exp.Lead),
    _of_frame("NTH_VALUE", exp.NthValue, "offset", raises=Raises.MAYBE),
    _number_of_row("NTILE", Ntile, "this", raises=Raises.MAYBE, order=OrderDependence.PARTITION),
    _number_of_row("PERCENT_RANK", PercentRank, results=REALS, form=CallForm.NONE),
    _number_of_row("RANK", Rank),
    _number_of_row("ROW_NUMBER", exp.RowNumber, order=OrderDependence.PARTITION),
)
INSTANTS = (
    _now("NOW_DATE", (0, 10), "CURRENT_DATE", node=exp.CurrentDate),
    _now("NOW_TIME", (11, 19), "CURRENT_TIME", node=exp.CurrentTime),
    _now("NOW_TIMESTAMP", (0, 19), "CURRENT_TIMESTAMP", node=exp.CurrentTimestamp),
    _now("NOW_INSTANT", (0, 23), "JULIANDAY('now')", results=REALS),
)
TABLE: tuple[Function, ...] = (
    *OPERATORS, *SCALARS, *TIMES, *OWN, *MATHEMATICS, *VARYING, *_AGGREGATE_ROWS, *WINDOWS, *INSTANTS,
)  # fmt: skip


SETS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    dict.fromkeys(
        ("JSON_EACH", "JSON_TREE", "JSONB_EACH", "JSONB_TREE"),
        ("key", "value", "type", "atom", "id", "parent", "fullkey", "path"),
    )
)
"""Functions in FROM, each with the columns that ``*`` shows; https://sqlite.org/json1.html."""

CALLS: Mapping[str, Function] = MappingProxyType(
    {row.name: row for row in TABLE if row.is_call or row.sort is FunctionSort.INSTANT}
)
"""Functions that are evaluated row by row, by their names in the algebra."""

AGGREGATES: Mapping[str, Function] = MappingProxyType(
    {row.name: row for row in TABLE if row.sort is FunctionSort.AGGREGATE}
)
SYNONYMS: Mapping[str, str] = MappingProxyType({second: row.name for row in TABLE for second in row.synonyms})
"""First names by second ones."""

_TRIM_SIDES = {"LTRIM": "LEADING", "RTRIM": "TRAILING"}
_NAMED = grouped_by(lambda row: row.name, (row for row in TABLE if row.sort is not FunctionSort.INSTANT))
_BY_NODE = {row.node: row for row in TABLE if row.node is not None and row.name not in _TRIM_SIDES}
_OF_NODE = {**_BY_NODE, exp.TsOrDsToTimestamp: CALLS["STRFTIME"]}
_READ = frozenset(
    row.node
    for row in _BY_NODE.values()
    if row.sort is FunctionSort.WINDOW or (row.places and row.sort is not FunctionSort.OPERATOR)
)
"""The node classes that a call by name is read as."""


CASTS: Mapping[Affinity, DType] = {
    Affinity.INTEGER: DType.INT,
    Affinity.REAL: DType.DOUBLE,
    Affinity.TEXT: DType.TEXT,
    Affinity.NUMERIC: DType.DECIMAL,
    Affinity.BLOB: DType.BLOB,
}
"""The node type of a CAST by the affinity of the type named, all that SQLite looks at."""


def cast_affinity(cast: exp.Expression) -> Affinity:
    """The affinity that a CAST names."""
    kind = cast.args["to"].this
    name = kind.value if isinstance(kind, DType) else str(kind)
    return Affinity.BLOB if name == "VARBINARY" else affinity_of(name)


def names(claim: Callable[[Function], bool]) -> frozenset[str]:
    """The names in the algebra of what is evaluated row by row and has a trait."""
    return frozenset(name for name, row in CALLS.items() if claim(row))


def nodes(claim: Callable[[Function], bool]) -> tuple[type[exp.Expression], ...]:
    """The node classes of the functions that have a trait."""
    return tuple(node for node, row in _OF_NODE.items() if claim(row))


def rows_named(name: str) -> Sequence[Function]:
    """The functions that SQLite calls by a name."""
    upper = name.upper()
    return _NAMED.get(SYNONYMS.get(upper, upper), ())


def named(name: str, count: int) -> Function | None:
    """The function that SQLite calls by a name with so many arguments, or None if the table has none."""
    return next((row for row in rows_named(name) if row.takes(count)), None)


def function_of(node: object) -> Function | None:
    """The function or operator that a node calls, or None if it is not a call or the table has none."""
    if isinstance(node, exp.Anonymous):
        return named(node.name, len(node.expressions))
    if isinstance(node, exp.Trim):
        return CALLS[_trim_name(node)]
    return _OF_NODE.get(type(node))


def calls_of(root: exp.Expression) -> Iterable[Function]:
    """The functions and operators that a tree calls, as often as it does."""
    return (row for row in map(function_of, root.walk()) if row is not None)


def unrepeatable_call(name: str) -> str:
    """Why a query that calls an unrepeatable function is unsupported."""
    return f"the value of {name} is not determined by the database"


def call_text(name: str, count: int) -> str:
    """The SQL text of a call by its name in the algebra, with ``?`` for its arguments, if it has none."""
    if "?" in name:
        return name
    row = CALLS.get(name)
    if row is not None and row.spelling:
        return row.spelling
    if row is None or row.sort is not FunctionSort.OPERATOR:
        return f"{name}({', '.join('?' * count)})"
    if count == 1:
        return "- ?" if name == "NEG" else f"{name} ?"
    return f"? {name} ?" + " ESCAPE ?" * (count - 2)


def call(name: str, arguments: list[exp.Expression]) -> exp.Expression:
    """The node of a call by name; an unknown name or number of arguments gives ``exp.Anonymous``."""
    row = named(name, len(arguments))
    if row is None:
        upper = name.upper()
        return exp.Anonymous(this=SYNONYMS.get(upper, upper), expressions=arguments)
    if row.name == "STRFTIME" and len(arguments) == 2:
        return exp.TimeToStr(this=exp.TsOrDsToTimestamp(this=arguments[1]), format=arguments[0])
    if row.name in _TRIM_SIDES:
        trim = dict(zip(("this", "expression"), arguments, strict=False))
        return exp.Trim(**trim, position=_TRIM_SIDES[row.name])
    if row.node is None or row.node not in _READ or not _fits(row, len(arguments)):
        return exp.Anonymous(this=row.name, expressions=arguments)
    if row.places[-1:] == ("expressions",):
        return row.node(this=arguments[0], expressions=arguments[1:])
    return row.node(**dict(zip(row.places, arguments, strict=False)))


def _fits(row: Function, count: int) -> bool:
    """Whether the places of a node hold so many arguments; a node with places needs one."""
    return bool(count) == bool(row.places) and (
        count <= len(row.places) or row.places[-1:] == ("expressions",)
    )


def uncall(node: exp.Expression) -> tuple[str, list[exp.Expression]] | None:
    """The name and the arguments that a function node stands for, or None if it is not a function node."""
    special = _SPECIAL.get(type(node))
    if special is not None:
        return special(node)
    row = _BY_NODE.get(type(node))
    if row is None or row.sort in (FunctionSort.OPERATOR, FunctionSort.INSTANT):
        return None
    if node.args.get("expressions"):
        return row.name, [node.this, *node.expressions]
    values = [node.args.get(place) for place in row.places]
    return row.name, [value for value in values if isinstance(value, exp.Expression)]


def _uncall_time(node: exp.Expression) -> tuple[str, list[exp.Expression]]:
    moment = node.this.this if isinstance(node.this, exp.TsOrDsToTimestamp) else node.this
    return "STRFTIME", [node.args["format"], moment]


def _trim_name(node: exp.Expression) -> str:
    sides = {side: name for name, side in _TRIM_SIDES.items()}
    return sides.get(str(node.args.get("position")), "TRIM")


def _uncall_trim(node: exp.Expression) -> tuple[str, list[exp.Expression]]:
    arguments = [node.this, node.args.get("expression")]
    return _trim_name(node), [a for a in arguments if a is not None]


def _uncall_anonymous(node: exp.Expression) -> tuple[str, list[exp.Expression]]:
    return str(node.this), list(node.expressions)


_SPECIAL: dict[type, Callable[[exp.Expression], tuple[str, list[exp.Expression]]]] = {
    exp.TimeToStr: _uncall_time,
    exp.Trim: _uncall_trim,
    exp.Anonymous: _uncall_anonymous,
}
