"""Names of files and databases come from strangers: one clear error each."""

from __future__ import annotations

from pathlib import Path

import pytest

import equiv
from equiv.schema.ddl import load_ddl
from equiv.schema.locate import place_for_check, places_for_eval


@pytest.mark.parametrize("name", ["\ud800", "\udcff", "\ud800.sqlite", "a\0b", "a/\ud800.db"])
def test_what_no_file_can_be_called_is_not_found(name: str, tmp_path: Path) -> None:
    with pytest.raises(equiv.InputError):
        equiv.check("SELECT 1", "SELECT 1", db=name, timeout=None)
    with pytest.raises(equiv.InputError):
        equiv.check("SELECT 1", "SELECT 1", schema=Path(name), timeout=None)
    with pytest.raises(equiv.InputError):
        place_for_check(None, Path(name))
    for root, schema in ((tmp_path, None), (None, tmp_path)):
        with pytest.raises(equiv.InputError, match="no database or schema for db_id"):
            places_for_eval([name], root, schema)


def test_half_of_a_character_is_no_ddl() -> None:
    with pytest.raises(equiv.InputError, match="no text"):
        load_ddl("CREATE TABLE t (a\ud800 INT)")
