"""The first timestamp from a text on: whatever is before the text is before it, and the other way round."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from equiv.facts import END_OF_TIMESTAMPS
from equiv.generate.pools import is_iso_timestamp
from equiv.smt.theories import _first_instant_from, _instant

LAST = (366 + 3_652_059) * 86_400_000_000 - 1
INSTANTS = st.integers(0, LAST)
PIECES = st.sampled_from(
    ["", " ", "0", "1", "5", "9", "-", ":", ".", "~", "é", "2024", "02", "31", "23:59:59"]
)


@st.composite
def texts(draw: st.DrawFn) -> bytes:
    """Beginnings of timestamps, their last character moved or something put behind."""
    start = _instant(draw(INSTANTS))
    start = start[: draw(st.integers(0, len(start)))]
    return start + "".join(draw(st.lists(PIECES, max_size=3))).encode()


@given(texts(), INSTANTS)
@example(b"2024-02-28:", 0)
@example(b"9999-12-31 23:59:59.9999995", LAST)
def test_no_timestamp_lies_between_a_text_and_the_first_from_it(text: bytes, number: int) -> None:
    first = _first_instant_from(text)
    for near in {number, *([] if first is None else near_instants(first))}:
        assert (_instant(near) < text) == (first is None or _instant(near) < first)


def near_instants(first: bytes) -> list[int]:
    low, high = 0, LAST
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if _instant(middle) < first else (low, middle)
    return [max(low - 1, 0), low, min(low + 1, LAST)]


@given(INSTANTS, INSTANTS)
def test_texts_are_in_the_order_of_their_instants(one: int, other: int) -> None:
    assert (one < other) == (_instant(one) < _instant(other))


@given(INSTANTS)
def test_an_instant_is_spelt_as_the_fact_asks(number: int) -> None:
    spelt = _instant(number).decode()
    year_zero = spelt.startswith("0000")
    assert is_iso_timestamp(spelt) == (not year_zero and spelt < END_OF_TIMESTAMPS)
