"""A pair in the algebra alone, to be looked at: no verdict comes of it."""

from __future__ import annotations

from contextlib import closing

from equiv.algebra.world import RewriteStep
from equiv.answers.pair import Pair
from equiv.core.query import Query, UnsupportedError
from equiv.engine.engine import Engine
from equiv.engine.make import ground_of
from equiv.options import Options
from equiv.relation import resolve_relation
from equiv.schema.locate import Place
from equiv.tiers.proof import normalised


def algebra_steps(
    pred_sql: str, gold_sql: str, place: Place, options: Options
) -> tuple[tuple[RewriteStep, ...], tuple[RewriteStep, ...]] | None:
    """The steps by which the algebra normalises two queries; None if one is outside what it models."""
    ground = ground_of(place.schema, place.database, options)
    with closing(Engine(ground.schema, ground.facts, (), relation="bag", effort=0, tiers=())) as engine:
        pred, gold = engine.read(pred_sql), engine.read(gold_sql, gold=True)
        if not isinstance(pred, Query) or not isinstance(gold, Query):
            return None
        relation = resolve_relation(options.relation, gold_orders=gold.orders)
        try:
            return normalised(Pair(pred, gold, engine.schema, engine.facts, relation))
        except UnsupportedError:
            return None
