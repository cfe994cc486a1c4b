"""The options of ``eval`` that say how files are read, and what is told in the end; see ``spread``.

At the end of a run its records are written in the forms of others, too: ROSE's ``eval_results.json``,
Parquet, and misses as CSV. The JSON lines of ``--out`` are the truth; these are views of them.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any
from urllib.parse import quote

from equiv.core.connection import place_of
from equiv.errors import InputError, did_you_mean
from equiv.files import FileErrors
from equiv.records.record import Record, is_executed
from equiv.show.arguments import option
from equiv.verdict import FURTHER_FACTS


class Format(StrEnum):
    """The names that ``--format`` takes."""

    AUTO = "auto"
    ROSE = "rose"
    BIRD = "bird"
    SPIDER = "spider"
    JSONL = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"
    LIST = "list"
    """A JSON list of queries by position."""
    NODES = "nodes"
    """What the modules of a system gave, in files or folders; see
    :mod:`equiv.eval.reading.nl2sqlbench`."""


def format_named(name: str) -> Format:
    """The format of that name.

    Raises:
        InputError: there is none.
    """
    try:
        return Format(name)
    except ValueError:
        near = did_you_mean(name, Format) or ";"
        raise InputError(f"unknown format {name!r}{near} choose one of {', '.join(Format)}") from None


DB_ROOT = "--db-root", "--db"
"""The names of the option for populated databases, of every command that reads an evaluation's."""
POPULATED = "Populated databases: <db_id>/<db_id>.sqlite, <db_id>.sqlite, or one for all."
"""What help says of it."""


@dataclass(frozen=True, kw_only=True)
class FileOptions:
    """The options that say what files are read, and as what."""

    gold: Path | None = option(None, "FILE", "Gold queries; predictions are matched to them by id.")
    kind: str = option("auto", "|".join(Format), "Format of the prediction files.", "--format")
    mapping: str = option("", "COLUMN=FIELD,…", "Rename columns, for example answer=pred,q=id.", "--map")
    extract: bool = option(False, None, "Extract queries from code fences, tags or prose.", "--extract")


@dataclass(frozen=True, kw_only=True)
class ReadingOptions(FileOptions):
    """The options that say how prediction files are read."""

    encoding: str = option("", "NAME", "Encoding of text files; default UTF-8 or UTF-16.")
    vote: float | None = option(
        None, "SHARE", "Take the query that this share of the samples agrees on, or abstain.", min=0, max=1
    )


AS_IT_IS = ReadingOptions()


@dataclass(frozen=True, kw_only=True)
class Auditing(FileOptions):
    """The options of an audit of gold queries."""

    db_root: Path | None = option(None, "DIR|FILE|URL", POPULATED, *DB_ROOT, parser=place_of)
    schema: Path | None = option(None, "FILE", "A DDL file, a folder of <db_id>.sql files, or tables.json.")
    kinds: str = option("all", "all|KIND,…", "Kinds of faults to look for.")
    judged: tuple[Path, ...] = option(
        (), "FILE", "Results of a judged eval, for its faulty gold queries; repeatable."
    )
    agree: int = option(2, "N", "How many systems must agree on another answer.", min=2)
    out: Path | None = option(None, "FILE.jsonl", "Append one record per finding to this file.")
    ranking: Path | None = option(
        None, "FILE.jsonl", "Write all gold queries, ranked by how likely they are faulty."
    )
    html: Path | None = option(None, "FILE.html", "Write all gold queries and findings as one HTML file.")
    workers: int = option(1, "N", "Worker processes.", min=1)
    limit: int | None = option(None, "N", "Only the first N gold queries.", min=1)
    cases: int = option(5, "N", "How many findings of each kind to show.", min=0)
    as_json: bool = option(False, None, "Print counts and findings as JSON.", "--json")


@dataclass(frozen=True, kw_only=True)
class Telling:
    """The options that say which views of its records an evaluation writes or prints."""

    fail_under: float | None = option(
        None, "PERCENT", "Exit with 1 if a system's score over all its items is below.", min=0, max=100
    )
    conditions: bool = option(
        False,
        None,
        "At the end, search for facts under which pairs with score 0 are equivalent.",
        "--conditions/--no-conditions",
    )
    condition_seconds: float = option(30.0, "SECONDS", "Time limit for that search in total.", min=0)
    ex: bool = option(True, None, "Measure execution accuracy where there is a database.", "--ex/--no-ex")
    rose_results: Path | None = option(None, "FILE.json", "Write the scores as ROSE's eval_results.json.")
    parquet: Path | None = option(None, "FILE", "Also write the records as Parquet.")
    misses: Path | None = option(None, "FILE.csv", "Write a table of pairs that did not score 1.", "--csv")
    page: Path | None = option(None, "FILE.html", "Write a report as one HTML file.", "--report")

    @property
    def keeps_records(self) -> bool:
        """Whether all records are wanted together at the end."""
        return any(wanted is not None for wanted in (self.rose_results, self.parquet, self.misses, self.page))

    def write(self, records: Callable[[], Iterable[Record]]) -> list[str]:
        """Write the views of the records that the options ask for.

        Returns:
            remarks to print.

        Args:
            records: gives them from the first to the last, each time that it is called.

        Raises:
            InputError: one cannot be written.
        """
        remarks = []
        if self.rose_results is not None:
            written = write_rose(records(), self.rose_results)
            remarks.append(f"ROSE's results in {', '.join(map(str, written))}")
        if self.parquet is not None:
            count = write_parquet(records(), self.parquet)
            remarks.append(f"{count} records in {self.parquet}")
        if self.misses is not None:
            count = write_misses(records(), self.misses)
            remarks.append(f"{count} records that did not score 1 in {self.misses}")
        return remarks


def rose_entry(record: Record) -> dict[str, Any]:
    """A record under the keys that ROSE's tool writes (arXiv 2604.12988, its README), and no others.

    ``score`` is 1.0, 0.0 or, where there is none, null; ``prover_result`` and ``refuter_result`` are the
    verdicts of the roles (the Refuter's true overturns), null where one was not asked; ``label`` and
    ``difficulty`` stand only where they are known.
    """
    prover, refuter = record["prover_result"], record["refuter_result"]
    entry = {
        "question_id": record["question_id"],
        "question": record["question"],
        "db_id": record["db_id"],
        "predicted_sql": record["predicted_sql"],
        "gold_sql": record["gold_sql"],
        "evidence": record["hint"],
        "score": None if record["score"] is None else float(record["score"]),
        "prover_result": prover["verdict"] if prover else None,
        "refuter_result": refuter["overturn"] if refuter else None,
    }
    known = {name: record[name] for name in ("label", "difficulty") if record[name] is not None}
    return entry | known


def write_rose(records: Iterable[Record], path: Path) -> list[Path]:
    """Write ROSE's file; of several systems each has its own, in a folder of its name beside the path.

    Returns:
        What was written.

    Raises:
        InputError: it cannot be written.
    """
    systems: dict[str, list[dict[str, Any]]] = {}
    for record in records:
        systems.setdefault(record["source"], []).append(rose_entry(record))
    written = []
    for name, entries in systems.items():
        own = path if len(systems) == 1 else path.parent / _folder(name) / path.name
        with FileErrors(own):
            own.parent.mkdir(parents=True, exist_ok=True)
            own.write_text(json.dumps(entries, indent=2) + "\n", encoding="ascii")
        written.append(own)
    return written


def _folder(name: str) -> str:
    """One component of a path, whatever a system is called."""
    safe = quote(name, safe=" ", errors="surrogatepass")
    return safe.replace(".", "%2E") if not safe.strip(". ") else safe


def write_parquet(records: Iterable[Record], path: Path) -> int:
    """Write a row a record: plain fields as columns of their type, nested and mixed ones as JSON text.

    What the type of a column is, only the last record tells: all of them are in memory meanwhile.

    Returns:
        How many.

    Raises:
        InputError: it cannot be written, or pyarrow is not installed.
    """
    try:
        from pyarrow import ArrowException, parquet, table
    except ModuleNotFoundError:
        raise InputError(f"{path}: Parquet needs pyarrow: pip install -e '.[parquet]'") from None
    rows = list(records)
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns = {name: column([row.get(name) for row in rows]) for name in names}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        parquet.write_table(table(columns), path)
    except (OSError, ArrowException) as error:
        raise InputError(f"{path}: {error}") from None
    return len(rows)


MISS = (
    *("source", "db_id", "question_id", "question", "predicted_sql", "gold_sql", "score", "score_by", "ex"),
    *("verdict", "tier", "difference", "reason", "failure_code", "detail", "label", "key"),
    *("witness", "equivalent_if"),
)
"""The columns of a table of misses: fields of the record, or what :data:`SHOWN_OF_MISS` makes of it."""


def _facts_lacking(record: Record) -> str:
    """The facts under which a pair would be equivalent; or that none was found, or that nobody searched."""
    found = "; ".join(one["fact"] for one in record["equivalent_if"])
    outcomes = [one["outcome"] for one in record["attempts"] if FURTHER_FACTS in one["reason"]]
    ended = "search cut short" if "failed" in outcomes else "none found"
    return found or (ended if outcomes else "not searched")


SHOWN_OF_MISS: dict[str, Callable[[Record], object]] = {
    "ex": lambda record: None if (executed := is_executed(record)) is None else int(executed),
    "witness": lambda record: script_of(record["evidence"]),
    "equivalent_if": _facts_lacking,
}
"""Execution accuracy, a database that refutes the pair, and facts that forbid any such."""


def script_of(evidence: Mapping[str, Any] | None) -> str:
    """The script of the small database that a record's evidence is, or has; '' if none."""
    small = evidence and (evidence.get("few") or evidence)
    return str((small or {}).get("sql") or "")


def write_misses(records: Iterable[Record], path: Path) -> int:
    """Write a row for each record that did not score 1, as CSV that spreadsheets read.

    Returns:
        How many.

    Raises:
        InputError: it cannot be written.
    """
    count = 0
    with FileErrors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        # With the mark of its byte order, by which spreadsheets know UTF-8.
        with path.open("w", encoding="utf-8-sig", errors="backslashreplace", newline="") as file:
            table = csv.writer(file)
            table.writerow(MISS)
            for record in records:
                if record["score"] != 1:
                    shown = {**record, **{name: tell(record) for name, tell in SHOWN_OF_MISS.items()}}
                    table.writerow(_cell(shown.get(name)) for name in MISS)
                    count += 1
    return count


def _cell(value: object) -> object:
    """A value as a cell; one that a spreadsheet would run as a formula gets a quote, or a comment of SQL."""
    if isinstance(value, str):
        is_query = value.startswith(("--", "\t", "\r"))  # which is one behind a comment, too
        return ("/**/ " if is_query else "'" * value.startswith(tuple("=+-@"))) + value
    return value if value is None or isinstance(value, int | float) else _json(value)


def column(values: Sequence[Any]) -> list[Any]:
    """Values of one type (bool, whole number, real number, text) or null as they are; others as JSON text."""
    kinds = {type(value) for value in values if value is not None}
    if all(issubclass(kind, str) for kind in kinds):
        return [None if value is None else _valid(value) for value in values]
    small = all(not isinstance(value, int) or -(2**63) <= value < 2**63 for value in values)
    if kinds in ({bool}, {int}, {float}) and small:
        return list(values)
    return [None if value is None else _json(value) for value in values]


def _valid(text: str) -> str:
    """The text as Unicode: a lone surrogate, which Parquet cannot hold, written out."""
    return text.encode("utf-8", "backslashreplace").decode()


def _json(value: object) -> str:
    plain = dict(value) if isinstance(value, Mapping) else value
    return json.dumps(plain)
