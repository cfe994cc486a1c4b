"""The input of a suite: records of predictions, and of mutants of their gold queries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from equiv.core.printing import to_sql
from equiv.core.query import Query
from equiv.errors import InputError
from equiv.eval.arguments import ReadingOptions
from equiv.eval.databases import places_found
from equiv.eval.evaluation import Evaluation, Request
from equiv.eval.plan import Setting, groups_of, jobs_of, settings_of
from equiv.eval.running.runner import run
from equiv.eval.running.side_worker import SideWorker
from equiv.eval.running.worker import WORKER
from equiv.eval.store.results import ResultsFile, read_records, require_dialect
from equiv.eval.suite.mutants import mutants
from equiv.eval.suite.questions import MUTATION, RivalKind, kind_of, place_of, scripts_in
from equiv.eval.suite.script import EvaluationScript, Layout
from equiv.options import Options
from equiv.records.item import Item
from equiv.records.record import Record
from equiv.verdict import Tier

PREDICTIONS, MUTANTS = "predictions.jsonl", "mutants.jsonl"
"""Results files in the folder of a suite, from which a rerun resumes."""


AS_IT_IS = ReadingOptions()


@dataclass(frozen=True, slots=True)
class SuiteOrder:
    """The request of one ``equiv suite``."""

    files: tuple[Path, ...]
    out: Path
    script: EvaluationScript
    options: Options
    """Relation and tiers apart, which the script decides."""
    reading: ReadingOptions = AS_IT_IS
    """How prediction files are read."""
    db_root: Path | None = None
    schema: Path | None = None
    workers: int = 1
    mutants: int = 12
    """How many mutants of each gold query are tried."""

    @property
    def checking(self) -> Options:
        """How pairs are checked for the suite."""
        return replace(self.options, relation=_RELATIONS[self.script.layout])


_RELATIONS = {Layout.BIRD: "bird", Layout.SPIDER: "spider"}


def predictions_of(order: SuiteOrder) -> list[Record]:
    """The records of an order's files: those of results files, and of prediction files what the engine says.

    Raises:
        InputError: a file cannot be read, or a database cannot be found.
    """
    results = [path for path in order.files if holds_records(path)]
    others = tuple(path for path in order.files if path not in results)
    records = read_records(results)
    require_dialect(records, order.options.pair_dialect)
    if not others:
        return records
    reading = order.reading
    request = Request(
        *(others, order.checking, reading.gold, reading.kind, order.db_root, order.schema),
        out=order.out / PREDICTIONS,
        workers=order.workers,
        mapping=reading.mapping,
        extract=reading.extract,
        vote=reading.vote,
        ex=False,
    )
    with closing(Evaluation(request)) as evaluation:
        by_key = {record["key"]: record for record in (*evaluation.resumed(), *evaluation.records())}
        return [*records, *evaluation.in_order(by_key)]


def holds_records(path: Path) -> bool:
    """Whether a file begins with a record of ``eval``, which every record's first key tells.

    Raises:
        InputError: the file cannot be read.
    """
    try:
        with path.open("rb") as file:
            return file.read(64).lstrip().startswith(b'{"key": "')
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None


def settings_for(records: Iterable[Record], order: SuiteOrder) -> dict[str, Setting]:
    """The settings by database for making a suite: the whole schema, without the rows.

    Small databases are wanted, so that a populated one settles nothing here; which facts it breaks counts.

    A database that cannot be found has no setting.

    Raises:
        InputError: an option leads nowhere, or every name does.
    """
    names = (record["db_id"] for record in records)
    found, _ = places_found(names, order.db_root, order.schema, order.options.dialect)
    return settings_of(found, replace(order.checking, tiers=(Tier.GENERATE,)))


def checked(
    records: Sequence[Record], settings: Mapping[str, Setting], order: SuiteOrder, say: Callable[[str], None]
) -> list[Record]:
    """The records of predictions that are to be checked again, and of mutants, in an order of their own.

    Raises:
        InputError: the results file in the order's folder is none.
    """
    every = {name: _with_provers(setting) for name, setting in settings.items()}
    with ResultsFile(order.out / MUTANTS) as file:
        again = _checked(_again(records, order.script), every, file, order.workers)
        say(f"{len(again)} predictions checked again")
        found = _checked(_mutants(records, settings, order), settings, file, order.workers)
        say(f"{len(found)} mutants checked")
    return [*again, *found]


def _with_provers(setting: Setting) -> Setting:
    tiers = (Tier.RULES, Tier.GENERATE, Tier.PROOF, Tier.FRAGMENT, Tier.SEARCH)
    return replace(setting, options=replace(setting.options, tiers=tiers))


def _checked(
    items: Iterable[Item], settings: Mapping[str, Setting], file: ResultsFile, workers: int
) -> list[Record]:
    """The records of some pairs, in order; those that are not settled are checked and written first."""
    jobs = jobs_of(items, settings)
    known = dict(file.settled)
    with closing(run(groups_of(job for job in jobs if job.key not in known), settings, workers)) as found:
        for record in found:
            file.write(record)
            known[record["key"]] = record
    return [known[job.key] for job in jobs]


def _again(records: Iterable[Record], script: EvaluationScript) -> Iterator[Item]:
    """The predictions of which more is to be known.

    Refuted ones without a small database, those that were refuted by what the script may not see, and those
    that were proved right where the script runs other queries.
    """
    for record in records:
        is_bare = record["verdict"] == "not_equivalent" and not scripts_in(record)
        kind = kind_of(record, script)
        if (
            is_bare
            or kind is RivalKind.STRICTER
            or (kind is RivalKind.OPEN and record["verdict"] == "equivalent")
        ):
            yield _item(record, record["source"], record["predicted_sql"], script)


def _item(record: Record, source: str, sql: str, script: EvaluationScript) -> Item:
    """A query beside a record's gold query, both as the script runs them."""
    texts = script.prepared(sql), script.prepared(record["gold_sql"])
    return Item(source, record["question_id"], record["db_id"], *texts)


def _mutants(records: Sequence[Record], settings: Mapping[str, Setting], order: SuiteOrder) -> Iterator[Item]:
    """The mutants of each gold query as predictions, made in a worker."""
    firsts = {place_of(record, order.script): record for record in reversed(records)}
    with closing(SideWorker(settings)) as aside:
        for record in reversed(firsts.values()):
            asked = record["gold_sql"], order.mutants, order.script
            for name, sql in aside.ask(mutants_of, record["db_id"], *asked) or ():
                yield _item(record, MUTATION + name, sql, order.script)


def mutants_of(db_id: str, gold: str, number: int, script: EvaluationScript) -> list[tuple[str, str]]:
    """The mutants of a gold query, inside a worker process; none of one that is not modelled.

    What the script makes one query of is one mutant, and what it makes the gold query of is none.
    """
    engine = WORKER.engine(db_id)
    query = engine.read(script.prepared(gold))
    if not isinstance(query, Query) or query.tree is None or query.parameters:
        return []
    seen = {script.prepared(to_sql(query.tree))}
    pairs: list[tuple[str, str]] = []
    for name, sql in mutants(query.tree, engine.schema, _SPARE * number):
        if (run := script.prepared(sql)) not in seen and len(pairs) < number:
            seen.add(run)
            pairs.append((name, run))
    return pairs


_SPARE = 2
"""So many times the mutants wanted are made, of which the script may tell only some apart."""
