"""What results call equivalent, attacked on PostgreSQL itself: both texts on generated databases.

Rows whose foreign keys lead nowhere are deleted first.  Texts that may answer in several ways (a LIMIT over
ties, numbers of tied rows) are compared too, so that what is printed for them has to be looked at.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from benchmarks.postgres.differential import Ground, ground_of, on_postgres, same
from benchmarks.postgres.rows import database
from equiv.core.model import Schema
from equiv.core.unsupported import UnsupportedError
from equiv.dialects.postgres.analysis.nodes import Node, read_nodes
from equiv.dialects.postgres.analysis.oids import Catalogue
from equiv.dialects.postgres.analysis.printing import quoted
from equiv.dialects.postgres.analysis.queries import read_query
from equiv.dialects.postgres.analysis.scope import Session as OidSession
from equiv.dialects.postgres.session import PostgresSession
from equiv.dialects.registry import dialect_named
from equiv.dialects.typed import tree as t

NEAR = 2e-6
_shared: dict[tuple[str, int], object] = {}


def attack(results: Path, ddl: Path, databases: Sequence[int]) -> Counter[str]:
    """Attack the equivalences of a results file; prints each database that parts one."""
    dialect, ended = dialect_named("postgres"), Counter[str]()
    proved: dict[str, dict[tuple[str, str], str]] = {}
    with results.open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            if record["verdict"] == "equivalent" and record["predicted_sql"] != record["gold_sql"]:
                pair = record["predicted_sql"], record["gold_sql"]
                proved.setdefault(str(record["db_id"]), {})[pair] = str(record["relation"])
    for name, pairs in proved.items():
        schema = dialect.loader.read_ddl((ddl / f"{name}.sql").read_text(encoding="utf-8"), name)
        with dialect.engine.empty(schema) as session:
            assert isinstance(session, PostgresSession)
            ground = replace(ground_of(schema, session), cleaning=tuple(_cleaning(schema)) * 2)
            for texts, relation in pairs.items():
                ended[_attacked(texts, relation, ground, session, databases)] += 1
    return ended


def _attacked(
    texts: tuple[str, str], relation: str, ground: Ground, session: PostgresSession, databases: Sequence[int]
) -> str:
    """How the attack on one pair ends."""
    bare = [text.strip().rstrip(";") for text in texts]
    try:
        typed = [_typed(text, session) for text in bare]
    except UnsupportedError:
        return "not read"
    types = [t.columns_of(each) for each in typed]
    ran = 0
    made = [database(typed[seed % 2], ground.tables, Random(f"proof {seed}")) for seed in databases]
    for rows, answers in zip(made, on_postgres(ground, bare, made, types), strict=True):
        if isinstance(answers, str):
            continue
        one, other = answers
        ran += 1
        if "set" in relation:
            one, other = sorted(set(one), key=repr), sorted(set(other), key=repr)
        if not same(one, other, (), NEAR):
            print(json.dumps({"texts": texts, "rows": rows, "answers": (one, other)}))
            return "parted"
    return "stands" if ran else "never ran"


def _cleaning(schema: Schema) -> Iterator[str]:
    """Statements that delete the rows that break a foreign key."""
    for table in schema.tables:
        for key in table.foreign_keys:
            places = zip(key.columns, key.parent_columns, strict=True)
            equal = " AND ".join(f"p.{quoted(parent)} = c.{quoted(own)}" for own, parent in places)
            there = " AND ".join(f"c.{quoted(own)} IS NOT NULL" for own in key.columns)
            found = f"SELECT FROM {quoted(key.parent)} p WHERE {equal}"
            yield f"DELETE FROM {quoted(table.name)} c WHERE {there} AND NOT EXISTS ({found})"


def _typed(text: str, session: PostgresSession) -> t.Query:
    (node,) = read_nodes(session.sandbox.viewed(text).tree)
    assert isinstance(node, Node)
    return read_query(node, OidSession(Catalogue(session.sandbox.wire, _shared), lambda _: ""))


def main() -> None:
    """``python -m benchmarks.postgres.proofs RESULTS DDL_FOLDER [DATABASES]``."""
    results, ddl, *count = sys.argv[1:]
    for how, number in attack(Path(results), Path(ddl), range(int(count[0]) if count else 100)).most_common():
        print(f"{number:6} {how}")


if __name__ == "__main__":
    main()
