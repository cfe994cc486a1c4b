"""One gold query on its database, inside a worker process, with results that several checks share."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import cast

from sqlglot import exp

from equiv.answers.answers import QUICK_RUNS, Outcomes, Plan, outcomes
from equiv.core.claims.blocks import is_scalar, returns_one_row
from equiv.core.model import Context
from equiv.core.printing import to_sql
from equiv.core.query import Broken, Opaque, Query
from equiv.core.runner import Failure, Result
from equiv.dialects.protocol import Session
from equiv.engine.engine import Engine
from equiv.eval.gold.queries import GoldQuery
from equiv.tiers.data import CAPS


class QueryInDatabase:
    """A gold query to look at.

    Args:
        gold: the query.
        engine: that of its database.
        data: the given data, or None; functions of random choices are registered.
    """

    def __init__(self, gold: GoldQuery, engine: Engine, data: Session | None) -> None:
        self.gold = gold
        self.engine = engine
        self.data = data

    @cached_property
    def query(self) -> Query | Broken:
        """The gold query, read on the schema."""
        return self.engine.read(self.gold.sql)

    @property
    def tree(self) -> exp.Expression | None:
        """The resolved tree, never to be changed, if there is one."""
        return self.query.tree if isinstance(self.query, Query) else None

    @property
    def context(self) -> Context:
        """Schema and facts, for claims about the tree."""
        return Context(self.engine.schema, self.engine.facts)

    @cached_property
    def answer(self) -> Result | Failure | None:
        """The result of the gold query on the given data; None without data, or with parameters."""
        return (
            self.run(self.query.sql) if isinstance(self.query, Query) and not self.query.parameters else None
        )

    def run(self, sql: str) -> Result | Failure | None:
        """The result of a query on the given data; None without data."""
        return None if self.data is None else self.data.run(sql, CAPS)

    def rows(self, tree: exp.Expression) -> Result | None:
        """The result of a tree on the given data; None without data, or if it fails."""
        found = None if self.data is None else self.data.core.run(to_sql(tree), CAPS)
        return found if isinstance(found, Result) else None

    def possible(self, query: Query) -> Outcomes | None:
        """The possible answers of a query on the given data; None if its choices cannot be exposed."""
        if self.data is None or query.parameters or not query.is_repeatable:
            return None
        plan = Plan(query, self.engine.schema, self.engine.facts)
        found = None if plan.opaque else self._outcomes(plan)
        return found if isinstance(found, Outcomes) else None

    def _outcomes(self, plan: Plan) -> Outcomes | Failure | None:
        assert self.data is not None
        try:
            return outcomes(self.data.core, plan, CAPS, runs=QUICK_RUNS)
        except Opaque:
            return None

    @cached_property
    def answers(self) -> Outcomes | None:
        """The possible answers of the whole gold query on the given data."""
        return self.possible(self.query) if isinstance(self.query, Query) else None

    @property
    def varies(self) -> bool:
        """Whether choices below the top level were seen to change the answer on the given data."""
        return self.answers is not None and len(self.answers.seen) > 1

    @cached_property
    def cutting(self) -> tuple[tuple[Query, bool], ...]:
        """The parts with ORDER BY or LIMIT that stand by themselves, and whether each is the whole query.

        A correlated part, or one that reads a common table expression, does not stand by itself.
        """
        return tuple(
            (part, whole) for part, whole in self._parts() if _is_cut(part.tree) and not part.parameters
        )

    @cached_property
    def scalars(self) -> tuple[Query, ...]:
        """The scalar subqueries, standing by themselves, that may return several rows."""
        several = [
            node
            for node in self._nested()
            if is_scalar(node) and not returns_one_row(node) and node.args.get("limit") is None
        ]
        return tuple(query for node in several if (query := self.alone(node)) is not None)

    def alone(self, node: exp.Expression) -> Query | None:
        """A part of the tree as a query of its own, if it is one."""
        found = self.engine.read(to_sql(node.copy()))
        return found if isinstance(found, Query) and found.tree is not None else None

    def _parts(self) -> list[tuple[Query, bool]]:
        if not isinstance(self.query, Query):
            return []
        nested = [self.alone(node) for node in self._nested() if _is_cut(node)]
        return [(self.query, True), *((part, False) for part in nested if part is not None)]

    def _nested(self) -> list[exp.Expression]:
        """The queries within the query."""
        if self.tree is None:
            return []
        return [n for n in nodes_of(self.tree, exp.Select, exp.SetOperation) if n is not self.tree]


def nodes_of(tree: exp.Expression, *kinds: type[exp.Expr]) -> list[exp.Expression]:
    """The nodes of a tree that are of some kinds."""
    return list(cast(Iterator[exp.Expression], tree.find_all(*kinds)))


def _is_cut(tree: exp.Expression | None) -> bool:
    """Whether a query has a LIMIT or an OFFSET."""
    return tree is not None and (tree.args.get("limit") is not None or tree.args.get("offset") is not None)
