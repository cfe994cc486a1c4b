"""Published gold queries in two dialects, decided across them; why they differ.

``python -m benchmarks.across.golds DATA RESULTS [RUN …] [--page FILE]`` goes on where RESULTS ends and prints
the tables of RESULTS, also when it is interrupted.  Runs: ``edition`` (BIRD mini-dev's gold queries of SQLite
against those of its PostgreSQL edition, by question), ``duckdb`` and ``postgres`` (SQLite's against their
transpilation by sqlglot).  Relation: ``bird``.  Time is that of this process; PostgreSQL's is not in it.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import sqlglot
from sqlglot import exp

from benchmarks.across.gold_page import page, tables
from benchmarks.across.mends import MENDS, mended
from benchmarks.budget import TimedEngine
from benchmarks.duckdb.corpus import schemas
from benchmarks.journal import Journal, Record, read_lines, until_interrupted
from equiv.core.model import Schema
from equiv.core.query import Broken, Query
from equiv.dialects.crossing.sides import shared, told
from equiv.dialects.registry import dialect_named
from equiv.options import Options
from equiv.verdict import NotEquivalent

RUNS = ("edition", "duckdb", "postgres")
SECONDS = 20.0


@dataclass(frozen=True)
class World:
    """One schema across two dialects."""

    target: str
    engine: TimedEngine

    def read(self, text: str, *, gold: bool) -> str:
        """How the reading of a text ends: ``read``, ``not read: …`` or ``refused: …``."""
        found = self.engine.engine.read(text, gold=gold)
        if isinstance(found, Broken):
            return f"refused: {found.message}"
        assert isinstance(found, Query)
        return "read" if found.tree is not None else f"not read: {found.unsupported}"


def worlds_of(data: Path, run: str) -> dict[str, Schema]:
    """The schemas of a run, each told to the other engine.

    PostgreSQL's edition declares REAL, of 24 bits there and of 53 in SQLite: it is read as DOUBLE PRECISION.
    """
    sqlite, target = dialect_named("sqlite"), dialect_named("postgres" if run == "edition" else run)
    found = {}
    if run == "edition":
        for path in sorted((data / "postgres" / "ddl").glob("*.sql")):
            text = re.sub(
                r"\breal\b", "double precision", path.read_text(encoding="utf-8"), flags=re.IGNORECASE
            )
            given = target.loader.read_ddl(text, path.stem)
            found[path.stem] = shared(given, told(given, target, sqlite), 0)
        return found
    for name, given in schemas(data, "bird").items():
        found[name] = shared(told(given, sqlite, target), given, 1)
    return found


def pairs_of(data: Path, run: str) -> list[Record]:
    """The gold query of each question in SQLite, and in the other dialect; '' where sqlglot has none.

    They come in a random order, so that any part of them is a sample.
    """
    found = list(_all_pairs(data, run))
    Random(1).shuffle(found)
    return found


def _all_pairs(data: Path, run: str) -> Iterator[Record]:
    lines = read_lines(data / "postgres" / "pairs.jsonl")
    edition = {pair["question_id"]: pair["gold_sql"] for pair in lines}
    for pair in read_lines(data / "corrections" / "arcwise.jsonl"):
        text = edition[pair["question_id"]] if run == "edition" else _transpiled(pair["gold_sql"], run)
        kept = {name: pair[name] for name in ("question_id", "db_id")}
        yield {"run": run, **kept, "gold": pair["gold_sql"], "pred": text}


def _transpiled(text: str, target: str) -> str:
    try:
        (shown,) = sqlglot.transpile(text, read="sqlite", write=target)
    except (sqlglot.errors.SqlglotError, ValueError):
        return ""
    return shown


def judged(pair: Record, world: World) -> Record:
    """How a pair ends; of one that differs, by what."""
    if not pair["pred"]:
        return {"verdict": "not transpiled"}
    found: Record = {"read": [world.read(pair["pred"], gold=False), world.read(pair["gold"], gold=True)]}
    verdict, ended = world.engine.checked(pair["pred"], pair["gold"])
    found |= ended
    if isinstance(verdict, NotEquivalent):
        found |= {"difference": str(verdict.difference), "kinds": kinds_of(pair, world)}
    return found


def kinds_of(pair: Record, world: World) -> list[list[Any]]:
    """The mends after which a pair differs no longer, each with the verdict then; all, if none does alone."""
    dialects = {"pred": world.target, "gold": "sqlite"}
    trees = {side: sqlglot.parse_one(pair[side], read=name) for side, name in dialects.items()}
    found, whole, applied = [], dict(trees), []
    for mend in MENDS:
        side = "gold" if mend.of_gold else "pred"
        alone, each = mended(trees[side], mend), mended(whole[side], mend)
        if each is not None:
            whole[side] = each
            applied.append(mend.kind)
        if alone is not None and (name := _agreeing({**trees, side: alone}, dialects, world)):
            found.append([mend.kind, name])
    if not found and len(applied) > 1 and (name := _agreeing(whole, dialects, world)):
        found.append([" and ".join(applied), name])
    return found


def _agreeing(trees: dict[str, exp.Expr], dialects: dict[str, str], world: World) -> str:
    """The verdict on two trees; '' if it is that they differ, or that one engine refuses its text."""
    texts = [trees[side].sql(dialect=dialects[side]) for side in ("pred", "gold")]
    verdict, _ = world.engine.checked(*texts)
    return verdict.name if verdict is not None and verdict.name in ("equivalent", "undecided") else ""


def measure(data: Path, journal: Journal, runs: list[str]) -> None:
    """Decide what the results lack."""
    for run in runs:
        given = worlds_of(data, run)
        worlds: dict[str, World] = {}
        for pair in pairs_of(data, run):
            key = f"{run} {pair['question_id']}"
            if key in journal.done:
                continue
            name = pair["db_id"]
            if name not in worlds:
                target = "postgres" if run == "edition" else run
                options = Options(dialect=target, gold_dialect="sqlite", relation="bird")
                worlds[name] = World(target, TimedEngine(given[name], options, SECONDS))
            journal.add(key, pair | judged(pair, worlds[name]))
        for world in worlds.values():
            world.engine.close()


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("results", type=Path)
    parser.add_argument("runs", nargs="*", default=list(RUNS), help=", ".join(RUNS))
    parser.add_argument("--page", type=Path, help="write the page of RESULTS to this file")
    given = parser.parse_args()
    journal = Journal(given.results)
    with until_interrupted():
        measure(given.data, journal, given.runs)
    records = journal.records
    if given.page is not None:
        given.page.write_text("".join(f"{line}\n" for line in page(records)), encoding="utf-8")
    print(*tables(records), sep="\n")


if __name__ == "__main__":
    main()
