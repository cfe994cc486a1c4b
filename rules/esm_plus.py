"""The 20 rules and 8 fixes of ESM+, each as a pair of queries on a schema where its assumption holds.

ESM+ (see CITATIONS.md, [1]) lists equivalences under "verifiable assumptions"
in its Table 1 and corrections of its predecessor in appendix A.1.  An entry
holds the smallest instance that decides whether the assumption is enough, and,
if it is not, one where the condition used here holds.  They stand in
``esm_plus.toml``; nothing is claimed by hand: :mod:`equiv.rules.audit` runs
every pair.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

PROVED = "equivalent by=rules"
REFUTED = "not_equivalent by=generate"
_VERDICTS = {"proved": PROVED, "refuted": REFUTED}


@dataclass(frozen=True, slots=True)
class AuditedPair:
    """Two queries on a schema, and what `equiv check` says of them."""

    ddl: str
    pred: str
    gold: str
    verdict: str
    relation: str = "bag"
    assume: tuple[str, ...] = ()
    """Facts beyond those of the schema, in the notation of ``--assume``."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One rule or fix."""

    number: str
    about: str
    """What it equates, or what it corrects, in a few words."""
    as_stated: AuditedPair
    """An instance in which the assumption holds."""
    assumption: str = ""
    """The paper's."""
    why: str = ""
    """Why it suffices, or what it overlooks."""
    condition: str = ""
    """What is required here."""
    rules: tuple[str, ...] = ()
    """The rules of :mod:`rules` that do it; none if parsing or comparison settles it."""
    settled_by: str = ""
    as_used: AuditedPair | None = None
    """An instance in which the condition used here holds."""
    where: str = ""
    """How far it is unsound: in SQL in general, or under SQLite's typing alone; '' if it is not."""
    also: tuple[AuditedPair, ...] = ()
    """Further instances in which the assumption holds, and fails to suffice for another reason."""
    predecessor: str = ""
    """Of a fix: what the predecessor of ESM+ does, as the paper says or as follows from what it says."""


READING = (
    "push_join_condition_to_filter",  # appendix A.1, fix 3: a join condition is a condition
    "eliminate_duplicate_member",  # fix 7: the values of IN are a set
    "fold_not_literal",  # these three clear away what rule 8 leaves of a condition
    "fold_literal_operand",
    "eliminate_true_filter",
)
"""The rules beside the numbered ones that the structural match of ESM+ needs to compare conditions."""


@cache
def listed(name: str) -> tuple[Entry, ...]:
    """The entries of one list: ``table_1``, ``fixes``, or the ``limitations`` that ESM+ names of itself."""
    import tomllib

    known = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))

    def pair(told: dict[str, Any]) -> AuditedPair:
        ddl, verdict = known["schemas"].get(told["ddl"], told["ddl"]), _VERDICTS[told["verdict"]]
        return AuditedPair(**told | {"ddl": ddl, "verdict": verdict, "assume": tuple(told.get("assume", ()))})

    def entry(told: dict[str, Any]) -> Entry:
        used = {"as_used": pair(told["as_used"])} if "as_used" in told else {}
        several = {"rules": tuple(told.get("rules", ())), "also": tuple(map(pair, told.get("also", ())))}
        return Entry(**told | {"as_stated": pair(told["as_stated"])} | used | several)

    return tuple(map(entry, known[name]))
