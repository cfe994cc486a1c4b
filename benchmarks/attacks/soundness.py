"""Attack every proof: 20 times the normal generation effort against each proved pair.

A proof, by rules or by the proof tier, must withstand databases under the strongest relation that it claims,
under that of the comparison, and as a comparison of sets.  With ``--mutants N`` the pairs are not those of
the corpus but each of its gold queries against N small changes of it.  ``own`` is the project's own golden
pairs, which need no published data.

Usage: ``python -m benchmarks.attacks.soundness rose-vec --relation bird``; exit code 1 if a proof is broken.
What is done is kept in ``results/soundness.jsonl``, and a rerun with the same code goes on from there.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from importlib import import_module
from typing import Any

from benchmarks import ROOT
from benchmarks.attacks.targets import Task, parser, readable_pairs, tasks
from benchmarks.journal import Sums
from equiv.answers.pair import Pair
from equiv.engine.pipeline import decide
from equiv.options import EFFORTS
from equiv.relation import Rows
from equiv.testing.fuzz.attacker import is_excused
from equiv.testing.fuzz.findings import golden_file
from equiv.tiers.data import DataTier
from equiv.tiers.generate import GenerateTier
from equiv.tiers.outcome import Refuted, Settler
from equiv.verdict import PROVERS, Equivalent
from equiv.workers.scheduler import do_kept

EFFORT = 20 * EFFORTS["normal"]
KEPT = ROOT / "results" / "soundness.jsonl"


@dataclass(slots=True)
class Report(Sums):
    """What attacks found."""

    pairs: int = 0
    proved: Counter[str] = field(default_factory=Counter)
    """Proofs by tier and strongest relation."""
    databases: int = 0
    broken: list[str] = field(default_factory=list)
    """Proofs that a database breaks, each as a golden file."""


def attack(task: Task) -> dict[str, Any]:
    """What came of trying to break every proof of the pairs of a task, as a JSON object."""
    place, report = task.target.place, Report()
    with task.target.opened() as engine:
        provers = [tier for tier in engine.tiers if tier.tier in PROVERS]
        refuters: list[Settler] = [GenerateTier(engine.schema, engine.facts)]
        if place.database is not None:
            refuters.append(DataTier(place.database))
        for name, pair in readable_pairs(task, engine):
            report.pairs += 1
            relation, verdict = pair.relation, decide(pair, provers, 0)
            if not isinstance(verdict, Equivalent) or task.only not in ("", verdict.tier):
                continue
            strongest = verdict.strongest or relation
            report.proved[f"{verdict.tier} {strongest}"] += 1
            for claim in dict.fromkeys((strongest, relation, replace(relation, rows=Rows.SET))):
                report.databases += task.effort
                outcome = _first_refuted(replace(pair, relation=claim), refuters, task.effort)
                if outcome is not None and not is_excused(pair, outcome):
                    report.broken.append(golden_file(pair, claim, name, verdict, outcome))
    return {each.name: getattr(report, each.name) for each in fields(report)}


def _first_refuted(pair: Pair, refuters: Iterable[Settler], effort: int) -> Refuted | None:
    found = (tier.settle(pair, effort) for tier in refuters)
    return next((outcome for outcome in found if isinstance(outcome, Refuted)), None)


def main() -> int:
    """Attack some corpora and print what was found."""
    arguments = parser(__doc__, "bird", effort=(EFFORT, "databases against one proof"), kept=KEPT)
    arguments.add_argument(
        "--tier", choices=("", *PROVERS), default="", help="whose proofs alone are attacked"
    )
    given = arguments.parse_args()
    total, lost = Report(), 0
    for name in given.corpus:
        found = Report()
        work = tasks(name, given, given.effort, given.tier)
        for done in do_kept(work, attack, given.workers, given.kept):
            if done is None:
                lost += 1
            else:
                found.add(Report(**done | {"proved": Counter(done["proved"])}))
        kind = f"{given.mutants} mutants of each gold query" if given.mutants else "pairs"
        print(f"{name}, relation {given.relation}, {kind}: {found.pairs} distinct readable pairs")
        proved = ", ".join(f"{what}: {number}" for what, number in sorted(found.proved.items()))
        print(f"  {found.proved.total()} proved ({proved or 'none'})")
        print(f"  {found.databases} databases tried, {len(found.broken)} proofs broken", flush=True)
        total.add(found)
    print("\n\n".join(total.broken))
    if lost:
        print(f"{lost} tasks were lost; run again", file=sys.stderr)
    return 1 if total.broken or lost else 0


if __name__ == "__main__":
    # Worker processes find what they do by the name of its module, which is not __main__ there.
    sys.exit(import_module("benchmarks.attacks.soundness").main())
