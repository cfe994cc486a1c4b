"""Gold queries with several possible answers: bare columns and other choices of a row, the clock."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from equiv.answers.answers import Outcomes
from equiv.answers.calls import CELL, source_of_cell
from equiv.answers.choices.rows import randomise_bare_columns, randomise_distinct_order
from equiv.answers.compare import match_rows
from equiv.cells import Row
from equiv.core.clock import reads_the_clock
from equiv.core.opaque_choices import Opaque
from equiv.core.query import Query
from equiv.eval.gold.finding import Basis, Finding, Kind
from equiv.eval.gold.order import tie
from equiv.eval.gold.query_in_database import QueryInDatabase
from equiv.verdict import NotEquivalent, Witness


def duplicates(subject: QueryInDatabase) -> Iterator[Finding]:
    """The gold query takes a value from an arbitrary one of several rows that differ.

    A bare column under GROUP BY, a key by which SELECT DISTINCT is sorted and which it does not select, or
    the first row of a scalar subquery that has several.  With data, two answers that the query may give are
    shown; without, the query is held with MIN against MAX in the place of each such column, and a database
    on which these differ is shown.
    No fault: the group's key determines the column (its rows agree), which is not reported; or any will do.
    Example: ``SELECT city, name FROM person GROUP BY city``, where several live in one city.
    """
    if subject.data is None:
        yield from _by_witness(subject)
        return
    for part in subject.scalars:
        rows = subject.rows(part.tree) if subject.varies and part.tree is not None else None
        if rows is not None and len(set(rows.rows)) > 1:
            detail = f"a scalar subquery has {len(rows.rows)} rows, of which one counts"
            yield Finding(Kind.DUPLICATES, Basis.DATA, detail, rows.rows)
            return
    answers = subject.answers
    if answers is None or len(answers.seen) < 2 or (settled := _with(subject, exp.Min)) is None:
        return
    possible_rows = subject.possible(settled)
    if possible_rows is not None and len(possible_rows.seen) == 1:
        one, other = _two(answers)
        detail = "a column is taken from any row of its group; two answers that the query may give differ"
        yield Finding(Kind.DUPLICATES, Basis.DATA, detail, one, other_rows=other)


def nondeterministic(subject: QueryInDatabase) -> Iterator[Finding]:
    """The gold query has several possible answers on the same data, and not by ties or duplicates.

    It reads the clock or chance, concatenates or numbers rows whose order is free, or ties of a window
    count.  With data, two answers that the query may give are shown.
    No fault: "today" is meant, and results are compared at one instant.
    Example: ``SELECT GROUP_CONCAT(name) FROM person``.
    """
    query = subject.query
    if not isinstance(query, Query):
        return
    if not query.is_repeatable:
        yield Finding(
            Kind.NONDETERMINISTIC, Basis.TEXT, "it depends on chance, or on what the data do not fix"
        )
    elif query.tree is not None and reads_the_clock(query.tree):
        yield Finding(Kind.NONDETERMINISTIC, Basis.TEXT, "it reads the current time")
    elif subject.varies and not any(tie(subject)) and not any(duplicates(subject)):
        assert subject.answers is not None
        one, other = _two(subject.answers)
        detail = "two answers that it may give on the data differ"
        yield Finding(Kind.NONDETERMINISTIC, Basis.DATA, detail, one, other_rows=other)


def _two(answers: Outcomes) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
    """Two possible answers, less the rows that they share; those that a LIMIT drops are among them."""
    one, other = ([row for group in seen.groups for row in group] for seen in answers.seen[:2])
    only_one, only_other = match_rows(one, other)
    return tuple(only_one), tuple(only_other)


def _by_witness(subject: QueryInDatabase) -> Iterator[Finding]:
    """With a database on which the least and the greatest choice of each bare column lead apart."""
    least, greatest = _with(subject, exp.Min), _with(subject, exp.Max)
    if least is None or greatest is None:
        return
    match subject.engine.check(least.sql, greatest.sql):
        case NotEquivalent(evidence=Witness() as witness):
            detail = "a column is taken from any row of its group, and a database shows that it matters"
            yield Finding(
                Kind.DUPLICATES,
                Basis.SCHEMA,
                detail,
                witness.pred_rows,
                other_rows=witness.gold_rows,
                witness=witness.sql,
            )


def _with(subject: QueryInDatabase, extreme: type[exp.Expression]) -> Query | None:
    """The query with the least or greatest value in the place of each choice among duplicates.

    None if it makes none, and without data also if one is made from an extremal row alone.
    """
    if subject.tree is None:
        return None
    changed = subject.tree.copy()
    try:
        opened = [_lay_open(select, subject) for select in list(changed.find_all(exp.Select))]
    except Opaque:
        return None
    if not any(opened):
        return None
    for call in [node for node in changed.find_all(exp.Anonymous) if node.name == CELL]:
        source, is_extremal = source_of_cell(call)
        if subject.data is None and is_extremal:
            return None
        call.replace(extreme(this=source.copy()))
    return subject.alone(changed)


def _lay_open(select: exp.Expression, subject: QueryInDatabase) -> bool:
    ordered = randomise_distinct_order(select, subject.context)
    return randomise_bare_columns(select, subject.context) or ordered
