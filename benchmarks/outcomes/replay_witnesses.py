"""Replay every witness of results files with nothing but a bare sqlite3, those of DuckDB with a bare DuckDB.

Each file is read in a process of its own that uses the standard library alone: the script in the evidence's
``sql`` is run on a fresh in-memory database, then both queries; their results must be the recorded rows,
and must differ under the recorded relation.  Comparison is written anew here, so that a fault in the
engine's own is seen.

A recorded result in which ties can fall otherwise still has to be what this SQLite returns.  Queries that
read the clock are replayed too, but may return other rows than recorded.

Usage: ``python -m benchmarks.outcomes.replay_witnesses [results/*.jsonl …]``; exit code 1 if any witness
fails.
"""

from __future__ import annotations

import json
import math
import re
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import permutations
from pathlib import Path
from statistics import median

TOLERANCE = 1e-9
"""REAL cells are equal within this, relative."""

_CLOCK = re.compile(
    r"'now'|\bCURRENT_(DATE|TIME|TIMESTAMP)\b|\b(date|datetime|time|julianday)\s*\(\s*\)", re.IGNORECASE
)
_MOST_COLUMNS = 6
"""Permutations of more columns than this are narrowed by the bags of cells that the columns hold."""

Row = tuple[object, ...]


def main() -> int:
    """Replay the witnesses of the files given, each file in a fresh process."""
    if sys.argv[1:2] == ["--here"]:
        return replay_file(Path(sys.argv[2]))
    paths = sys.argv[1:] or [str(path) for path in sorted(Path("results").glob("*.*.jsonl"))]
    command = [sys.executable, "-I", str(Path(__file__).resolve()), "--here"]
    codes = [subprocess.run([*command, path], check=False).returncode for path in paths]
    return max(codes, default=0)


def replay_file(path: Path) -> int:
    """Replay one file's witnesses and print what came of them; 1 if any failed."""
    sizes: list[int] = []
    failures: list[str] = []
    for number, line in enumerate(path.open(encoding="utf-8"), 1):
        record = json.loads(line)
        evidence = record["evidence"]
        if record["verdict"] != "not_equivalent" or evidence["kind"] != "witness":
            continue
        try:
            size, problem = (replay_on_duckdb if record.get("dialect") == "duckdb" else replay)(record)
        except Exception as error:  # noqa: BLE001 - of either engine
            size, problem = 0, f"does not run: {error}"
        sizes.append(size)
        failures += [f"  line {number}, question {record['question_id']}: {problem}"] if problem else []
    large = sum(size > 10 for size in sizes)
    middle = f"median {median(sizes):g} rows in all tables, {large} of more than 10" if sizes else "none"
    print(f"{path.name}: {len(sizes)} witnesses, {len(failures)} failed; {middle}")
    print("\n".join(failures), end="\n" if failures else "", flush=True)
    return 1 if failures else 0


def replay(record: dict[str, object]) -> tuple[int, str]:
    """The number of rows in all tables of a record's witness, and what is wrong with it, or ''.

    Raises:
        sqlite3.Error: the script or a query does not run.
    """
    evidence = record["evidence"]
    assert isinstance(evidence, dict)
    connection = sqlite3.connect(":memory:")
    try:
        connection.executescript(evidence["sql"])
        size = sum(_rows_of_tables(connection))
        sides = []
        bound = evidence.get("binding")  # With parameters: both queries with values in their places.
        asked = {"pred": record["predicted_sql"], "gold": record["gold_sql"]}
        for side, sql in asked.items() if bound is None else ((s, bound[f"{s}_sql"]) for s in asked):
            cursor = connection.execute(str(sql))
            rows = [tuple(row) for row in cursor]
            recorded = [tuple(map(_cell, row)) for row in evidence[f"{side}_rows"]]
            if Counter(map(_exact, rows)) != Counter(map(_exact, recorded)) and not _CLOCK.search(str(sql)):
                return size, f"{side} returns other rows than recorded"
            sides.append((rows, len(cursor.description)))
    finally:
        connection.close()
    (pred, pred_width), (gold, gold_width) = sides
    if pred_width != gold_width:
        return size, ""
    return size, "the results are the same" if same(pred, gold, str(record["relation"])) else ""


def replay_on_duckdb(record: dict[str, object]) -> tuple[int, str]:
    """As :func:`replay`; only rows are compared: that a boolean and a number differ, say, is not seen."""
    import duckdb

    evidence = record["evidence"]
    assert isinstance(evidence, dict)
    with duckdb.connect(":memory:") as fresh:
        fresh.execute("SET scalar_subquery_error_on_multiple_rows = true")
        fresh.execute(str(evidence["sql"]))
        size = sum(count for *_, count in fresh.execute(_SIZES).fetchall())
        pred, gold = (
            [tuple(map(_plain, row)) for row in fresh.execute(str(record[side])).fetchall()]
            for side in ("predicted_sql", "gold_sql")
        )
    if pred and gold and len(pred[0]) != len(gold[0]):
        return size, ""
    return size, "the results are the same" if same(pred, gold, str(record["relation"])) else ""


_SIZES = "SELECT table_name, estimated_size FROM duckdb_tables()"


def _plain(cell: object) -> object:
    """A cell of DuckDB's as a number or a text."""
    if isinstance(cell, bool | Decimal):
        return float(cell)
    return cell if cell is None or isinstance(cell, int | float) else str(cell)


def _rows_of_tables(connection: sqlite3.Connection) -> Iterator[int]:
    tables = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    )
    for (name,) in tables.fetchall():
        quoted = name.replace('"', '""')
        yield connection.execute(f'SELECT COUNT(*) FROM "{quoted}"').fetchone()[0]


def _cell(cell: object) -> object:
    """A recorded cell as SQLite returned it."""
    if isinstance(cell, dict):
        return bytes.fromhex(cell["blob"]) if "blob" in cell else float(cell["real"])
    return cell


def _exact(row: Row) -> tuple[object, ...]:
    return tuple((type(cell).__name__, repr(cell)) for cell in row)


def same(pred: Sequence[Row], gold: Sequence[Row], relation: str) -> bool:
    """Whether two results of equal width are the same under a relation, written as records write it."""
    words = set(re.findall(r"[a-z]+", relation.lower()))
    kind = next(kind for kind in ("list", "bag", "set") if kind in words)
    width = len(pred[0]) if pred else len(gold[0]) if gold else 0
    if kind != "list" and "any" not in words:
        return _same_unordered(pred, gold, kind)
    orders: Iterable[tuple[int, ...]] = [tuple(range(width))]
    if "any" in words:
        narrow = width > _MOST_COLUMNS
        orders = _plausible(pred, gold, width, kind) if narrow else permutations(range(width))
    for order in orders:
        turned = [tuple(row[at] for at in order) for row in gold]
        if kind == "list":
            if len(pred) == len(gold) and all(map(_same_row, pred, turned)):
                return True
        elif _same_unordered(pred, turned, kind):
            return True
    return False


def _plausible(pred: Sequence[Row], gold: Sequence[Row], width: int, kind: str) -> Iterator[tuple[int, ...]]:
    """The orders of gold columns whose cells fit those of the predicted ones, each column for itself."""

    def fits(left: int, right: int) -> bool:
        return _same_unordered([(row[left],) for row in pred], [(row[right],) for row in gold], kind)

    choices = [[right for right in range(width) if fits(left, right)] for left in range(width)]

    def extend(chosen: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(chosen) == width:
            yield chosen
            return
        for right in choices[len(chosen)]:
            if right not in chosen:
                yield from extend((*chosen, right))

    return extend(())


def _same_unordered(pred: Sequence[Row], gold: Sequence[Row], kind: str) -> bool:
    if kind == "set":
        return _covers(pred, gold) and _covers(gold, pred)
    if len(pred) != len(gold):
        return False
    rest = list(gold)
    for row in pred:
        at = next((at for at, other in enumerate(rest) if _same_row(row, other)), None)
        if at is None:
            return False
        rest.pop(at)
    return True


def _covers(rows: Sequence[Row], others: Sequence[Row]) -> bool:
    return all(any(_same_row(row, other) for other in others) for row in rows)


def _same_row(left: Row, right: Row) -> bool:
    return all(map(_same_cell, left, right))


def _same_cell(left: object, right: object) -> bool:
    if isinstance(left, int | float) and isinstance(right, int | float):
        return left == right or (
            (isinstance(left, float) or isinstance(right, float))
            and math.isclose(left, right, rel_tol=TOLERANCE, abs_tol=0.0)
        )
    return type(left) is type(right) and left == right


if __name__ == "__main__":
    sys.exit(main())
