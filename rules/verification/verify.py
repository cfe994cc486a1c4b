"""Verifies the rules: each instance of each rule is proved by the algebra alone, or tried on databases.

Rules and algebra are independent of each other: no rule takes part in a proof.  An instance is proved from
the facts that the rule's guards name and from no other of its schema (those about arithmetic excepted,
which are assumed by default), so that the proof holds on every schema that promises as much.

Instances of a rule are queries that it rewrites, on every schema pattern on which its guards let it fire.  A
schema pattern is a schema with other types, keys, columns and promises, queries left as they are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from functools import cache
from itertools import islice

from equiv.answers.pair import Pair
from equiv.core.model import Column, Schema, Table
from equiv.core.printing import key, to_sql
from equiv.dialects.registry import reference
from equiv.engine.walk import Fewest
from equiv.errors import InputError
from equiv.facts import Fact, FactKind, Facts, Grade
from equiv.packs import Pack, PackError
from equiv.relation import Relation, Rows
from equiv.rewrite.rule import Rule
from equiv.rules.verification.golden import GOLDEN, Case, UnmetError, World, read_cases, require_guard
from equiv.show.page import Block, Code, Grid, Text
from equiv.tiers.generate import GenerateTier
from equiv.tiers.outcome import Open, Proved, Refuted, TierOutcome
from equiv.tiers.proof import prove_alone
from equiv.verdict import Reason, Step, Witness

Change = Callable[[Table], Table]


def _with_columns(table: Table, change: Callable[[Column], Column]) -> Table:
    return replace(table, columns=tuple(map(change, table.columns)))


def _typed(name: str) -> Change:
    return lambda table: _with_columns(table, lambda column: replace(column, declared_type=name))


def _strict(table: Table) -> Table:
    return _with_columns(table, lambda column: replace(column, not_null=True))


def _nullable(table: Table) -> Table:
    own = table.rowid_alias
    return _with_columns(table, lambda column: replace(column, not_null=column.name == own))


def _without_keys(table: Table) -> Table:
    return _nullable(replace(table, primary_key=(), unique=(), foreign_keys=()))


def _with_nullable_keys(table: Table) -> Table:
    """Every primary key becomes UNIQUE: it admits rows with a NULL."""
    keys = (table.primary_key,) if table.primary_key else ()
    return _nullable(replace(table, primary_key=(), unique=tuple(dict.fromkeys((*keys, *table.unique)))))


def _wide(table: Table) -> Table:
    return replace(table, columns=(*table.columns, Column("extra_1"), Column("extra_2", "TEXT")))


def _with_wide_keys(table: Table) -> Table:
    """A primary key of one column gets a second."""
    if len(table.primary_key) != 1:
        return _wide(table)
    return replace(_wide(table), primary_key=(*table.primary_key, "extra_1"))


PATTERNS: dict[str, Change] = {
    "untyped": _typed(""),
    "integer": _typed("INTEGER"),
    "text": _typed("TEXT"),
    "real": _typed("REAL"),
    "numeric": _typed("NUMERIC"),
    "not null": _strict,
    "nullable": _nullable,
    "no keys": _without_keys,
    "nullable keys": _with_nullable_keys,
    "wide": _wide,
    "wide keys": _with_wide_keys,
}
"""How each table of a schema is changed, by name."""


def _collated(name: str, step: int = 1) -> Change:
    """The collation of every column, or of every so-many-th; SQLite gives one to columns of any type."""

    def change(table: Table) -> Table:
        columns = tuple(
            replace(column, collation=name if place % step == 0 else "BINARY")
            for place, column in enumerate(table.columns, 1)
        )
        return replace(table, columns=columns)

    return change


COLLATED: dict[str, Change] = {
    "nocase": _collated("NOCASE"),
    "rtrim": _collated("RTRIM"),
    "half nocase": _collated("NOCASE", step=2),
}
"""Patterns of other collations than BINARY, of which the algebra has few: databases are tried on them."""


def worlds(world: World) -> Iterator[tuple[str, World]]:
    """A world as written, what of it SQLite itself enforces, and every pattern of it that can be made."""
    yield "as written", world
    yield "declared", replace(world, policy="declared")
    yield from _changed(world, PATTERNS)


def collated_worlds(world: World) -> Iterator[tuple[str, World]]:
    """The patterns of a world under other collations than BINARY."""
    yield from _changed(world, COLLATED)


def _changed(world: World, patterns: dict[str, Change]) -> Iterator[tuple[str, World]]:
    for name, change in patterns.items():
        tables = tuple(replace(change(table), ddl="") for table in world.schema.tables)
        try:
            statements = reference().create(Schema(tables, world.schema.views))
            yield name, replace(world, ddl=";\n".join(statements))
        except InputError:
            continue


HEADINGS = ("Before:", "After:", "Refuse:", "Sound:")
"""Of a rule's documentation."""

_ARITHMETIC = (FactKind.EXACT_ARITHMETIC, FactKind.NO_OVERFLOW)


@dataclass(frozen=True, slots=True)
class Seed:
    """A query that a rule rewrites in the world in which it is written."""

    place: str
    """``documentation``, or the golden case."""
    world: World
    sql: str
    rows: Rows
    """How the results are compared."""


@dataclass(frozen=True, slots=True)
class Instance:
    """One application of a rule, with the facts that its guards name."""

    place: str
    pattern: str
    world: World
    step: Step

    @property
    def pair(self) -> Pair:
        """The query before and after, with no facts but those the guards name and those about arithmetic.

        Raises:
            UnmetError: one of the two cannot be read.
        """
        arithmetic = (fact for kind in _ARITHMETIC for fact in self.world.facts.of(kind))
        pred, gold = self.world.read(self.step.before), self.world.read(self.step.after)
        relation = Relation(Rows(self.step.under))
        return Pair(pred, gold, self.world.schema, Facts((*self.step.facts, *arithmetic)), relation)


def section(rule: Rule, heading: str) -> str:
    """The text under a heading of a rule's documentation, on one line."""
    others = "|".join(HEADINGS)
    found = re.search(rf"{heading}(.*?)(?=\n\s*(?:{others})|\Z)", rule.doc, re.DOTALL)
    return " ".join(found[1].split()) if found else ""


@dataclass(frozen=True, slots=True)
class Book:
    """Where queries that a rule rewrites are found."""

    world: World
    """The schema of the documented query."""
    cases: tuple[Case, ...] = ()
    """Golden cases."""


def book_of(rule: Rule) -> Book:
    """The golden file of a rule; the world is the one in which the rule fires first.

    Raises:
        InputError: there is no such file.
    """
    cases = cases_of(rule.name)
    firing = [case for case in cases if rule.name in case.options.get("expect", ())]
    world = (firing or cases)[0].world
    assert world is not None
    return Book(world, cases)


def cases_of(rule: str) -> tuple[Case, ...]:
    """The golden cases of the file of a rule: the one in which most cases expect or refuse it.

    Raises:
        InputError: no golden case names it.
    """
    most: tuple[Case, ...] = max(_golden_rules(), key=lambda cases: _mentions(rule, cases), default=())
    if not _mentions(rule, most):
        raise InputError(f"{rule}: there is no golden case of this rule")
    return most


def _mentions(rule: str, cases: tuple[Case, ...]) -> int:
    """How many cases expect or refuse a rule."""
    return sum(rule in (*case.options.get("expect", ()), *case.options.get("refuse", ())) for case in cases)


@cache
def _golden_rules() -> tuple[tuple[Case, ...], ...]:
    """The cases of each golden file of rules."""
    return tuple(tuple(read_cases(path)) for path in sorted((GOLDEN / "rules").glob("*.sql")))


def instances(
    rule: Rule,
    patterns: Collection[str] | None = None,
    book: Book | None = None,
    *,
    made: Callable[[World], Iterator[tuple[str, World]]] = worlds,
) -> Iterator[Instance]:
    """The applications of a rule to its documented query and in its golden cases, each once.

    Args:
        rule: the rule, which alone is applied.
        patterns: the names of the schema patterns that count; None: all.
        book: where its queries are found; None: in its golden file.
        made: the schema patterns of a world.
    """
    seen: set[tuple[World, Step]] = set()
    for seed in _seeds(rule, book or book_of(rule)):
        for name, world in made(seed.world):
            if patterns is None or name in patterns:
                for step in _steps(rule, seed, world):
                    if (world, step) not in seen:
                        seen.add((world, step))
                        yield Instance(seed.place, name, world, step)


def _seeds(rule: Rule, book: Book) -> Iterator[Seed]:
    yield Seed("documentation", book.world, section(rule, "Before:"), rule.under)
    for case in book.cases:
        if case.world is not None and rule.name in case.options.get("expect", ()):
            rows = Rows(case.option("rows", "list"))
            for step in case.world.norm(case.parts[0], rows=rows).steps:
                if step.rule == rule.name:
                    yield Seed(case.name, case.world, step.before, rows)


def _steps(rule: Rule, seed: Seed, world: World) -> Iterator[Step]:
    try:
        found = world.norm(seed.sql, (rule,), seed.rows)
    except UnmetError:
        return
    for step in found.steps:
        if step.rule == rule.name:
            yield replace(step, facts=tuple(dict.fromkeys(step.facts)))


DATABASES = 300
"""On how many databases an instance is tried that is not proved."""
COLLATED_INSTANCES, COLLATED_DATABASES = 6, 40
"""How many instances under other collations than BINARY are tried, and on how many databases each."""


BEYOND_GENERATION = {
    ("convert_average_to_quotient", "arithmetic_is_exact"): "AVG and SUM part only past 2**53",
    ("eliminate_averaged_cast", "arithmetic_is_exact"): "AVG of integers and of REALs part only past 2**53",
    ("reduce_exists_on_reference", "key_and_reference_compare_alike"): (
        "a reference that its key converts to one of the parent's compares equal to that, too"
    ),
    ("convert_prefix_pattern_to_slice", "subject_is_binary_text"): "BLOBs with such a beginning are not made",
}
"""Guards that no generated database shows to be needed, each with the reason."""


class Status(StrEnum):
    """What is known of a rule or of one instance (closed list), the worst last."""

    PROVED = "proved"
    """The algebra alone proves it: for a rule, every instance."""
    TESTED = "tested"
    """Not proved; no generated database found a difference."""
    OPEN = "open"
    """Neither proved nor tried on databases."""
    REFUTED = "refuted"
    """A database that keeps the facts which the guards name shows a difference."""


@dataclass(frozen=True, slots=True)
class Unproved:
    """An instance that is not proved, and why; it is the same on several schema patterns."""

    status: str
    place: str
    before: str
    after: str
    facts: tuple[str, ...]
    """Those that the guards name."""
    why: str
    patterns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verified:
    """What is known of a rule."""

    name: str
    status: str
    instances: int
    proved: int
    patterns: tuple[str, ...]
    """The schema patterns on which its guards let it fire."""
    guards: dict[str, str]
    """Each guard, and the golden case in which, without it, a database distinguishes the queries, or why none
    does."""
    unproved: tuple[Unproved, ...]


def verify(
    rule: Rule, patterns: Collection[str] | None = None, *, guards: bool = True, book: Book | None = None
) -> Verified:
    """What is known of a rule.

    Args:
        rule: the rule.
        patterns: the names of the schema patterns to look at; None: all.
        guards: whether it is looked for what each guard is needed for.
        book: where its queries are found; None: in its golden file.

    Raises:
        InputError: there are no golden cases.
    """
    found = list(instances(rule, patterns, book))
    unproved = [each for each in map(_unproved, found) if each is not None]
    if patterns is None:
        unproved += collated_refutations(rule, book)
    worst = max((Status(each.status) for each in unproved), key=list(Status).index, default=Status.PROVED)
    return Verified(
        name=rule.name,
        status=str(worst if found else Status.OPEN),
        instances=len(found),
        proved=len(found) - sum(each.patterns[0] not in COLLATED for each in unproved),
        patterns=tuple(dict.fromkeys(each.pattern for each in found)),
        guards={need.__name__: _shown_by(rule, need.__name__) for need in rule.needs} if guards else {},
        unproved=_merged(unproved),
    )


def collated_refutations(rule: Rule, book: Book | None = None) -> list[Unproved]:
    """The instances of a rule on schemas of other collations that a database refutes."""
    found = islice(instances(rule, book=book, made=collated_worlds), COLLATED_INSTANCES)
    tried = (_refuted_under_collations(each) for each in found)
    return [each for each in tried if each is not None]


def _refuted_under_collations(instance: Instance) -> Unproved | None:
    try:
        pair = instance.pair
    except UnmetError:
        return None
    tried = _attacked(pair, COLLATED_DATABASES)
    return _refuted(instance, tried) if isinstance(tried, Refuted) else None


def _attacked(pair: Pair, databases: int) -> TierOutcome:
    """The outcome of databases on an instance.

    A rule may move what raises an error: verdicts name that, not guards.
    """
    pair = replace(pair, facts=Facts((*pair.facts, Fact(FactKind.NO_ERROR, Grade.ASSUMED))))
    return GenerateTier(pair.schema, pair.facts).settle(pair, databases)


def _refuted(instance: Instance, tried: Refuted) -> Unproved:
    shown = tried.evidence.sql if isinstance(tried.evidence, Witness) else ""
    return _said(instance, Status.REFUTED, f"{tried.difference}: {shown}")


def verify_pack(pack: Pack, rules: Iterable[Rule]) -> list[Verified]:
    """What is known of some rules of a pack, by their documented queries on the pack's own schema.

    Raises:
        InputError: the pack names no schema, or one that cannot be read.
    """
    if not pack.schema:
        raise InputError(f"rule pack {pack.name}: SCHEMA must hold the DDL on which rules are verified")
    book = Book(World(pack.schema))
    found = []
    for rule in rules:
        known = Verified(rule.name, str(Status.PROVED), 0, 0, (), {}, ())
        try:
            known = verify(rule, guards=False, book=book)
            why = _misdocumented(rule, book.world, fires=bool(known.instances))
        except PackError as error:
            why = str(error)
        if why:
            open_ = Unproved(str(Status.OPEN), "documentation", "", "", (), why, ())
            status = known.status if known.status == Status.REFUTED else str(Status.OPEN)
            known = replace(known, status=status, unproved=(open_, *known.unproved))
        found.append(known)
    return found


def _misdocumented(rule: Rule, world: World, *, fires: bool) -> str:
    """What is wrong with the queries under Before: and After: of a rule of a pack; '' if nothing is."""
    before, after = section(rule, "Before:"), section(rule, "After:")
    if not before:
        return "its documentation has no query under Before:, to which it could be applied"
    heading = "Before:"
    try:
        found = world.norm(before, (rule,), rule.under)
        if not fires:
            return "on no schema pattern does it change the query under Before:"
        heading = "After:"
        changed = rule.name in [step.rule for step in found.steps]
        if not after or not changed or key(found.tree) == key(world.norm(after, (), rule.under).tree):
            return ""
    except UnmetError as error:
        return f"the query under {heading} cannot be read on SCHEMA: {' '.join(str(error).split())}"
    return f"it makes another query of that under Before: than is under After:, {to_sql(found.tree)}"


def _merged(unproved: Iterable[Unproved]) -> tuple[Unproved, ...]:
    """Each instance once, with all its patterns."""
    found: dict[Unproved, tuple[str, ...]] = {}
    for each in unproved:
        alike = replace(each, patterns=())
        found[alike] = (*found.get(alike, ()), *each.patterns)
    return tuple(replace(each, patterns=patterns) for each, patterns in found.items())


def _unproved(instance: Instance) -> Unproved | None:
    try:
        pair = instance.pair
    except UnmetError as error:
        return _said(instance, Status.OPEN, str(error))
    outcome = prove_alone(pair)
    why = "" if isinstance(outcome, Proved) else _why(instance, pair, outcome)
    if not why:
        return None
    tried = _attacked(pair, DATABASES)
    if isinstance(tried, Refuted):
        return _refuted(instance, tried)
    if isinstance(tried, Proved) or tried.reason is not Reason.NO_PROOF:
        return _said(instance, Status.OPEN, f"databases: {tried}")
    return _said(instance, Status.TESTED, why)


def _why(instance: Instance, pair: Pair, outcome: Open) -> str:
    """What an instance lacks: a construct, facts that its guards do not name, or a proof; '' if nothing.

    A proof from all facts of the schema is looked for: it may need no more than those of the guards.
    """
    if outcome.reason is Reason.UNSUPPORTED:
        return f"not modelled: {outcome.detail}"
    known = {*pair.facts}
    pair = replace(pair, facts=instance.world.facts)
    proved = prove_alone(pair)
    if not isinstance(proved, Proved):
        return "no proof"
    more = [fact for fact in Fewest(pair, proved, prove_alone).find().facts if fact not in known]
    return f"proved with {', '.join(map(str, more))} besides" if more else ""


def _said(instance: Instance, status: Status, why: str) -> Unproved:
    step = instance.step
    facts = tuple(map(str, step.facts))
    line = " ".join(why.split())
    return Unproved(str(status), instance.place, step.before, step.after, facts, line, (instance.pattern,))


def _shown_by(rule: Rule, guard: str) -> str:
    """The golden case that shows what a guard is needed for, or why no database shows it."""
    for case in cases_of(rule.name):
        if rule.name in case.options.get("refuse", ()) and case.option("needs") == guard:
            try:
                assert case.world is not None
                require_guard(case, case.world, rule.name, guard, Rows(case.option("rows", "list")))
            except UnmetError:
                continue
            return case.name
    return BEYOND_GENERATION.get((rule.name, guard), "")


def to_json(found: Iterable[Verified]) -> str:
    """What is known of some rules, as a JSON array."""
    return json.dumps([asdict(each) for each in found], indent=1)


def report(found: Iterable[Verified]) -> list[Block]:
    """What is known of some rules, for people."""
    found = list(found)
    rows = tuple(
        (each.name, each.status, f"{each.proved}/{each.instances}", "; ".join(reasons(each)))
        if each.status != Status.REFUTED
        else (each.name, each.status, f"{each.proved}/{each.instances}", "a database below")
        for each in found
    )
    count = ", ".join(
        f"{number} {status}" for status in Status if (number := sum(each.status == status for each in found))
    )
    shown = [block for each in found for block in _refutation(each)]
    return [Grid("", ("rule", "status", "proved", "what is missing"), rows), Text(count), *shown]


def _refutation(found: Verified) -> list[Block]:
    """The first instance of a rule that a database refutes, with the database."""
    for each in found.unproved:
        if each.status == Status.REFUTED:
            said, _, script = each.why.partition(": ")
            lines = [each.before, each.after, *(f"{line};" for line in script.rstrip("; ").split("; "))]
            return [
                Text(f"{found.name}: {said}, for these two queries and this database"),
                Code("\n".join(lines)),
            ]
    return []


def reasons(found: Verified) -> list[str]:
    """Why instances of a rule are not proved, each once."""
    return list(dict.fromkeys(each.why for each in found.unproved))
