"""Structural metrics: EM, ESM and ESM+, from two texts and a schema.

- ``em``: equal texts but for white space around them (ROSE, arXiv 2604.12988, baseline EM).
- ``esm``: exact set match; see :mod:`equiv.eval.metrics.exact_set`.
- ``esm+``: ESM+ (arXiv 2407.07313, section 3.3, Table 1 and appendix A.1): one structure after the 20
  rules of its Table 1.  Here the rules of this project that carry their numbers, under its conditions
  and not the paper's (docs/esm-plus-audit.md), bring both queries to a normal form; result columns
  may stand in any order, rows count as a bag, or as a list where the gold query orders.  As in the
  paper, tables are taken not to be empty (rule 9).  Rules 10 (``*``) and 14 (AS) are settled by
  reading; switched off, they tell apart what they would equate.
"""

from __future__ import annotations

from dataclasses import replace

from equiv.answers.pair import Pair
from equiv.core.model import Schema
from equiv.core.query import Broken, Query
from equiv.engine.engine import Engine
from equiv.engine.make import esm_plus_rules
from equiv.eval.metrics.exact_set import block_of, matches
from equiv.eval.metrics.spider_grammar import has_bare_alias, stars_in
from equiv.eval.metrics.switches import Switches, seen
from equiv.eval.running.worker import WORKER
from equiv.facts import Fact, FactKind, Facts, Grade
from equiv.relation import resolve_relation
from equiv.rewrite.normalise import RuleSet
from equiv.tiers.outcome import Proved
from equiv.tiers.rules import RulesTier

STAR, BARE_ALIAS = 10, 14
"""The rules of ESM+ that reading settles."""


def exact_match(pred: str, gold: str) -> bool:
    """EM: the texts are equal but for white space around them."""
    return pred.strip() == gold.strip()


def exact_set_match(
    pred: Query | Broken, gold: Query | Broken, schema: Schema, switches: Switches
) -> bool | None:
    """ESM; None where the gold query is not read."""
    wanted = block_of(seen(gold, switches), schema) if isinstance(gold, Query) else None
    if wanted is None:
        return None
    return isinstance(pred, Query) and matches(block_of(seen(pred, switches), schema), wanted)


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


STEPS = ("ESM", "0", *map(str, range(1, 21)))
"""What figure 7 of ESM+ accumulates: ESM, ESM with its faults mended, and rules 1 to n added to that."""


def matched(db_id: str, pred: str, gold: str, switches: Switches) -> dict[str, bool | None]:
    """What ESM and ESM+ say of a pair, inside a worker process; None: it could not be measured."""
    engine = WORKER.engine(db_id)
    queries = engine.read(pred), engine.read(gold)
    return {
        "esm": exact_set_match(*queries, engine.schema, switches),
        "esm+": _structural_match(engine, switches)(*queries),
    }


def accumulated(db_id: str, pred: str, gold: str, switches: Switches) -> dict[str, bool | None]:
    """What each of :data:`STEPS` says of a pair, inside a worker process."""
    engine = WORKER.engine(db_id)
    queries = engine.read(pred), engine.read(gold)
    found = {"ESM": exact_set_match(*queries, engine.schema, switches)}
    for step in STEPS[1:]:
        later = frozenset(range(int(step) + 1, 21))
        found[step] = _structural_match(engine, replace(switches, disabled=later))(*queries)
    return found


def _structural_match(engine: Engine, switches: Switches) -> StructuralMatch:
    """ESM+ on an engine's schema, kept while that engine is in use."""
    if _KEPT.get("engine") is not engine:
        _KEPT.clear()
        _KEPT["engine"] = engine
    found = _KEPT.get(switches)
    if not isinstance(found, StructuralMatch):
        rules = esm_plus_rules(switches.disabled)
        found = _KEPT[switches] = StructuralMatch(engine.schema, engine.facts, rules, switches)
    return found


_KEPT: dict[object, object] = {}
