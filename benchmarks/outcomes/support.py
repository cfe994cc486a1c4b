"""Writes docs/support.md: which queries of the shared corpora the algebra can say, and why not the others.

Every distinct query of a corpus is read and translated as it is written, as tier ``proof`` does
(:mod:`equiv.algebra.translate.query`).  The page holds counts alone, nothing of the data.

Usage: ``python -m benchmarks.outcomes.support [FILE]``.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from multiprocessing import Pool
from pathlib import Path

from sqlglot import exp

from benchmarks import ROOT
from benchmarks.journal import Sums, head_of, section
from benchmarks.pairs.corpora import corpora, corpus
from equiv.algebra.translate.query import translate
from equiv.algebra.world import World
from equiv.core.query import Query, UnsupportedError
from equiv.engine.make import make_engine
from equiv.options import Options
from equiv.schema.locate import Place

PAGE = ROOT / "docs" / "support.md"
INTRODUCTION = head_of(__file__)

Refusal = tuple[str, str]
"""The node and why it is refused."""


@dataclass
class Support(Sums):
    """What was counted over some queries."""

    queries: int = 0
    readable: int = 0
    supported: int = 0
    refusals: Counter[Refusal] = field(default_factory=Counter)
    constructs: Counter[str] = field(default_factory=Counter)
    """How many readable queries have a construct."""
    translated: Counter[str] = field(default_factory=Counter)
    """How many supported queries have it."""


def measure(place: Place, queries: Iterable[str]) -> Support:
    """Count over the queries of one database."""
    engine = make_engine(place.schema, None, Options(timeout=None))
    found = Support()
    for sql in queries:
        found.queries += 1
        query = engine.read(sql)
        if not isinstance(query, Query):
            continue
        found.readable += 1
        if query.tree is None:
            assert query.unsupported is not None
            found.refusals[query.unsupported.node, query.unsupported.why] += 1
            continue
        present = [name for name, test in CONSTRUCTS.items() if test(query.tree)]
        found.constructs.update(present)
        try:
            translate(query.tree, World(engine.schema, engine.facts))
        except UnsupportedError as error:
            found.refusals[error.node, error.why] += 1
        else:
            found.supported += 1
            found.translated.update(present)
    return found


def measure_corpus(name: str, workers: int = 2) -> Support:
    """Count over the distinct queries of a corpus.

    Raises:
        OSError: its data is missing.
    """
    items, places = corpus(name).read()
    queries: dict[str, dict[str, None]] = {}
    for item in items:
        queries.setdefault(item.db_id, {}).update({item.predicted_sql: None, item.gold_sql: None})
    tasks = [(places[db_id], tuple(texts)) for db_id, texts in queries.items()]
    total = Support()
    with Pool(workers) as pool:
        for found in pool.starmap(measure, tasks):
            total.add(found)
    return total


Test = Callable[[exp.Expression], bool]


def _has(*kinds: type[exp.Expr]) -> Test:
    return lambda tree: tree.find(*kinds) is not None


def _selects(name: str) -> Test:
    return lambda tree: any(select.args.get(name) for select in tree.find_all(exp.Select, exp.SetOperation))


def _joins(*sides: str) -> Test:
    return lambda tree: any(join.side in sides for join in tree.find_all(exp.Join))


def _in_query(tree: exp.Expression) -> bool:
    return any(node.args.get("query") for node in tree.find_all(exp.In))


def _scalar(tree: exp.Expression) -> bool:
    """Whether a subquery stands for a value."""
    inside = (exp.From, exp.Join, exp.In, exp.Exists, exp.SetOperation, exp.CTE)
    return any(not isinstance(node.parent, inside) for node in tree.find_all(exp.Subquery))


def _derived(tree: exp.Expression) -> bool:
    return any(isinstance(node.parent, exp.From | exp.Join) for node in tree.find_all(exp.Subquery))


def _is_cut_in_order(tree: exp.Expression) -> bool:
    found = tree.find_all(exp.Select, exp.SetOperation)
    return any(node.args.get("order") and node.args.get("limit") for node in found)


def _unites(*, distinct: bool) -> Test:
    return lambda tree: any(
        bool(union.args.get("distinct")) is distinct for union in tree.find_all(exp.Union)
    )


CONSTRUCTS: Mapping[str, Test] = {
    "inner or cross join": _joins(""),
    "LEFT JOIN": _joins("LEFT"),
    "RIGHT JOIN": _joins("RIGHT"),
    "FULL JOIN": _joins("FULL"),
    "WHERE": _selects("where"),
    "DISTINCT": _selects("distinct"),
    "GROUP BY": _selects("group"),
    "HAVING": _selects("having"),
    "COUNT": _has(exp.Count),
    "SUM": _has(exp.Sum),
    "AVG": _has(exp.Avg),
    "MIN or MAX": _has(exp.Min, exp.Max),
    "GROUP_CONCAT": _has(exp.GroupConcat),
    "FILTER": _has(exp.Filter),
    "CASE or IIF": _has(exp.Case, exp.If),
    "COALESCE or IFNULL": _has(exp.Coalesce),
    "NULLIF": _has(exp.Nullif),
    "CAST": _has(exp.Cast),
    "LIKE": _has(exp.Like),
    "BETWEEN": _has(exp.Between),
    "IN with a list": lambda tree: any(not node.args.get("query") for node in tree.find_all(exp.In)),
    "IN with a query": _in_query,
    "EXISTS": _has(exp.Exists),
    "scalar subquery": _scalar,
    "derived table": _derived,
    "common table expression": _has(exp.CTE),
    "VALUES": _has(exp.Values),
    "UNION": _unites(distinct=True),
    "UNION ALL": _unites(distinct=False),
    "INTERSECT": _has(exp.Intersect),
    "EXCEPT": _has(exp.Except),
    "ORDER BY": _selects("order"),
    "ORDER BY with LIMIT": _is_cut_in_order,
    "OFFSET": _has(exp.Offset),
    "window function": _has(exp.Window),
    "strftime": _has(exp.TimeToStr),
    "substr": _has(exp.Substring),
    "ROUND": _has(exp.Round),
}


def _share(part: int, whole: int) -> str:
    """A percentage that says 100 only of all."""
    share = 100 * part / max(whole, 1)
    return f"{min(share, 99.9) if part < whole else share:.1f}%"


def page(found: Mapping[str, Support]) -> str:
    """The page on some corpora, as Markdown."""
    total = Support()
    for support in found.values():
        total.add(support)
    lines = [INTRODUCTION, *_totals({**found, "all": total}), *_refusals(found, total), *_constructs(total)]
    return "\n".join(lines)


def _totals(found: Mapping[str, Support]) -> list[str]:
    rows = (
        (name, s.queries, s.readable, s.supported, _share(s.supported, s.readable))
        for name, s in found.items()
    )
    head = ("corpus", "distinct queries", "readable", "supported", "of the readable")
    return [*section(head, rows, "By corpus")]


def _refusals(found: Mapping[str, Support], total: Support) -> list[str]:
    ordered = sorted(total.refusals.items(), key=lambda entry: (-entry[1], entry[0]))
    rows = (
        (*refusal, number, *(each.refusals[refusal] for each in found.values()))
        for refusal, number in ordered
    )
    return [*section(("node", "why", "queries", *found), rows, "What is refused")]


def _constructs(total: Support) -> list[str]:
    counts = ((name, total.constructs[name], total.translated[name]) for name in CONSTRUCTS)
    rows = ((name, number, said, _share(said, number)) for name, number, said in counts if number)
    about = "A query counts in each row whose construct it has, wherever its refusal comes from."
    head = ("construct", "readable queries", "supported", "share")
    return ["## By construct", "", about, "", *section(head, rows)]


def main() -> None:
    """Write the page."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else PAGE
    target.write_text(page({c.name: measure_corpus(c.name) for c in corpora()}), encoding="utf-8")


if __name__ == "__main__":
    main()
