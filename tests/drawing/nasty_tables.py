"""Tables with every kind of key and reference, and small databases of them that some facts allow."""

from __future__ import annotations

from random import Random

from equiv.core.runner import Connection

DDL = """
CREATE TABLE a (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER NOT NULL, s TEXT, code TEXT UNIQUE);
CREATE TABLE b (
  id INTEGER PRIMARY KEY, a_id INTEGER NOT NULL REFERENCES a (id), p_id INTEGER REFERENCES a (id), x INTEGER,
  s TEXT REFERENCES a (code), u);
CREATE TABLE c (
  code TEXT PRIMARY KEY, a_id TEXT REFERENCES a (id), k TEXT COLLATE NOCASE REFERENCES d (k),
  b_id INTEGER NOT NULL UNIQUE REFERENCES b (id), y INTEGER REFERENCES a (y));
CREATE TABLE d (k TEXT COLLATE NOCASE PRIMARY KEY, x INTEGER UNIQUE, r REAL);
CREATE TABLE e (p INTEGER, q INTEGER, x INTEGER, PRIMARY KEY (p, q));
CREATE TABLE f (
  p INTEGER, q INTEGER, x INTEGER, code TEXT REFERENCES c (code), FOREIGN KEY (p, q) REFERENCES e (p, q));
"""
TABLES = {
    "a": {"id": "i", "x": "i", "y": "i", "s": "t", "code": "t"},
    "b": {"id": "i", "a_id": "i", "p_id": "i", "x": "i", "s": "t", "u": "u"},
    "c": {"code": "t", "a_id": "t", "k": "t", "b_id": "i", "y": "i"},
    "d": {"k": "t", "x": "i", "r": "i"},
    "e": {"p": "i", "q": "i", "x": "i"},
    "f": {"p": "i", "q": "i", "x": "i", "code": "t"},
}
LINKS = (
    ("b.a_id", "a.id"),
    ("b.p_id", "a.id"),
    ("b.s", "a.code"),
    ("c.a_id", "a.id"),
    ("c.k", "d.k"),
    ("c.b_id", "b.id"),
    ("c.y", "a.y"),
    ("f.code", "c.code"),
    ("f.p", "e.p"),
    ("f.q", "e.q"),
)
VALUES = {"i": (0, 1, 2, 3), "t": ("a", "A", "1", "b", "1.0"), "u": (1, 1.0, 1, 1.0, "1", "a", b"a", 2)}
REFERENCES = {
    "b": (("a_id", "a", "id"), ("p_id", "a", "id"), ("s", "a", "code")),
    "c": (("a_id", "a", "id"), ("k", "d", "k"), ("b_id", "b", "id"), ("y", "a", "y")),
    "f": (("code", "c", "code"),),
}


def fill(connection: Connection, random: Random, *, conforming: bool) -> None:
    """Replace all rows; ``conforming`` keeps values in the domain of their declared type."""
    for table in TABLES:
        connection.execute(f"DELETE FROM {table}")
    for table in ("a", "d", "b", "c", "e", "f"):
        kinds = TABLES[table]
        for _ in range(random.choice((0, 1, 2, 3, 4))):
            row = {n: _value(kind, random, conforming=conforming or n == "id") for n, kind in kinds.items()}
            for name, parent, key in REFERENCES.get(table, ()):
                keys = [r[0] for r in connection.execute(f"SELECT {key} FROM {parent}")]
                row[name] = random.choice([*keys, None]) if keys else None
                if parent == "a" and table == "c" and name == "a_id" and row[name] is not None:
                    row[name] = random.choice((str(row[name]), f"{row[name]}.0", f"0{row[name]}"))
            if table == "f":
                keys = [*connection.execute("SELECT p, q FROM e"), (None, 1), (1, None), (None, None)]
                row["p"], row["q"] = random.choice(keys)
            marks = ", ".join("?" * len(row))
            connection.execute(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", list(row.values()))


def _value(kind: str, random: Random, *, conforming: bool) -> object:
    if random.random() < 0.2:
        return None
    if not conforming and random.random() < 0.15:
        return random.choice(("a", "1", 1.5, "A", 1, b"a"))
    return random.choice(VALUES[kind])
