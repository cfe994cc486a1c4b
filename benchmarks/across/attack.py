"""Random queries asked of two engines: what is called equivalent across dialects, and each reading by itself.

``python -m benchmarks.across.attack sqlite/postgres --pairs 2000 --settings 8 --out runs/across`` draws
queries in words that the dialects share, decides each against itself, and against its transpilation, in the
other dialect, and runs both on databases that both engines store. Printed is each pair that is called
equivalent and answers differently, and each query whose answer on its own engine is none that the core's
text of it allows. With ``--settings 8`` what is called equivalent also runs, on each database, under so
many drawn settings of each side's session, but for those that the verdict names. Each batch has databases
of its own; half of the batches have facts on settings. What came of a batch is kept in the folder of
``--out``, and a rerun with the same code goes on from there.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import astuple, dataclass, field, replace
from pathlib import Path
from random import Random
from time import process_time
from typing import Any, Self

import sqlglot

from benchmarks.across.texts import DDL, Texts, rows
from benchmarks.command import parser
from equiv.answers import choices as choice_functions
from equiv.answers.pair import Pair
from equiv.cells import Cell, Row
from equiv.core.query import Query
from equiv.core.runner import Failure, Guarded, Limits, Result, RunnerError
from equiv.dialects.crossing.dialect import parted
from equiv.dialects.crossing.sides import CrossedSession, base_of
from equiv.dialects.protocol import Session
from equiv.dialects.registry import dialect_named
from equiv.engine.make import make_engine
from equiv.engine.pipeline import Engine
from equiv.facts import FactKind
from equiv.options import Options
from equiv.relation import Rows
from equiv.schema.violations import FactChecker
from equiv.testing.fuzz.batches import code_digest, digest_of, sizes
from equiv.testing.fuzz.own_words import KNOWN
from equiv.testing.fuzz.own_worlds import same
from equiv.tiers.bindings import replays
from equiv.verdict import Equivalent
from equiv.workers.scheduler import do_kept

CAPS = Limits(seconds=2.0)

PAIRS = 100
"""How many pairs a batch has at most."""


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch of random pairs across two dialects.

    Attributes:
        dialects: the name of the dialect of pairs, as in ``sqlite/postgres``.
        seed: of what is drawn.
        number: of the batch.
        pairs: how many that both dialects read are asked about.
        databases: how many each pair is run on.
        settings: under how many drawn settings each is run there, besides the engines' own.
    """

    dialects: str
    seed: int
    number: int
    pairs: int
    databases: int
    settings: int

    @property
    def key(self) -> str:
        """SHA-256 of all that the outcome depends on, code and engines included."""
        version = dialect_named(self.dialects).engine.version
        own = digest_of([Path(__file__).parent])
        return hashlib.sha256(repr((code_digest(), own, version, astuple(self))).encode()).hexdigest()


@dataclass
class Attack:
    """What an attack has found."""

    counts: Counter[str] = field(default_factory=Counter)
    """How often texts and pairs end how."""
    broken: list[str] = field(default_factory=list)
    """A text for each finding."""


class Remembering:
    """A database that runs each text once.

    Args:
        session: the database.
    """

    def __init__(self, session: Session) -> None:
        self._session, self._known = session, dict[tuple[str, object], Result | Failure]()
        self.has_core = session.has_core

    @property
    def core(self) -> Guarded:
        """See :class:`~equiv.dialects.protocol.Session`."""
        return self._session.core

    def run(
        self, text: str, limits: Limits = CAPS, values: Mapping[str, Cell] | None = None
    ) -> Result | Failure:
        """See :class:`~equiv.dialects.protocol.Session`."""
        asked = text, tuple((values or {}).items())
        if asked not in self._known:
            self._known[asked] = self._session.run(text, limits, values)
        return self._known[asked]

    def close(self) -> None:
        """See :class:`~equiv.dialects.protocol.Session`."""
        self._session.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


class Side:
    """One side of the databases of an attack, which answers under any settings of its dialect's session.

    Args:
        dialect: its name.
        scripts: one for each database.
        sessions: the same databases under the engine's own settings.
    """

    def __init__(self, dialect: str, scripts: Sequence[str], sessions: Sequence[Session]) -> None:
        found = dialect_named(dialect)
        bare = [text.replace('"public".', "") for text in scripts]
        parts = [[each.strip() for each in found.reader.statements(text)] for text in bare]
        filled = [[each for each in some if each.upper().startswith("INSERT")] for some in parts]
        made = "".join(f"{each};\n" for each in parts[0] if each and each not in filled[0])
        words = found.words() if found.words is not None else None
        self.settings = {} if words is None else words.settings
        self._opened = None if words is None or words.databases is None else words.databases(made, filled)
        self._sessions = sessions

    def drawn(self, random: Random) -> dict[str, str]:
        """Settings drawn at random; dates and intervals are written as ever."""
        found = {name: random.choice(values) for name, values in self.settings.items()}
        order = {"DateStyle": f"ISO, {found['DateStyle'][-3:]}"} if "DateStyle" in found else {}
        own = {name: values[0] for name, values in self.settings.items() if name in WRITTEN}
        return {**found, **own, **order}

    def naming(self, drawn: Mapping[str, str], named: Mapping[str, str]) -> dict[str, str]:
        """Drawn settings, but for those that are named."""
        return {name: named.get(name, value) for name, value in drawn.items()}

    def rows(self, number: int, settings: Mapping[str, str], texts: Sequence[str]) -> list[list[Row] | None]:
        """The rows of each text on a database; None where it is refused."""
        if self._opened is not None:
            return self._opened.rows(number, settings, texts)
        found = (self._sessions[number].run(text, CAPS) for text in texts)
        return [None if isinstance(each, Failure) else list(each.rows) for each in found]

    def turned(self, number: int, settings: Mapping[str, str], text: str) -> list[Row] | None:
        """The rows of a text where the same rows were inserted the other way round, if settings are drawn."""
        return self.rows(number + len(self._sessions) * bool(self.settings), settings, [text])[0]

    def close(self) -> None:
        """Close the databases."""
        if self._opened is not None:
            self._opened.close()


WRITTEN = ("IntervalStyle", "bytea_output", "extra_float_digits")
"""Settings that change how values are written alone, which two engines do in two ways anyhow."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A pair that is called equivalent, under the settings that its verdict names."""

    pair: Pair
    named: Mapping[str, str]

    def parts(self, pred: Sequence[Row] | None, gold: Sequence[Row] | None) -> bool:
        """Whether the answers of both queries are not the same."""
        orders = self.pair.pred.orders, self.pair.gold.orders
        return pred is not None and gold is not None and not same(pred, gold, self.pair.relation, orders)


def attacked(batch: Batch) -> Attack:
    """The findings on a batch of random pairs."""
    pred, _, gold = batch.dialects.partition("/")
    random, found = Random(f"{batch.dialects} {batch.seed} {batch.number}"), Attack()
    dialect, rows_of = dialect_named(batch.dialects), random.choice((Rows.BAG, Rows.LIST))
    stated = random.choice((False, True)) and batch.settings
    some = [name for name in dialect.taken if stated and random.random() < KNOWN]
    options = Options(
        dialect=pred,
        gold_dialect=gold,
        timeout=None,
        relation=rows_of.value,
        effort=30,
        assume=tuple(f"setting({name} = '{dialect.taken[name]}')" for name in some),
    )
    schema = dialect.loader.read_ddl(DDL)
    with closing(make_engine(schema, None, options)) as engine, ExitStack() as stack:
        worlds, claims = list(_databases(batch.dialects, engine, random, batch.databases)), list[Claim]()
        for _, session in worlds:
            stack.callback(session.close)
        for texts in _pairs(pred, gold, random):
            if found.counts["pairs"] == batch.pairs:
                break
            claim = _attack_pair(engine, [session for _, session in worlds], texts, found)
            claims += [claim] if claim is not None else []
        if batch.settings and claims:
            scripts = [parted(script) for script, _ in worlds]
            sides = (
                Side(pred, [one for one, _ in scripts], [session.pred for _, session in worlds]),
                Side(gold, [other for _, other in scripts], [session.gold for _, session in worlds]),
            )
            for side in sides:
                stack.callback(side.close)
            _attack_under_settings(claims, sides, batch, random, found)
    return found


def outcome(batch: Batch) -> dict[str, Any]:
    """The findings on a batch, and its seconds of processor time, as a JSON object."""
    start, found = process_time(), attacked(batch)
    return {"seconds": process_time() - start, "counts": dict(found.counts), "broken": found.broken}


def _pairs(pred: str, gold: str, random: Random) -> Iterator[tuple[str, str]]:
    texts = Texts(random)
    while True:
        text = texts.query()
        yield text, text
        try:
            told = sqlglot.transpile(text, read=pred, write=gold)[0]
        except sqlglot.errors.SqlglotError:
            continue
        if told != text:
            yield text, told


def _databases(
    dialects: str, engine: Engine, random: Random, count: int
) -> Iterator[tuple[str, CrossedSession]]:
    """Scripts and open databases with random rows that keep the facts and that both engines store."""
    crossed = dialect_named(dialects).engine
    checker = FactChecker(engine.schema, engine.facts)
    while count:
        script = crossed.script(engine.schema, ("t", "u"), rows(random))
        try:
            session = crossed.replay(script)
        except RunnerError:
            continue
        assert isinstance(session, CrossedSession)
        base = base_of(*dialects.split("/"))
        session = CrossedSession(Remembering(session.pred), Remembering(session.gold), base)
        try:
            choice_functions.register(session.core.connection)
            is_kept = checker.holds(session.core.connection)
        except RunnerError:
            is_kept = False
        if is_kept:
            yield script, session
            count -= 1
        else:
            session.close()


def _attack_pair(
    engine: Engine, worlds: Sequence[CrossedSession], texts: tuple[str, str], found: Attack
) -> Claim | None:
    """The claim that a pair is equivalent, if no database breaks it; what one breaks is told."""
    pred, gold = texts
    one, other = engine.read(pred), engine.read(gold, gold=True)
    if not isinstance(one, Query) or not isinstance(other, Query):
        found.counts["refused by an engine"] += 1
        return None
    if one.tree is None or other.tree is None:
        found.counts["not translated"] += 1
        return None
    verdict = engine.check(pred, gold)
    found.counts["pairs"] += 1
    found.counts[verdict.name] += 1
    pair = Pair(one, other, engine.schema, engine.facts, verdict.relation)
    claim = Claim(pair, _settings_of(verdict)) if isinstance(verdict, Equivalent) else None
    found.counts["naming settings"] += claim is not None and bool(claim.named)
    choice = any(plan.has_choices or plan.window != (0, None) for plan in pair.plans)
    # Of floats of 32 bits fractions part, and whole numbers beyond 2^24 rest on exact arithmetic.
    narrow = any(kind == "float4" for _, kind in one.computed | other.computed)
    for world in () if narrow else worlds:
        answers = world.pred.run(one.sql, CAPS), world.gold.run(other.sql, CAPS)
        ours, theirs = answers
        if isinstance(ours, Failure) or isinstance(theirs, Failure) or choice:
            continue
        if not replays(pair, world, CAPS):
            found.broken.append(f"MISREAD {pred}\n     || {gold}\n{_shown(world, answers)}")
            return None
        if claim is not None and claim.parts(ours.rows, theirs.rows):
            found.broken.append(f"WRONG {pred}\n   || {gold}\n{_shown(world, answers)}")
            return None
    return None if narrow or any(plan.has_choices for plan in pair.plans) else claim


def _settings_of(verdict: Equivalent) -> dict[str, str]:
    return {fact.columns[0]: fact.expression for fact in verdict.facts if fact.kind is FactKind.SETTING}


def _attack_under_settings(
    claims: Sequence[Claim], sides: tuple[Side, Side], batch: Batch, random: Random, found: Attack
) -> None:
    """Try each claim on each database under settings that it does not name; what is broken is told."""
    groups: dict[tuple[tuple[str, str], ...], list[Claim]] = {}
    for claim in claims:
        groups.setdefault(tuple(sorted(claim.named.items())), []).append(claim)
    for number in range(batch.databases):
        for _ in range(batch.settings):
            free = tuple(side.drawn(random) for side in sides)
            for named, group in groups.items():
                drawn = tuple(side.naming(each, dict(named)) for side, each in zip(sides, free, strict=True))
                found.counts["under settings"] += len(group)
                for claim in _broken(group, sides, number, drawn):
                    group.remove(claim)
                    found.broken.append(_told(claim, sides, number, drawn))


def _broken(
    claims: Sequence[Claim], sides: tuple[Side, Side], number: int, drawn: Sequence[Mapping[str, str]]
) -> list[Claim]:
    """The claims whose answers part under settings of each side, where no choice of an engine explains it."""
    texts = [list(dict.fromkeys(sql)) for sql in zip(*map(_texts_of, claims), strict=True)]
    ours, theirs = (
        dict(zip(asked, side.rows(number, settings, asked), strict=True))
        for asked, side, settings in zip(texts, sides, drawn, strict=True)
    )
    return [
        claim
        for claim in claims
        if claim.parts(ours[claim.pair.pred.sql], theirs[claim.pair.gold.sql])
        and not any(
            Claim(pair, {}).parts(answers[pair.pred.sql], side.turned(number, settings, pair.pred.sql))
            for side, settings, answers, pair in zip(
                sides, drawn, (ours, theirs), _with_themselves(claim.pair), strict=True
            )
        )
    ]


def _texts_of(claim: Claim) -> tuple[str, str]:
    return claim.pair.pred.sql, claim.pair.gold.sql


def _with_themselves(pair: Pair) -> tuple[Pair, Pair]:
    return replace(pair, gold=pair.pred), replace(pair, pred=pair.gold)


def _told(claim: Claim, sides: tuple[Side, Side], number: int, drawn: Sequence[Mapping[str, str]]) -> str:
    """A claim that is broken under settings, with those that are not the engines' own, and both answers."""
    lines = [f"WRONG under settings {claim.pair.pred.sql}", f"   || {claim.pair.gold.sql}"]
    lines += [f"it names {name} = {value!r}" for name, value in claim.named.items()]
    for side, settings, text in zip(sides, drawn, _texts_of(claim), strict=True):
        lines += [f"{name} = {each!r}" for name, each in settings.items() if each != side.settings[name][0]]
        lines.append(repr(side.rows(number, settings, [text])[0]))
    return "\n".join(lines)


def _shown(world: CrossedSession, answers: tuple[object, ...]) -> str:
    lines = [repr(getattr(each, "rows", each)) for each in answers]
    for table in ("t", "u"):
        lines += [f"{table} {row}" for row in world.core.connection.execute(f"SELECT * FROM {table}")]
    return "\n".join(lines)


def main() -> None:
    """Attack, and print what broke."""
    pairs, settings = (100, "that both dialects read"), (0, "drawn for each database and pair")
    arguments = parser(__doc__, seed=1, pairs=pairs, databases=20, settings=settings)
    arguments.add_argument("dialects")
    arguments.add_argument("--out", type=Path, help="folder of the run, which a rerun goes on from")
    given = arguments.parse_args()
    asked, tried = (given.dialects, given.seed), (given.databases, given.settings)
    work = [Batch(*asked, number, size, *tried) for number, size in enumerate(sizes(given.pairs, PAIRS))]
    counts, broken, seconds, lost = Counter[str](), 0, 0.0, 0
    with tempfile.TemporaryDirectory() as folder:
        kept = (given.out or Path(folder)) / f"{given.dialects.replace('/', '-')}.jsonl"
        for done in do_kept(work, outcome, 1, kept):
            if done is None:
                lost += 1
                continue
            for each in done["broken"]:
                print(each, end="\n\n", flush=True)
            counts.update(done["counts"])
            broken += len(done["broken"])
            seconds += done["seconds"]
    print(dict(counts), f"broken: {broken}, lost batches: {lost}, {seconds:.0f} s of processor time")


if __name__ == "__main__":
    from benchmarks.across import attack

    attack.main()
