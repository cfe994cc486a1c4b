"""Schemas on which near misses are made, and where the queries come from that are missed."""

# ruff: noqa: E501 - what is assumed of a world stands on one line

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from drawing.pairs import Pairs
from drawing.rare_constructs import Corners
from drawing.tables import DDL as NASTY

from equiv.core.model import Schema
from equiv.dialects.registry import reference
from equiv.options import Options
from equiv.schema.locate import Place
from equiv.testing.fuzz.batches import SIZES
from equiv.testing.making.idioms import idioms
from equiv.testing.making.queries import Queries

TWO_TABLES = """
CREATE TABLE a (k INTEGER PRIMARY KEY, x INT, y INT, z TEXT, hard_i INT);
CREATE TABLE b (id INTEGER PRIMARY KEY, f INT REFERENCES a (k), u INT, v TEXT, hard_t TEXT);
"""
ORDERS = """
CREATE TABLE shop (id INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE, open INT CHECK (open >= 0), hard_i INT);
CREATE TABLE customer (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT, vip BOOLEAN, boss INT REFERENCES customer (id), hard_t TEXT);
CREATE TABLE orders (
  id INTEGER PRIMARY KEY, customer_id INT NOT NULL REFERENCES customer (id), shop_id INT REFERENCES shop (id),
  day DATE, total INT, rate REAL, note TEXT, hard_d DATE);
CREATE TABLE line (
  order_id INT NOT NULL REFERENCES orders (id), nr INT NOT NULL, item TEXT, qty INT NOT NULL, price REAL,
  PRIMARY KEY (order_id, nr));
CREATE TABLE returned (
  id INTEGER PRIMARY KEY, order_id INT, nr INT, why TEXT, day DATE NOT NULL, FOREIGN KEY (order_id, nr) REFERENCES line (order_id, nr));
CREATE TABLE log (x INT, y INT, t TEXT, f BOOLEAN);
"""


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


WORLDS = (
    World("two tables", TWO_TABLES, weight=6),
    World("two tables, declared", TWO_TABLES, "declared", weight=1),
    World("two tables, assumed", TWO_TABLES, assume=("not_null(a.x)", "not_null(b.f)", "unique(b.u)"), weight=2),
    World("orders", ORDERS, weight=6),
    World("orders, declared", ORDERS, "declared", weight=1),
    World("orders, strict", ORDERS, rounding="strict", weight=1),
    World(
        "orders, assumed",
        ORDERS,
        assume=("iso_date(orders.day)", "iso_date(returned.day)", "not_null(orders.shop_id)", "not_null(orders.day)", "not_null(log.x)",
                "unique(log.x)", "inclusion(log.y -> shop.id)"),
        weight=3,
    ),
    World("nasty", NASTY, weight=4),
    World("nasty, declared", NASTY, "declared", weight=1),
    World("nasty, assumed", NASTY, assume=("not_null(a.code)", "not_null(b.p_id)", "not_null(c.y)", "not_null(a.x)", "iso_date(g.day)"), weight=2),
    World("nasty, keys", NASTY, "declared",
          ("unique(a.x)", "unique(b.x)", "unique(e.x)", "not_null(a.s)", "inclusion(b.x -> a.x)", "functional(b.x -> b.s)", "inclusion(e.p -> a.y)"),
          weight=2),
)  # fmt: skip


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
