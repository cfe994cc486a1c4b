"""The pairs of a report as JSON, small enough for a browser; what does not fit is counted."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from equiv.eval.html.details import detail_of
from equiv.eval.html.pool import TEXT_LENGTH, TextPool
from equiv.eval.metrics.measured import Measured, PairId, pair_of, text_of
from equiv.eval.sections.evidence import rules_of
from equiv.records.record import Record
from equiv.show.verdicts import DIFFERENCES, REASONS

PAIRS = 20_000
"""How many pairs a page lists."""

CHARACTERS = 40_000_000
"""How large the pairs of a page may be; the details of further ones are left out."""

LINE = (
    *("key", "system", "database", "question id", "question", "difficulty"),
    *("verdict", "tier", "reason", "difference", "failure", "score_by", "score"),
)
"""The fields of a pair's line in the list, in order: texts."""


Scores = Mapping[PairId, bool]


@dataclass(frozen=True, slots=True)
class Payload:
    """The pairs of a page: their lines, details and texts."""

    text: str
    """JSON that may stand in a script element: it has no ``<``, ``>`` or ``&``."""
    remarks: tuple[str, ...]
    """What was cut or left out."""
    places: Mapping[str, int]
    """Where the pair of a record's key stands in the list."""


def payload_of(
    records: Sequence[Record],
    measures: Sequence[Measured],
    whole: Callable[[Record], Record] = lambda record: record,
) -> Payload:
    """The pairs to list, those first that are worth a look; the list is in the order of the records again.

    Args:
        records: what is counted of each pair.
        measures: the metrics.
        whole: gives all that is known of one of these pairs.
    """
    pool = TextPool()
    scores = [measured.scores for measured in measures]
    by_rank = sorted(range(len(records)), key=[_rank(record, scores) for record in records].__getitem__)[
        :PAIRS
    ]
    chosen = sorted(by_rank)
    lines = {place: _line(records[place], scores, pool) for place in chosen}
    details: dict[int, str] = {}
    size = sum(len(str(line)) for line in lines.values())
    for place in by_rank:
        if size + pool.size > CHARACTERS:
            break
        details[place] = _json(detail_of(whole(records[place]), pool))
        size += len(details[place])
    listed = ",\n".join(f"[{_json(lines[place])},{details.get(place, 'null')}]" for place in chosen)
    names = {
        "fields": LINE,
        "metrics": [pool.shown(measured.name) for measured in measures],
        "meanings": {str(name): text for name, text in (*DIFFERENCES.items(), *REASONS.items())},
    }
    text = f'{{"names":{_json(names)},\n"pairs":[{listed}],\n"pool":{_json(pool.texts)}}}'
    places = {str(records[place]["key"]): number for number, place in enumerate(chosen)}
    return Payload(text, tuple(_remarks(len(records), len(chosen), len(details), pool.cut)), places)


def _rank(record: Record, scores: Sequence[Scores]) -> int:
    """What is looked at first: disagreements between metrics, then what is open, then refutations."""
    pair = pair_of(record)
    if len({own[pair] for own in scores if pair in own}) > 1:
        return 0
    order = {"undecided": 1, "not_equivalent": 2, "invalid": 3}
    return order.get(record["verdict"], 4)


def _line(record: Record, scores: Sequence[Scores], pool: TextPool) -> list[Any]:
    fields = (
        *(record["key"], record["source"], record["db_id"], text_of(record["question_id"])),
        *(record["question"], text_of(record["difficulty"])),
        *(record["verdict"], record["tier"] or "-", record["reason"] or "-", record["difference"] or "-"),
        *(record["failure_code"] or "-", record["score_by"] or "-", text_of(record["score"])),
    )
    pair = pair_of(record)
    told = "".join({True: "1", False: "0", None: "-"}[own.get(pair)] for own in scores)
    rules = sorted({pool.add(rule) for rule in rules_of(record)})
    queries = (pool.add(record["predicted_sql"]), pool.add(record["gold_sql"]))
    return [*(pool.add(str(field)) for field in fields), *queries, told, rules]


def _json(value: Any) -> str:
    """JSON in ASCII without the signs that mean something in HTML."""
    text = json.dumps(value, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _remarks(pairs: int, listed: int, detailed: int, cut: int) -> list[str]:
    remarks = []
    if listed < pairs:
        remarks.append(
            f"Listed are {listed:,} of {pairs:,} pairs: those that metrics disagree on come first, then what"
            " is undecided, then refutations. All tables count every pair."
        )
    if detailed < listed:
        remarks.append(
            f"Of {listed - detailed:,} pairs only the line is here; the results file has the rest."
        )
    if cut:
        remarks.append(f"{cut:,} texts of more than {TEXT_LENGTH:,} characters are cut.")
    return remarks
