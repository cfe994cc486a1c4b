"""Attack the provers unprotected: near misses put to rules and proof directly, every proof attacked.

A near miss is a query with one thing changed anywhere, compared with the query, or with another text of
it: a condition more, less, negated or weakened, contradictions and tautologies among them, a row source
more or less, another aggregate, another grouping.  Most such pairs are not equivalent; whatever rules or
the proof tier prove of them is attacked with generated databases, and where the queries ask for what
generation seldom meets, with databases made of ones that tell an easier pair apart.

``generated`` makes queries of every shape; a corpus lends its own: its pairs, mutants of its gold
queries, and with ``--within`` its pairs as parts of a query around them, with its column in the place of
one of theirs, each beside what the rules make of it as well.

Usage: ``python -m benchmarks.near_misses generated --pairs 200000`` or ``python -m benchmarks.near_misses
rose-vec --mutants 12``.  Exit code 1 if a proof is broken.  What is done is kept in
``results/near_misses.jsonl``, and a rerun with the same code goes on from there.  ``python -m
benchmarks.against DIR near_misses …`` attacks another checkout.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from time import monotonic, process_time
from typing import Any

from benchmarks.attack import ROOT, Target, code_digest
from benchmarks.corpora import corpora
from benchmarks.near.worlds import WORLDS, World, bases
from benchmarks.soundness import OWN, targets
from equiv.engine.engine import Engine
from equiv.engine.make import all_rules, make_engine
from equiv.options import EFFORTS
from equiv.query.context import Context
from equiv.query.read import Query
from equiv.rewrite.normalise import RuleSet, normalise
from equiv.schema.model import Schema
from equiv.sqlite.printing.trees import to_sql
from equiv.testing.fuzz import near
from equiv.testing.fuzz.attacker import PROVERS, SAMPLED, SECONDS, Asking, Attacker
from equiv.testing.fuzz.findings import Findings
from equiv.testing.fuzz.near import Read
from equiv.testing.fuzz.tasks import run
from equiv.testing.making.mutants import mutants
from equiv.testing.making.within import within

GENERATED = "generated"
EFFORT = EFFORTS["normal"]
BATCH = 200
"""How many generated pairs one task has."""
CORPUS_BATCH = 20
KEPT = ROOT / "results" / "near_misses.jsonl"


@dataclass(frozen=True, slots=True)
class Generated:
    """Near misses of generated queries on one schema."""

    world: World
    seed: int
    pairs: int
    asking: Asking

    @property
    def key(self) -> str:
        """SHA-256 of all that the outcome depends on."""
        return _hash((code_digest(), self.world, self.seed, self.pairs, self.asking))


@dataclass(frozen=True, slots=True)
class Published:
    """Pairs of a corpus on one database, and mutants of their gold queries."""

    target: Target
    pairs: tuple[tuple[str, str, str], ...]
    """Name, prediction, gold query."""
    mutants: int
    within: int
    """In how many ways each pair is put within a query."""
    asking: Asking

    @property
    def key(self) -> str:
        """SHA-256 of all that the outcome depends on."""
        parts = (
            code_digest(),
            self.target.place.digest,
            repr(self.target.options),
            self.pairs,
            self.mutants,
            self.within,
            self.asking,
        )
        return _hash(parts)


def _hash(parts: object) -> str:
    return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()


def attack(task: Generated | Published) -> dict[str, Any]:
    """What came of one task, as a JSON object."""
    target = Target(task.world.place, task.world.options) if isinstance(task, Generated) else task.target
    place = target.place
    with closing(make_engine(place.schema, place.database, target.options)) as engine:
        attacker = Attacker(engine, int(task.key[:8], 16), task.asking)
        start = process_time()
        if isinstance(task, Generated):
            for name, left, right in islice(near_misses(task.world, task.seed, engine.read), task.pairs):
                attacker.ask(name, left, right)
        else:
            golds = {gold: name for name, _, gold in task.pairs}
            for name, pred, gold in task.pairs:
                attacker.ask(name, pred, gold)
            for gold, name in golds.items():
                for miss in _mutants(gold, engine.schema, task.mutants, engine.read):
                    attacker.ask(f"{name}, mutant", miss, gold)
            for name, pred, gold in task.pairs if task.within else ():
                for left, right in _within(pred, gold, engine, task.within):
                    attacker.ask(f"{name}, within a query", left, right)
    return {"seconds": process_time() - start, **attacker.found.to_json()}


def _mutants(sql: str, schema: Schema, number: int, read: Any) -> Iterator[str]:
    query = read(sql)
    if isinstance(query, Query) and query.tree is not None and number:
        seed = int.from_bytes(hashlib.sha256(sql.encode("utf-8", "surrogatepass")).digest()[:4])
        yield from mutants(query.tree, schema, seed, number)


def _within(pred: str, gold: str, engine: Engine, number: int) -> Iterator[tuple[str, str]]:
    """The pair within a query, in some ways; and each text of it with its normal form."""
    queries = [engine.read(sql) for sql in (pred, gold)]
    trees = [query.tree for query in queries if isinstance(query, Query) and query.tree is not None]
    if len(trees) < len(queries):
        return
    found = [(left, right) for left, right in within(trees, engine.schema)]
    random = Random(f"{pred} {gold}")
    rules, context = RuleSet(all_rules()), Context(engine.schema, engine.facts)
    for pair in random.sample(found, min(number, len(found))):
        yield pair
        for text in pair:
            query = engine.read(text)
            if isinstance(query, Query) and query.tree is not None:
                yield text, to_sql(normalise(query.tree, rules, context).tree)


def near_misses(world: World, seed: int, read: Read) -> Iterator[tuple[str, str, str]]:
    """Endless pairs on a schema, each with a name: a near miss of a query, and a text of the query.

    Args:
        world: the schema.
        seed: what the pairs depend on.
        read: makes a :class:`~equiv.query.read.Query` of a text, as :meth:`Engine.read` does.
    """
    random, schema = Random(f"{world.name} {seed}"), world.schema
    for number, miss, shown in near.near_misses(schema, random, bases(world, schema, random), read):
        yield f"{world.name}, seed {seed}, query {number}", miss, shown


def generated(pairs: int, seed: int, asking: Asking) -> list[Generated]:
    """Tasks of so many pairs in all."""
    drawn = [world for world in WORLDS for _ in range(world.weight)]
    Random(seed).shuffle(drawn)
    sizes = [min(BATCH, pairs - start) for start in range(0, pairs, BATCH)]
    return [
        Generated(drawn[number % len(drawn)], seed * 1_000_000 + number, size, asking)
        for number, size in enumerate(sizes)
    ]


def published(name: str, number: int, ways: int, asking: Asking) -> list[Published]:
    """Tasks of all pairs of a corpus, of mutants of each gold query, and of the pairs within others."""
    return [
        Published(target, pairs[start : start + CORPUS_BATCH], number, ways, asking)
        for target, pairs in targets(name, "bag")
        for start in range(0, len(pairs), CORPUS_BATCH)
    ]


_ASIDE = (
    *("recheck", "text", "show", "claims", "trials", "evaluate"),
    *("hypotheses", "obligations"),
)
"""Modules of these packages that print, record or try, but prove nothing."""


def functions() -> set[str]:
    """The functions of the algebra and of the encoding that a proof may go through."""
    import ast
    import importlib

    found = set()
    for package in PROVERS:
        folder = Path(str(importlib.import_module(package).__path__[0]))
        for path in sorted(folder.rglob("*.py")):
            if not path.stem.startswith(_ASIDE):
                place = ".".join(path.relative_to(folder).with_suffix("").parts)
                found |= set(_defined(ast.parse(path.read_text(encoding="utf-8")), f"{package}.{place}."))
    return found


def _defined(node: Any, prefix: str) -> Iterator[str]:
    import ast

    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef):
            yield prefix + child.name
            yield from _defined(child, f"{prefix}{child.name}.<locals>.")
        elif isinstance(child, ast.ClassDef):
            yield from _defined(child, f"{prefix}{child.name}.")


def main() -> int:
    """Attack, and print what was found."""
    names = [GENERATED, OWN, *(c.name for c in corpora())]
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("source", choices=names, nargs="+")
    parser.add_argument("--pairs", type=int, default=200_000, help="how many generated pairs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mutants", type=int, default=12, help="of each gold query of a corpus")
    parser.add_argument("--within", type=int, default=0, help="ways to put each pair of a corpus in a query")
    parser.add_argument("--effort", type=int, default=EFFORT, help="databases against one proof")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of processor time for one question")
    parser.add_argument("--trace", type=int, default=SAMPLED, help="of so many proofs one is traced")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--kept", type=Path, default=KEPT, help="where finished tasks are kept")
    parser.add_argument(
        "--unreached", action="store_true", help="list the functions that no traced proof reached"
    )
    given = parser.parse_args()
    asking = Asking(given.effort, given.seconds, given.trace)
    total, lost = Findings(), 0
    for name in given.source:
        start, found = monotonic(), Findings()
        tasks: list[Any] = (
            list(generated(given.pairs, given.seed, asking))
            if name == GENERATED
            else list(published(name, given.mutants, given.within, asking))
        )
        try:
            for each in run(tasks, attack, given.workers, given.kept):
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
        f"  {found.databases} databases tried, {made}, {broken}",
        f"  {found.traced} proofs traced: they reach {share}",
    )
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
