"""TO_DATE reads texts as loosely as PostgreSQL does."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from equiv.core.functions.texts import to_date
from equiv.core.runner import Result
from equiv.dialects.protocol import Session
from equiv.dialects.registry import dialect_named

FORMATS = ("YYYY-MM-DD", "YYYYMM", "YYYYMMDD", "DD/MM/YYYY", "YYYY", " YYYY-MM")
TEXTS = st.one_of(
    st.text("0123456789-/. +aé", max_size=10),
    st.dates(min_value=date(1, 1, 1)).map(lambda day: day.isoformat().replace("-", "")),
    st.tuples(st.integers(0, 20000), st.integers(0, 13), st.integers(0, 32)).map(
        lambda day: "-".join(map(str, day))
    ),
)


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with dialect_named("postgres").engine.replay("CREATE TABLE t (a int)") as found:
        yield found


@settings(max_examples=150, deadline=None)
@given(text=TEXTS, form=st.sampled_from(FORMATS))
@example(text="20131", form="YYYYMM")
@example(text="9", form="YYYY-MM-DD")
@example(text="2013", form="YYYYMM")
@example(text="2013 - 1-2x", form="YYYY-MM-DD")
def test_a_text_is_the_date_that_postgres_reads(session: Session, text: str, form: str) -> None:
    theirs = session.run(f"SELECT to_date('{text}', '{form}')")
    if isinstance(theirs, Result) and len(str(theirs.rows[0][0])) == len("2000-01-01"):
        assert theirs.rows[0][0] == to_date(text, form)
    else:
        assert to_date(text, form) is None


@pytest.mark.parametrize("form", ["Month", "YYYY-YYYY", "MM", "FMYYYY", "YY", "HH24", ""])
def test_other_formats_are_none(form: str) -> None:
    assert to_date("2000-01-01", form) is None
