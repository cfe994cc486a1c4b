"""Items that are no pair: infeasible questions, and abstentions without a query.

Source: TrustSQL (arXiv 2403.15879, section 3).  Such an item gets its record without the engine: it is
undecided, because nothing was compared, and scored by what abstaining is worth: 1 for an infeasible
question, 0 for one that has an answer; answering an infeasible question is 0.
"""

from __future__ import annotations

from equiv.eval.plan import Job
from equiv.options import Options
from equiv.records.item import Item
from equiv.records.record import Record, to_record
from equiv.relation import resolve_relation
from equiv.verdict import Reason, Undecided

ABSTENTIONS = frozenset({"null", "none", "not_answerable", "not answerable"})
SENTENCE = "this question cannot"


def abstains(prediction: str) -> bool:
    """Whether a text is one that TrustSQL's systems give in place of a query."""
    text = prediction.strip().lower().rstrip(".;")
    return text in ABSTENTIONS or text.startswith(SENTENCE)


def record_of(job: Job, key: str, options: Options) -> Record:
    """The record of an item that is no pair."""
    item = job.item
    reason = Reason.NO_ANSWER if item.abstained else Reason.GOLD_INVALID
    detail = "the system abstains" if item.abstained else "the question is infeasible and has no gold query"
    relation = resolve_relation(options.relation, gold_orders=False)
    verdict = Undecided(relation=relation, reason=reason, detail=detail)
    return to_record(item, verdict, key) | {"score": score_of(item), "score_by": "abstention"}


def score_of(item: Item) -> int:
    """1 for abstaining where nothing can be answered, else 0."""
    return int(item.feasible is False and bool(item.abstained))
