"""The scores of ESM+'s published script, pair by pair, from a checkout of it.

Usage: ``python -m benchmarks.seeds.published_esm_plus DIR``, DIR being a checkout of its repository
(``ESMp.py``, ``esmp_process_sql.py``), in an environment that has what these import.  Scores are kept in
``results/seeds.esm_plus_script.jsonl``, where ``python -m benchmarks.seeds`` finds them.  The database that
is not at hand is made from ``tables.json``, without rows: the script reads its schema alone.
"""

from __future__ import annotations

import contextlib
import io
import json
import sqlite3
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks import ROOT
from benchmarks.command import parser
from benchmarks.journal import kept_lines, write_lines
from benchmarks.pairs.corpora import SPIDER_MODELS
from benchmarks.seeds.spider_scores import SPIDER, WITHOUT_ROWS, pairs
from equiv.dialects.registry import reference
from equiv.schema.locate import places_for_eval

KEPT = ROOT / "results" / "seeds.esm_plus_script.jsonl"
RULES = list(range(1, 21))
NOTHING: Mapping[str, Any] = {
    "select": [False, []],
    "from": {"conds": [], "table_units": []},
    **{name: [] for name in ("where", "groupBy", "having", "orderBy")},
    **dict.fromkeys(("limit", "intersect", "union", "except")),
}
"""The structure that its script compares where it does not read a prediction."""
UNREAD = (ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What its parser raises at a query that it does not read."""


def kept() -> dict[str, list[bool]]:
    """The scores by system, in the order of the questions; none before the script has run."""
    return {line["system"]: [bool(score) for score in line["scores"]] for line in kept_lines(KEPT)}


def run(script: Path) -> Iterator[dict[str, Any]]:
    """The scores of each system, by the script in a folder."""
    sys.path.insert(0, str(script))
    from ESMp import Evaluator, isValidSQL  # type: ignore[import-not-found]
    from esmp_process_sql import get_sql  # type: ignore[import-not-found]

    def structure(database: str, sql: str) -> Any:
        with contextlib.redirect_stdout(io.StringIO()):
            return get_sql(database, sql, RULES)

    def score(database: str, pred: str, gold: str) -> int:
        wanted = structure(database, gold)
        try:
            given = structure(database, pred) if isValidSQL(pred, database) else None
        except UNREAD:
            given = None
        given = json.loads(json.dumps(NOTHING)) if given is None else given
        return int(Evaluator().eval_exact_match(given, wanted, False))

    with tempfile.TemporaryDirectory() as folder:
        bare = _bare(Path(folder))
        for system in SPIDER_MODELS:
            found = [score(_database(a.db_id, bare), a.pred, a.gold) for a in pairs(system)]
            yield {"system": system, "scores": found}


def _database(name: str, bare: Path) -> str:
    return str(bare if name == WITHOUT_ROWS else SPIDER / "database" / name / f"{name}.sqlite")


def _bare(folder: Path) -> Path:
    """A database without rows, of the schema that ``tables.json`` has."""
    schema = places_for_eval([WITHOUT_ROWS], None, SPIDER / "tables.json")[WITHOUT_ROWS].schema
    assert schema is not None
    file = folder / f"{WITHOUT_ROWS}.sqlite"
    with contextlib.closing(sqlite3.connect(file)) as database:
        for statement in reference().create(schema):
            database.execute(statement)
    return file


def main() -> int:
    """Run the script, and keep its scores."""
    flags = parser(__doc__)
    flags.add_argument("script", type=Path)
    found = list(run(flags.parse_args().script))
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    write_lines(KEPT, found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
