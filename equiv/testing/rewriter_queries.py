"""Queries drawn for one rewriter: many traps of textbook rewrites, and more of the kind that it changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from random import Random

from sqlglot import exp

from equiv.core.model import Schema, Table
from equiv.core.printing import to_sql
from equiv.testing.features import Features, uses_only
from equiv.testing.making.columns import kind_of
from equiv.testing.making.equivalent_texts import disguised
from equiv.testing.making.mutants import drawn_mutants
from equiv.testing.making.queries import SIZES, Queries
from equiv.testing.making.reductions import smaller_queries
from equiv.testing.making.traps import Trap, Traps, weight_of
from equiv.testing.making.visible_columns import tables_of
from equiv.testing.schema_facts import ground_of

TRAPS_SHARE, LATER_SHARE = 0.9, 0.5
"""The share of traps among queries that are no variants, until each trap has been set once, and then."""
STRAY = 0.3
"""The share of traps among queries that are drawn for no rewriter."""
DRESSED = 0.2
"""The share of traps that stand within another query, or have their tables in one."""
VARIANTS_SHARE = 0.5
"""The share of variants of changed queries, as long as there are any to make."""
VARIANTS = 8
"""How many variants one query has at most: what is changed in it may not matter there."""
FILLED_ANEW = 0.6
"""The share of variants of a trap that are the same one on other columns."""
OFTEN = 0.25
"""A rewriter that changes more than this share of the queries drawn needs no variants of them."""
TRIES = 20
"""How often a query is drawn for each that is asked for: it may be none, or known."""
SMALLER = 40
"""Among how many smaller queries one is chosen."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A query that was drawn."""

    sql: str
    trap: Trap | None = None
    """The trap that it is made of, if it is one."""


@dataclass
class AimedQueries:
    """So many different queries on a schema; fewer if there are no more.

    They depend on the seed and on which of them were :meth:`learnt` to be changed, on nothing else.
    """

    schema: Schema
    features: Features
    number: int
    seed: int
    _deck: list[Trap] = field(default_factory=list)
    """The traps that are still to come in this round."""
    _rounds: int = 0
    """How often all traps have been laid out."""
    _fresh: int = 0
    """How many queries are no variants."""
    _hits: int = 0
    """How many of these were changed."""
    _bases: list[Drawing] = field(default_factory=list)
    """These, once for each variant that is still to be made of them."""
    _last: tuple[Drawing, bool] = field(init=False)
    """The last one, and whether it is fresh."""

    def __iter__(self) -> Iterator[str]:
        seen: set[str] = set()
        for draw in range(self.number * TRIES):
            random = Random(f"{self.seed} {draw}")
            is_fresh = not self._wants_variant() or random.random() >= VARIANTS_SHARE
            drawn = self._drawn(random) if is_fresh else self._variant(random)
            if drawn.sql in seen or not self._is_allowed(drawn.sql):
                continue
            seen.add(drawn.sql)
            self._last = drawn, is_fresh
            self._fresh += is_fresh
            yield drawn.sql
            if len(seen) == self.number:
                return

    def learnt(self, *, is_changed: bool) -> None:
        """Take note of whether the last query was changed."""
        drawn, is_fresh = self._last
        if is_changed and is_fresh:
            self._hits += 1
            self._bases += [drawn] * VARIANTS

    def _wants_variant(self) -> bool:
        return bool(self._bases) and self._hits <= OFTEN * self._fresh

    def _is_allowed(self, sql: str) -> bool:
        return uses_only(sql, self.features) and ground_of(self.schema).can_be_prepared(sql)

    def _drawn(self, random: Random) -> Drawing:
        """A trap, one after the other, or a query of any shape."""
        if random.random() < (LATER_SHARE if self._rounds > 1 else TRAPS_SHARE):
            if not self._deck:
                self._deck = Traps(random, self.schema, self.features).shuffled()
                self._rounds += 1
            if self._deck:
                drawn = self._filled(random, self._deck.pop(0))
                is_dressed = random.random() < DRESSED
                return replace(drawn, sql=disguised(drawn.sql, random)) if is_dressed else drawn
        return Drawing(Queries(random, self.schema, random.choice(SIZES), self.features).query())

    def _filled(self, random: Random, trap: Trap) -> Drawing:
        return Drawing(Traps(random, self.schema, self.features).query(trap), trap)

    def _variant(self, random: Random) -> Drawing:
        """A query like one that was changed."""
        base = self._bases.pop(random.randrange(len(self._bases)))
        if base.trap is not None and random.random() < FILLED_ANEW:
            return self._filled(random, base.trap)
        makers: tuple[Callable[[], str], ...] = (
            lambda: self._mutant(base.sql, random),
            lambda: self._with_other_columns(base.sql, random),
            lambda: random.choice([base.sql, *islice(smaller_queries(base.sql), SMALLER)]),
        )
        return Drawing(random.choice(makers)(), base.trap)

    def _mutant(self, sql: str, random: Random) -> str:
        tree = ground_of(self.schema).tree(sql)
        return next(drawn_mutants(tree, self.schema, random, 1), sql) if tree is not None else sql

    def _with_other_columns(self, sql: str, random: Random) -> str:
        """The query with columns that may be NULL in the place of some of its columns."""
        tree = ground_of(self.schema).tree(sql)
        if tree is None:
            return sql
        changed = tree.copy()
        for select in changed.find_all(exp.Select):
            for table, alias in tables_of(select, self.schema):
                _exchange(select, alias, table, random)
        return to_sql(changed)


def _exchange(select: exp.Select, alias: str, table: Table, random: Random) -> None:
    """Put another column of its kind in the place of a column of a table; more often one that may be NULL."""
    read = [column for column in select.find_all(exp.Column) if column.text("table") == alias]
    names = sorted({column.name for column in read})
    old = table.column(random.choice(names)) if names else None
    if old is None:
        return
    alike = [
        each for each in table.columns if kind_of(each) == kind_of(old) for _ in range(weight_of(table, each))
    ]
    new = random.choice(alike).name
    for column in read:
        if column.name == old.name:
            column.set("this", exp.to_identifier(new))


def drawn_query(random: Random, schema: Schema, features: Features) -> str:
    """A query of any shape, or now and then a trap; it may use more than the features."""
    if random.random() < STRAY and (sorts := Traps(random, schema, features).sorts()):
        return Traps(random, schema, features).query(random.choice(random.choice(sorts)))
    return Queries(random, schema, random.choice(SIZES), features).query()
