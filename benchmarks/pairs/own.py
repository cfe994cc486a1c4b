"""The project's own pairs: what its golden files decide and normalise, and the two of ``examples/``."""

from __future__ import annotations

from collections.abc import Iterator

from kit.harness import Case, World, all_cases

from benchmarks import ROOT
from benchmarks.attacks.attack import Target
from equiv.dialects.registry import reference
from equiv.options import Options
from equiv.schema.locate import Place


def own_targets(relation: str) -> Iterator[tuple[Target, tuple[tuple[str, str, str], ...]]]:
    """What to compare on, and the (name, prediction, gold query) to compare there."""
    by_world: dict[World, list[tuple[str, str, str]]] = {}
    for case in all_cases():
        if case.world is not None and not case.world.dialect and len(case.parts) > 1:
            by_world.setdefault(case.world, []).append(_pair(case))
    for number, (world, pairs) in enumerate(by_world.items()):
        options = Options(
            relation=relation,
            facts=world.policy,
            assume=world.assume,
            rounding=world.rounding,
            timeout=None,
        )
        yield Target(Place(f"golden {number}", schema=world.schema), options), tuple(pairs)
    schema = reference().loader.read_ddl(
        (ROOT / "dev_databases" / "card_games" / "schema.sql").read_text(encoding="utf-8")
    )
    texts = tuple(
        (name, _example(f"{stem}pred"), _example(f"{stem}gold"))
        for name, stem in (("examples", ""), ("examples, different", "different_"))
    )
    yield Target(Place("card_games", schema=schema), Options(relation=relation, timeout=None)), texts


def _pair(case: Case) -> tuple[str, str, str]:
    """The two queries of a case; a query and its normal form make a pair too."""
    return case.name, case.parts[0], case.parts[1]


def _example(stem: str) -> str:
    return (ROOT / "examples" / f"{stem}.sql").read_text(encoding="utf-8")
