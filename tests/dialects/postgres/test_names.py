"""Names in any case and any quotes, as object-relational mappers write them."""

from __future__ import annotations

from pathlib import Path

import pytest

from equiv import Checker, check

DDL = """
CREATE TYPE "Mood" AS ENUM ('Sad', 'ok');
CREATE TABLE "User" ("id" SERIAL NOT NULL, "createdAt" TIMESTAMP(3) NOT NULL DEFAULT now(), "order" int,
  "a ""b" int, "(x) {y}" int, "\\ <>" text, "mood" "Mood", CONSTRAINT "User_pkey" PRIMARY KEY ("id"));
CREATE TABLE "Post" (id int PRIMARY KEY, "authorId" INTEGER NOT NULL, "Größe" int, "select" text);
ALTER TABLE "Post" ADD CONSTRAINT "Post_authorId_fkey" FOREIGN KEY ("authorId") REFERENCES "User"("id");
CREATE VIEW "Recent" AS SELECT "createdAt" AS "At" FROM "User" WHERE "order" > 1;
CREATE MATERIALIZED VIEW "Kept" AS SELECT "order" AS "No" FROM "User";
CREATE SCHEMA "Shop"; CREATE TABLE "Shop"."Sale" ("userId" int NOT NULL);
"""
PAIRS = (
    ('SELECT "createdAt" FROM "User" WHERE "order" > 1', 'SELECT "At" FROM "Recent"', "equivalent"),
    ('SELECT DISTINCT "id", "createdAt" FROM "User"', 'SELECT "id", "createdAt" FROM "User"', "equivalent"),
    ('SELECT p.id FROM "Post" p JOIN "User" u ON u.id = p."authorId"', 'SELECT id FROM "Post"', "equivalent"),
    ('SELECT "a ""b" FROM "User"', 'SELECT "(x) {y}" FROM "User"', "not_equivalent"),
    ('SELECT "\\ <>" FROM "User" WHERE "order" = 1', 'SELECT "\\ <>" FROM "User"', "not_equivalent"),
    (
        'SELECT "Größe", "select" FROM "Post" WHERE "Größe" > 2',
        'SELECT "Größe", "select" FROM "Post"',
        "not_equivalent",
    ),
    (
        'SELECT "createdAt" FROM "User" WHERE mood = \'Sad\'',
        'SELECT "createdAt" FROM "User"',
        "not_equivalent",
    ),
    ('SELECT "No" FROM "Kept" WHERE "No" > 0', 'SELECT "No" FROM "Kept" WHERE NOT "No" <= 0', "equivalent"),
    (
        'SELECT "userId" FROM "Shop"."Sale" WHERE "userId" > 1',
        'SELECT "userId" FROM "Sale"',
        "not_equivalent",
    ),
    (
        'SELECT q."Z" FROM (SELECT "order" AS "Z" FROM "User") q',
        'SELECT "order" AS "z" FROM "User"',
        "equivalent",
    ),
    ("SELECT createdAt FROM User", 'SELECT "createdAt" FROM "User"', "invalid"),
)


def test_names_are_what_they_are_in_quotes() -> None:
    with Checker(DDL, dialect="postgres", effort="quick") as checker:
        for pred, gold, name in PAIRS:
            assert checker.check(pred, gold).name == name, pred


@pytest.mark.long
def test_rows_of_columns_with_such_names_are_read(tmp_path: Path) -> None:
    path = tmp_path / "dump.sql"
    columns = '"createdAt", "order", "a ""b"'
    rows = f"INSERT INTO \"User\" ({columns}) VALUES ('2026-01-01', 1, 2), ('2026-01-02', 2, 2);"
    path.write_text(f"{DDL}{rows}")
    found = check(
        'SELECT "order" FROM "User"', 'SELECT "a ""b" FROM "User"', db=str(path), dialect="postgres"
    )
    assert (found.name, found.tier) == ("not_equivalent", "data")
