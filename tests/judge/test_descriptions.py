"""What databases say of their columns: found beside them, read in any encoding, cut and escaped."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equiv.judge.describe import (
    MOST,
    DescribedColumn,
    Descriptions,
    DescriptionSource,
    as_text,
    read_csv,
    read_json,
)

HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}

CSV = """original_column_name,column_name,column_description,data_format,value_description
legs,number of legs,"how many legs
 it stands on",integer,"0: it swims
4: it runs"

Tail ,tail,,,
"""
LEGS = DescribedColumn(
    "legs", "number of legs", "how many legs it stands on", "integer", "0: it swims 4: it runs"
)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_file_of_bird_is_read_in_its_encoding(encoding: str) -> None:
    assert (
        read_csv(CSV.replace("how many", "how mány").encode(encoding))[0].meaning
        == "how mány legs it stands on"
    )


def test_a_file_in_windows_1252_is_read() -> None:
    assert (
        "it\u2019s a café"
        in read_csv(CSV.replace("how many legs", "it\u2019s a café").encode("cp1252"))[0].meaning
    )
    assert read_csv(CSV.replace("how", "how\x81").encode("latin-1"))[0].meaning.startswith(
        "how\N{REPLACEMENT CHARACTER}"
    )


def test_blank_lines_line_breaks_and_odd_headers_are_taken() -> None:
    assert read_csv(CSV.encode()) == (LEGS, DescribedColumn("Tail", "tail"))
    odd = CSV.replace("original_column_name,", " Original_column_name ,").replace(
        "description\n", "description,,\n", 1
    )
    assert read_csv(odd.replace("\n", "\r\n").encode())[0] == LEGS
    assert read_csv(b"original_column_name,column_description\n,nameless\nshort\n") == (
        DescribedColumn("short"),
    )


@pytest.mark.parametrize("data", [b"", b"\n\n", b"a,b\n1,2\n", b'original_column_name\n"' + b"x" * 200_000])
def test_what_is_no_description_is_told(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"header|CSV"):
        read_csv(data)


def test_a_file_of_rose_is_read() -> None:
    tables = {
        "animal": [{"column_name": "legs", "column_description": "how many", "value_description": None}]
    }
    assert read_json(json.dumps(tables).encode()) == {
        "animal": (DescribedColumn("legs", meaning="how many"),)
    }
    for wrong in ("[]", '{"animal": {}}', '{"animal": [{}]}', '{"animal": ["legs"]}', "{", "[" * 100_000):
        with pytest.raises(ValueError):  # noqa: PT011 - each of these has words of its own
            read_json(wrong.encode())


def test_columns_of_which_nothing_is_said_are_left_out() -> None:
    text = as_text(
        {"animal": (LEGS, DescribedColumn("Tail", "tail"), DescribedColumn("foot_size", "Foot size"))}
    )
    assert text == (
        "animal:\n- legs; number of legs; meaning: how many legs it stands on; form: integer; "
        "values: 0: it swims 4: it runs"
    )
    assert as_text({"animal": (DescribedColumn("Tail"),)}) == as_text({}) == ""


def test_a_long_documentation_is_cut_to_size_and_says_so() -> None:
    columns = tuple(DescribedColumn(f"c{number}", meaning="long " * 400) for number in range(300))
    text = as_text({"t": columns})
    assert len(text) <= MOST
    assert all(f"- c{number};" in text for number in range(300))
    assert "…" in text
    cut = as_text({"t": columns}, 500)
    assert cut.endswith("more lines are left out)")
    assert int(cut.rpartition("(")[2].split()[0]) + cut.count("\n- c") == 300


@given(st.text(), st.text())
def test_hidden_characters_are_written_out(name: str, text: str) -> None:
    (column,) = read_json(json.dumps({"t": [{"column_name": name, "column_description": text}]}).encode())[
        "t"
    ]
    shown = as_text({"t": (column,)})
    assert not {unicodedata.category(character) for character in shown.replace("\n", "")} & HIDDEN
    assert shown.count("\n") <= 1


def test_descriptions_are_found_beside_databases_and_by_option(tmp_path: Path) -> None:
    folder = tmp_path / "zoo" / "database_description"
    folder.mkdir(parents=True)
    (folder / "animal.CSV").write_text(CSV)
    (folder / "notes.txt").write_text("nothing")
    (tmp_path / "shop_schema.json").write_text(
        '{"sale": [{"column_name": "eur", "column_description": "price"}]}'
    )
    below = Descriptions(DescriptionSource(root=tmp_path))
    assert below.of("zoo").startswith("animal:\n- legs;")
    assert below.of("shop") == "sale:\n- eur; meaning: price"
    assert below.of("unknown") == ""
    beside = Descriptions(DescriptionSource(beside=tmp_path / "zoo" / "zoo.sqlite"))
    assert beside.of("any name") == below.of("zoo")
    assert Descriptions(DescriptionSource()).of("zoo") == ""


def test_a_name_leads_nowhere_else(tmp_path: Path) -> None:
    outside = tmp_path / "outside" / "database_description"
    outside.mkdir(parents=True)
    (outside / "t.csv").write_text(CSV)
    root = tmp_path / "root"
    (root / "zoo" / "database_description").mkdir(parents=True)
    (root / "zoo" / "database_description" / "t.csv").symlink_to(outside / "t.csv")
    found = Descriptions(DescriptionSource(root=root))
    assert [found.of(name) for name in ("../outside", "zoo", "", "..", "a/b")] == [""] * 5


def test_an_unreadable_file_is_told_and_costs_only_itself(tmp_path: Path) -> None:
    folder = tmp_path / "zoo" / "database_description"
    folder.mkdir(parents=True)
    (folder / "animal.csv").write_text(CSV)
    (folder / "broken.csv").write_bytes(b"\x00\xff")
    found = Descriptions(DescriptionSource(root=tmp_path))
    assert "legs" in found.of("zoo")
    assert found.of("zoo")
    (remark,) = found.remarks
    assert "broken.csv: not read as a description of columns: no header" in remark


def test_the_digest_follows_every_file(tmp_path: Path) -> None:
    source = DescriptionSource(root=tmp_path)
    assert source.digest() == ""
    folder = tmp_path / "zoo" / "database_description"
    folder.mkdir(parents=True)
    digests = [source.digest()]
    for name, text in (("a.csv", CSV), ("a.csv", CSV + "x,,,,y\n"), ("b.csv", CSV)):
        (folder / name).write_text(text)
        digests.append(source.digest())
    assert len(set(digests)) == 4
