"""Writes docs/rules.md from the rules themselves: ``python -m equiv.rules.document [FILE]``.

What is known of each rule is taken from the record that ``make verify-rules`` writes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from equiv.files import write_page
from equiv.proof.catalogue import entry_of, sections_of
from equiv.rewrite.rule import Rule
from equiv.rules import RULES
from equiv.rules.verification.record import recorded

PAGE = Path(__file__).resolve().parent.parent / "docs" / "rules.md"
INTRODUCTION = """\
# Rules

Written by `python -m equiv.rules.document`; change the docstrings in `rules/` instead. Modules and rules
stand in firing order. A rule fires where the tree has its shape and the facts promise what it needs. *Keeps*
is the strictest comparison of rows that it preserves: a rule that keeps less than a list fires only on the
whole query, and only if the comparison allows.

Each rule is verified by the algebra of the proof tier ([proof.md](proof.md)), in which no rule has a part:
the query before and the query after are proved equivalent, for the documented query and every golden case,
on each of up to 13 *schema patterns* on which the guards let the rule fire (as written; only what SQLite
enforces; columns without types or all of one type; NULL nowhere or everywhere; no keys, nullable ones,
wider ones; wider tables), and each time from the facts that the guards name, and from no other but those
about arithmetic. Besides, its first instances are tried on databases of schemas whose columns are NOCASE or
RTRIM. The last section has the table; `equiv rules verify [NAME] [--json]` makes it anew.
[What each rule stays for](../benchmarks/outcomes/rules_needed.md) is counted over published pairs.
"""
VERIFIED = """\
## What is verified

*proved*: the algebra alone proves every instance. *tested*: not every one; on the others 300 generated
databases that keep the facts found no difference. *open*: neither. *refuted*: a database shows a difference.
Of the guards, too, each is shown to be needed: without it a generated database distinguishes the two queries
(the golden refusals).
"""


def document(rules: Iterable[Rule]) -> str:
    """The page on some rules, as Markdown."""
    rules = tuple(rules)
    known = {entry["name"]: entry for entry in recorded(rules)}
    head = [INTRODUCTION, f"{len(rules)} rules.\n"]
    sections = sections_of(rules, lambda rule: _section(rule, known[rule.name]))
    return "\n".join([*head, *sections, _table([known[rule.name] for rule in rules])])


def _table(entries: list[dict[str, Any]]) -> str:
    counts = Counter(entry["status"] for entry in entries)
    total = ", ".join(f"{counts[status]} {status}" for status in counts)
    rows = [
        f"| {each['name']} | {each['status']} | {each['proved']} of {each['instances']} | {_missing(each)} |"
        for each in entries
    ]
    head = ["| rule | status | instances proved | what is missing |", "|---|---|---|---|"]
    return "\n".join([VERIFIED, f"{len(entries)} rules: {total}.\n", *head, *rows, ""])


def _missing(entry: dict[str, Any]) -> str:
    return "; ".join(dict.fromkeys(each["why"] for each in entry["unproved"]))


def _section(rule: Rule, known: dict[str, Any]) -> str:
    esm_plus = f" Rule {rule.esm_plus} of ESM+." if rule.esm_plus is not None else ""
    more = f"{esm_plus} Verified: {known['status']}."
    return entry_of(rule.name, rule.doc, rule.needs, f"Keeps: {rule.under}.", more)


if __name__ == "__main__":
    write_page(document(RULES), PAGE)
