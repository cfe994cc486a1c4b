"""Files are read one entry at a time, as they would be as a whole, and what is known of them lies on disk."""

from __future__ import annotations

import io
import json
import tempfile
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from equiv.errors import InputError
from equiv.eval.reading import loading
from equiv.eval.reading.formats import read_items
from equiv.eval.reading.loading import DEEPEST, TextFile, _with_any_end, without_ends
from equiv.files import read_text

PAIRS = 800
FILLING = "x" * 4_000
MOST = 2.5e6
"""Bytes that reading a file of more than three million of them may take at once."""


def as_lines(folder: Path) -> tuple[Path, None]:
    path = folder / "p.jsonl"
    sql = f"SELECT '{FILLING}'"
    record = {"db_id": "zoo", "predicted_sql": sql, "gold_sql": "SELECT 1"}
    lines = (json.dumps(record | {"question_id": n}) for n in range(PAIRS))
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path, None


def as_table(folder: Path) -> tuple[Path, None]:
    path = folder / "p.csv"
    rows = (f"{n},zoo,\"SELECT '{FILLING}'\",SELECT {n}\n" for n in range(PAIRS))
    path.write_text("question_id,db_id,predicted_sql,gold_sql\n" + "".join(rows), encoding="utf-8")
    return path, None


def as_text(folder: Path) -> tuple[Path, Path]:
    path, gold = folder / "p.txt", folder / "gold.txt"
    path.write_text(f"SELECT '{FILLING}'\n" * PAIRS, encoding="utf-8")
    gold.write_text(f"SELECT '{FILLING}'\tzoo\n" * PAIRS, encoding="utf-8")
    return path, gold


def beside_lines(folder: Path) -> tuple[Path, Path]:
    path, _ = as_lines(folder)
    gold = folder / "gold.jsonl"
    golds = ({"question_id": n, "db_id": "zoo", "query": f"SELECT '{FILLING}'"} for n in range(PAIRS))
    gold.write_text("".join(f"{json.dumps(one)}\n" for one in golds), encoding="utf-8")
    return path, gold


@pytest.mark.parametrize("write", [as_lines, as_table, as_text, beside_lines])
def test_memory_does_not_grow_with_the_file(
    tmp_path: Path, write: Callable[[Path], tuple[Path, Path | None]]
) -> None:
    path, gold = write(tmp_path)
    tracemalloc.start()
    try:
        count = sum(1 for _ in read_items([path], gold))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert count == PAIRS
    assert most < MOST < path.stat().st_size


def read_whole(path: Path) -> str:
    try:
        return read_text(path)
    except InputError as error:
        return str(error)


def read_by_line(path: Path) -> str:
    try:
        lines = list(TextFile(path).lines())
    except InputError as error:
        return str(error)
    assert all(line.endswith("\n") for line in lines[:-1])
    assert not any("\n" in line[:-1] for line in lines)
    return "".join(lines)


@given(
    st.text(st.sampled_from("a\u00e9\u20ac\U0001f600\ud800\n\r"), max_size=12),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le"]),
    st.integers(1, 5),
)
@settings(max_examples=60, deadline=None)
def test_a_text_by_line_is_the_text(text: str, encoding: str, block: int) -> None:
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        patch.setattr(loading, "BLOCK", block + 64)  # what tells an encoding lies in the first block
        path = Path(folder, "text")
        path.write_bytes((text * 8).encode(encoding, "surrogatepass"))
        # Data files have an option that names their encoding.
        remedy = ": name its encoding (--encoding latin-1, say) or convert it to UTF-8"
        assert read_by_line(path).replace(remedy, ": convert it to UTF-8") == read_whole(path)


@given(st.text(st.sampled_from("ab\r\n"), max_size=12))
def test_lines_are_those_of_the_standard_library(text: str) -> None:
    lines = list(io.StringIO(text, newline="\n"))
    assert list(_with_any_end(lines)) == list(io.StringIO(text, newline=""))
    bare = [line.removesuffix("\r") for line in text.split("\n")]
    assert list(without_ends(lines)) == (bare[:-1] if bare[-1] == "" else bare)


def test_an_entry_nested_beyond_reason_is_told(tmp_path: Path) -> None:
    deep = "[" * (DEEPEST + 1) + "]" * (DEEPEST + 1)
    sound = '{"question_id": 1, "db_id": "zoo", "predicted_sql": "SELECT 1", "gold_sql": "SELECT 1"}'
    path = tmp_path / "p.jsonl"
    path.write_text(f'{sound}\n{sound[:-1]}, "more": {deep}}}\n', encoding="utf-8")
    first, second = read_items([path])
    assert (first.faults, second.faults[0].kind.value) == ((), "unreadable")


def test_the_beginning_stays_readable_and_blank_lines_before_it_do_not_hide_it(tmp_path: Path) -> None:
    path = tmp_path / "p.txt"
    path.write_text("\n" * 5_000 + "[1,\n2]", encoding="utf-8")
    text = TextFile(path)
    assert text.head == "[1,\n2]"
    assert text.whole() == "\n" * 5_000 + "[1,\n2]"
