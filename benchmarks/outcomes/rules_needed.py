"""The derivations of corpora that use each rule, and those that are lost without it.

Every distinct pair of a corpus is put to the rules.  Counted are, of the pairs that are derived, those that
*need* a rule (without it alone there is no derivation), those in which it is taken more often on *one side*,
so that it brings two texts together, and those that *use* it at all; and the distinct *queries* that it
rewrites.  A rule that nothing needs only costs time, on every query.

Usage: ``python -m benchmarks.outcomes.rules_needed rose-vec:bird calcite:bag``; ``--without NAME,…`` leaves
rules out.
"""

from __future__ import annotations

import argparse
import tomllib
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import Pool
from pathlib import Path

from benchmarks.attacks.targets import Task, readable_pairs, tasks
from benchmarks.command import parser
from benchmarks.journal import Sums, markdown
from equiv.answers.pair import Pair
from equiv.core.model import Context
from equiv.core.query import Query
from equiv.rewrite.normalise import RuleSet, normalise
from equiv.rewrite.rule import Rule
from equiv.rules import RULES
from equiv.rules.esm_plus import READING
from equiv.tiers.outcome import Proved
from equiv.tiers.rules import RulesTier
from equiv.verdict import Derivation

RUNS = (
    *("rose-vec:bird", "rose-vec:bag", "calcite:bag", "literature:bag", "leetcode:bag", "spotit:bag"),
    *("rose-bench:bird", "spider:spider"),
)

KEPT: dict[str, str] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
"""What rules stay for that no derivation of these corpora needs; users' solutions are not among them."""


@dataclass(slots=True)
class Uses(Sums):
    """How often each rule is used; counts add up."""

    pairs: int = 0
    derived: int = 0
    queries: Counter[str] = field(default_factory=Counter)
    used: Counter[str] = field(default_factory=Counter)
    one_side: Counter[str] = field(default_factory=Counter)
    needed: Counter[str] = field(default_factory=Counter)


def uses(task: Task, without: frozenset[str]) -> Uses:
    """The uses of each rule over the pairs of a task, with some rules left out."""
    found, seen = Uses(), set[tuple[str, str]]()
    rules = RuleSet(rule for rule in RULES if rule.name not in without)
    with task.target.opened() as engine:
        for _, pair in readable_pairs(task, engine):
            relation = pair.relation
            context = Context(engine.schema, engine.facts, relation.rows)
            for query in (pair.pred, pair.gold):
                if (query.sql, relation.rows) not in seen:
                    seen.add((query.sql, relation.rows))
                    found.queries.update(_fired(query, rules, context))
            found.pairs += 1
            if pair.pred.sql != pair.gold.sql:
                _count(pair, rules, found)
    return found


def _fired(query: Query, rules: RuleSet, context: Context) -> set[str]:
    if query.tree is None:
        return set()
    return {step.rule for step in normalise(query.tree, rules, context, trace=True).steps}


def _count(pair: Pair, rules: RuleSet, found: Uses) -> None:
    """Count the rules of a pair's derivation, if it has one."""
    outcome = RulesTier(rules).settle(pair, 0)
    if not isinstance(outcome, Proved) or not isinstance(outcome.evidence, Derivation):
        return
    sides = (outcome.evidence.pred_steps, outcome.evidence.gold_steps)
    pred, gold = (Counter(step.rule for step in steps) for steps in sides)
    found.derived += 1
    for rule in rules.rules:
        if pred[rule.name] or gold[rule.name]:
            found.used[rule.name] += 1
            found.one_side[rule.name] += pred[rule.name] != gold[rule.name]
            lacking = RulesTier(rules.without(rule)).make_again(pair, 0)
            found.needed[rule.name] += not isinstance(lacking, Proved)


def table(found: Uses) -> str:
    """What each rule stays for, and the counts, the most needed rule first, as Markdown."""
    counts = (found.needed, found.one_side, found.used, found.queries)
    rows = [(tuple(each[rule.name] for each in counts), rule) for rule in RULES]
    rows.sort(key=lambda entry: entry[0], reverse=True)
    shown = ((rule.name, reason(rule, found), *row) for row, rule in rows)
    head = ("rule", "stays for", "needed", "one side", "used", "queries")
    return "\n".join((f"{found.pairs} pairs, {found.derived} derived", "", *markdown(head, shown)))


def reason(rule: Rule, found: Uses) -> str:
    """What a rule stays for."""
    if rule.esm_plus is not None:
        return f"ESM+ {rule.esm_plus}"
    if found.needed[rule.name]:
        return "derivations"
    if rule.name in READING:
        return "the structural match of ESM+"
    return KEPT.get(rule.name) or ("one side of derivations" if found.one_side[rule.name] else "nothing")


def main() -> None:
    """Print how often the derivations of some corpora use and need each rule."""
    arguments = parser(__doc__, workers=2)
    arguments.add_argument("runs", nargs="*", default=RUNS, metavar="CORPUS:RELATION")
    arguments.add_argument("--without", default="", metavar="NAME,…", help="rules that are left out")
    given = arguments.parse_args()
    total = Uses()
    with Pool(given.workers) as pool:
        for run in given.runs:
            name, relation = run.split(":")
            one = partial(uses, without=frozenset(given.without.split(",")))
            whole = argparse.Namespace(relation=relation, mutants=0, every=1)
            for found in pool.imap_unordered(one, tasks(name, whole)):
                total.add(found)
    print(table(total))


if __name__ == "__main__":
    main()
