"""Attacks on proofs and readings in a dialect's words: texts run on its engine, on databases of a world."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from random import Random

from equiv.answers.answers import Plan
from equiv.answers.pair import Pair
from equiv.core.query import Query
from equiv.dialects.registry import dialect_of
from equiv.engine.engine import Engine
from equiv.engine.families import told_apart_by_types
from equiv.relation import Columns, Relation, Rows
from equiv.testing.fuzz.attacker import Asking, Attacker
from equiv.testing.fuzz.own_words.databases import Asked, Parting, kept_rows, script, shrunk
from equiv.testing.fuzz.own_words.finding import Claim, golden_file, misreading, replayable
from equiv.testing.fuzz.own_words.worlds import World
from equiv.tiers.outcome import Refuted, Settler
from equiv.verdict import Witness

READ_ON = 4
"""On one of so many databases each text is held against its reading."""

ASKED = (Rows.LIST, Rows.BAG, Rows.BAG, Rows.SET)
"""The relations that are asked about, each as often as it stands here."""


class OwnWordsAttacker(Attacker):
    """Asks about pairs, and keeps what is proved until all of it is attacked.

    Args:
        engine: reads queries; its proving tiers are asked.
        seed: of what is drawn at random.
        asking: how much is asked and tried.
        world: the schema, in the dialect's words.
    """

    def __init__(self, engine: Engine, seed: int, asking: Asking, world: World) -> None:
        super().__init__(engine, seed, asking)
        self._world, self._choices = world, Random(seed)
        self._claimed: list[Claim] = []
        self._texts: dict[str, Query] = {}
        self.turn()

    def turn(self) -> None:
        """Draw the relation that is asked about from now on."""
        self._relation = Relation(self._choices.choice(ASKED), Columns.ORDERED)

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
            if isinstance(query, Query) and query.tree is not None:
                found[text] = query
        self._texts |= found
        self.found.unread += len(texts) - len(found)
        return list(found)

    def _attack(self, name: str, pair: Pair, tiers: list[Settler]) -> None:
        self._claimed.append(Claim(name, pair, tuple(tiers)))

    def attack(self) -> None:
        """Attack what has been proved: by databases made for each pair, and by as many of the world.

        On some of the latter whatever was read is held against its reading.
        """
        claims = [claim for claim in self._claimed if not self._is_refuted(claim)]
        schema, facts = self._engine.schema, self._engine.facts
        plans = {query: Plan(query, schema, facts) for query in self._texts.values()}
        self._claimed, self._texts = [], {}
        for number in range(self._asking.effort):
            readings = plans if number % READ_ON == 0 else {}
            if claims or readings:
                self._attack_on(self._world.rows(self._choices), claims, readings)

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
