"""Golden files: worlds and cases as they are written below ``tests/golden``.

A file holds cases; a case is a command line, then parts separated by ``----``; lines starting with ``#``
above it say why it is there.  ``schema`` sets the world of the cases below it.  A case is named by the
comment above it, else by the rules it expects or refuses, else by its queries: by the fewest of these that no
other case of the file shares.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from itertools import count
from pathlib import Path
from textwrap import shorten

from equiv.answers.answers import Outcomes, outcomes
from equiv.answers.pair import Pair
from equiv.core.model import Context, Schema
from equiv.core.query import Query
from equiv.dialects.crossing.dialect import readers_of
from equiv.dialects.protocol import Session
from equiv.dialects.registry import dialect_named
from equiv.facts import Facts
from equiv.generate.plan import databases
from equiv.relation import Relation, Rows
from equiv.rewrite.normalise import Normalised, RuleSet, normalise
from equiv.rewrite.rule import Rule
from equiv.rules import RULES
from equiv.schema.policy import facts_for, parse_fact
from equiv.tiers.generate import GenerateTier
from equiv.tiers.outcome import Refuted
from equiv.tiers.witness import CAPS

_CHECKOUT = Path(__file__).resolve().parents[2] / "tests" / "golden"
GOLDEN = _CHECKOUT if _CHECKOUT.is_dir() else Path(__file__).parent / "cases"
"""Where the golden files lie; an installed copy has those of the rules alone."""

EFFORT = 400
"""How many databases may be tried to show that a dropped guard mattered."""
WIDTH = 72
"""How long a part of a case's title may be."""
TIES, RUNS = 300, 20
"""On how many databases, and how often on each, free choices are made to show a tie."""


COMMANDS = {
    "norm": frozenset({"expect", "refuse", "needs", "rows", "disable"}),
    "algebra": frozenset({"expect", "refuse", "needs", "rows", "disable", "ruled", "steps"}),
    "decide": frozenset({"relation", "effort", "tiers", "names"}),
}
"""The commands besides ``schema``, each with the options that it takes."""


class UnmetError(AssertionError):
    """A golden case does not come out as it says."""


@dataclass(frozen=True)
class World:
    """The schema and facts that the cases of a golden file speak about."""

    ddl: str
    policy: str = "intended"
    assume: tuple[str, ...] = ()
    rounding: str = ""
    """As :class:`equiv.options.Options` has it."""
    errors: str = "excused"
    dialect: str = ""
    """What DDL and queries are written in, '' for the reference; ``sqlite/postgres``: gold queries in the
    other."""

    @cached_property
    def schema(self) -> Schema:
        """The schema that the DDL makes."""
        return _schema(self.ddl, self.dialect)

    @cached_property
    def facts(self) -> Facts:
        """The facts in force."""
        assumed = [parse_fact(text, self.schema) for text in self.assume]
        return facts_for(self.schema, self.policy, assumed, rounding=self.rounding, errors=self.errors)

    def context(self, rows: Rows = Rows.LIST) -> Context:
        """What a rule may look at."""
        return Context(self.schema, self.facts, rows)

    def supports(self, sql: str) -> bool:
        """Whether a text is a query of the modelled subset."""
        found = dialect_named(self.dialect).reader.read(sql, self.schema, _empty(self.ddl, self.dialect))
        return isinstance(found, Query) and found.tree is not None and found.unsupported is None

    def read(self, sql: str, *, gold: bool = False) -> Query:
        """A query, of the dialect of gold queries if it is one.

        Raises:
            UnmetError: the text is none, or is outside the modelled subset.
        """
        reader = readers_of(dialect_named(self.dialect))[gold]
        found = reader.read(sql, self.schema, _empty(self.ddl, self.dialect))
        if not isinstance(found, Query):
            raise UnmetError(f"not a query: {found.message}\n{sql}")
        if found.tree is None and found.with_symbols is not None:
            found = found.with_symbols
        if found.tree is None:
            raise UnmetError(f"unsupported: {found.unsupported}\n{sql}")
        return found

    def norm(
        self,
        sql: str,
        rules: tuple[Rule, ...] | None = None,
        rows: Rows = Rows.LIST,
        *,
        checks: bool = True,
    ) -> Normalised:
        """The normal form of a query under some rules (by default all), with every step."""
        tree = self.read(sql).tree
        assert tree is not None
        chosen = RuleSet(RULES if rules is None else rules)
        return normalise(tree, chosen, self.context(rows), trace=True, checks=checks)

    def pair(self, left: str, right: str, rows: Rows = Rows.LIST) -> Pair:
        """Two queries, to be compared."""
        return Pair(self.read(left), self.read(right, gold=True), self.schema, self.facts, Relation(rows))

    def generator(self) -> GenerateTier:
        """What makes databases of this world."""
        return _generator(self)

    def tells_apart(self, pair: Pair) -> bool:
        """Whether a generated database distinguishes two queries, or shows the tie on which they part."""
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
def _schema(ddl: str, dialect: str) -> Schema:
    return dialect_named(dialect).loader.read_ddl(ddl)


@cache
def _empty(ddl: str, name: str) -> Session:
    dialect = dialect_named(name)
    return dialect.engine.empty(_schema(ddl, name))


@lru_cache(maxsize=16)
def _generator(world: World) -> GenerateTier:
    return GenerateTier(world.schema, world.facts)


@dataclass(frozen=True)
class Case:
    """One case of a golden file."""

    path: Path
    line: int
    command: str
    options: Mapping[str, list[str]]
    parts: tuple[str, ...]
    world: World | None
    comment: str = ""
    title: str = ""
    """What no other case of the file is called."""

    @property
    def name(self) -> str:
        """The file and the title."""
        return f"{self.path.stem}: {self.title}"

    def option(self, name: str, default: str = "") -> str:
        """The first value of an option."""
        return self.options.get(name, [default])[0]


def read_cases(path: Path) -> list[Case]:
    """The cases of a golden file, each with the world in force: once for each dialect that it names.

    Raises:
        UnmetError: the file is malformed.
    """
    cases: list[Case] = []
    worlds: Sequence[World | None] = (None,)
    for number, header, body, comment in _blocks(path.read_text(encoding="utf-8"), ("schema", *COMMANDS)):
        command, *words = shlex.split(header)
        options: dict[str, list[str]] = {}
        for word in words:
            name, _, value = word.partition("=")
            options.setdefault(name, []).append(value)
        parts = tuple(part.strip() for part in "\n".join(body).split("----"))
        if command == "schema":
            policy, assumed = options.get("facts", ["intended"])[0], tuple(options.get("assume", ()))
            rounding, errors = (options.get(name, [""])[0] for name in ("rounding", "errors"))
            known = parts[0], policy, assumed, rounding, errors or "excused"
            worlds = [World(*known, dialect) for dialect in options.get("dialect", [""])]
            continue
        unknown = set(options) - COMMANDS[command]
        if unknown:
            raise UnmetError(f"{path.name}:{number}: {command} takes no {', '.join(sorted(unknown))}")
        cases += [Case(path, number, command, options, parts, world, comment) for world in worlds]
    return [replace(case, title=title) for case, title in zip(cases, _titles(cases), strict=True)]


def _titles(cases: Sequence[Case]) -> list[str]:
    """A title for each case of a file: of the words that may name it the fewest that only it has."""
    words = [_words(case) for case in cases]
    taken = [1] * len(words)
    while True:
        titles = ["; ".join(own[:number]) for own, number in zip(words, taken, strict=True)]
        often = Counter(titles)
        longer = [
            min(number + (often[title] > 1), len(own))
            for own, number, title in zip(words, taken, titles, strict=True)
        ]
        if longer == taken:
            return _numbered(titles, often)
        taken = longer


def _words(case: Case) -> list[str]:
    """What may name a case, the best first: its comment, what it expects of rules, its queries."""
    comment = re.split(r"(?<=[.:;]) ", case.comment, maxsplit=1)[0].rstrip(".:;")
    rules = [
        f"{word} {' '.join(case.options[word])}"
        for word in ("expect", "refuse", "needs")
        if word in case.options
    ]
    queries = case.parts[: 2 if case.command == "decide" else 1]
    return [shorten(text, WIDTH, placeholder=" …") for text in (comment, " ".join(rules), *queries) if text]


def _numbered(titles: Sequence[str], often: Mapping[str, int]) -> list[str]:
    """Titles, those that several cases share with a number."""
    numbers = {title: count(1) for title in often}
    return [f"{title} ({next(numbers[title])})" if often[title] > 1 else title for title in titles]


def _blocks(text: str, commands: tuple[str, ...]) -> Iterator[tuple[int, str, list[str], str]]:
    """(line number, command line, lines below, comment above) of each case."""
    current: tuple[int, str, list[str], str] | None = None
    comment: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.split(" ", 1)[0] in commands:
            if current is not None:
                yield current
            current = (number, line, [], " ".join(comment))
            comment = []
        elif line.startswith("#"):
            if current is not None:
                yield current
            current = None
            comment.append(line.lstrip("# "))
        elif current is not None:
            current[2].append(line)
        elif line.strip():
            raise UnmetError(f"line {number} belongs to no case: {line}")
    if current is not None:
        yield current


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


def require_guard(case: Case, world: World, name: str, guard: str, rows: Rows) -> None:
    """See that a guard is what holds a rule back, and rightly so: without it, a database tells.

    That the driver checks how values are compared is left out: it may hold the rule back as well.

    Raises:
        UnmetError: the rule does not fire without the guard either, or no database shows that it must not.
    """
    weakened = tuple(without_guard(rule, guard) if rule.name == name else rule for rule in RULES)
    steps = [s for s in world.norm(case.parts[0], weakened, rows, checks=False).steps if s.rule == name]
    if not steps:
        raise UnmetError(f"{case.name}: {name} does not fire without {guard} either")
    for step in steps:
        if world.tells_apart(world.pair(step.before, step.after, rows)):
            return
    pair = f"{steps[0].before}\n{steps[0].after}"
    raise UnmetError(f"{case.name}: no database shows that {guard} is needed:\n{pair}")
