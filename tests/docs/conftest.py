"""A desk at which a page can be followed: what is shipped, and nothing else."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from kit.pages import ROOT


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory of its own, without a key or server of the machine that runs the tests."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    shipped = tmp_path / "dev_databases" / "card_games"
    shipped.mkdir(parents=True)
    for name in ("card_games.sqlite", "schema.sql"):
        shutil.copy(ROOT / "dev_databases" / "card_games" / name, shipped / name)
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "110")
    return tmp_path
