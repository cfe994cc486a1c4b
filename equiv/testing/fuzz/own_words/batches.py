"""Batches of random pairs in a dialect's words, on one schema each, and what comes of asking about one."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import astuple, dataclass, replace
from itertools import combinations, count
from random import Random
from time import process_time
from typing import Any

from equiv.dialects.protocol import Dialect
from equiv.dialects.questions.words import Words
from equiv.dialects.registry import dialect_named
from equiv.engine.make import make_engine
from equiv.errors import InputError
from equiv.options import Options
from equiv.testing.fuzz.attacker import Asking
from equiv.testing.fuzz.batches import code_digest
from equiv.testing.fuzz.own_words.attacker import OwnWordsAttacker
from equiv.testing.fuzz.own_words.drawing import HANGING, Questions
from equiv.testing.fuzz.own_words.worlds import world

PAIRS = 200
"""How many pairs a batch has at most."""

WAYS = 8
"""How many ways of one question stand beside each other."""

ABREAST = 28
"""How many of their pairs are asked about."""

KNOWN = 0.6
"""The share of settings that are stated or assumed, where any are."""

POLICIES = ("intended", "intended", "declared")
"""The fact policies where settings are drawn, each as often as it stands here."""

PATIENCE = 100
"""After so many questions in a row of which no two ways are read a batch ends."""


@dataclass(frozen=True, slots=True)
class Batch:
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


def batches(dialect: str, seed: int, asking: Asking, pairs: int | None) -> Iterator[Batch]:
    """The batches of a seed with so many pairs in all; None: endless."""
    starts = count(0, PAIRS) if pairs is None else range(0, pairs, PAIRS)
    for number, start in enumerate(starts):
        yield Batch(dialect, seed, number, asking, PAIRS if pairs is None else min(PAIRS, pairs - start))


def words_of(dialect: str) -> Words:
    """The words of a dialect whose engine is installed.

    Raises:
        InputError: there are none, or it is not.
    """
    found = dialect_named(dialect)
    if found.words is None:
        raise InputError(f"{found.title} has no words to draw questions from")
    found.engine.version  # noqa: B018 - whether it is installed
    return found.words()


def attacked(batch: Batch) -> dict[str, Any]:
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
        questions = Questions(words, random, HANGING if draws else 0.0)
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
    batch: Batch, attacker: OwnWordsAttacker, questions: Questions, random: Random
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
