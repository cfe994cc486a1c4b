"""Near misses put to rules and proof directly: whatever they prove, no database may distinguish.

A few pairs of each world, always the same; many are attacked by ``make soundness``.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest
from kit.sizes import SEED, TIMES

from benchmarks.attacks import misses
from benchmarks.attacks.misses import Generated
from benchmarks.attacks.schemas import WORLDS, World
from equiv.answers.pair import Pair
from equiv.core.query import Query
from equiv.engine.make import make_engine
from equiv.engine.pipeline import Engine
from equiv.relation import Relation, Rows
from equiv.testing.fuzz.attacker import Asking, Attacker, is_excused, softened
from equiv.testing.making.conditions import Conditions
from equiv.tiers.outcome import Proved, Refuted, TierOutcome
from equiv.verdict import Derivation, Difference, Tier, Witness
from equiv.workers.scheduler import do_kept

EFFORT = 60
LONG = 60.0
"""So much processor time no question takes: what is proved does not depend on the machine."""
NAMES = ("two tables", "orders", "nasty", "orders, assumed")
TWO = next(world for world in WORLDS if world.name == "two tables")


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_no_near_miss_is_proved(name: str) -> None:
    world = next(w for w in WORLDS if w.name == name)
    with closing(engine_of(world)) as engine:
        attacker = Attacker(engine, SEED, Asking(EFFORT, LONG))
        for pair in misses.near_misses(world, SEED, engine.read):
            attacker.ask(*pair)
            assert not attacker.found.broken, attacker.found.broken[0]
            if attacker.found.pairs >= 15 * TIMES:
                break
        assert attacker.found.proved, "nothing was proved, so nothing was attacked"


GROUPED = (
    "SELECT y, SUM(x) FROM a WHERE {} GROUP BY y",
    "SELECT y, COUNT(*) FROM a WHERE {} GROUP BY y HAVING COUNT(*) > 1",
    "SELECT y, AVG(x) FROM a WHERE x > 1 AND {} GROUP BY y",
)


@pytest.mark.long
@pytest.mark.parametrize("base", GROUPED)
def test_no_condition_that_mentions_no_row_is_proved_away(base: str) -> None:
    conditions = Conditions(Random(SEED + 3), TWO.schema)
    with closing(engine_of(TWO)) as engine:
        attacker = Attacker(engine, SEED, Asking(EFFORT, LONG))
        for condition in (*(conditions.apart(0) for _ in range(3)), "x > y AND y > x"):
            attacker.ask(condition, base.format(condition), base.format("1"))
    assert not attacker.found.broken, attacker.found.broken[0]


def engine_of(world: World) -> Engine:
    return make_engine(world.schema, None, world.options)


class Liar:
    """Proves everything."""

    tier = Tier.PROOF

    def settle(self, pair: Pair, effort: int) -> TierOutcome:
        del effort
        return Proved(Derivation((), (), pair.gold.sql))


class Endless:
    """Works until its time is up."""

    tier = Tier.PROOF

    def settle(self, pair: Pair, effort: int) -> TierOutcome:
        del pair, effort
        while True:
            pass


def test_a_question_that_takes_too_long_is_given_up() -> None:
    with closing(engine_of(TWO)) as engine:
        attacker = Attacker(engine, 1, Asking(EFFORT, 0.01))
        attacker._provers = (Endless(),)
        assert not attacker.ask("", BASE, BASE)
    assert attacker.found.given_up == 1


def test_the_time_may_be_up_while_the_limit_is_being_taken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    set_timer = signal.setitimer

    def late(which: int, seconds: float, interval: float = 0.0) -> None:
        if seconds == 0:
            signal.raise_signal(signal.SIGVTALRM)
        set_timer(which, seconds, interval)

    with closing(engine_of(TWO)) as engine:
        attacker = Attacker(engine, 1, Asking(EFFORT))
        attacker._provers = (Liar(),)
        monkeypatch.setattr(signal, "setitimer", late)
        assert attacker.ask("", BASE, BASE)


BASE = "SELECT a.y, COUNT(*) FROM a WHERE a.hard_i % 97 = 5 GROUP BY a.y"
WRONG = {
    "a group less": ("SELECT a.y FROM a GROUP BY a.y", "SELECT a.y FROM a WHERE a.x > 1 GROUP BY a.y"),
    "a hard number": (BASE, BASE.replace("97 = 5", "97 = 5 AND EXISTS (SELECT 1 FROM b)")),
    "a hard text": (BASE, BASE.replace("= 5", "= 5 AND EXISTS (SELECT 1 FROM b WHERE b.hard_t LIKE 'zq%9')")),
    "a large group": (f"{BASE} HAVING COUNT(*) > 40", f"{BASE} HAVING COUNT(*) > 40 AND MAX(a.x) > 1"),
}


@pytest.mark.parametrize("kind", WRONG)
def test_a_wrong_proof_is_broken_whatever_the_conditions_ask_for(kind: str) -> None:
    with closing(engine_of(TWO)) as engine:
        attacker = Attacker(engine, 1, Asking(EFFORT))
        attacker._provers = (Liar(),)
        attacker.ask(kind, *WRONG[kind])
    assert attacker.found.broken, kind
    assert "decide" in attacker.found.broken[0]


def test_a_right_proof_is_not_broken() -> None:
    with closing(engine_of(TWO)) as engine:
        attacker = Attacker(engine, 1, Asking(EFFORT))
        assert attacker.ask("", f"SELECT * FROM ({BASE}) AS w", BASE)
        assert not attacker.ask("", BASE.replace("= 5", "= 6"), BASE)
    assert not attacker.found.broken
    assert attacker.found.pairs == 2


IN_PARTS = "SELECT SUM(q.s) FROM (SELECT SUM(a.x) AS s FROM a GROUP BY a.y) AS q"


@pytest.mark.parametrize(
    ("pred_sql", "difference", "excused"),
    [
        (IN_PARTS, Difference.ERROR, True),
        ("SELECT a.y FROM a WHERE ABS(a.x) > 1", Difference.ERROR, True),
        (IN_PARTS, Difference.VALUES, False),
        ("SELECT SUM(b.x) FROM a AS b", Difference.ERROR, False),
    ],
)
def test_an_error_is_excused_where_a_claim_names_the_fact_that_excludes_it(
    pred_sql: str, difference: Difference, *, excused: bool
) -> None:
    with closing(engine_of(TWO)) as engine:
        queries = [engine.read(sql) for sql in (pred_sql, "SELECT SUM(a.x) FROM a")]
        pred, gold = (query for query in queries if isinstance(query, Query))
        pair = Pair(pred, gold, engine.schema, engine.facts, Relation(Rows.LIST))
        assert is_excused(pair, Refuted(Witness("", (), ()), difference)) is excused


def test_hard_conditions_are_softened_alike() -> None:
    assert softened('SELECT 1 FROM b WHERE b.hard_t LIKE \'zq%9\' OR "m"."hard_i" % 97 = 5') == (
        'SELECT 1 FROM b WHERE b.hard_t = \'a\' OR "m"."hard_i" = 1'
    )


def test_near_misses_repeat_and_differ_from_what_they_miss() -> None:
    with closing(engine_of(TWO)) as engine:

        def first(seed: int) -> list[tuple[str, str, str]]:
            return [
                pair for pair, _ in zip(misses.near_misses(TWO, seed, engine.read), range(60), strict=False)
            ]

        assert first(3) == first(3) != first(4)
        assert all(left != right for _, left, right in first(3))


@dataclass(frozen=True)
class Step:
    key: str


def worked_off(step: Step) -> dict[str, Any]:
    if step.key == "dies":
        os.kill(os.getpid(), signal.SIGKILL)
    return {"done": step.key}


@pytest.mark.long
def test_tasks_are_resumed_and_a_killed_worker_costs_its_own_task_alone(tmp_path: Path) -> None:
    kept, steps = tmp_path / "results" / "kept.jsonl", [Step(key) for key in ("one", "dies", "two")]

    def outcomes(work: list[Step]) -> Iterator[str]:
        for found in do_kept(work, worked_off, 1, kept):
            yield found["done"] if found else "lost"

    assert sorted(outcomes(steps)) == ["lost", "one", "two"]
    size = kept.stat().st_size
    assert list(outcomes([steps[0], steps[2]])) == ["one", "two"]
    assert kept.stat().st_size == size


@pytest.mark.long
def test_an_attack_gives_figures_that_add_up() -> None:
    found = misses.attack(Generated(TWO, 5, 12, Asking(20)))
    assert found["pairs"] + found["unread"] == 12
    assert sum(found["proved"].values()) > 0
    assert not found["broken"]
