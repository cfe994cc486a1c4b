"""The details of one pair on a page, as plain JSON in which numbers of the pool stand for texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from equiv.eval.html.pool import TEXT_LENGTH, TextPool
from equiv.eval.html.values import cell_key, cell_text, fact_text, inserts_and_others
from equiv.facts import FactKind
from equiv.records.record import Record
from equiv.show.differences import Marks, changed_words, differing_cells
from equiv.show.verdicts import KEPT
from equiv.verdict import EXECUTION_ROWS

ROWS_SHOWN = 20
COLUMNS_SHOWN = 30
STEPS_SHOWN = 60
"""How many rows and columns of a result, and steps of a derivation, a page holds of one pair."""

Detail = dict[str, Any]


def detail_of(record: Record, pool: TextPool) -> Detail:
    """The details of a pair beyond its line in the list, without empty fields."""
    add = pool.add
    detail: Detail = {
        "key": add(record["key"]),
        "relation": add(record["relation"]),
        "hint": _text(record["hint"], pool),
        "label": _text(record["label"], pool),
        "why": _text(record["detail"], pool),
        "failure": _text(record["failure_code"], pool),
        "parts": _parts(record.get("parts"), pool),
        "tried": _text(record.get("databases") or None, pool),
        "bounded": _text((record["bounded"] or {}).get("rows"), pool),
        "strongest": _text(record.get("strongest"), pool),
        "weakest": _text(record.get("weakest"), pool),
        "confirmed": _text(record.get("confirmed"), pool),
        "facts": [add(fact_text(fact)) for fact in record["facts"]],
        "dropped": [add(fact_text(fact)) for fact in record["facts_dropped"]],
        "conditions": [_condition(one, pool) for one in record["equivalent_if"]],
        "remarks": [[add(one["side"]), add(one["text"])] for one in record.get("remarks", ())],
        "faults": [add(fault["text"]) for fault in record.get("faults", ())],
        "golds": [add(gold["sql"]) for gold in record.get("golds", ())],
        "attempts": [_attempt(attempt, pool) for attempt in record["attempts"]],
        "diff": changed_words(pool.shown(record["predicted_sql"]), pool.shown(record["gold_sql"])),
        "evidence": _evidence(record["evidence"], record["relation"], pool),
        "caveat": _caveat(record, pool),
        "replies": _replies(record, pool),
    }
    return {name: value for name, value in detail.items() if value not in (None, [], {})}


def _text(value: object, pool: TextPool) -> int | None:
    return None if value is None or value == "" else pool.add(str(value))


def _parts(parts: Any, pool: TextPool) -> list[int]:
    """What the prediction and the gold query alone hold once they are rewritten."""
    return [pool.add(parts[side] or "(nothing)") for side in ("pred", "gold")] if parts else []


def _attempt(attempt: Any, pool: TextPool) -> list[int]:
    texts = (attempt["tier"], attempt["outcome"], attempt["reason"], f"{float(attempt['ms']):.1f}")
    return [pool.add(str(text)) for text in texts]


def _condition(condition: Any, pool: TextPool) -> list[int]:
    kept = KEPT[condition["satisfied"]]
    if condition.get("observed"):
        kept += "; --facts observed proves the pair"
    return [pool.add(condition["fact"]), pool.add(kept)]


def _caveat(record: Record, pool: TextPool) -> Detail | None:
    """What is told first of an equivalence that holds in exact arithmetic alone."""
    caveat = record.get("caveat")
    if not caveat:
        exact = any(fact["kind"] == FactKind.EXACT_ARITHMETIC for fact in record["facts"])
        return {"places": pool.add("")} if exact and record["verdict"] == "equivalent" else None
    places = "; ".join(caveat["places"])
    evidence = _evidence(caveat["evidence"], record["relation"], pool)
    return {"places": pool.add(places), **({"evidence": evidence} if evidence else {})}


def _replies(record: Record, pool: TextPool) -> list[list[int]]:
    """What the roles of a judge said: role, decision and reason."""
    said = {
        ("prover", True): "passes the prediction",
        ("prover", False): "rejects the prediction",
        ("refuter", True): "overturns the pass",
        ("refuter", False): "upholds the prediction",
    }
    replies = []
    for role, field in (("prover", "verdict"), ("refuter", "overturn")):
        if reply := record[f"{role}_result"]:
            decision = said.get((role, bool(reply.get(field))), "")
            replies.append([pool.add(role), pool.add(decision), pool.add(str(reply.get("reason") or ""))])
    return replies


def _evidence(evidence: Any, relation: str, pool: TextPool) -> Detail | None:
    match evidence:
        case {"kind": "derivation" | "proof" as kind, "steps": steps}:
            detail: Detail = {"kind": kind, "steps": [_step(step, pool) for step in steps[:STEPS_SHOWN]]}
            detail["more"] = max(len(steps) - STEPS_SHOWN, 0)
            for name in ("normal_form", "pred_form", "gold_form"):
                if name in evidence:
                    detail[name] = pool.add(evidence[name])
            detail["matches"] = [pool.add(one) for one in evidence.get("correspondences", ())]
            detail["claims"] = [pool.add(one["text"]) for one in evidence.get("obligations", ())]
            return detail
        case {"kind": "witness" | "execution" as kind}:
            return {"kind": kind, **_database(evidence, pool), **_results(evidence, relation, pool)}
    return None


def _step(step: Any, pool: TextPool) -> list[Any]:
    texts = (step["side"], step["rule"], step["before"], step["after"], step["under"])
    return [*map(pool.add, texts), [pool.add(fact_text(fact)) for fact in step["facts"]]]


def _database(evidence: Any, pool: TextPool) -> Detail:
    found: Detail = {}
    if "database" in evidence:
        found["database"] = pool.add(str(evidence["database"]))
    if script := evidence.get("sql"):
        rows, schema = inserts_and_others(script[:TEXT_LENGTH])
        if len(script) > TEXT_LENGTH:
            schema.append(f"-- {len(script) - TEXT_LENGTH:,} more characters")
        found |= {"rows": pool.add("\n".join(rows)), "schema": pool.add("\n".join(schema))}
    if binding := evidence.get("binding"):
        values = ", ".join(f"{name} = {cell_text(cell)}" for name, cell in binding["values"].items())
        found["binding"] = pool.add(values)
    return found


def _results(evidence: Any, relation: str, pool: TextPool) -> Detail:
    """Both results as far as they are shown, and the cells that tell them apart."""
    sides = [evidence[name] for name in ("pred_rows", "gold_rows")]
    marks = _marks(sides, relation, whole=evidence["kind"] == "witness")
    return {
        name: {
            "rows": [
                [pool.add(cell_text(cell)) for cell in row[:COLUMNS_SHOWN]] for row in rows[:ROWS_SHOWN]
            ],
            "marks": [[place for place in row if place < COLUMNS_SHOWN] for row in own[:ROWS_SHOWN]],
            "more": max(len(rows) - ROWS_SHOWN, 0),
            "columns": max(map(len, rows), default=0),
            "names": [pool.add(column) for column in evidence.get(f"{name}_columns", ())[:COLUMNS_SHOWN]],
            **({"error": pool.add(error)} if (error := evidence.get(f"{name}_error")) else {}),
        }
        for name, rows, own in zip(("pred", "gold"), sides, marks, strict=True)
    }


def _marks(sides: Sequence[Any], relation: str, *, whole: bool) -> tuple[Marks, Marks]:
    """The differing cells; none where only the first rows are known, since the others may be what differs."""
    if not whole and max(map(len, sides)) >= EXECUTION_ROWS:
        return [[] for _ in sides[0]], [[] for _ in sides[1]]
    one, other = ([[cell_key(cell) for cell in row] for row in rows] for rows in sides)
    rows = relation.partition("/")[0]
    return differing_cells(one, other, ordered=rows == "list", repeated=rows != "set")
