"""The shipped database is built on first use, whole, by whichever process comes first."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from equiv.errors import InputError
from equiv.schema import locate
from equiv.schema.locate import built_database, database_names, named_database, place_for_check

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("build.py", "cards.py", "chance.py", "invent.py", "schema.sql", "words.py")


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A root with the sources of card_games as a fresh clone has them, taken for the checkout's."""
    root = tmp_path / "dev_databases"
    (root / "card_games").mkdir(parents=True)
    for name in SOURCES:
        shutil.copy(ROOT / "dev_databases" / "card_games" / name, root / "card_games" / name)
    monkeypatch.setattr(locate, "CHECKOUT", root)
    return root


def rows(path: Path) -> int:
    """How many sets a database has."""
    with closing(sqlite3.connect(path)) as connection:
        (count,) = connection.execute("SELECT COUNT(*) FROM sets").fetchone()
    return int(count)


@pytest.mark.long
def test_several_that_come_at_once_find_a_whole_database(sources: Path) -> None:
    assert database_names([sources]) == ["card_games"]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: named_database("card_games", [sources]), range(4)))
    assert found == [sources / "card_games" / "card_games.sqlite"] * 4
    assert rows(found[0] or Path()) == 80
    assert sorted(path.name for path in (sources / "card_games").iterdir() if path.is_file()) == sorted(
        [*SOURCES, "card_games.sqlite"]
    )


def test_an_installed_copy_builds_in_the_cache(
    sources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locate, "INSTALLED", sources)
    monkeypatch.setattr(locate, "CHECKOUT", tmp_path / "none")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    found = built_database("card_games", sources)
    assert found is not None
    assert found.is_relative_to(tmp_path / "cache" / "equiv")
    assert rows(found) == 80
    assert built_database("card_games", sources) == found


def test_what_fails_is_said_in_one_line(sources: Path) -> None:
    (sources / "card_games" / "schema.sql").write_text("CREATE nothing")
    with pytest.raises(
        InputError, match=r"^the database card_games could not be built: .*error; try: python3"
    ):
        built_database("card_games", sources)


def test_a_script_of_a_working_folder_is_named_and_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "dev_databases" / "zoo" / "build.py"
    script.parent.mkdir(parents=True)
    script.write_text("raise SystemExit('run')")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(
        InputError, match=r"'zoo' has not been built; try: python3 dev_databases/zoo/build.py"
    ):
        place_for_check("zoo", None)


def test_the_nearest_database_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=r"unknown database 'card_game'.*; did you mean card_games\?$"):
        place_for_check("card_game", None)


def test_what_the_build_reads_is_shipped() -> None:
    text = (ROOT / "pyproject.toml").read_text()
    for name in SOURCES:
        assert f'"dev_databases/card_games/{name}" = "equiv/shipped/card_games/{name}"' in text
    beside = (ROOT / "dev_databases/card_games").iterdir()
    assert sorted(path.name for path in beside if path.suffix in (".py", ".sql")) == sorted(SOURCES)


def test_the_script_builds_where_it_is_told(tmp_path: Path) -> None:
    script = ROOT / "dev_databases" / "card_games" / "build.py"
    target = tmp_path / "games.sqlite"
    subprocess.run([sys.executable, script, target], check=True, capture_output=True, env={**os.environ})
    assert rows(target) == 80
