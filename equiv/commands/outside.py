"""The interface to rules and judge, which ``equiv`` does not import: :mod:`cli` passes them to commands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from equiv.packs import Pack
    from equiv.records.record import Record
    from equiv.rewrite.rule import Rule
    from equiv.show.page import Block


@dataclass(frozen=True)
class Verification:
    """The result of verifying rules: text for people, JSON, and whether a rule is refuted."""

    blocks: Sequence[Block]
    json: str
    refuted: bool


@dataclass(frozen=True)
class Outside:
    """The functions of rules and judge that commands call; each imports its modules when called."""

    rules: Callable[[], Sequence[Rule]]
    """All rewrite rules, in their order."""
    verify: Callable[[Iterable[Rule]], Verification]
    verify_pack: Callable[[Pack, Iterable[Rule]], Verification]
    """What is known of some rules of a user's pack."""
    judgement_of: Callable[[Record | None], list[Block]]
    """What a judge said of a record, if one was asked."""
    report: Callable[[list[Record], Path | None], list[Block]]
    """What a judge did and cost, with a file of prices in dollars too."""

    def describe_rules(self, packs: Iterable[str] = ()) -> Callable[[str], str]:
        """A function from a rule's name to the first sentence of its documentation."""
        from equiv.packs import load_packs
        from equiv.show.catalogue import first_sentence

        foreign = [rule for pack in load_packs(packs) for rule in pack.rules]
        summaries = {rule.name: first_sentence(rule) for rule in (*self.rules(), *foreign)}
        return lambda name: summaries.get(name, "")


def outside(context: typer.Context) -> Outside:
    """The functions that the command line was composed with."""
    found = context.obj
    assert isinstance(found, Outside)
    return found
