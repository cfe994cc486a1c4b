"""The section with two funnels (pairs settled by tier, pairs scored by whom), and the time of tiers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from equiv.eval.sections.section import Section, Waterfall
from equiv.options import TIERS
from equiv.records.record import Record
from equiv.show.page import Grid
from equiv.verdict import Tier

ORDER = (Tier.PARSE, *TIERS, Tier.PACKS)
SETTLED = ("equivalent", "not_equivalent", "invalid")
SCORERS = (
    *("parse", "rules", "proof", "packs", "bounded", "verdict"),
    *("cache", "class", "execution", "prover", "refuter", "abstention"),
)
"""Who may give a score, the cheap ones first."""


def section_of(records: Sequence[Record]) -> Section:
    """The section on funnels and time."""
    about = "Tiers are tried from the top; each takes what it settles, and what is left over stays undecided."
    return Section("funnels", "Funnels", about, (by_tier(records), by_scorer(records), _times(records)))


def by_tier(records: Sequence[Record]) -> Waterfall:
    """How many pairs each tier settles, and as what."""
    counts = Counter((r["tier"] or "", r["verdict"]) for r in records if r["verdict"] in SETTLED)
    tiers = _in_order((tier for tier, _ in counts), [str(tier) for tier in ORDER])
    stages = [(tier, tuple(counts[tier, verdict] for verdict in SETTLED)) for tier in tiers]
    columns = ("tier", "reached", *SETTLED, "left")
    return _waterfall("pairs by the tier that settles them", columns, SETTLED, stages, len(records))


def by_scorer(records: Sequence[Record]) -> Waterfall:
    """How many pairs get a score from whom, and which."""
    scores = ("1", "0")
    counts = Counter((r["score_by"] or "", str(r["score"])) for r in records if r["score"] is not None)
    scorers = _in_order((by for by, _ in counts), SCORERS)
    stages = [(by, tuple(counts[by, score] for score in scores)) for by in scorers]
    columns = ("score_by", "reached", "scored 1", "scored 0", "left")
    return _waterfall("pairs by who gives the score", columns, scores, stages, len(records))


def _in_order(names: Iterable[str], order: Sequence[str]) -> list[str]:
    """Names once each, those that are not in the order last."""
    found = set(names)
    return [*(name for name in order if name in found), *sorted(found - set(order))]


def _waterfall(
    title: str,
    columns: tuple[str, ...],
    kinds: tuple[str, ...],
    stages: Sequence[tuple[str, tuple[int, ...]]],
    total: int,
) -> Waterfall:
    rows = []
    left = total
    for name, taken in stages:
        reached, left = left, left - sum(taken)
        rows.append((name or "-", str(reached), *map(str, taken), str(left)))
    named = tuple((name or "-", taken) for name, taken in stages)
    return Waterfall(Grid(title, columns, tuple(rows)), total, kinds, named)


def _times(records: Sequence[Record]) -> Grid:
    spent: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    for record in records:
        for tier, milliseconds in record["ms"].items():
            spent[tier] += milliseconds
            asked[tier] += 1
    total = sum(spent.values()) or 1.0
    rows = tuple(
        (tier, str(asked[tier]), f"{spent[tier] / 1000:.1f}", f"{100 * spent[tier] / total:.1f} %")
        for tier in _in_order(spent, [str(tier) for tier in ORDER])
    )
    return Grid("time by tier, backstops included", ("stage", "pairs asked", "seconds", "share"), rows)
