"""What is attacked: the pairs of a corpus, on the databases that they are compared on.

The project's own pairs are what its golden files decide and normalise, and the two of ``examples/``.
"""

from __future__ import annotations

from collections.abc import Iterator

from kit.harness import Case, World, all_cases

from benchmarks import ROOT
from benchmarks.attacks.attack import Target, Task
from benchmarks.pairs.corpora import corpus
from equiv.dialects.registry import reference
from equiv.options import Options
from equiv.schema.locate import Place

OWN = "own"
BATCH = 20
"""How many pairs of one database one task has."""


def tasks(name: str, relation: str, effort: int, mutants: int) -> list[Task]:
    """The tasks of a corpus, largest database first; pairs that stand twice are attacked once."""
    found = list(targets(name, relation))
    found.sort(key=lambda entry: -len(entry[1]))
    return [Task(target, batch, effort, mutants) for target, pairs in found for batch in _batches(pairs)]


def _batches(pairs: tuple[tuple[str, str, str], ...]) -> Iterator[tuple[tuple[str, str, str], ...]]:
    for start in range(0, len(pairs), BATCH):
        yield pairs[start : start + BATCH]


def targets(name: str, relation: str) -> Iterator[tuple[Target, tuple[tuple[str, str, str], ...]]]:
    """What the pairs of a corpus are compared on, each with its (name, prediction, gold query)."""
    if name == OWN:
        yield from own_targets(relation)
        return
    items, places = corpus(name).read()
    by_place: dict[str, dict[tuple[str, str], str]] = {}
    for item in sorted(items, key=lambda item: item.gold_sql):
        names = by_place.setdefault(item.db_id, {})
        names.setdefault((item.predicted_sql, item.gold_sql), f"{name} {item.db_id} {item.question_id}")
    for db_id, found in by_place.items():
        target = Target(places[db_id], Options(relation=relation, timeout=None))
        yield target, tuple((label, pred, gold) for (pred, gold), label in found.items())


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
