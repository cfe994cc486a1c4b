"""What the strategies of ``equiv.testing`` draw: size and variety of queries, and what databases tell apart.

Usage: ``python -m benchmarks.attacks.strategies``.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from random import Random
from statistics import median, quantiles

from sqlglot import exp

from benchmarks.command import parser
from equiv.answers.compare import same_result
from equiv.core.runner import Connection, RunnerError
from equiv.dialects.registry import reference
from equiv.relation import resolve_relation
from equiv.testing import open_database, queries
from equiv.testing.asserts import examples_of
from equiv.testing.making.databases import RandomDatabases
from equiv.testing.making.mutants import drawn_mutants
from equiv.testing.making.queries import ALL, Feature, features_of
from equiv.testing.schema_facts import ground_of, schema_of
from equiv.testing.strategies import equivalent
from equiv.testing.trials import AimedQueries

SHOP = schema_of(None)
GROUND = ground_of(SHOP)
FREE = {Feature.LIMIT, Feature.WINDOWS}
"""Features whose answers ties may leave open: no database shows then what a mutant is."""


def makes_null(sql: str) -> bool:
    """Whether a part of a query gives NULL where no column holds one."""
    for node in reference().parse(sql).walk():
        match node:
            case exp.Join() if node.text("side"):
                return True
            case exp.Null() | exp.Nullif() | exp.Div():
                return True
            case exp.Case() if node.args.get("default") is None:
                return True
            case exp.Sum() | exp.Avg() | exp.Min() | exp.Max():
                return True
    return False


def show_queries(name: str, texts: list[str], asked: int) -> None:
    """Sizes and features of some queries."""
    sizes = [len(text) for text in texts]
    low, _, high = quantiles(sizes, n=4)
    shares = Counter(feature for text in texts for feature in features_of(text))
    print(f"{name}: {asked} asked for, {len(texts)} different")
    print(
        f"  characters: median {median(sizes):.0f}, half between {low:.0f} and {high:.0f}, most {max(sizes)}"
    )
    print("  " + ", ".join(f"{feature} {_percent(n, len(texts))}" for feature, n in shares.most_common()))
    print(f"  some part makes NULL: {_percent(sum(map(makes_null, texts)), len(texts))}")


def show_rewrites(texts: list[str]) -> None:
    """How many queries have other texts."""
    changed = sum(equivalent(text, GROUND, "sql", Random(n)) != text for n, text in enumerate(texts))
    print(f"equivalent rewrites: {_percent(changed, len(texts))} of the queries are changed by one draw")


def show_databases(texts: list[str], number: int) -> None:
    """How many mutants some databases tell apart, and how many databases each."""
    made = [RandomDatabases(Random(n), SHOP, GROUND.facts).database() for n in range(number)]
    open_ones = [open_database(database, SHOP) for database in made if database is not None]
    rows = [database.size for database in made if database is not None]
    print(f"databases: {len(open_ones)} of {number} made; rows: median {median(rows):.0f}, most {max(rows)}")
    tried, killed, kills = 0, 0, [0] * len(open_ones)
    for seed, text in enumerate(texts):
        tree = GROUND.tree(text)
        if tree is None or features_of(text) & FREE:
            continue
        for mutant in drawn_mutants(tree, SHOP, Random(seed), 2):
            if not GROUND.can_be_prepared(mutant) or features_of(mutant) & FREE:
                continue
            tried += 1
            found = [tells_apart(connection, mutant, text) for connection in open_ones]
            killed += any(found)
            kills = [kill + one for kill, one in zip(kills, found, strict=True)]
    print(f"mutants: {tried}; told apart by one of them or more: {_percent(killed, tried)};")
    alone, best = _percent(median(kills), tried), _percent(max(kills), tried)
    print(f"  by one database alone: median {alone}, best {best}")


def tells_apart(connection: Connection, mutant: str, sql: str) -> bool:
    """Whether two queries answer differently; not where one of them fails."""
    relation = resolve_relation("sql", gold_orders=GROUND.orders(sql))
    with suppress(RunnerError):
        one, two = (connection.execute(text).fetchall() for text in (mutant, sql))
        return not same_result(one, two, relation)
    return False


def _percent(part: float, whole: int) -> str:
    return f"{100 * part / max(whole, 1):.0f} %"


def main() -> None:
    """Draw, and print what was drawn."""
    given = parser(__doc__, queries=400, databases=20, seed=0).parse_args()
    texts = list(AimedQueries(SHOP, ALL, given.queries, given.seed))
    show_queries("queries that assert_rewrite_sound draws", texts, given.queries)
    show_queries("queries()", examples_of(queries(), given.queries, given.seed), given.queries)
    show_rewrites(texts)
    show_databases(texts, given.databases)


if __name__ == "__main__":
    main()
