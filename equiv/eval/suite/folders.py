"""The folders of a suite, as BIRD's and Spider's scripts look for databases."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from equiv.errors import InputError
from equiv.eval.suite.part import SuitePart
from equiv.eval.suite.script import Layout

REPORT = "suite.json"
"""The report in the folder of a suite; it lists the suite's files."""
WORK = "work"
ENDINGS = (".sqlite", ".sql")
"""How the file of a database ends: SQLite's, and a script of another engine's."""


def open_folder(out: Path) -> Path:
    """Make the folder of a suite, and in it one to work in; what an earlier suite left there goes.

    Raises:
        InputError: it cannot be made, or holds databases that no suite put there.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
        _clear(out)
        shutil.rmtree(out / WORK, ignore_errors=True)
        (out / WORK).mkdir()
    except OSError as error:
        raise InputError(f"{error.filename or out}: {error.strerror or error}") from None
    return out / WORK


def _clear(out: Path) -> None:
    """Remove the files that the report of an earlier suite lists."""
    report = out / REPORT
    if not report.exists():
        stray = next((path for ending in ENDINGS for path in out.glob(f"*/*/*{ending}")), None)
        if stray is not None:
            raise InputError(f"{out}: holds {stray.relative_to(out)}, which no {REPORT} speaks of")
        return
    try:
        files = [str(name) for name in json.loads(report.read_text(encoding="utf-8"))["files"]]
    except (ValueError, KeyError, TypeError):
        raise InputError(f"{report}: not the report of a suite") from None
    for name in files:
        path = out / name
        if path.resolve().is_relative_to(out.resolve()) and path.suffix in ENDINGS:
            path.unlink(missing_ok=True)
            _remove_empty(path.parent, out)
    report.unlink()


def _remove_empty(folder: Path, out: Path) -> None:
    """Remove a folder below another, and those between, if empty: a script would miss files there."""
    while folder != out and folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent


def place_files(out: Path, parts: Sequence[SuitePart], layout: Layout) -> list[SuitePart]:
    """Move the files of all parts to where the script looks for them.

    For BIRD the n-th databases of all parts make the n-th root; a part that has fewer stands there
    with its first once more, so that every question can be asked on every root.
    """
    roots = max(len(part.kept) for part in parts)
    return [_placed(out, part, layout, roots) for part in parts]


def _placed(out: Path, part: SuitePart, layout: Layout, roots: int) -> SuitePart:
    kept, copies = [], []
    for number, each in enumerate(part.kept, 1):
        path = _target(out, part.db_id, layout, number, part.kept[0].path.suffix)
        path.parent.mkdir(parents=True, exist_ok=True)
        kept.append(replace(each, path=each.path.rename(path)))
    for number in range(len(kept) + 1, roots + 1 if layout is Layout.BIRD else 0):
        path = _target(out, part.db_id, layout, number, part.kept[0].path.suffix)
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(kept[0].path, path)
        copies.append(path)
    return replace(part, kept=tuple(kept), copies=tuple(copies))


def _target(out: Path, db_id: str, layout: Layout, number: int, suffix: str) -> Path:
    if layout is Layout.BIRD:
        return out / f"suite-{number}" / db_id / f"{db_id}{suffix}"
    ending = "" if number == 1 else f"-{number}"
    return out / "database" / db_id / f"{db_id}{ending}{suffix}"
