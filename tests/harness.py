"""Golden files: how they are read, run and refreshed.

A file holds cases; a case is a command line, then parts separated by ``----``;
lines starting with ``#`` above it say why it is there.

    schema [facts=POLICY] [assume=FACT ...] [strict_float]
        the DDL in force for the cases below
    norm [expect=RULE ...] [refuse=RULE needs=GUARD] [rows=list|bag|set]
        a query, and its normal form under all rules.  ``expect``: the rule must fire.  ``refuse``: it
        must not; and if the named guard alone is dropped it must fire, and the step that it then takes
        must change the possible answers on some generated database.  ``refuse`` without ``needs``
        is for what the rule's shape or body does not match.
    decide [relation=NAME] [effort=N] [tiers=TIER,...]
        prediction, gold query, and the expected start of the verdict line
        (``equivalent by=rules``, ``not_equivalent by=generate``, ``undecided NONDETERMINISTIC``).
        ``tiers``: who may settle the pair; ``tiers=proof`` asks the proof tier alone, and a proof that
        it should not find shows as CONFLICT at best, so expect ``undecided NO_PROOF``

``pytest --rewrite`` refreshes the normal forms.  It never touches what is expected.
"""

from __future__ import annotations

import shlex
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import equiv
from equiv.answers.answers import Outcomes, outcomes
from equiv.answers.pair import Pair
from equiv.facts import Facts
from equiv.generate.plan import databases
from equiv.options import TIERS
from equiv.query.context import Context
from equiv.query.read import Query, read_query
from equiv.relation import Relation, Rows
from equiv.rewrite.normalise import Normalised, RuleSet, normalise
from equiv.rewrite.rule import Rule
from equiv.schema.ddl import load_ddl
from equiv.schema.model import Schema
from equiv.schema.notation import parse_fact
from equiv.schema.policy import facts_for
from equiv.schema.render import create_statements
from equiv.sqlite.printing.trees import to_sql
from equiv.tiers.bench import CAPS
from equiv.tiers.generate import GenerateTier
from equiv.tiers.outcome import Proved, Refuted
from equiv.tiers.rules import RulesTier
from equiv.verdict import NotEquivalent, Undecided
from rules import RULES

GOLDEN = Path(__file__).parent / "golden"
COMMANDS = ("schema", "norm", "decide")
EFFORT = 400
"""How many databases may be tried to show that a dropped guard mattered."""
TIES, RUNS = 300, 20
"""On how many databases, and how often on each, free choices are made to show a tie."""


class UnmetError(AssertionError):
    """A golden case does not come out as it says."""


@dataclass(frozen=True)
class World:
    """The schema and facts that the cases of a golden file speak about."""

    ddl: str
    policy: str = "intended"
    assume: tuple[str, ...] = ()
    strict_float: bool = False
    schema: Schema = field(init=False, compare=False)
    facts: Facts = field(init=False, compare=False)

    def __post_init__(self) -> None:
        schema = load_ddl(self.ddl)
        assumed = [parse_fact(text, schema) for text in self.assume]
        facts = facts_for(schema, self.policy, assumed, strict_float=self.strict_float)
        object.__setattr__(self, "schema", schema)
        object.__setattr__(self, "facts", facts)

    def context(self, rows: Rows = Rows.LIST) -> Context:
        return Context(self.schema, self.facts, rows)

    def supports(self, sql: str) -> bool:
        """Whether a text is a query of the modelled subset."""
        found = read_query(sql, self.schema, _probe(self.ddl))
        return isinstance(found, Query) and found.tree is not None

    def read(self, sql: str) -> Query:
        found = read_query(sql, self.schema, _probe(self.ddl))
        if not isinstance(found, Query):
            raise UnmetError(f"not a query: {found.message}\n{sql}")
        if found.tree is None:
            raise UnmetError(f"unsupported: {found.unsupported}\n{sql}")
        return found

    def norm(self, sql: str, rules: tuple[Rule, ...] | None = None, rows: Rows = Rows.LIST) -> Normalised:
        """The normal form of a query under some rules (by default all), with every step."""
        tree = self.read(sql).tree
        assert tree is not None
        return normalise(tree, RuleSet(RULES if rules is None else rules), self.context(rows), trace=True)

    def pair(self, left: str, right: str, rows: Rows = Rows.LIST) -> Pair:
        return Pair(self.read(left), self.read(right), self.schema, self.facts, Relation(rows))

    def generator(self) -> GenerateTier:
        return _generator(self.ddl, self.policy, self.assume, self.strict_float)

    def tells_apart(self, pair: Pair) -> bool:
        """Whether a generated database tells two queries apart, or shows the tie on which they part."""
        generator = self.generator()
        if isinstance(generator.settle(pair, EFFORT), Refuted):
            return True
        engine = generator.bench.engine
        for database in databases(pair, TIES):
            if generator.bench.load(pair, database):
                found = [outcomes(engine, plan, CAPS, runs=RUNS) for plan in pair.plans]
                seen = [set(each.seen) for each in found if isinstance(each, Outcomes)]
                if len(seen) == 2 and seen[0] != seen[1]:
                    return True
        return False


@cache
def _probe(ddl: str) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    for statement in create_statements(load_ddl(ddl)):
        connection.execute(statement)
    return connection


@cache
def _generator(ddl: str, policy: str, assume: tuple[str, ...], strict_float: bool) -> GenerateTier:
    world = World(ddl, policy, assume, strict_float)
    return GenerateTier(world.schema, world.facts)


@dataclass(frozen=True)
class Case:
    """One case of a golden file."""

    path: Path
    line: int
    command: str
    options: dict[str, list[str]]
    parts: tuple[str, ...]
    world: World | None

    @property
    def name(self) -> str:
        return f"{self.path.stem}:{self.line}"

    def option(self, name: str, default: str = "") -> str:
        return self.options.get(name, [default])[0]


def read_cases(path: Path) -> list[Case]:
    """The cases of a golden file, each with the schema in force.

    Raises:
        UnmetError: the file is malformed.
    """
    cases: list[Case] = []
    world: World | None = None
    for number, header, body in _blocks(path.read_text()):
        command, *words = shlex.split(header)
        options: dict[str, list[str]] = {}
        for word in words:
            name, _, value = word.partition("=")
            options.setdefault(name, []).append(value)
        parts = tuple(part.strip() for part in "\n".join(body).split("----"))
        if command == "schema":
            world = World(
                parts[0],
                options.get("facts", ["intended"])[0],
                tuple(options.get("assume", ())),
                "strict_float" in options,
            )
            continue
        _require(command, options, parts, f"{path.name}:{number}")
        cases.append(Case(path, number, command, options, parts, world))
    return cases


def _blocks(text: str) -> Iterator[tuple[int, str, list[str]]]:
    """(line number, command line, lines below) of each case."""
    current: tuple[int, str, list[str]] | None = None
    for number, line in enumerate(text.splitlines(), 1):
        if line.split(" ", 1)[0] in COMMANDS:
            if current is not None:
                yield current
            current = (number, line, [])
        elif line.startswith("#"):
            if current is not None:
                yield current
            current = None
        elif current is not None:
            current[2].append(line)
        elif line.strip():
            raise UnmetError(f"line {number} belongs to no case: {line}")
    if current is not None:
        yield current


_OPTIONS = {"norm": {"expect", "refuse", "needs", "rows"}, "decide": {"relation", "effort", "tiers"}}


def _require(command: str, options: dict[str, list[str]], parts: tuple[str, ...], place: str) -> None:
    """Reject what would otherwise be ignored."""
    unknown = set(options) - _OPTIONS[command]
    if unknown:
        raise UnmetError(f"{place}: {command} takes no {', '.join(sorted(unknown))}")
    known = {rule.name for rule in RULES}
    for name in (*options.get("expect", ()), *options.get("refuse", ())):
        if name not in known:
            raise UnmetError(f"{place}: there is no rule {name}")
    if "needs" in options and "refuse" not in options:
        raise UnmetError(f"{place}: needs= without refuse=")
    if command == "decide" and (len(parts) != 3 or not parts[2]):
        raise UnmetError(f"{place}: decide wants two queries and a verdict")
    for name in ",".join(options.get("tiers", TIERS)).split(","):
        if name not in TIERS:
            raise UnmetError(f"{place}: there is no tier {name}")
    if command == "norm" and not 1 <= len(parts) <= 2:
        raise UnmetError(f"{place}: norm wants a query and its normal form")


def run_case(case: Case) -> str:
    """Check what a case expects; returns its output, which for ``norm`` is the normal form.

    Raises:
        UnmetError: an expectation is not met.
    """
    if case.world is None:
        raise UnmetError(f"{case.name}: no schema above")
    if case.command == "decide":
        return _decide(case, case.world)
    rows = Rows(case.option("rows", "list"))
    found = case.world.norm(case.parts[0], rows=rows)
    fired = [step.rule for step in found.steps]
    for name in case.options.get("expect", ()):
        if name not in fired:
            raise UnmetError(f"{case.name}: {name} did not fire; these did: {', '.join(fired) or 'none'}")
    for name in case.options.get("refuse", ()):
        if name in fired:
            raise UnmetError(f"{case.name}: {name} fired")
        if "needs" in case.options:
            _require_guard(case, case.world, name, case.option("needs"), rows)
    return to_sql(found.tree)


def without_guard(rule: Rule, guard: str) -> Rule:
    """The rule less one of its guards (a need, or a shape).

    Raises:
        UnmetError: the rule has no guard of that name.
    """
    needs = tuple(need for need in rule.needs if need.__name__ != guard)
    shape = tuple(claim for claim in rule.shape if claim.__name__ != guard)
    if (len(needs), len(shape)) == (len(rule.needs), len(rule.shape)):
        raise UnmetError(f"{rule.name} has no guard {guard}")
    return replace(rule, needs=needs, shape=shape)


def _require_guard(case: Case, world: World, name: str, guard: str, rows: Rows) -> None:
    """The guard must be what holds the rule back, and rightly so."""
    weakened = tuple(without_guard(rule, guard) if rule.name == name else rule for rule in RULES)
    steps = [s for s in world.norm(case.parts[0], weakened, rows).steps if s.rule == name]
    if not steps:
        raise UnmetError(f"{case.name}: {name} does not fire without {guard} either")
    for step in steps:
        if world.tells_apart(world.pair(step.before, step.after, rows)):
            return
    pair = f"{steps[0].before}\n{steps[0].after}"
    raise UnmetError(f"{case.name}: no database shows that {guard} is needed:\n{pair}")


def _decide(case: Case, world: World) -> str:
    checker = equiv.Checker(
        schema=world.ddl,
        relation=case.option("relation", "sql"),
        facts=world.policy,
        assume=world.assume,
        strict_float=world.strict_float,
        effort=int(case.option("effort", "300")),
        tiers=tuple(case.option("tiers", ",".join(TIERS)).split(",")),
        timeout=None,
    )
    with checker:
        verdict = checker.check(case.parts[0], case.parts[1])
    if isinstance(verdict, NotEquivalent):
        _require_no_derivation(case, world, verdict.relation)
    words = [verdict.name]
    if isinstance(verdict, Undecided):
        words.append(str(verdict.reason))
    elif verdict.tier is not None:
        words.append(f"by={verdict.tier}")
    line = " ".join(words)
    expected = " ".join(case.parts[2].split())
    if not f"{line} ".startswith(f"{expected} "):
        raise UnmetError(f"{case.name}: expected {expected!r}, got {line!r}")
    return case.parts[2]


def _require_no_derivation(case: Case, world: World, relation: Relation) -> None:
    """A database may have come before the rules, which must not prove what it refutes."""
    try:
        pred, gold = world.read(case.parts[0]), world.read(case.parts[1])
    except UnmetError:
        return
    pair = Pair(pred, gold, world.schema, world.facts, relation)
    if isinstance(RulesTier(RuleSet(RULES)).settle(pair, 0), Proved):
        raise UnmetError(f"{case.name}: rules prove what a database refutes")


def rewritten(path: Path) -> str:
    """The text of a golden file with the normal forms that the rules give now."""
    lines = path.read_text().splitlines()
    for case in reversed([c for c in read_cases(path) if c.command == "norm"]):
        assert case.world is not None
        output = to_sql(case.world.norm(case.parts[0], rows=Rows(case.option("rows", "list"))).tree)
        end = case.line
        while end < len(lines) and not _starts_case(lines[end]):
            end += 1
        lines[case.line : end] = [*case.parts[0].splitlines(), "----", output, ""]
    return "\n".join(lines).rstrip() + "\n"


def _starts_case(line: str) -> bool:
    return line.startswith("#") or line.split(" ", 1)[0] in COMMANDS


def golden_files() -> list[Path]:
    """All golden files."""
    return sorted(GOLDEN.rglob("*.sql"))


def all_cases() -> list[Case]:
    """The cases of all golden files."""
    return [case for path in golden_files() for case in read_cases(path)]
