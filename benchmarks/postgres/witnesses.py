"""Witnesses of a results file, each replayed by a bare psycopg on a fresh database of the embedded server.

Nothing of ``equiv`` runs but the server: the driver's own values are compared, sorted by what they print.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from equiv.dialects.postgres.embedded import server

NAME = "witness"


def replayed(results: Path) -> Counter[str]:
    """How the witnesses of a file end; prints the pairs that one does not tell apart."""
    at, ended = server.running(), Counter[str]()
    options = {"host": str(at.socket), "port": 5432, "user": server.ADMIN, "sslmode": "disable"}
    seen: set[tuple[str, str, str]] = set()
    with psycopg.connect(**options, dbname="postgres", autocommit=True) as admin:
        for line in results.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            evidence = record.get("evidence") or {}
            texts = record["predicted_sql"], record["gold_sql"]
            if record["verdict"] != "not_equivalent" or evidence.get("kind") != "witness":
                continue
            if (key := (*texts, evidence["sql"])) in seen:
                continue
            seen.add(key)
            admin.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(NAME)))
            admin.execute(sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(sql.Identifier(NAME)))
            with psycopg.connect(**options, dbname=NAME) as fresh:
                how = _tells_apart(fresh, evidence["sql"], texts, str(record["relation"]))
            ended[how] += 1
            if how != "apart":
                print(json.dumps({"how": how, "texts": texts, "script": evidence["sql"]}))
        admin.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(NAME)))
    return ended


def _tells_apart(fresh: psycopg.Connection[Any], script: str, texts: tuple[str, str], relation: str) -> str:
    """What a database shows: ``apart``, ``the same``, or the error that it raises."""
    try:
        fresh.execute(script.encode())
        asked = [fresh.execute(text.strip().rstrip(";").encode()) for text in texts]
        rows = [each.fetchall() for each in asked]
    except psycopg.Error as error:
        return f"error: {str(error).splitlines()[0][:60]}"
    if len({len(each.description or ()) for each in asked}) > 1:
        return "apart"
    one, other = ([_shown(row) for row in each] for each in rows)
    if "set" in relation:
        one, other = list(set(one)), list(set(other))
    if "list" in relation and one != other:
        return "apart"
    return "apart" if sorted(one) != sorted(other) else "the same"


def _shown(row: tuple[Any, ...]) -> str:
    """A row as text, numbers of one value alike."""
    return repr([f"{float(cell):.12g}" if isinstance(cell, int | float | Decimal) else cell for cell in row])


def main() -> None:
    """``python -m benchmarks.postgres.witnesses RESULTS``."""
    for how, number in replayed(Path(sys.argv[1])).most_common():
        print(f"{number:6} {how}")


if __name__ == "__main__":
    main()
