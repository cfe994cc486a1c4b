"""Textbook rewrite bugs put to ``equiv.testing``: which it finds, and after how many queries; sound rewrites.

Usage: ``python -m benchmarks.attacks.textbook``; another checkout: ``python -m benchmarks.against DIR
attacks.textbook``.

A cell has a number for each seed: the queries until the bug was found; ``·`` if it was not, with how many of
the queries were changed.  ``no column`` stands where the schema lacks what would show it.
"""

from __future__ import annotations

import time

from textbook.rewriting import Rewriter
from textbook.schemas import KINDS, SCHEMAS
from textbook.sound import SOUND
from textbook.unsound_clauses import CLAUSES
from textbook.unsound_conditions import CONDITIONS
from textbook.unsound_others import CLASSICS, OTHERS

from benchmarks.command import parser
from equiv.testing import Report, TrialOutcome, check_rewrite

GROUPS = {"unsound": (*CONDITIONS, *CLAUSES), "others": OTHERS, "classics": CLASSICS, "sound": SOUND}


def tried(rewriter: Rewriter, schema: str, queries: int, seed: int) -> Report:
    """What comes of a rewriter with one seed; only databases are asked."""
    return check_rewrite(
        rewriter.on(schema),
        schema=schema,
        examples=queries,
        seed=seed,
        faults=1,
        shrink=0,
        timeout=None,
        tiers=("generate",),
    )


def shown(report: Report) -> str:
    """After how many queries the fault was found, or how many were changed in vain."""
    if report.faults:
        return str(len(report.tried))
    return f"·{len(report.tried) - report.counts[TrialOutcome.UNCHANGED]}"


def main() -> None:
    """Print a table for each group of rewriters, and how much was found."""
    arguments = parser(__doc__, queries=100, seeds=4)
    arguments.add_argument("groups", nargs="*", default=list(GROUPS), help=f"of {', '.join(GROUPS)}")
    given = arguments.parse_args()
    for group in given.groups:
        start, found, asked, total = time.process_time(), 0, 0, 0
        print(f"\n| {group} | {' | '.join(SCHEMAS)} |\n|---|{'---|' * len(SCHEMAS)}")
        for rewriter in GROUPS[group]:
            cells = []
            for name, schema in SCHEMAS.items():
                if not set(rewriter.needs) <= set(KINDS[name]):
                    cells.append("no column")
                    continue
                reports = [tried(rewriter, schema, given.queries, seed) for seed in range(given.seeds)]
                found += sum(bool(report.faults) for report in reports)
                asked += sum(len(report.tried) for report in reports)
                total += len(reports)
                cells.append(" ".join(map(shown, reports)))
            print(f"| `{rewriter.name}` | {' | '.join(cells)} |", flush=True)
        seconds = time.process_time() - start
        told = f"found in {found} of {total} runs, {asked} queries, {seconds:.0f} s of processor time"
        print(f"\n{group}: {told}", flush=True)


if __name__ == "__main__":
    main()
