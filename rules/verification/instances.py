"""Instances of a rule: queries that it rewrites, on every schema pattern on which its guards let it fire."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from functools import cache

from equiv.answers.pair import Pair
from equiv.errors import InputError
from equiv.facts import FactKind, Facts
from equiv.relation import Relation, Rows
from equiv.rewrite.rule import Rule
from equiv.rules.verification.golden import GOLDEN, Case, UnmetError, World, read_cases
from equiv.rules.verification.patterns import worlds
from equiv.verdict import Step

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
    """The golden file of a rule's module; the world is the one in which the rule fires first.

    Raises:
        InputError: there is no such file.
    """
    cases = cases_of(rule.module)
    firing = [case for case in cases if rule.name in case.options.get("expect", ())]
    world = (firing or cases)[0].world
    assert world is not None
    return Book(world, cases)


@cache
def cases_of(module: str) -> tuple[Case, ...]:
    """The golden cases of a module of rules.

    Raises:
        InputError: there is no such file.
    """
    path = GOLDEN / "rules" / f"{module.rpartition('.')[2]}.sql"
    if not path.is_file():
        raise InputError(f"{path.name}: there are no golden cases of the rules")
    return tuple(read_cases(path))


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
