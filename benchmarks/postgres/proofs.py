"""What results call equivalent, attacked on PostgreSQL itself: both texts on generated databases.

Rows whose foreign keys lead nowhere are deleted first.  Texts that may answer in several ways (a LIMIT over
ties, numbers of tied rows) are compared too, so that what is printed for them has to be looked at.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.journal import Journal, Record, read_lines, until_interrupted
from benchmarks.postgres.differential import Ground, grounds, on_postgres, typed_query
from benchmarks.postgres.rows import Pools, databases_of
from benchmarks.two_engines import COARSE, attack, cleaning
from equiv.answers.pair import Pair
from equiv.core.query import Broken, UnsupportedError
from equiv.dialects.postgres.session import PostgresSession
from equiv.dialects.registry import dialect_named
from equiv.dialects.typed import tree as t
from equiv.relation import Relation, Rows


def run(results: Path, ddl: Path, seeds: Sequence[int], journal: Journal) -> None:
    """Attack the equivalences of a results file that a journal lacks."""
    proved: dict[str, dict[tuple[str, str], str]] = {}
    for record in read_lines(results):
        if record["verdict"] == "equivalent" and record["predicted_sql"] != record["gold_sql"]:
            pair = record["predicted_sql"], record["gold_sql"]
            proved.setdefault(str(record["db_id"]), {})[pair] = str(record["relation"])
    for name, ground, session in grounds(ddl, list(proved)):
        for texts, relation in proved[name].items():
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
        typed = [typed_query(text, session) for text in bare]
        pred, gold = (reader.read(text, ground.schema, session) for text in bare)
    except UnsupportedError:
        return {"how": "not read"}
    if isinstance(pred, Broken) or isinstance(gold, Broken):
        return {"how": "not read"}
    used = {name.lower() for query in typed for name in Pools(query).tables}
    ground = replace(ground, cleaning=tuple(cleaning(ground.schema, used)) * 2)
    claimed = Relation(Rows.SET if "set" in relation else Rows.BAG)
    asked = Pair(pred, gold, ground.schema, ground.facts, claimed)
    half = len(seeds) // 2
    made = databases_of(typed[0], ground.tables, seeds[:half], asked)
    made += databases_of(typed[1], ground.tables, seeds[half:], replace(asked, pred=gold, gold=pred))
    answers = on_postgres(ground, bare, made, [t.columns_of(each) for each in typed])
    both = (None if isinstance(each, str) else (each[0], each[1]) for each in answers)
    return attack(zip(made, both, strict=True), relation, COARSE)


def main() -> None:
    """``python -m benchmarks.postgres.proofs RESULTS DDL_FOLDER JOURNAL [DATABASES]``; resumes."""
    results, ddl, kept, *count = sys.argv[1:]
    journal = Journal(Path(kept))
    with until_interrupted():
        run(Path(results), Path(ddl), range(int(count[0]) if count else 100), journal)
    print(journal.table("how"))


if __name__ == "__main__":
    main()
