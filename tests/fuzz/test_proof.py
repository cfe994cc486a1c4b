"""Random pairs of queries: whatever the proof tier proves, no database that the facts allow distinguishes."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest
from drawing.allowed_databases import allowed_databases, contents
from drawing.pairs import Pairs
from drawing.tables import DDL, TABLES, fill
from kit.harness import UnmetError, World
from kit.sizes import TIMES, seeds, sized

from equiv.algebra.evaluate import Evaluator
from equiv.algebra.trials import Trials
from equiv.answers.answers import DatabaseFinding, find
from equiv.answers.compare import same_result
from equiv.answers.pair import Pair
from equiv.core.runner import Guarded, Limits, RunnerError
from equiv.relation import Columns, Relation, Rows
from equiv.tiers.outcome import Proved, Refuted
from equiv.tiers.proof import ProofTier, Steps, run_on

DATABASES = 40
EFFORT = 60 if TIMES == 1 else 250
"""How many databases are generated for each proof."""
CAPS = Limits(seconds=1.0, rows=20_000, bytes=8 * 1024 * 1024)
RUNS = 60
MUTANTS = 3
"""How many small changes are made to one side of a proved pair, which may then be proved again."""
ASSUMED = ("not_null(a.code)", "not_null(b.p_id)", "not_null(c.y)", "not_null(g.n)", "unique(g.n)")
KEYS = (
    "unique(a.x)",
    "unique(b.x)",
    "unique(e.x)",
    "unique(g.a_id)",
    "not_null(a.s)",
    "functional(b.x -> b.s)",
    "inclusion(b.x -> a.x)",
    "inclusion(c.a_id -> a.s)",
    "inclusion(e.p -> a.y)",
    "inclusion(g.n -> a.x)",
)
WORLDS = {
    "intended": World(DDL),
    "declared": World(DDL, "declared"),
    "strict": World(DDL, rounding="strict"),
    "assumed": World(DDL, "intended", (*ASSUMED, "not_null(a.x)", "iso_date(g.day)")),
    "keys": World(DDL, "declared", KEYS),
}
TIER = ProofTier()
TRIED_ON = 6
"""On how many databases the statements of an attempt are tried."""


@pytest.mark.parametrize("name", WORLDS)
@sized("count", 2, 12)
def test_no_database_refutes_a_proof(name: str, count: int) -> None:
    proofs = 0
    for seed in seeds(count):
        random = Random(seed)
        maker = Pairs(random)
        family, pred, gold = maker.pair()
        relation = Relation(random.choice(tuple(Rows)), random.choice((*Columns, Columns.ORDERED)))
        if attacked(name, pred, gold, relation, f"seed {seed}, {family}"):
            proofs += 1
            for mutant in dict.fromkeys(maker.mutant(gold) for _ in range(MUTANTS)):
                proofs += mutant != gold and attacked(
                    name, pred, mutant, relation, f"mutant of seed {seed}, {family}"
                )
    assert proofs, "nothing was proved, so nothing was attacked"


@pytest.mark.parametrize("name", WORLDS)
@sized("count", 4, 20)
def test_no_database_breaks_a_statement(name: str, count: int) -> None:
    """Whether an attempt proves anything or not, all that it states on the way is true."""
    attempts: list[Steps] = []
    tier = ProofTier(watch=attempts.append)
    world, tried = WORLDS[name], Trials()
    engines = [(e, Evaluator.of(e.connection, world.schema)) for e in databases(name)[:TRIED_ON]]
    for seed in seeds(count):
        family, pred, gold = Pairs(Random(seed)).pair()
        try:
            pair = world.pair(pred, gold)
        except UnmetError:
            continue
        attempts.clear()
        tier.settle(pair, 0)
        for steps in attempts:
            found, broken = run_on(engines, steps)
            tried.add(found)
            assert not broken, f"seed {seed}, {family}, {name}:\n{pred}\n{gold}\n{broken}"
    assert tried.choices, "nothing was stated, so nothing was tried"


def attacked(name: str, pred: str, gold: str, relation: Relation, origin: str) -> bool:
    """Whether a pair is proved; the proof is attacked under its own relation, and the one asked for."""
    world = WORLDS[name]
    try:
        pair = Pair(world.read(pred), world.read(gold), world.schema, world.facts, relation)
    except UnmetError:
        return False
    outcome = TIER.settle(pair, 0)
    if not isinstance(outcome, Proved):
        return False
    for each in dict.fromkeys((outcome.strongest or relation, relation)):
        found = refutation(name, Pair(pair.pred, pair.gold, pair.schema, pair.facts, each))
        assert not found, f"{origin}, {name}, {each}:\n{pred}\n{gold}\n{found}"
    return True


def refutation(name: str, pair: Pair) -> str:
    """A database that distinguishes a pair, or on which possible answers differ; '' if none is found."""
    engine = next((e for e in databases(name) if tells_apart(e, pair)), None)
    if engine is not None:
        return contents(engine, TABLES)
    outcome = WORLDS[name].generator().settle(pair, EFFORT)
    return str(outcome.evidence) if isinstance(outcome, Refuted) else ""


def tells_apart(engine: Guarded, pair: Pair) -> bool:
    try:
        pred, gold = (engine.connection.execute(query.sql).fetchall() for query in (pair.pred, pair.gold))
    except RunnerError:
        return False
    if same_result(pred, gold, pair.relation):
        return False
    exact = pair.exact_arithmetic
    return (
        find(engine, *pair.plans, pair.relation, CAPS, runs=RUNS, exact_arithmetic=exact)
        is DatabaseFinding.APART
    )


@cache
def databases(name: str) -> tuple[Guarded, ...]:
    """Databases that the facts of a world allow."""
    return allowed_databases(WORLDS[name], fill, name, DATABASES)
