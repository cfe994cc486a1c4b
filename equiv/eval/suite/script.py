"""The published evaluation scripts that a suite is made for, and the questions that are put to it.

Scripts differ in how they run, compare and look for databases.  What they compare with is in
:mod:`equiv.eval.metrics.execution`, as the tools have it.  The rows of a suite are read back from a
script, with every column that can be inserted into.  A question is a gold query with the queries that are
compared with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from equiv.cells import Row
from equiv.core.model import Schema, Table
from equiv.core.runner import Connection, Result, RunnerError, open_memory, run_script
from equiv.errors import InputError
from equiv.eval.metrics.execution import as_bird, as_spider, is_ordered_for_spider, prepared_for_spider
from equiv.eval.questions import QuestionId, question_of
from equiv.generate.database import Database
from equiv.names import fold, folded, quoted
from equiv.records.record import JsonValue, Record
from equiv.relation import RELATIONS, Columns, Relation, Rows

MAX_ROWS = 20_000
"""So many rows of one table are read back at most."""


def rows_of(script: str, schema: Schema) -> Database | None:
    """The rows that a witness's script makes; None where it does not run, or does anything else.

    A script comes from a results file, which may come from anybody: in memory it may create tables,
    indexes and views and insert rows, and nothing besides.
    """
    with open_memory() as engine:
        try:
            run_script(engine, script)
            return read_back(engine.connection, schema)
        except (RunnerError, ValueError):
            return None


def read_back(connection: Connection, schema: Schema) -> Database:
    """The rows of a database whose tables are those of a schema, or some of them.

    Raises:
        RunnerError: a table has other columns.
    """
    found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    present = folded(name for (name,) in found)
    tables = [table for table in schema.tables if fold(table.name) in present]
    return Database.of({table.name: (columns_of(table), _rows(connection, table)) for table in tables})


def columns_of(table: Table) -> tuple[str, ...]:
    """The columns that can be inserted into."""
    return tuple(column.name for column in table.columns if not column.generated)


def _rows(connection: Connection, table: Table) -> list[Row]:
    source = quoted(table.name)
    # A bare unknown name in double quotes would be read as a string.
    names = ", ".join(f"{source}.{quoted(name)}" for name in columns_of(table))
    return connection.execute(f"SELECT {names} FROM {source} LIMIT {MAX_ROWS}").fetchall()


def counts_of(database: Database) -> Mapping[str, int]:
    """The number of rows of each table that has some."""
    return {name: len(rows) for name, (_, rows) in database.tables.items()}


class Layout(StrEnum):
    """The names that ``--layout`` takes."""

    BIRD = "bird"
    """``<root>/<db_id>/<db_id>.sqlite``, one database a run: each further one has its root."""
    SPIDER = "spider"
    """All files of ``database/<db_id>/`` in one run, as test suites have it."""


@dataclass(frozen=True, slots=True)
class EvaluationScript:
    """A script with its switches."""

    layout: Layout
    keep_distinct: bool = True
    """Whether Spider's script is run with ``--keep_distinct``; BIRD's always keeps DISTINCT."""

    def prepared(self, sql: str) -> str:
        """A query as the script runs it."""
        if self.layout is Layout.BIRD:
            return sql
        return prepared_for_spider(sql, keep_distinct=self.keep_distinct)

    def is_ordered(self, gold: str) -> bool:
        """Whether the order of rows counts."""
        return self.layout is Layout.SPIDER and is_ordered_for_spider(gold)

    def same(self, pred: Result, gold: Result, *, ordered: bool) -> bool:
        """Whether the script takes two results for the same."""
        if self.layout is Layout.BIRD:
            return as_bird(pred, gold)
        return as_spider(pred, gold, ordered=ordered)

    def relation(self, gold: str) -> Relation:
        """The relation under which the script compares, as far as verdicts know it."""
        if self.layout is Layout.BIRD:
            return Relation(Rows.SET)
        return Relation(Rows.LIST if self.is_ordered(gold) else Rows.BAG, Columns.ANY)


def script_named(layout: str, *, keep_distinct: bool) -> EvaluationScript:
    """The script of a layout.

    Raises:
        InputError: there is none of that name, or the switch is not one of its.
    """
    try:
        found = Layout(layout)
    except ValueError:
        raise InputError(f"unknown layout {layout!r}; choose one of {', '.join(Layout)}") from None
    if keep_distinct and found is Layout.BIRD:
        raise InputError("--keep-distinct needs --layout spider: BIRD's script always keeps DISTINCT")
    return EvaluationScript(found, keep_distinct)


_RELATIONS = {str(relation): relation for relation in RELATIONS}


class RivalKind(StrEnum):
    """The kind of a query beside a gold query, by what is known of the two."""

    RIGHT = "right"
    """A prediction that is proved equivalent under the script's relation: it must pass everywhere."""
    WRONG = "wrong"
    """A prediction that is refuted under the script's relation."""
    STRICTER = "stricter"
    """A prediction that is refuted under a stricter relation only, as by duplicates where sets compare, or as
    it stands, and not without the DISTINCT that the script takes out."""
    MUTANT = "mutant"
    """A change of the gold query that is refuted under the script's relation."""
    INVALID = "invalid"
    """A prediction that is not a query on the schema."""
    OPEN = "open"
    """A prediction of which neither is known."""


MUTATION = "mutation "
"""What the source of a mutant's record begins with."""

WANTED = frozenset({RivalKind.WRONG, RivalKind.MUTANT, RivalKind.INVALID})
"""The kinds that a suite should kill."""


@dataclass(frozen=True, slots=True)
class Rival:
    """A query beside a gold query."""

    kind: RivalKind
    name: str
    """The system that predicted it, or what was changed."""
    sql: str


@dataclass(frozen=True, slots=True)
class SuiteQuestion:
    """A gold query, the queries beside it, and scripts of databases that tell some of them from it."""

    db_id: str
    question_id: JsonValue
    gold: str
    rivals: tuple[Rival, ...]
    scripts: tuple[str, ...] = ()

    def of(self, kind: RivalKind) -> list[int]:
        """The positions of the rivals of one kind."""
        return [place for place, rival in enumerate(self.rivals) if rival.kind is kind]


@dataclass(slots=True)
class _Gathered:
    first: Record
    rivals: dict[tuple[str, str], Rival] = field(default_factory=dict)
    """By source and text as the script runs it."""
    scripts: dict[str, None] = field(default_factory=dict)

    def add(self, kind: RivalKind, record: Record, script: EvaluationScript) -> None:
        """Note what is known of a record's prediction, in the place of what was known before."""
        name, sql = record["source"].removeprefix(MUTATION), record["predicted_sql"]
        self.rivals[record["source"], script.prepared(sql)] = Rival(kind, name, sql)


def questions_of(
    records: Iterable[Record], checked: Iterable[Record], script: EvaluationScript
) -> tuple[list[SuiteQuestion], list[Record]]:
    """The questions of some records, and the records of those whose gold query cannot be run.

    Args:
        records: the records of predictions, as ``eval`` wrote them.
        checked: the records of mutants, and of predictions that were checked again as the script runs them.
        script: what the suite is for.
    """
    by_question: dict[QuestionId, _Gathered] = {}
    unusable: list[Record] = []
    for record in records:
        if record["reason"] == "GOLD_INVALID" or record["score_by"] == "abstention":
            unusable.append(record)
            continue
        gathered = by_question.setdefault(place_of(record, script), _Gathered(record))
        gathered.scripts |= dict.fromkeys(scripts_in(record))
        gathered.add(kind_of(record, script), record, script)
    for record in checked:
        known = by_question.get(place_of(record, script))
        kind = _kind_checked(record)
        if known is not None and kind is not None:
            known.scripts |= dict.fromkeys(scripts_in(record))
            known.add(kind, record, script)
    return [_question(gathered) for gathered in by_question.values()], unusable


def _question(gathered: _Gathered) -> SuiteQuestion:
    first = gathered.first
    rivals, scripts = tuple(gathered.rivals.values()), tuple(gathered.scripts)
    return SuiteQuestion(first["db_id"], first["question_id"], first["gold_sql"], rivals, scripts)


def place_of(record: Record, script: EvaluationScript) -> QuestionId:
    """The question that a record belongs to, its gold text as the script runs it."""
    db_id, number, gold = question_of(record)
    return db_id, number, script.prepared(gold)


def scripts_in(record: Record) -> Sequence[str]:
    """The script of the database by which a record's pair is refuted, if it has one."""
    evidence = record["evidence"]
    is_witness = record["verdict"] == "not_equivalent" and evidence["kind"] == "witness"
    return [evidence["sql"]] if is_witness else []


def kind_of(record: Record, script: EvaluationScript) -> RivalKind:
    """The kind of rival that a record's prediction is under the script's relation."""
    relation = script.relation(record["gold_sql"])
    match record["verdict"]:
        case "equivalent":
            # One of several gold queries may be another than the one that the script is given.
            is_this_gold = not record.get("golds") and not _is_changed(record, script)
            holds = is_this_gold and _relation(record, "strongest").implies(relation)
            return RivalKind.RIGHT if holds else RivalKind.OPEN
        case "invalid":
            return RivalKind.INVALID
        case "not_equivalent":
            told = relation.implies(_relation(record, "weakest")) and not _is_changed(record, script)
            return RivalKind.WRONG if told else RivalKind.STRICTER
    return RivalKind.OPEN


def _kind_checked(record: Record) -> RivalKind | None:
    """What is known of a query that was checked as the script runs and compares it, if that settled it."""
    is_mutant = record["source"].startswith(MUTATION)
    match record["verdict"]:
        case "not_equivalent":
            return RivalKind.MUTANT if is_mutant else RivalKind.WRONG
        case "equivalent" if not is_mutant:
            return RivalKind.RIGHT
    return None


def _is_changed(record: Record, script: EvaluationScript) -> bool:
    """Whether the script runs other queries than those that the record is about."""
    texts = record["predicted_sql"], record["gold_sql"]
    return any(without_blanks(script.prepared(text)) != without_blanks(text) for text in texts)


def without_blanks(text: str) -> str:
    """A text without white space, which a script may join operators by."""
    return "".join(text.split())


def _relation(record: Record, name: str) -> Relation:
    return _RELATIONS[record.get(name) or record["relation"]]
