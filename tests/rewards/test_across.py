"""Rewards of predictions in one dialect beside gold queries of another, by all ways in."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from equiv.dialects.postgres.wire import is_installed
from equiv.errors import InputError
from equiv.rewards import Policy, Rewarder, Settings, reward
from equiv.rewards.skyrl import SQLEnv
from equiv.rewards.trl import EquivReward
from equiv.rewards.verl import compute_score_batch

pytest.importorskip("duckdb")

DDL = "CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, age INT, seen DATE)"
GOLD = "SELECT age / 2 FROM person"
OTHERS = [
    "duckdb",
    pytest.param("postgres", marks=pytest.mark.skipif(not is_installed(), reason="no server")),
]
ON_GOLDS: Any = {"dialect": "duckdb", "gold_dialect": "sqlite", "schema_dialect": "sqlite"}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("databases") / "shop.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        rows = ", ".join(f"({n}, 'name {n}', {n % 90}, '2020-01-{n % 28 + 1:02}')" for n in range(1, 300))
        connection.executescript(f"{DDL}; INSERT INTO person VALUES {rows}, (300, NULL, NULL, NULL);")
    return path


@pytest.fixture(scope="module")
def rewarder() -> Iterator[Rewarder]:
    policy = Policy(equal_results=0.5, refuted_elsewhere=0.1, invalid=-1)
    with Rewarder(Settings(**ON_GOLDS, policy=policy, effort="quick")) as found:
        yield found


@pytest.mark.long
@pytest.mark.parametrize("other", OTHERS)
def test_published_golds_of_sqlite_reward_predictions_in_another_dialect(other: str, shop: Path) -> None:
    settings = {**ON_GOLDS, "dialect": other}
    whole = "SELECT age // 2 FROM person" if other == "duckdb" else "SELECT age / 2 FROM person"
    real = "SELECT age / 2.0 FROM person"
    with Rewarder(Settings(**settings)) as found:
        on_rows = found.rewards([whole, real, f"```sql\n{whole}\n```"], [GOLD] * 3, [shop] * 3)
        on_ddl = found.rewards([whole, real], [GOLD] * 2, [DDL] * 2)
    assert [(each.score, each.outcome) for each in on_rows] == [(1, "proved"), (0, "refuted"), (1, "proved")]
    assert [each.outcome for each in on_ddl] == ["proved", "refuted"]


def test_equal_results_are_those_of_both_engines(rewarder: Rewarder, shop: Path) -> None:
    """Before, both texts ran on the prediction's engine, on which integers divide to halves."""
    gold = "SELECT GROUP_CONCAT(age / 2, ';') FROM person WHERE id = 7"
    alike = "SELECT string_agg(age // 2, ';') FROM person WHERE id = 7"
    halves = "SELECT string_agg(age / 2, ';') FROM person WHERE id = 7"
    found = rewarder.rewards([alike, halves], [gold] * 2, [shop] * 2)
    assert found[0].score > 0
    assert found[1].outcome in ("refuted", "undecided", "refuted_elsewhere")


def test_a_gold_query_is_read_by_its_own_dialect(rewarder: Rewarder, shop: Path) -> None:
    found = rewarder.reward("SELECT 1", "SELECT age // 2 FROM person", shop)
    assert (found.outcome, found.finding.failure_code) == ("trouble", "GOLD_SYNTAX")
    mine = rewarder.reward("SELECT IIF(age > 1, 1) FROM person", GOLD, shop)
    assert (mine.outcome, mine.score) == ("invalid", -1)


@pytest.mark.parametrize("db", [None, 5, "nope", "/no/such.sqlite"], ids=str)
def test_nothing_that_a_row_holds_raises(rewarder: Rewarder, db: object) -> None:
    assert rewarder.reward("SELECT 1", "SELECT 1", db).outcome == "trouble"


@pytest.mark.parametrize("db", ["CREATE TABLE t (a)", {"t": {"a": "nonsense type"}}], ids=str)
def test_a_table_that_the_other_engine_lacks_leaves_a_pair_open(rewarder: Rewarder, db: object) -> None:
    assert rewarder.reward("SELECT a FROM t", "SELECT a FROM t", db).outcome == "undecided"


@pytest.mark.long
def test_rows_that_the_other_engine_does_not_store_are_not_compared(tmp_path: Path) -> None:
    path = tmp_path / "odd.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(f"{DDL}; INSERT INTO person VALUES (1, 'Bob', 'seven', NULL);")
    policy = Policy(equal_results=0.5)
    text = "SELECT age FROM person WHERE abs(id) = 1"
    assert reward(text, text, path, policy=policy, **ON_GOLDS).outcome in ("proved", "undecided")


@pytest.mark.long
def test_trainers_hand_the_dialects_through(shop: Path) -> None:
    query = "SELECT age // 2 FROM person"
    root = str(shop.parent)
    by_trl = EquivReward(gold="SQL", db="db_id", db_root=root, **ON_GOLDS)
    assert by_trl(completions=[query, GOLD], SQL=[GOLD] * 2, db_id=["shop"] * 2) == [1.0, 0.0]
    infos: list[dict[str, Any] | None] = [{"db_id": "shop"}, {"db_path": str(shop)}]
    found = compute_score_batch(["bird"] * 2, [query, GOLD], [GOLD] * 2, infos, db_root=root, **ON_GOLDS)
    assert [each["score"] for each in found] == [1.0, 0.0]
    row = {"reward_spec": {"ground_truth": GOLD}, "db_id": "shop"}
    assert SQLEnv({"db_root": root, **ON_GOLDS}, row).step(query)["reward"] == 1.0


@pytest.mark.long
def test_a_dialect_that_there_is_not_is_refused_by_the_settings() -> None:
    for wrong in ({"gold_dialect": "mysql"}, {"schema_dialect": "duckdb"}):
        with pytest.raises(InputError, match="dialect"):
            Settings(**wrong)  # type: ignore[arg-type]
