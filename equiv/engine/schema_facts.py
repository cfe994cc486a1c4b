"""The schema of one database with the facts in force, and the facts that its data break."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from equiv.core.model import Schema
from equiv.core.runner import RunnerError
from equiv.dialects.crossing.dialect import across, sides_of
from equiv.dialects.crossing.sides import FORMS, given_of, given_side
from equiv.dialects.protocol import FactSource, Session, UsersDatabase
from equiv.dialects.registry import dialect_named, dialect_of
from equiv.errors import InputError
from equiv.facts import Fact, FactKind, Facts, Grade
from equiv.options import Options
from equiv.schema.notation import parse_fact
from equiv.schema.observed import mine
from equiv.schema.policy import facts_for
from equiv.schema.violations import violated


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
        raise InputError(f"the schema is of the dialect {schema.dialect}, not {dialect.name}")
    if options.given_dialect and schema.foreign:
        raise InputError(f"the schema is not of the dialect {options.given_dialect}: {schema.foreign}")

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
            facts = facts_on(schema, _mined(data, own) if options.facts == "observed" else ())
            dropped = tuple(each for each in _violated(data, own, facts) if not _is_stored(each, schema))
    except (OSError, RunnerError) as error:
        raise InputError(f"{db}: {error}") from None
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
            raise InputError(f"the schema says {known}: sign in with one, or leave it out of the schema")
    there = ((table, found.table(table.name)) for table in schema.tables)
    tables = (table if known is None else table.marked_as(known) for table, known in there)
    return replace(
        schema,
        tables=tuple(tables),
        settings=tuple(sorted(stated.items())),
        path=found.path,
        hiding=tuple(dict.fromkeys((*schema.hiding, *found.hiding))),
    )


def _is_stored(fact: Fact, schema: Schema) -> bool:
    """Whether a fact is one that an engine of a pair across dialects enforces, whatever the data break."""
    return bool(schema.sides) and fact.kind in (*FORMS, FactKind.NOT_NULL, FactKind.UNIQUE)


def _mined(data: Session, schema: Schema) -> tuple[Fact, ...]:
    return data.observed(schema) if isinstance(data, FactSource) else mine(data.core.connection, schema)


def _violated(data: Session, schema: Schema, facts: Facts) -> tuple[Fact, ...]:
    if isinstance(data, FactSource):
        return data.violated(schema, facts)
    return violated(data.core.connection, schema, facts)
