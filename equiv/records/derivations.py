"""Checks a derivation without the rules: the algebra alone proves the whole, and what each step says.

The steps must lead from both queries, as the certificate has them, to one text; of each, the query before and
the query after must be equivalent under the comparison of rows that the step is said to keep.

What a check of a certificate says is a finding.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from equiv.answers.pair import Pair
from equiv.core.printing import key, to_sql
from equiv.core.query import Broken, Query
from equiv.errors import InputError
from equiv.facts import Fact
from equiv.options import EFFORTS
from equiv.records.certificate import Certificate, DerivationLine
from equiv.relation import Columns, Relation, Rows
from equiv.tiers.outcome import Outcome, Proved, Refuted, Settler
from equiv.tiers.rules import COLUMN_ORDER
from equiv.verdict import Obligation, Proof


class Holding(Enum):
    """The result of one check of a certificate."""

    HOLDS = "holds"
    REFUTED = "refuted"
    OPEN = "open"
    TRUSTED = "trusted"
    """Nothing in the certificate can show it: who uses the certificate must know it."""


@dataclass(frozen=True, slots=True)
class Check:
    """One check: what it says, in a line."""

    result: Holding
    line: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "line", " ".join(self.line.split()))


@dataclass(frozen=True, slots=True)
class Shown:
    """The facts and obligations of a proof that was made anew."""

    facts: tuple[Fact, ...]
    obligations: tuple[Obligation, ...]


def with_claims(obligations: tuple[Obligation, ...]) -> str:
    """How many claims a proof needs, as the end of a sentence."""
    number = len(obligations)
    return "without a claim for a solver" if not number else f"with {number} claim{'s' * (number > 1)}"


QueryReader = Callable[[str], Query | Broken]


def rederived(
    certificate: Certificate, pair: Pair, read: QueryReader, prover: Settler, refuter: Settler
) -> tuple[Check, Shown | None]:
    """The check of a derivation: its finding, and the facts that it rests on if it holds.

    Args:
        certificate: the derivation.
        pair: its queries, under the strictest relation that it claims.
        read: reads a query of a step.
        prover: knows no rules.
        refuter: says which of what is not proved is false.

    Raises:
        InputError: a step has no such comparison of rows.
    """
    if certificate.obligations:
        claim = certificate.obligations[0].text
        return Check(Holding.REFUTED, f"rules: claim 1 is none that it needs: {claim}"), None
    if trouble := _overstated(certificate, pair.relation):
        return Check(Holding.REFUTED, f"rules: {trouble}"), None
    whole = _decided(pair, prover, refuter)
    if isinstance(whole, Refuted):
        return Check(Holding.REFUTED, "rules: does not prove the two queries equivalent"), None
    if not _leads_to_one_text(certificate, pair, read):
        said = "the steps of the certificate are not those by which the proof comes out"
        return Check(Holding.REFUTED, f"rules: {said}"), None
    proofs, unproved = [whole] if isinstance(whole, Proved) else [], ""
    for number, line in enumerate(certificate.steps, 1):
        outcome = _decided(_pair_of(line, pair, read), prover, refuter)
        if isinstance(outcome, Refuted):
            return Check(Holding.REFUTED, f"rules: step {number} is false: {line.rule}"), None
        if isinstance(outcome, Proved):
            proofs.append(outcome)
        else:
            unproved = unproved or f"step {number}, {line.rule}"
    if unproved and not isinstance(whole, Proved):
        said = f"the algebra alone proves neither the whole nor {unproved}"
        return Check(Holding.OPEN, f"rules: cannot be told: {said}"), None
    return _held(len(certificate.steps), whole, proofs, unproved)


def _held(steps: int, whole: Outcome | None, proofs: list[Proved], unproved: str) -> tuple[Check, Shown]:
    resting = [whole] if isinstance(whole, Proved) else proofs
    facts = dict.fromkeys(fact for proved in resting for fact in proved.facts)
    claims = {each.smtlib: each for proved in proofs for each in _obligations(proved)}
    shown = Shown(tuple(facts), tuple(claims.values()))
    if not proofs:
        return Check(Holding.HOLDS, "rules: both queries are one"), shown
    what = ["the whole"] * isinstance(whole, Proved) + [f"each of {steps} steps"] * (
        steps > 0 and not unproved
    )
    but = f"; by itself it does not prove {unproved}" if unproved else ""
    line = f"rules: the algebra alone proves {' and '.join(what)}, {with_claims(shown.obligations)}{but}"
    return Check(Holding.HOLDS, line), shown


def _obligations(proved: Proved) -> tuple[Obligation, ...]:
    return proved.evidence.obligations if isinstance(proved.evidence, Proof) else ()


def _overstated(certificate: Certificate, claimed: Relation) -> str:
    """Why the steps, as they are said to keep rows, do not prove what is claimed; '' if they do."""
    kept = [_relation_of(line) for line in certificate.steps]
    if all(each.implies(claimed) for each in kept):
        return ""
    return f"does not prove them equivalent under {claimed}"


def _relation_of(line: DerivationLine) -> Relation:
    """What a step is said to keep."""
    if line.under not in set(Rows):
        raise InputError(f"not a comparison of rows: {line.under!r}")
    return Relation(Rows(line.under), Columns.ANY if line.rule == COLUMN_ORDER else Columns.ORDERED)


def _decided(pair: Pair | None, prover: Settler, refuter: Settler) -> Outcome | None:
    """What the algebra alone makes of a pair, or else a database that refutes it."""
    if pair is None:
        return None
    outcome = prover.settle(pair, 0)
    return outcome if isinstance(outcome, Proved) else refuter.settle(pair, EFFORTS["normal"])


def _pair_of(line: DerivationLine, pair: Pair, read: QueryReader) -> Pair | None:
    """The query before a step and the query after it; None if one is no query."""
    before, after = read(line.before), read(line.after)
    if isinstance(before, Broken) or isinstance(after, Broken):
        return None
    return pair.of_core_texts(before, after, _relation_of(line))


def _leads_to_one_text(certificate: Certificate, pair: Pair, read: QueryReader) -> bool:
    """Whether the steps begin with both queries, go on from one another, and end with one query."""
    ends = []
    for side, query in (("pred", pair.pred), ("gold", pair.gold)):
        text = query.sql if query.tree is None else to_sql(query.tree)
        for line in certificate.steps:
            if line.side == side:
                if line.before != text:
                    return False
                text = line.after
        ends.append(text)
    if ends[0] == ends[1]:
        return True
    trees = [each.tree for each in map(read, ends) if isinstance(each, Query) and each.tree is not None]
    return len(trees) == len(ends) and key(trees[0]) == key(trees[1])
