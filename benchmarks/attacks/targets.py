"""What is attacked: the pairs of a corpus, on the databases that they are compared on."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.attacks.attack import Target, Task
from benchmarks.pairs.corpora import corpus
from equiv.options import Options

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
        from benchmarks.pairs.own import own_targets

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
