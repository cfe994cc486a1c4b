"""A database on which tiers try a pair: filled with generated rows, queried, shrunk, confirmed."""

from __future__ import annotations

from collections.abc import Callable

from equiv.answers import choices as choice_functions
from equiv.answers.answers import QUICK_RUNS, Finding, find
from equiv.answers.pair import Pair
from equiv.core.model import Schema
from equiv.core.runner import Guarded, Limits, Result
from equiv.facts import FactKind, Facts
from equiv.generate.database import Arena, Database, shrink
from equiv.schema.violations import FactChecker
from equiv.tiers.witness import Confirmed, confirm, show_results
from equiv.verdict import Witness

CAPS = Limits(seconds=1.0, rows=20_000, bytes=8 * 1024 * 1024)
"""The limits of one query on a generated database."""

SHRINK_STEPS = 250
"""How many smaller databases are tried to shrink a witness."""


class Bench:
    """One database of a schema, filled in turn with what the facts in force allow.

    Attributes:
        arena: the database.
        choices: what makes the choices of queries that are laid open.
    """

    def __init__(self, schema: Schema, facts: Facts) -> None:
        # That tables have rows is the pair's business: see Pair.occupied.
        self._facts = FactChecker(schema, facts.without(facts.of(FactKind.NOT_EMPTY)))
        self.arena = Arena(schema)
        self.choices = choice_functions.register(self.arena.engine.connection)

    @property
    def engine(self) -> Guarded:
        """The engine on which queries run."""
        return self.arena.engine

    def close(self) -> None:
        """Close the database."""
        self.arena.close()

    def load(self, pair: Pair, database: Database) -> bool:
        """Fill the arena; False if the facts in force for a pair do not allow the database."""
        return self.arena.load(database) and self.allows(pair, database)

    def allows(self, pair: Pair, database: Database) -> bool:
        """Whether the facts in force for a pair allow the database that the arena holds."""
        if not pair.occupied <= database.tables.keys():
            return False
        return self._facts.holds(self.engine.connection)

    def find(
        self, pair: Pair, runs: int = QUICK_RUNS, results: tuple[Result | None, Result | None] = (None, None)
    ) -> Finding:
        """The finding of the database in the arena on a pair."""
        return find(
            self.engine,
            *pair.plans,
            pair.relation,
            CAPS,
            runs=runs,
            exact_arithmetic=pair.exact_arithmetic,
            no_overflow=pair.no_overflow,
            rounding_shows=pair.rounding_shows,
            results=results,
        )

    def finding(self, pair: Pair, database: Database, runs: int = QUICK_RUNS) -> Finding:
        """The finding of a database on a pair; FAILED if the facts do not allow the database."""
        return self.find(pair, runs) if self.load(pair, database) else Finding.FAILED


def smallest_witness(
    pair: Pair, database: Database, tells_apart: Callable[[Database], bool]
) -> tuple[Database, Confirmed] | None:
    """The smallest witness found below a database that tells the queries apart, if one replays."""
    small = shrink(database, tells_apart, SHRINK_STEPS)
    for candidate in (small, database):
        confirmed = confirm(pair, candidate, CAPS)
        if confirmed is not None:
            return candidate, confirmed
    return None


def smallest_shown(pair: Pair, database: Database, shows: Callable[[Database], bool]) -> Witness | None:
    """The smallest database found below one that shows a tie or rounding, with what the queries return."""
    return show_results(pair, shrink(database, shows, SHRINK_STEPS), CAPS)
