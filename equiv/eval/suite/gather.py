"""The input of a suite: records of predictions and of mutants of gold queries; its parts, made in workers.

A mutant changes one place of a query in one way, as a slip of a system would.  The changes are those of
the mutation operators for SQL (Tuya, Suarez-Cabal and de la Riva 2007, Mutating database queries:
clauses, operators, NULLs, identifiers) and of the neighbour queries that Spider's test suites are
distilled by (arXiv 2010.02840).  Whether a mutant means something else is the engine's to say.  A change
gives what may stand in the place of a node, which stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path

from sqlglot import exp

from equiv.core.model import Schema
from equiv.core.printing import to_sql
from equiv.core.query import Query
from equiv.eval.arguments import AS_IT_IS, ReadingOptions
from equiv.eval.evaluation import Evaluation, Request
from equiv.eval.plan import JobState, PairStore, Setting, places_found, settings_of
from equiv.eval.results import ResultsFile, read_records, require_dialect
from equiv.eval.runner import run
from equiv.eval.suite.part import SuitePart, fill_part
from equiv.eval.suite.script import (
    MUTATION,
    EvaluationScript,
    Layout,
    RivalKind,
    SuiteQuestion,
    kind_of,
    place_of,
    scripts_in,
)
from equiv.eval.suite.worker import SuiteWorker
from equiv.eval.worker import WORKER, SideWorker
from equiv.files import FileErrors
from equiv.graphs import grouped_by
from equiv.options import Options
from equiv.records.record import Item, Record
from equiv.verdict import Tier
from equiv.workers.scheduler import Course, share_out

Mutation = Callable[[exp.Expression, Schema], Iterable[exp.Expression]]
NodeClasses = tuple[type[exp.Expression], ...]

OtherClasses = dict[type[exp.Expression], NodeClasses]
"""What may stand in the place of a node of a class."""

_COMPARISONS: OtherClasses = {
    exp.EQ: (exp.NEQ, exp.GTE),
    exp.NEQ: (exp.EQ,),
    exp.GT: (exp.GTE, exp.LT),
    exp.GTE: (exp.GT, exp.LTE),
    exp.LT: (exp.LTE, exp.GT),
    exp.LTE: (exp.LT, exp.GTE),
}
_ARITHMETIC: OtherClasses = {
    exp.Add: (exp.Sub,),
    exp.Sub: (exp.Add,),
    exp.Mul: (exp.Div,),
    exp.Div: (exp.Mul,),
}
_OPERATORS: OtherClasses = {**_COMPARISONS, **_ARITHMETIC, exp.And: (exp.Or,), exp.Or: (exp.And,)}
_AGGREGATES: OtherClasses = {
    exp.Count: (exp.Sum, exp.Max),
    exp.Sum: (exp.Count, exp.Avg),
    exp.Avg: (exp.Sum, exp.Max),
    exp.Min: (exp.Max,),
    exp.Max: (exp.Min, exp.Avg),
}
_CALLS = (exp.Cast, exp.Coalesce, exp.Round, exp.Abs, exp.Lower, exp.Upper, exp.Trim)
_TRUTHS = (exp.In, exp.Like, exp.Is, exp.Exists, exp.Between)


def _with(node: exp.Expression, name: str, value: object) -> exp.Expression:
    new = node.copy()
    new.set(name, value)
    return new


def _other_operator(node: exp.Expression, _: Schema) -> Iterator[exp.Expression]:
    for kind in _OPERATORS.get(type(node), ()):
        yield kind(this=node.this.copy(), expression=node.expression.copy())


def _other_value(node: exp.Expression, _: Schema) -> Iterator[exp.Expression]:
    if node.find_ancestor(exp.Limit, exp.Offset):
        return
    if node.is_string:
        yield from (exp.Literal.string(text) for text in (f"{node.name}x", node.name.swapcase()))
    else:
        yield exp.Literal.number(int(float(node.name)) + 1)


def _other_limit(node: exp.Expression, _: Schema) -> Iterator[exp.Expression]:
    count = node.args.get("expression")
    if isinstance(count, exp.Literal) and not count.is_string:
        yield _with(node, "expression", exp.Literal.number(int(float(count.name)) + 1))


def _other_aggregate(node: exp.Expression, _: Schema) -> Iterator[exp.Expression]:
    if node.this is None or isinstance(node.this, exp.Star | exp.Distinct):
        return
    for kind in _AGGREGATES[type(node)]:
        yield kind(this=node.this.copy())


def _inner_distinct(node: exp.Expression, _: Schema) -> Iterator[exp.Expression]:
    if node.this is None or isinstance(node.this, exp.Star):
        return
    inner = node.this
    new = (
        inner.expressions[0].copy()
        if isinstance(inner, exp.Distinct)
        else exp.Distinct(expressions=[inner.copy()])
    )
    yield type(node)(this=new)


def _count_rows(node: exp.Expression, _: Schema) -> Iterator[exp.Expression]:
    if not isinstance(node.this, exp.Star):
        yield exp.Count(this=exp.Star())


def _without(*names: str) -> Mutation:
    """Drops one of a node's clauses, whichever is there."""

    def drop(node: exp.Expression, _: Schema) -> Iterator[exp.Expression]:
        for name in names:
            if node.args.get(name):
                yield _with(node, name, None)

    return drop


def _drop_item(node: exp.Expression, _: Schema) -> Iterator[exp.Expression]:
    for place in range(len(node.expressions) if len(node.expressions) > 1 else 0):
        yield _with(
            node, "expressions", [each.copy() for at, each in enumerate(node.expressions) if at != place]
        )


def _outer_join(node: exp.Expression, _: Schema) -> Iterator[exp.Expression]:
    if node.args.get("on"):
        yield _with(node, "side", None if node.text("side") else "LEFT")


def _other_compound(node: exp.Expression, _: Schema) -> Iterator[exp.Expression]:
    if isinstance(node, exp.Union):
        yield _with(node, "distinct", not node.args.get("distinct"))
    kinds = [kind for kind in (exp.Union, exp.Intersect, exp.Except) if not isinstance(node, kind)]
    for kind in kinds:
        yield kind(**{**node.copy().args, "distinct": True})


def _other_column(node: exp.Expression, schema: Schema) -> Iterator[exp.Expression]:
    """The columns that stand next to a column in its table, of those with its domain."""
    root = node.root()
    source = next((t for t in root.find_all(exp.Table) if t.alias_or_name == node.text("table")), None)
    table = schema.table(source.name) if source is not None else None
    own = table.column(node.name) if table is not None else None
    if table is None or own is None:
        return
    alike = [column.name for column in table.columns if column.domain is own.domain]
    place = alike.index(own.name)
    for name in (*alike[place + 1 : place + 2], *alike[max(place - 1, 0) : place]):
        yield _with(node, "this", exp.to_identifier(name, quoted=True))


CHANGES: tuple[tuple[str, NodeClasses, Mutation], ...] = (
    ("other comparison", tuple(_COMPARISONS), _other_operator),
    ("condition dropped", (exp.And, exp.Or), lambda node, _: (node.this.copy(), node.expression.copy())),
    ("other value", (exp.Literal,), _other_value),
    ("other aggregate", tuple(_AGGREGATES), _other_aggregate),
    ("other column", (exp.Column,), _other_column),
    ("clause dropped", (exp.Select,), _without("where", "having", "group", "limit", "order")),
    ("other connector", (exp.And, exp.Or), _other_operator),
    ("distinct aggregate", (exp.Count, exp.Sum, exp.Avg), _inner_distinct),
    ("rows counted", tuple(_AGGREGATES), _count_rows),
    ("order turned", (exp.Ordered,), lambda node, _: [_with(node, "desc", not node.args.get("desc"))]),
    ("other limit", (exp.Limit,), _other_limit),
    ("outer join", (exp.Join,), _outer_join),
    ("join condition dropped", (exp.Join,), _without("on")),
    (
        "distinct",
        (exp.Select,),
        lambda node, _: [_with(node, "distinct", None if node.args.get("distinct") else exp.Distinct())],
    ),
    ("key dropped", (exp.Group, exp.Order, exp.In), _drop_item),
    ("negated", _TRUTHS, lambda node, _: [exp.Not(this=node.copy())]),
    ("negation dropped", (exp.Not,), lambda node, _: [node.this.copy()]),
    ("other set operation", (exp.Union, exp.Intersect, exp.Except), _other_compound),
    ("other arithmetic", tuple(_ARITHMETIC), _other_operator),
    (
        "operands swapped",
        (exp.Sub, exp.Div),
        lambda node, _: [type(node)(this=node.expression.copy(), expression=node.this.copy())],
    ),
    ("call dropped", _CALLS, lambda node, _: [node.this.copy()]),
    ("branch dropped", (exp.Case,), _without("default")),
)
"""Name, nodes, and what may stand in their place; the order is that in which they take turns."""


def mutants(tree: exp.Expression, schema: Schema, number: int) -> list[tuple[str, str]]:
    """Up to so many mutants of a resolved query: what was changed, and the SQL.

    The kinds of changes take turns, so that few mutants still are of many kinds.
    """
    by_kind = [_of_kind(tree, schema, name, kinds, change) for name, kinds, change in CHANGES]
    seen = {to_sql(tree)}
    texts: list[tuple[str, str]] = []
    for turn in zip_longest(*by_kind):
        for mutant in filter(None, turn):
            if mutant[1] and mutant[1] not in seen and len(texts) < number:
                seen.add(mutant[1])
                texts.append(mutant)
        if len(texts) == number:
            break
    return texts


def _of_kind(
    tree: exp.Expression, schema: Schema, name: str, kinds: NodeClasses, change: Mutation
) -> Iterator[tuple[str, str]]:
    for place, node in enumerate(tree.walk()):
        if isinstance(node, kinds):
            for new in change(node, schema):
                yield name, _replaced(tree, place, new)


def _replaced(tree: exp.Expression, place: int, new: exp.Expression) -> str:
    """The SQL of a tree with another node at a place; nothing where that cannot be printed."""
    changed = tree.copy()
    node = next(node for at, node in enumerate(changed.walk()) if at == place)
    if node is changed:
        changed = new
    else:
        node.replace(new)
    try:
        return to_sql(changed)
    except (AttributeError, KeyError, TypeError, ValueError):
        return ""


PREDICTIONS, MUTANTS = "predictions.jsonl", "mutants.jsonl"
"""Results files in the folder of a suite, from which a rerun resumes."""


@dataclass(frozen=True, slots=True)
class SuiteOrder:
    """The request of one ``equiv suite``."""

    files: tuple[Path, ...]
    out: Path
    script: EvaluationScript
    options: Options
    """Relation and tiers apart, which the script decides."""
    reading: ReadingOptions = AS_IT_IS
    """How prediction files are read."""
    db_root: Path | None = None
    schema: Path | None = None
    workers: int = 1
    mutants: int = 12
    """How many mutants of each gold query are tried."""

    @property
    def checking(self) -> Options:
        """How pairs are checked for the suite."""
        return replace(self.options, relation=_RELATIONS[self.script.layout])


_RELATIONS = {Layout.BIRD: "bird", Layout.SPIDER: "spider"}


def predictions_of(order: SuiteOrder) -> list[Record]:
    """The records of an order's files: those of results files, and of prediction files what the engine says.

    Raises:
        InputError: a file cannot be read, or a database cannot be found.
    """
    results = [path for path in order.files if holds_records(path)]
    others = tuple(path for path in order.files if path not in results)
    records = read_records(results)
    require_dialect(records, order.options.pair_dialect)
    if not others:
        return records
    out = order.out / PREDICTIONS
    request = Request(
        *(others, order.checking, order.reading, order.db_root, order.schema, out, order.workers), ex=False
    )
    with closing(Evaluation(request)) as evaluation:
        by_key = {record["key"]: record for record in (*evaluation.resumed(), *evaluation.records())}
        return [*records, *evaluation.in_order(by_key)]


def holds_records(path: Path) -> bool:
    """Whether a file begins with a record of ``eval``, which every record's first key tells.

    Raises:
        InputError: the file cannot be read.
    """
    with FileErrors(path), path.open("rb") as file:
        return file.read(64).lstrip().startswith(b'{"key": "')


def settings_for(records: Iterable[Record], order: SuiteOrder) -> dict[str, Setting]:
    """The settings by database for making a suite: the whole schema, without the rows.

    Small databases are wanted, so that a populated one settles nothing here; which facts it breaks counts.

    A database that cannot be found has no setting.

    Raises:
        InputError: an option leads nowhere, or every name does.
    """
    names = (record["db_id"] for record in records)
    found, _ = places_found(names, order.db_root, order.schema, order.options.dialect)
    return settings_of(found, replace(order.checking, tiers=(Tier.GENERATE,)))


def checked(
    records: Sequence[Record], settings: Mapping[str, Setting], order: SuiteOrder, say: Callable[[str], None]
) -> list[Record]:
    """The records of predictions that are to be checked again, and of mutants, in an order of their own.

    Raises:
        InputError: the results file in the order's folder is none.
    """
    every = {name: _with_provers(setting) for name, setting in settings.items()}
    with ResultsFile(order.out / MUTANTS) as file:
        again = _checked(_again(records, order.script), every, file, order.workers)
        say(f"{len(again)} predictions checked again")
        found = _checked(_mutants(records, settings, order), settings, file, order.workers)
        say(f"{len(found)} mutants checked")
    return [*again, *found]


def _with_provers(setting: Setting) -> Setting:
    tiers = (Tier.RULES, Tier.GENERATE, Tier.PROOF, Tier.FRAGMENT, Tier.SEARCH)
    return replace(setting, options=replace(setting.options, tiers=tiers))


def _checked(
    items: Iterable[Item], settings: Mapping[str, Setting], file: ResultsFile, workers: int
) -> list[Record]:
    """The records of some pairs, in order; those that are not settled are checked and written first."""
    known = dict(file.settled)
    with PairStore.of(items, settings) as pairs:
        groups = pairs.groups(lambda key: JobState.SETTLED if key in known else JobState.OPEN)
        with closing(run(groups, settings, workers)) as found:
            for record in found:
                file.write(record)
                known[record["key"]] = record
        return [known[key] for key in pairs.all_keys()]


def _again(records: Iterable[Record], script: EvaluationScript) -> Iterator[Item]:
    """The predictions of which more is to be known.

    Refuted ones without a small database, those that were refuted by what the script may not see, and those
    that were proved right where the script runs other queries.
    """
    for record in records:
        is_bare = record["verdict"] == "not_equivalent" and not scripts_in(record)
        kind = kind_of(record, script)
        if (
            is_bare
            or kind is RivalKind.STRICTER
            or (kind is RivalKind.OPEN and record["verdict"] == "equivalent")
        ):
            yield _item(record, record["source"], record["predicted_sql"], script)


def _item(record: Record, source: str, sql: str, script: EvaluationScript) -> Item:
    """A query beside a record's gold query, both as the script runs them."""
    texts = script.prepared(sql), script.prepared(record["gold_sql"])
    return Item(source, record["question_id"], record["db_id"], *texts)


def _mutants(records: Sequence[Record], settings: Mapping[str, Setting], order: SuiteOrder) -> Iterator[Item]:
    """The mutants of each gold query as predictions, made in a worker."""
    firsts = {place_of(record, order.script): record for record in reversed(records)}
    with closing(SideWorker(settings)) as aside:
        for record in reversed(firsts.values()):
            asked = record["gold_sql"], order.mutants, order.script
            for name, sql in aside.ask(mutants_of, record["db_id"], *asked) or ():
                yield _item(record, MUTATION + name, sql, order.script)


def mutants_of(db_id: str, gold: str, number: int, script: EvaluationScript) -> list[tuple[str, str]]:
    """The mutants of a gold query, inside a worker process; none of one that is not modelled.

    What the script makes one query of is one mutant, and what it makes the gold query of is none.
    """
    engine = WORKER.engine(db_id)
    query = engine.read(script.prepared(gold))
    if not isinstance(query, Query) or query.tree is None or query.parameters:
        return []
    seen = {script.prepared(to_sql(query.tree))}
    pairs: list[tuple[str, str]] = []
    for name, sql in mutants(query.tree, engine.schema, _SPARE * number):
        if (run := script.prepared(sql)) not in seen and len(pairs) < number:
            seen.add(run)
            pairs.append((name, run))
    return pairs


_SPARE = 2
"""So many times the mutants wanted are made, of which the script may distinguish only some."""


def parts_of(
    order: SuiteOrder, settings: Mapping[str, Setting], questions: Sequence[SuiteQuestion], work: Path
) -> Iterator[SuitePart]:
    """The databases of each ``db_id``, written into a folder, as their workers make them.

    Raises:
        InputError: a file cannot be written.
    """
    by_database = grouped_by(lambda question: question.db_id, questions)

    def course(own: Iterator[tuple[str, list[SuiteQuestion]]]) -> Course[SuitePart]:
        for db_id, asked in own:
            setting = settings[db_id]
            with closing(SuiteWorker({db_id: setting}, db_id, asked, order.script)) as worker:
                yield (yield threads.submit(fill_part, worker, setting, asked, work))

    # Those with most to do go first, or they would be waited for at the end.
    largest = sorted(by_database.items(), key=lambda entry: -len(entry[1]))
    with (
        ThreadPoolExecutor(order.workers) as threads,
        closing(share_out(largest, order.workers, course)) as parts,
    ):
        yield from filter(None, parts)
