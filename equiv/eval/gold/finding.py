"""The gold queries of files with the predictions of systems, and findings in them: kinds, findings, records.

The kinds of faults are a closed list.  The file of findings is append-only JSONL; a rerun adds what is not
there yet.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from equiv.cells import Row
from equiv.errors import InputError
from equiv.eval.arguments import Format
from equiv.eval.questions import QuestionId
from equiv.eval.reading.formats import PLAIN, FormatOptions, detect, read_items
from equiv.eval.reading.golds import read_gold
from equiv.eval.reading.loading import TextFile, is_table
from equiv.eval.reading.predictions import paired_item
from equiv.eval.results import read_records
from equiv.files import json_lines, open_to_append, read_text
from equiv.records.forms import ROWS
from equiv.records.record import Item, JsonValue, Record, to_json
from equiv.verdict import Explained


@dataclass(frozen=True, slots=True)
class GoldQuery:
    """One gold query with its question."""

    db_id: str
    question_id: JsonValue
    sql: str
    question: str = ""
    earlier: tuple[str, ...] = ()
    """The other gold texts of the same question that stand before it."""
    hint: str = ""

    @property
    def identity(self) -> QuestionId:
        """The key of the gold query: database, id of the question, text."""
        return self.db_id, json.dumps(self.question_id, sort_keys=True), self.sql


@dataclass(frozen=True, slots=True)
class Material:
    """The material of an audit: gold queries in file order, and predictions for them."""

    golds: tuple[GoldQuery, ...]
    items: tuple[Item, ...] = ()
    records: tuple[Record, ...] = ()
    """What ``eval`` wrote of some of the predictions, where files of it are given."""


def read_material(
    files: Sequence[Path],
    gold: Path | None = None,
    kind: Format = Format.AUTO,
    reading: FormatOptions = PLAIN,
) -> Material:
    """The gold queries of some files, each once, and the predictions that stand beside them.

    Without ``gold`` and without a named format, a file may hold gold queries alone.  If a file is a results
    file of ``eval``, its records are kept.

    Raises:
        InputError: a file cannot be read, or holds no gold query.
    """
    detecting = gold is None and kind is Format.AUTO
    bare = [path for path in files if detecting and is_gold_file(path, reading.mapping)]
    others = [path for path in files if path not in bare]
    met: set[str] = set()
    items = [item for path in bare for item in _questions_of(path, reading.mapping, met)]
    predicted = list(read_items(others, gold, kind, reading, met=met))
    queries = [query for item in (*items, *predicted) for query in _queries_of(item)]
    unique: dict[QuestionId, GoldQuery] = {}
    for query in queries:
        unique.setdefault(query.identity, query)
    if not unique:
        raise InputError(f"{', '.join(map(str, files))}: the file has no gold queries")
    results = [path for path in others if _is_results_file(path)]
    return Material(
        tuple(_with_earlier(list(unique.values()))), tuple(predicted), tuple(read_records(results))
    )


def _questions_of(path: Path, mapping: Mapping[str, str], met: set[str]) -> list[Item]:
    """The questions of a file of gold queries alone."""
    with read_gold(path, mapping, met) as golds:
        return [paired_item("", gold, None, []) for _, gold in golds.placed()]


def _queries_of(item: Item) -> list[GoldQuery]:
    """The gold queries of an item: none for an infeasible question, several where each is right."""
    if item.feasible is False:
        return []
    return [GoldQuery(item.db_id, item.question_id, sql, item.question, hint=item.hint) for sql in item.golds]


def is_gold_file(path: Path, mapping: Mapping[str, str] = PLAIN.mapping) -> bool:
    """Whether a file has gold queries and no predictions, its columns called as a mapping says."""
    if path.is_dir():
        return False
    if not is_table(path):
        head = TextFile(path).head
        match detect(head):
            case Format.SPIDER:
                return "\t" in next((line for line in head.splitlines() if line.strip()), "")
            case Format.ROSE | Format.JSONL:
                pass
            case _:
                return False
    try:
        with read_gold(path, mapping, set()) as golds:
            return all("predicted_sql" not in gold.entry.fields for _, gold in golds.placed())
    except InputError:
        return False


def _is_results_file(path: Path) -> bool:
    """Whether the first line of a file is a record of ``eval``."""
    if path.is_dir() or is_table(path):
        return False
    return {"key", "verdict", "score", "judge"} <= _first_record(TextFile(path).head).keys()


def _first_record(text: str) -> dict[str, object]:
    """The JSON object on the first line, empty if there is none."""
    try:
        first = json.loads(text.lstrip().partition("\n")[0])
    except (ValueError, RecursionError):
        return {}
    return first if isinstance(first, dict) else {}


def _with_earlier(golds: Sequence[GoldQuery]) -> list[GoldQuery]:
    """Each gold query with those before it that have its question id or, if that is told, its question."""
    seen: dict[tuple[str, str], list[str]] = {}
    queries = []
    for gold in golds:
        _, number, _ = gold.identity
        names = [(gold.db_id, f"id {number}")]
        if words := " ".join(gold.question.lower().split()):
            names.append((gold.db_id, f"question {words}"))
        others = [sql for name in names for sql in seen.get(name, ())]
        queries.append(replace(gold, earlier=tuple(sql for sql in dict.fromkeys(others) if sql != gold.sql)))
        for name in names:
            seen.setdefault(name, []).append(gold.sql)
    return queries


class GoldFault(Explained):
    """The kinds of faults; the function of that name, which checks for one, says when it is not a fault."""

    DOES_NOT_RUN = "does_not_run", "do not run"
    EMPTY = "empty", "empty on the data"
    TIE = "tie", "LIMIT cuts a tie of the data"
    NULL_FIRST = "null_first", "LIMIT keeps NULL, which sorts first"
    TEXT_NUMBERS = "text_numbers", "numbers sorted or compared as text"
    DUPLICATES = "duplicates", "choose among rows that differ"
    NONDETERMINISTIC = "nondeterministic", "answer may vary for other reasons"
    QUOTED_NAME = "quoted_name", "a string where a column is meant"
    OTHER_GOLD = "other_gold", "differ from another gold query"
    UNSOLVED = "unsolved", "solved by no system"
    OUTVOTED = "outvoted", "systems agree against it"
    CONTRADICTED = "contradicted", "contradicted by the judge"
    UNSUPPORTED = "unsupported", "not supported by equiv (not a fault)"
    COUNTS_REPEATS = "counts_repeats", "count a column that repeats"
    COUNTS_ASKED = "counts_asked", "aggregate repeated rows of the thing counted"
    COUNTS_OTHERS = "counts_others", "aggregate repeated rows of the thing asked for"
    SUMS_REPEATS = "sums_repeats", "sum values that a join repeats"
    REPEATS_ROWS = "repeats_rows", "return rows that a join repeats"
    LOOSE_JOIN = "loose_join", "join on columns that are a key of neither table"
    IDLE_TABLE = "idle_table", "join a table without using it"
    PRECEDENCE = "precedence", "AND beside OR without parentheses"
    REPEATED_CONDITION = "repeated_condition", "repeat a condition"
    SELF_EQUALITY = "self_equality", "compare a column with itself"
    ONE_SIDED_JOIN = "one_sided_join", "join by columns of one table"
    UNJOINED_TABLE = "unjoined_table", "leave a table unconnected (cross join)"
    COUNTS_ELSE = "counts_else", "COUNT an ELSE"
    WHOLE_DIVISION = "whole_division", "divide whole numbers"
    MAY_TIE = "may_tie", "may cut a tie"
    UNORDERED_LIMIT = "unordered_limit", "have a LIMIT without ORDER BY"
    DIRECTION = "direction", "sort in the opposite direction"
    SORTED_TEXT = "sorted_text", "take MIN or MAX of numbers stored as text"
    STRANGE_CONSTANT = "strange_constant", "use a constant that neither question nor hint mentions"
    MISSING_NUMBER = "missing_number", "lack a number that the question mentions"
    UNASKED_COLUMN = "unasked_column", "select columns that the question does not ask for"
    UNREAD_COLUMN = "unread_column", "do not read a column of the hint"
    OTHER_COMPARISON = "other_comparison", "compare differently than the hint"
    NEGATED_ROW = "negated_row", "negate a condition on rows instead of on things"
    EXCLUDED_BY_VALUE = "excluded_by_value", "exclude rows by a column that is not a key"
    IDLE_ORDER = "idle_order", "sort a subquery without effect"
    AVERAGES_ZEROS = "averages_zeros", "average zeros"
    OTHER_BOUND = "other_bound", "use another bound than the question"
    MISSING_DISTINCT = "missing_distinct", "lack DISTINCT"


_KINDS = tuple(GoldFault)
SIGNS = frozenset(_KINDS[_KINDS.index(GoldFault.COUNTS_REPEATS) :])
"""Kinds that say little by themselves: sound queries have them too, if less often than faulty ones."""


class Basis(Explained):
    """On what a finding rests."""

    TEXT = "text", "query and schema"
    """The query's text and the schema alone: it holds whatever the data are."""
    SCHEMA = "schema", "what the schema allows"
    """What the schema allows: some database shows it; the published data may not."""
    DATA = "data", "the data"
    SYSTEMS = "systems", "predictions of the systems"
    """What systems predicted, and verdicts on it."""
    JUDGE = "judge", "a judge"


@dataclass(frozen=True, slots=True)
class GoldFinding:
    """One thing that may be wrong with one gold query."""

    kind: GoldFault
    basis: Basis
    detail: str
    """What it is, in one line."""
    rows: tuple[Row, ...] = ()
    """The first rows that show it."""
    other_sql: str = ""
    """What the gold query is compared with, if anything: another gold query, a prediction."""
    other_rows: tuple[Row, ...] = ()
    """What that returns, or what the query itself might return as well."""
    witness: str = ""
    """A database that distinguishes the two queries, as an SQL script."""
    systems: tuple[str, ...] = ()
    """The systems that it is about."""


ROWS_KEPT = 20
"""How many rows of a finding a record keeps."""


def to_record(gold: GoldQuery, finding: GoldFinding) -> Record:
    """The record of a finding: plain JSON values, the same keys in every record."""
    told = {
        "kind": finding.kind,
        "basis": finding.basis,
        "db_id": gold.db_id,
        "question_id": gold.question_id,
        "question": gold.question,
        "gold_sql": gold.sql,
        "detail": finding.detail,
        "rows": ROWS.write(finding.rows[:ROWS_KEPT]),
        "other_sql": finding.other_sql,
        "other_rows": ROWS.write(finding.other_rows[:ROWS_KEPT]),
        "witness": finding.witness,
        "systems": list(finding.systems),
    }
    return {"key": _key(told), **told}


def _key(told: Record) -> str:
    """SHA-256 of what is said of which query; not of rows, which another run may choose otherwise."""
    names = ("kind", "basis", "db_id", "question_id", "gold_sql", "detail", "other_sql", "systems")
    text = json.dumps([told[name] for name in names])
    return hashlib.sha256(text.encode()).hexdigest()


def question_of(record: Record) -> QuestionId:
    """The question and gold query that a finding's record is about."""
    return record["db_id"], json.dumps(record["question_id"], sort_keys=True), record["gold_sql"]


def is_finding(record: object) -> bool:
    """Whether a JSON value is the record of a finding."""
    needed = {"key", "kind", "basis", "db_id", "question_id", "gold_sql", "detail"}
    return isinstance(record, dict) and needed <= record.keys() and record["kind"] in set(GoldFault)


class FindingsFile:
    """A file of findings, open for appending by this process alone.

    Raises:
        InputError: the path cannot be written, another run writes to it, or it holds something else.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.written = 0
        self._file = open_to_append(path)
        try:
            self._known = {str(record["key"]) for record in self._records()}
        except InputError:
            self._file.close()
            raise

    def write(self, record: Record) -> None:
        """Append a record, unless one with its key is there."""
        if record["key"] not in self._known:
            self._known.add(record["key"])
            self._file.write(to_json(record).encode() + b"\n")
            self._file.flush()
            self.written += 1

    def close(self) -> None:
        """Let the file go."""
        self._file.close()

    def _records(self) -> Iterator[Record]:
        """The records so far; a last line that a killed run left unfinished is cut off."""
        self._file.seek(0)
        start = 0
        for number, line in enumerate(self._file, 1):
            whole = line.endswith(b"\n")
            record = _parse(line) if whole else None
            if record is not None:
                yield record
            elif whole or not line.startswith(b'{"key"'[: len(line)]):
                raise InputError(f"{self.path}:{number}: not a record of 'equiv gold'; nothing was written")
            else:
                self._file.truncate(start)
                break
            start += len(line)
        self._file.seek(0, os.SEEK_END)


def is_findings_file(path: Path) -> bool:
    """Whether the first line of a file is the record of a finding."""
    first = read_text(path).lstrip().partition("\n")[0].encode()
    return _parse(first) is not None


def read_findings(path: Path) -> list[Record]:
    """The records of a file of findings.

    Raises:
        InputError: it cannot be read, or holds something else.
    """
    found = []
    for number, record in json_lines(path, read_text(path)):
        if not is_finding(record):
            raise InputError(f"{path}:{number}: not a record of equiv gold")
        found.append(record)
    return found


def _parse(line: bytes) -> Record | None:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record if is_finding(record) else None
