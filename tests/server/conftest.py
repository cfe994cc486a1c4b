"""A service in this process, whose worker all tests share."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from starlette.testclient import TestClient

_DDL = "CREATE TABLE hero (id INTEGER PRIMARY KEY, name TEXT, power INTEGER)"


@pytest.fixture(scope="session")
def databases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a database ``heroes``; beside it a database that nobody named."""
    root = tmp_path_factory.mktemp("operator") / "databases"
    root.mkdir()
    for path in (root / "heroes.sqlite", root.parent / "secret.sqlite"):
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(f"{_DDL}; INSERT INTO hero VALUES (1, 'Ada', 7), (2, 'Bob', 1)")
    return root


@pytest.fixture(scope="session")
def client(databases: Path) -> Iterator[TestClient]:
    """A client of a service with one worker, which is started once."""
    from starlette.testclient import TestClient

    from equiv.server.run import Service
    from equiv.server.settings import ServiceSettings

    service = Service(
        ServiceSettings(db_roots=(databases,), batch=8, queue=8, body_bytes=20_000, no_token=True)
    )
    with TestClient(service.application(), base_url="http://localhost") as client:
        yield client
