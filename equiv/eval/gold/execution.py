"""Gold queries that do not run, return nothing, or are not modelled."""

from __future__ import annotations

from collections.abc import Iterator

from equiv.core.query import Broken, Query
from equiv.core.runner import Failure, Result
from equiv.eval.gold.finding import Basis, Finding, Kind
from equiv.eval.gold.query_in_database import QueryInDatabase


def does_not_run(subject: QueryInDatabase) -> Iterator[Finding]:
    """The gold query is no query on the schema, or fails or times out on the given data.

    No fault: the query is of another dialect, and was meant to be; or it is merely slow.
    Example: ``SELECT nme FROM person``, where the column is called ``name``.
    """
    if isinstance(subject.query, Broken) and subject.query.cause != "WITHHELD":
        why = f"{subject.query.cause}: {subject.query.message}"
        sign = f" ({subject.query.sign})" if subject.query.sign is not None else ""
        yield Finding(Kind.DOES_NOT_RUN, Basis.TEXT, f"{why}{sign}")
    elif isinstance(subject.answer, Failure):
        yield Finding(Kind.DOES_NOT_RUN, Basis.DATA, f"on the given data: {subject.answer.message}")


def empty(subject: QueryInDatabase) -> Iterator[Finding]:
    """The gold query returns no row on the given data, or a single row of NULLs.

    Any query with an empty result then counts as right where results are compared.
    No fault: the question has no answer on these data, and that was meant; a count of 0 is not reported.
    Example: ``SELECT name FROM person WHERE city = 'Pariss'``, with a city that nobody lives in.
    """
    match subject.answer:
        case Result(rows=()):
            yield Finding(Kind.EMPTY, Basis.DATA, "no row on the given data")
        case Result(rows=(row,)) if all(cell is None for cell in row):
            yield Finding(Kind.EMPTY, Basis.DATA, "a single row of NULLs on the given data", (row,))


def unsupported(subject: QueryInDatabase) -> Iterator[Finding]:
    """The gold query is not modelled: verdicts come from databases alone, and most checks do not apply.

    No fault: it never is one of the query itself.
    Example: a recursive common table expression.
    """
    query = subject.query
    if isinstance(query, Query) and query.unsupported is not None:
        yield Finding(Kind.UNSUPPORTED, Basis.TEXT, str(query.unsupported))
    elif isinstance(query, Broken) and query.cause == "WITHHELD":
        yield Finding(Kind.UNSUPPORTED, Basis.TEXT, query.message)
