"""Published pairs in forms of their own, converted to what ``equiv eval`` reads.

``calcite`` and ``literature`` are in VeriEQL's form (schema, constraints, two queries), ``leetcode`` has
tables without types, ``spotit`` needs its predictions alone, on BIRD's schemas.  Each becomes, in
``results/converted/<name>/``: ``pairs.jsonl`` (question_id, db_id, predicted_sql, gold_sql, label: whether
the source calls the pair equivalent, difficulty: its group), ``ddl/<db_id>.sql``, and ``left_out.jsonl``
with each pair that SQLite cannot express and why.  Of VeriEQL's constraints, primary, foreign, not_null and
unique become DDL; any other kind is counted and left out, which allows more databases than the source does.
"""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.journal import read_lines, write_lines
from benchmarks.pairs.dialect import refusal, to_sqlite
from equiv.core.runner import Connection
from equiv.names import quoted_name

NAMES = ("calcite", "literature", "leetcode", "spotit")
EQUIVALENT_GROUPS = ("sqlrewrites", "conditional", "calcite")
"""Groups of VeriEQL's benchmarks whose pairs are meant to be equivalent."""

Columns = dict[str, str]
"""Declared types by column; '' for none."""


@dataclass
class Tables:
    """A schema on its way to DDL."""

    columns: dict[str, Columns]
    primary: dict[str, tuple[str, ...]] = field(default_factory=dict)
    unique: set[tuple[str, tuple[str, ...]]] = field(default_factory=set)
    foreign: list[tuple[str, tuple[str, ...], str, tuple[str, ...]]] = field(default_factory=list)
    not_null: set[tuple[str, str]] = field(default_factory=set)
    ignored: Counter[str] = field(default_factory=Counter)
    """Constraints that no DDL was made of, by kind."""

    def ddl(self) -> str:
        """The CREATE TABLE statements."""
        return "\n".join(f"CREATE TABLE {quoted_name(name)} ({self._body(name)});" for name in self.columns)

    def _body(self, table: str) -> str:
        parts = [
            " ".join(filter(None, (quoted_name(name), type_, self._null(table, name))))
            for name, type_ in self.columns[table].items()
        ]
        if table in self.primary:
            parts.append(f"PRIMARY KEY ({_list(self.primary[table])})")
        parts += sorted(f"UNIQUE ({_list(names)})" for owner, names in self.unique if owner == table)
        for child, names, parent, keys in self.foreign:
            if child == table:
                parts.append(f"FOREIGN KEY ({_list(names)}) REFERENCES {quoted_name(parent)} ({_list(keys)})")
        return ", ".join(parts)

    def _null(self, table: str, column: str) -> str:
        return "NOT NULL" if (table, column) in self.not_null else ""


@dataclass(frozen=True, slots=True)
class Published:
    """One pair as it was published."""

    question_id: int
    tables: Tables
    queries: tuple[str, str]
    label: bool
    group: str
    why_not: str = ""
    """Why it is no SQL, where the source says so."""


def _list(names: Iterable[str]) -> str:
    return ", ".join(map(quoted_name, names))


def _verieql(records: Iterable[Mapping[str, Any]]) -> Iterator[Published]:
    for record in records:
        tables = Tables({t: {c: kind or "" for c, kind in cs.items()} for t, cs in record["schema"].items()})
        for constraint in record["constraint"] or ():
            for kind, body in constraint.items():
                _constrain(tables, kind, body)
        group = re.split(r"[-_ ]?(?:benchmarks|test|\d).*|-", record["benchmark"])[0].lower()
        pred, gold = record["pair"]
        why_not = "symbolic predicates" if record.get("has-symbolic-predicates") else ""
        yield Published(record["index"], tables, (pred, gold), group in EQUIVALENT_GROUPS, group, why_not)


def _constrain(tables: Tables, kind: str, body: object) -> None:
    """Add one constraint in VeriEQL's form, whose columns are written ``TABLE__COLUMN``."""
    parts = body if isinstance(body, list) else [body]
    named = [part["value"] for part in parts if isinstance(part, dict) and "value" in part]
    places = [tuple(name.split("__", 1)) for name in named]
    columns = tuple(column for _, column in places)
    match kind:
        case "primary":
            tables.primary[places[0][0]] = columns
        case "unique":
            tables.unique.add((places[0][0], columns))
        case "not_null":
            tables.not_null.update((table, column) for table, column in places)
        case "foreign":
            half = len(places) // 2
            tables.foreign.append((places[0][0], columns[:half], places[half][0], columns[half:]))
        case _:
            tables.ignored[kind] += 1


_TEXT_NAMES = re.compile(
    r"(^|_)(NAME|EMAIL|TITLE|CITY|COUNTRY|CONTINENT|STATE|TYPE|STATUS|OPERATOR|OPERAND|ADDRESS|PLATFORM|ACTION|"
    r"RESULT|CONTENT|TEXT|DESCRIPTION|GENDER|SEX|MAIL|PHONE|CODE|COLOR|CATEGORY|DEPARTMENT|COMMENT)$"
)
_DATE_NAMES = re.compile(r"(^|_)(DATE|DAY|ON|LOGIN|LOGOUT)$")
_LITERAL_AFTER = (
    r"\s*(?:=|<>|!=|<=?|>=?|\bNOT IN\s*\(|\bIN\s*\(|\b(?:NOT )?LIKE\b|\bBETWEEN\b|\bWHEN\b)\s*'([^']*)'"
)


def _types(columns: Iterable[str], queries: str) -> Columns:
    """A type for each column: by the text that the queries hold it against, else by its name, else INT.

    A date if that text is an ISO date, VARCHAR if it is any other.  What a query rounds as a plain column,
    alone or summed, is REAL: of integers it would be pointless.
    """
    found: Columns = {}
    for name in columns:
        held = re.findall(rf"\b{re.escape(name)}\b{_LITERAL_AFTER}", queries)
        column = rf"(?:\w+\.)?{re.escape(name)}\s*"
        if re.search(rf"\bROUND\s*\(\s*(?:SUM\s*\(\s*{column}\)\s*|{column})[,)]", queries):
            found[name] = "REAL"
        elif held:
            dates = all(re.match(r"\d{4}-\d{1,2}(-|$)", text) for text in held)
            found[name] = "DATE" if dates else "VARCHAR"
        elif _DATE_NAMES.search(name):
            found[name] = "DATE"
        else:
            found[name] = "VARCHAR" if _TEXT_NAMES.search(name) else "INT"
    return found


def _leetcode(records: Iterable[Mapping[str, Any]]) -> Iterator[Published]:
    """Tables without types; each column of ``primary_keys`` is a key by itself, as the problems have it."""
    for number, record in enumerate(records):
        queries = (record["sql1"], record["sql2"])
        tables = Tables({t: _types(columns, " ".join(queries)) for t, columns in record["tables"].items()})
        for text in filter(None, re.split(r"\s*,\s*", record["primary_keys"].strip())):
            table, column = text.split(".")
            if table in tables.primary and tables.primary[table] != (column,):
                tables.unique.add((table, (column,)))
                tables.not_null.add((table, column))
            tables.primary.setdefault(table, (column,))
        for text in filter(None, re.split(r"\s*,\s*", record["foreign_keys"].strip())):
            child, parent = (side.split(".") for side in re.split(r"\s*=\s*", text))
            tables.foreign.append((child[0], (child[1],), parent[0], (parent[1],)))
            tables.columns[child[0]][child[1]] = tables.columns[parent[0]][parent[1]]
        label = bool(record["equivalent"])
        yield Published(number, tables, queries, label, "equivalent" if label else "different")


def convert(name: str, data: Path, target: Path) -> Counter[str]:
    """Convert one corpus of :data:`NAMES` into ``target/<name>/``; what was left out, by reason.

    Raises:
        OSError: the published file is missing.
        KeyError: there is no such corpus.
    """
    records = read_lines(data / name / "pairs.jsonl")
    folder = target / name
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "ddl").mkdir(parents=True)
    if name == "spotit":
        for path in (data / "bird" / "ddl").glob("*.sql"):
            shutil.copy(path, folder / "ddl")
        write_lines(folder / "pairs.jsonl", map(_of_spotit, records))
        return Counter()
    readers = {"calcite": _verieql, "literature": _verieql, "leetcode": _leetcode}
    return _convert(list(readers[name](records)), name, folder)


def _of_spotit(record: Mapping[str, Any]) -> dict[str, object]:
    """A pair of SpotIt: refuted by it, or passed by it."""
    refuted = bool(record["refuted_by_spotit"])
    kept = {key: record[key] for key in ("question_id", "db_id", "predicted_sql", "gold_sql")}
    return kept | {"label": not refuted, "difficulty": "refuted" if refuted else "not refuted"}


def _convert(pairs: list[Published], name: str, folder: Path) -> Counter[str]:
    databases: dict[str, str] = {}
    kept: list[dict[str, object]] = []
    left_out: list[dict[str, object]] = []
    reasons: Counter[str] = Counter()
    for pair in pairs:
        ddl = pair.tables.ddl()
        db_id = databases.setdefault(ddl, f"{name}_{len(databases)}")
        pred, gold = map(to_sqlite, pair.queries)
        record: dict[str, object] = {
            "question_id": pair.question_id,
            "db_id": db_id,
            "predicted_sql": pred,
            "gold_sql": gold,
            "label": pair.label,
            "difficulty": pair.group,
        }
        reasons.update(f"constraint {kind}" for kind in pair.tables.ignored.elements())
        with closing(Connection()) as connection:
            connection.run_script(ddl)
            why = pair.why_not or refusal(gold, connection) or refusal(pred, connection)
        (left_out if why else kept).append(record | ({"why": why} if why else {}))
        reasons.update([why] if why else [])
    for ddl, db_id in databases.items():
        (folder / "ddl" / f"{db_id}.sql").write_text(ddl + "\n", encoding="utf-8")
    write_lines(folder / "pairs.jsonl", kept)
    write_lines(folder / "left_out.jsonl", left_out)
    return reasons
