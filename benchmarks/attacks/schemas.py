"""Schemas on which near misses are made, and where the queries come from that are missed."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from drawing.pairs import Pairs
from drawing.rare_constructs import Corners
from drawing.tables import DDL as NASTY

from equiv.core.model import Schema
from equiv.dialects.registry import reference
from equiv.options import Options
from equiv.schema.locate import Place
from equiv.testing.fuzz.batches import SIZES
from equiv.testing.making.queries import Queries
from equiv.testing.making.texts import idioms

_KNOWN = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_SCHEMAS = {**_KNOWN["schemas"], "nasty": NASTY}


@dataclass(frozen=True)
class World:
    """A schema with facts, and where its queries come from."""

    name: str
    ddl: str
    facts: str = "intended"
    assume: tuple[str, ...] = ()
    rounding: str = ""
    weight: int = 1
    """How often it is drawn."""

    @property
    def schema(self) -> Schema:
        """The tables."""
        return reference().loader.read_ddl(self.ddl, self.name)

    @property
    def place(self) -> Place:
        """The schema as a place without data."""
        return Place(self.name, schema=self.schema)

    @property
    def options(self) -> Options:
        """How pairs are compared here."""
        return Options(facts=self.facts, assume=self.assume, rounding=self.rounding, timeout=None)

    @property
    def is_nasty(self) -> bool:
        """Whether the generators of the tests' random pairs know its tables."""
        return self.ddl == NASTY


def _world(known: dict[str, Any]) -> World:
    ddl = _SCHEMAS[known["name"].partition(",")[0]]
    return World(**{**known, "ddl": ddl, "assume": tuple(known.get("assume", ()))})


WORLDS = tuple(map(_world, _KNOWN["worlds"]))


def bases(world: World, schema: Schema, random: Random) -> Iterator[tuple[str, str]]:
    """Endless pairs of queries that a miss is made of: mostly one query twice, or two ways to say a thing."""
    asked = idioms(random, schema)
    while True:
        makers: list[Callable[[Random], tuple[str, str]]] = [
            lambda r: (Queries(r, schema, r.choice(SIZES)).query(),) * 2
        ] * 4
        makers += [lambda _: next(asked)] * 3
        if world.is_nasty:
            makers += [_corner, *((_ways,) * 4)]
        yield random.choice(makers)(random)


def _corner(random: Random) -> tuple[str, str]:
    sql = Corners(random).query()
    return sql, sql


def _ways(random: Random) -> tuple[str, str]:
    _, left, right = Pairs(random).pair()
    return left, right
