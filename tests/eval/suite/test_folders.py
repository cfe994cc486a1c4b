"""The folder of a suite: what an earlier suite left there goes, and nothing else does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from equiv.errors import InputError
from equiv.eval.suite.part import KeptDatabase, SuitePart
from equiv.eval.suite.report import open_folder, place_files
from equiv.eval.suite.script import Layout


def part(work: Path, db_id: str, number: int) -> SuitePart:
    paths = [work / f"{db_id}-{at}.sqlite" for at in range(number)]
    for at, path in enumerate(paths):
        path.write_text(f"{db_id} {at}")
    return SuitePart(
        db_id, (), tuple(KeptDatabase(path, {}, frozenset()) for path in paths), (), frozenset(), frozenset()
    )


def files(out: Path) -> dict[str, str]:
    return {str(file.relative_to(out)): file.read_text() for file in sorted(out.rglob("*.sqlite"))}


def test_for_bird_every_root_has_every_database(tmp_path: Path) -> None:
    work = open_folder(tmp_path)
    placed = place_files(tmp_path, [part(work, "a", 1), part(work, "b", 2)], Layout.BIRD)
    assert files(tmp_path) == {
        "suite-1/a/a.sqlite": "a 0",
        "suite-1/b/b.sqlite": "b 0",
        "suite-2/a/a.sqlite": "a 0",
        "suite-2/b/b.sqlite": "b 1",
    }
    assert [len(each.copies) for each in placed] == [1, 0]


def test_for_spider_one_folder_has_all_files_of_a_database(tmp_path: Path) -> None:
    work = open_folder(tmp_path)
    place_files(tmp_path, [part(work, "a", 1), part(work, "b", 2)], Layout.SPIDER)
    assert files(tmp_path) == {
        "database/a/a.sqlite": "a 0",
        "database/b/b-2.sqlite": "b 1",
        "database/b/b.sqlite": "b 0",
    }


def test_an_earlier_suite_goes_with_its_folders_and_other_files_stay(tmp_path: Path) -> None:
    place_files(tmp_path, [part(open_folder(tmp_path), "a", 2)], Layout.BIRD)
    (tmp_path / "suite.json").write_text(json.dumps({"files": list(files(tmp_path))}))
    (tmp_path / "suite-1" / "notes.txt").write_text("mine")
    open_folder(tmp_path)
    assert files(tmp_path) == {}
    assert not (tmp_path / "suite-2").exists()
    assert (tmp_path / "suite-1" / "notes.txt").exists()


def test_a_folder_with_databases_of_somebody_else_is_refused(tmp_path: Path) -> None:
    database = tmp_path / "dev_databases" / "zoo" / "zoo.sqlite"
    database.parent.mkdir(parents=True)
    database.write_bytes(b"precious")
    with pytest.raises(InputError, match=r"zoo\.sqlite"):
        open_folder(tmp_path)
    assert database.read_bytes() == b"precious"


def test_a_report_cannot_name_files_outside_its_folder(tmp_path: Path) -> None:
    outside = tmp_path / "outside.sqlite"
    outside.write_bytes(b"precious")
    out = tmp_path / "out"
    out.mkdir()
    (out / "suite.json").write_text('{"files": ["../outside.sqlite"]}')
    open_folder(out)
    assert outside.read_bytes() == b"precious"
