"""What clocks of zones show: PostgreSQL and the core compare it alike, and alike readings have one answer."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import product

import pytest
from kit.engines import assert_core_agrees, read_text
from kit.sizes import sampled, sized

from equiv.core.query import Query
from equiv.core.runner import Result
from equiv.dialects.registry import dialect_named

POSTGRES = dialect_named("postgres")
CLOCKS = {
    "Europe/Berlin": ("2026-03-29", "2026-10-25"),
    "America/Sao_Paulo": ("2018-11-04", "2019-02-17", "2019-02-16"),
    "America/Havana": ("2026-03-08", "2026-11-01"),
    "Asia/Beirut": ("2026-03-29", "2026-10-25", "2026-10-24"),
    "Africa/Cairo": ("2026-04-24", "2026-10-30", "2026-10-29"),
    "Pacific/Apia": ("2011-12-29", "2011-12-30", "2011-12-31"),
    "America/St_Johns": ("2006-04-02", "2006-10-29", "2006-10-28"),
    "Australia/Lord_Howe": ("2026-04-05", "2026-10-04"),
    "Atlantic/Azores": ("2026-10-25",),
    "Asia/Kathmandu": ("1986-01-01",),
    "Asia/Manila": ("1844-12-30", "1844-12-31"),
    "Europe/Amsterdam": ("1937-07-01", "1892-05-01"),
}
"""Days around which clocks are set: across a midnight, back to it, by minutes, by a day."""
SIGNS = ("=", "<>", "<", "<=", ">", ">=")
HALF = timedelta(minutes=30)
FORMS = (
    "date_trunc('{unit}', at)",
    "date_trunc('{unit}', at, '{zone}')",
    "date_trunc('{unit}', {local})",
    "date_trunc('{unit}', {local}) AT TIME ZONE '{zone}'",
)


def shown(zone: str, day: str) -> Iterator[str]:
    """Comparisons of what a clock shows, by the zone of the session (first) and by one that is named."""
    begin = datetime.fromisoformat(day)
    times = [begin + minutes * HALF for minutes in (-2, -1, 0, 1, 2, 3)]
    local = f"at AT TIME ZONE '{zone}'"
    for sign in SIGNS:
        yield f"(at::date {sign} '{day}')"
        yield f"(({local})::date {sign} '{day}')"
        yield f"(date_trunc('day', at) {sign} timestamptz '{day} 05:00:00+00')"
        yield f"(extract(year FROM at) {sign} {day[:4]})"
        for time in times:
            yield f"({local} {sign} timestamp '{time}')"
        for unit, form in product(("day", "week", "month", "quarter", "year"), FORMS):
            text = form.format(unit=unit, zone=zone, local=local)
            yield f"({text} {sign} '{day}')"
    yield f"(at::date IN ('{day}', '{day[:8]}01'))"
    yield f"(extract(year FROM {local})::int NOT IN (1844, {day[:4]}))"
    yield f"(at >= timestamp '{day}' AT TIME ZONE '{zone}')"
    yield f"(at < date '{day}')"


CASES = [(zone, day) for zone, days in CLOCKS.items() for day in days]


@sized("every", (9, 24), (1, 1))
def test_comparisons_of_what_a_clock_shows(every: tuple[int, int], subtests: pytest.Subtests) -> None:
    for zone, day in CASES[:: every[0]]:
        ddl = f"SET TimeZone = '{zone}'; CREATE TABLE v (id integer PRIMARY KEY, at timestamptz)"
        begin = datetime.fromisoformat(day) - timedelta(hours=40)
        micro = timedelta(microseconds=1)
        instants = [begin + at * HALF / 2 + some * micro for at in range(320) for some in (-1, 0, 1)]
        rows = [f"({at}, '{each}+00')" for at, each in enumerate(instants)]
        script = f"{ddl}; INSERT INTO v VALUES {', '.join(rows)}, ({len(rows)}, NULL)"
        with POSTGRES.engine.replay(script) as session:
            for expression in list(shown(zone, day))[:: every[1]]:
                with subtests.test(f"{zone}: {expression}"):
                    assert_core_agrees(session, "postgres", ddl, expression, 0)


LIMITS_OF_DAYS = """
WITH days AS (
  SELECT d, timezone('{zone}', d) AS i
  FROM generate_series(timestamp '1840-01-01', timestamp '2100-01-01', interval '1 day') AS d
), shown AS (
  SELECT d, i, timezone('{zone}', i)::date = d::date AS is_shown FROM days
)
SELECT 'hidden', d::text FROM shown WHERE NOT is_shown AND (extract(day FROM d) = 1 OR EXISTS (
  SELECT FROM generate_series(i - interval '2 days', i + interval '2 days', interval '15 minutes') AS g
  WHERE timezone('{zone}', g)::date = d::date))
UNION ALL
SELECT 'late', d::text FROM (SELECT d, i, lag(i) OVER (ORDER BY d) AS before FROM shown WHERE is_shown) AS s
WHERE i <= before
"""


@sampled("zone", ["UTC", "Pacific/Kiritimati", "Pacific/Kwajalein", *CLOCKS], 9)
def test_the_midnight_of_a_shown_day_is_taken_for_an_instant_of_it_in_the_order_of_days(zone: str) -> None:
    with POSTGRES.engine.replay("CREATE TABLE v (id integer)") as session:
        found = session.run(LIMITS_OF_DAYS.format(zone=zone))
        assert isinstance(found, Result)
        assert not found.rows


TIMES = """at::date|date_trunc('day', at)::date|(at::timestamp)::date|date_trunc('month', at)::date
date_trunc('month', at::date)|date_trunc('day', date_trunc('month', at))|date_trunc('month', at)
date_trunc('quarter', at)|date_trunc('year', date_trunc('month', at))|date_trunc('year', at)|at::date + 1
date_trunc('day', at) + interval '1 day'|(at::date + 1)::timestamptz|date_trunc('day', at)|lo::date|d
(lo::timestamptz)::date|d::timestamptz::date|date_trunc('day', lo)|date_trunc('day', lo::timestamptz)
to_char(at, 'YYYY-MM')|to_char(date_trunc('month', at), 'YYYY-MM')|to_char(date_trunc('day', at), 'MM')
extract(year FROM at)|extract(year FROM date_trunc('month', at))|extract(month FROM date_trunc('quarter', at))
extract(month FROM date_trunc('day', at))|extract(month FROM at)|extract(day FROM at)|extract(doy FROM at)"""
CALENDAR = [each for line in TIMES.splitlines() for each in line.split("|")]
PLACES = (
    *(
        "SELECT id, {0} FROM v",
        "SELECT {0}, COUNT(*) FROM v GROUP BY {0}",
        "SELECT COUNT(DISTINCT {0}) FROM v",
    ),
    *(
        "SELECT COUNT(*), MIN(id) FROM v GROUP BY {0}",
        "SELECT string_agg(id::text, ' ' ORDER BY {0}, id) FROM v",
    ),
    "SELECT id, COUNT(*) OVER (PARTITION BY {0}), RANK() OVER (ORDER BY {0}) FROM v",
)
PAIRED = (
    *("SELECT COUNT(*), MIN(id) FROM v GROUP BY {0}, {1}", "SELECT id FROM v WHERE {0} = {1}"),
    *("SELECT id FROM v WHERE {0} < {1}", "SELECT array_agg(id ORDER BY {0}, {1}, id) FROM v"),
)
KEPT = "CREATE TABLE v (id integer PRIMARY KEY, at timestamptz, lo timestamp, d date)"


@sized("every", 29, 1)
def test_queries_of_one_reading_have_one_answer_under_each_zone(
    every: int, subtests: pytest.Subtests
) -> None:
    queries = [place.format(each) for place in PLACES for each in CALENDAR]
    queries += [place.format(*each) for place in PAIRED for each in product(CALENDAR, repeat=2)][:: every * 9]
    alike: dict[tuple[object, ...], list[str]] = {}
    for query in queries[:: every // 9 + 1]:
        found = read_text("postgres", KEPT, query)
        if isinstance(found, Query) and (known := found.with_symbols or found).core_text:
            alike.setdefault((known.core_text, *found.types), []).append(query)
    days = [(zone, day) for zone, days in CLOCKS.items() for day in days]
    rows = [
        f"({at}, '{day} {hour}:00'::timestamp AT TIME ZONE '{zone}', '{day} {hour - 1}:30', '{day}')"
        for at, ((zone, day), hour) in enumerate(product(days, (1, 2, 23)))
    ]
    for zone in list(CLOCKS)[::every]:
        script = (
            f"SET TimeZone = '{zone}'; {KEPT}; INSERT INTO v VALUES {', '.join(rows)}, (-1, NULL, NULL, NULL)"
        )
        with POSTGRES.engine.replay(script) as session:
            for group in alike.values():
                answers = [session.run(query) for query in group]
                shown = [sorted(map(repr, each.rows)) for each in answers if isinstance(each, Result)]
                with subtests.test(f"{zone}: {group}"):
                    assert all(each == shown[0] for each in shown)
