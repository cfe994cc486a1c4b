"""The schemas on which the rewriters are tried."""

# ruff: noqa: E501 - a schema or a list of names stands on few lines

from __future__ import annotations

from equiv.testing.schema_facts import SHOP

SCHEMAS = {
    "nullable": "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER); CREATE TABLE u (id INTEGER PRIMARY KEY, b INTEGER);",
    "shop": SHOP,
    "library": """
CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT, born INTEGER);
CREATE TABLE book (
  id INTEGER PRIMARY KEY, author_id INTEGER REFERENCES author (id), title TEXT NOT NULL, pages INTEGER, price REAL);
CREATE TABLE loan (
  id INTEGER PRIMARY KEY, book_id INTEGER NOT NULL REFERENCES book (id), reader TEXT, days INTEGER, fine INTEGER NOT NULL);
""",
    "nocase": """
CREATE TABLE member (nick TEXT COLLATE NOCASE PRIMARY KEY, town TEXT, joined DATE NOT NULL);
CREATE TABLE visit (
  nick TEXT COLLATE NOCASE REFERENCES member (nick), day DATE, town TEXT COLLATE NOCASE, cost INTEGER);
""",
}  # fmt: skip
"""Two nullable columns; the kit's own; integers, reals and texts; texts of any case, and dates."""

KINDS = {"nullable": "i", "shop": "itdn", "library": "it", "nocase": "itdn"}
"""The kinds of columns that each has, beside keys: (i)nteger, (t)ext, (d)ate, (n)ocase."""
