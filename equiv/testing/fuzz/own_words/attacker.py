"""Attacks on proofs and readings in a dialect's words: texts run on its engine, on databases of a world."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from random import Random

from equiv.answers.answers import Plan
from equiv.answers.pair import Pair
from equiv.core.query import Query
from equiv.dialects.questions.words import OpenDatabases, Words
from equiv.dialects.registry import dialect_of
from equiv.engine.driver import decide
from equiv.engine.engine import Engine
from equiv.engine.families import told_apart_by_types
from equiv.engine.granted import resting_on_settings
from equiv.facts import FactKind
from equiv.relation import Columns, Relation, Rows
from equiv.testing.fuzz.attacker import Asking, Attacker
from equiv.testing.fuzz.own_words.databases import Asked, Parting, are_same, kept_rows, script, shrunk
from equiv.testing.fuzz.own_words.finding import Claim, golden_file, misreading, replayable
from equiv.testing.fuzz.own_words.worlds import World
from equiv.tiers.outcome import Refuted, Settler
from equiv.verdict import Equivalent, Verdict, Witness

Opening = Callable[[str, Sequence[Sequence[str]]], OpenDatabases]

READ_ON = 4
"""On one of so many databases each text is held against its reading."""

ASKED = (Rows.LIST, Rows.BAG, Rows.BAG, Rows.SET)
"""The relations that are asked about, each as often as it stands here."""


@dataclass(frozen=True, slots=True)
class Place:
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

    def __init__(self, engine: Engine, seed: int, asking: Asking, world: World, words: Words) -> None:
        super().__init__(engine, seed, asking)
        self._world, self._words, self._choices = world, words, Random(seed)
        self._claimed: list[Claim] = []
        self._texts: dict[str, Query] = {}
        self.turn()

    def turn(self) -> None:
        """Draw the relation that is asked about from now on."""
        self._relation = Relation(self._choices.choice(ASKED), Columns.ORDERED)

    def is_read(self, query: Query) -> bool:
        """Whether the provers can be asked about a query, perhaps with symbols for what hangs on settings."""
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
        self._claimed.append(Claim(name, pair, tuple(tiers)))

    def note(self, verdict: Verdict) -> None:
        """Keep what the whole engine proves, to be tried under drawn settings."""
        if not self._asking.settings or not isinstance(verdict, Equivalent):
            return
        pred, gold = map(self._engine.read, verdict.queries or ())
        if isinstance(pred, Query) and isinstance(gold, Query):
            pair = self._engine.pair(*self.paired(pred, gold), verdict.relation)
            self._claimed.append(Claim("the whole engine", pair, (), _settings_of(verdict)))

    def attack(self) -> None:
        """Attack what has been proved: by databases made for each pair, and by as many of the world.

        On some of the latter whatever was read is held against its reading.  Where settings are drawn, the
        latter are asked under these instead.
        """
        if self._asking.settings and self._words.databases is not None:
            self._attack_under_settings(self._words.databases)
            return
        claims = [claim for claim in self._claimed if not self._is_refuted(claim)]
        schema, facts = self._engine.schema, self._engine.facts
        plans = {query: Plan(query, schema, facts) for query in self._texts.values()}
        self._claimed, self._texts = [], {}
        for number in range(self._asking.effort):
            readings = plans if number % READ_ON == 0 else {}
            if claims or readings:
                self._attack_on(self._world.rows(self._choices), claims, readings)

    def _attack_under_settings(self, opening: Opening) -> None:
        """Try each proof on databases of the world under settings that it does not name."""
        groups: dict[tuple[tuple[str, str], ...], list[Claim]] = {}
        for claim in filter(None, map(self._with_settings, self._claimed)):
            groups.setdefault(tuple(sorted(claim.settings.items())), []).append(claim)
        self._claimed, self._texts = [], {}
        filled = [self._world.rows(self._choices) for _ in range(self._asking.effort)]
        with closing(opening(self._world.ddl, filled)) as opened:
            for number, rows in enumerate(filled):
                for _ in range(self._asking.settings):
                    drawn = {name: self._choices.choice(each) for name, each in opened.settings.items()}
                    for named, claims in groups.items():
                        at = Place(number, rows, {**drawn, **dict(named)})
                        self._try(claims, opened, at)
                self.found.databases += sum(map(len, groups.values()))

    def _with_settings(self, claim: Claim) -> Claim | None:
        """A claim with the settings that it names; None if it hangs on one that nobody states."""
        if not claim.tiers:
            return claim
        verdict = decide(claim.pair, claim.tiers[:1], 0)
        if isinstance(verdict, Equivalent):
            verdict = resting_on_settings(verdict, claim.pair)
        if isinstance(verdict, Equivalent):
            return replace(claim, settings=_settings_of(verdict))
        self.found.hanging += 1
        return None

    def _try(self, claims: list[Claim], opened: OpenDatabases, at: Place) -> None:
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

    def _is_chosen(self, pair: Pair, opened: OpenDatabases, at: Place) -> bool:
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
            return Asked(session).parted(pair) is None

    def _fewest_settings(self, claim: Claim, opened: OpenDatabases, at: Place) -> Parting:
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

    def _is_refuted(self, claim: Claim) -> bool:
        """Whether a database that is made for the pair refutes a claim; it is told then."""
        self.found.databases += self._asking.effort
        outcome = self._generator.settle(claim.pair, self._asking.effort)
        if not isinstance(outcome, Refuted) or not isinstance(outcome.evidence, Witness):
            return False
        shown = outcome.evidence
        self._tell(claim, Parting(shown.sql, (shown.pred_rows, shown.gold_rows)))
        return True

    def _attack_on(self, drawn: Sequence[str], claims: list[Claim], plans: dict[Query, Plan]) -> None:
        """Take away the claims and readings that a database of the world refutes; each is told."""
        engine = dialect_of(self._engine.schema).engine
        rows = kept_rows(self._world, drawn, engine)
        self.found.databases += len(claims)
        self.found.readings += len(plans)
        with engine.replay(script(self._world, rows)) as session:
            asked = Asked(session)
            fallen = [(claim, found) for claim in claims if (found := asked.parted(claim.pair))]
            misread = [(query, found) for query in plans if (found := asked.misread(query, plans[query]))]
        for claim, answers in fallen:
            claims.remove(claim)
            trial = partial(Asked.parted, pair=claim.pair)
            self._tell(claim, shrunk(trial, self._world, rows, engine, answers))
        for query, answers in misread:
            trial = partial(Asked.misread, query=query, plan=plans.pop(query))
            shown = shrunk(trial, self._world, rows, engine, answers)
            self.found.crashed.append(misreading(query, self._engine, shown))

    def _tell(self, claim: Claim, found: Parting) -> None:
        self.found.broken.append(golden_file(claim, found))
        self.found.scripts.append(replayable(claim, found))
