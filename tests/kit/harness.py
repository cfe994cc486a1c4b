"""Golden files: how they are read, run and refreshed.

A file holds cases; a case is a command line, then parts separated by ``----``;
lines starting with ``#`` above it say why it is there.

    schema [facts=POLICY] [assume=FACT ...] [rounding=NAME] [errors=strict] [dialect=NAME|PRED/GOLD ...]
        the DDL in force for the cases below, each of which stands for one in every dialect that is named
    norm [expect=RULE ...] [refuse=RULE needs=GUARD] [rows=list|bag|set] [disable=RULE ...]
        a query, and its normal form under all rules.  ``expect``: the rule must fire.  ``refuse``: it
        must not; and if the named guard alone is dropped it must fire, and the step that it then takes
        must change the possible answers on some generated database.  ``refuse`` without ``needs``
        is for what the rule's shape or body does not match.  ``disable``: rules that are left out.
    algebra [expect=REWRITE ...] [refuse=REWRITE needs=GUARD] [rows=list|bag|set] [disable=NAME ...]
            [ruled] [steps]
        a query, and its normal form in the algebra: as ``norm``, but of the rewrites of the algebra.  If
        the named guard alone is dropped, what the rewrite then states must be false on some generated
        database, as the independent evaluator sees.  ``ruled``: the rules are applied first; ``disable``
        names rules or rewrites that are left out; ``steps``: the output shows each step
    decide [relation=NAME] [effort=N] [tiers=TIER,...] [names=FACT ...]
        prediction, gold query, and the expected start of the verdict line
        (``equivalent by=rules``, ``not_equivalent by=generate``, ``undecided NONDETERMINISTIC``).
        ``tiers``: who may settle the pair; ``tiers=proof`` asks the proof tier alone, and a proof that
        it should not find shows as CONFLICT at best, so expect ``undecided NO_PROOF``.  ``names``: facts
        that the verdict must rest on, as ``--assume`` takes them

``pytest --rewrite`` refreshes the normal forms.  It never touches what is expected.  Tests take the cases of
a file in runs of limited length (:func:`golden_runs`), each case as a subtest of its name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, TypeVar
from unittest.mock import patch

from kit import algebra_cases

import equiv
from equiv.answers.pair import Pair, told_apart_by_types
from equiv.core.printing import to_sql
from equiv.engine import pipeline
from equiv.options import TIERS, Options
from equiv.proof.catalogue import REWRITES
from equiv.relation import Relation, Rows
from equiv.rewrite.normalise import RuleSet
from equiv.rules import RULES
from equiv.rules.verification.golden import (
    COMMANDS,
    GOLDEN,
    Case,
    UnmetError,
    World,
    require_guard,
    without_guard,
)
from equiv.rules.verification.golden import read_cases as read_all
from equiv.tiers.outcome import Proved
from equiv.tiers.rules import RulesTier
from equiv.verdict import Difference, NotEquivalent, Undecided, Verdict

__all__ = [
    "GOLDEN",
    "NORMAL",
    "Case",
    "UnmetError",
    "World",
    "all_cases",
    "first_proofs",
    "golden_files",
    "golden_runs",
    "laid_out",
    "read_cases",
    "rewritten",
    "run_case",
    "runs_of",
    "without_guard",
]

T = TypeVar("T")

NORMAL = ("norm", "algebra")
"""The commands whose cases record a normal form."""
RUN = 40
"""How many cases a test item takes at most, so that items can be shared out evenly."""


def read_cases(path: Path) -> list[Case]:
    """The cases of a golden file, each with the schema in force.

    Raises:
        UnmetError: the file is malformed.
    """
    cases = read_all(path)
    for case in cases:
        _require(case.command, case.options, case.parts, f"{path.name}:{case.line}")
    return cases


def _require(command: str, options: Mapping[str, list[str]], parts: tuple[str, ...], place: str) -> None:
    """Reject what would otherwise be ignored."""
    known, rewrites = {rule.name for rule in RULES}, {rewrite.name for rewrite in REWRITES}
    for name in (*options.get("expect", ()), *options.get("refuse", ())):
        if name not in (rewrites if command == "algebra" else known):
            raise UnmetError(f"{place}: there is no {'rewrite' if command == 'algebra' else 'rule'} {name}")
    for name in options.get("disable", ()):
        if name not in (known | rewrites if command == "algebra" else known):
            raise UnmetError(f"{place}: there is nothing to disable by the name of {name}")
    if "needs" in options and "refuse" not in options:
        raise UnmetError(f"{place}: needs= without refuse=")
    if command == "decide" and (len(parts) != 3 or not parts[2]):
        raise UnmetError(f"{place}: decide wants two queries and a verdict")
    for name in ",".join(options.get("tiers", TIERS)).split(","):
        if name not in TIERS:
            raise UnmetError(f"{place}: there is no tier {name}")
    if command in ("norm", "algebra") and not 1 <= len(parts) <= 2:
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
    if case.command == "algebra":
        return algebra_cases.run(case, case.world)
    rows = Rows(case.option("rows", "list"))
    found = case.world.norm(case.parts[0], algebra_cases.enabled(case), rows)
    fired = [step.rule for step in found.steps]
    for name in case.options.get("expect", ()):
        if name not in fired:
            raise UnmetError(f"{case.name}: {name} did not fire; these did: {', '.join(fired) or 'none'}")
    for name in case.options.get("refuse", ()):
        if name in fired:
            raise UnmetError(f"{case.name}: {name} fired")
        if "needs" in case.options:
            require_guard(case, case.world, name, case.option("needs"), rows)
    return to_sql(found.tree)


def options_of(world: World, relation: str, effort: int, tiers: tuple[str, ...]) -> Options:
    """How queries are compared in a world, without a deadline."""
    dialect, _, gold_dialect = world.dialect.partition("/")
    return Options(
        relation=relation,
        facts=world.policy,
        assume=world.assume,
        rounding=world.rounding,
        errors=world.errors,
        dialect=dialect,
        gold_dialect=gold_dialect,
        effort=effort,
        tiers=tiers,
        timeout=None,
    )


def asked_by(case: Case) -> tuple[str, int, tuple[str, ...]]:
    """Relation, effort and tiers of a ``decide`` case."""
    tiers = tuple(case.option("tiers", ",".join(TIERS)).split(","))
    return case.option("relation", "sql"), int(case.option("effort", "300")), tiers


def checker_of(
    world: World, relation: str, effort: int, tiers: tuple[str, ...] = tuple(TIERS)
) -> equiv.Checker:
    """A checker for a world, open for as long as it is among the last few that were asked for."""
    asked = world, relation, effort, tiers
    how = options_of(world, relation, effort, tiers).arguments()
    found = _kept.pop(asked, None) or equiv.Checker(schema=world.ddl, **how)
    _kept[asked] = found
    if len(_kept) > KEPT:
        _kept.pop(next(iter(_kept))).close()
    return found


KEPT = 4
_kept: dict[tuple[World, str, int, tuple[str, ...]], equiv.Checker] = {}


def _decide(case: Case, world: World) -> str:
    verdict = checker_of(world, *asked_by(case)).check(case.parts[0], case.parts[1])
    if isinstance(verdict, NotEquivalent) and verdict.difference is not Difference.ROUNDING:
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
    texts = [str(fact) for fact in getattr(verdict, "facts", ())]
    rests = {*texts, *(text.partition(" ")[0] for text in texts)}
    if missing := {*case.options.get("names", ())} - rests:
        raise UnmetError(f"{case.name}: does not name {', '.join(sorted(missing))}")
    return case.parts[2]


@contextmanager
def first_proofs() -> Iterator[None]:
    """Verdicts in this process with the facts that the first proof lists: none is made again from fewer.

    Of the time of a verdict by the tier ``proof``, most goes into the facts that it might spare.
    """

    whole = pipeline.decide

    def decide(*given: Any, **options: Any) -> Verdict:
        return whole(*given, **{**options, "naming": None})

    with patch("equiv.engine.pipeline.decide", decide):
        yield


def _require_no_derivation(case: Case, world: World, relation: Relation) -> None:
    """A database may have come before the rules, which must not prove what it refutes."""
    try:
        pred, gold = world.read(case.parts[0]), world.read(case.parts[1], gold=True)
    except UnmetError:
        return
    sides = told_apart_by_types(pred, gold, relation, alike=relation.rows is Rows.SET)
    pair = Pair(*sides, world.schema, world.facts, relation).for_proofs
    if pair.taken_settings:
        return  # what is proved is no proof before somebody states these
    if isinstance(RulesTier(RuleSet(RULES)).settle(pair, 0), Proved):
        raise UnmetError(f"{case.name}: rules prove what a database refutes")


def rewritten(path: Path) -> str:
    """The text of a golden file with the normal forms that the rules give now."""
    expected = ("expect", "refuse", "needs")
    bare = [
        replace(case, options={name: found for name, found in case.options.items() if name not in expected})
        for case in read_cases(path)
        if case.command in NORMAL
    ]
    return laid_out(path, {case.line: run_case(case) for case in bare})


def laid_out(path: Path, outputs: Mapping[int, str]) -> str:
    """The text of a golden file with other normal forms.

    Args:
        path: the file.
        outputs: the normal form of each case that has one, by the line of the case.
    """
    lines = path.read_text(encoding="utf-8").splitlines()
    for case in reversed([case for case in read_cases(path) if case.command in NORMAL]):
        end = case.line
        while end < len(lines) and not _starts_case(lines[end]):
            end += 1
        lines[case.line : end] = [*case.parts[0].splitlines(), "----", outputs[case.line], ""]
    return "\n".join(lines).rstrip() + "\n"


def _starts_case(line: str) -> bool:
    return line.startswith("#") or line.split(" ", 1)[0] in ("schema", *COMMANDS)


def golden_files() -> list[Path]:
    """All golden files."""
    return sorted(GOLDEN.rglob("*.sql"))


@cache
def all_cases() -> tuple[Case, ...]:
    """The cases of all golden files."""
    return tuple(case for path in golden_files() for case in read_cases(path))


def golden_runs() -> dict[str, tuple[Case, ...]]:
    """The cases of all golden files in runs of at most ``RUN``, by the name of the file and a number."""
    return runs_of((case.path.stem, case) for case in all_cases())


def runs_of(named: Iterable[tuple[str, T]]) -> dict[str, tuple[T, ...]]:
    """Things in runs of at most ``RUN`` under one name, by that name and, of several runs, a number."""
    by_name: dict[str, list[T]] = {}
    for name, thing in named:
        by_name.setdefault(name, []).append(thing)
    return {
        f"{name}-{start // RUN + 1}" if len(things) > RUN else name: tuple(things[start : start + RUN])
        for name, things in by_name.items()
        for start in range(0, len(things), RUN)
    }
