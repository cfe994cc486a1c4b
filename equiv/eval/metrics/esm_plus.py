"""ESM+: one structure after the 20 rules of its Table 1 (arXiv 2407.07313, section 3.3 and appendix A.1).

Here the rules of this project that carry their numbers, under its conditions and not the paper's
(docs/esm-plus-audit.md), bring both queries to a normal form; result columns may stand in any order,
rows count as a bag, or as a list where the gold query orders.  As in the paper, tables are taken not
to be empty (rule 9).  Rules 10 (``*``) and 14 (AS) are settled by reading; switched off, they tell
apart what they would equate.
"""

from __future__ import annotations

from dataclasses import replace

from equiv.answers.pair import Pair
from equiv.core.model import Schema
from equiv.core.query import Broken, Query
from equiv.engine.engine import Engine
from equiv.engine.make import esm_plus_rules
from equiv.eval.metrics.esm import exact_set_match
from equiv.eval.metrics.metric import Asked, Metric, Needs
from equiv.eval.metrics.switches import Switches, has_bare_alias, seen, stars_in
from equiv.facts import Fact, FactKind, Facts, Grade
from equiv.relation import resolve_relation
from equiv.rewrite.normalise import RuleSet
from equiv.tiers.outcome import Proved
from equiv.tiers.rules import RulesTier

STAR, BARE_ALIAS = 10, 14
"""The rules of ESM+ that reading settles."""


class StructuralMatch:
    """ESM+ on one schema.

    Args:
        schema: the schema.
        facts: its facts.
        rules: the rules of ESM+, less those that are switched off.
        switches: what is switched off.
    """

    def __init__(self, schema: Schema, facts: Facts, rules: RuleSet, switches: Switches) -> None:
        self._schema = schema
        not_empty = [Fact(FactKind.NOT_EMPTY, Grade.ASSUMED, table.name) for table in schema.tables]
        self._facts = Facts((*facts, *not_empty))
        self._tier = RulesTier(rules)
        self._switches = switches

    def __call__(self, pred: Query | Broken, gold: Query | Broken) -> bool | None:
        """Whether both queries have one structure; None where the gold query is not read."""
        if not isinstance(gold, Query) or gold.tree is None:
            return None
        if not isinstance(pred, Query) or pred.tree is None or self._told_apart(pred.sql, gold.sql):
            return False
        one, other = seen(pred, self._switches), seen(gold, self._switches)
        relation = resolve_relation("spider", gold_orders=gold.orders)
        pair = Pair(one, other, self._schema, self._facts, relation)
        return isinstance(self._tier.settle(pair, 0), Proved)

    def _told_apart(self, pred: str, gold: str) -> bool:
        """Whether a rule that reading settles is switched off and would be needed."""
        disabled = self._switches.disabled
        by_star = STAR in disabled and stars_in(pred) != stars_in(gold)
        return by_star or (BARE_ALIAS in disabled and has_bare_alias(pred) != has_bare_alias(gold))


def score(asked: Asked) -> bool | None:
    """ESM+ of a pair."""
    return _structural_match(asked.engine, asked.switches)(*asked.queries)


def matched_by(asked: Asked, disabled: frozenset[int], more: tuple[str, ...]) -> bool | None:
    """The structural match of a pair without some rules of ESM+, and with further rules of this project."""
    switches = replace(asked.switches, disabled=disabled)
    return _structural_match(asked.engine, switches, more)(*asked.queries)


METRIC = Metric(
    name="esm+",
    needs=Needs.SCHEMA,
    meaning="one structure after the 20 rules of ESM+",
    source="ESM+, arXiv 2407.07313, section 3.3, Table 1, appendix A.1",
    score=score,
    heeds=frozenset({"disabled", "values", "distinct"}),
    leads=True,
)

STEPS = ("ESM", "0", *map(str, range(1, 21)))
"""What figure 7 of ESM+ accumulates: ESM, ESM with its faults mended, and rules 1 to n added to that."""


def accumulated(db_id: str, pred: str, gold: str, switches: Switches) -> dict[str, bool | None]:
    """What each of :data:`STEPS` says of a pair, inside a worker process."""
    asked = Asked(db_id, pred, gold, switches)
    found = {"ESM": exact_set_match(*asked.queries, asked.engine.schema, switches)}
    for step in STEPS[1:]:
        later = replace(switches, disabled=frozenset(range(int(step) + 1, 21)))
        found[step] = _structural_match(asked.engine, later)(*asked.queries)
    return found


def _structural_match(engine: Engine, switches: Switches, more: tuple[str, ...] = ()) -> StructuralMatch:
    """ESM+, with further rules, on an engine's schema, kept while that engine is in use."""
    if _KEPT.get("engine") is not engine:
        _KEPT.clear()
        _KEPT["engine"] = engine
    found = _KEPT.get((switches, more))
    if not isinstance(found, StructuralMatch):
        rules = esm_plus_rules(switches.disabled, more)
        found = _KEPT[switches, more] = StructuralMatch(engine.schema, engine.facts, rules, switches)
    return found


_KEPT: dict[object, object] = {}
