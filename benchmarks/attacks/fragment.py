"""Whether random pairs of the decidable fragment are all decided, by which tier, and how fast; and an attack.

Each pair is decided by the whole engine, and put to the fragment's decision alone, which no earlier tier
protects; what it takes for equivalent is tried on drawn databases besides.

Usage: ``python -m benchmarks.attacks.fragment --pairs 10000 --seed 1 --databases 60 --out FILE``.
"""

from __future__ import annotations

import json
from collections import Counter
from contextlib import closing
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import process_time
from typing import Any

from benchmarks.command import parser
from benchmarks.pairs.conjunctive import Maker, schema
from equiv.answers.pair import Pair
from equiv.core.query import Query
from equiv.dialects.registry import reference
from equiv.engine.make import make_engine
from equiv.engine.pipeline import Engine, decide
from equiv.fragment.recognition import outside
from equiv.options import Options
from equiv.relation import resolve_relation
from equiv.tiers.generate import GenerateTier
from equiv.tiers.outcome import Proved, Refuted
from equiv.tiers.search import FragmentTier
from equiv.verdict import Witness

_PAIRS_OF_A_SCHEMA = 20
_RELATIONS = ("bag", "bag", "set")
_NAMES = {Proved: "equivalent", Refuted: "not_equivalent"}


Alone = tuple[FragmentTier, GenerateTier]
"""The tiers that a pair is put to by themselves."""


def measured(
    engine: Engine, alone: Alone, texts: tuple[str, str], databases: int, *, walked: bool
) -> dict[str, Any]:
    """What the fragment's decision alone, and the whole engine where a pair is walked, make of one pair."""
    read = engine.read(texts[0]), engine.read(texts[1])
    assert isinstance(read[0], Query)
    assert isinstance(read[1], Query)
    relation = resolve_relation(engine.relation, gold_orders=False)
    pair = Pair(read[0], read[1], engine.schema, engine.facts, relation)
    why = outside(pair)
    start = process_time()
    outcome = alone[0].settle(pair, 0)
    found = {
        "outside": why,
        "alone": _NAMES.get(type(outcome), f"open: {getattr(outcome, 'detail', '')}"),
        "ms_alone": round((process_time() - start) * 1000, 2),
        "broken": _breaking(alone[1], pair, databases) if isinstance(outcome, Proved) else "",
    }
    if not walked:
        return found
    start = process_time()
    verdict = decide(pair, engine.tiers, engine.effort, refuters=engine.refuters)
    spent = round((process_time() - start) * 1000, 2)
    return {**found, "verdict": verdict.name, "tier": verdict.tier, "ms": spent}


def _breaking(generate: GenerateTier, pair: Pair, databases: int) -> str:
    """The script of a database that breaks a proof; '' if none of so many does."""
    attacked = generate.attack(pair, databases)
    if not isinstance(attacked, Refuted):
        return ""
    return attacked.evidence.sql if isinstance(attacked.evidence, Witness) else "a database"


def main() -> None:
    """Draw pairs, decide them, and print what came out."""
    walk = 1, "the whole engine decides each so-many-th pair"
    arguments = parser(__doc__, pairs=1000, seed=1, databases=60, walk=walk)
    arguments.add_argument("--out", type=Path)
    given = arguments.parse_args()
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
            alone = FragmentTier(engine.schema, engine.facts), GenerateTier(engine.schema, engine.facts)
            for _ in range(min(_PAIRS_OF_A_SCHEMA, given.pairs - len(found))):
                pred, gold, kind = maker.pair()
                walked = len(found) % given.walk == 0
                each = measured(engine, alone, (pred, gold), given.databases, walked=walked)
                told = {"ddl": ddl, "relation": options.relation, "pred": pred, "gold": gold, "kind": kind}
                found.append({**told, **each})
                if given.out:
                    with given.out.open("a") as lines:
                        lines.write(json.dumps(found[-1]) + "\n")
                if _is_trouble(found[-1]):
                    print(json.dumps(found[-1]), flush=True)
    print(summary(found))


def _is_trouble(each: dict[str, Any]) -> bool:
    return bool(each["broken"]) or (not each["outside"] and _contradicts(each))


def _contradicts(each: dict[str, Any]) -> bool:
    """Whether the decision alone is none, or another than that of the engine."""
    return each["alone"] not in _NAMES.values() or each.get("verdict", each["alone"]) != each["alone"]


def summary(found: list[dict[str, Any]]) -> str:
    """A few lines on all pairs."""
    inside = [each for each in found if not each["outside"]]
    walked = [each for each in inside if "verdict" in each]
    outside_by = Counter(each["outside"] for each in found if each["outside"])
    lines = [f"{len(found)} pairs, {len(inside)} in the fragment; outside: {dict(outside_by.most_common(8))}"]
    lines.append(f"  by the decision alone: {dict(Counter(each['alone'] for each in inside))}")
    for name in ("verdict", "tier"):
        counts = dict(Counter(str(each[name]) for each in walked))
        lines.append(f"  the engine, {len(walked)} pairs, {name}: {counts}")
    lines.append(f"  undecided or contradicting: {sum(map(_contradicts, inside))}")
    lines.append(f"  proofs broken by a database: {sum(bool(each['broken']) for each in inside)}")
    for name, those in (("ms_alone", inside), ("ms", walked)):
        times = [each[name] for each in those]
        if len(times) > 1:
            percentile = quantiles(times, n=20)[-1]
            lines.append(
                f"  {name}: median {median(times):.1f}, 95 % {percentile:.1f}, most {max(times):.0f}"
            )
    return "\n".join(lines)


if __name__ == "__main__":
    main()
