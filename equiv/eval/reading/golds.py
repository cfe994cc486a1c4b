"""One entry of a data file as an item, and files of gold queries, whose questions items are joined to.

Whatever is wrong with an entry is a fault that the item carries.  An item that is not a pair, an infeasible
question or an abstention without a query (TrustSQL, arXiv 2403.15879, section 3), gets its record without
the engine: it is undecided, because nothing was compared, and scored by what abstaining is worth: 1 for
an infeasible question, 0 for one that has an answer; answering an infeasible question is 0.

Files of gold queries are dev.json and its kind, JSON objects by id, tables, and lines
``SQL<tab>db_id``.  Their questions are kept on disk: in their order, and by what predictions may call
them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from equiv.errors import InputError
from equiv.eval.plan import (
    Job,
    OnDisk,
    Spool,
    as_bytes,
    as_text,
    digest_of,
    packed,
    unpacked,
)
from equiv.eval.reading import loading
from equiv.options import Options
from equiv.records.record import Fault, FaultKind, Item, JsonValue, Record, to_record
from equiv.relation import resolve_relation
from equiv.verdict import Reason, Undecided

ABSTENTIONS = frozenset({"null", "none", "not_answerable", "not answerable"})
SENTENCE = "this question cannot"


def abstains(prediction: str) -> bool:
    """Whether a text is one that TrustSQL's systems give in place of a query."""
    text = prediction.strip().lower().rstrip(".;")
    return text in ABSTENTIONS or text.startswith(SENTENCE)


def abstention_record(job: Job, key: str, options: Options) -> Record:
    """The record of an item that is not a pair."""
    item = job.item
    reason = Reason.NO_ANSWER if item.abstained else Reason.GOLD_INVALID
    detail = "the system abstains" if item.abstained else "the question is infeasible and has no gold query"
    relation = resolve_relation(options.relation, gold_orders=False)
    verdict = Undecided(relation=relation, reason=reason, detail=detail)
    return to_record(item, verdict, key) | {"score": score_of(item), "score_by": "abstention"}


def score_of(item: Item) -> int:
    """1 for abstaining where nothing can be answered, else 0."""
    return int(item.feasible is False and bool(item.abstained))


LONGEST_VALUE = 1_000
"""How many characters of JSON an id and the like may have."""

ABSENT = object()


def item_of(
    record: Mapping[str, Any], source: str, position: JsonValue, faults: Sequence[Fault] = ()
) -> Item:
    """The item of a record with lower-case field names.

    Args:
        record: its fields.
        source: the system, where the record names none.
        position: the id, where the record has none.
        faults: what is known to be wrong with it.
    """
    feasible = _truth(record.get("feasible"))
    golds, gold_faults = _golds(record, feasible)
    predicted, abstained, pred_faults = _prediction(record, feasible, faults)
    label = _truth(record.get("label"))
    return Item(
        source=source_of(record, source),
        question_id=_plain(record["question_id"]) if record.get("question_id") is not None else position,
        db_id=db_of(record),
        predicted_sql=predicted,
        gold_sql=golds[0],
        question=_text(record.get("question")),
        hint=_text(record.get("evidence")) or _text(record.get("hint")),
        label=_plain(record.get("label")) if label is None else label,
        difficulty=_plain(record.get("difficulty")),
        feasible=feasible,
        abstained=abstained,
        question_type=_text(record.get("question_type")) or _text(record.get("type")),
        seen=_truth(record.get("seen")),
        confidence=_number(record.get("confidence")),
        interaction=_plain(record.get("interaction", record.get("interaction_id"))),
        alternatives=golds[1:],
        faults=(*faults, *gold_faults, *pred_faults),
    )


def unreadable(source: str, where: str, trouble: str) -> Item:
    """The item of an entry that is not a record."""
    return Item(source, where, "", "", "", faults=(Fault(FaultKind.UNREADABLE, trouble),))


def source_of(record: Mapping[str, Any], source: str) -> str:
    """The system that a record names, or that of its file."""
    return _text(record.get("method")) or _text(record.get("source")) or source


def source_of_all(named: Collection[str], source: str) -> str:
    """The system of entries that name none: the one that all other entries of the file name, if any."""
    return next(iter(named)) if len(named) == 1 else source


def db_of(record: Mapping[str, Any]) -> str:
    """The name of a record's database, or ''."""
    name = record.get("db_id")
    return str(name) if isinstance(name, int) and not isinstance(name, bool) else _text(name).strip()


def described(value: object) -> str:
    """A description of a value that stands in the place of a query."""
    match value:
        case None:
            return "null"
        case bool():
            return f"the value {str(value).lower()}"
        case int() | float():
            return f"a number, {_short(value)}"
        case list():
            return "a list"
        case Mapping():
            return "an object"
    return "absent" if value is ABSENT else f"of type {type(value).__name__}"


def _short(value: object) -> str:
    text = json.dumps(value) if not isinstance(value, int) or value.bit_length() < 64 else "a long one"
    return text[:20]


def _golds(record: Mapping[str, Any], feasible: bool | None) -> tuple[tuple[str, ...], list[Fault]]:
    """The gold queries, the first maybe empty, and what is wrong with them."""
    value = record.get("gold_sql", ABSENT)
    values = value if isinstance(value, list) else [value]
    texts = [text for text in values if isinstance(text, str)]
    golds = tuple(dict.fromkeys(text for text in texts if text.strip())) or (texts[0] if texts else "",)
    if feasible is False or (texts and len(texts) == len(values)):
        return golds, []
    trouble = f"the gold query is {described(value)}"
    if isinstance(value, list):
        bad = len(values) - len(texts)
        trouble = (
            f"{bad} of {len(values)} gold queries are not text"
            if values
            else "the list of gold queries is empty"
        )
    return golds, [Fault(FaultKind.GOLD_NOT_TEXT, trouble)]


def _prediction(
    record: Mapping[str, Any], feasible: bool | None, known: Sequence[Fault]
) -> tuple[str, bool | None, list[Fault]]:
    """The predicted query, whether the system abstains, where the record says what is feasible, and faults.

    There, null is an abstention; elsewhere it is a prediction that is missing.
    """
    value = record.get("predicted_sql", ABSENT)
    text = _text(value)
    faults = []
    if not isinstance(value, str) and all(fault.kind is not FaultKind.NO_PREDICTION for fault in known):
        faults = [Fault(FaultKind.PREDICTION_NOT_TEXT, f"the prediction is {described(value)}")]
    stated = _truth(record.get("abstained"))
    if stated is not None:
        return text, stated, [] if stated else faults
    if feasible is None:
        return text, None, faults
    if value is None or abstains(text):
        return "", True, []
    return text, False, faults


def _truth(value: object) -> bool | None:
    if isinstance(value, bool):
        return value
    return {"true": True, "false": False}.get(value.strip().lower()) if isinstance(value, str) else None


def _number(value: object) -> float | None:
    """A finite number; tables without types have it as text."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _plain(value: Any) -> JsonValue:
    """An id, label or the like as it is, unless it is nested beyond reason."""
    if not isinstance(value, list | dict | int) or isinstance(value, bool):
        return value if isinstance(value, str | float | bool) else None
    try:
        text = json.dumps(value)
    except (ValueError, RecursionError):
        return None
    return value if len(text) <= LONGEST_VALUE else text[:LONGEST_VALUE]


def _text(value: object) -> str:
    """A text field; anything but a string (null, the number 0 of BIRD's tools) is no text."""
    return value if isinstance(value, str) else ""


_TABLES = """
CREATE TABLE gold (place INTEGER PRIMARY KEY, question BLOB UNIQUE, id BLOB, database BLOB, gold BLOB);
CREATE INDEX by_id ON gold (id, place);
CREATE TABLE position (name BLOB PRIMARY KEY, gold INTEGER) WITHOUT ROWID;
"""
_MARKS = "SELECT place, database FROM gold WHERE id = ? ORDER BY place"
_MARK = "SELECT place, database FROM gold WHERE place = (SELECT gold FROM position WHERE name = ?)"

BookMark = tuple[int, str]
"""Where a question stands in a book, and the name of its database."""


@dataclass(frozen=True, slots=True)
class GoldQuestion:
    """One question of a gold file."""

    entry: loading.Entry
    """Its fields; ``gold_sql`` holds the query, or the list of queries that are right."""
    positions: tuple[int, ...]
    """Where it stands in the file, from 0."""

    @property
    def id(self) -> str:
        """The id of the question as text; its position if it has none."""
        return self.entry.id or str(self.positions[0])

    @property
    def db_id(self) -> str:
        """The name of its database, or ''."""
        return db_of(self.entry.fields)


class GoldBook(OnDisk):
    """Questions, of which several of one id, database and question text are one: each query is right.

    Args:
        golds: in order; None is a blank line, the end of an interaction.
    """

    def __init__(self, golds: Iterable[GoldQuestion | None]) -> None:
        super().__init__(_TABLES)
        for gold in golds:
            self._add(gold)

    def _add(self, gold: GoldQuestion | None) -> None:
        if gold is None:
            self._tables.execute("INSERT INTO gold DEFAULT VALUES")
            return
        question = _question(gold)
        row = self._tables.execute("SELECT place, gold FROM gold WHERE question = ?", (question,)).fetchone()
        if row is None:
            values = question, as_bytes(gold.id), as_bytes(gold.db_id), packed(gold)
            added = "INSERT INTO gold (question, id, database, gold) VALUES (?, ?, ?, ?)"
            place = self._tables.execute(added, values).lastrowid
        else:
            place = row[0]
            both = packed(_merged(unpacked(row[1]), gold))
            self._tables.execute("UPDATE gold SET gold = ? WHERE place = ?", (both, place))
        names = ((as_bytes(str(position)), place) for position in gold.positions)
        self._tables.executemany("INSERT INTO position VALUES (?, ?)", names)

    def __iter__(self) -> Iterator[GoldQuestion | None]:
        rows = self._tables.execute("SELECT gold FROM gold ORDER BY place")
        return (None if found is None else unpacked(found) for (found,) in rows)

    def __len__(self) -> int:
        """How many questions and blank lines there are."""
        return self._count("SELECT count(*) FROM gold")

    @property
    def questions(self) -> int:
        """How many questions there are."""
        return self._count("SELECT count(*) FROM gold WHERE gold IS NOT NULL")

    @property
    def positions(self) -> int:
        """How many entries these questions were."""
        return self._count("SELECT count(*) FROM position")

    @property
    def databases(self) -> set[str]:
        """The names of their databases."""
        rows = self._tables.execute("SELECT DISTINCT database FROM gold WHERE gold IS NOT NULL")
        return {as_text(name) for (name,) in rows}

    def placed(self) -> Iterator[tuple[int, GoldQuestion]]:
        """The questions with their places."""
        rows = self._tables.execute("SELECT place, gold FROM gold WHERE gold IS NOT NULL ORDER BY place")
        return ((place, unpacked(found)) for place, found in rows)

    def of_id(self, name: str) -> list[BookMark]:
        """The questions of an id."""
        return [
            (place, as_text(database)) for place, database in self._tables.execute(_MARKS, (as_bytes(name),))
        ]

    def at_position(self, name: str) -> list[BookMark]:
        """The question that stands at a position, which is given as text."""
        return [
            (place, as_text(database)) for place, database in self._tables.execute(_MARK, (as_bytes(name),))
        ]


def _question(gold: GoldQuestion) -> bytes | None:
    """What entries of one question have in common; None if it is a question of its own."""
    if gold.entry.id is None or gold.entry.trouble:
        return None
    text = gold.entry.fields.get("question")
    named = gold.entry.id, gold.db_id, text if isinstance(text, str) else ""
    return digest_of(named)


def _merged(earlier: GoldQuestion, gold: GoldQuestion) -> GoldQuestion:
    queries = [*_queries(earlier.entry.fields), *_queries(gold.entry.fields)]
    entry = replace(earlier.entry, fields={**earlier.entry.fields, "gold_sql": queries})
    return GoldQuestion(entry, (*earlier.positions, *gold.positions))


def _queries(fields: Mapping[str, Any]) -> list[Any]:
    value = fields.get("gold_sql")
    return value if isinstance(value, list) else [value]


NAMES = {
    "predicted_sql": (
        *("pred", "pred_sql", "pred_query", "predicted", "predicted_query", "prediction", "sql_pred"),
        *("generated_sql", "generated_query", "model_sql", "model_output"),
    ),
    "gold_sql": ("gold", "gold_query", "golden_sql", "sql_gold", "reference_sql", "target_sql"),
}
"""What others call a prediction and a gold query: where a record has one of these alone, it is that."""

GOLD_NAMES = ("gold_sql", *NAMES["gold_sql"], "query", "sql")
"""Fields of a gold file that may hold a query, best first; Spider's ``sql`` is a parse beside ``query``."""

RECORD_FIELDS = frozenset({"db_id", "question_id", "query", "pred_sqls"}.union(NAMES, *NAMES.values()))
"""One of these among the keys of a JSON object: it is a record, and no dict of queries."""


def read_gold(path: Path, mapping: Mapping[str, str], met: set[str], encoding: str = "") -> GoldBook:
    """The questions of a file, in order; several entries of one question are one.

    A blank line among lines of queries, the end of an interaction, reads as None.

    Args:
        path: the file.
        mapping: fields by column.
        met: where the columns are put that a record has.
        encoding: of its text; '' distinguishes UTF-8 and UTF-16.

    Raises:
        InputError: the file cannot be read, or has none of the forms.
    """
    if loading.is_table(path):
        return _questions(
            path,
            loading.entries_of_table(path, parquet=loading.is_parquet(path), encoding=encoding),
            mapping,
            met,
        )
    text = loading.TextFile(path, encoding)
    head = text.head
    if head.startswith("["):
        return _questions(path, loading.entries_of_list(path, loading.load(path, text.whole())), mapping, met)
    if not head.startswith("{"):
        return _gold_lines(path, text.lines())
    if is_record_line(head):
        return _questions(path, loading.entries_of_lines(path, text.lines()), mapping, met)
    value = loading.load(path, text.whole())
    if isinstance(value, dict) and isinstance(value.get("data"), list):
        return _questions(path, loading.entries_of_list(path, value), mapping, met)
    return _questions(path, loading.entries_of_object(path, value, "gold_sql"), mapping, met)


def is_record_line(text: str) -> bool:
    """Whether the first line is a JSON object with the fields of a record."""
    try:
        first = json.loads(text.partition("\n")[0])
    except (ValueError, RecursionError):
        return False
    return isinstance(first, dict) and not RECORD_FIELDS.isdisjoint(name.strip().lower() for name in first)


def _questions(
    path: Path, entries: Iterable[loading.Entry], mapping: Mapping[str, str], met: set[str]
) -> GoldBook:
    with Spool(map(_with_query, loading.mapped(entries, mapping, met))) as found:
        any_query = tells = False
        for entry in found:
            any_query = any_query or "gold_sql" in entry.fields
            tells = tells or _is_null(entry.fields.get("gold_sql"))
        if not any_query:
            raise InputError(f"{path}: no entry has a gold query ({', '.join(GOLD_NAMES)}; see --map)")
        told = map(_with_feasibility, found) if tells else found
        return GoldBook(GoldQuestion(entry, (n,)) for n, entry in enumerate(told))


def _with_query(entry: loading.Entry) -> loading.Entry:
    """The entry with its query, or queries, as ``gold_sql``."""
    at_hand = [entry.fields[name] for name in GOLD_NAMES if name in entry.fields]
    texts = [value for value in at_hand if isinstance(value, str) or _is_list_of_text(value)]
    fields = {name: value for name, value in entry.fields.items() if name not in GOLD_NAMES}
    if "question_id" not in fields and "id" in fields:
        fields["question_id"] = fields["id"]
    if at_hand:
        fields["gold_sql"] = (texts or at_hand)[0]
    return replace(entry, fields=fields)


def _is_list_of_text(value: object) -> bool:
    return isinstance(value, list) and any(isinstance(text, str) for text in value)


def _with_feasibility(entry: loading.Entry) -> loading.Entry:
    """A question with what it is, in a file with TrustSQL's ``null`` for questions without an answer."""
    return replace(entry, fields={"feasible": not _is_null(entry.fields.get("gold_sql")), **entry.fields})


def _is_null(value: object) -> bool:
    return isinstance(value, str) and abstains(value)


def _gold_lines(path: Path, lines: Iterable[str]) -> GoldBook:
    """One gold query a line; None for a blank line, which ends an interaction."""
    with Spool(loading.without_ends(lines)) as found:
        talks = any(not line.strip() for line in found)
        return GoldBook(_golds_in(path, found, talks=talks))


def _golds_in(path: Path, lines: Iterable[str], *, talks: bool) -> Iterator[GoldQuestion | None]:
    position = blank = bad = first_bad = 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            blank += 1
            yield None
            continue
        sql, tab, db_id = line.rpartition("\t")
        if not tab or not sql.strip() or not db_id.strip():
            bad, first_bad = bad + 1, first_bad or number
        whole = loading.joined_operators(sql if tab else line)
        fields: dict[str, Any] = {"gold_sql": whole, "db_id": db_id.strip() if tab else ""}
        if talks:
            fields["interaction"] = blank
        yield GoldQuestion(loading.Entry(f"line {number}", fields), (position,))
        position += 1
    if not position:
        raise InputError(f"{path}: the file has no gold queries")
    if bad == position:
        raise InputError(f"{path}:{first_bad}: not a gold query, a tab and a db_id")
