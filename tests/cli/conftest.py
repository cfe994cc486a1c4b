"""The command line as a user meets it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from equiv import cli

DDL = """
CREATE TABLE person (
    id INTEGER PRIMARY KEY,
    name TEXT,
    age INTEGER,
    city TEXT NOT NULL
);
"""


@dataclass(frozen=True)
class Done:
    """What one run printed, and its exit code."""

    code: int
    out: str
    err: str


@pytest.fixture
def equiv(capsys: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    """Run the command line in this process."""

    def run(*arguments: object) -> Done:
        code = cli.run([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Done(code, captured.out, captured.err)

    return run


@pytest.fixture
def schema(tmp_path: Path) -> Path:
    """A DDL file."""
    path = tmp_path / "people.sql"
    path.write_text(DDL)
    return path
