"""Verdicts: what is said of a pair, by whom, on what evidence, at what cost.

A verdict is one of four cases, to be taken apart with ``match``; it has no
truth value of its own.  What a case may claim follows from the type of its
evidence: only a derivation or a proof supports :class:`Equivalent`, only a
database supports :class:`NotEquivalent`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, ClassVar, NoReturn, Self

from equiv.cells import Cell, Row
from equiv.facts import Fact
from equiv.relation import Relation


class Tier(StrEnum):
    """A stage that can settle a pair, cheapest first."""

    PARSE = "parse"
    RULES = "rules"
    DATA = "data"
    GENERATE = "generate"
    PROOF = "proof"
    FRAGMENT = "fragment"
    SEARCH = "search"
    PACKS = "packs"
    """Rules of users, asked where every other tier is done."""


PROVERS = (Tier.RULES, Tier.PROOF, Tier.FRAGMENT, Tier.PACKS)
"""The tiers that settle as equivalent."""


OUR_BUG = "this is a bug in equiv; please report the pair"
"""Ends the detail of a conflict that no rule of a pack explains."""


class Explained(StrEnum):
    """A word of a closed list, and what it says to a reader of a verdict."""

    says: str

    def __new__(cls, word: str, says: str = "") -> Self:
        """The member of that word."""
        made = str.__new__(cls, word)
        made._value_, made.says = word, says
        return made


class Reason(Explained):
    """Why a pair is undecided (closed list)."""

    UNSUPPORTED = "UNSUPPORTED", "equiv does not model a construct"
    """A construct outside the modelled subset; ``detail`` names its node and says why, after the query's name
    where one of the two has no tree."""
    TIMEOUT = "TIMEOUT", "the time limit was reached"
    RESOURCE = "RESOURCE", "a limit on rows, bytes, memory or steps was reached"
    NONDETERMINISTIC = "NONDETERMINISTIC", "the answers differ only in choices that SQL leaves open"
    """The queries part only in what a tie-break or a free choice decides; ``evidence`` is a database that
    shows it, where one can be shown."""
    UNREPLAYED = "UNREPLAYED", "a difference was found, but a fresh database did not reproduce it"
    GOLD_INVALID = "GOLD_INVALID", "the gold query is not valid on the schema"
    NO_PROOF = "NO_PROOF", "neither a proof nor a counter-example was found"
    NO_ANSWER = "NO_ANSWER", "the judge gave no usable answer"
    BUDGET = "BUDGET", "the budget for calls or money is used up"
    CONFLICT = "CONFLICT", "a database contradicts a proof"
    """A proof was broken by a database: a bug in this project, to be reported, or a wrong rule of a pack,
    which ``detail`` names; ``evidence`` is that database, where the whole pair broke on it, and else
    ``detail`` says which step of the proof did."""
    INTERNAL = "INTERNAL", f"an unexpected error: {OUR_BUG}"


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


class Difference(Explained):
    """The kind of difference that a witness shows (closed list); if several fit, the first in this order."""

    COLUMNS = "columns", "the results have different numbers of columns"
    ORDER = "order", "the results have the same rows in another order"
    DUPLICATES = "duplicates", "the results have the same rows, but different numbers of duplicates"
    NULL = "null", "the queries treat NULL differently"
    """Rows that hold a NULL, or a NULL in place of a value."""
    EMPTY = "empty", "one result is empty, the other is not"
    TIE = "tie", "the rows around a tie differ"
    """Rows above or around a tied group."""
    BOUNDARY = "boundary", "the queries treat a value at the bound of a condition differently"
    """A value equal to a constant of one of the queries."""
    CASE = "case", "the texts differ in letter case"
    TYPE = "type", "the same value has different types"
    """The same value in another storage class."""
    ROUNDING = "rounding", "the numbers differ only by rounding"
    ROWS_MISSING = "rows_missing", "the prediction lacks rows of the gold result"
    ROWS_EXTRA = "rows_extra", "the prediction has rows that the gold result lacks"
    VALUES = "values", "the values differ"
    ERROR = "error", "one query raises an error where the other returns rows"


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
    on_trust: tuple[str, ...] = ()
    """Rules of users' packs, ``pack:rule``, that nobody but the pack's author answers for here."""


@dataclass(frozen=True, slots=True)
class Obligation:
    """A claim on values that a proof rests on."""

    text: str
    """The claim, for people."""
    smtlib: str
    """Its negation as an SMT-LIB2 script: unsatisfiable if the claim holds."""


@dataclass(frozen=True, slots=True)
class Proof:
    """Both queries as sums of terms in normal form, matched piece by piece; no rule has a part in it."""

    pred_form: str
    """The normal form of the prediction, printed by :mod:`equiv.algebra.text`."""
    gold_form: str
    correspondences: tuple[str, ...]
    """What was matched with what, a line each."""
    obligations: tuple[Obligation, ...]
    """What a solver had to show, in the order in which it was asked."""
    pred_rewrites: tuple[str, ...] = ()
    """The rewrites of the algebra that made the normal form of the prediction, in order."""
    gold_rewrites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Condition:
    """A further fact under which a pair would be equivalent."""

    fact: Fact
    satisfied: bool | None
    """Whether the given database keeps it; None without one."""
    observed: bool = False
    """Whether the pair is proved from what the policy ``observed`` finds in the given database."""


@dataclass(frozen=True, slots=True)
class ParameterBinding:
    """Values of a pair's parameters, and both queries as they were run: with these in their places."""

    values: tuple[tuple[str, Cell], ...]
    pred_sql: str
    gold_sql: str


@dataclass(frozen=True, slots=True)
class Witness:
    """A small database, as one script of DDL and INSERTs, and both results on it."""

    sql: str
    pred_rows: tuple[Row, ...]
    gold_rows: tuple[Row, ...]
    tables: dict[str, tuple[tuple[str, ...], tuple[Row, ...]]] = field(default_factory=dict)
    """Per table that has rows: the columns that matter, and the rows."""
    binding: ParameterBinding | None = None
    """Where the queries were not run as given, which those with parameters never are."""
    pred_columns: tuple[str, ...] = ()
    """What SQLite calls the columns of the results, where that is known; for people alone."""
    gold_columns: tuple[str, ...] = ()
    pred_error: str = ""
    """What the engine says of the prediction, if that raises an error instead of returning rows."""
    gold_error: str = ""
    demanded: frozenset[str] = frozenset()
    """The tables that are filled for the sake of foreign keys alone; for people alone."""


EXECUTION_ROWS = 20
"""How many rows of each result an :class:`Execution` keeps."""


@dataclass(frozen=True, slots=True)
class Execution:
    """Both results on a populated database: the first rows, where order does not count those that differ."""

    database: str
    pred_rows: tuple[Row, ...]
    gold_rows: tuple[Row, ...]
    binding: ParameterBinding | None = None
    """As for :class:`Witness`."""
    pred_columns: tuple[str, ...] = ()
    """As for :class:`Witness`."""
    gold_columns: tuple[str, ...] = ()
    pred_error: str = ""
    """As for :class:`Witness`."""
    gold_error: str = ""
    few: Witness | None = None
    """A few of the database's own rows, as a database by themselves, on which the queries differ as well."""

    @property
    def on_few_rows(self) -> Witness | None:
        """The few rows, with what is told of both results."""
        few, names = self.few, (self.pred_columns, self.gold_columns)
        return few and replace(few, binding=self.binding, pred_columns=names[0], gold_columns=names[1])


@dataclass(frozen=True, slots=True)
class Caveat:
    """That an equivalence rests on exact arithmetic where the engine rounds."""

    places: tuple[str, ...]
    """Parts of the queries whose outcome rounding can change, as SQL; if none, last digits may differ."""
    evidence: Witness | Execution | None = None
    """A database on which SQLite's own results differ, by rounding alone, if one was met."""


FURTHER_FACTS = "with further facts"
"""The reason of an attempt to prove a pair under facts that it does not have, as records keep it."""

FEWER_FACTS = "from fewer facts"
"""The reason of an attempt to prove a pair again from as few facts as it takes, as records keep it."""

SHOWN = "to show the difference"
"""The reason of an attempt that shrinks, replays and describes a database which distinguishes a pair."""

FURTHER_PURPOSES = {FURTHER_FACTS: "conditions", FEWER_FACTS: "fewest", SHOWN: "witness"}
"""What time is spent on beside the tiers, by what the reason of an attempt says."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """The attempt of one tier to decide a pair."""

    tier: Tier
    outcome: str
    """``settled``, ``passed`` (nothing found), or ``failed``: cut short, so that it says nothing."""
    reason: str = ""
    ms: float = 0.0

    @property
    def purpose(self) -> str:
        """The purpose of its time: the tier, or ``fewest``, ``conditions`` or ``witness``."""
        return next((name for said, name in FURTHER_PURPOSES.items() if said in self.reason), self.tier)


class Naming(StrEnum):
    """Which facts a verdict names of those that its proof was made from."""

    ENOUGH = "enough"
    """Such as suffice, less those that decide what else is said of the pair where they can be spared."""
    UNSHOWN = "unshown"
    """The same, of a verdict that nobody is shown: no witness is made small, no further relation sought."""
    FEWEST = "fewest"
    """None of them that was found to be spared."""


PURPOSES = (*Tier, *FURTHER_PURPOSES.values())
"""What the time of a verdict is spent on, in order."""

OUTSIDE_FRAGMENT = "outside the fragment"
"""What the reason of an attempt says of a pair outside the decidable fragment, as records keep it."""


class RemarkKind(Explained):
    """The subject of a remark (closed list)."""

    DIALECT = "dialect", "how the dialect reads a query or the schema, or what is not compared"
    """A query or the schema reads as another dialect than SQLite."""
    QUOTED_STRING = "quoted_string", "a name in double quotes is no column, and is read as a string"
    TIE = "tie", "a tie or another choice leaves the answer on the given data open"
    NO_ERROR = "no_error", "a query may raise an error on some databases; the verdict speaks of the others"
    REPLY = "reply", "the query was extracted from a model's reply"
    VERSION = "version", "another version of SQLite may answer otherwise"
    REPLAY = "replay", "the witness was run again on another version of the engine"
    """A witness was run once more on another version of the engine, that of Python's own ``sqlite3``."""
    EX_TIME = "ex_time", "a query ran out of time on the given data, as execution accuracy was measured"
    SETTING = "setting", "the witness was shown under one value of a setting that nobody states"


@dataclass(frozen=True, slots=True)
class Remark:
    """A remark for the reader, on which the verdict does not rest."""

    kind: RemarkKind
    side: str
    """``pred``, ``gold``, ``schema`` or ``witness``."""
    text: str
    """One line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The parts of every verdict; the four cases are below."""

    name: ClassVar[str]
    """``equivalent``, ``not_equivalent``, ``undecided`` or ``invalid``."""
    relation: Relation
    tier: Tier | None = None
    """The tier that settled the pair; None if none did."""
    facts: tuple[Fact, ...] = ()
    """The facts that the verdict rests on."""
    facts_dropped: tuple[Fact, ...] = ()
    """Facts of the policy that the given database violates."""
    attempts: tuple[Attempt, ...] = ()
    remarks: tuple[Remark, ...] = ()
    dialect: str = ""
    """The dialect whose engine has the last word; '' is the reference."""
    queries: tuple[str, str] | None = field(default=None, compare=False, repr=False)
    """The prediction and the gold query as they were given; no part of what is said of them."""

    @property
    def ms(self) -> float:
        """Milliseconds spent on the pair."""
        return sum(attempt.ms for attempt in self.attempts)

    @property
    def fragment(self) -> bool | None:
        """Whether the pair lies in the decidable fragment; None where the tier that tells was not asked."""
        for attempt in self.attempts:
            if attempt.tier is Tier.FRAGMENT and attempt.outcome == "settled":
                return True
            if attempt.tier is Tier.FRAGMENT and OUTSIDE_FRAGMENT in attempt.reason:
                return False
        return None

    def __bool__(self) -> NoReturn:
        raise TypeError("a verdict has no truth value; match on its class or compare verdict.name")

    def to_dict(self) -> dict[str, Any]:
        """The fields of the result record that a verdict fills, as plain JSON values.

        A record has the pair, its score and what a judge said besides; see ``equiv check --json``.
        """
        found: dict[str, Any] = json.loads(self.to_json())
        return found

    def to_json(self, indent: int | None = None) -> str:
        """:meth:`to_dict` in ASCII, on one line unless lines are to be indented by so many blanks."""
        return writers.json(self, indent)

    def __str__(self) -> str:
        """What ``equiv check`` shows, and both queries."""
        return writers.text(self)

    def _repr_html_(self) -> str:
        """What a notebook shows: the verdict with its evidence; all that is shown is escaped."""
        return writers.html(self)


class Writers:
    """The functions that write verdicts; :mod:`equiv.api`, which lies above, enters them here."""

    json: Callable[[Verdict, int | None], str]
    text: Callable[[Verdict], str]
    html: Callable[[Verdict], str]


writers = Writers()


@dataclass(frozen=True, slots=True, kw_only=True)
class Equivalent(Verdict):
    """The same set of possible answers on every allowed database."""

    name = "equivalent"
    evidence: Derivation | Proof
    strongest: Relation | None = None
    """The strictest relation under which this was proved; it implies ``relation``."""
    caveat: Caveat | None = None
    """To be told first: the engine may give different results, since it rounds."""
    confirmed: bool | None = None
    """Whether the algebra alone proves what the rules derived; None: not asked, or not derived by rules."""

    @property
    def up_to_rounding(self) -> bool:
        """Whether the engine's results may differ where it rounds, in a result's last digits at the least."""
        return self.caveat is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class NotEquivalent(Verdict):
    """A database distinguishes the queries, whatever way ties are broken."""

    name = "not_equivalent"
    evidence: Witness | Execution
    difference: Difference
    weakest: Relation | None = None
    """The loosest relation that the evidence was seen to break; ``relation`` implies it."""
    equivalent_if: tuple[Condition, ...] = ()
    """Further facts under which the pair is proved equivalent, if some were looked for and found."""

    @property
    def failure_code(self) -> FailureCode | None:
        """Which query raises an error on the given database, if that is the difference."""
        match self.evidence:
            case Execution(pred_error=error) if error:
                return FailureCode.PRED_EXEC
            case Execution(gold_error=error) if error:
                return FailureCode.GOLD_EXEC
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Undecided(Verdict):
    """Neither; the reason says why."""

    name = "undecided"
    reason: Reason
    detail: str = ""
    """The unsupported node, the error, or the like: one line."""
    failure_code: FailureCode | None = None
    evidence: Witness | None = None
    """For NONDETERMINISTIC and CONFLICT: a database that shows it, if there is one to show."""
    bounded: int | None = None
    """No database of at most so many rows a table, with values taken from the queries, distinguishes them.
    That is not a proof."""
    equivalent_if: tuple[Condition, ...] = ()
    """As for :class:`NotEquivalent`."""
    parts: tuple[str, str] | None = None
    """The parts in which the normal forms of prediction and gold query differ, as SQL; None: not known."""
    databases: int = 0
    """How many databases did not distinguish the queries."""


_UNTRIED = (Reason.GOLD_INVALID, Reason.TIMEOUT, Reason.RESOURCE, Reason.CONFLICT, Reason.INTERNAL)


def may_be_conditional(verdict: Verdict) -> bool:
    """Whether it makes sense to look for facts under which a verdict's pair would be equivalent."""
    match verdict:
        case NotEquivalent(difference=difference):
            return difference not in (Difference.COLUMNS, Difference.ERROR)
        case Undecided(reason=reason):
            return reason not in _UNTRIED
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Invalid(Verdict):
    """The prediction is not one query that can be prepared on the schema."""

    name = "invalid"
    failure_code: FailureCode
    message: str


VERDICTS = tuple(kind.name for kind in (Equivalent, NotEquivalent, Undecided, Invalid))
"""The names of the four verdicts."""
