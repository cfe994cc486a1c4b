"""The kinds of faults with the functions that check for them, in the order of reports; a worker's task."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from equiv.answers import choices as choice_functions
from equiv.dialects.protocol import Session
from equiv.errors import InputError
from equiv.eval.gold.execution import (
    does_not_run,
    duplicates,
    empty,
    nondeterministic,
    null_first,
    other_gold,
    tie,
    unsupported,
)
from equiv.eval.gold.finding import Finding, Kind
from equiv.eval.gold.numbers import quoted_name, text_numbers
from equiv.eval.gold.queries import GoldQuery
from equiv.eval.gold.query_in_database import QueryInDatabase
from equiv.eval.gold.signs import conditions, joins, wording
from equiv.eval.gold.systems import contradicted, outvoted, unsolved
from equiv.eval.plan import Setting
from equiv.eval.running.worker import WORKER

Look = Callable[[QueryInDatabase], Iterator[Finding]]


@dataclass(frozen=True, slots=True)
class OfQuery:
    """A kind that is looked for in one gold query on its database."""

    kind: Kind
    look: Look
    needs_data: bool = False


OF_QUERIES: dict[Kind, OfQuery] = {
    entry.kind: entry
    for entry in (
        OfQuery(Kind.DOES_NOT_RUN, does_not_run),
        OfQuery(Kind.EMPTY, empty, needs_data=True),
        OfQuery(Kind.TIE, tie, needs_data=True),
        OfQuery(Kind.NULL_FIRST, null_first),
        OfQuery(Kind.TEXT_NUMBERS, text_numbers),
        OfQuery(Kind.DUPLICATES, duplicates),
        OfQuery(Kind.NONDETERMINISTIC, nondeterministic),
        OfQuery(Kind.QUOTED_NAME, quoted_name),
        OfQuery(Kind.OTHER_GOLD, other_gold),
        OfQuery(Kind.UNSUPPORTED, unsupported),
        OfQuery(Kind.COUNTS_REPEATS, joins.counts_repeats),
        OfQuery(Kind.COUNTS_ASKED, joins.counts_asked),
        OfQuery(Kind.COUNTS_OTHERS, joins.counts_others),
        OfQuery(Kind.SUMS_REPEATS, joins.sums_repeats),
        OfQuery(Kind.REPEATS_ROWS, joins.repeats_rows),
        OfQuery(Kind.LOOSE_JOIN, joins.loose_join),
        OfQuery(Kind.IDLE_TABLE, joins.idle_table),
        OfQuery(Kind.PRECEDENCE, conditions.precedence),
        OfQuery(Kind.REPEATED_CONDITION, conditions.repeated_condition),
        OfQuery(Kind.SELF_EQUALITY, conditions.self_equality),
        OfQuery(Kind.ONE_SIDED_JOIN, joins.one_sided_join),
        OfQuery(Kind.UNJOINED_TABLE, joins.unjoined_table),
        OfQuery(Kind.COUNTS_ELSE, conditions.counts_else),
        OfQuery(Kind.WHOLE_DIVISION, conditions.whole_division),
        OfQuery(Kind.MAY_TIE, conditions.may_tie),
        OfQuery(Kind.UNORDERED_LIMIT, conditions.unordered_limit),
        OfQuery(Kind.DIRECTION, conditions.direction),
        OfQuery(Kind.SORTED_TEXT, conditions.sorted_text),
        OfQuery(Kind.STRANGE_CONSTANT, wording.strange_constant),
        OfQuery(Kind.MISSING_NUMBER, wording.missing_number),
        OfQuery(Kind.UNASKED_COLUMN, wording.unasked_column),
        OfQuery(Kind.UNREAD_COLUMN, wording.unread_column),
        OfQuery(Kind.OTHER_COMPARISON, wording.other_comparison),
        OfQuery(Kind.NEGATED_ROW, conditions.negated_row),
        OfQuery(Kind.EXCLUDED_BY_VALUE, conditions.excluded_by_value),
        OfQuery(Kind.IDLE_ORDER, conditions.idle_order),
        OfQuery(Kind.AVERAGES_ZEROS, conditions.averages_zeros, needs_data=True),
        OfQuery(Kind.OTHER_BOUND, wording.other_bound),
        OfQuery(Kind.MISSING_DISTINCT, wording.missing_distinct),
    )
}

OF_SYSTEMS = {Kind.UNSOLVED: unsolved, Kind.OUTVOTED: outvoted}
"""Those that are looked for in what systems predicted."""

OF_JUDGES = {Kind.CONTRADICTED: contradicted}


def kinds_named(text: str) -> frozenset[Kind]:
    """The kinds that ``all`` or a list with commas names.

    Raises:
        InputError: there is no such kind.
    """
    if text == "all":
        return frozenset(Kind)
    names = [name.strip() for name in text.split(",")]
    if unknown := [name for name in names if name not in set(Kind)]:
        raise InputError(f"unknown kind {unknown[0]!r}; choose among all, {', '.join(Kind)}")
    return frozenset(map(Kind, names))


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
            if self._data is not None:
                choice_functions.register(self._data.core.connection)
            self._path = path
        return self._data


_DESK = _Desk()


def look(kinds: tuple[Kind, ...], gold: GoldQuery) -> tuple[tuple[Finding, ...], ...]:
    """The findings of some checks on one gold query, for each of them."""
    subject = _DESK.subject(gold)
    return tuple(tuple(OF_QUERIES[kind].look(subject)) for kind in kinds)
