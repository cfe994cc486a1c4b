"""The nasty tables and one more, with dates, truth values and numbers; and rows of them."""

# ruff: noqa: E501 - cells stand side by side

from __future__ import annotations

from random import Random

from drawing import nasty_tables

from equiv.core.runner import Connection

DDL = (
    nasty_tables.DDL
    + """
CREATE TABLE g (
  id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a (id), day DATE, t TEXT NOT NULL, n INTEGER, r REAL,
  flag BOOLEAN);
"""
)
TABLES = {
    **nasty_tables.TABLES,
    "g": {"id": "i", "a_id": "i", "day": "d", "t": "t", "n": "i", "r": "r", "flag": "f"},
}
KEYS = {"a": ("id",), "b": ("id",), "c": ("code",), "d": ("k",), "e": ("p", "q"), "g": ("id",)}
LINKS = (*nasty_tables.LINKS, ("g.a_id", "a.id"), ("g.a_id", "a.id"), ("b.a_id", "a.id"), ("b.p_id", "a.id"))
DAYS = ("2019-12-31", "2020-01-01", "2020-01-31", "2020-02-01", "2020-02-29", "2021-01-01", "2020-1-5")
NUMBERS = (None, 0, 1, 2, 3, 4, -1, 10)
SPICE: dict[str, tuple[object, ...]] = {
    "i": (None, -1, 2, 4, 10, -7, 2020, 100),
    "t": (
        None,
        "",
        "ab",
        "aB",
        " a",
        "a ",
        "2020-01-05",
        "1",
        "01",
        "1.0",
        "10",
        "2",
        "É",
        "é",
        "%",
        "a_",
        "-1",
        "1e0",
    ),
    "u": (None, 0, 1, 1.0, 2, 1.5, "1", "", "a", b"1", "1.0", -1),
    "d": (None, *DAYS[:6], "2020-12-31", "2020-10-10", "2000-01-01"),
    "r": (None, 0.5, 2.5, -1.0, 100.0, 1.0, 7.0),
    "f": (None, 0, 1),
}
WILD = (
    None, "1", "01", " 1", "1x", "1e0", "1.0", "2", "", "a", "A", b"1", b"a", b"", 1, 1.0, 2, 2.0, 1.5, -1, 0, 0.0, 3, 10,
    "10", "2020-01-01", "2020-01-31 00:00:00", "2020-1-1", 2020, 2458850, "12:00", "x", 0.1, "É", 2.5, 0.5,
)  # fmt: skip
REALS = (None, 0.0, 1.0, 1.5, 2.0, -0.5, 3.0)


def fill(connection: Connection, random: Random, *, conforming: bool) -> None:
    """Replace all rows; ``conforming`` keeps values in the domain of their declared type."""
    nasty_tables.fill(connection, random, conforming=conforming)
    connection.execute("DELETE FROM g")
    keys = [row[0] for row in connection.execute("SELECT id FROM a")]
    for number in range(random.choice((0, 1, 2, 3, 5))):
        row: list[object] = [number, random.choice([*keys, None]), random.choice([None, *DAYS[:6]])]
        row += [random.choice(("a", "A", "b", "1", "ab")), random.choice(NUMBERS), random.choice(REALS)]
        row.append(random.choice((None, 0, 1)))
        if not conforming and random.random() < 0.3:
            place = random.randrange(2, 7)
            row[place] = random.choice(("x", "1", 2020, 1.5, b"a", DAYS[6], "2020-01-01 10:00:00"))
        connection.execute("INSERT INTO g VALUES (?, ?, ?, ?, ?, ?, ?)", row)
    for _ in range(random.choice((0, 0, 2, 5, 10))):
        table = random.choice(list(TABLES))
        name, kind = random.choice([each for each in TABLES[table].items() if each[0] != "id"])
        value = random.choice(SPICE[kind] if conforming else WILD)
        sql = f"UPDATE OR IGNORE {table} SET {name} = ? WHERE rowid = (SELECT rowid FROM {table} ORDER BY RANDOM())"
        connection.execute(sql.replace("RANDOM()", f"(rowid * {random.randint(1, 9)}) % 7"), [value])
