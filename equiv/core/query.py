"""What a text is found to be: a query with its resolved tree, or what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sqlglot import exp

from equiv.core.unsupported import Unsupported

Cause = Literal["EMPTY", "SYNTAX", "NO_TABLE_OR_COLUMN", "NO_FUNCTION", "NOT_A_QUERY"]


@dataclass(frozen=True, slots=True)
class Sign:
    """What tells a dialect."""

    construct: str
    """As SQL writes it."""
    dialect: str

    def __str__(self) -> str:
        return f"{self.construct} reads as {self.dialect}"


@dataclass(frozen=True, slots=True)
class Broken:
    """A text that is no query on the schema."""

    cause: Cause
    """EMPTY: nothing but white space and comments. NOT_A_QUERY: another statement, or several.
    NO_TABLE_OR_COLUMN, NO_FUNCTION: SQLite misses a name (or the number of arguments is wrong).
    SYNTAX: SQLite refuses it otherwise, or it is too long."""
    message: str
    sign: Sign | None = None
    """What tells that the text is of another dialect, if something does."""


@dataclass(frozen=True)
class Query:
    """One query that SQLite can prepare on the schema."""

    sql: str
    """The text without closing semicolons and comments around it."""
    columns: int
    """The number of result columns."""
    tree: exp.Expression | None
    """The resolved tree, or None if the query is unsupported; never to be changed, only copied."""
    unsupported: Unsupported | None
    orders: bool
    """Whether ORDER BY stands at the top level."""
    is_repeatable: bool = True
    """Whether it calls no function whose value the database does not fix, in a view neither."""
    parameters: tuple[str, ...] = ()
    """The names of its parameters, as :mod:`equiv.dialects.sqlite.placeholders` gives them."""
    quoted_strings: tuple[str, ...] = ()
    """Names in double quotes that name no column and are read as strings, where resolution came so far."""
    asked: str = ""
    """The text as given, if names of tables were taken out from behind that of a schema."""
