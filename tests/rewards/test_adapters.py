"""The exact signatures that trainers call."""

from __future__ import annotations

import pickle
from collections import deque
from pathlib import Path

import pytest

from equiv.errors import InputError
from equiv.rewards import Policy
from equiv.rewards.rewarder import database_in
from equiv.rewards.skyrl import SQLEnv
from equiv.rewards.trl import EquivReward, equiv_reward
from equiv.rewards.verl import compute_score, compute_score_batch

GOLD = "SELECT name FROM hero WHERE power IN (7, 9)"
RIGHT = "<think>two values</think>```sql\nSELECT name FROM hero WHERE power = 9 OR power = 7\n```"
WRONG = "```sql\nSELECT name FROM hero\n```"


def test_verl_scores_one_solution(heroes: Path) -> None:
    found = compute_score("bird", RIGHT, GOLD, {"index": 3, "db_path": str(heroes)})
    assert (found["score"], found["verdict"]) == (1.0, "equivalent")
    assert compute_score("bird", WRONG, GOLD, extra_info={"db_path": str(heroes)})["score"] == 0


def test_verl_scores_a_batch_by_keywords(heroes: Path) -> None:
    found = compute_score_batch(
        data_sources=["bird"] * 3,
        solution_strs=[RIGHT, WRONG, RIGHT],
        ground_truths=[GOLD, {"sql": GOLD}, GOLD],
        extra_infos=[{"db_id": "heroes"}, {"db_id": "heroes"}, {"db_id": "villains"}],
        db_root=str(heroes.parents[1]),
        policy=Policy(refuted=-0.5),
    )
    assert [each["score"] for each in found] == [1.0, -0.5, 0.0]
    assert found[2]["outcome"] == "trouble"


@pytest.mark.parametrize(
    "truth", [{"gold": GOLD}, {"target": GOLD}, {"target": [GOLD]}, {"target": deque([GOLD])}, [GOLD]]
)
def test_verl_takes_the_fields_of_ground_truths(heroes: Path, truth: object) -> None:
    assert compute_score("bird", RIGHT, truth, {"db_path": str(heroes)})["score"] == 1.0


def test_a_ground_truth_without_a_gold_query_is_told(heroes: Path) -> None:
    extra = {"db_path": str(heroes)}
    told = compute_score("bird", RIGHT, {"question": "?"}, extra)["detail"]
    assert told.startswith("the gold query is in none of the fields gold_sql, ground_truth, ")
    assert (
        compute_score("bird", RIGHT, [GOLD, WRONG], extra)["detail"] == "the gold query is not text but list"
    )


def test_one_text_is_no_batch(heroes: Path) -> None:
    row = {"db_path": str(heroes)}
    with pytest.raises(InputError, match="the ground truths must be a list"):
        compute_score_batch(["bird"], [RIGHT], GOLD, [row])
    with pytest.raises(InputError, match="the column 'db_path' must be a list"):
        EquivReward()(completions=[RIGHT], gold_sql=[GOLD], db_path=str(heroes))


@pytest.mark.parametrize(
    ("row", "database"),
    [
        ({"db_id": "shop"}, Path("root/shop.sqlite")),
        ({"db_file": "shop.sqlite"}, Path("root/shop.sqlite")),
        ({"db_file": "shop.db"}, Path("root/shop.db")),
        ({"db": "/data/shop.db"}, "/data/shop.db"),
        ({"db": "CREATE TABLE t (x)"}, "CREATE TABLE t (x)"),
        ({}, None),
    ],
)
def test_a_row_names_its_database_by_name_by_file_or_by_ddl(row: dict[str, str], database: object) -> None:
    assert database_in(row, "root") == database


def test_verl_without_extra_info_gives_a_score() -> None:
    assert compute_score("bird", RIGHT, GOLD)["outcome"] == "trouble"


def test_trl_scores_texts_and_messages(heroes: Path) -> None:
    columns = {"gold_sql": [GOLD] * 2, "db_path": [str(heroes)] * 2}
    chat = [[{"role": "assistant", "content": text}] for text in (RIGHT, WRONG)]
    ids = [[1], [2]]
    assert equiv_reward(["p", "p"], [RIGHT, WRONG], completions_ids=ids, trainer_state=None, **columns) == [
        1,
        0,
    ]
    assert equiv_reward(prompts=["p", "p"], completions=chat, **columns) == [1, 0]


def test_trl_has_a_name_and_chosen_columns_and_is_pickled(heroes: Path) -> None:
    made = EquivReward(gold="target", db="where", db_root=str(heroes.parents[1]), policy=Policy(proved=2))
    found = pickle.loads(pickle.dumps(made))  # noqa: S301 - our own
    assert found.__name__ == "equiv_reward"
    assert found(completions=[RIGHT], target=[GOLD], where=["heroes"]) == [2.0]


def test_trl_says_which_column_is_missing() -> None:
    with pytest.raises(InputError, match="lacks the column 'gold_sql' or"):
        equiv_reward(prompts=["p"], completions=[RIGHT], db_id=["heroes"])


def test_skyrl_steps_once(heroes: Path) -> None:
    row = {"db_id": "heroes", "reward_spec": {"method": "rule", "ground_truth": GOLD}, "data": "bird"}
    config = {"db_root": str(heroes.parents[1])}
    for action, score in ((RIGHT, 1.0), (WRONG, 0.0), ("", -1.0)):
        env = SQLEnv(config, extras=row)
        assert env.init([{"role": "user", "content": "?"}])[1] == {}
        found = env.step(action)
        assert (found["reward"], found["done"], found["observations"]) == (score, True, [])
        assert found["metadata"]["score"] == score
        env.close()
