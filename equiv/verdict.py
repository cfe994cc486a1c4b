"""Verdicts: what is said of a pair, by whom, on what evidence, at what cost.

A verdict is one of four cases, to be taken apart with ``match``; it has no
truth value of its own.  What a case may claim follows from the type of its
evidence: only a derivation or a proof supports :class:`Equivalent`, only a
database supports :class:`NotEquivalent`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NoReturn

from equiv.relation import Relation
from equiv.schema.facts import Fact

Cell = int | float | str | bytes | None
"""One value as SQLite returns it."""

Row = tuple[Cell, ...]


class Tier(StrEnum):
    """A stage that can settle a pair, cheapest first."""

    PARSE = "parse"
    RULES = "rules"
    DATA = "data"
    GENERATE = "generate"


class Reason(StrEnum):
    """Why a pair is undecided (closed list)."""

    UNSUPPORTED = "UNSUPPORTED"
    """A construct outside the modelled subset; ``node`` names it."""
    TIMEOUT = "TIMEOUT"
    """The outer deadline fired."""
    RESOURCE = "RESOURCE"
    """A cap on rows, bytes, memory or steps was reached."""
    NONDETERMINISTIC = "NONDETERMINISTIC"
    """The queries part only in what a tie-break or a free choice decides; ``database`` shows it."""
    UNREPLAYED = "UNREPLAYED"
    """A difference was found that did not replay on a fresh SQLite."""
    GOLD_INVALID = "GOLD_INVALID"
    """The gold query cannot be prepared on the schema."""
    NO_PROOF = "NO_PROOF"
    """Neither proved nor refuted within the effort."""
    NO_ANSWER = "NO_ANSWER"
    """The judge gave no usable answer."""
    BUDGET = "BUDGET"
    """The allowance of calls or money ran out."""
    CONFLICT = "CONFLICT"
    """A proof was broken by a database: a bug in this project, to be reported."""
    INTERNAL = "INTERNAL"
    """An unexpected error inside this project."""


class FailureCode(StrEnum):
    """Why a query is no usable query: ``PRED_`` or ``GOLD_`` and the cause."""

    PRED_EMPTY = "PRED_EMPTY"
    PRED_SYNTAX = "PRED_SYNTAX"
    PRED_NO_TABLE_OR_COLUMN = "PRED_NO_TABLE_OR_COLUMN"
    PRED_NO_FUNCTION = "PRED_NO_FUNCTION"
    PRED_NOT_A_QUERY = "PRED_NOT_A_QUERY"
    PRED_EXEC = "PRED_EXEC"
    PRED_TIMEOUT = "PRED_TIMEOUT"
    GOLD_EMPTY = "GOLD_EMPTY"
    GOLD_SYNTAX = "GOLD_SYNTAX"
    GOLD_NO_TABLE_OR_COLUMN = "GOLD_NO_TABLE_OR_COLUMN"
    GOLD_NO_FUNCTION = "GOLD_NO_FUNCTION"
    GOLD_NOT_A_QUERY = "GOLD_NOT_A_QUERY"
    GOLD_EXEC = "GOLD_EXEC"
    GOLD_TIMEOUT = "GOLD_TIMEOUT"


class Difference(StrEnum):
    """What a witness shows (closed list), most specific first where several fit."""

    COLUMNS = "columns"
    """The column counts differ."""
    ORDER = "order"
    """The same rows in another order."""
    DUPLICATES = "duplicates"
    """The same set of rows, other multiplicities."""
    NULL = "null"
    """Rows that hold a NULL, or a NULL in place of a value."""
    EMPTY = "empty"
    """One result is empty, the other is not."""
    TIE = "tie"
    """Rows above or around a tied group."""
    BOUNDARY = "boundary"
    """A value equal to a constant of one of the queries."""
    CASE = "case"
    """Text that differs in letter case only."""
    TYPE = "type"
    """The same value in another storage class."""
    ROUNDING = "rounding"
    """Numbers that are close, yet not equal."""
    ROWS_MISSING = "rows_missing"
    """The prediction lacks rows of the gold result and adds none."""
    ROWS_EXTRA = "rows_extra"
    """The prediction adds rows to the gold result and lacks none."""
    VALUES = "values"
    """Other values."""
    ERROR = "error"
    """One query fails on the database given."""


@dataclass(frozen=True, slots=True)
class Step:
    """One application of a rewrite rule: the whole query before and after, as SQL."""

    rule: str
    before: str
    after: str
    facts: tuple[Fact, ...] = ()
    under: str = "list"
    """The weakest rows relation that the rule preserves."""


@dataclass(frozen=True, slots=True)
class Derivation:
    """Both queries rewritten, step by step, to one normal form."""

    pred_steps: tuple[Step, ...]
    gold_steps: tuple[Step, ...]
    normal_form: str


@dataclass(frozen=True, slots=True)
class Witness:
    """A small database, as one script of DDL and INSERTs, and both results on it."""

    sql: str
    pred_rows: tuple[Row, ...]
    gold_rows: tuple[Row, ...]
    tables: dict[str, tuple[tuple[str, ...], tuple[Row, ...]]] = field(default_factory=dict)
    """Per table that has rows: the columns that matter, and the rows."""


EXECUTION_ROWS = 20
"""How many rows of each result an :class:`Execution` keeps."""


@dataclass(frozen=True, slots=True)
class Execution:
    """Both results on a populated database: the first rows, where order does not count those that differ."""

    database: str
    pred_rows: tuple[Row, ...]
    gold_rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Attempt:
    """What one tier did with a pair."""

    tier: Tier
    outcome: str
    """``settled``, ``passed`` (nothing found), ``skipped`` or ``failed``."""
    reason: str = ""
    ms: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What every verdict carries; see the four cases below."""

    relation: Relation
    tier: Tier | None = None
    """The tier that settled the pair; None if none did."""
    facts: tuple[Fact, ...] = ()
    """The facts that the verdict rests on."""
    facts_dropped: tuple[Fact, ...] = ()
    """Facts of the policy that the given database violates."""
    attempts: tuple[Attempt, ...] = ()

    @property
    def name(self) -> str:
        """``equivalent``, ``not_equivalent``, ``undecided`` or ``invalid``."""
        raise NotImplementedError

    @property
    def ms(self) -> float:
        """Milliseconds spent in all tiers."""
        return sum(attempt.ms for attempt in self.attempts)

    def __bool__(self) -> NoReturn:
        raise TypeError("a verdict has no truth value; match on its case or compare verdict.name")


@dataclass(frozen=True, slots=True, kw_only=True)
class Equivalent(Verdict):
    """The same set of possible answers on every allowed database."""

    evidence: Derivation

    @property
    def name(self) -> str:
        return "equivalent"


@dataclass(frozen=True, slots=True, kw_only=True)
class NotEquivalent(Verdict):
    """A database tells the queries apart, whatever way ties are broken."""

    evidence: Witness | Execution
    difference: Difference

    @property
    def name(self) -> str:
        return "not_equivalent"


@dataclass(frozen=True, slots=True, kw_only=True)
class Undecided(Verdict):
    """Neither; the reason says why."""

    reason: Reason
    detail: str = ""
    """The unsupported node, the error, or the like: one line."""
    failure_code: FailureCode | None = None
    evidence: Witness | None = None
    """For NONDETERMINISTIC and CONFLICT: a database that shows it."""

    @property
    def name(self) -> str:
        return "undecided"


@dataclass(frozen=True, slots=True, kw_only=True)
class Invalid(Verdict):
    """The prediction is not one query that can be prepared on the schema."""

    failure_code: FailureCode
    message: str

    @property
    def name(self) -> str:
        return "invalid"
