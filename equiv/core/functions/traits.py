"""The traits of a function in the table of SQLite's functions."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from sqlglot import exp

StorageClass = Literal["null", "integer", "real", "text", "blob"]
"""Storage classes of values in SQLite."""

StorageClasses = frozenset[StorageClass]

ALL: StorageClasses = frozenset({"null", "integer", "real", "text", "blob"})
"""The classes of a value about which nothing is known."""

INTEGERS: StorageClasses = frozenset(("integer",))
REALS: StorageClasses = frozenset(("real",))
NUMBERS: StorageClasses = INTEGERS | REALS
TEXTS: StorageClasses = frozenset(("text",))
BLOBS: StorageClasses = frozenset(("blob",))
NULL_ONLY: StorageClasses = frozenset(("null",))
WHOLE: StorageClasses = INTEGERS | NULL_ONLY
NUMERIC: StorageClasses = NUMBERS | NULL_ONLY


MOST_ARGUMENTS = 32
"""Of a symbol, its signature among them."""


class FunctionSort(StrEnum):
    """The sort of a function: operator, scalar, aggregate or window function."""

    OPERATOR = "operator"
    """Written between or before its operands."""
    SCALAR = "scalar"
    AGGREGATE = "aggregate"
    """Over the rows of a group, or of a window's frame."""
    WINDOW = "window"
    """Over a window only."""
    INSTANT = "instant"
    """The current time, by its name in the algebra."""


class Nulls(StrEnum):
    """The relation between NULL arguments and a NULL result of a call."""

    EXACTLY = "just if an argument is"
    AT_LEAST = "if an argument is, and perhaps otherwise"
    AT_MOST = "only if an argument is, and maybe not even then"
    NEVER = "never"
    NOTHING = "just if there is no value but NULL"
    """Of an aggregate."""
    ANY = "maybe"


class Reads(StrEnum):
    """The conversion that SQLite applies to an argument."""

    ANY = "as it is"
    TRUTH = "as a truth value"
    NUMBER = "as a number"
    INTEGER = "as an integer"
    TEXT = "as text"
    TIME = "as a time value"


class Rounds(StrEnum):
    """How the rounding of REALs enters a value; under ``exact_arithmetic`` it must not."""

    NO = "no"
    ARITHMETIC = "by arithmetic"
    """Operators and sums: :mod:`equiv.answers.exact` computes them without."""
    IRRATIONAL = "by nature"
    """The value is seldom rational; https://sqlite.org/lang_mathfunc.html."""
    MILLISECONDS = "to milliseconds"
    DIGITS = "to decimals"
    """It cuts its operand to decimals, which shows how the operand was rounded."""


class Nearby(StrEnum):
    """The change of the value if an argument changes by a last digit."""

    JUMPS = "anything"
    NEAR = "almost the same"
    SAME = "the same"


class OrderDependence(StrEnum):
    """In what manner a value depends on the order in which rows come."""

    NO = "no"
    ROWS = "all its rows"
    """In the order in which they are fed to it."""
    FRAME = "the place in the frame"
    PARTITION = "the place in the partition"
    """Whatever the frame is."""


class Raises(StrEnum):
    """Whether a call stops the query with an error; a value too long for the engine is left out."""

    MAYBE = "on some arguments"
    OVERFLOW = "if an integer overflows"
    NEVER = "never"


class CallForm(StrEnum):
    """The form of a call in the algebra."""

    CALL = "a call"
    CASE = "a CASE"
    AGGREGATE = "an aggregate"
    CHOICE = "the value in any row of a group"
    WINDOW = "a numbering, or a reading of the rows around"
    NONE = "nothing"


class Solved(StrEnum):
    """The way in which a call is given to the prover's solver."""

    MEANING = "interpreted"
    """By ``ENCODINGS`` in the prover's functions; a symbol where that needs facts which are missing."""
    SYMBOL = "a symbol"
    """Calls are equal whose arguments have the same class and value; 0.0 and -0.0 are one value."""
    AS_WRITTEN = "equal where written alike"
    REFUSED = "refused"
    """The database, the arguments and the frozen instant do not fix it, up to an order of rows."""


class LiteralStyle(StrEnum):
    """How a literal that a call is compared with bears on the column that the call reads."""

    PLAIN = "plain"
    """It is a value of the column, or near one."""
    PART = "part"
    """It is a part of the text."""
    LENGTH = "length"
    """It is a number of characters."""
    BYTES = "bytes"
    """It is a text of more bytes than characters."""
    HEXADECIMAL = "hexadecimal"
    """It is the bytes of the text in hexadecimal."""
    TIME = "time"
    """It is what a format shows of a time."""
    JSON = "json"
    """It is a path in a text of JSON, or what stands there."""
    PATTERN = "pattern"
    """It is a pattern for the text."""
    BLOB = "blob"
    """It is a blob, given by its hexadecimal digits."""


@dataclass(frozen=True, slots=True)
class TimeCode:
    """A code of STRFTIME's formats that gives decimal digits."""

    digits: int
    """How many; of the year at least so many, with a sign before it for the years before 0."""
    place: int = 0
    """Where they begin in ``YYYY-MM-DD HH:MM:SS``, counted from 1; 0 if they are no part of it."""
    of_day: bool = True
    """Whether they depend on the date alone."""


TIME_CODES = {
    "%Y": TimeCode(4, 1), "%m": TimeCode(2, 6), "%d": TimeCode(2, 9), "%H": TimeCode(2, 12, of_day=False),
    "%M": TimeCode(2, 15, of_day=False), "%S": TimeCode(2, 18, of_day=False), "%j": TimeCode(3),
    "%w": TimeCode(1), "%W": TimeCode(2),
}  # fmt: skip


def pieces_of(form: str) -> list[str]:
    """The codes of a format of STRFTIME, such as ``%Y``, and the characters between them, in order."""
    return re.findall("%.?|[^%]", form, re.DOTALL)


@dataclass(frozen=True, slots=True)
class Function:
    """A row of the table.

    Where a trait needs code, the code is registered under the function's name, and a test holds that
    all rows that claim it have it.
    """

    name: str
    """Upper-case name, operator, or name in the algebra; of two sorts under one name there are two rows."""
    least: int
    most: int | None
    """The numbers of arguments; None for no bound."""
    sort: FunctionSort = FunctionSort.SCALAR
    nulls: Nulls = Nulls.ANY
    results: StorageClasses = frozenset(("integer", "real", "text", "blob"))
    """The storage classes that a value may have, NULL apart."""
    follows: bool = False
    """Whether the classes follow from those of the arguments: ``CLASSES`` in the algebra's kinds."""
    passes: bool = False
    """Whether a value that is not NULL is one of the arguments."""
    node: type[exp.Expression] | None = None
    """The class of its calls; without one they are ``exp.Anonymous``."""
    places: tuple[str, ...] = ()
    """The args of the node that hold the arguments, in order; ``expressions`` holds all further ones."""
    synonyms: tuple[str, ...] = ()
    """Second names, by https://sqlite.org/lang_corefunc.html."""
    reads: tuple[Reads, ...] = (Reads.ANY,)
    """For each argument; the last goes for all further ones."""
    rounds: Rounds = Rounds.NO
    nearby: Nearby = Nearby.JUMPS
    compares: bool = False
    """Whether it compares arguments under a collation."""
    commutes: bool = False
    order: OrderDependence = OrderDependence.NO
    folds: bool = False
    """Whether the prover lets SQLite evaluate calls on literals."""
    solved: Solved = Solved.AS_WRITTEN
    raises: Raises = Raises.MAYBE
    form: CallForm = CallForm.CALL
    style: LiteralStyle = LiteralStyle.PLAIN
    variants: tuple[str, ...] = ()
    """Formats of texts, around a text, that it changes and that no literal beside it hints at."""
    parameters: tuple[int, ...] = ()
    """Positions of arguments whose literals set up the call: starts, lengths, formats, numbers of digits."""
    spelling: str = ""
    """Of an instant, its text in SQLite."""
    shown: tuple[int, int] = (0, 0)
    """Of an instant, where the part of ``YYYY-MM-DD HH:MM:SS.SSS`` that it is begins and ends."""
    code: Callable[..., Any] | None = None
    """What computes it where SQLite has no such function; of an aggregate, what computes a group's."""

    @property
    def is_strict(self) -> bool:
        """Whether a call is NULL as soon as one argument is."""
        return self.nulls in (Nulls.EXACTLY, Nulls.AT_LEAST)

    @property
    def is_fixed(self) -> bool:
        """Whether the database, arguments and the frozen instant fix the value, up to an order of rows."""
        return self.solved is not Solved.REFUSED

    @property
    def is_sure(self) -> bool:
        """Whether a call is not NULL if no argument is."""
        return self.nulls in (Nulls.EXACTLY, Nulls.AT_MOST, Nulls.NEVER)

    @property
    def is_number(self) -> bool:
        """Whether every value is NULL or a number."""
        return self.results <= {"integer", "real"}

    @property
    def keeps_whole(self) -> bool:
        """Whether every value is NULL or an integer if the arguments are, but for an overflow."""
        return self.results == {"integer", "real"}

    @property
    def adds_reals(self) -> bool:
        """Whether it adds up REALs, whatever its argument is."""
        return (
            self.sort is FunctionSort.AGGREGATE
            and self.rounds is Rounds.ARITHMETIC
            and self.results == {"real"}
        )

    @property
    def is_call(self) -> bool:
        """Whether it is evaluated row by row."""
        return self.sort in (FunctionSort.OPERATOR, FunctionSort.SCALAR)

    @property
    def reads_number(self) -> bool:
        """Whether it takes its subject, the first argument, for a number."""
        return self.reads[0] in (Reads.NUMBER, Reads.INTEGER)

    @property
    def reads_time(self) -> bool:
        """Whether an argument is a time value, so that 'now' may be read."""
        return Reads.TIME in self.reads

    def takes(self, count: int) -> bool:
        """Whether it can be called with so many arguments."""
        return self.least <= count and (self.most is None or count <= self.most)

    def how_reads(self, position: int) -> Reads:
        """The conversion applied to the argument at a position."""
        return self.reads[min(position, len(self.reads) - 1)]


PREFIX = "CORE_"
"""Before the names of these functions: what a query of SQLite's may call must not be among them."""


def own_function(name: str, most: int, code: Callable[..., Any], **traits: Any) -> Function:
    """A function of the core's own, NULL if an argument is, or is of another type than it takes."""
    given = {"least": most, "nulls": Nulls.AT_LEAST, "results": TEXTS, "raises": Raises.NEVER, **traits}
    return Function(PREFIX + name, most=most, solved=Solved.SYMBOL, code=code, **given)
