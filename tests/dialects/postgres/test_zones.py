"""What the clock of a named zone shows, compared with constants: PostgreSQL and the core give the same."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import product

import pytest
from kit.engines import assert_core_agrees
from kit.sizes import sized

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
