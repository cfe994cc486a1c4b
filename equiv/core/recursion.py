"""Recursive common table expressions of core trees: as symbols for proofs, by their first steps for data.

The body of one is a compound whose last operands read the expression itself; ``meta["recursion"]`` of its
``exp.CTE`` is a :class:`Recursion`, which says what its rows are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from sqlglot import exp

from equiv.core.building import call, column, derived, identifier, named, numbered, outputs, table
from equiv.core.claims.blocks import home, is_within, select_operands, source_of
from equiv.core.claims.value_types import WEAK, Applied, affinity, all_of, collation, conforms
from equiv.core.functions.symbols import symbol_signature
from equiv.core.functions.table import CASTS
from equiv.core.functions.traits import MOST_ARGUMENTS
from equiv.core.model import NUMBERS, Affinity, Context, Domain, Schema
from equiv.core.printing import to_sql
from equiv.core.query import UnsupportedError
from equiv.facts import Fact, FactKind, Facts, Grade
from equiv.names import UniqueNames

_STEPS = 2
"""So many steps make rows enough to make data of."""


@dataclass(frozen=True, slots=True)
class ColumnSymbol:
    """The symbol that a column of unknown rows is.

    Attributes:
        sort: what the core keeps its values as: WHOLE, NUMBER, TEXT, or any of these.
        type: what its dialect calls their type; of SQLite's the affinity of the column.
        nulls: of :data:`~equiv.core.functions.symbols.SYMBOL_WORDS` the one that says when it is NULL.
    """

    sort: str
    type: str
    collation: str = "BINARY"
    nulls: str = ""

    def of(self, text: str, kinds: Sequence[str], given: Iterable[exp.Expression]) -> exp.Expression:
        """The value of the symbol that a text in the dialect's words names, of arguments of some types."""
        signature = exp.Literal.string(symbol_signature(text, kinds, self.type))
        name = f"{self.nulls}{self.sort}_SYMBOL"
        found = call(name, signature, *(each.copy() for each in given))
        is_bare = self.collation == "BINARY"
        return found if is_bare else exp.Collate(this=found, expression=identifier(self.collation))


@dataclass(frozen=True, slots=True)
class Recursion:
    """A recursive common table expression.

    Attributes:
        columns: what its columns are as symbols.
        is_exact: whether its rows are identical where they are equal.
        choice: its number among those whose rows are a choice, from 1, or None.
        is_chain: whether it begins with one row, and each row makes one at most: then they have an order.
    """

    columns: tuple[ColumnSymbol, ...]
    is_exact: bool
    choice: int | None
    is_chain: bool = False


def _names(tree: exp.Expression) -> UniqueNames:
    """Names that a tree does not have."""
    named = (node.alias_or_name for node in tree.find_all(exp.Table, exp.Subquery, exp.CTE))
    return UniqueNames((*named, *(table.name for table in tree.find_all(exp.Table))))


def with_symbols(tree: exp.Expression) -> exp.Expression:
    """The tree in which rows of recursions are symbols: up to a number, which is one, as is each column.

    They are symbols of two bags: of the rows with which a recursion begins, and of the rows that its step
    makes of each relation that it may read.  Those relations are symbols in their turn, one for each number.
    Where both bags are the same whatever symbols mean, two recursions begin alike, go on alike, and have the
    same rows.  (SQLite's step reads one row at a time, which is a relation, too.)  A tree without any is
    returned as it is.
    """
    if not any(_recursive(tree)):
        return tree
    found = tree.copy()
    names = _names(found)
    for cte in reversed(list(_recursive(found))):
        cte.set("this", _symbolic(cte, names))
    return found


def begun(tree: exp.Expression) -> exp.Expression:
    """The tree with each recursion unrolled for a few steps: databases are generated from it."""
    found = tree.copy()
    names = _names(found)
    for cte in reversed(list(_recursive(found))):
        cte.set("this", _unrolled(cte, names))
    return found


def _recursive(tree: exp.Expression) -> Iterator[exp.Expression]:
    return (cte for cte in tree.find_all(exp.CTE) if cte.meta.get("recursion") is not None)


def _symbolic(cte: exp.Expression, names: UniqueNames) -> exp.Expression:
    recursion: Recursion = cte.meta["recursion"]
    columns = [each.alias for each in outputs(cte.this)]
    first, step, is_all = _parts(cte)
    # Of rows that are equal and differ UNION keeps any: then the bag counts.
    as_set = not is_all and recursion.is_exact
    moment, working = names.fresh("numbers"), names.fresh(cte.alias)
    relation = _rows("relation {0}", (column(moment, "n"),), recursion, columns, names)
    _read_instead(step, cte.alias, working)
    _add_ctes(step, [_cte(working, relation)])
    bags = _bag(first, as_set, names), _bag(step, as_set, names, moment)
    window = "".join(f" {to_sql(part)}" for name in _WINDOW if (part := cte.this.args.get(name)) is not None)
    nth = "" if recursion.choice is None else f"{recursion.choice} "
    name = f"recursion {nth}({{0}} UNION {'ALL ' * is_all}{{1}}{window})"
    rows = _rows(name, bags, recursion, columns, names)
    # Rows that UNION finds equal to earlier ones are left out, whichever step makes them.
    rows.set("distinct", exp.Distinct() if as_set else None)
    return rows


_WINDOW = ("order", "limit", "offset")


def _unrolled(cte: exp.Expression, names: UniqueNames) -> exp.Expression:
    columns = [each.alias for each in outputs(cte.this)]
    rows, step, _ = _parts(cte)
    ctes: list[exp.Expression] = []
    whole: exp.Expression | None = None
    for _ in range(_STEPS + 1):
        name = names.fresh(cte.alias)
        ctes.append(_cte(name, rows))
        found = exp.Select(expressions=[named(column(name, each), each) for each in columns])
        found.set("from_", exp.From(this=table(name, name)))
        whole = found if whole is None else exp.Union(this=whole, expression=found, distinct=False)
        rows = step.copy()
        _read_instead(rows, cte.alias, name)
    assert whole is not None
    whole.set("with_", exp.With(expressions=ctes))
    return whole


def _parts(cte: exp.Expression) -> tuple[exp.Expression, exp.Expression, bool]:
    """What a recursion begins with, its step, and whether it keeps all rows."""
    body: exp.Expression = cte.this
    steps: list[exp.Expression] = []
    is_all, first = True, body
    while isinstance(first, exp.SetOperation) and _reads(first.expression, cte.alias):
        is_all = not first.args.get("distinct")
        steps.append(first.expression)
        first = first.this
    step = steps.pop()
    for operand in select_operands(body):
        for output, first_one in zip(operand.expressions, outputs(body), strict=True):
            output.set("alias", identifier(first_one.alias))
    while steps:
        step = exp.Union(this=step, expression=steps.pop(), distinct=False)
    if not is_all:
        # UNION keeps one of equal rows, wherever they come from.
        for part in (*_spine(first), *select_operands(first), *select_operands(step)):
            if isinstance(part, exp.Select | exp.Union) and part.args.get("limit") is None:
                part.set("distinct", False if isinstance(part, exp.Union) else None)
    if (around := body.args.get("with_")) is not None:
        for part in (first, step):
            _add_ctes(part, [each.copy() for each in around.expressions])
    return first, step, is_all


def _reads(node: exp.Expression, name: str) -> bool:
    return any(table.name == name for table in node.find_all(exp.Table))


def _read_instead(tree: exp.Expression, old: str, new: str) -> None:
    for each in tree.find_all(exp.Table):
        if each.name == old:
            each.set("this", identifier(new))


def _add_ctes(query: exp.Expression, ctes: list[exp.Expression]) -> None:
    inner = query.args.get("with_")
    query.set("with_", exp.With(expressions=[*ctes, *(inner.expressions if inner is not None else ())]))


def _rows(
    of: str,
    given: Sequence[exp.Expression],
    recursion: Recursion,
    columns: Sequence[str],
    names: UniqueNames,
) -> exp.Expression:
    alias = names.fresh("numbers")
    within = column(alias, "n")
    kinds = [each.type for each in recursion.columns]

    def symbol(what: str, kind: ColumnSymbol, *further: exp.Expression) -> exp.Expression:
        text = f"{what} of {of}{f' at {{{len(given)}}}' * bool(further)}"
        return kind.of(text, kinds, (*given, *further))

    shown = [symbol(f"column {at}", column, within) for at, column in enumerate(recursion.columns, 1)]
    return numbered(alias, shown, columns, exp.LTE(this=within.copy(), expression=symbol("rows", _NUMBER)))


_NUMBER = ColumnSymbol("WHOLE", "int8")


def _bag(rows: exp.Expression, as_set: bool, names: UniqueNames, moment: str = "") -> exp.Expression:
    """A number for the bag of some rows, or for the set of them, which is never the same for two others.

    Args:
        as_set: whether how often a row is there does not count.
        moment: the alias of the numbers for each of which there are rows; none by default.
    """
    alias = names.fresh("rows")
    columns = [each.alias for each in outputs(rows)]
    one = column(moment, "n") if moment else exp.Literal.number(1)
    values = [one, *(column(alias, name) for name in columns)]
    element = call("ELEMENT", *values[:MOST_ARGUMENTS])
    for start in range(MOST_ARGUMENTS, len(values), MOST_ARGUMENTS - 1):
        element = call("ELEMENT", element, *values[start : start + MOST_ARGUMENTS - 1])
    summed = exp.Distinct(expressions=[element]) if as_set else element
    total = exp.Coalesce(this=exp.Sum(this=summed), expressions=[exp.Literal.number(0)])
    found = exp.Select(expressions=[named(total, "bag")])
    source = derived(rows, alias)
    if moment:
        source.set("lateral", True)
        found.set("from_", exp.From(this=table(NUMBERS.name, moment)))
        found.append("joins", exp.Join(this=source))
    else:
        found.set("from_", exp.From(this=source))
    return exp.Subquery(this=found)


def describe(tree: exp.Expression, schema: Schema) -> tuple[Fact, ...] | None:
    """Say of each recursion of a resolved tree, in its ``meta``, what it is.

    A column has the affinity and the collation that all its operands have; SQLite, which takes the first
    one's unless others hold values of another sort, has the same then.

    Returns:
        The facts by which its columns hold what their symbols hold, if they are in force; None without any
        recursion.

    Raises:
        UnsupportedError: symbols cannot stand for the rows of one.
    """
    found = [cte for cte in tree.find_all(exp.CTE) if _reads(cte.this, cte.alias)]
    if not found:
        return None
    ctx = under_claims(schema)
    choices, facts = 0, dict[Fact, None]()
    for cte in found:
        if any(not is_within(home(each) or tree, cte) for each in cte.find_all(exp.Column)):
            raise UnsupportedError("With", "a recursion that reads a row of a query around it")
        arms = [[each.unalias() for each in operand.expressions] for operand in select_operands(cte.this)]
        names = [each.alias for each in outputs(cte.this)]
        symbols = []
        for name, domain, fed in zip(names, _domains(cte, ctx, facts), zip(*arms, strict=True), strict=True):
            own = f"{cte.alias}.{name}"
            kind, collated = _compared([each for each in fed if _named_column(each) != own], ctx)
            symbols.append(ColumnSymbol(_SORTS[domain], f"affinity {kind}", collated))
        is_exact = all(each.sort in ("WHOLE", "TEXT") and each.collation == "BINARY" for each in symbols)
        is_all = all(not each.args.get("distinct") for each in _spine(cte.this))
        is_chain = _is_chain(cte)
        choice = _chooses(cte, is_exact, is_chain) or not (is_all or is_exact or is_chain)
        if choice and not _is_read_once(cte, tree):
            raise UnsupportedError("With", "a recursion whose rows are a choice, not read once")
        choices += choice
        cte.meta["recursion"] = Recursion(tuple(symbols), is_exact, choices if choice else None, is_chain)
    return tuple(facts)


def under_claims(schema: Schema) -> Context:
    """The schema under the facts that domains rest on, in force or not."""
    places = ((each.name, (stored.name,)) for each in schema.tables for stored in each.columns)
    types = (Fact(FactKind.TYPE, Grade.ASSUMED, *place) for place in places)
    return Context(schema, Facts((Fact(FactKind.NO_OVERFLOW, Grade.ASSUMED), *types)))


_SORTS = {Domain.INTEGER: "WHOLE", Domain.TEXT: "TEXT", Domain.NUMBER: "NUMBER", None: "ANY"}
_CASTS = {Domain.INTEGER: Affinity.INTEGER, Domain.TEXT: Affinity.TEXT, Domain.NUMBER: Affinity.NUMERIC}


def _domains(cte: exp.Expression, ctx: Context, facts: dict[Fact, None]) -> list[Domain | None]:
    """The domain of each column: one in which the first operand is, and a step whose rows read are; or None.

    The facts by which that holds are added to those given.
    """
    names = [each.alias for each in outputs(cte.this)]
    first, *_ = select_operands(cte.this)
    found: list[Domain | None] = [
        next((domain for domain in _CASTS if conforms(each.unalias(), domain, ctx) is not None), None)
        for each in first.expressions
    ]
    while True:
        of_names = dict(zip(names, found, strict=True))
        # The whole tree is copied: columns are looked up in the queries around.
        trial = _copied(cte)
        for each in list(trial.find_all(exp.Column)):
            source, own = source_of(each), of_names.get(each.name)
            if own is not None and isinstance(source, exp.Table) and source.name == cte.alias:
                read = exp.Cast(this=exp.Null(), to=exp.DataType(this=CASTS[_CASTS[own]]))
                each.set("read", read)
        for each in [each for each in trial.find_all(exp.Column) if each.args.get("read")]:
            each.replace(each.args["read"])
        rows = [[each.unalias() for each in operand.expressions] for operand in select_operands(trial.this)]
        claims = [
            None if domain is None else all_of(*(conforms(each, domain, ctx) for each in column))
            for domain, column in zip(found, zip(*rows, strict=True), strict=True)
        ]
        if all(domain is None or claim is not None for domain, claim in zip(found, claims, strict=True)):
            facts.update(dict.fromkeys(fact for claim in claims for fact in claim or ()))
            return found
        found = [domain if claim is not None else None for domain, claim in zip(found, claims, strict=True)]


def _copied(cte: exp.Expression) -> exp.Expression:
    """The same part of a copy of its tree."""
    root = cte.root()
    place = next(at for at, each in enumerate(root.find_all(exp.CTE)) if each is cte)
    return next(islice(root.copy().find_all(exp.CTE), place, None))


def _named_column(node: exp.Expression) -> str:
    """The table or common table expression with the column that a value is as it is; '' of another value."""
    source = source_of(node) if isinstance(node, exp.Column) else None
    return f"{source.name}.{node.name}" if isinstance(source, exp.Table) else ""


def _compared(column: Sequence[exp.Expression], ctx: Context) -> tuple[str, str]:
    """The affinity and the collation under which a column is compared that has values of several expressions.

    Raises:
        UnsupportedError: it has no one collation.
    """
    affinities = {Applied.WEAK if (found := affinity(each, ctx)) in WEAK else found for each in column}
    collations = {collation(each, ctx) if collation(each, ctx) != "" else "BINARY" for each in column}
    one = collations.pop()
    if one is None or collations:
        raise UnsupportedError("With", "a recursion whose operands disagree in a collation")
    return str(affinities.pop() if len(affinities) == 1 else Applied.UNKNOWN), one


def _spine(query: exp.Expression) -> Iterator[exp.Expression]:
    while isinstance(query, exp.SetOperation):
        yield query
        query = query.this


def _chooses(cte: exp.Expression, is_exact: bool, is_chain: bool) -> bool:
    """Whether a recursion has a part whose rows or values may be a choice."""
    parts = cte.this.find_all(exp.Limit, exp.Offset, exp.Window, exp.AggFunc, exp.Group, exp.Distinct)
    plain = [each.args.get("distinct") for each in select_operands(cte.this)] if is_exact else []
    plain += [cte.this.args.get(name) for name in ("limit", "offset")] if is_chain else []
    return any(not any(part is each for each in plain) for part in parts)


def _is_chain(cte: exp.Expression) -> bool:
    """Whether a recursion begins with one row, and its one step makes at most one of a row."""
    first, *steps = select_operands(cte.this)
    is_one = len(steps) == 1 and first.args.get("from_") is None and not steps[0].args.get("joins")
    source = steps[0].args["from_"].this if is_one else None
    return isinstance(source, exp.Table) and source.name == cte.alias


def _is_read_once(cte: exp.Expression, tree: exp.Expression) -> bool:
    """Whether a recursion belongs to a query as a whole, which reads it at one place."""
    reading = [
        each for each in tree.find_all(exp.Table) if each.name == cte.alias and not is_within(each, cte)
    ]
    if cte.parent is not tree.args.get("with_") or len(reading) != 1:
        return False
    select = reading[0].find_ancestor(exp.Select)
    return select is tree


def _cte(name: str, query: exp.Expression) -> exp.Expression:
    return exp.CTE(this=query, alias=exp.TableAlias(this=identifier(name)))
