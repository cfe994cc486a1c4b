"""SQLite's functions as sqlglot nodes, and back: a pairing that loses nothing.

The functions that rules reason about have node classes of their own; every
other is ``exp.Anonymous`` with its name in upper case.  MIN and MAX of several
arguments, which are no aggregates, are ``exp.Least`` and ``exp.Greatest``.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

_PLACES: dict[str, tuple[type[exp.Expression], tuple[str, ...]]] = {
    "ABS": (exp.Abs, ("this",)),
    "AVG": (exp.Avg, ("this",)),
    "COUNT": (exp.Count, ("this",)),
    "CUME_DIST": (exp.CumeDist, ()),
    "DATE": (exp.Date, ("this",)),
    "DENSE_RANK": (exp.DenseRank, ()),
    "FIRST_VALUE": (exp.FirstValue, ("this",)),
    "GROUP_CONCAT": (exp.GroupConcat, ("this", "separator")),
    "IIF": (exp.If, ("this", "true", "false")),
    "INSTR": (exp.StrPosition, ("this", "substr")),
    "LAG": (exp.Lag, ("this", "offset", "default")),
    "LAST_VALUE": (exp.LastValue, ("this",)),
    "LEAD": (exp.Lead, ("this", "offset", "default")),
    "LENGTH": (exp.Length, ("this",)),
    "LOWER": (exp.Lower, ("this",)),
    "MAX": (exp.Max, ("this",)),
    "MIN": (exp.Min, ("this",)),
    "NTH_VALUE": (exp.NthValue, ("this", "offset")),
    "NTILE": (exp.Ntile, ("this",)),
    "NULLIF": (exp.Nullif, ("this", "expression")),
    "PERCENT_RANK": (exp.PercentRank, ()),
    "RANK": (exp.Rank, ()),
    "REPLACE": (exp.Replace, ("this", "expression", "replacement")),
    "ROUND": (exp.Round, ("this", "decimals")),
    "ROW_NUMBER": (exp.RowNumber, ()),
    "SUBSTR": (exp.Substring, ("this", "start", "length")),
    "SUM": (exp.Sum, ("this",)),
    "TRIM": (exp.Trim, ("this", "expression")),
    "TYPEOF": (exp.Typeof, ("this",)),
    "UPPER": (exp.Upper, ("this",)),
}
"""For each name its node class and the args that hold its arguments, in order."""

_VARIADIC: dict[str, type[exp.Expression]] = {"COALESCE": exp.Coalesce, "MAX": exp.Greatest, "MIN": exp.Least}
"""Functions of two or more arguments: the first in ``this``, the others in ``expressions``."""

SYNONYMS = {"FORMAT": "PRINTF", "IF": "IIF", "IFNULL": "COALESCE", "SUBSTRING": "SUBSTR"}
"""Second names, by https://sqlite.org/lang_corefunc.html; IFNULL is a COALESCE of two."""

_TRIM_SIDES = {"LTRIM": "LEADING", "RTRIM": "TRAILING"}
_NAMES = {cls: name for name, (cls, _) in _PLACES.items()} | {cls: name for name, cls in _VARIADIC.items()}

UNREPEATABLE = frozenset(
    (
        *("RANDOM", "RANDOMBLOB", "CHANGES", "TOTAL_CHANGES", "LAST_INSERT_ROWID"),
        *("SQLITE_VERSION", "SQLITE_SOURCE_ID", "SQLITE_OFFSET"),
        *("SQLITE_COMPILEOPTION_GET", "SQLITE_COMPILEOPTION_USED"),
    )
)
"""Functions whose value is not fixed by the database and the frozen instant."""


def unrepeatable_call(name: str) -> str:
    """Why a query that calls one of :data:`UNREPEATABLE` is unsupported."""
    return f"{name} is not fixed by the database"


def call(name: str, arguments: list[exp.Expression]) -> exp.Expression:
    """The node of a call by name; an unknown name or number of arguments gives ``exp.Anonymous``."""
    upper = name.upper()
    known = SYNONYMS.get(upper, upper)
    if known in _VARIADIC and len(arguments) > 1:
        return _VARIADIC[known](this=arguments[0], expressions=arguments[1:])
    if known == "STRFTIME" and len(arguments) == 2:
        return exp.TimeToStr(this=exp.TsOrDsToTimestamp(this=arguments[1]), format=arguments[0])
    if known in _TRIM_SIDES and 1 <= len(arguments) <= 2:
        trim = dict(zip(("this", "expression"), arguments, strict=False))
        return exp.Trim(**trim, position=_TRIM_SIDES[known])
    if known in _PLACES:
        cls, places = _PLACES[known]
        required = [place for place, needed in cls.arg_types.items() if needed and place in places]
        if len(required) <= len(arguments) <= len(places):
            return cls(**dict(zip(places, arguments, strict=False)))
    return exp.Anonymous(this=known, expressions=arguments)


def uncall(node: exp.Expression) -> tuple[str, list[exp.Expression]] | None:
    """The name and the arguments that a function node stands for, or None if it is no function node."""
    special = _SPECIAL.get(type(node))
    if special is not None:
        return special(node)
    name = _NAMES.get(type(node))
    if name is None:
        return None
    if node.args.get("expressions"):
        return name, [node.this, *node.expressions]
    values = [node.args.get(place) for place in _PLACES[name][1]]
    return name, [value for value in values if isinstance(value, exp.Expression)]


def _uncall_time(node: exp.Expression) -> tuple[str, list[exp.Expression]]:
    moment = node.this.this if isinstance(node.this, exp.TsOrDsToTimestamp) else node.this
    return "STRFTIME", [node.args["format"], moment]


def _uncall_trim(node: exp.Expression) -> tuple[str, list[exp.Expression]]:
    sides = {side: name for name, side in _TRIM_SIDES.items()}
    arguments = [node.this, node.args.get("expression")]
    return sides.get(str(node.args.get("position")), "TRIM"), [a for a in arguments if a is not None]


def _uncall_anonymous(node: exp.Expression) -> tuple[str, list[exp.Expression]]:
    return str(node.this), list(node.expressions)


_SPECIAL: dict[type, Callable[[exp.Expression], tuple[str, list[exp.Expression]]]] = {
    exp.TimeToStr: _uncall_time,
    exp.Trim: _uncall_trim,
    exp.Anonymous: _uncall_anonymous,
}
