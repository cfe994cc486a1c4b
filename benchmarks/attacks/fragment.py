"""Whether random pairs of the decidable fragment are all decided, by which tier, and how fast; and an attack.

Each pair is decided by the whole engine, and put to the fragment's decision alone, which no earlier tier
protects; what it takes for equivalent is tried on drawn databases besides.

Usage: ``python -m benchmarks.attacks.fragment --pairs 10000 --seed 1 --databases 60 --out FILE``.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import process_time
from typing import Any

from benchmarks.pairs.conjunctive import Maker, schema
from equiv.answers.pair import Pair
from equiv.core.query import Query
from equiv.dialects.registry import reference
from equiv.engine.driver import decide
from equiv.engine.engine import Engine
from equiv.engine.make import make_engine
from equiv.fragment.recognition import outside
from equiv.options import Options
from equiv.relation import resolve_relation
from equiv.tiers.fragment import FragmentTier
from equiv.tiers.generate import GenerateTier
from equiv.tiers.outcome import Proved, Refuted

_PAIRS_OF_A_SCHEMA = 20
_RELATIONS = ("bag", "bag", "set")


@dataclass(frozen=True)
class Alone:
    """The tiers that a pair is put to by themselves."""

    fragment: FragmentTier
    generate: GenerateTier


def measured(
    engine: Engine, alone_tiers: Alone, texts: tuple[str, str], databases: int, *, fewest: bool
) -> dict[str, Any]:
    """What the engine and the fragment's decision alone make of one pair."""
    read = engine.read(texts[0]), engine.read(texts[1])
    assert isinstance(read[0], Query)
    assert isinstance(read[1], Query)
    relation = resolve_relation(engine.relation, gold_orders=False)
    pair = Pair(read[0], read[1], engine.schema, engine.facts, relation)
    why = outside(pair)
    start = process_time()
    alone = alone_tiers.fragment.settle(pair, 0)
    between = process_time()
    verdict = decide(pair, engine.tiers, engine.effort, backstop=engine.backstop, fewest=fewest)
    spent = process_time() - between
    names = {Proved: "equivalent", Refuted: "not_equivalent"}
    broken = ""
    if isinstance(alone, Proved):
        attacked = alone_tiers.generate.attack(pair, databases)
        broken = (
            attacked.evidence.sql
            if isinstance(attacked, Refuted) and hasattr(attacked.evidence, "sql")
            else ""
        )
    return {
        "outside": why,
        "verdict": verdict.name,
        "tier": verdict.tier,
        "reason": str(getattr(verdict, "reason", "")),
        "alone": names.get(type(alone), f"open: {getattr(alone, 'detail', '')}"),
        "broken": broken,
        "ms": round(spent * 1000, 2),
        "ms_alone": round((between - start) * 1000, 2),
    }


def main() -> None:
    """Draw pairs, decide them, and print what came out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--databases", type=int, default=60)
    parser.add_argument("--fewest", action="store_true", help="make each proof again from fewer facts")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    found: list[dict[str, Any]] = []
    number = 0
    while len(found) < given.pairs:
        rng = Random(f"{given.seed}:{number}")
        number += 1
        tables = schema(rng)
        ddl = "\n".join(table.ddl for table in tables)
        options = Options(relation=rng.choice(_RELATIONS), timeout=None)
        with closing(make_engine(reference().loader.read_ddl(ddl, "random"), None, options)) as engine:
            maker = Maker(tables, rng)
            alone = Alone(
                FragmentTier(engine.schema, engine.facts), GenerateTier(engine.schema, engine.facts)
            )
            for _ in range(min(_PAIRS_OF_A_SCHEMA, given.pairs - len(found))):
                pred, gold, kind = maker.pair()
                each = measured(engine, alone, (pred, gold), given.databases, fewest=given.fewest)
                found.append(
                    {
                        "ddl": ddl,
                        "relation": options.relation,
                        "pred": pred,
                        "gold": gold,
                        "kind": kind,
                        **each,
                    }
                )
                if given.out:
                    with given.out.open("a") as lines:
                        lines.write(json.dumps(found[-1]) + "\n")
                if _is_trouble(found[-1]):
                    print(json.dumps(found[-1]), flush=True)
    print(summary(found))


def _is_trouble(each: dict[str, Any]) -> bool:
    return bool(each["broken"]) or (not each["outside"] and (each["alone"] != each["verdict"]))


def summary(found: list[dict[str, Any]]) -> str:
    """A few lines on all pairs."""
    inside = [each for each in found if not each["outside"]]
    lines = [f"{len(found)} pairs, {len(inside)} in the fragment"]
    lines.append(f"  outside: {dict(Counter(e['outside'] for e in found if e['outside']).most_common(8))}")
    for name in ("verdict", "tier", "alone"):
        lines.append(f"  {name}: {dict(Counter(str(each[name]) for each in inside).most_common())}")
    lines.append(f"  contradictions: {sum(each['alone'] != each['verdict'] for each in inside)}")
    lines.append(f"  proofs broken by a database: {sum(bool(each['broken']) for each in inside)}")
    for name in ("ms", "ms_alone"):
        times = [each[name] for each in inside] or [0.0, 0.0]
        lines.append(
            f"  {name}: median {median(times):.1f}, 95th percentile {quantiles(times, n=20)[-1]:.1f}, most {max(times):.0f}"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    main()
