"""Attacks on proofs of pairs in a dialect's words: both texts run on its engine, on databases of a world."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from equiv.answers.pair import Pair
from equiv.core.query import Query
from equiv.engine.engine import Engine
from equiv.engine.families import told_apart_by_types
from equiv.relation import Columns, Relation, Rows
from equiv.testing.fuzz.attacker import Asking, Attacker
from equiv.testing.fuzz.bug_file import error_file
from equiv.testing.fuzz.own_words.databases import Asked, Parting, kept_rows, script, shrunk
from equiv.testing.fuzz.own_words.finding import Claim, golden_file, replayable
from equiv.testing.fuzz.own_words.worlds import World
from equiv.tiers.outcome import Refuted, Settler
from equiv.verdict import Witness

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
        queries = {text: self._engine.read(text) for text in texts}
        found = [text for text, query in queries.items() if isinstance(query, Query) and query.tree]
        self.found.unread += len(queries) - len(found)
        return found

    def _attack(self, name: str, pair: Pair, tiers: list[Settler]) -> None:
        self._claimed.append(Claim(name, pair, tuple(tiers)))

    def attack(self) -> None:
        """Attack what has been proved: by databases made for each pair, and by as many of the world."""
        standing = [claim for claim in self._claimed if not self._is_refuted(claim)]
        self._claimed = []
        for _ in range(self._asking.effort):
            if not standing:
                return
            self.found.databases += len(standing)
            fallen = self._fallen(standing, self._world.rows(self._choices))
            standing = [claim for claim in standing if claim not in fallen]

    def _is_refuted(self, claim: Claim) -> bool:
        """Whether a database that is made for the pair refutes a claim; it is told then."""
        self.found.databases += self._asking.effort
        outcome = self._generator.settle(claim.pair, self._asking.effort)
        if not isinstance(outcome, Refuted) or not isinstance(outcome.evidence, Witness):
            return False
        shown = outcome.evidence
        self._tell(claim, Parting(shown.sql, (shown.pred_rows, shown.gold_rows)))
        return True

    def _fallen(self, claims: list[Claim], rows: Sequence[str]) -> list[Claim]:
        """The claims that a database of the world refutes, each told with the fewest rows."""
        engine = claims[0].pair.dialect.engine
        kept = kept_rows(self._world, rows, engine)
        with engine.replay(script(self._world, kept)) as session:
            asked = Asked(session)
            fallen = [claim for claim in claims if asked.parted(claim.pair) is not None]
        for claim in fallen:
            found = shrunk(claim.pair, self._world, kept)
            if found is None:
                texts, rows = (claim.pair.pred.sql, claim.pair.gold.sql), claim.pair.relation.rows
                self.found.crashed.append(error_file(f"{claim.told}, once", self._engine, rows, texts))
            else:
                self._tell(claim, found)
        return fallen

    def _tell(self, claim: Claim, found: Parting) -> None:
        self.found.broken.append(golden_file(claim, found))
        self.found.scripts.append(replayable(claim, found))
