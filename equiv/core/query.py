"""The result of reading a text: a query with its resolved tree, or the refusal that says why it has none.

In a resolved tree, on which rules and provers rely,

1. every source of FROM has an alias that is unique in the whole query; a base
   table is ``exp.Table`` as the schema spells it, and so is a CTE, whose name is
   unique and no table's;
2. every column is ``exp.Column`` qualified by such an alias;
3. there are no stars but ``COUNT(*)``, no USING or NATURAL, no references by
   position or alias; ORDER BY of a compound has integer literals: positions;
4. quoted names that name nothing are string literals;
5. every projection is ``exp.Alias``, of a name unique in its SELECT; all
   operands of a compound have the names of the first;
6. ``exp.Join`` has no kind; ``side`` is LEFT, RIGHT, FULL or absent;
7. there is no ``exp.Paren``; named windows and views are written out; unused
   CTEs are gone, others stand after those they refer to; VALUES is a UNION ALL;
   functions are the nodes of :mod:`equiv.core.functions.table`, the type of a
   CAST is INT, DOUBLE, TEXT, DECIMAL or BLOB;
8. a parameter is ``exp.Parameter``, its name that of :mod:`equiv.core.texts`;
9. no term of ORDER BY or GROUP BY of a SELECT is an integer: as a constant it is
   NULL; ``exp.Ordered`` has ``desc`` True or False, and ``nulls_first`` only where it
   differs from the default.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from sqlglot import exp

    from equiv.core.model import PassedOver


@dataclass(frozen=True, slots=True)
class Unsupported:
    """Why a query has no tree: the node's class name, and one line."""

    node: str
    why: str

    def __str__(self) -> str:
        return _told(self.node, self.why)


class _Unreadable(Exception):  # noqa: N818 - a condition of the query, not an error
    """Something in a query that equiv does not take.

    Attributes:
        node: the class name of the node, or the name of the construct.
        why: one line; the text of the whole names the construct as well.
    """

    def __init__(self, node: str, why: str) -> None:
        super().__init__(_told(node, why))
        self.node = node
        self.why = why


class UnsupportedError(_Unreadable):
    """A query that its engine accepts, but that has no resolved tree."""


class Opaque(_Unreadable):
    """The query has a choice that cannot be laid open."""


_KEYWORDS = """Cast Collate Distinct Escape Fetch From Glob Grouping Having In Is Join Lateral Like Limit
    Match Offset Pivot Select Unpivot Values With""".split()  # noqa: SIM905
_WORDS = {
    "AggFunc": "aggregate function",
    "Const": "constant",
    "Fieldselect": "field of a row",
    "Func": "function",
    "Group": "GROUP BY",
    "GroupConcat": "GROUP_CONCAT",
    "Order": "ORDER BY",
    "Regexp": "regular expression",
    "Star": "SELECT *",
    "Tuple": "row value",
    "Window": "window function",
    "WindowSpec": "window frame",
    "resolution": "equiv's own reading of the query",
}


def _told(node: str, why: str) -> str:
    """A reason as users read it: its node as SQL or the field calls it, and one line."""
    words = re.sub("(?<=[a-z])(?=[A-Z])", " ", node).lower()
    word = node.upper() if node in _KEYWORDS else _WORDS.get(node, words)
    return f"{word}: {why}"


Cause = Literal[
    "EMPTY", "SYNTAX", "NO_TABLE_OR_COLUMN", "NO_FUNCTION", "NOT_A_QUERY", "WITHHELD", "EXHAUSTED"
]


@dataclass(frozen=True, slots=True)
class Sign:
    """A construct that tells another dialect from SQLite."""

    construct: str
    """As SQL writes it."""
    dialect: str

    def __str__(self) -> str:
        return f"{self.construct} looks like {self.dialect}"


@dataclass(frozen=True, slots=True)
class Broken:
    """A text that is not a query on the schema."""

    cause: Cause
    """EMPTY: nothing but white space and comments. NOT_A_QUERY: another statement, or several.
    NO_TABLE_OR_COLUMN, NO_FUNCTION: SQLite misses a name (or the number of arguments is wrong).
    SYNTAX: SQLite refuses it otherwise, or it is too long.
    WITHHELD: SQLite takes it, but it asks for what queries are not let near: no failure of the query.
    EXHAUSTED: memory or time ran out as it was read; a larger machine may take it, so it is none either."""
    message: str
    sign: Sign | None = None
    """The sign that the text is of another dialect, if there is one."""

    @property
    def is_fault(self) -> bool:
        """Whether the text is at fault, which then is no query, and not what may be read or spent here."""
        return self.cause not in ("WITHHELD", "EXHAUSTED")


_TYPED = {
    "\u00a0": "a no-break space",
    "\u202f": "a narrow no-break space",
    "\u2018": "the quote \u2018",
    "\u2019": "the quote \u2019",
    "\u201c": "the quote \u201c",
    "\u201d": "the quote \u201d",
}
"""Characters that a word processor writes for others, which no engine takes for those."""


def with_hint(found: Query | Broken, text: str) -> Query | Broken:
    """A query as it is; a broken text with what a word processor may have done to it."""
    typed = [name for character, name in _TYPED.items() if character in text]
    if not isinstance(found, Broken) or found.cause not in ("SYNTAX", "NO_TABLE_OR_COLUMN") or not typed:
        return found
    said = f"the text has {' and '.join(typed)}, which SQL reads neither as a space nor as a quote"
    return replace(found, message=f"{found.message}; {said}")


_WORD = re.compile(r"[\w$]+|[^\w\s$\"'().,:;]+")


def withheld(found: Broken, names: Iterable[str], passed: Iterable[PassedOver] = ()) -> Broken:
    """The failure of a text, marked WITHHELD if it misses something that the schema's source has.

    Args:
        found: what is wrong with it.
        names: those of what the source has and the schema lacks.
        passed: the objects among these of which it is known why.
    """
    # Broader than names are compared: to say that a text fails takes more than letters of another case.
    message = found.message.lower()
    words, sought = set(_WORD.findall(message)), {*map(str.lower, names)}
    missed = INCLUDED in sought or any(n in words or (" " in n and n in message) for n in sought)
    is_lack = found.cause in ("NO_TABLE_OR_COLUMN", "NO_FUNCTION") or "no such collation" in message
    if is_lack and missed:
        known = next((each for each in passed if each.bare.lower() in words or each.kind == INCLUDED), None)
        why = f": {known.why}" if known is not None else ""
        return replace(found, cause="WITHHELD", message=f"{found.message}{_PASSED}{why}")
    return found


_PASSED = ": skipped in the schema"
INCLUDED = "included file"
"""A kind of what is skipped that may define anything; among names that are withheld it stands for all."""


def taken_there(refused: Broken) -> Unsupported:
    """Why a text has no tree that the empty database refuses, and the populated one takes."""
    message = refused.message.partition(_PASSED)[0]
    lacking = _LACKING.search(message)
    node = lacking[0].capitalize() if lacking else "Query"
    return Unsupported(node, f"{message}; the given database accepts it")


_LACKING = re.compile(r"\b(?:function|operator|relation|table|type|collation|column)\b", re.IGNORECASE)


CAST, COMPARISON = "cast", "comparison"
"""See :attr:`Query.computed`."""

NOTHING = "null"
"""The family of a column that holds NULL alone."""

UNKNOWN = "(?)"
"""Behind a family of types: its values show otherwise than the core has them; it is not known how."""


def _nothing() -> None:
    """What a query without recursions begins with."""


@dataclass(frozen=True)
class Query:
    """One query that the engine of its dialect can prepare on the schema."""

    sql: str
    """The text, as the engine of its dialect runs it: without closing semicolons and comments around it."""
    columns: int
    """The number of result columns."""
    tree: exp.Expression | None
    """The resolved tree, or None if the query is unsupported; never to be changed, only copied."""
    unsupported: Unsupported | None
    """Why there is no tree; beside a tree, why nothing is to be proved by it."""
    orders: bool
    """Whether ORDER BY stands at the top level."""
    is_repeatable: bool = True
    """Whether it calls no function whose value the database does not fix, in a view neither."""
    parameters: tuple[str, ...] = ()
    """The names of its parameters, as :mod:`equiv.core.texts` gives them."""
    parameter_types: tuple[str, ...] = ()
    """The types of its parameters, in their order, where the dialect's engine has them: integer, number,
    float, boolean, text, date, timestamp or uuid."""
    bound_as: tuple[str, ...] = ()
    """For each parameter the type that its values have, as the engine writes it, where it takes values of any
    type and the query is read for these alone; '' where the text casts what is given."""
    quoted_strings: tuple[str, ...] = ()
    """Names in double quotes that name no column and are read as strings, where resolution came so far."""
    asked: str = ""
    """The text as given, if names of tables were taken out from behind that of a schema."""
    database: str = ""
    """The name of the schema's own database, if it was taken out from before those of schemas and tables."""
    core_text: str | None = None
    """The query as the core's runner takes it, where that is not its own text; '' if the runner cannot."""
    types: tuple[str, ...] = ()
    """The family of types of each result column, where the engine distinguishes families; what stands
    behind it in parentheses makes values of one family show otherwise than the core has them."""
    may_fail: bool = False
    """Whether some rows may make the dialect's engine raise an error where the core gives a value."""
    has_constant_error: bool = False
    """Whether a part that reads no row makes the dialect's engine raise an error wherever it is evaluated; of
    SQLite's queries the tree says so."""
    shape: str = ""
    """A digest of all that the query says to the dialect's engine but for names; '' if it is not known."""
    performs: bool = False
    """Whether it is called for what it does: all that varies in it are functions that return nothing."""
    computed: frozenset[tuple[str, str]] = frozenset()
    """The operations on numbers, each with what the dialect's engine computes it in, where the core has one
    operation for several: integer, numeric, float4 or float8.  :data:`CAST` makes a float of a number, and
    :data:`COMPARISON` is with a float that a cast may have cut digits off."""
    has_narrow_fractions: bool = False
    """Whether a part may be a fraction that the dialect's engine has in 32 bits; the core is exact."""
    settings: frozenset[str] = frozenset()
    """The settings of the session by which the text has the meaning that the tree says."""
    fresh: frozenset[str] = frozenset()
    """The materialised views, each with its schema, whose queries the tree reads over the tables of now."""
    with_symbols: Query | None = None
    """The same with a symbol for each part that depends on a setting: its tree holds under all values
    of those that it no longer names.  For proofs alone, since the core gives a symbol one of its meanings.
    None: there is no such reading, or none is needed."""
    begin: Callable[[], Query | None] = field(default=_nothing, compare=False, repr=False)
    """Makes the same with the rows of the first steps of its recursions alone, by which data is made; None
    of a query that has none."""
    labelled: frozenset[tuple[str, str]] = frozenset()
    """The functions of the schema's own that it calls, each with its label: immutable or stable; and the
    columns, ``table.column``, that what stands in it for a recursion takes to hold what their types say."""
    locks: tuple[str, ...] = ()
    """The clauses by which it locks the rows that it returns; its text here has none of them."""
    passed_on: frozenset[tuple[str, str]] = frozenset()
    """The columns, each with its table, in lower case, of whose values the tree knows identity alone: equal
    ones may show otherwise."""
    apart: tuple[int, ...] = ()
    """Columns, from 0, whose values never equal those of the other query of the pair, by their types: the
    tree and the core's text have :attr:`sign` there for each value but NULL."""
    sign: str = ""
    is_plain: bool = False
    """Whether what its engine returns once is, order apart, all that it may answer, and nothing rounds; asked
    where the core cannot run it."""
    is_plain_on_data: bool = False
    """The same where the user's own database runs it, under its own settings."""
    watched: str = ""
    """The text by which its engine raises an error where the query has a choice that shows in its rows, order
    apart, and else returns these; '' if it has none."""
    watched_order: str = ""
    """The text by which its engine raises an error where rows that ORDER BY leaves tied do not show alike; ''
    if there is no ORDER BY, or this is not known."""
    asks_catalogue: bool = False
    """Whether its rows depend on what objects the database has: it reads the engine's own tables, say."""
    may_read_rows: bool = True
    """Whether it may read rows of the schema's tables, by a view or a function of the schema's too."""
    needs_data: bool = False
    """Whether the user's own database alone runs it: no other has the functions, types or tables."""

    @property
    def outline(self) -> Query:
        """The query by which data is made: of one without a tree that in which symbols stand for calls."""
        return self.begin() or (self if self.tree is not None else self.with_symbols or self)

    @property
    def core_sql(self) -> str:
        """The text that runs on the core's runner."""
        return self.sql if self.core_text is None else self.core_text
