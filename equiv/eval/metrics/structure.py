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

from dataclasses import dataclass, replace

from sqlglot import exp

from equiv.answers.pair import Pair
from equiv.engine.engine import Engine
from equiv.engine.make import esm_plus_rules
from equiv.errors import InputError
from equiv.eval.metrics.exact_set import COMPARISONS, block_of, has_bare_alias, matches, stars_in
from equiv.eval.worker import WORKER
from equiv.facts import Fact, FactKind, Facts, Grade
from equiv.query.read import Broken, Query
from equiv.relation import resolve_relation
from equiv.rewrite.normalise import RuleSet
from equiv.schema.model import Schema
from equiv.tiers.outcome import Proved
from equiv.tiers.rules import RulesTier

STAR, BARE_ALIAS = 10, 14
"""The rules of ESM+ that reading settles."""

ALL_RULES = frozenset(range(1, 21))


@dataclass(frozen=True, slots=True)
class Switches:
    """What of ESM and ESM+ is switched off."""

    disabled: frozenset[int] = frozenset()
    """Rules of ESM+ by number."""
    values: bool = True
    """Whether the values that columns are compared with count."""
    distinct: bool = True
    """Whether DISTINCT counts."""


EVERYTHING_COUNTS = Switches()


def rules_named(text: str) -> frozenset[int]:
    """The rules that ``--disable-rules`` means: ``none``, ``all`` or numbers from 1 to 20.

    Raises:
        InputError: it is none of these.
    """
    if text in ("", "none"):
        return frozenset()
    if text == "all":
        return ALL_RULES
    numbers = [int(part) if part.strip().isdecimal() else 0 for part in text.split(",")]
    if not ALL_RULES.issuperset(numbers):
        raise InputError(f"--disable-rules takes none, all or numbers from 1 to 20, not {text!r}")
    return frozenset(numbers)


def exact_match(pred: str, gold: str) -> bool:
    """EM: the texts are equal but for white space around them."""
    return pred.strip() == gold.strip()


def exact_set_match(
    pred: Query | Broken, gold: Query | Broken, schema: Schema, switches: Switches
) -> bool | None:
    """ESM; None where the gold query is not read."""
    wanted = block_of(_seen(gold, switches), schema) if isinstance(gold, Query) else None
    if wanted is None:
        return None
    return isinstance(pred, Query) and matches(block_of(_seen(pred, switches), schema), wanted)


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
        seen = [_seen(query, self._switches) for query in (pred, gold)]
        relation = resolve_relation("spider", gold_orders=gold.orders)
        pair = Pair(seen[0], seen[1], self._schema, self._facts, relation)
        return isinstance(self._tier.settle(pair, 0), Proved)

    def _told_apart(self, pred: str, gold: str) -> bool:
        """Whether a rule that reading settles is switched off and would be needed."""
        disabled = self._switches.disabled
        by_star = STAR in disabled and stars_in(pred) != stars_in(gold)
        return by_star or (BARE_ALIAS in disabled and has_bare_alias(pred) != has_bare_alias(gold))


def _seen(query: Query, switches: Switches) -> Query:
    """A query less what does not count."""
    if query.tree is None or (switches.values and switches.distinct):
        return query
    tree = query.tree.copy()
    if not switches.values:
        _mask_values(tree)
    if not switches.distinct:
        _drop_distinct(tree)
    return replace(query, tree=tree)


MASK = exp.Literal.string("value")


def _mask_values(tree: exp.Expression) -> None:
    """Write one value for every constant that something is compared with."""
    for comparison in tree.find_all(*COMPARISONS):
        if isinstance(comparison, exp.In) and comparison.expressions:
            comparison.set("expressions", [MASK.copy()])
        for side in list(comparison.iter_expressions()):
            value = side.this if isinstance(side, exp.Neg) else side
            if isinstance(value, exp.Literal):
                side.replace(MASK.copy())


def _drop_distinct(tree: exp.Expression) -> None:
    """Take DISTINCT out of every SELECT and aggregate."""
    for node in list(tree.find_all(exp.Select, exp.Distinct)):
        if isinstance(node, exp.Select):
            node.set("distinct", None)
        elif isinstance(node.parent, exp.AggFunc) and len(node.expressions) == 1:
            node.replace(node.expressions[0])


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
