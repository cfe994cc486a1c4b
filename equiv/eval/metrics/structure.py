"""Metrics that compare queries: equal texts (EM), clauses as sets (ESM), one structure (ESM+, ETM).

ESM compares the clauses of two queries as sets, as Spider's evaluation does. Source: Spider (arXiv
1809.08887, section 6, "exact matching"; ``eval_exact_match`` and its parts in ``evaluation.py``), and what
ESM+ (arXiv 2407.07313, sections 3.1 to 3.3 and appendix A.1) says of it. Reproduced with its faults: join
conditions, DISTINCT outside aggregates and the value of LIMIT do not count; AND and OR are only counted, so
that parentheses do not matter; foreign keys are read as the keys they refer to; tables are known by name,
so that two uses of one are the same. A query outside its grammar, that of Spider's evaluation (its
``process_sql.py``), is not read, and so matches nothing: as ESM+ (appendix A.1 and section 7) says or as
follows from that grammar, one with INNER, LEFT, RIGHT or OUTER JOIN, a list after IN, an alias without AS or
of a column, ``IS``, CASE, functions beyond the five aggregates, WITH, columns of a subquery in FROM.

ESM+ is one structure after the 20 rules of its Table 1 (arXiv 2407.07313, section 3.3 and appendix A.1).
Here the rules of this project that carry their numbers, under its conditions and not the paper's
(docs/esm-plus-audit.md), bring both queries to a normal form; result columns may stand in any order,
rows count as a bag, or as a list where the gold query orders.  As in the paper, tables are taken not
to be empty (rule 9).  Rules 10 (``*``) and 14 (AS) are settled by reading; switched off, they tell
apart what they would equate.

ETM is one tree after the rules of ETM, the later version of ESM+ (*Future Internet* 17(8)): the rules of
this project that do what its rules do, under the conditions of this project: those that it shares with
ESM+, and those of its own that are sound under some condition (docs/esm-plus-audit.md).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from sqlglot import exp

from equiv.answers.pair import Pair
from equiv.core.lexer import GrammarError, TokenKind, tokens
from equiv.core.model import Schema
from equiv.core.printing import to_sql
from equiv.core.query import Broken, Query
from equiv.dialects.registry import reference
from equiv.engine.make import esm_plus_rules
from equiv.engine.pipeline import Engine
from equiv.errors import InputError
from equiv.eval.metrics.metric import EsmSwitches, Metric, MetricPair, Needs
from equiv.facts import Fact, FactKind, Facts, Grade
from equiv.graphs import components
from equiv.names import fold
from equiv.relation import resolve_relation
from equiv.rewrite.normalise import RuleSet
from equiv.tiers.outcome import Proved
from equiv.tiers.rules import RulesTier


def exact_match(pred: str, gold: str) -> bool:
    """Whether the texts are equal but for white space around them."""
    return pred.strip() == gold.strip()


EM = Metric(
    name="em",
    needs=Needs.TEXTS,
    meaning="equal texts but for white space around them",
    source="ROSE, arXiv 2604.12988, baseline EM",
    score=lambda asked: exact_match(asked.pred, asked.gold),
)


AGGREGATES = (exp.Count, exp.Sum, exp.Avg, exp.Min, exp.Max)
COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Like, exp.Between, exp.In)
READ = (
    *(*AGGREGATES, *COMPARISONS, exp.Select, exp.Union, exp.Intersect, exp.Except, exp.From, exp.Table),
    *(exp.TableAlias, exp.Identifier, exp.Join, exp.Where, exp.And, exp.Or, exp.Not, exp.Subquery),
    *(exp.Column, exp.Literal, exp.Star, exp.Alias, exp.Distinct, exp.Group, exp.Having, exp.Order),
    *(exp.Ordered, exp.Limit, exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Neg),
)
"""The nodes of Spider's grammar, in a resolved tree."""

UNREAD_JOINS = frozenset({"INNER", "LEFT", "RIGHT", "FULL", "OUTER", "CROSS", "NATURAL"})


def is_read(query: Query) -> bool:
    """Whether text and tree are within Spider's grammar."""
    assert query.tree is not None
    words = [token.word for token in tokens(query.core_sql) if token.kind is TokenKind.NAME]
    try:
        raw = reference().parse(query.core_sql)
    except GrammarError:
        return False
    if UNREAD_JOINS & set(words) or raw.find(exp.Alias, exp.CTE) or has_bare_alias(query.core_sql):
        return False
    nodes = list(query.tree.find_all(exp.Expression))
    lists = any(isinstance(node, exp.In) and node.expressions for node in nodes)
    return not lists and all(isinstance(node, READ) for node in nodes) and not _reads_derived(query.tree)


def _reads_derived(tree: exp.Expression) -> bool:
    """Whether a column of a subquery in FROM is read."""
    derived = {s.alias for s in tree.find_all(exp.Subquery) if isinstance(s.parent, exp.From | exp.Join)}
    return any(column.table in derived for column in tree.find_all(exp.Column))


def stars_in(sql: str) -> int:
    """How often ``*`` stands for all columns, as written; 0 where the text cannot be read."""
    try:
        return sum(
            1 for star in reference().parse(sql).find_all(exp.Star) if not isinstance(star.parent, exp.Count)
        )
    except GrammarError:
        return 0


def has_bare_alias(sql: str) -> bool:
    """Whether a table or subquery of FROM has an alias without AS, as written."""
    try:
        aliases = sum(1 for _ in reference().parse(sql).find_all(exp.TableAlias, exp.Alias))
    except GrammarError:
        return False
    words = [token.word for token in tokens(sql) if token.kind is TokenKind.NAME]
    return words.count("AS") - words.count("CAST") < aliases


ALL_RULES = frozenset(range(1, 21))
"""The rules of ESM+ by number."""


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


def seen(query: Query, switches: EsmSwitches) -> Query:
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


KeyColumns = Mapping[tuple[str, str], str]
"""Columns by table and name, each as the one that its foreign keys lead to."""


@dataclass(frozen=True, slots=True)
class ClauseSets:
    """The clauses of one SELECT, each in the form in which it is compared."""

    select: Counter[str]
    conditions: Counter[str]
    connectives: frozenset[str]
    group: Counter[str]
    having: tuple[tuple[str, ...], tuple[str, ...]]
    """GROUP BY with its tables, and the conditions in order: compared where there is a GROUP BY."""
    order: tuple[str, tuple[str, ...], bool] | None
    """Direction, terms, and whether there is a LIMIT; None without ORDER BY."""
    keywords: frozenset[str]
    tables: tuple[str, ...]
    then: tuple[str, ClauseSets] | None = None
    """The set operation that follows, and its other operand."""


def block_of(query: Query, schema: Schema) -> ClauseSets | None:
    """The clauses of a query; None if Spider's tool would not read it."""
    if query.tree is None or not is_read(query):
        return None
    tree = query.tree.copy()
    _name_columns(tree, _keys(schema))
    block = _compound(tree)
    return replace(block, keywords=block.keywords | {f"{stars_in(query.sql)} *"})


def _keys(schema: Schema) -> KeyColumns:
    """Each column with the representative of those that foreign keys tie together."""
    links = [
        ((fold(table.name), fold(child)), (fold(key.parent), fold(parent)))
        for table in schema.tables
        for key in table.foreign_keys
        for child, parent in zip(key.columns, key.parent_columns, strict=False)
    ]
    tied = components(dict.fromkeys(place for link in links for place in link), links)
    return {place: min(map(".".join, group)) for group in tied for place in group}


def _name_columns(tree: exp.Expression, keys: KeyColumns) -> None:
    """Write every column as table and name, its foreign keys followed, and every table without alias."""
    bases = {t.alias_or_name: fold(t.name) for t in tree.find_all(exp.Table)}
    for column in tree.find_all(exp.Column):
        table = bases.get(column.table, fold(column.table))
        name = keys.get((table, fold(column.name)), f"{table}.{fold(column.name)}")
        column.set("table", exp.to_identifier(name.partition(".")[0]))
        column.set("this", exp.to_identifier(name.partition(".")[2]))
    for source in tree.find_all(exp.Table):
        source.set("alias", None)
    for projection in list(tree.find_all(exp.Alias)):
        projection.replace(projection.this)


def _compound(tree: exp.Expression) -> ClauseSets:
    """A SELECT with the set operations after it, the first one outermost."""
    operands: list[tuple[str, exp.Expression]] = []
    order = tree.args.get("order"), tree.args.get("limit")
    while isinstance(tree, exp.SetOperation):
        operands.insert(0, (type(tree).__name__.lower(), tree.expression))
        tree = tree.this
    last = (operands[-1][1] if operands else tree) if any(order) else None
    if last is not None:
        last.set("order", order[0])
        last.set("limit", order[1])
    found = None
    for number in range(len(operands), 0, -1):
        name, operand = operands[number - 1]
        found = (name, _block(operand, found))
    return _block(tree, found)


def _block(select: exp.Expression, then: tuple[str, ClauseSets] | None) -> ClauseSets:
    conditions, connectives = _flat(select.args.get("where"))
    having, outer = _flat(select.args.get("having"))
    keys = [to_sql(key) for key in _expressions(select.args.get("group"))]
    order = select.args.get("order")
    limited = select.args.get("limit") is not None
    terms = tuple(to_sql(term.this) for term in _expressions(order))
    direction = "desc" if order is not None and order.expressions[-1].args.get("desc") else "asc"
    return ClauseSets(
        Counter(to_sql(expression) for expression in select.expressions),
        Counter(map(to_sql, conditions)),
        frozenset(connectives),
        Counter(key.rpartition(".")[2] for key in keys),
        (tuple(keys), (*map(to_sql, having), *outer)) if keys else ((), ()),
        (direction, terms, limited) if terms else None,
        _keywords(select, [*conditions, *having], {*connectives, *outer}, direction if terms else "")
        | (frozenset({then[0]}) if then else frozenset()),
        tuple(sorted(_sources(select))),
        then,
    )


def _sources(select: exp.Expression) -> list[str]:
    start = select.args.get("from_")
    nodes = [] if start is None else [start.this, *(join.this for join in select.args.get("joins") or ())]
    return [fold(node.name) if isinstance(node, exp.Table) else to_sql(node) for node in nodes]


def _expressions(clause: exp.Expression | None) -> list[exp.Expression]:
    return [] if clause is None else list(clause.expressions)


def _flat(clause: exp.Expression | None) -> tuple[list[exp.Expression], list[str]]:
    """The conditions of a clause in order, and the connectives between them, without parentheses."""
    if clause is None:
        return [], []
    conditions: list[exp.Expression] = []
    connectives: list[str] = []

    def walk(node: exp.Expression) -> None:
        if isinstance(node, exp.And | exp.Or):
            walk(node.this)
            connectives.append(type(node).__name__.lower())
            walk(node.expression)
        else:
            conditions.append(node)

    walk(clause.this)
    return conditions, connectives


CONTENT: tuple[tuple[str, Callable[[exp.Expression], bool]], ...] = (
    ("not", lambda node: isinstance(node, exp.Not)),
    ("in", lambda node: isinstance(node.this if isinstance(node, exp.Not) else node, exp.In)),
    ("like", lambda node: isinstance(node.this if isinstance(node, exp.Not) else node, exp.Like)),
)
"""Keywords that conditions bring."""


def _keywords(
    select: exp.Expression, conditions: list[exp.Expression], connectives: set[str], direction: str
) -> frozenset[str]:
    found = {name for name in ("where", "group", "having", "limit") if select.args.get(name) is not None}
    found |= {"order", direction} if direction else set()
    found |= connectives & {"or"}
    found |= {name for name, holds in CONTENT if any(map(holds, conditions))}
    return frozenset(found)


def exact_set_match(
    pred: Query | Broken, gold: Query | Broken, schema: Schema, switches: EsmSwitches
) -> bool | None:
    """ESM; None where the gold query is not read."""
    wanted = block_of(seen(gold, switches), schema) if isinstance(gold, Query) else None
    if wanted is None:
        return None
    return isinstance(pred, Query) and block_of(seen(pred, switches), schema) == wanted


ESM = Metric(
    name="esm",
    needs=Needs.SCHEMA,
    meaning="exact set match: each clause the same set",
    source="Spider, arXiv 1809.08887, section 6; `evaluation.py`",
    score=lambda asked: exact_set_match(*asked.queries, asked.engine.schema, asked.switches),
    heeds=frozenset({"values", "distinct"}),
)


STAR, BARE_ALIAS = 10, 14
"""The rules of ESM+ that reading settles."""


class StructuralMatch:
    """ESM+ on one schema.

    Args:
        rules: the rules of ESM+, less those that are switched off.
        switches: what is switched off.
    """

    def __init__(self, schema: Schema, facts: Facts, rules: RuleSet, switches: EsmSwitches) -> None:
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


ESM_PLUS = Metric(
    name="esm+",
    needs=Needs.SCHEMA,
    meaning="one structure after the 20 rules of ESM+",
    source="ESM+, arXiv 2407.07313, section 3.3, Table 1, appendix A.1",
    score=lambda asked: _structural_match(asked.engine, asked.switches)(*asked.queries),
    heeds=frozenset({"disabled", "values", "distinct"}),
    leads=True,
)

STEPS = ("ESM", "0", *map(str, range(1, 21)))
"""What figure 7 of ESM+ accumulates: ESM, ESM with its faults mended, and rules 1 to n added to that."""


def accumulated(db_id: str, pred: str, gold: str, switches: EsmSwitches) -> dict[str, bool | None]:
    """The score of each of :data:`STEPS` for a pair, computed inside a worker process."""
    asked = MetricPair(db_id, pred, gold, switches)
    found = {"ESM": exact_set_match(*asked.queries, asked.engine.schema, switches)}
    for step in STEPS[1:]:
        later = replace(switches, disabled=frozenset(range(int(step) + 1, 21)))
        found[step] = _structural_match(asked.engine, later)(*asked.queries)
    return found


def _structural_match(engine: Engine, switches: EsmSwitches, more: tuple[str, ...] = ()) -> StructuralMatch:
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


NOT_ITS = frozenset({12, 13})
"""The rules of ESM+ that ETM does not have."""

ITS_OWN = tuple(
    """convert_average_to_quotient convert_real_quotient convert_sum_to_count convert_divided_sum_to_count
    convert_guarded_argument convert_prefix_pattern_to_slice eliminate_julian_day_of_term
    convert_iif_to_case convert_anti_join_to_not_exists convert_not_in_to_not_exists inline_cte""".split()  # noqa: SIM905
)
"""The rules here that do what ETM's rules 8, 9, 16, 17 and 24 to 26 do, the conditions being ours."""


def score_etm(asked: MetricPair) -> bool | None:
    """ETM of a pair: the structural match without some rules of ESM+, and with others."""
    switches = replace(asked.switches, disabled=NOT_ITS)
    return _structural_match(asked.engine, switches, ITS_OWN)(*asked.queries)


ETM = Metric(
    name="etm",
    needs=Needs.SCHEMA,
    meaning="one tree after the rules of ETM",
    source="ETM, arXiv 2407.07313 (later version), Future Internet 17(8)",
    score=score_etm,
    heeds=frozenset({"values", "distinct"}),
)
