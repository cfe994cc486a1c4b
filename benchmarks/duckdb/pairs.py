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
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import FrameType

import sqlglot

from benchmarks.duckdb.corpus import duckdb_schema, read_sqlite, schemas
from benchmarks.duckdb.differential import strings_of
from benchmarks.duckdb.pair_tables import tables
from benchmarks.duckdb.proofs import Field, attacked, field_of, replayed
from benchmarks.duckdb.repairs import repair
from benchmarks.journal import Journal, Record
from benchmarks.postgres.rewrites import OutOfTimeError
from equiv.core.model import Schema
from equiv.core.query import Broken
from equiv.dialects.duckdb.read import read_query
from equiv.dialects.duckdb.session import DuckdbSession, empty_session
from equiv.engine.engine import Engine
from equiv.engine.make import make_engine
from equiv.options import Options
from equiv.verdict import NotEquivalent, Verdict, Witness

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
    engine: Engine = field(init=False)
    arena: Field = field(init=False)
    _session: DuckdbSession = field(init=False)
    _known: dict[str, Prepared] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.keyed = duckdb_schema(self.given)
        self.open_engine()
        self.arena = field_of(self.given, self.keyed)
        self._session = empty_session(self.keyed)

    def open_engine(self) -> None:
        """Open the engine, again after a pair that was broken off in it."""
        options = Options(dialect="duckdb", relation=self.relation)
        self.engine = make_engine(self.keyed, None, options)

    def checked(self, texts: tuple[str, str]) -> Verdict | None:
        """The verdict on a pair; None if it has used up its seconds of the processor."""
        try:
            signal.setitimer(signal.ITIMER_PROF, self.seconds)
            return self.engine.check(*texts)
        except OutOfTimeError:
            self.open_engine()
            return None
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)

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
    found = list(_distinct(data, corpus))
    Random(1).shuffle(found)
    return found


def _distinct(data: Path, corpus: str) -> Iterator[Record]:
    seen = set()
    with (data / corpus / "pairs.jsonl").open(encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            pair = json.loads(line)
            key = pair["db_id"], pair["predicted_sql"], pair["gold_sql"]
            if pair["predicted_sql"] and key not in seen and key[1] != key[2]:
                seen.add(key)
                yield {
                    "corpus": corpus,
                    "line": number,
                    **{name: pair[name] for name in ("db_id", *SIDES)},
                } | {"executed_equal": pair.get("executed_equal")}


def read(data: Path, corpus: str) -> Iterator[str]:
    """How many distinct queries of a corpus DuckDB prepares and are translated, and by which repairs."""
    given = schemas(data, "bird" if corpus == "rose-bench" else corpus)
    texts = {(pair["db_id"], pair[side]): "" for pair in pairs_of(data, corpus) for side in SIDES}
    worlds = {name: World(schema, CORPORA[corpus], 0.0) for name, schema in given.items()}
    found = [worlds[name].prepared(text) for name, text in texts]
    ended = Counter(each.ended.partition(":")[0] for each in found)
    yield f"{corpus}: {len(found)} distinct queries: " + ", ".join(f"{n} {how}" for how, n in ended.items())
    yield f"  by repairs: {Counter(name for each in found for name in each.repairs)}"


def judged(pair: Record, world: World, databases: int) -> Record:
    """How a pair ends, and what an attack makes of its verdict."""
    sides = [world.prepared(pair[side]) for side in SIDES]
    found: Record = {"read": [each.ended for each in sides], "repairs": [each.repairs for each in sides]}
    if not all(each.text for each in sides):
        return found | {"verdict": "not asked"}
    texts = sides[0].text, sides[1].text
    start = time.process_time()
    verdict = world.checked(texts)
    found |= {"seconds": round(time.process_time() - start, 3), "texts": texts}
    if verdict is None:
        return found | {"verdict": "undecided", "tier": None, "reason": "TIMEOUT", "detail": ""}
    tier, reason = getattr(verdict, "tier", None), getattr(verdict, "reason", None)
    found |= {"verdict": verdict.name, "tier": tier and str(tier), "reason": reason and str(reason)}
    found |= {"detail": getattr(verdict, "detail", ""), "relation": str(verdict.relation)}
    return found | {"attack": _attacked(verdict, texts, world, databases)}


def _attacked(verdict: Verdict, texts: tuple[str, str], world: World, databases: int) -> str:
    relation = str(verdict.relation)
    if verdict.name == "equivalent":
        found = attacked(texts, relation, world.arena, range(databases))
        if found.startswith("parted"):
            print(json.dumps({"texts": texts}), found, flush=True)
        return found
    if isinstance(verdict, NotEquivalent) and isinstance(verdict.evidence, Witness):
        found = replayed(verdict.evidence.sql, texts, relation)
        return found if found == "apart" else f"{found}; {verdict.difference}"
    return ""


def run(data: Path, journal: Journal, corpora: list[str], seconds: float, databases: int) -> None:
    """Put to the engine what the results lack."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise OutOfTimeError

    signal.signal(signal.SIGPROF, stop)
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
    parser.add_argument("--read", action="store_true", help="only count how the queries are read")
    given = parser.parse_args()
    if given.read:
        for corpus in given.corpora:
            print(*read(given.data, corpus), sep="\n", flush=True)
        return
    journal = Journal(given.results)
    try:
        run(given.data, journal, given.corpora, given.seconds, given.databases)
    except (KeyboardInterrupt, RuntimeError) as error:
        # Where DuckDB is at work it takes the signal for itself.
        if not isinstance(error, KeyboardInterrupt) and "interrupted" not in str(error):
            raise
        print("interrupted", file=sys.stderr)
    for line in tables(journal.records):
        print(line)


if __name__ == "__main__":
    main()
