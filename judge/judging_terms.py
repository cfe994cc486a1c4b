"""On which terms a record is judged, where calls are saved, and what is noted of its pair beside them.

Of a class, predictions of one question that are proven equivalent to one another, one member is judged: they
are proven under one relation and one set of facts, and equivalence is transitive.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from equiv.errors import InputError
from equiv.eval.questions import QuestionId, question_of
from equiv.judge.case import Standard, Variant
from equiv.records.record import Record


class Saving(StrEnum):
    """One way of not asking."""

    PROOF = "proof"
    """A proven pair scores 1."""
    CLASSES = "classes"
    """Predictions of one question that are proven equivalent to one another are judged once."""
    EXECUTION = "execution"
    """Equal results on the given database, or recorded as equal, are accepted without a Refuter.

    This gives up rigour: a wrong query may return what the gold query returns on one database, and the
    Refuter that would look at it is not asked, also where another database distinguishes the two
    queries, which is what execution accuracy is blamed for.
    """
    GOLD = "gold"
    """A gold query that was found faulty before is told to the Refuter as known."""
    CACHE = "cache"
    """Identical requests are paid once, over all runs."""
    TRIAGE = "triage"
    """A pair is scored by the estimated probability that it is right, where that is high or low enough.

    No part of ``all``: it is a guess by pairs of other databases, see :mod:`equiv.judge.triage`.
    """


ALL = frozenset(Saving) - {Saving.TRIAGE}
"""What ``--savings all`` stands for, and the default."""

SCORED_WITHOUT_A_CALL = {
    "rules": Saving.PROOF,
    "proof": Saving.PROOF,
    "class": Saving.CLASSES,
    "execution": Saving.EXECUTION,
    "cache": Saving.CACHE,
    "triage": Saving.TRIAGE,
}
"""By which saving a record was scored, by its ``score_by``."""


def savings_named(text: str) -> frozenset[Saving]:
    """The savings that ``none``, ``all`` or a list with commas names; ``all,triage`` is such a list.

    Raises:
        InputError: there is no such saving.
    """
    if text in {"none", "all"}:
        return ALL if text == "all" else frozenset()
    names = [name.strip() for name in text.split(",")]
    if unknown := [name for name in names if name not in {"all", *Saving}]:
        choice = ", ".join(["none", "all", *Saving])
        raise InputError(f"unknown saving {unknown[0]!r}; choose among {choice}")
    named = frozenset(Saving(name) for name in names if name != "all")
    return named | ALL if "all" in names else named


def pairs_by_saving(records: Iterable[Record]) -> dict[Saving, int]:
    """How many judged records each saving scored without a call."""
    counts = Counter(
        SCORED_WITHOUT_A_CALL[record["score_by"]]
        for record in records
        if record["judge"] and record["score_by"] in SCORED_WITHOUT_A_CALL
    )
    return {saving: counts[saving] for saving in Saving if counts[saving]}


def overruled(records: Iterable[Record]) -> int:
    """How many records score 1 for equal results although a database distinguishes their queries."""
    return sum(is_overruled(record) for record in records)


def is_overruled(record: Record) -> bool:
    """Whether a shown difference is overruled by equal results on the one given database."""
    return (record["score_by"], record["verdict"]) == ("execution", "not_equivalent")


NOTHING_KNOWN: Mapping[str, None] = dict.fromkeys(("equality", "equal", "class", "probability", "estimate"))
"""What a record's ``judge`` says of its pair, beside the terms, before anything is known.

``equality`` is what said whether results are ``equal``, ``class`` the class of proven-equivalent
predictions, ``probability`` that of triage, ``estimate`` the tokens of calls that nobody counted.
"""


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a score: whatever it depends on besides the pair; part of the key of a record."""

    model: str
    variant: Variant = Variant.ROSE
    run: str | None = None
    """The recorded run that is replayed."""
    prompts: Mapping[str, str] = field(default_factory=dict)
    """Prompt hash by role; none where published replies were made with other prompts."""
    savings: frozenset[Saving] = ALL
    witness_evidence: bool = False
    standard: Standard = Standard.OURS
    settings: Mapping[str, object] = field(default_factory=dict)
    """Parameters of the requests, or what is replayed and by what record results are equal."""

    def described(self) -> Record:
        """The terms as a record holds them."""
        return {
            "model": self.model,
            "variant": str(self.variant),
            "run": self.run,
            "prompts": dict(self.prompts),
            "savings": [str(saving) for saving in Saving if saving in self.savings],
            "witness_evidence": self.witness_evidence,
            "standard": str(self.standard),
            "settings": dict(self.settings),
        }

    def digest(self) -> str:
        """SHA-256 of all that may change a score; the cache changes none."""
        telling = replace(self, savings=self.savings - {Saving.CACHE}).described()
        return hashlib.sha256(json.dumps(telling, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Members of one class to which the same judge gave different scores: its noise."""

    question: QuestionId
    passed: tuple[Record, ...]
    failed: tuple[Record, ...]


def class_name(record: Record) -> str:
    """A short name for the class whose first member is a record; records keep it."""
    parts = "\0".join((*question_of(record), record["predicted_sql"]))
    return hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def answer_of(members: Iterable[Record]) -> Record | None:
    """A member whose answer is that of its class; None if none has one, or if they contradict each other."""
    answered = [record for record in members if record["score"] is not None]
    return answered[0] if len({record["score"] for record in answered}) == 1 else None


def contradictions(classes: Iterable[Sequence[Record]]) -> Iterator[Contradiction]:
    """The classes whose members were judged differently."""
    for members in classes:
        passed = tuple(record for record in members if record["score"] == 1)
        failed = tuple(record for record in members if record["score"] == 0)
        if passed and failed:
            yield Contradiction(question_of(members[0]), passed, failed)
