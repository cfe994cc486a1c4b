"""The page on gold queries in two dialects: counts, and the commonest differences on queries of our own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from statistics import median
from typing import Any

import sqlglot

from benchmarks.across.mends import MENDS
from benchmarks.duckdb.pair_tables import kind_of_message
from benchmarks.journal import Record, markdown
from equiv.core.single_values import sql_literal
from equiv.dialects.crossing.sides import shared, told
from equiv.dialects.registry import dialect_named
from equiv.engine.make import make_engine
from equiv.options import Options
from equiv.testing.asserts import SHOP
from equiv.verdict import Invalid, NotEquivalent, Verdict, Witness

_COLUMNS = (
    *("gold queries", "pairs", "transpiled", "both prepared", "both translated"),
    *("agree", "differ", "undecided", "seconds: median"),
)
NAMES = {
    "edition": "SQLite's against the PostgreSQL edition's",
    "duckdb": "SQLite's against sqlglot's for DuckDB",
    "postgres": "SQLite's against sqlglot's for PostgreSQL",
}

EXAMPLES = {
    MENDS[0].kind: "SELECT id FROM orders WHERE note LIKE 'a%'",
    MENDS[1].kind: "SELECT total / 2 FROM orders",
    MENDS[2].kind: "SELECT CAST(rate AS INTEGER) = 1 FROM orders",
    MENDS[3].kind: "SELECT MAX(total, 1) FROM orders",
    MENDS[4].kind: "SELECT id FROM orders WHERE note = 1",
    MENDS[6].kind: "SELECT id FROM orders WHERE SUBSTR(note, -2) = '19'",
    MENDS[7].kind: "SELECT id FROM orders WHERE day = '2020-01-01 00:00:00.0'",
    "a column beside GROUP BY": "SELECT shop_id, note FROM orders GROUP BY shop_id",
    "texts beside numbers or dates": "SELECT id FROM orders WHERE note BETWEEN 1 AND 2",
    "a text that is computed with": "SELECT STRFTIME('%Y', day) - 1 FROM orders",
    "a date that is read as a text": "SELECT id FROM orders WHERE day LIKE '2020%'",
    "a number for a condition": "SELECT id FROM orders WHERE total",
    "a boolean that is added up": "SELECT SUM(total > 1) FROM orders",
    "ROUND of a DOUBLE to decimals": "SELECT ROUND(rate, 1) FROM orders",
    "a function that the other lacks": "SELECT JULIANDAY(day) FROM orders",
    "names that are not there, or may be several": 'SELECT "Id" FROM orders',
}
"""A query of our own for each kind of difference."""

_ORDERED = "SELECT id FROM orders ORDER BY note LIMIT 1"
_NARROW = "SELECT CAST(total AS REAL) / CAST(id AS REAL) FROM orders"
_BARE = "SELECT note, SUM(total) FROM orders WHERE total > 1"
_ADDED = "SELECT SUM({}) FROM orders"
_LAST = "SELECT id FROM orders{} ORDER BY note DESC LIMIT 1"
WRITTEN = {
    MENDS[5].kind: (_ORDERED, _ORDERED),
    MENDS[8].kind: (_NARROW, _NARROW),
    MENDS[9].kind: (_LAST.format(""), _LAST.format(" WHERE note IS NOT NULL")),
    MENDS[10].kind: (_BARE, f"{_BARE} GROUP BY note"),
    MENDS[11].kind: (_ADDED.format("total > 1"), _ADDED.format("CASE WHEN total > 1 THEN 1 ELSE 0 END")),
}
"""Kinds of which sqlglot's transpilation is right: SQLite's query, and what people write."""

SHOWN = 18
"""How many kinds are shown, those of which there are witnesses first."""

_HERE = "here"

_HEAD = (
    "# Gold queries in two dialects",
    "",
    "Written by `python -m benchmarks.across.golds $EQUIV_DATA RESULTS --page benchmarks/across/golds.md`.",
    "",
    "BIRD mini-dev's gold queries: SQLite's against those of its PostgreSQL edition, and against their own",
    "transpilation by sqlglot; relation `bird`. *Agree* is proved, *differ* has a database on which both",
    "engines show it. REAL of PostgreSQL's edition, of 24 bits, is read as DOUBLE PRECISION. Pairs come in",
    "a random order: a row of fewer than 498 is a sample.",
    "",
)
_MIDDLE = (
    "",
    "## The commonest differences",
    "",
    "How many pairs differ by it, and then for what queries are refused; with a query",
    "of our own, as sqlglot writes it, and what the two engines make of it on a smallest database.",
    "",
)


def tables(records: Sequence[Record]) -> Iterator[str]:
    """The tables of a results file, without a text of the corpora."""
    runs = {run: own for run in NAMES if (own := [r for r in records if r["run"] == run])}
    yield from markdown(_COLUMNS, (_row(*each) for each in runs.items()))
    for title, count in (("differs by", kinds), ("is refused", refusals), ("undecided", undecided)):
        yield ""
        counts = ((NAMES[run], *each) for run, own in runs.items() for each in count(own).most_common())
        yield from markdown(("gold queries", title, "pairs"), counts)


def _row(run: str, records: Sequence[Record]) -> tuple[object, ...]:
    read = [record for record in records if "read" in record]
    prepared = [r for r in read if not any(each.startswith("refused") for each in r["read"])]
    translated = [r for r in prepared if r["read"] == ["read", "read"]]
    verdicts = Counter(record["verdict"] for record in prepared)
    times = [record["seconds"] for record in prepared] or [0.0]
    return (
        *(NAMES[run], len(records), len(read), len(prepared), len(translated), verdicts["equivalent"]),
        *(verdicts["not_equivalent"], verdicts["undecided"], f"{median(times):.2f}"),
    )


def kinds(records: Sequence[Record]) -> Counter[str]:
    """By what refuted pairs differ; a pair that two mends each repair counts for the first."""
    found: Counter[str] = Counter()
    for record in records:
        if record["verdict"] == "not_equivalent":
            mends = record["kinds"]
            found[mends[0][0] if mends else f"something else ({record['difference']})"] += 1
    return found


def refusals(records: Sequence[Record]) -> Counter[str]:
    """Why one of the engines refuses its text."""
    found: Counter[str] = Counter()
    for record in records:
        for ended in record.get("read", ()):
            if ended.startswith("refused"):
                found[kind_of_message(ended.removeprefix("refused: "))] += 1
    return found


def undecided(records: Sequence[Record]) -> Counter[str]:
    """Why pairs that both engines prepare are undecided."""
    found: Counter[str] = Counter()
    for record in records:
        refused = any(each.startswith("refused") for each in record.get("read", ()))
        if record["verdict"] == "undecided" and not refused:
            detail = record["detail"].removeprefix("prediction: ").removeprefix("gold query: ")
            found[f"{record['reason']} {kind_of_message(detail)}".strip()] += 1
    return found


def page(records: Sequence[Record]) -> Iterator[str]:
    """The page, line by line; nothing in it is a text of the corpora."""
    yield from _HEAD
    yield from tables(records)
    yield from _MIDDLE
    runs = [run for run in NAMES if any(record["run"] == run for record in records)]
    counts = {run: _whats([r for r in records if r["run"] == run]) for run in runs}
    whole: Counter[str] = sum(counts.values(), Counter())
    known = {what: (sql, "") for what, sql in EXAMPLES.items()} | WRITTEN
    differ = {mend.kind for mend in MENDS}
    rows = []
    for what in sorted(known, key=lambda what: (what not in differ, -whole[what]))[:SHOWN]:
        examples = [_example(*known[what], target) for target in ("duckdb", "postgres")]
        told = next((each for each in examples if not each[-1].endswith(_HERE)), examples[0])
        rows.append((what, *(counts[run][what] for run in runs), *told))
    yield from markdown(("what", *runs, "in SQLite", "transpiled", "on", "SQLite", "the other"), rows)


def _whats(records: Sequence[Record]) -> Counter[str]:
    return kinds(records) + refusals(records)


def _example(sql: str, written: str, target: str) -> tuple[str, ...]:
    text = written or sqlglot.transpile(sql, read="sqlite", write=target)[0]
    sqlite, other = dialect_named("sqlite"), dialect_named(target)
    given = sqlite.loader.read_ddl(SHOP)
    schema = shared(told(given, sqlite, other), given, 1)
    options = Options(dialect=target, gold_dialect="sqlite", timeout=None)
    with closing(make_engine(schema, None, options)) as engine:
        verdict = engine.check(text, sql)
    return (_code(sql), f"{other.title}: {_code(text)}", *_shown(verdict))


def _shown(verdict: Verdict) -> tuple[str, str, str]:
    """The database and the two answers."""
    match verdict:
        case NotEquivalent(evidence=Witness() as witness):
            filled = [
                f"{name} ({', '.join(columns)}): {_rows(rows)}"
                for name, (columns, rows) in witness.tables.items()
                if rows
            ]
            return "; ".join(filled), _rows(witness.gold_rows), _rows(witness.pred_rows)
        case Invalid(message=message):
            return "", "", f"refused: {message[:80]}".replace("|", "\\|")
    return "", "", f"{verdict.name} {_HERE}"


def _rows(rows: Sequence[Sequence[Any]]) -> str:
    return ", ".join(f"({', '.join(map(sql_literal, row))})" for row in rows) or "no row"


def _code(sql: str) -> str:
    return f"`{sql}`".replace("|", "\\|")
