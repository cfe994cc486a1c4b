"""URLs of databases, and the paths that stand for them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from equiv.core.connection import is_url, name_of, named_below, path_of, url_of


def test_a_url_travels_as_a_path_without_its_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGPASSWORD", "")
    url = "postgresql://me:s%40cret@host:5433/shop?sslmode=require"
    path = path_of(url).absolute()
    assert url_of(path) == "postgresql://me@host:5433/shop?sslmode=require"
    assert os.environ["PGPASSWORD"] == "s@cret"
    assert "cret" not in str(path)
    assert (name_of(url), is_url(url), is_url("a/b.sqlite"), url_of(Path("a/b.sqlite"))) == (
        "shop",
        True,
        False,
        None,
    )
    assert url_of(path_of("postgres:///shop?host=/tmp")) == "postgresql:///shop?host=/tmp"


@pytest.mark.parametrize(
    ("root", "below"),
    [
        ("postgresql://me@host/{db}?sslmode=require", "postgresql://me@host/a%20b?sslmode=require"),
        ("postgresql://host", "postgresql://host/a%20b"),
        ("postgresql:///?host=/run", "postgresql:///a%20b?host=/run"),
        ("postgresql://host/bird_{db}", "postgresql://host/bird_a%20b"),
        ("postgresql://host/shop", "postgresql://host/shop"),
    ],
)
def test_the_url_of_one_database_among_many(root: str, below: str) -> None:
    assert named_below(root, "a b") == below


def test_a_url_without_a_database_is_called_as_libpq_takes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PGDATABASE", raising=False)
    assert name_of("postgresql://me@host") == "me"
    assert name_of("postgresql://me@host?dbname=shop") == "shop"
    monkeypatch.setenv("PGDATABASE", "there")
    assert name_of("postgresql://me@host/") == "there"
