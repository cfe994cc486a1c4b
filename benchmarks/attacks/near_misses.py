"""Attack the provers unprotected: near misses put to rules and proof directly, every proof attacked.

A near miss is a query with one thing changed anywhere, compared with the query, or with another text of
it: a condition more, less, negated or weakened, contradictions and tautologies among them, a row source
more or less, another aggregate, another grouping.  Most such pairs are not equivalent; whatever rules or
the proof tier prove of them is attacked with generated databases, and where the queries ask for what
generation seldom meets, with databases made of ones that tell an easier pair apart.

``generated`` makes queries of every shape; ``unwritten`` asks questions in several ways whose answers hang on
collation and affinity, which no text shows, each proof attacked with databases that are made once a schema
(``--effort`` more are made for the pair), with ``--kind`` those of one kind alone; where a database tells a
pair apart, the evaluator of the algebra is asked whether those are the rows of both.  ``symbols`` puts
functions of which little is known on values that are equal and not identical, on NULL, and on what makes them
raise, in three dialects; the engine tells each pair apart before it is asked about.  A corpus lends its own
pairs, mutants of its gold queries, and with ``--within`` its pairs as parts of a query around them, with its
column in the place of one of theirs, each beside what the rules make of it as well.

Usage: ``python -m benchmarks.attacks.near_misses generated --pairs 200000`` or ``python -m
benchmarks.attacks.near_misses rose-vec --mutants 12``.  Exit code 1 if a proof is broken.  What is done is
kept in ``results/near_misses.jsonl``, and a rerun with the same code goes on from there.  ``python -m
benchmarks.against DIR attacks.near_misses …`` attacks another checkout.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any

from benchmarks import ROOT
from benchmarks.attacks.misses import attack, generated, published
from benchmarks.attacks.symbols import attack_symbols, misses
from benchmarks.attacks.targets import OWN
from benchmarks.attacks.unwritten import attack_unwritten, unwritten
from benchmarks.command import parser
from benchmarks.pairs.corpora import corpora
from equiv.options import EFFORTS
from equiv.testing.fuzz.attacker import PROVERS, SAMPLED, SECONDS, Asking
from equiv.testing.fuzz.findings import Findings
from equiv.testing.making.comparisons import KINDS
from equiv.workers.scheduler import do_kept

GENERATED = "generated"
UNWRITTEN = "unwritten"
SYMBOLS = "symbols"
EFFORT = EFFORTS["normal"]
KEPT = ROOT / "results" / "near_misses.jsonl"

DEFAULTS = {
    "pairs": (int, "how many generated pairs (200,000; unwritten: 50,000; symbols: all)"),
    "effort": (int, f"databases made for one proof ({EFFORT}; unwritten: 6)"),
    "seconds": (float, f"of processor time for one question ({SECONDS}; unwritten: 0.1)"),
    "trace": (int, f"of so many proofs one is traced ({SAMPLED}; unwritten: none)"),
}
"""Options whose default hangs on the source: their types, and what they do."""


def main() -> int:
    """Attack, and print what was found."""
    names = [GENERATED, UNWRITTEN, SYMBOLS, OWN, *(c.name for c in corpora())]
    flags = parser(
        __doc__,
        seed=1,
        mutants=(12, "of each gold query of a corpus"),
        within=(0, "ways to put each pair of a corpus in a query"),
        every=1,
        workers=2,
        kept=KEPT,
        unreached=(False, "list the functions that no traced proof reached"),
    )
    flags.add_argument("source", choices=names, nargs="+")
    flags.add_argument("--kind", choices=KINDS, default="", help="of the questions of unwritten; all kinds")
    for name, (kind, told) in DEFAULTS.items():
        flags.add_argument(f"--{name}", type=kind, help=told)
    given = flags.parse_args()
    total, lost = Findings(), 0
    for name in given.source:
        start, found = monotonic(), Findings()
        tasks = tasks_of(name, given)[:: given.every]
        do = {UNWRITTEN: attack_unwritten, SYMBOLS: attack_symbols}.get(name, attack)
        try:
            for each in do_kept(tasks, do, given.workers, given.kept):
                if each is None:
                    lost += 1
                else:
                    found.add(each)
        except KeyboardInterrupt:
            print("interrupted; what is done is kept", file=sys.stderr)
            return 130
        print(summary(name, found, monotonic() - start), flush=True)
        total.add(found.to_json())
    if given.unreached:
        print("\n".join(["not reached:", *sorted(functions() - set(total.reached))]))
    print("\n\n".join((*total.crashed, *total.broken)))
    if lost:
        print(f"{lost} tasks were lost; run again", file=sys.stderr)
    return 1 if total.broken or total.crashed or lost else 0


def tasks_of(name: str, given: argparse.Namespace) -> list[Any]:
    """The tasks of one source."""
    own = name == UNWRITTEN
    effort = given.effort if given.effort is not None else 6 if own else EFFORT
    traced = given.trace if given.trace is not None else 0 if own else SAMPLED
    seconds = given.seconds or (0.1 if own else SECONDS)
    asking = Asking(effort, seconds, traced)
    if own:
        return list(unwritten(given.pairs or 50_000, given.seed, asking, given.kind))
    if name == SYMBOLS:
        return list(misses(Asking(0, seconds, 0), given.pairs))
    if name == GENERATED:
        return list(generated(given.pairs or 200_000, given.seed, asking))
    return list(published(name, given.mutants, given.within, asking))


def summary(name: str, found: Findings, seconds: float) -> str:
    """The figures of one source."""
    proved = ", ".join(f"{what}: {number}" for what, number in sorted(found.proved.items()))
    all_functions = functions()
    reached = all_functions & set(found.reached)
    asked = f"{found.pairs} pairs asked about, {found.unread} not readable or not modelled"
    made = f"{found.hardened} made of an easier pair's"
    broken = f"{len(found.broken)} proofs broken, {len(found.crashed)} errors"
    share = f"{len(reached)} of {len(all_functions)} functions of the algebra and encoding"
    lines = (
        f"{name}: {asked}; {seconds:.0f} s, {found.given_up} questions given up",
        f"  {found.proved.total()} proofs ({proved or 'none'})",
        f"  {found.told_apart} pairs without a proof told apart, on rows that the algebra was asked for",
        f"  {found.databases} databases tried, {made}, {broken}",
        f"  {found.traced} proofs traced: they reach {share}",
    )
    return "\n".join(lines)


_ASIDE = (
    *("recheck", "text", "show", "claims", "trials", "evaluate"),
    *("hypotheses", "obligations"),
)
"""Modules of these packages that print, record or try, but prove nothing."""


def functions() -> set[str]:
    """The functions of the algebra and of the encoding that a proof may go through."""
    found = set()
    for package in PROVERS:
        folder = Path(str(importlib.import_module(package).__path__[0]))
        for path in sorted(folder.rglob("*.py")):
            if not path.stem.startswith(_ASIDE):
                place = ".".join(path.relative_to(folder).with_suffix("").parts)
                found |= set(_defined(ast.parse(path.read_text(encoding="utf-8")), f"{package}.{place}."))
    return found


def _defined(node: Any, prefix: str) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef):
            yield prefix + child.name
            yield from _defined(child, f"{prefix}{child.name}.<locals>.")
        elif isinstance(child, ast.ClassDef):
            yield from _defined(child, f"{prefix}{child.name}.")


if __name__ == "__main__":
    sys.exit(main())
