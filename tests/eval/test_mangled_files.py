"""No prediction file, however mangled, ends in a traceback, and none of its entries is lost."""

from __future__ import annotations

import json
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from equiv.errors import InputError
from equiv.eval.reading.formats import FormatOptions, read_items
from equiv.eval.reading.loading import mapping_of
from equiv.options import Options
from equiv.records.record import Item, pair_key

WILD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=4,
)
SQL = st.sampled_from(["SELECT 1", "", "null", "```sql\nSELECT 1\n```", "SELECT '\ud800\x1b[2J'"]) | WILD
IDS = st.integers(0, 4) | st.sampled_from(["1", "x"]) | WILD
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "question_id": IDS,
    "predicted_sql": SQL,
    "gold_sql": SQL,
    "db_id": st.sampled_from(["zoo", "farm"]) | WILD,
    **dict.fromkeys(("label", "difficulty", "feasible", "confidence", "question", "method"), WILD),
}
RECORDS = st.fixed_dictionaries({}, optional=FIELDS)
ENTRIES = st.lists(RECORDS | WILD, min_size=1, max_size=6)
MANGLED = st.sampled_from(["none", "cut", "bytes", "crlf", "utf-16", "blank lines"])


def mangle(data: bytes, how: str, where: int) -> bytes:
    """The content of a file, spoilt in a way."""
    match how:
        case "cut":
            return data[: where % (len(data) + 1)]
        case "bytes":
            return data[: where % (len(data) + 1)] + b"\xff\x00" + data[where % (len(data) + 1) :]
        case "crlf":
            return data.replace(b"\n", b"\r\n")
        case "utf-16":
            return data.decode("utf-8", "surrogatepass").encode("utf-16", "surrogatepass")
        case "blank lines":
            return b"\n\n" + data.replace(b"\n", b"\n \n")
    return data


def read(content: bytes, name: str, gold: bytes | None = None, **reading: Any) -> list[Item] | None:
    """The items, each of which can be recorded; None if the file is refused with one line."""
    with tempfile.TemporaryDirectory() as folder:
        path, gold_path = Path(folder, name), Path(folder, "gold.json")
        path.write_bytes(content)
        if gold is not None:
            gold_path.write_bytes(gold)
        try:
            items = list(
                read_items([path], gold_path if gold is not None else None, reading=FormatOptions(**reading))
            )
        except InputError as error:
            must_be_one_line(error)
            return None
    for item in items:
        json.dumps([asdict(item), pair_key(item, "", Options())], allow_nan=False)
    return items


def must_be_one_line(error: InputError) -> None:
    assert "\n" not in str(error)


@pytest.mark.long
@given(ENTRIES, MANGLED, st.integers(0, 10_000), st.booleans())
@settings(max_examples=15, deadline=None)
def test_a_list_of_records(entries: list[Any], how: str, where: int, extract: bool) -> None:
    items = read(mangle(json.dumps(entries).encode(), how, where), "p.json", extract=extract)
    if items is not None and how in ("none", "crlf", "utf-16"):
        assert len(items) == len(entries)


@pytest.mark.long
@given(ENTRIES, MANGLED, st.integers(0, 10_000))
@settings(max_examples=15, deadline=None)
def test_lines_of_records(entries: list[Any], how: str, where: int) -> None:
    text = "\n".join(json.dumps(entry) for entry in entries)
    items = read(mangle(text.encode(), how, where), "p.jsonl")
    if items is not None and how in ("none", "crlf", "utf-16", "blank lines"):
        assert len(items) == len(entries)


@given(ENTRIES, st.lists(RECORDS | WILD, min_size=1, max_size=4), MANGLED, st.integers(0, 10_000))
@settings(max_examples=15, deadline=None)
def test_records_beside_a_gold_file(entries: list[Any], golds: list[Any], how: str, where: int) -> None:
    items = read(json.dumps(entries).encode(), "p.json", mangle(json.dumps(golds).encode(), how, where))
    if items is not None and how in ("none", "crlf", "utf-16"):
        assert len(items) >= len(entries)


@given(
    st.dictionaries(st.integers(0, 5).map(str) | st.text(max_size=2), SQL, max_size=6), MANGLED, st.integers()
)
@settings(max_examples=15, deadline=None)
def test_a_dict_of_predictions(predictions: dict[str, Any], how: str, where: int) -> None:
    gold = json.dumps([{"question_id": n, "db_id": "zoo", "SQL": f"SELECT {n}"} for n in range(4)]).encode()
    items = read(mangle(json.dumps(predictions).encode(), how, abs(where)), "p.json", gold)
    if items is not None and how in ("none", "crlf", "utf-16"):
        assert {str(n) for n in range(4)} | set(predictions) == {str(item.question_id) for item in items}


@given(st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode("utf-8", "replace")))
@settings(max_examples=15, deadline=None)
def test_any_bytes_at_all(content: bytes) -> None:
    gold = b"SELECT 1\tzoo\nSELECT 2\tzoo\n"
    for name in ("p.json", "p.jsonl", "p.txt", "p.csv", "p.tsv"):
        items = read(content, name, gold)
        assert items is None or len(items) >= 2


@given(
    st.lists(st.tuples(st.text(max_size=9), st.text(max_size=9)), min_size=1, max_size=5),
    MANGLED,
    st.integers(),
)
@settings(max_examples=15, deadline=None)
def test_a_table(rows: list[tuple[str, str]], how: str, where: int) -> None:
    def quoted(text: str) -> str:
        return '"' + text.replace('"', '""') + '"'

    lines = ["id,a,b", *(f"{n},{quoted(pred)},{quoted(gold)}" for n, (pred, gold) in enumerate(rows))]
    content = "\n".join(lines).encode("utf-8", "replace")
    items = read(mangle(content, how, abs(where)), "p.csv", mapping=mapping_of("id=id,a=pred,b=gold"))
    if items is not None and how in ("none", "utf-16"):
        assert len(items) == len(rows)
