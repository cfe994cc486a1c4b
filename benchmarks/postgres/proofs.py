"""What results call equivalent, attacked on PostgreSQL itself: both texts on generated databases.

Rows whose foreign keys lead nowhere are deleted first.  Texts that may answer in several ways (a LIMIT over
ties, numbers of tied rows) are compared too, so that what is printed for them has to be looked at.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.journal import Journal, Record
from benchmarks.postgres.differential import Ground, ground_of, on_postgres, same
from benchmarks.postgres.rows import Pools, databases_of
from equiv.answers.pair import Pair
from equiv.core.model import Schema, quoted_name
from equiv.core.query import Broken, UnsupportedError
from equiv.dialects.postgres.analysis.nodes import TreeNode, read_nodes
from equiv.dialects.postgres.analysis.queries import read_query
from equiv.dialects.postgres.analysis.scope import Catalogue
from equiv.dialects.postgres.analysis.scope import NodeReading as OidSession
from equiv.dialects.postgres.session import PostgresSession
from equiv.dialects.registry import dialect_named
from equiv.dialects.typed import tree as t
from equiv.relation import Relation, Rows

NEAR = 2e-6
_shared: dict[tuple[str, int], object] = {}


def attack(results: Path, ddl: Path, seeds: Sequence[int], journal: Journal) -> None:
    """Attack the equivalences of a results file that a journal lacks."""
    dialect = dialect_named("postgres")
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
            ground = ground_of(schema, session)
            for texts, relation in pairs.items():
                key = json.dumps([name, *texts])
                if key not in journal.done:
                    journal.add(key, _attacked(texts, relation, ground, session, seeds))


def _attacked(
    texts: tuple[str, str], relation: str, ground: Ground, session: PostgresSession, seeds: Sequence[int]
) -> Record:
    """How the attack on one pair ends, and the database that parts it if there is one."""
    bare = [text.strip().rstrip(";") for text in texts]
    reader = dialect_named("postgres").reader
    try:
        typed = [_typed(text, session) for text in bare]
        pred, gold = (reader.read(text, ground.schema, session) for text in bare)
    except UnsupportedError:
        return {"how": "not read"}
    if isinstance(pred, Broken) or isinstance(gold, Broken):
        return {"how": "not read"}
    types = [t.columns_of(each) for each in typed]
    ran = 0
    used = {name for query in typed for name in Pools(query).tables}
    ground = replace(ground, cleaning=tuple(_cleaning(ground.schema, used)) * 2)
    asked = Pair(
        pred, gold, ground.schema, ground.facts, Relation(Rows.SET if "set" in relation else Rows.BAG)
    )
    halves = seeds[: len(seeds) // 2], seeds[len(seeds) // 2 :]
    made = [
        rows
        for query, half, pair in zip(
            typed, halves, (asked, replace(asked, pred=gold, gold=pred)), strict=True
        )
        for rows in databases_of(query, ground.tables, half, pair)
    ]
    for rows, answers in zip(made, on_postgres(ground, bare, made, types), strict=True):
        if isinstance(answers, str):
            continue
        one, other = answers
        ran += 1
        if "set" in relation:
            one, other = sorted(set(one), key=repr), sorted(set(other), key=repr)
        if not same(one, other, (), NEAR):
            return {"how": "parted", "rows": rows, "answers": (one, other)}
    return {"how": "stands" if ran else "never ran", "ran": ran}


def _cleaning(schema: Schema, used: set[str]) -> Iterator[str]:
    """Statements that delete the rows that break a foreign key between tables that are used.

    A parent that no query asks for has no rows: by its key nothing would be left.
    """
    for table in (each for each in schema.tables if each.name in used):
        for key in (each for each in table.foreign_keys if each.parent in used):
            places = zip(key.columns, key.parent_columns, strict=True)
            equal = " AND ".join(f"p.{quoted_name(parent)} = c.{quoted_name(own)}" for own, parent in places)
            there = " AND ".join(f"c.{quoted_name(own)} IS NOT NULL" for own in key.columns)
            found = f"SELECT FROM {quoted_name(key.parent)} p WHERE {equal}"
            yield f"DELETE FROM {quoted_name(table.name)} c WHERE {there} AND NOT EXISTS ({found})"


def _typed(text: str, session: PostgresSession) -> t.TypedQuery:
    (node,) = read_nodes(session.sandbox.viewed(text).tree)
    assert isinstance(node, TreeNode)
    return read_query(node, OidSession(Catalogue(session.sandbox.wire, _shared), lambda _: ""))


def main() -> None:
    """``python -m benchmarks.postgres.proofs RESULTS DDL_FOLDER JOURNAL [DATABASES]``; resumes."""
    results, ddl, kept, *count = sys.argv[1:]
    journal = Journal(Path(kept))
    try:
        attack(Path(results), Path(ddl), range(int(count[0]) if count else 100), journal)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
    print(journal.table("how"))


if __name__ == "__main__":
    main()
