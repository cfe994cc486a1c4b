from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from equiv.core.model import Domain, ForeignKey
from equiv.schema.policy import facts_for
from equiv.schema.tables_json import load_tables_json

ENTRY: dict[str, Any] = {
    "db_id": "shop",
    "table_names_original": ["item", "Sale", "sqlite_sequence"],
    "column_names_original": [
        [-1, "*"],
        [0, "id"],
        [0, "name"],
        [1, "item id"],
        [1, "day"],
        [1, "paid"],
        [1, "note"],
        [2, "name"],
    ],
    "column_types": ["text", "number", "text", "number", "time", "boolean", "others", "text"],
    "primary_keys": [1, [3, 4]],
    "foreign_keys": [[3, 1]],
}


def write(tmp_path: Path, value: object) -> Path:
    path = tmp_path / "tables.json"
    path.write_text(json.dumps(value))
    return path


@pytest.mark.parametrize("keys", [[1, [3, 4]], [1, 3, 4]])
def test_composite_keys_are_nested_or_flat(tmp_path: Path, keys: object) -> None:
    schema = load_tables_json(write(tmp_path, [{**ENTRY, "primary_keys": keys}]))["shop"]
    assert [table.primary_key for table in schema.tables] == [("id",), ("item id", "day")]


def test_columns_types_and_keys_are_read(tmp_path: Path) -> None:
    schema = load_tables_json(write(tmp_path, [ENTRY]))["shop"]
    item, sale = schema.tables
    assert [c.name for c in item.columns] == ["id", "name"]
    assert [c.domain for c in sale.columns] == [Domain.NUMBER, Domain.TEXT, Domain.BOOLEAN, Domain.ANY]
    assert sale.foreign_keys == (ForeignKey(("item id",), "item", ("id",)),)


def test_number_key_is_no_rowid_but_integer_key_is(tmp_path: Path) -> None:
    types = ["text", "integer", "text", "real", "date", "text", "text", "text"]
    entries = [ENTRY, {**ENTRY, "db_id": "bird", "column_types": types}]
    schemas = load_tables_json(write(tmp_path, entries))
    assert schemas["shop"].tables[0].rowid_alias is None
    assert schemas["bird"].tables[0].rowid_alias == "id"
    assert schemas["bird"].tables[0].columns[0].not_null


@pytest.mark.parametrize("value", [[{"db_id": "x"}], [1], {**ENTRY, "primary_keys": [99]}, "text"])
def test_other_json_is_refused_in_one_line(tmp_path: Path, value: object) -> None:
    with pytest.raises(ValueError, match=r"not of the form of tables\.json") as caught:
        load_tables_json(write(tmp_path, value))
    assert "\n" not in str(caught.value)


def test_what_is_no_json_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "tables.json"
    path.write_text("[")
    with pytest.raises(ValueError, match="not JSON"):
        load_tables_json(path)


@pytest.mark.parametrize(("folder", "count"), [("bird", 11), ("spider", 166)])
def test_published_tables_json_load(data: Path, folder: str, count: int) -> None:
    schemas = load_tables_json(data / folder / "tables.json")
    assert len(schemas) == count
    assert all(len(facts_for(schema, "intended")) > 10 for schema in schemas.values())
