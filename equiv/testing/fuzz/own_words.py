"""This module draws batches of random pairs in a dialect's own words, and attacks their proofs and readings.

The texts run on the dialect's engine, on databases made for the batch's schema.  A proof or a reading that a
database refutes is written as a golden file, a script and a text.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import astuple, dataclass, field, replace
from functools import partial
from itertools import combinations
from random import Random
from time import process_time
from typing import Any

from equiv.answers.answers import AnswerPlan
from equiv.answers.pair import Pair, told_apart_by_types
from equiv.cells import Row
from equiv.core.query import Query
from equiv.dialects.protocol import Dialect
from equiv.dialects.registry import dialect_named, dialect_of
from equiv.dialects.words import OpenDatabases, Words
from equiv.engine.granted import resting_on_settings
from equiv.engine.make import make_engine
from equiv.engine.pipeline import Engine, decide
from equiv.errors import InputError
from equiv.facts import FactKind
from equiv.options import Options
from equiv.relation import Columns, Relation, Rows
from equiv.testing.fuzz.attacker import Asking, Attacker
from equiv.testing.fuzz.batches import POLICIES, code_digest, sizes
from equiv.testing.fuzz.findings import case_of, error_file
from equiv.testing.fuzz.own_worlds import (
    HANGING,
    AskedText,
    DrawnWorld,
    OwnWordsQuestions,
    Parting,
    are_same,
    kept_rows,
    script,
    shrunk,
    world,
)
from equiv.tiers.outcome import Refuted, Settler
from equiv.verdict import Equivalent, Verdict, Witness

PAIRS = 200
"""How many pairs a batch has at most."""

WAYS = 8
"""How many ways of one question stand beside each other."""

ABREAST = 28
"""How many of their pairs are asked about."""

KNOWN = 0.6
"""The share of settings that are stated or assumed, where any are."""

PATIENCE = 100
"""After so many questions in a row of which no two ways are read a batch ends."""


@dataclass(frozen=True, slots=True)
class OwnWordsBatch:
    """A batch of random pairs on one schema of a dialect."""

    dialect: str
    seed: int
    number: int
    asking: Asking
    pairs: int

    @property
    def key(self) -> str:
        """SHA-256 of all that the outcome depends on, code and engine included."""
        version = dialect_named(self.dialect).engine.version
        return hashlib.sha256(repr((code_digest(), version, astuple(self))).encode()).hexdigest()


def batches(dialect: str, seed: int, asking: Asking, pairs: int | None) -> Iterator[OwnWordsBatch]:
    """The batches of a seed with so many pairs in all; None: endless."""
    for number, size in enumerate(sizes(pairs, PAIRS)):
        yield OwnWordsBatch(dialect, seed, number, asking, size)


def words_of(dialect: str) -> Words:
    """The words of a dialect whose engine is installed.

    Raises:
        InputError: there are none, or it is not.
    """
    found = dialect_named(dialect)
    if found.words is None:
        raise InputError(f"{found.title} has no vocabulary to draw questions from")
    found.engine.version  # noqa: B018 - whether it is installed
    return found.words()


def attacked(batch: OwnWordsBatch) -> dict[str, Any]:
    """The findings of a batch, as a JSON object."""
    random, start = Random(f"{batch.dialect} {batch.seed} {batch.number}"), process_time()
    words, dialect, draws = words_of(batch.dialect), dialect_named(batch.dialect), bool(batch.asking.settings)
    drawn, options = world(words, random), Options(timeout=None, dialect=batch.dialect)
    if draws:
        known = _known_settings(words, dialect, random)
        drawn = replace(drawn, stated=known.stated)
        options = replace(options, facts=random.choice(POLICIES), assume=known.assumed)
    schema = dialect.loader.read_ddl(drawn.script, "drawn")
    with closing(make_engine(schema, None, options)) as engine:
        attacker = OwnWordsAttacker(engine, random.getrandbits(32), batch.asking, drawn, words)
        questions = OwnWordsQuestions(words, random, HANGING if draws else 0.0)
        for number, pair in enumerate(_pairs(batch, attacker, questions, random)):
            attacker.ask(f"{batch.dialect}, seed {batch.seed}, batch {batch.number}, pair {number}", *pair)
        attacker.attack()
    return {"seconds": process_time() - start, **attacker.found.to_json()}


@dataclass(frozen=True, slots=True)
class KnownSettings:
    """The settings that a schema's script states, and facts about others that are assumed."""

    stated: Mapping[str, str]
    assumed: tuple[str, ...]


def _known_settings(words: Words, dialect: Dialect, random: Random) -> KnownSettings:
    """None, or a random part of the settings by which the dialect's reader takes texts.

    No script states the order of texts: it comes with the database.
    """
    some = [name for name in dialect.taken if random.random() < KNOWN]
    way = random.choice(("none", "none", "assumed", "stated"))
    if way == "stated":
        given = [name for name in some if len(words.settings.get(name, ())) > 1]
        values = {name: random.choice((dialect.taken[name], *words.settings[name])) for name in given}
        return KnownSettings(values, ())
    facts = (f"setting({name} = '{dialect.taken[name]}')" for name in some if way == "assumed")
    return KnownSettings({}, tuple(facts))


def _pairs(
    batch: OwnWordsBatch, attacker: OwnWordsAttacker, questions: OwnWordsQuestions, random: Random
) -> Iterator[tuple[str, str]]:
    """So many pairs of ways that the dialect reads, at most; each question has a relation of its own."""
    left, in_vain = batch.pairs, 0
    while left and in_vain < PATIENCE:
        attacker.turn()
        pairs = list(combinations(attacker.readable(questions.ways(WAYS)), 2))
        chosen = random.sample(pairs, min(ABREAST, len(pairs), left))
        yield from chosen
        left -= len(chosen)
        in_vain = 0 if chosen else in_vain + 1


_Opening = Callable[[str, Sequence[Sequence[str]]], OpenDatabases]

_READ_ON = 4
"""On one of so many databases each text is compared with its reading."""

_ASKED = (Rows.LIST, Rows.BAG, Rows.BAG, Rows.SET)
"""The relations that are asked about, each as often as it stands here."""


@dataclass(frozen=True, slots=True)
class _Place:
    """One of several open databases, the statements that fill it, and settings."""

    number: int
    rows: Sequence[str]
    settings: Mapping[str, str]


def _settings_of(verdict: Equivalent) -> dict[str, str]:
    facts = (fact for fact in verdict.facts if fact.kind is FactKind.SETTING)
    return {fact.columns[0]: fact.expression for fact in facts}


class OwnWordsAttacker(Attacker):
    """Asks about pairs, and keeps what is proved until all of it is attacked.

    Args:
        engine: reads queries; its proving tiers are asked.
        seed: of what is drawn at random.
        asking: how much is asked and tried.
        world: the schema, in the dialect's words.
        words: these words.
    """

    def __init__(self, engine: Engine, seed: int, asking: Asking, world: DrawnWorld, words: Words) -> None:
        super().__init__(engine, seed, asking)
        self._world, self._words, self._choices = world, words, Random(seed)
        self._claimed: list[_Claim] = []
        self._texts: dict[str, Query] = {}
        self.turn()

    def turn(self) -> None:
        """Draw the relation that is asked about from now on."""
        self._relation = Relation(self._choices.choice(_ASKED), Columns.ORDERED)

    def is_read(self, query: Query) -> bool:
        """Whether provers can be asked about a query, perhaps with symbols for what depends on settings."""
        return query.tree is not None or (bool(self._asking.settings) and query.with_symbols is not None)

    def relation(self) -> Relation:
        """The relation that is asked about first."""
        return self._relation

    def paired(self, pred: Query, gold: Query) -> tuple[Query, Query]:
        """Both queries, as the engine compares them: values of types that have none in common apart."""
        return told_apart_by_types(pred, gold, self._relation, alike=False)

    def readable(self, texts: Sequence[str]) -> list[str]:
        """The texts that have a tree; the others are counted."""
        found = {}
        for text in texts:
            query = self._engine.read(text)
            if isinstance(query, Query) and self.is_read(query):
                found[text] = query
        self._texts |= found
        self.found.unread += len(texts) - len(found)
        return list(found)

    def _attack(self, name: str, pair: Pair, tiers: list[Settler]) -> None:
        self._claimed.append(_Claim(name, pair, tuple(tiers)))

    def note(self, verdict: Verdict) -> None:
        """Keep what the whole engine proves, to be tried under drawn settings."""
        if not self._asking.settings or not isinstance(verdict, Equivalent):
            return
        pred, gold = map(self._engine.read, verdict.queries or ())
        if isinstance(pred, Query) and isinstance(gold, Query):
            pair = self._engine.pair(*self.paired(pred, gold), verdict.relation)
            self._claimed.append(_Claim("the whole engine", pair, (), _settings_of(verdict)))

    def attack(self) -> None:
        """Attack what has been proved on random databases of the world.

        On some of them the result of each text is compared with the result of its reading.  Where settings
        are drawn, the queries run under these instead.
        """
        if self._asking.settings and self._words.databases is not None:
            self._attack_under_settings(self._words.databases)
            return
        claims = [claim for claim in self._claimed if not self._is_refuted(claim)]
        schema, facts = self._engine.schema, self._engine.facts
        plans = {query: AnswerPlan(query, schema, facts) for query in self._texts.values()}
        self._claimed, self._texts = [], {}
        for number in range(self._asking.effort):
            readings = plans if number % _READ_ON == 0 else {}
            if claims or readings:
                self._attack_on(self._world.rows(self._choices), claims, readings)

    def _attack_under_settings(self, opening: _Opening) -> None:
        """Try each proof on databases of the world under settings that it does not name."""
        groups: dict[tuple[tuple[str, str], ...], list[_Claim]] = {}
        for claim in filter(None, map(self._with_settings, self._claimed)):
            groups.setdefault(tuple(sorted(claim.settings.items())), []).append(claim)
        self._claimed, self._texts = [], {}
        filled = [self._world.rows(self._choices) for _ in range(self._asking.effort)]
        with closing(opening(self._world.ddl, filled)) as opened:
            for number, rows in enumerate(filled):
                for _ in range(self._asking.settings):
                    drawn = {name: self._choices.choice(each) for name, each in opened.settings.items()}
                    for named, claims in groups.items():
                        at = _Place(number, rows, {**drawn, **dict(named)})
                        self._try(claims, opened, at)
                self.found.databases += sum(map(len, groups.values()))

    def _with_settings(self, claim: _Claim) -> _Claim | None:
        """A claim with the settings that it names; None if it depends on one that nobody states."""
        if not claim.tiers:
            return claim
        verdict = decide(claim.pair, claim.tiers[:1], 0)
        if isinstance(verdict, Equivalent):
            verdict = resting_on_settings(verdict, claim.pair)
        if isinstance(verdict, Equivalent):
            return replace(claim, settings=_settings_of(verdict))
        self.found.hanging += 1
        return None

    def _try(self, claims: list[_Claim], opened: OpenDatabases, at: _Place) -> None:
        """Take away the claims that a database refutes under settings; each is told."""
        texts = list(dict.fromkeys(q.sql for claim in claims for q in (claim.pair.pred, claim.pair.gold)))
        answers = dict(zip(texts, opened.rows(at.number, at.settings, texts), strict=True))
        self.found.under_settings += len(claims)
        for claim in tuple(claims):
            pred, gold = answers[claim.pair.pred.sql], answers[claim.pair.gold.sql]
            if pred is None or gold is None or are_same(claim.pair, pred, gold):
                continue
            if self._is_chosen(claim.pair, opened, at):
                continue
            claims.remove(claim)
            self._tell(claim, self._fewest_settings(claim, opened, at))

    def _is_chosen(self, pair: Pair, opened: OpenDatabases, at: _Place) -> bool:
        """Whether a free choice or rounding explains that two answers part.

        One query then answers otherwise where the same rows were inserted in another order; or the core,
        which knows what is free, says so under the settings that it knows.
        """
        texts = pair.pred.sql, pair.gold.sql
        turned = opened.rows(at.number + self._asking.effort, at.settings, texts)
        for query, one, other in zip(
            (pair.pred, pair.gold), opened.rows(at.number, at.settings, texts), turned, strict=True
        ):
            if (
                one is None
                or other is None
                or not are_same(replace(pair, pred=query, gold=query), one, other)
            ):
                return True
        own = {name: values[0] for name, values in self._words.settings.items()}
        pred, gold = opened.rows(at.number, {**at.settings, **own}, texts)
        if pred is None or gold is None or are_same(pair, pred, gold):
            return False
        engine = dialect_of(self._engine.schema).engine
        rows = kept_rows(self._world, at.rows, engine)
        with engine.replay(script(self._world, rows)) as session:
            return AskedText(session).parted(pair) is None

    def _fewest_settings(self, claim: _Claim, opened: OpenDatabases, at: _Place) -> Parting:
        """The database on which answers part, with the settings that the difference needs."""
        pair, found, settings = claim.pair, None, dict(at.settings)
        texts = pair.pred.sql, pair.gold.sql
        for name in (*self._words.settings, ""):
            fewer = {**settings, **({name: self._words.settings[name][0]} if name else {})}
            if name in claim.settings:
                continue
            pred, gold = opened.rows(at.number, fewer, texts)
            if pred is not None and gold is not None and not are_same(pair, pred, gold):
                settings, found = fewer, (tuple(pred), tuple(gold))
        needed = (
            f"SET {name} = '{value}';"
            for name, value in settings.items()
            if value != self._words.settings.get(name, ("",))[0] or name in claim.settings
        )
        return Parting("\n".join((*needed, script(self._world, at.rows))), found or ((), ()))

    def _is_refuted(self, claim: _Claim) -> bool:
        """Whether a database that is made for the pair refutes a claim; it is told then."""
        self.found.databases += self._asking.effort
        outcome = self._generator.settle(claim.pair, self._asking.effort)
        if not isinstance(outcome, Refuted) or not isinstance(outcome.evidence, Witness):
            return False
        shown = outcome.evidence
        self._tell(claim, Parting(shown.sql, (shown.pred_rows, shown.gold_rows)))
        return True

    def _attack_on(self, drawn: Sequence[str], claims: list[_Claim], plans: dict[Query, AnswerPlan]) -> None:
        """Take away the claims and readings that a database of the world refutes; each is told."""
        engine = dialect_of(self._engine.schema).engine
        rows = kept_rows(self._world, drawn, engine)
        self.found.databases += len(claims)
        self.found.readings += len(plans)
        with engine.replay(script(self._world, rows)) as session:
            asked = AskedText(session)
            fallen = [(claim, found) for claim in claims if (found := asked.parted(claim.pair))]
            misread = [(query, found) for query in plans if (found := asked.misread(query, plans[query]))]
        for claim, answers in fallen:
            claims.remove(claim)
            trial = partial(AskedText.parted, pair=claim.pair)
            self._tell(claim, shrunk(trial, self._world, rows, engine, answers))
        for query, answers in misread:
            trial = partial(AskedText.misread, query=query, plan=plans.pop(query))
            shown = shrunk(trial, self._world, rows, engine, answers)
            self.found.crashed.append(_misreading(query, self._engine, shown))

    def _tell(self, claim: _Claim, found: Parting) -> None:
        self.found.broken.append(_golden_file(claim, found))
        self.found.scripts.append(_replayable(claim, found))


@dataclass(frozen=True, slots=True)
class _Claim:
    """A pair that tiers prove under its relation."""

    name: str
    pair: Pair
    tiers: tuple[Settler, ...]
    """Those that prove it; none: the whole engine does."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """Those that the claim names, each with its value."""

    @property
    def told(self) -> str:
        """The sentence that a finding begins with."""
        by = ", ".join(str(tier.tier) for tier in self.tiers) or "the engine"
        return f"{self.name}: {by} proves a pair under {self.pair.relation} that a database refutes"


def _golden_file(claim: _Claim, found: Parting) -> str:
    """A broken proof as the golden file that it becomes before it is mended."""
    pair = claim.pair
    rows = (line for line in found.script.splitlines() if line.startswith(("INSERT", "SET")))
    pred, gold = map(_shown, found.rows)
    named = (f"it names {name} = {value!r}" for name, value in claim.settings.items())
    lines = (
        *(f"# {line}" for line in (claim.told, *named, *rows, f"prediction: {pred}", f"gold: {gold}")),
        *case_of(pair.schema, pair.facts, pair.relation.rows, (pair.pred.sql, pair.gold.sql)),
        "----",
        "not_equivalent",
    )
    return "\n".join(lines)


def _replayable(claim: _Claim, found: Parting) -> str:
    """The database and both queries, each with its answer, as a script of the dialect's own program."""
    queries = (claim.pair.pred.sql, claim.pair.gold.sql)
    asked = (f"-- {_shown(rows)}\n{sql};" for sql, rows in zip(queries, found.rows, strict=True))
    return "\n".join((f"-- {claim.told}", found.script.rstrip(), *asked))


def _misreading(query: Query, engine: Engine, found: Parting) -> str:
    """A text that the core answers otherwise, with the database, both answers and the core's text."""
    rows = (line for line in found.script.splitlines() if line.startswith("INSERT"))
    theirs, ours = map(_shown, found.rows)
    head = (
        "the core gives another answer",
        *rows,
        f"engine: {theirs}",
        f"core: {ours}",
        f"core: {query.core_sql}",
    )
    return error_file("\n".join(head), engine, Rows.BAG, (query.sql, query.sql))


def _shown(rows: Sequence[Row]) -> str:
    return ", ".join(map(repr, rows)) or "no rows"
