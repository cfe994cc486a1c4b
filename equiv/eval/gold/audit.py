"""One audit from its files to its findings, and their summary: counts by kind, then the cases.

Every check is run on every gold query.  Its tasks are small, and run on several worker processes, all of
one gold query on one of them; results come in order.  Among the tasks are the verdicts on predictions for
which no record of ``eval`` is at hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import chain, groupby
from pathlib import Path

from equiv.core.single_values import sql_literal
from equiv.errors import InputError
from equiv.eval import worker
from equiv.eval.arguments import Auditing, format_named
from equiv.eval.gold.catalogue import OF_JUDGES, OF_QUERIES, OF_SYSTEMS, Predicted, kinds_named, look
from equiv.eval.gold.finding import (
    SIGNS,
    FindingsFile,
    GoldFault,
    GoldFinding,
    GoldQuery,
    read_material,
    to_record,
)
from equiv.eval.gold.ranking import (
    Ranked,
    agreement_of,
    load_tables,
    ranked,
    results_of,
    strengths_of,
    word_of_judge,
)
from equiv.eval.metrics.scores import PairId, pair_of, pairs_in, text_of
from equiv.eval.plan import Job, Setting, places_found, settings_of
from equiv.eval.questions import QuestionId, question_id, question_of
from equiv.eval.reading.formats import FormatOptions
from equiv.eval.reading.loading import mapping_of
from equiv.eval.results import read_records, require_dialect
from equiv.eval.runner import local_lane, run
from equiv.eval.worker import SideWorker
from equiv.graphs import grouped_by
from equiv.options import Options
from equiv.records.record import Item, Record
from equiv.show.page import Block, Grid, Text
from equiv.workers.lanes import Crashed, Timeout
from equiv.workers.scheduler import Course, share_out


def lay_ground(db_id: str) -> None:
    """Make the engine of a database, which is not a look's time."""
    worker.WORKER.engine(db_id)


GoldLook = tuple[GoldQuery, tuple[GoldFault, ...]]
"""A gold query, and the kinds of faults that a worker is asked for at once."""

LookOutcome = tuple[tuple[GoldFinding, ...], ...] | Timeout | Crashed
"""The findings by kind, or how the look was lost."""


def outcomes_of(
    asked: Sequence[GoldLook], settings: Mapping[str, Setting], workers: int
) -> Generator[LookOutcome]:
    """The outcomes of looks, in their order; those for one gold query share a worker, and what it keeps.

    Closing the iterator, or an interrupt, kills the workers.
    """
    by_gold = grouped_by(lambda number: asked[number][0].identity, range(len(asked)))

    def course(own: Iterator[list[int]]) -> Course[tuple[int, LookOutcome]]:
        with local_lane(settings) as lane:
            for number in chain.from_iterable(own):
                gold, kinds = asked[number]
                ground, seconds = (lay_ground, (gold.db_id,)), settings[gold.db_id].seconds
                yield number, (yield lane.submit(look, kinds, gold, timeout=seconds, before=ground))

    done: dict[int, LookOutcome] = {}
    following = 0
    with closing(share_out(by_gold.values(), workers, course)) as results:
        for number, outcome in filter(None, results):
            done[number] = outcome
            while following in done:
                yield done.pop(following)
                following += 1


def records_of(
    items: Iterable[Item], known: Iterable[Record], settings: Mapping[str, Setting], workers: int
) -> list[Record]:
    """The records of the predictions of which none is known, without keys: nothing resumes from them."""
    at_hand = {pair_of(record) for record in known}
    new = (item for item in items if _pair_of(item) not in at_hand)
    by_gold = grouped_by(lambda job: job.item.target, (Job(item, str(at)) for at, item in enumerate(new)))
    with closing(run(map(tuple, by_gold.values()), settings, workers)) as records:
        found = sorted(records, key=lambda record: int(record["key"]))
    return [{**record, "key": ""} for record in found]


def _pair_of(item: Item) -> PairId:
    names = ("source", "question_id", "db_id", "predicted_sql", "gold_sql")
    return pair_of({name: getattr(item, name) for name in names})


MISSING_SHOWN = 5
"""How many databases that were not found are named."""


@dataclass(frozen=True, slots=True)
class Looked:
    """The outcome of one check on one gold query: findings, or why it was not run."""

    gold: GoldQuery
    kind: GoldFault
    findings: tuple[GoldFinding, ...] = ()
    asked: bool = True
    """False where what it needs is not there: the database, its data, predictions, a judge."""
    trouble: str = ""
    """Why nothing is known: the worker was killed, or failed."""


class Audit:
    """The gold queries of some files, and what is found in them.

    Raises:
        InputError: a kind is unknown, a mapping has another form, or a ranking is wanted of some kinds alone;
            a file cannot be read, or no database can be found.
    """

    def __init__(self, files: Sequence[Path], auditing: Auditing, options: Options) -> None:
        self._auditing, self._kinds = auditing, kinds_named(auditing.kinds)
        if auditing.ranking is not None and self._kinds != frozenset(GoldFault):
            raise InputError("--ranking needs all kinds of faults: leave out --kinds")
        reading = FormatOptions(mapping_of(auditing.mapping), auditing.extract)
        material = read_material(files, auditing.gold, format_named(auditing.kind), reading)
        self.golds = material.golds[: auditing.limit]
        self._chosen = {gold.identity for gold in self.golds}
        places, self._missing = places_found(
            (g.db_id for g in self.golds), auditing.db_root, auditing.schema, options.given_dialect
        )
        self._settings = settings_of(places, options)
        placed = [item for item in material.items if item.is_pair and item.db_id in places]
        self._items = [item for item in placed if not item.alternatives]
        require_dialect(material.records, options.pair_dialect)
        self._recorded = self._of_questions(material.records)
        self._judged = self._of_questions(r for r in read_records(auditing.judged) if r["judge"])
        self._found: dict[QuestionId, list[GoldFinding]] = {}
        self._agreements: dict[object, dict[str, float]] = {}
        self.ranking: tuple[Ranked, ...] = ()
        """The gold queries, the likeliest to be faulty first, once all kinds were looked for."""
        self._out = FindingsFile(auditing.out) if auditing.out else None

    @property
    def steps(self) -> int:
        """How many looks there will be."""
        return len(self.golds) * len(self._kinds)

    def looks(self) -> Generator[Looked]:
        """Every wanted kind in every gold query: kinds of queries first, then those of systems and judges.

        What is found is written before it is given.  Closing it, or an interrupt, kills the workers.
        """
        with closing(self._looks()) as found:
            for looked in found:
                self._found.setdefault(looked.gold.identity, []).extend(looked.findings)
                if self._out is not None:
                    for finding in looked.findings:
                        self._out.write(to_record(looked.gold, finding))
                yield looked
        if self._kinds == frozenset(GoldFault):
            self.ranking = self._ranked()

    def _ranked(self) -> tuple[Ranked, ...]:
        placed = (gold for gold in self.golds if gold.db_id in self._settings)
        found = ((gold, tuple(self._found.get(gold.identity, ()))) for gold in placed)
        return tuple(ranked(found, self._agreements, load_tables()))

    def remarks(self, *, interrupted: bool) -> list[str]:
        """The remarks at the end of an audit: inputs that were missing, and where the records are."""
        remarks = ["interrupted: the counts cover what was checked so far"] if interrupted else []
        if self._missing:
            remarks += [f"not audited: {why}" for why in list(self._missing.values())[:MISSING_SHOWN]]
        bare = sum(not self.has_data(gold) for gold in self.golds)
        if bare:
            needing = ", ".join(kind for kind, entry in OF_QUERIES.items() if entry.needs_data)
            remarks.append(f"no data for {bare} of {len(self.golds)} gold queries; skipped checks: {needing}")
        if self._out is not None:
            counted = "a query may have several, and signs and 'unsupported' count as no fault of it"
            remarks.append(f"{self._out.written} findings appended to {self._out.path}: {counted}")
        return remarks

    def close(self) -> None:
        """Close the file of findings."""
        if self._out is not None:
            self._out.close()

    def _looks(self) -> Generator[Looked]:
        kinds = [kind for kind in OF_QUERIES if kind in self._kinds]
        wanted = [(gold, kind) for gold in self._by_database() for kind in kinds]
        yield from (Looked(*one, asked=False) for one in wanted if not self._may_ask(*one))
        asked = _together(one for one in wanted if self._may_ask(*one))
        with closing(outcomes_of(asked, self._settings, self._auditing.workers)) as answers:
            for (gold, own), answer in zip(asked, answers, strict=True):
                yield from _looked(gold, own, answer)
        yield from self._of_systems()
        yield from self._of_judges()

    def has_data(self, gold: GoldQuery) -> bool:
        """Whether the database of a gold query is given with its rows."""
        setting = self._settings.get(gold.db_id)
        return setting is not None and setting.place.database is not None

    def _by_database(self) -> list[GoldQuery]:
        order = {name: place for place, name in enumerate(dict.fromkeys(g.db_id for g in self.golds))}
        return sorted(self.golds, key=lambda gold: order[gold.db_id])

    def _may_ask(self, gold: GoldQuery, kind: GoldFault) -> bool:
        if gold.db_id not in self._settings:
            return False
        if kind is GoldFault.OTHER_GOLD:
            return bool(gold.earlier)
        return self.has_data(gold) or not OF_QUERIES[kind].needs_data

    def _of_systems(self) -> Iterator[Looked]:
        kinds = [kind for kind in OF_SYSTEMS if kind in self._kinds]
        records = self._records_of_systems() if kinds else {}
        strengths = strengths_of(record for own in records.values() for record in own)
        with closing(SideWorker(self._settings)) as aside:
            for gold in self._by_database():
                own = tuple(records.get(gold.identity, ()))
                predicted = Predicted(gold, own, aside, self._auditing.agree)
                asked = len(predicted.systems) > 1 and gold.db_id in self._settings
                for kind in kinds:
                    found = tuple(OF_SYSTEMS[kind](predicted)) if asked else ()
                    yield Looked(gold, kind, found, asked)
                if asked:
                    told = agreement_of(predicted, strengths)
                    if self.has_data(gold):
                        told |= results_of(own, predicted.same_rows, strengths)
                    self._agreements[gold.identity] = told

    def _records_of_systems(self) -> dict[QuestionId, list[Record]]:
        """The records of every prediction: those at hand, and those that the engine gives now."""
        known = [record for own in self._recorded.values() for record in own]
        items = [item for item in self._items if question_id(item) in self._chosen]
        new = records_of(items, known, self._settings, self._auditing.workers)
        return self._of_questions(pairs_in([*known, *new]))

    def _of_judges(self) -> Iterator[Looked]:
        for kind in OF_JUDGES:
            if kind in self._kinds:
                for gold in self.golds:
                    own = self._judged.get(gold.identity, [])
                    self._agreements.setdefault(gold.identity, {}).update(word_of_judge(own))
                    yield Looked(gold, kind, tuple(OF_JUDGES[kind](own)), asked=bool(own))

    def _of_questions(self, records: Iterable[Record]) -> dict[QuestionId, list[Record]]:
        """Records by gold query, for those that are audited."""
        return grouped_by(question_of, (r for r in records if question_of(r) in self._chosen))


def _together(asked: Iterable[tuple[GoldQuery, GoldFault]]) -> list[GoldLook]:
    """What workers are asked at once: a kind alone, the signs of a gold query, which are quick, together."""
    together: list[GoldLook] = []
    for (gold, signs), own in groupby(asked, key=lambda one: (one[0], one[1] in SIGNS)):
        kinds = tuple(kind for _, kind in own)
        together += [(gold, kinds)] if signs else [(gold, (kind,)) for kind in kinds]
    return together


def _looked(
    gold: GoldQuery,
    kinds: tuple[GoldFault, ...],
    answer: LookOutcome,
) -> Iterator[Looked]:
    match answer:
        case Timeout(seconds):
            yield from (Looked(gold, k, trouble=f"no answer within {seconds:g} seconds") for k in kinds)
        case Crashed(_, message):
            yield from (Looked(gold, kind, trouble=message) for kind in kinds)
        case _:
            yield from (Looked(gold, kind, own) for kind, own in zip(kinds, answer, strict=True))


ROWS_SHOWN, CELLS_WIDE = 3, 40
RANKED_SHOWN = 4


@dataclass
class FindingTally:
    """Counts over what was looked for; :meth:`add` takes one look in."""

    golds: int
    asked: Counter[GoldFault] = field(default_factory=Counter)
    unasked: Counter[GoldFault] = field(default_factory=Counter)
    """Gold queries for which a kind could not be looked for."""
    unfinished: Counter[GoldFault] = field(default_factory=Counter)
    """Those about which nothing is known, since the worker was killed or failed."""
    troubles: list[tuple[str, str, str, str]] = field(default_factory=list)
    """The kind, database, question and reason of each of these."""
    found: dict[GoldFault, list[tuple[GoldQuery, GoldFinding]]] = field(default_factory=dict)
    ranking: tuple[Ranked, ...] = ()
    """The gold queries by the probability that they are faulty, if that was estimated."""

    def add(self, looked: Looked) -> None:
        """Count one look."""
        self.asked[looked.kind] += looked.asked
        self.unasked[looked.kind] += not looked.asked
        if looked.trouble:
            self.unfinished[looked.kind] += 1
            place = looked.gold.db_id, text_of(looked.gold.question_id)
            self.troubles.append((looked.kind, *place, looked.trouble))
        cases = self.found.setdefault(looked.kind, [])
        cases += [(looked.gold, finding) for finding in looked.findings]

    def queries(self, kind: GoldFault) -> int:
        """How many gold queries a kind was found in."""
        return len({gold.identity for gold, _ in self.found.get(kind, ())})

    @property
    def suspects(self) -> int:
        """The number of gold queries with a finding that may be a fault of theirs."""
        telling = self.found.keys() - SIGNS - {GoldFault.UNSUPPORTED}
        cases = [case for kind in telling for case in self.found[kind]]
        return len({gold.identity for gold, _ in cases})

    def blocks(self, shown: int) -> list[Block]:
        """The likeliest faults, the table by kind, and the first cases of each."""
        listed = [kind for kind in GoldFault if self.found.get(kind) and not (self.ranking and kind in SIGNS)]
        cases = [self._cases(kind, shown) for kind in listed] if shown else []
        if self.troubles and shown:
            what = ("kind", "database", "question", "why")
            cases.append(Grid("unfinished, the first", what, tuple(self.troubles[:shown])))
        first = [self._ranking(shown)] if self.ranking and shown else []
        return [Text(self.headline), *first, self.grid(), *cases]

    @property
    def headline(self) -> str:
        """How many gold queries there are, and in how many something was found."""
        return f"{self.golds} gold queries; findings in {self.suspects} of them."

    def grid(self) -> Grid:
        """The counts by kind; a sign that was found nowhere is left out."""
        kinds = [
            kind for kind in GoldFault if self.found.get(kind) or (kind in self.found and kind not in SIGNS)
        ]
        rows = tuple(
            (kind, *map(str, self._counts(kind)), "sign: " * (kind in SIGNS) + kind.says) for kind in kinds
        )
        columns = ("kind", "found in", "asked of", "not asked", "unfinished", "gold queries that")
        return Grid("gold queries by kind", columns, rows)

    def _ranking(self, shown: int) -> Grid:
        """The likeliest faults; four times as many as there are cases of a kind."""
        rows = tuple(
            (f"{one.probability:.2f}", one.gold.db_id, text_of(one.gold.question_id), "; ".join(one.reasons))
            for one in self.ranking[: RANKED_SHOWN * shown]
        )
        columns = ("probability", "database", "question", "because")
        return Grid(f"most likely to be faulty, the first {len(rows)}", columns, rows)

    def _counts(self, kind: GoldFault) -> tuple[int, int, int, int]:
        return self.queries(kind), self.asked[kind], self.unasked[kind], self.unfinished[kind]

    def to_json(self) -> Record:
        """The counts and every finding as one JSON object."""
        names = ("found_in", "asked", "not_asked", "unfinished")
        kinds = {
            kind: dict(zip(names, self._counts(kind), strict=True))
            for kind in GoldFault
            if kind in self.found
        }
        known = {one.gold.identity: one.probability for one in self.ranking}
        cases = [case for kind in GoldFault for case in self.found.get(kind, ())]
        cases.sort(key=lambda case: -known.get(case[0].identity, 0))
        records = [
            {**to_record(gold, finding), "probability": known.get(gold.identity)} for gold, finding in cases
        ]
        return {
            "golds": self.golds,
            "found_in": self.suspects,
            "kinds": kinds,
            "ranking": [one.to_record() for one in self.ranking],
            "findings": records,
        }

    def _cases(self, kind: GoldFault, shown: int) -> Grid:
        cases = self.found[kind]
        tail = f", the first {shown}" if len(cases) > shown else ""
        rows = tuple(
            (gold.db_id, text_of(gold.question_id), finding.basis, told(finding))
            for gold, finding in cases[:shown]
        )
        return Grid(
            f"{kind}: {len(cases)} findings{tail}", ("database", "question", "basis", "finding"), rows
        )


def told(finding: GoldFinding) -> str:
    """A finding in one line, with the first rows that show it."""
    parts = [finding.detail]
    if finding.rows:
        parts.append(_rows(finding.rows))
    if finding.other_rows:
        parts.append(f"against {_rows(finding.other_rows)}")
    return "; ".join(parts)


def _rows(rows: tuple[tuple[object, ...], ...]) -> str:
    shown = [f"({', '.join(map(_cell, row))})" for row in rows[:ROWS_SHOWN]]
    return ", ".join([*shown, "…"] if len(rows) > ROWS_SHOWN else shown)


def _cell(cell: object) -> str:
    literal = sql_literal(cell) if isinstance(cell, int | float | str | bytes | None) else str(cell)
    return literal if len(literal) <= CELLS_WIDE else f"{literal[: CELLS_WIDE - 1]}…"
