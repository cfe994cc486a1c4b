"""The kinds of faults with the functions that check for them, in the order of reports; a worker's task.

The first checks here see a gold query in the light of what systems predicted, and of what a judge replied
beside predictions; the last see texts that are taken as numbers or as names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

from sqlglot import exp

from equiv.answers import choices as choice_functions
from equiv.answers.compare import match_rows
from equiv.answers.exact import sql_call
from equiv.cells import Cell, Row
from equiv.core.claims import blocks
from equiv.core.claims.blocks import COMPARISONS, base_column, is_number, is_text
from equiv.core.claims.value_types import WEAK, affinity, conforms
from equiv.core.model import Affinity, Column, Context, Domain, Table
from equiv.core.printing import to_sql
from equiv.core.query import Query
from equiv.core.runner import Result
from equiv.core.single_values import sql_literal
from equiv.dialects.protocol import Session
from equiv.errors import InputError
from equiv.eval.gold import conditions, execution, joins
from equiv.eval.gold.execution import Look, QueryInDatabase, nodes_of
from equiv.eval.gold.finding import Basis, GoldFault, GoldFinding, GoldQuery
from equiv.eval.plan import Setting
from equiv.eval.worker import WORKER, SideWorker
from equiv.graphs import classes_of
from equiv.names import quoted
from equiv.records.record import Record
from equiv.tiers.data import CAPS

REFUTED = "not_equivalent"


@dataclass(frozen=True)
class Predicted:
    """The predictions for one gold query as records, and where more can be asked of them."""

    gold: GoldQuery
    records: tuple[Record, ...]
    aside: SideWorker
    agreeing: int
    """How many systems must agree against the gold query."""

    @cached_property
    def classes(self) -> list[list[Record]]:
        """The refuted predictions, those together that are proven equivalent to the first of their class."""

        def same(one: Record, other: Record) -> bool:
            texts = one["predicted_sql"], other["predicted_sql"]
            return self.aside.proves_same(self.gold.db_id, self.gold.sql, *texts)

        return classes_of(same, (record for record in self.records if record["verdict"] == REFUTED))

    @property
    def same_rows(self) -> list[bool | None]:
        """For each prediction, whether it returns the same set of rows on the given data; None if unknown."""
        gold = self.gold
        texts = [record["predicted_sql"] for record in self.records]
        return [self.aside.results(gold.db_id, text, gold.sql, "bird").equal for text in texts]

    @property
    def systems(self) -> list[str]:
        """The systems that predicted, each once."""
        return list(dict.fromkeys(record["source"] for record in self.records))


def unsolved(predicted: Predicted) -> Iterator[GoldFinding]:
    """None of at least two systems solves the question.

    Every prediction is refuted or no query at all and, where data are given, returns something else there;
    one that is undecided, or right by execution, counts as solving it.
    No fault: the question is hard; the more systems fail, the less likely that is.
    Example: six systems count all people, and the gold query counts those whose name is not NULL.
    """
    if len(predicted.systems) < 2 or any(r["verdict"] not in {REFUTED, "invalid"} for r in predicted.records):
        return
    if any(_is_right_on_data(predicted, record) for record in predicted.records):
        return
    detail = f"none of {len(predicted.systems)} systems answers it correctly"
    yield GoldFinding(GoldFault.UNSOLVED, Basis.SYSTEMS, detail, systems=tuple(predicted.systems))


def outvoted(predicted: Predicted) -> Iterator[GoldFinding]:
    """Predictions of several systems are proven equivalent to one another, and a database refutes them.

    The largest such class is reported, if it has the predictions of at least as many systems as are asked
    for, with what tells it from the gold query.  With data, one that returns there what the gold query
    returns is none.
    No fault: systems that learnt from the same data share a misreading.
    Example: four of six systems use LEFT JOIN for "each person", and the gold query an inner join.
    """
    large = [own for own in predicted.classes if len(_sources(own)) >= max(predicted.agreeing, 2)]
    large.sort(key=lambda members: -len(_sources(members)))
    largest = next((own for own in large if not _is_right_on_data(predicted, own[0])), None)
    if largest is None:
        return
    systems = _sources(largest)
    example = largest[0]
    evidence = example["evidence"] or {}
    where = "the given data" if evidence.get("kind") == "execution" else "a database"
    among = f"{len(systems)} of {len(predicted.systems)} systems"
    yield GoldFinding(
        GoldFault.OUTVOTED,
        Basis.SYSTEMS,
        f"{among} agree on a query that {where} refutes ({example['difference'] or 'it differs'})",
        _rows(evidence.get("gold_rows")),
        other_sql=example["predicted_sql"],
        other_rows=_rows(evidence.get("pred_rows")),
        witness=evidence.get("sql") or "",
        systems=tuple(systems),
    )


def _is_right_on_data(predicted: Predicted, record: Record) -> bool:
    gold = predicted.gold
    return predicted.aside.results(gold.db_id, record["predicted_sql"], gold.sql).equal is True


def _sources(members: Sequence[Record]) -> list[str]:
    return list(dict.fromkeys(record["source"] for record in members))


def _rows(found: list[list[Any]] | None) -> tuple[Row, ...]:
    """Rows of a record, whose cells are JSON values already."""
    return tuple(map(tuple, found or ()))


NO_REASON = "no reason was given"


def replies_on_gold(records: Iterable[Record]) -> list[Record]:
    """The replies of a Refuter that say whether the gold query is correct."""
    replies = [reply for record in records if (reply := record["refuter_result"])]
    return [reply for reply in replies if isinstance(reply["gold_correct"], bool)]


def contradicted(records: Sequence[Record]) -> Iterator[GoldFinding]:
    """The Refuter of a judged run called it faulty (``gold_correct`` is false) at least once.

    No fault: the judge errs, or contradicts itself; the detail says how many of its replies agree.
    Example: "how many people" with a gold query that counts cities, seen so beside a prediction.
    """
    told = replies_on_gold(records)
    against = [reply for reply in told if not reply["gold_correct"]]
    if against:
        reason = next((reply["reason"] for reply in against if reply["reason"]), NO_REASON)
        detail = f"{len(against)} of {len(told)} replies call it faulty: {reason}"
        yield GoldFinding(GoldFault.CONTRADICTED, Basis.JUDGE, " ".join(detail.split()))


AS_MEANT = "equiv_as_meant"
SHARE = 0.9
"""How much of a column's values must be numbers for it to be a column of numbers."""
VALUES = 20_000
"""How many of them are looked at."""

_ORDERING = (exp.LT, exp.LTE, exp.GT, exp.GTE, exp.Between)
_EXTREMES = (exp.Min, exp.Max)
_NUMBER = re.compile(r"\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\s*\Z", re.ASCII)
_DATE = re.compile(r"(1[5-9]|20)\d\d((0[1-9]|1[0-2])([0-2]\d|3[01])?)?\Z")
"""A year, or a year and a month, or these and a day, of one length each."""


def text_numbers(subject: QueryInDatabase) -> Iterator[GoldFinding]:
    """The gold query sorts or compares numbers as text, or compares a text with a number.

    '9' comes after '10'.  Reported are a column of text whose values are numbers (nine in ten of the data's),
    sorted or compared by < and the like, by MIN or MAX, if the answer is another once they count as numbers;
    without data, such a column that is compared with a number; and a text without affinity (STRFTIME,
    SUBSTR) that is compared with a number, to which it is never equal and always greater.
    No fault: texts of one length sort as numbers do.  With data they are not reported, and without it no
    number that reads as a date of the last centuries (2013, 201301, 20130131).
    Example: ``SELECT MAX(score) FROM game``, where score is declared TEXT.
    """
    tree = subject.tree
    if tree is None:
        return
    for text in _blind(tree, subject.context):
        yield GoldFinding(
            GoldFault.TEXT_NUMBERS, Basis.TEXT, f"a text is compared with a number: {to_sql(text.copy())}"
        )
    if subject.data is not None:
        yield from _on_data(subject, tree, subject.data)
        return
    for comparison in nodes_of(tree, *_ORDERING):
        sides = list(comparison.iter_expressions())
        numbers = [side for side in sides if is_number(side) and not _DATE.match(to_sql(side.copy()))]
        if numbers and any(_text_column(side, subject.context) for side in sides):
            told = to_sql(comparison.copy())
            detail = f"a column of text is compared with a number, digit by digit: {told}"
            yield GoldFinding(GoldFault.TEXT_NUMBERS, Basis.SCHEMA, detail)


def _blind(tree: exp.Expression, ctx: Context) -> Iterator[exp.Expression]:
    """Comparisons of a text with a number, neither of which gives the other its affinity."""
    for node in nodes_of(tree, *COMPARISONS, exp.Between, exp.In):
        sides = [side for side in node.iter_expressions() if not isinstance(side, exp.Query)]
        texts = [side for side in sides if affinity(side, ctx) in WEAK and _is_text(side, ctx)]
        if texts and any(map(is_number, sides)):
            yield node


def _is_text(node: exp.Expression, ctx: Context) -> bool:
    return not isinstance(node, exp.Literal) and conforms(node, Domain.TEXT, ctx) is not None


def _text_column(node: exp.Expression, ctx: Context) -> tuple[Table, Column] | None:
    base = base_column(node, ctx) if isinstance(node, exp.Column) else None
    return base if base is not None and base[1].affinity is Affinity.TEXT else None


def _on_data(subject: QueryInDatabase, tree: exp.Expression, data: Session) -> Iterator[GoldFinding]:
    changed = tree.copy()
    columns = _count_as_numbers(changed, subject.context, data)
    if not columns:
        return
    data.core.connection.create_function(AS_MEANT, 1, as_meant, deterministic=True)
    results = subject.rows(changed)
    if results is None or not isinstance(subject.answer, Result):
        return
    names = ", ".join(columns)
    here, there = match_rows(_as_numbers(subject.answer.rows), _as_numbers(results.rows))
    if here or there:
        detail = f"{names}: numbers as text; as numbers the answer is another"
        yield GoldFinding(GoldFault.TEXT_NUMBERS, Basis.DATA, detail, tuple(here), other_rows=tuple(there))
    elif rows := _out_of_order(subject, tree):
        detail = f"{names}: numbers as text; these rows are out of order as numbers"
        yield GoldFinding(GoldFault.TEXT_NUMBERS, Basis.DATA, detail, rows)


def _count_as_numbers(tree: exp.Expression, ctx: Context, data: Session) -> list[str]:
    """Make what is sorted and compared in a tree count as numbers, in place; which columns that changes."""
    parents = nodes_of(tree, exp.Ordered, *_EXTREMES, *_ORDERING)
    places = [place for node in parents for place in node.iter_expressions()]
    wanted = {}
    for place in places:
        column = _text_column(place, ctx)
        if column is not None and _holds_numbers(data, *column):
            wanted[id(place)] = f"{column[0].name}.{column[1].name}"
    beside = {id(place) for place in places if any(id(other) in wanted for other in _beside(place))}
    for place in places:
        if id(place) in beside or id(place) in wanted:
            place.replace(sql_call(AS_MEANT, place.copy()))
    return list(dict.fromkeys(wanted.values()))


def _beside(place: exp.Expression) -> list[exp.Expression]:
    """What a place is compared with."""
    parent = place.parent
    return list(parent.iter_expressions()) if isinstance(parent, _ORDERING) else []


def _holds_numbers(data: Session, table: Table, column: Column) -> bool:
    if not data.has_core:
        return False
    name = quoted(column.name)
    found = data.core.run(
        f"SELECT DISTINCT {name} FROM {quoted(table.name)} WHERE {name} <> '' LIMIT {VALUES}", CAPS
    )
    if not isinstance(found, Result) or not found.rows:
        return False
    numbers = sum(isinstance(as_meant(cell), int | float) for (cell,) in found.rows)
    return numbers >= SHARE * len(found.rows)


def as_meant(cell: Cell) -> Cell:
    """A cell as a number if it is a plain decimal text; any other cell unchanged."""
    if not isinstance(cell, str) or not _NUMBER.match(cell):
        return cell
    try:
        return int(cell)
    except ValueError:
        return float(cell)


def _as_numbers(rows: Sequence[Row]) -> list[Row]:
    return [tuple(map(as_meant, row)) for row in rows]


def _out_of_order(subject: QueryInDatabase, tree: exp.Expression) -> tuple[Row, ...]:
    """Two rows of an ordered answer whose first keys stand the wrong way round as numbers, if there are."""
    order = tree.args.get("order")
    if order is None or not isinstance(tree, exp.Select) or tree.args.get("distinct") is not None:
        return ()
    first = order.expressions[0]
    if _text_column(first.this, subject.context) is None:
        return ()
    keyed = tree.copy()
    keyed.append("expressions", exp.alias_(first.this.copy(), AS_MEANT))
    results = subject.rows(keyed)
    rows = [row for row in results.rows if isinstance(as_meant(row[-1]), int | float)] if results else []
    for one, other in pairwise(rows):
        before, after = as_meant(one[-1]), as_meant(other[-1])
        assert isinstance(before, int | float)
        assert isinstance(after, int | float)
        if before < after if first.args.get("desc") else before > after:
            return one, other
    return ()


_OF_NUMBERS = (exp.Sum, exp.Avg, exp.Min, exp.Max)


def quoted_name(subject: QueryInDatabase) -> Iterator[GoldFinding]:
    """The gold query has a string where only a column makes sense, mostly a misspelt name in double quotes.

    SQLite reads a name in double quotes that names no column as a string, without a word.  Reported is one
    that is selected, sorted or grouped by, aggregated, or compared with a constant; or whose letters are
    those of a column of the tables that are read; and a string in single quotes as a key or in SUM, AVG, MIN
    or MAX.  ``city = "Paris"`` is a string in SQLite and meant as one, so it is not reported.
    No fault: a constant that is to label the rows.
    Example: ``SELECT name FROM person ORDER BY "brith date"``: every row has the same key.
    """
    query = subject.query
    if not isinstance(query, Query):
        return
    if query.tree is None:
        columns = _letters_of_columns(subject.engine.schema.tables)
        names = [name for name in query.quoted_strings if _letters(name) in columns]
    else:
        columns = _letters_of_columns(blocks.tables_read([query.tree], subject.engine.schema))
        names = [text.name for text in query.tree.find_all(exp.Literal) if _is_misplaced(text, columns)]
    for name in dict.fromkeys(names):
        yield GoldFinding(
            GoldFault.QUOTED_NAME, Basis.TEXT, f"{sql_literal(name)} is a string, but a column is meant"
        )


def _is_misplaced(text: exp.Expression, columns: set[str]) -> bool:
    if not is_text(text):
        return False
    parent = text.parent
    if isinstance(parent, exp.Ordered | exp.Group) or _is_of_numbers(parent):
        return True
    if not text.meta.get("misread"):
        return False
    if isinstance(parent, exp.Alias) or (parent is not None and blocks.is_aggregate(parent)):  # type: ignore[arg-type]
        return True
    if isinstance(parent, COMPARISONS) and all(map(blocks.is_literal, parent.iter_expressions())):
        return True
    return _letters(text.name) in columns


def _is_of_numbers(call: exp.Expr | None) -> bool:
    return isinstance(call, _OF_NUMBERS) and blocks.is_aggregate(call)


def _letters_of_columns(tables: Iterable[Table]) -> set[str]:
    return {_letters(column.name) for table in tables for column in table.columns}


def _letters(name: str) -> str:
    """A name less its qualifier, case, blanks and signs."""
    return re.sub(r"[\W_]+", "", name.rpartition(".")[2]).lower()


@dataclass(frozen=True, slots=True)
class OfQuery:
    """A kind that is looked for in one gold query on its database."""

    kind: GoldFault
    look: Look
    needs_data: bool


_OF_TEXTS: dict[str, Look] = {"text_numbers": text_numbers, "quoted_name": quoted_name}
_NEED_DATA = frozenset({GoldFault.EMPTY, GoldFault.TIE, GoldFault.AVERAGES_ZEROS})

OF_QUERIES: dict[GoldFault, OfQuery] = {
    kind: OfQuery(kind, checks[kind], kind in _NEED_DATA)
    for kind in GoldFault
    for checks in (vars(execution), vars(conditions), vars(joins), _OF_TEXTS)
    if kind in checks
}

OF_SYSTEMS = {GoldFault.UNSOLVED: unsolved, GoldFault.OUTVOTED: outvoted}
"""Those that are looked for in what systems predicted."""

OF_JUDGES = {GoldFault.CONTRADICTED: contradicted}


def kinds_named(text: str) -> frozenset[GoldFault]:
    """The kinds that ``all`` or a list with commas names.

    Raises:
        InputError: there is no such kind.
    """
    if text == "all":
        return frozenset(GoldFault)
    names = [name.strip() for name in text.split(",")]
    if unknown := [name for name in names if name not in set(GoldFault)]:
        raise InputError(f"unknown kind {unknown[0]!r}; choose among all, {', '.join(GoldFault)}")
    return frozenset(map(GoldFault, names))


class _Desk:
    """The database that is open and the query that lies on it: the kinds of one query come together."""

    def __init__(self) -> None:
        self._path: Path | None = None
        self._data: Session | None = None
        self._subject: QueryInDatabase | None = None

    def subject(self, gold: GoldQuery) -> QueryInDatabase:
        """The gold query on its database, with the results that earlier checks computed."""
        if self._subject is None or self._subject.gold != gold:
            engine = WORKER.engine(gold.db_id)
            self._subject = QueryInDatabase(gold, engine, self._open(WORKER.settings[gold.db_id]))
        return self._subject

    def _open(self, setting: Setting) -> Session | None:
        path = setting.place.database
        if path != self._path:
            if self._data is not None:
                self._data.close()
            self._data = setting.dialect.engine.open(path) if path is not None else None
            if self._data is not None and self._data.has_core:
                choice_functions.register(self._data.core.connection)
            self._path = path
        return self._data


_DESK = _Desk()


def look(kinds: tuple[GoldFault, ...], gold: GoldQuery) -> tuple[tuple[GoldFinding, ...], ...]:
    """The findings of some checks on one gold query, for each of them."""
    subject = _DESK.subject(gold)
    return tuple(tuple(OF_QUERIES[kind].look(subject)) for kind in kinds)
