"""A desk at which a page can be followed: what is shipped, and files that a user would have."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from kit.pages import ROOT

PAIR = {
    "question_id": 1,
    "db_id": "card_games",
    "question": "What are the sets called?",
    "predicted_sql": "SELECT DISTINCT name FROM sets",
    "gold_sql": "SELECT name FROM sets",
}
JUDGEMENT = {
    "model": "o3",
    "metric": "ROSE",
    "question_id": 1,
    "score": 0.0,
    "prover": {"verdict": False, "reason": "names repeat"},
    "refuter": None,
}
PRICES = {"MODEL": {"input": 1, "cached_input": 1, "output": 1}}


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory of its own, without a key or server of the machine that runs the tests."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    shipped = tmp_path / "dev_databases" / "card_games"
    shipped.mkdir(parents=True)
    for name in ("card_games.sqlite", "schema.sql"):
        shutil.copy(ROOT / "dev_databases" / "card_games" / name, shipped / name)
    (tmp_path / "ddl").mkdir()
    shutil.copy(shipped / "schema.sql", tmp_path / "ddl" / "card_games.sql")
    for name in ("predictions.json", "pairs.json"):
        (tmp_path / name).write_text(json.dumps([PAIR]))
    (tmp_path / "judgements.jsonl").write_text(json.dumps(JUDGEMENT) + "\n")
    (tmp_path / "prices.json").write_text(json.dumps(PRICES))
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "110")
    return tmp_path
