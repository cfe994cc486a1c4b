"""A populated database for rewards."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

DDL = """
CREATE TABLE hero (id INTEGER PRIMARY KEY, name TEXT NOT NULL, power INTEGER, team TEXT);
CREATE TABLE deed (id INTEGER PRIMARY KEY, hero_id INTEGER NOT NULL REFERENCES hero (id), year INTEGER);
"""
ROWS = """
INSERT INTO hero VALUES (1, 'Ada', 7, 'red'), (2, 'Bob', 7, 'blue'), (3, 'Cid', 9, NULL);
INSERT INTO deed VALUES (1, 1, 2001), (2, 1, 2002), (3, 3, 2001);
"""


@pytest.fixture(scope="session")
def heroes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database in a folder of its own, as datasets have them."""
    path = tmp_path_factory.mktemp("databases") / "heroes" / "heroes.sqlite"
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(DDL + ROWS)
    return path
