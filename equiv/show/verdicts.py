"""Blocks on a verdict: text, tables and diffs, in reading order.

The verdict and its tier come first, the evidence next, what it cost last.
:mod:`equiv.show.terminal` puts them on a terminal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from io import StringIO

from equiv import verdict as v
from equiv.cells import Row
from equiv.core.functions.symbols import in_words
from equiv.relation import Relation
from equiv.show.evidence import (
    MATCHES_SHOWN,
    database_and_results,
    derivation_blocks,
    fact_name,
    proof_blocks,
    rules_short,
    show_cell,
)
from equiv.show.page import Block, Code, Grid, Headline, Text
from equiv.show.terminal import show

SIDES = {
    "pred": "the prediction",
    "gold": "the gold query",
    "schema": "the schema",
    "witness": "the database",
}


def summary_of(verdict: v.Verdict) -> list[Block]:
    """The blocks that ``check`` shows: the verdict, and its evidence in short."""
    return _told(verdict, None)


def text_of(verdict: v.Verdict) -> str:
    """The text of a verdict without colours: what ``check`` shows, with both queries below its first line."""
    blocks: list[Block] = []
    for block in summary_of(verdict):
        blocks.append(block)
        if isinstance(block, Headline) and verdict.queries is not None:
            for side, query in zip(("Prediction:", "Gold query:"), verdict.queries, strict=True):
                blocks += [Text(side), Code(query.strip())]
    if trouble := trouble_of(verdict):
        blocks.append(Text(trouble))
    written = StringIO()
    show(blocks, written)
    return written.getvalue().rstrip("\n")


def explanation_of(verdict: v.Verdict, describe: Callable[[str], str]) -> list[Block]:
    """The blocks of ``explain``: the whole derivation, or the database with both results; the attempts.

    Args:
        verdict: the verdict to explain.
        describe: gives the first sentence of a rule's documentation, by its name.
    """
    return [*_told(verdict, describe), *attempts_of(verdict)]


def _told(verdict: v.Verdict, describe: Callable[[str], str] | None) -> list[Block]:
    """The blocks on a verdict, in short if nothing describes its rules."""
    blocks: list[Block] = [headline(verdict), *_up_to_rounding(verdict)]
    match verdict:
        case v.Equivalent(evidence=v.Proof() as proof):
            blocks += proof_blocks(proof, None if describe else MATCHES_SHOWN)
        case v.Equivalent(evidence=v.Derivation() as derivation):
            blocks += derivation_blocks(derivation, describe) if describe else [Text(rules_short(derivation))]
        case v.NotEquivalent():
            blocks.append(Text(_sentence(verdict.difference.says) + "."))
            blocks += database_and_results(verdict.evidence, verdict.relation, short=not describe)
            blocks += [Text(_what_it_shows(verdict))] if describe else []
        case v.Undecided() if verdict.evidence is not None:
            blocks += database_and_results(verdict.evidence, verdict.relation, short=not describe)
    blocks += _other_relation(verdict) if describe else []
    blocks += _confirmation(verdict) + _facts(verdict) + _rounding(verdict)
    return blocks + _open_ends(verdict) + _remarks(verdict)


def _up_to_rounding(verdict: v.Verdict) -> list[Block]:
    """What is to be told first of an equivalence that rests on exact arithmetic."""
    match verdict:
        case v.Equivalent(caveat=v.Caveat(places=(), evidence=None)):
            return [Text("In exact arithmetic; where the engine rounds, the last digits may differ")]
        case v.Equivalent(caveat=v.Caveat() as caveat):
            places = f" in {'; '.join(caveat.places)}" if caveat.places else ""
            shows, below = "may show", ""
            if caveat.evidence is not None:
                shows, below = "shows", ", on the database below"
            return [Text(f"Only in exact arithmetic; the engine rounds, which {shows}{places}{below}")]
    return []


def _rounding(verdict: v.Verdict) -> list[Block]:
    """The database on which the rounding of which a caveat warns shows."""
    match verdict:
        case v.Equivalent(caveat=v.Caveat(evidence=(v.Witness() | v.Execution()) as evidence)):
            return [
                Text("A database on which the engine's rounding shows:"),
                *database_and_results(evidence, verdict.relation),
            ]
    return []


def headline(verdict: v.Verdict) -> Headline:
    """Verdict, tier and relation, and what else makes the verdict what it is."""
    parts = [f"tier {verdict.tier}"] if verdict.tier else []
    parts.append(f"relation {verdict.relation}")
    match verdict:
        case v.NotEquivalent():
            parts.append(f"difference {verdict.difference}")
        case v.Undecided():
            parts.append(f"reason {verdict.reason}")
            if verdict.failure_code:
                parts.append(str(verdict.failure_code))
            told = verdict.detail and verdict.reason is not v.Reason.GOLD_INVALID
            parts.append(verdict.reason.says + (f": {verdict.detail}" if told else ""))
            parts += ["a higher --effort may decide it"] if _may_take_more(verdict) else []
        case v.Invalid():
            parts.append(str(verdict.failure_code))
    up_to = " up to rounding" if isinstance(verdict, v.Equivalent) and verdict.up_to_rounding else ""
    return Headline(f"{verdict.name}{up_to}", "; ".join(parts))


def _may_take_more(verdict: v.Undecided) -> bool:
    """Whether a greater effort tries more: databases, where those tried were all that the effort allowed."""
    if verdict.reason is not v.Reason.NO_PROOF or not (verdict.databases or verdict.bounded):
        return False
    # A tier that says why it found none tried all that there were, or was refused what it tried.
    return any(
        attempt.tier in (v.Tier.GENERATE, v.Tier.SEARCH)
        and (attempt.outcome, attempt.reason) == ("passed", v.Reason.NO_PROOF)
        for attempt in verdict.attempts
    )


def trouble_of(verdict: v.Verdict) -> str | None:
    """One line on the query that is not a query, if that is what the verdict says."""
    match verdict:
        case v.Invalid():
            side, why = "pred", verdict.message or verdict.failure_code
        case v.Undecided(failure_code=code) if verdict.reason is v.Reason.GOLD_INVALID:
            side, why = "gold", verdict.detail or str(code)
        case _:
            return None
    foreign = [remark.text for remark in verdict.remarks if _is_of_trouble(verdict, remark)]
    return "; ".join([f"{SIDES[side]} is not a query on this schema: {why}", *foreign])


def _is_of_trouble(verdict: v.Verdict, remark: v.Remark) -> bool:
    """Whether a remark is part of what :func:`trouble_of` says, and so of nothing else."""
    match verdict:
        case v.Invalid():
            side = "pred"
        case v.Undecided(reason=v.Reason.GOLD_INVALID):
            side = "gold"
        case _:
            return False
    return remark.kind is v.RemarkKind.DIALECT and remark.side == side


def _what_it_shows(verdict: v.NotEquivalent) -> str:
    shown = (isinstance(verdict.evidence, v.Execution) and verdict.evidence.few) or verdict.evidence
    pred, gold = shown.pred_rows, shown.gold_rows
    if error := shown.pred_error or shown.gold_error:
        return f"Only the {'prediction' if shown.pred_error else 'gold query'} raises an error: {error}"
    extra = Counter(map(_shown_row, pred)) - Counter(map(_shown_row, gold))
    missing = Counter(map(_shown_row, gold)) - Counter(map(_shown_row, pred))
    parts = [
        f"only the {side} has {_listed(rows.elements())}"
        for side, rows in (("prediction", extra), ("gold query", missing))
        if rows
    ]
    if parts:
        return _sentence("; ".join(parts))
    position = next((n for n, (a, b) in enumerate(zip(pred, gold, strict=False), 1) if a != b), None)
    return f"The first row that differs is row {position}" if position else verdict.difference.says


def _sentence(text: str) -> str:
    """The text with a capital letter first; the others stay, since cells may be among them."""
    return text[:1].upper() + text[1:]


def _shown_row(row: Row) -> str:
    return "(" + ", ".join(map(show_cell, row)) + ")"


def _listed(rows: Iterable[str], most: int = 5) -> str:
    items = list(rows)
    tail = f" and {len(items) - most} more" if len(items) > most else ""
    return ", ".join(items[:most]) + tail


def _facts(verdict: v.Verdict) -> list[Block]:
    blocks: list[Block] = []
    if isinstance(verdict, v.NotEquivalent) and isinstance(verdict.evidence, v.Witness) and verdict.facts:
        blocks.append(Text(f"The database satisfies all {len(verdict.facts)} facts in force."))
    elif verdict.facts and not isinstance(verdict, v.NotEquivalent):
        blocks.append(Text("Facts used: " + ", ".join(fact_name(fact) for fact in verdict.facts)))
    if verdict.facts_dropped:
        dropped = ", ".join(fact_name(fact) for fact in verdict.facts_dropped)
        blocks.append(Text(f"Facts not used, because the data violates them: {dropped}"))
    return blocks


def _other_relation(verdict: v.Verdict) -> list[Block]:
    """Under what else the queries were seen to agree, or to differ."""
    match verdict:
        case v.Equivalent(strongest=Relation() as strongest) if strongest != verdict.relation:
            return [Text(f"They are also equivalent under {strongest}.")]
        case v.NotEquivalent(weakest=Relation() as weakest) if weakest != verdict.relation:
            return [Text(f"They also differ under {weakest}.")]
    return []


def _confirmation(verdict: v.Verdict) -> list[Block]:
    """Who answers for a derivation with rules of a pack, and what the algebra alone says, if it was asked."""
    told = []
    match verdict:
        case v.Equivalent(tier=v.Tier.PACKS, evidence=v.Derivation(on_trust=())):
            told.append("The derivation uses rules of a pack; the algebra proves each of their steps.")
        case v.Equivalent(tier=v.Tier.PACKS, evidence=v.Derivation(on_trust=names)):
            said = "On trust: the algebra does not prove the steps of"
            told.append(f"{said} {', '.join(names)}; no database refutes it.")
    match verdict:
        case v.Equivalent(confirmed=True):
            told.append("Confirmed: the algebra alone also proves it.")
        case v.Equivalent(confirmed=False):
            told.append("Not confirmed: the algebra alone does not prove it, though no database refutes it.")
    return [*map(Text, told)]


def _open_ends(verdict: v.Verdict) -> list[Block]:
    """How far the search came, and what would make the queries equivalent."""
    blocks: list[Block] = []
    if verdict.fragment:
        blocks.append(Text("Both queries are in the decidable fragment."))
    if isinstance(verdict, v.Undecided):
        blocks += _parting(verdict)
    if isinstance(verdict, v.Undecided) and verdict.bounded is not None:
        rows = "1 row" if verdict.bounded == 1 else f"{verdict.bounded} rows"
        text = f"No database of at most {rows} a table, with values from the queries, distinguishes them."
        blocks.append(Text(text))
    if isinstance(verdict, v.NotEquivalent | v.Undecided) and verdict.equivalent_if:
        blocks += condition_blocks(
            (str(one.fact), one.satisfied, one.observed) for one in verdict.equivalent_if
        )
    cut = [attempt for attempt in verdict.attempts if attempt.outcome == "failed"]
    why = "The search for facts that would make them equivalent was cut short"
    return blocks + [Text(f"{why}: {attempt.reason.partition(': ')[2]}.") for attempt in cut]


def _parting(verdict: v.Undecided) -> list[Block]:
    """In what the queries differ, and how many databases were tried on that."""
    blocks: list[Block] = []
    if verdict.parts is not None:
        mine, theirs = (in_words(part) or "(nothing)" for part in verdict.parts)
        blocks += [Text("After rewriting they differ in"), Code(f"prediction  {mine}\ngold query  {theirs}")]
    if verdict.databases:
        blocks.append(Text(f"Tried: {', '.join(_tried(verdict))}."))
    return blocks


def _tried(verdict: v.Undecided) -> Iterator[str]:
    """The tiers that did not settle a pair, with the number of databases that were made for it."""
    for attempt in verdict.attempts:
        if attempt.tier is v.Tier.PARSE or (attempt.tier is v.Tier.FRAGMENT and not verdict.fragment):
            continue
        if attempt.outcome == "passed" and attempt.purpose == attempt.tier:
            number = verdict.databases
            made = f" ({number} database{'s' * (number != 1)})" if attempt.tier is v.Tier.GENERATE else ""
            yield f"{attempt.tier}{made}"


def _remarks(verdict: v.Verdict) -> list[Block]:
    about: dict[str, list[str]] = {}
    for remark in verdict.remarks:
        if not _is_of_trouble(verdict, remark):
            about.setdefault(remark.text, []).append(SIDES[remark.side])
    return [Text(f"Note: {' and '.join(dict.fromkeys(sides))}: {text}") for text, sides in about.items()]


KEPT = {True: "the given data satisfies it", False: "the given data violates it", None: ""}


def condition_blocks(conditions: Iterable[tuple[str, bool | None, bool]]) -> list[Block]:
    """The further facts that would make a pair equivalent, and what the given data says of them.

    Args:
        conditions: each fact, whether the data keeps it, and whether the policy ``observed`` proves the pair.
    """
    told = list(conditions)
    if not told:
        return []
    lines = [fact + (f"   -- {KEPT[kept]}" if KEPT[kept] else "") for fact, kept, _ in told]
    blocks: list[Block] = [Text("They would be equivalent if"), Code("\n".join(lines))]
    if all(observed for _, _, observed in told):
        blocks.append(
            Text(f"Your data meets {'it' if len(told) == 1 else 'them'}: --facts observed proves the pair.")
        )
    elif any(kept is False for _, kept, _ in told):
        blocks.append(Text("The given data violates them: correct it, or ask of --schema alone."))
    return blocks


OUTCOMES = {"settled": "settled it", "passed": "passed it on", "failed": "was cut short"}
"""What a tier did with a pair, by the outcome of its attempt."""

NOT_FOUND: dict[str, str] = {
    **dict.fromkeys(v.Tier, "found no database on which they differ"),
    **dict.fromkeys(v.PROVERS, "found no proof"),
}
"""What NO_PROOF, which is said of a pair, comes to where one tier says it."""


def attempt_words(tier: str, outcome: str, reason: str) -> tuple[str, str]:
    """The words for what a tier did with a pair, and for its reason, from a record."""
    if outcome == "passed" and any(said in reason for said in v.FURTHER_PURPOSES):
        return "went on", reason
    why = reason.removeprefix(v.Reason.NO_PROOF).strip()
    not_found = NOT_FOUND.get(tier, "") if reason and not why else ""
    return OUTCOMES.get(outcome, outcome), why or not_found


def attempts_of(verdict: v.Verdict) -> list[Grid]:
    """The table of attempts: each tier, what it did, its time."""
    rows = tuple(
        (str(a.tier), *attempt_words(a.tier, a.outcome, a.reason), f"{a.ms:.1f}") for a in verdict.attempts
    )
    return [Grid("What was tried", ("tier", "did", "why", "ms"), rows)] if rows else []
