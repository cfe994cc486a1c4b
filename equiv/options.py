"""How pairs are compared: the options of the library and of every command."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, ParamSpec, TypedDict, TypeVar, cast

from equiv.errors import InputError, did_you_mean, suggesting, suggesting_fields
from equiv.relation import RELATION_NAMES, ROUNDINGS, usual_rounding
from equiv.verdict import Tier

P = ParamSpec("P")
R = TypeVar("R")

EFFORTS = {"quick": 60, "normal": 300, "thorough": 6000}
"""What the named efforts stand for: the number of generated databases tried."""

DEFAULT_TIMEOUT = 60.0

POLICIES = ("declared", "intended", "observed")
"""Which grades of facts may be used, each with those before it."""

MATVIEWS = ("free", "fresh")
"""Which rows a materialised view has: those of its query at an earlier time, or those that it gives now."""

ERRORS = ("excused", "strict")
"""What an error that only some rows raise says of two queries: nothing, or that they differ."""

CONDITION_SECONDS = 30.0
"""How long facts are looked for under which a pair would be equivalent: the verdict is there before.

What is looked for is bounded by counts; a search that this ends is said to be cut short.
"""

TIERS = (Tier.RULES, Tier.DATA, Tier.GENERATE, Tier.PROOF, Tier.FRAGMENT, Tier.SEARCH)
"""The tiers after ``parse``, in the order in which they are tried."""

MAX_TIMEOUT = 10_000_000
"""The longest timeout, in seconds: some systems cannot wait much longer."""

_MAX_DIGITS = 20
_ACCEPT = re.compile(r"bounded:[1-9][0-9]{0,3}")


@dataclass(frozen=True, slots=True)
class Told:
    """An option's description, as the command line, the service and the documentation show it."""

    said: str
    """One line."""
    takes: tuple[str, ...] = ()
    """The words that it takes, as help shows them; a word in capitals stands for what it names."""
    noun: str = ""
    """What one of the words is called, of an option that takes no others."""


TABLE = {
    "relation": Told("How results are compared.", RELATION_NAMES, "relation"),
    "facts": Told("Which facts of the schema to rely on.", POLICIES, "fact policy"),
    "errors": Told("Whether errors on some rows count as a difference.", ERRORS, "treatment of errors"),
    "assume": Told("Further facts to assume, for example 'not_null(t.c)'.", ("FACT",)),
    "matviews": Told(
        "Whether materialised views may be out of date or are up to date.",
        MATVIEWS,
        "reading of materialised views",
    ),
    "rounding": Told(
        "ignore: differences by rounding do not count; shown: only if the engine shows one; strict: proofs"
        " may not assume exact arithmetic. Default: ignore for bird, spider and rose, else shown.",
        ROUNDINGS,
        "rounding",
    ),
    "effort": Told("How much to try: a name, or a number of generated databases.", (*EFFORTS, "N")),
    "dialect": Told(
        "The dialect of the queries, and of the schema unless --schema-dialect is given.", ("DIALECT",)
    ),
    "gold_dialect": Told("The dialect of the gold queries, if different.", ("DIALECT",)),
    "schema_dialect": Told("The dialect of schema and database, if not the prediction's.", ("DIALECT",)),
    "live_prepare": Told(
        "Ask the live database whether a query that the local engine rejects is valid (prepared, never run)."
    ),
    "timeout": Told("Time limit for one pair.", ("SECONDS",)),
    "tiers": Told("Which tiers may decide a pair.", tuple(map(str, TIERS))),
    "accept": Told(
        "Score an undecided pair 1 if no database with at most k rows per table tells it apart.",
        ("bounded:k",),
    ),
    "conditions": Told("Report which further facts would make a pair equivalent."),
    "confirm": Told("Prove again, with the algebra alone, what the rewrite rules derived."),
    "rules": Told("A rule pack of your own: a file, a module or an installed pack.", ("PACK",)),
}
"""The table of options: what the command line, the service and the documentation tell of each."""


@dataclass(frozen=True, slots=True)
class ComparisonOptions:
    """How pairs are compared, wherever they are: the options that rewards take, too.

    Attributes:
        relation: ``sql``, ``bird``, ``spider``, ``rose``, ``list``, ``bag`` or ``set``.
        facts: the policy, ``declared``, ``intended`` or ``observed``.
        errors: ``excused``: an error that only some rows raise is no difference; ``strict``: it is one where
            the other query answers, and no proof rests on its absence.
        assume: further facts, such as ``not_null(t.c)``, ``unique(t.a, t.b)``, ``inclusion(t.a -> u.b)``,
            ``not_empty(t)`` or ``check(t: a > 0)``.
        matviews: ``free``: a materialised view has the rows of its query at an earlier time; ``fresh``: those
            that it gives now, which is ``fresh(v)``, assumed of every materialised view of the schema.
        rounding: ``ignore``: results that differ by rounding alone are the same; ``shown``: such a difference
            refutes if the engine shows it on a database that is tried, and proofs take arithmetic as exact;
            ``strict``: no proof takes arithmetic as exact or free of overflow.  Without a value: ``ignore``
            under the relations ``bird``, ``spider`` and ``rose``, else ``shown``.
        effort: ``quick``, ``normal``, ``thorough``, or the number of generated databases.
        dialect: what queries and schema are written in, by a name that :mod:`equiv.dialects.registry` knows;
            a schema whose DDL reads as another dialect is refused.  '' is SQLite, but adds a remark instead.
        gold_dialect: what gold queries are written in, if that is another dialect than the prediction's.
        schema_dialect: which of the two the schema and the database are of, '' the prediction's; the other
            engine is told the schema.
        live_prepare: let the populated database say whether a text that an empty one of its schema refuses is
            a query all the same; it is prepared there, and not run.

    Raises:
        InputError: an option has no such value.
    """

    relation: str = "sql"
    facts: str = "intended"
    errors: str = "excused"
    assume: tuple[str, ...] = ()
    matviews: str = "free"
    rounding: str = ""
    effort: str | int = "normal"
    dialect: str = ""
    gold_dialect: str = ""
    schema_dialect: str = ""
    live_prepare: bool = True

    def __post_init__(self) -> None:
        for name, told in TABLE.items():
            if (
                told.noun
                and (value := getattr(self, name)) not in told.takes
                and (value or name != "rounding")
            ):
                raise InputError(f"unknown {told.noun} {value!r}{_meant(value, told.takes)}")
        if self.databases < 0:
            raise InputError(f"effort must not be negative: {self.effort}")
        assumed: object = self.assume
        if isinstance(assumed, str):
            raise InputError(f"assume takes a sequence of facts, not a single str: {assumed!r}")
        facts = tuple(assumed) if isinstance(assumed, Iterable) else (assumed,)
        if not all(isinstance(each, str) for each in facts):
            raise InputError(f"assume takes a sequence of facts as texts: {assumed!r}")
        for dialect in (self.dialect, self.gold_dialect, self.schema_dialect):
            if "/" in dialect:
                raise InputError(f"unknown dialect {dialect!r}: give one name")
        # A list is as good as a tuple, but options are a key.
        object.__setattr__(self, "assume", facts)

    def compared(self) -> ComparisonArguments:
        """How pairs are compared, as keyword arguments."""
        found: Any = {one.name: getattr(self, one.name) for one in fields(ComparisonOptions)}
        arguments: ComparisonArguments = found
        return arguments

    @property
    def pair_dialect(self) -> str:
        """The name of the dialect of pairs: the prediction's, and behind it the gold query's, if another.

        The schema's stands behind both, if it is not the prediction's.
        """
        gold = self.gold_dialect or self.dialect
        given = f"/{self.given_dialect}" if self.given_dialect != self.dialect else ""
        return f"{self.dialect}/{gold}{given}" if given or gold != self.dialect else self.dialect

    @property
    def given_dialect(self) -> str:
        """The name of the dialect that schema and database are of; '' is the reference."""
        return self.schema_dialect or self.dialect

    @property
    def rounding_counted(self) -> str:
        """The treatment of rounding, of :data:`equiv.relation.ROUNDINGS`; by default the relation's."""
        return self.rounding or usual_rounding(self.relation)

    @property
    def databases(self) -> int:
        """The effort as a number of databases."""
        if isinstance(self.effort, int):
            return self.effort
        if not isinstance(self.effort, str):
            raise InputError(f"effort must be a name or a whole number: {self.effort!r}")
        if self.effort in EFFORTS:
            return EFFORTS[self.effort]
        if self.effort.isascii() and self.effort.isdigit() and len(self.effort) < _MAX_DIGITS:
            return int(self.effort)
        raise InputError(f"unknown effort {self.effort!r}{_meant(self.effort, (*EFFORTS, 'a number'))}")


@suggesting_fields
@dataclass(frozen=True, slots=True)
class Options(ComparisonOptions):
    """How pairs are compared: the options of :class:`~equiv.options.ComparisonOptions`, and those below.

    Attributes:
        timeout: seconds after which a pair is given up as TIMEOUT; None runs in this very process.
        tiers: which tiers may settle a pair, of :data:`TIERS`; their order does not count.  A proof
            is tested by ``data`` and ``generate`` even if these may settle nothing.
        accept: ``bounded:k`` scores 1 what is undecided but has no counter-example with at most k rows a
            table; the verdict stays as it is.
        conditions: look for further facts under which a pair that is not equivalent, or undecided, would be;
            where there is a timeout, for :data:`CONDITION_SECONDS` at most.
        confirm: prove each verdict ``equivalent`` of the rules again by the algebra alone; what it does not
            prove is attacked with the whole effort, and stays ``equivalent``, unconfirmed.
        rules: rule packs of users, by file, entry point or module, asked where every tier of ours is done;
            what they alone derive is labelled as resting on them.  Loading a pack runs its code.

    Raises:
        InputError: an option has no such value.
    """

    timeout: float | None = DEFAULT_TIMEOUT
    tiers: tuple[str, ...] = tuple(map(str, TIERS))
    accept: str = ""
    conditions: bool = False
    confirm: bool = False
    rules: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        ComparisonOptions.__post_init__(self)
        if self.accept and not _ACCEPT.fullmatch(self.accept):
            raise InputError(f"accept takes bounded:k with a number of rows k, not {self.accept!r}")
        if not isinstance(self.timeout, int | float | None):
            raise InputError(f"timeout must be a number of seconds or None: {self.timeout!r}")
        packs: object = self.rules
        if isinstance(packs, str) or not all(isinstance(each, str) for each in self.rules):
            raise InputError(f"rules takes a sequence of pack names or paths: {packs!r}")
        chosen: object = self.tiers
        if isinstance(chosen, str):
            raise InputError(f"tiers takes a sequence of names, not a single str: {chosen!r}")
        if unknown := [name for name in self.tiers if name not in TIERS]:
            raise InputError(f"unknown tier {unknown[0]!r}{_meant(unknown[0], TIERS)}")
        for name in ("tiers", "rules"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        if self.timeout is not None and not 0 < self.timeout <= MAX_TIMEOUT:
            raise InputError(f"timeout must be positive and at most {MAX_TIMEOUT:,} seconds: {self.timeout}")

    def arguments(self) -> OptionArguments:
        """The options as keyword arguments."""
        return cast(OptionArguments, asdict(self))

    @property
    def accepted_rows(self) -> int | None:
        """How many rows a table a bounded search must have covered to score 1; None: it never does."""
        return int(self.accept.partition(":")[2]) if self.accept else None


def dialects_in(pair: str) -> OptionArguments:
    """The dialects of queries and schema in a name as :attr:`Options.pair_dialect` has it."""
    pred, _, rest = pair.partition("/")
    gold, _, given = rest.partition("/")
    return {"dialect": pred, "gold_dialect": gold, "schema_dialect": given}


def _meant(name: object, known: Sequence[str]) -> str:
    """What may be chosen, and the nearest to a name first."""
    near = did_you_mean(name, known) if isinstance(name, str) else ""
    *most, last = known
    return f"{near or ';'} choose {', '.join(most)} or {last}"


class ComparisonArguments(TypedDict, total=False):
    """The fields of :class:`Options` that rewards take, too, as keyword arguments."""

    relation: str
    facts: str
    errors: str
    assume: tuple[str, ...]
    matviews: str
    rounding: str
    effort: str | int
    dialect: str
    gold_dialect: str
    schema_dialect: str
    live_prepare: bool


class OptionArguments(ComparisonArguments, total=False):
    """The fields of :class:`Options` as keyword arguments."""

    timeout: float | None
    tiers: tuple[str, ...]
    accept: str
    conditions: bool
    confirm: bool
    rules: tuple[str, ...]


def taking_options(function: Callable[P, R]) -> Callable[P, R]:
    """The function, whose keywords besides its own are the fields of :class:`Options`.

    Its signature has each with its default, for ``help``, documentation and editors; a keyword that it does
    not take is answered with the nearest that it takes.
    """
    signature = inspect.signature(function)
    own = [one for one in signature.parameters.values() if one.kind is not inspect.Parameter.VAR_KEYWORD]
    options = [
        inspect.Parameter(one.name, inspect.Parameter.KEYWORD_ONLY, default=one.default, annotation=one.type)
        for one in fields(Options)
    ]
    function.__signature__ = signature.replace(parameters=[*own, *options])  # type: ignore[attr-defined]
    return suggesting(function)
