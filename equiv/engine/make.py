"""The one place where rules and tiers are put together: default engines, on the facts of a schema.

The ground of an engine is the schema of one database with the facts in force, and the facts that its data
break.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from equiv.core.model import Schema
from equiv.core.runner import RunnerError
from equiv.dialects.crossing.dialect import across, sides_of
from equiv.dialects.crossing.sides import FORMS, given_of, given_side
from equiv.dialects.protocol import UsersDatabase
from equiv.dialects.registry import dialect_named, dialect_of
from equiv.errors import InputError, about
from equiv.facts import Fact, FactKind, Facts, Grade
from equiv.options import Options
from equiv.schema.policy import facts_for, parse_fact
from equiv.schema.violations import broken_in, facts_in
from equiv.verdict import PROVERS, Tier

if TYPE_CHECKING:
    from equiv.engine.pipeline import Engine
    from equiv.rewrite.normalise import RuleSet
    from equiv.rewrite.rule import Rule
    from equiv.tiers.outcome import Settler


@dataclass(frozen=True)
class Ground:
    """A schema with its facts."""

    schema: Schema
    facts: Facts
    """In force."""
    dropped: tuple[Fact, ...] = ()
    """Given up, because the populated database violates them."""


def ground_of(schema: Schema | None, db: Path | None, options: Options) -> Ground:
    """The ground that a schema, a populated database or both make under some options.

    Raises:
        InputError: the database cannot be read, or an assumed fact is malformed or names what the
            schema lacks.
    """
    dialect = dialect_named(options.pair_dialect)
    if schema is None:
        assert db is not None
        schema = dialect.loader.read_database(db)
    schema = across(schema, dialect)
    if sides_of(dialect_of(schema)) != sides_of(dialect):
        raise InputError(f"the schema has the dialect {schema.dialect}, not {dialect.name}")
    if options.given_dialect and schema.foreign:
        raise InputError(f"the schema is not in the dialect {options.given_dialect}: {schema.foreign}")

    def facts_on(schema: Schema, observed: tuple[Fact, ...]) -> Facts:
        return facts_for(
            schema,
            options.facts,
            [*(parse_fact(text, schema) for text in options.assume), *_freshness(schema, options)],
            observed,
            rounding=options.rounding_counted,
            errors=options.errors,
        )

    if db is None:
        facts = facts_on(schema, ())
        return Ground(schema.under(facts), facts)
    try:
        with dialect.engine.open(db) as opened:
            if isinstance(opened, UsersDatabase):
                schema = _where_asked(schema, opened.schema)
            data, own = given_side(opened), given_of(schema)
            facts = facts_on(schema, facts_in(data, own) if options.facts == "observed" else ())
            dropped = tuple(each for each in broken_in(data, own, facts) if not _is_stored(each, schema))
    except (OSError, RunnerError) as error:
        raise InputError(about(db, str(error))) from None
    except ValueError as error:
        raise InputError(str(error)) from None
    kept = facts.without(dropped)
    return Ground(schema.under(kept), kept, dropped)


def _freshness(schema: Schema, options: Options) -> Iterator[Fact]:
    """The facts that options assume of materialised views; none of pairs across dialects."""
    if options.matviews == "fresh" and not schema.sides:
        stored = (view.name for view in schema.native_views if view.stored)
        yield from (Fact(FactKind.FRESH, Grade.ASSUMED, name) for name in stored)


def _where_asked(schema: Schema, found: Schema) -> Schema:
    """A schema as the session of a populated database takes it, of which that says more, and other settings.

    Raises:
        InputError: both state a setting, and not the same value.
    """
    stated = dict(schema.settings)
    for name, value in found.settings:
        if stated.setdefault(name, value) != value:
            known = f"{name} = {stated[name]!r}, and the session of the database {value!r}"
            raise InputError(f"the schema says {known}: connect with that, or leave it out of the schema")
    there = ((table, found.table(table.name)) for table in schema.tables)
    # The functions of the database are not made where a schema of its own is.
    others = () if schema.native == found.native else found.functions
    own = (name.rpartition(".")[2] for name, _ in others)
    tables = (table if known is None else table.marked_as(known) for table, known in there)
    return replace(
        schema,
        tables=tuple(tables),
        settings=tuple(sorted(stated.items())),
        path=found.path,
        hiding=tuple(dict.fromkeys((*schema.hiding, *found.hiding, *own))),
    )


def _is_stored(fact: Fact, schema: Schema) -> bool:
    """Whether a fact is one that an engine of a pair across dialects enforces, whatever the data break."""
    return bool(schema.sides) and fact.kind in (*FORMS, FactKind.NOT_NULL, FactKind.UNIQUE)


def make_engine(schema: Schema | None, db: Path | None, options: Options) -> Engine:
    """An engine with the default rules and tiers, for use in this process.

    Raises:
        InputError: an assumed fact is malformed or names what the schema lacks.
    """
    return engine_on(ground_of(schema, db, options), db, options)


def engine_on(ground: Ground, db: Path | None, options: Options) -> Engine:
    """An engine with the default rules and tiers, for use in this process, on what was read before."""
    from equiv.engine.pipeline import Engine

    tiers = make_tiers(ground.schema, ground.facts, db)
    chosen = [tier for tier in tiers if tier.tier in options.tiers]
    conditions = None
    if options.conditions:
        from equiv.engine.conditions import ConditionSearch

        provers = [tier for tier in chosen if tier.tier in PROVERS]
        conditions = ConditionSearch(provers, ground.dropped, db).find
    return Engine(
        ground.schema,
        ground.facts,
        ground.dropped,
        relation=options.relation,
        effort=options.databases,
        tiers=[*chosen, *_packs_tiers(options)],
        refuters=tiers,
        confirm=next(tier for tier in tiers if tier.tier is Tier.PROOF) if options.confirm else None,
        conditions=conditions,
        rounding_shows=options.rounding_counted == "shown",
        live_prepare=options.live_prepare,
    )


def _packs_tiers(options: Options) -> list[Settler]:
    """The tier of the rule packs that the options name; none if they name none."""
    if not options.rules:
        return []
    from equiv.packs import PacksTier, load_packs
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
    from equiv.engine.pipeline import stages
    from equiv.rewrite.normalise import RuleSet
    from equiv.rules import RULES

    return stages(RuleSet(RULES), schema, facts, db)
