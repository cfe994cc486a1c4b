"""The record of what is verified: ``python -m equiv.rules.verification.record [NAME…]`` writes it anew.

With names, only those rules are verified, which takes seconds; what is known of the others stays.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from equiv.commands.outside import rules_named
from equiv.errors import InputError
from equiv.rewrite.rule import Rule
from equiv.rules import RULES
from equiv.rules.verification.verify import Verified, verify

RECORD = Path(__file__).parent / "verified.json"

Entry = dict[str, Any]
"""A :class:`~equiv.rules.verification.verify.Verified` as JSON."""


def recorded(rules: Iterable[Rule], path: Path = RECORD) -> list[Entry]:
    """What the record says of some rules.

    Raises:
        InputError: a rule does not stand in it.
    """
    known = _entries(path)
    for rule in rules:
        if rule.name not in known:
            raise InputError(f"{path.name} lacks {rule.name}; run make verify-rules RULE={rule.name}")
    return [known[rule.name] for rule in rules]


def renewed(found: Iterable[Verified], path: Path = RECORD) -> list[Entry]:
    """The record with what was found of some rules: in firing order, without rules that are gone."""
    known = _entries(path) | {each.name: asdict(each) for each in found}
    return [known[rule.name] for rule in RULES if rule.name in known]


def as_text(entries: Iterable[Entry]) -> str:
    """The record as JSON with a line for each rule, so that a diff shows which rules it is about."""
    return "[\n" + ",\n".join(map(json.dumps, entries)) + "\n]\n"


def _entries(path: Path) -> dict[str, Entry]:
    return {entry["name"]: entry for entry in json.loads(path.read_text(encoding="utf-8"))}


def main(names: Sequence[str]) -> None:
    """Verify some rules, or all, and write the record."""
    entries = renewed([verify(rule) for rule in rules_named(RULES, names)])
    RECORD.write_text(as_text(entries), encoding="utf-8")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except InputError as error:
        sys.exit(f"equiv: {error}")
