"""Published pairs transpiled to DuckDB, put to the engine; what is proved is attacked on DuckDB itself.

``python -m benchmarks.duckdb.pairs DATA [PAIRS [SECONDS [SEED]]]`` takes pairs of rose-bench in an order
drawn from the seed and prints how they end.  Each pair that is called equivalent runs on generated databases
on DuckDB, both texts as they are; a difference is printed, and is a wrong proof unless ties explain it.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import sqlglot

from benchmarks.duckdb.corpus import duckdb_schema, schemas, transpiled
from benchmarks.duckdb.differential import Ground, Rows, ground_of, inserting, strings_of
from benchmarks.postgres.differential import NEAR, same
from benchmarks.postgres.rows import database
from equiv.core.model import Schema
from equiv.core.runner import Limits, Result
from equiv.core.unsupported import UnsupportedError
from equiv.dialects.duckdb.database import DuckdbError
from equiv.dialects.duckdb.lowering.desugaring import desugared
from equiv.dialects.duckdb.lowering.folding import folded
from equiv.dialects.duckdb.read import typed_query
from equiv.dialects.duckdb.session import empty_session
from equiv.engine.engine import Engine
from equiv.engine.make import make_engine
from equiv.options import Options

DATABASES = 30
Pair = dict[str, Any]


def pairs_of(data: Path, count: int, seed: int) -> list[Pair]:
    """Distinct pairs with both texts, in a random order."""
    with (data / "rose-bench" / "pairs.jsonl").open(encoding="utf-8") as lines:
        pairs = [json.loads(line) for line in lines]
    known = {(p["db_id"], p["predicted_sql"], p["gold_sql"]): p for p in pairs if p["predicted_sql"]}
    found = [pair for pair in known.values() if pair["predicted_sql"] != pair["gold_sql"]]
    Random(seed).shuffle(found)
    return found[:count]


def attacked(pred: str, gold: str, ground: Ground, keyed: Schema) -> str:
    """The first database that tells two texts apart on DuckDB, both as they are; '' if none does.

    Rows that break a constraint of the schema are left out.
    """
    duck = ground.session.database
    try:
        parsed = [duck.parsed(text)["statements"][0]["node"] for text in (pred, gold)]
        queries = [folded(desugared(typed_query(node, ground.schema, duck)), duck) for node in parsed]
    except UnsupportedError:
        return ""
    for seed in range(DATABASES):
        rows: Rows = {}
        for query in queries:
            rows = database(query, ground.tables, Random(f"attack {seed}")) | rows
        with empty_session(keyed) as session:
            for table in keyed.tables:
                for row in rows.get(table.name, ()):
                    with suppress(DuckdbError):
                        session.database.execute(inserting(table.name, [row]))
            answers = [session.run(text, Limits(seconds=5)) for text in (pred, gold)]
        if not all(isinstance(each, Result) for each in answers):
            continue
        one, other = ([*dict.fromkeys(each.rows)] for each in answers if isinstance(each, Result))
        if not same(one, other, (), NEAR):
            return json.dumps({"rows": rows, "answers": (one, other)}, default=str)
    return ""


def main() -> None:
    """See the module."""
    data, *numbers = sys.argv[1:]
    count, seconds, seed = (*map(int, numbers), *(200, 10, 0)[len(numbers) :])
    given = schemas(Path(data), "bird")
    grounds: dict[str, Ground] = {}
    engines: dict[str, Engine] = {}
    keyed: dict[str, Schema] = {}
    ended: Counter[str] = Counter()
    times: list[float] = []
    for pair in pairs_of(Path(data), count, seed):
        name = pair["db_id"]
        if name not in grounds:
            grounds[name] = ground_of(given[name])
            options = Options(dialect="duckdb", relation="bird", timeout=float(seconds))
            keyed[name] = duckdb_schema(given[name])
            engines[name] = make_engine(keyed[name], None, options)
        try:
            texts = [
                transpiled(pair[side], strings_of(pair[side], given[name]))
                for side in ("predicted_sql", "gold_sql")
            ]
        except sqlglot.errors.SqlglotError:
            ended["sqlglot does not read it"] += 1
            continue
        start = time.monotonic()
        verdict = engines[name].check(*texts)
        times.append(time.monotonic() - start)
        if times[-1] > 2 * seconds:
            print("SLOW", round(times[-1]), verdict.name, json.dumps(texts), flush=True)
        reason, detail = getattr(verdict, "reason", None), getattr(verdict, "detail", "")
        ended[" ".join(filter(None, (verdict.name, reason and str(reason), str(detail)[:60])))] += 1
        if verdict.name == "equivalent":
            found = attacked(texts[0], texts[1], grounds[name], keyed[name])
            if found:
                ended["BROKEN"] += 1
                print("BROKEN", json.dumps(texts), found, flush=True)
    for how, number in ended.most_common():
        print(f"{number:6} {how}")
    if times:
        print(f"seconds: median {median(times):.2f}, most {max(times):.1f}")


if __name__ == "__main__":
    main()
