"""Published pairs transpiled to DuckDB, put to the engine; every verdict is attacked on DuckDB itself.

``python -m benchmarks.duckdb.pairs DATA RESULTS [CORPUS …] [--seconds S] [--databases N]`` goes on where
RESULTS ends and prints the table of RESULTS, also when it is interrupted.  Corpora: ``rose-bench`` (SQLite's
words, relation ``bird``), ``postgres`` (PostgreSQL's, ``bird``), ``rewrites`` (PostgreSQL's, ``sql``).  What
DuckDB refuses as sqlglot writes it is repaired by :mod:`benchmarks.duckdb.repairs`, if DuckDB takes it then.
Time is that of the process, so that a busy machine measures the same; DuckDB's is in it.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import sqlglot

from benchmarks.budget import TimedEngine
from benchmarks.duckdb.corpus import duckdb_schema, read_sqlite, schemas
from benchmarks.duckdb.differential import Ground, ground_of, strings_of
from benchmarks.duckdb.pair_tables import tables
from benchmarks.duckdb.proofs import attacked, replayed
from benchmarks.duckdb.repairs import repair
from benchmarks.journal import Journal, Record, read_lines, until_interrupted
from equiv.core.model import Schema
from equiv.core.query import Broken
from equiv.dialects.duckdb.read import read_query
from equiv.dialects.duckdb.session import DuckdbSession, empty_session
from equiv.options import Options
from equiv.verdict import Equivalent, NotEquivalent, Verdict, Witness

CORPORA = {"rose-bench": "bird", "postgres": "bird", "rewrites": "sql"}
"""The relation of each corpus."""
SIDES = ("predicted_sql", "gold_sql")


@dataclass(frozen=True)
class Prepared:
    """A query in DuckDB's words, and how its reading ends.

    Attributes:
        text: DuckDB's; '' if sqlglot does not read the query.
        ended: ``read``, ``not read: …``, ``refused: …`` or ``no query``.
        repairs: the repairs without which DuckDB refuses it.
    """

    text: str
    ended: str
    repairs: tuple[str, ...] = ()


@dataclass
class World:
    """One schema of a corpus: the engine of its pairs, and where they are attacked."""

    given: Schema
    relation: str
    seconds: float
    keyed: Schema = field(init=False)
    engine: TimedEngine = field(init=False)
    ground: Ground = field(init=False)
    _session: DuckdbSession = field(init=False)
    _known: dict[str, Prepared] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.keyed = duckdb_schema(self.given)
        options = Options(dialect="duckdb", relation=self.relation)
        self.engine = TimedEngine(self.keyed, options, self.seconds)
        self.ground = ground_of(self.given, self.keyed)
        self._session = empty_session(self.keyed)

    def prepared(self, text: str) -> Prepared:
        """A published query in DuckDB's words."""
        if text not in self._known:
            self._known[text] = self._prepared(text)
        return self._known[text]

    def _prepared(self, text: str) -> Prepared:
        try:
            if self.given.dialect == "postgres":
                (shown,) = sqlglot.transpile(text, read="postgres", write="duckdb")
                return Prepared(shown, self._ended(shown))
            tree = read_sqlite(text, strings_of(text, self.given))
        except (sqlglot.errors.SqlglotError, ValueError):
            return Prepared("", "sqlglot does not read it")
        shown = tree.sql(dialect="duckdb")
        ended = self._ended(shown)
        if ended.startswith("refused") and (names := repair(tree, self.given)):
            mended = tree.sql(dialect="duckdb")
            again = self._ended(mended)
            if not again.startswith("refused"):
                return Prepared(mended, again, tuple(names))
        return Prepared(shown, ended)

    def _ended(self, shown: str) -> str:
        found = read_query(shown, self.keyed, self._session)
        if isinstance(found, Broken):
            return f"refused: {found.message}"
        return "read" if found.tree is not None else f"not read: {found.unsupported}"


def pairs_of(data: Path, corpus: str) -> list[Record]:
    """The distinct pairs of two different texts, in a random order, so that any part of them is a sample."""
    found: dict[tuple[str, ...], Record] = {}
    for number, pair in enumerate(read_lines(data / corpus / "pairs.jsonl")):
        names = {name: pair[name] for name in ("db_id", *SIDES)}
        if pair["predicted_sql"] and pair["predicted_sql"] != pair["gold_sql"]:
            told = {"corpus": corpus, "line": number, **names, "executed_equal": pair.get("executed_equal")}
            found.setdefault(tuple(names.values()), told)
    pairs = list(found.values())
    Random(1).shuffle(pairs)
    return pairs


def judged(pair: Record, world: World, databases: int) -> Record:
    """How a pair ends, and what an attack makes of its verdict."""
    sides = [world.prepared(pair[side]) for side in SIDES]
    found: Record = {"read": [each.ended for each in sides], "repairs": [each.repairs for each in sides]}
    if not all(each.text for each in sides):
        return found | {"verdict": "not asked"}
    texts = sides[0].text, sides[1].text
    verdict, ended = world.engine.checked(*texts)
    found |= {"texts": texts, **ended}
    return found if verdict is None else found | {"attack": _attacked(verdict, texts, world, databases)}


def _attacked(verdict: Verdict, texts: tuple[str, str], world: World, databases: int) -> str:
    relation = str(verdict.relation)
    if isinstance(verdict, Equivalent):
        found = attacked(texts, relation, world.ground, world.keyed, range(databases))
        if found["how"] != "parted":
            return f"stands {found['ran']}" if found["how"] == "stands" else str(found["how"])
        parted = f"parted {json.dumps(found, default=str)}"
        print(json.dumps({"texts": texts}), parted, flush=True)
        return parted
    if isinstance(verdict, NotEquivalent) and isinstance(verdict.evidence, Witness):
        shown = replayed(verdict.evidence.sql, texts, relation)
        return shown if shown == "apart" else f"{shown}; {verdict.difference}"
    return ""


def run(data: Path, journal: Journal, corpora: list[str], seconds: float, databases: int) -> None:
    """Put to the engine what the results lack."""
    for corpus in corpora:
        given = schemas(data, "bird" if corpus == "rose-bench" else corpus)
        worlds: dict[str, World] = {}
        for pair in pairs_of(data, corpus):
            key = f"{corpus} {pair['line']}"
            if key in journal.done:
                continue
            name = pair["db_id"]
            if name not in worlds:
                worlds[name] = World(given[name], CORPORA[corpus], seconds)
            journal.add(key, pair | judged(pair, worlds[name], databases))
        for world in worlds.values():
            world.engine.close()


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("results", type=Path)
    parser.add_argument("corpora", nargs="*", default=list(CORPORA), help=", ".join(CORPORA))
    parser.add_argument("--seconds", type=float, default=20.0, help="of the processor, for a pair")
    parser.add_argument("--databases", type=int, default=100, help="on which each proof is attacked")
    given = parser.parse_args()
    journal = Journal(given.results)
    with until_interrupted():
        run(given.data, journal, given.corpora, given.seconds, given.databases)
    print(*tables(journal.records), sep="\n")


if __name__ == "__main__":
    main()
