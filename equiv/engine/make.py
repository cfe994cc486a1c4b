"""The one place where rules and tiers are put together: engines as they are by default."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from equiv.verdict import PROVERS, Tier

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from equiv.answers.pair import Pair
    from equiv.core.model import Schema
    from equiv.engine.engine import Engine
    from equiv.engine.schema_facts import Ground
    from equiv.facts import Facts
    from equiv.options import Options
    from equiv.rewrite.normalise import RuleSet
    from equiv.rewrite.rule import Rule
    from equiv.tiers.outcome import Outcome, Settler


class Deferred:
    """A tier that is made, and its modules imported, when a pair first reaches it."""

    def __init__(self, tier: Tier, make: Callable[[], Settler]) -> None:
        self.tier = tier
        self._make = make
        self._made: Settler | None = None

    def settle(self, pair: Pair, effort: int) -> Outcome:
        """The outcome of the tier on a pair."""
        return self._tier_made().settle(pair, effort)

    def make_again(self, pair: Pair, effort: int) -> Outcome:
        """The outcome of the tier on a pair that it has proved from more facts."""
        from equiv.tiers.outcome import Maker

        made = self._tier_made()
        return made.make_again(pair, effort) if isinstance(made, Maker) else made.settle(pair, effort)

    def show_again(self, pair: Pair, effort: int) -> Outcome:
        """The outcome of the tier on a pair for which no stricter relation is wanted."""
        from equiv.tiers.outcome import Maker

        made = self._tier_made()
        return made.show_again(pair, effort) if isinstance(made, Maker) else made.settle(pair, effort)

    def _tier_made(self) -> Settler:
        if self._made is None:
            self._made = self._make()
        return self._made


def make_engine(schema: Schema | None, db: Path | None, options: Options) -> Engine:
    """An engine with the default rules and tiers, for use in this process.

    Raises:
        InputError: an assumed fact is malformed or names what the schema lacks.
    """
    from equiv.engine.schema_facts import ground_of

    return engine_on(ground_of(schema, db, options), db, options)


def engine_on(ground: Ground, db: Path | None, options: Options) -> Engine:
    """An engine with the default rules and tiers, for use in this process, on what was read before."""
    from equiv.engine.engine import Engine

    tiers = make_tiers(ground.schema, ground.facts, db)
    chosen = [tier for tier in tiers if tier.tier in options.tiers]
    search = None
    if options.conditions:
        from equiv.engine.conditions import ConditionSearch

        provers = [tier for tier in chosen if tier.tier in PROVERS]
        search = ConditionSearch(provers, ground.dropped, db)
    return Engine(
        ground.schema,
        ground.facts,
        ground.dropped,
        relation=options.relation,
        effort=options.databases,
        tiers=[*chosen, *_packs_tiers(options)],
        backstop=tiers,
        confirm=next(tier for tier in tiers if tier.tier is Tier.PROOF) if options.confirm else None,
        conditions=search,
        rounding_shows=options.rounding_counted == "shown",
        live_prepare=options.live_prepare,
    )


def _packs_tiers(options: Options) -> list[Settler]:
    """The tier of the rule packs that the options name; none if they name none."""
    if not options.rules:
        return []
    from equiv.packs.pack import load_packs
    from equiv.packs.tier import PacksTier
    from equiv.rules import RULES
    from equiv.tiers.proof import prove_alone

    return [PacksTier(RULES, load_packs(options.rules), prove_alone)]


def import_first_tiers() -> None:
    """Import ahead what every pair needs: the engine and the tiers that come first."""
    from equiv import rules  # noqa: F401


def esm_plus_rules(disabled: Collection[int], more: Collection[str] = ()) -> RuleSet:
    """The rules that do what Table 1 of ESM+ lists, less those whose numbers are switched off.

    Args:
        disabled: numbers of that table.
        more: names of further rules.
    """
    from equiv.rewrite.normalise import RuleSet
    from equiv.rules import RULES
    from equiv.rules.esm_plus import READING

    named = {*READING, *more}
    return RuleSet(r for r in RULES if r.name in named or (r.esm_plus and r.esm_plus not in disabled))


def all_rules() -> tuple[Rule, ...]:
    """The rewrite rules of the default engine, in firing order."""
    from equiv.rules import RULES

    return RULES


def make_tiers(schema: Schema, facts: Facts, db: Path | None) -> list[Settler]:
    """The default tiers after ``parse``, in the order in which they are tried."""
    from equiv.rewrite.normalise import RuleSet
    from equiv.rules import RULES
    from equiv.tiers.generate import GenerateTier
    from equiv.tiers.rules import RulesTier

    def of_data(db: Path) -> Settler:
        from equiv.tiers.data import DataTier

        return DataTier(db)

    def make_proof() -> Settler:
        from equiv.tiers.proof import ProofTier, Trial

        return ProofTier(Trial())

    def make_fragment() -> Settler:
        from equiv.tiers.search import FragmentTier

        return FragmentTier(schema, facts)

    def make_search() -> Settler:
        from equiv.tiers.search import SearchTier

        return SearchTier(schema, facts)

    return [
        RulesTier(RuleSet(RULES)),
        *([of_data(db)] if db is not None else []),
        GenerateTier(schema, facts),
        Deferred(Tier.PROOF, make_proof),
        Deferred(Tier.FRAGMENT, make_fragment),
        Deferred(Tier.SEARCH, make_search),
    ]
