"""Queries that read the clock, at given instants: what tests such a pair at another time than now.

'now' and CURRENT_* are one unknown instant: equivalent means at every one.  One instant and one database
that tell the queries apart refute that; so queries that agree today are asked again with the texts of some
instants in the places of the clock, and what a witness shows is what these texts return.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date, timedelta
from itertools import islice

from sqlglot import exp

from equiv.answers.pair import Pair
from equiv.core.claims.choices import freeze_time, reads_the_clock
from equiv.core.printing import to_sql
from equiv.core.query import Opaque, Query
from equiv.tiers.outcome import Outcome, Refuted
from equiv.verdict import Binding

CLOCK = "now"
"""The name under which a binding keeps the instant."""

_GENERIC = (
    "2024-02-29 12:34:56.789",
    "2023-12-31 23:59:59.999",
    "2023-01-31 00:00:00.000",
    "2030-07-01 06:07:08.090",
)
_MOST = 8
_LEAST_EFFORT = 8
_DAY = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?(?!\d)", re.ASCII)
_WITHIN_A_YEAR = re.compile(r"(0[1-9]|1[0-2])(?:-(0[1-9]|[12]\d|3[01]))?", re.ASCII)
_YEARS = range(1970, 2200)


def settle_at_instants(
    settle: Callable[[Pair, int], Outcome], pair: Pair, effort: int, today: Outcome
) -> Outcome:
    """The outcome of a refuting tier on a pair that reads the clock, tried at several instants besides today.

    Args:
        settle: the tier.
        pair: the pair.
        effort: is shared among the instants.
        today: what the tier says of the pair as it is.
    """
    if isinstance(today, Refuted) or pair.binding is not None or not reads_any_clock(pair):
        return today
    chosen = list(islice(dict.fromkeys(_instants(pair)), _MOST))
    for instant in chosen:
        outcome = _settled(settle, pair, instant, max(_LEAST_EFFORT, effort // len(chosen)))
        if isinstance(outcome, Refuted):
            return outcome
    return today


def _settled(settle: Callable[[Pair, int], Outcome], pair: Pair, instant: str, effort: int) -> Outcome | None:
    try:
        at = pair_at(pair, instant)
    except Opaque:
        return None
    outcome = settle(at, effort)
    if isinstance(outcome, Refuted):
        return replace(outcome, evidence=replace(outcome.evidence, binding=at.binding))
    return outcome


def reads_any_clock(pair: Pair) -> bool:
    """Whether both queries can be read, and one of them reads the clock."""
    trees = [query.tree for query in (pair.pred, pair.gold) if query.tree is not None]
    try:
        return len(trees) == 2 and any(map(reads_the_clock, trees))
    except Opaque:
        return False


def pair_at(pair: Pair, instant: str) -> Pair:
    """The pair with the texts of an instant, YYYY-MM-DD HH:MM:SS.SSS, in the places of the clock.

    Raises:
        Opaque: it is not known where that is.
    """
    pred, gold = (_at(query, instant) for query in (pair.pred, pair.gold))
    binding = Binding(((CLOCK, instant),), pred.sql, gold.sql)
    return replace(pair, pred=pred, gold=gold, binding=binding, asked=(pred.sql, gold.sql))


def _at(query: Query, instant: str) -> Query:
    assert query.tree is not None
    tree = query.tree.copy()
    if not freeze_time(tree, instant):
        return query
    if query.core_text is not None:
        raise Opaque("Literal", "the clock, in a text that is not printed from its tree")
    return replace(query, sql=to_sql(tree), tree=tree)


def _instants(pair: Pair) -> Iterator[str]:
    """Instants that the literals of the queries ask for, and others at which the calendar turns."""
    days = [day for text in _literals(pair) for day in _days(text)]
    yield from (f"{day} 12:34:56.789" for day in days[: _MOST - len(_GENERIC)])
    yield from _GENERIC


def _literals(pair: Pair) -> Iterator[str]:
    for query in (pair.pred, pair.gold):
        assert query.tree is not None
        for literal in query.tree.find_all(exp.Literal):
            yield str(literal.this)


def _days(text: str) -> Iterator[str]:
    """Days in and beside what a literal may name: a year, a month or a day, or the part of a year."""
    whole, part = _DAY.match(text), _WITHIN_A_YEAR.fullmatch(text)
    if whole is not None and int(whole[1]) in _YEARS:
        try:
            day = date(int(whole[1]), int(whole[2] or 12), int(whole[3] or 1))
        except ValueError:
            return
        yield day.isoformat()
        yield (day + timedelta(days=1 if whole[3] else 31)).isoformat()
    elif part is not None:
        yield f"2024-{part[1]}-{part[2] or '15'}"
