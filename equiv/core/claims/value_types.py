"""Types of expressions in SQLite (affinity, collation, domain), and the origins of their values.

Affinity and collation are properties of an expression's syntax (and of the
columns in it); https://sqlite.org/datatype3.html sections 3.2, 4.2 and 7.1.  A
domain is a property of its values, and mostly rests on facts: the functions
that ask for one return the facts by which it holds, or None.

CASE, COALESCE, MIN, a derived table and a scalar subquery hand values on as they are: the values of an
expression come from the columns, literals and computed expressions at the end of these ways.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from sqlglot import exp

from equiv.core.claims import blocks
from equiv.core.functions.symbols import symbol_type
from equiv.core.functions.table import cast_affinity, function_of
from equiv.core.model import Affinity, Context, Domain
from equiv.facts import Fact, FactKind
from equiv.names import folded

HoldingFacts = tuple[Fact, ...] | None
"""The facts by which a claim holds (maybe none), or None if it does not."""


class Applied(StrEnum):
    """The affinity of an expression, as far as comparisons can tell."""

    NUMERIC = "NUMERIC"
    """INTEGER, REAL or NUMERIC."""
    TEXT = "TEXT"
    BLOB = "BLOB"
    NONE = "NONE"
    """No affinity: a literal, an operator, a function call."""
    WEAK = "WEAK"
    """NONE or BLOB, which the documentation does not fix: an expression column of a derived table."""
    UNKNOWN = "UNKNOWN"
    """Not fixed by the documentation: a column of a compound query whose operands disagree, or one that
    USING merges under FULL JOIN."""


WEAK = frozenset({Applied.BLOB, Applied.NONE, Applied.WEAK})
"""Affinities that convert nothing that is compared with a literal."""


def affinity(node: exp.Expression, ctx: Context) -> Applied:
    """The affinity that an expression brings to a comparison."""
    match node:
        case exp.Column():
            return _column_affinity(node, ctx)
        case exp.Cast():
            return _APPLIED[cast_affinity(node)]
        case exp.Collate():
            return affinity(node.this, ctx)
        case exp.Subquery() if isinstance(node.this, exp.Select):
            return affinity(node.this.expressions[0].unalias(), ctx)
        case exp.Subquery():
            return Applied.UNKNOWN
        case exp.Coalesce() if _is_merged_column(node):
            return Applied.UNKNOWN
        case exp.Anonymous(name=name, expressions=[exp.Literal() as signature, *_]) if name.endswith(
            "_SYMBOL"
        ):
            return _OF_SYMBOLS.get(symbol_type(signature.name), Applied.NONE)
    return Applied.NONE


_OF_SYMBOLS = {f"affinity {each}": each for each in Applied}
"""By what the signature of a symbol says of it."""


def _is_merged_column(call: exp.Expression) -> bool:
    """Whether a COALESCE may be the column that USING merges under RIGHT or FULL JOIN.

    In SQLite 3.40 it then has no affinity and no collation, in later versions those of its first column.
    """
    columns = [call.this, *call.expressions]
    if not all(isinstance(each, exp.Column) for each in columns):
        return False
    select = blocks.home(columns[0]) if len(folded(each.name for each in columns)) == 1 else None
    return select is not None and any(
        join.side.upper() in ("RIGHT", "FULL") for join in select.args.get("joins") or ()
    )


_APPLIED = {
    Affinity.INTEGER: Applied.NUMERIC,
    Affinity.REAL: Applied.NUMERIC,
    Affinity.NUMERIC: Applied.NUMERIC,
    Affinity.TEXT: Applied.TEXT,
    Affinity.BLOB: Applied.BLOB,
}


def _column_affinity(column: exp.Expression, ctx: Context) -> Applied:
    base = blocks.base_column(column, ctx)
    if base is not None:
        return _APPLIED[base[1].affinity]
    if blocks.reads_function(column):
        return Applied.BLOB
    fed = blocks.feeds(column)
    found = {Applied.UNKNOWN if loses_affinity(feed, ctx) else affinity(feed, ctx) for feed in fed or ()}
    if found and found <= WEAK:
        return Applied.BLOB if found == {Applied.BLOB} else Applied.WEAK
    return found.pop() if len(found) == 1 else Applied.UNKNOWN


def loses_affinity(feed: exp.Expression, ctx: Context) -> bool:
    """Whether a column of a derived table has not the affinity of what it hands on: it is typed first."""
    return not isinstance(feed, exp.Cast) and blocks.is_typed_early(feed) and affinity(feed, ctx) not in WEAK


def loses_collation(feed: exp.Expression, ctx: Context) -> bool:
    """Whether a column of a derived table has not the collation of what it hands on: it is typed first."""
    return not isinstance(feed, exp.Collate) and blocks.is_typed_early(feed) and not is_binary(feed, ctx)


def collation(node: exp.Expression, ctx: Context) -> str | None:
    """The collating sequence that an expression brings to a comparison, '' for none, None if not known."""
    match node:
        case exp.Collate():
            return str(node.expression.name).upper()
        case exp.Cast():
            return collation(node.this, ctx)
        case exp.Column():
            base = blocks.base_column(node, ctx)
            if base is not None:
                return base[1].collation.upper()
            if blocks.reads_function(node):
                return "BINARY"
            fed = blocks.feeds(node)
            if not fed or any(loses_collation(feed, ctx) for feed in fed):
                return None
            collations = {collation(feed, ctx) or "BINARY" for feed in fed}
            return collations.pop() if len(collations) == 1 else None
        case exp.Subquery():
            return ""
        case exp.Coalesce() if _is_merged_column(node):
            return None
    return "" if node.find(exp.Collate) is None else None


def is_binary(node: exp.Expression, ctx: Context) -> bool:
    """Whether a comparison with this operand first uses BINARY."""
    return collation(node, ctx) in ("", "BINARY")


def is_repeatable(node: exp.Expression) -> bool:
    """Whether an expression may stand twice: it holds no subquery (which may pick among several rows)."""
    return node.find(exp.Query) is None


def conforms(node: exp.Expression, domain: Domain, ctx: Context) -> HoldingFacts:
    """The facts by which every value of an expression is NULL or in a domain, or None."""
    match node:
        case exp.Null():
            return ()
        case exp.Column():
            return _column_conforms(node, domain, ctx)
        case exp.Literal() | exp.Neg() if blocks.is_number(node):
            own = Domain.INTEGER if blocks.is_integer_literal(node) else Domain.NUMBER
            return () if _within(own, domain) else None
        case exp.Literal():
            return () if domain is Domain.TEXT else None
        case exp.Cast():
            target = _CAST_DOMAINS.get(cast_affinity(node))
            return () if target is not None and _within(target, domain) else None
        case exp.Subquery() if isinstance(node.this, exp.Select):
            return conforms(node.this.expressions[0].unalias(), domain, ctx)
        case exp.Filter() | exp.Window():
            return conforms(node.this, domain, ctx)
    if blocks.is_boolean(node):
        return () if _within(Domain.BOOLEAN, domain) else None
    return _call_conforms(node, domain, ctx)


_CAST_DOMAINS = {
    Affinity.INTEGER: Domain.INTEGER,
    Affinity.REAL: Domain.NUMBER,
    Affinity.NUMERIC: Domain.NUMBER,
    Affinity.TEXT: Domain.TEXT,
}


def _within(own: Domain, wanted: Domain) -> bool:
    order = (Domain.BOOLEAN, Domain.INTEGER, Domain.NUMBER)
    return own is wanted or (own in order and wanted in order and order.index(own) <= order.index(wanted))


def _column_conforms(column: exp.Expression, domain: Domain, ctx: Context) -> HoldingFacts:
    base = blocks.base_column(column, ctx)
    if base is None:
        fed = blocks.feeds(column)
        return all_of(*(conforms(feed, domain, ctx) for feed in fed)) if fed else None
    table, found = base
    if table.rowid_alias == found.name and _within(Domain.INTEGER, domain):
        return ()
    fact = ctx.facts.find(FactKind.TYPE, table.name, found.name)
    return (fact,) if fact is not None and _within(found.domain, domain) else None


def _call_conforms(node: exp.Expression, domain: Domain, ctx: Context) -> HoldingFacts:
    match node:
        case exp.Substring():
            subject = conforms(node.this, Domain.TEXT, ctx)
            subject = subject if subject is not None else conforms(node.this, Domain.NUMBER, ctx)
            return subject if domain is Domain.TEXT else None
        case exp.Replace():
            # Where the pattern is '', REPLACE gives its subject back, a number as a number.
            return conforms(node.this, domain, ctx) if domain is Domain.TEXT else None
    function = function_of(node)
    if isinstance(node, exp.Case) or (function is not None and function.passes):
        return all_of(*(conforms(value, domain, ctx) for value in results(node)))
    if function is None:
        return None
    if function.results == {"text"}:
        return () if domain is Domain.TEXT else None
    if function.results == {"integer"}:
        return () if _within(Domain.INTEGER, domain) else None
    if function.keeps_whole:
        return _number_conforms(node, domain, ctx)
    return () if function.is_number and domain is Domain.NUMBER else None


def _number_conforms(node: exp.Expression, domain: Domain, ctx: Context) -> HoldingFacts:
    if domain is Domain.NUMBER:
        return ()
    if domain is not Domain.INTEGER:
        return None
    arguments = [a.expressions[0] if isinstance(a, exp.Distinct) else a for a in node.iter_expressions()]
    overflow = ctx.facts.find(FactKind.NO_OVERFLOW)
    return all_of((overflow,) if overflow else None, *(conforms(a, domain, ctx) for a in arguments))


def results(node: exp.Expression) -> list[exp.Expression]:
    """The arguments of which one becomes the value of a passing call; NULL for a missing ELSE."""
    if isinstance(node, exp.Case):
        branches = [branch.args["true"] for branch in node.args["ifs"]]
        return [*branches, node.args.get("default") or exp.Null()]
    if isinstance(node, exp.If):
        return [node.args["true"], node.args.get("false") or exp.Null()]
    if isinstance(node, exp.Nullif):
        return [node.this]
    first = node.this.expressions[0] if isinstance(node.this, exp.Distinct) else node.this
    return [first, *node.expressions]


def always_real(node: exp.Expression, ctx: Context) -> HoldingFacts:
    """The facts by which every value of an expression is NULL or of storage class REAL, or None."""
    match node:
        case exp.Column():
            base = blocks.base_column(node, ctx)
            is_real = base is not None and base[1].affinity is Affinity.REAL
            return conforms(node, Domain.NUMBER, ctx) if is_real else None
        case exp.Literal() | exp.Neg() if blocks.is_number(node):
            return () if blocks.is_real_literal(node) else None
        case exp.Neg():
            return always_real(node.this, ctx)
        case exp.Cast():
            return () if cast_affinity(node) is Affinity.REAL else None
        case exp.Filter() | exp.Sum() | exp.Min() | exp.Max() if not node.expressions:
            return always_real(results(node)[0] if not isinstance(node, exp.Filter) else node.this, ctx)
        case exp.Add() | exp.Sub() | exp.Mul() | exp.Div():
            left = always_real(node.this, ctx)
            return left if left is not None else always_real(node.expression, ctx)
        case exp.Case() | exp.Coalesce():
            return all_of(*(always_real(v, ctx) for v in results(node) if not isinstance(v, exp.Null)))
    function = function_of(node)
    return () if function is not None and function.results == {"real"} else None


def all_of(*claims: HoldingFacts) -> HoldingFacts:
    """The facts of all claims together, or None if one does not hold."""
    found: list[Fact] = []
    for claim in claims:
        if claim is None:
            return None
        found += claim
    return tuple(dict.fromkeys(found))


class OriginSort(StrEnum):
    """The kind of values that an origin gives, whatever the facts are."""

    NUMBER = "number"
    """NULL or a number."""
    TEXT = "text"
    """Values that TEXT affinity leaves unchanged: no number."""
    WORD = "word"
    """A text that no affinity makes a number of."""
    CONVERTED = "converted"
    """Values that NUMERIC affinity leaves unchanged: a column applied it when they were stored."""
    ANY = "any"


@dataclass(frozen=True, slots=True, order=True)
class ValueOrigin:
    """A base table's column, a literal, a parameter, or the columns from which a value is computed."""

    sort: OriginSort
    name: str
    is_constant: bool = False

    def __str__(self) -> str:
        return self.name


_UNCHANGED = {
    Applied.NUMERIC: (OriginSort.NUMBER, OriginSort.CONVERTED, OriginSort.WORD),
    Applied.TEXT: (OriginSort.TEXT, OriginSort.WORD),
    Applied.WEAK: (OriginSort.TEXT, OriginSort.WORD),
}


def effect(conversion: Applied, origin: ValueOrigin) -> str:
    """The effect of a conversion on values of an origin: its name if it may change one, else ''."""
    if conversion is Applied.NONE or origin.sort in _UNCHANGED.get(conversion, ()):
        return ""
    return str(conversion)


def origins(node: exp.Expression, ctx: Context) -> Iterator[ValueOrigin]:
    """The origins of an expression's values; NULL has none."""
    match node:
        case exp.Null():
            return
        case exp.Collate() | exp.Filter() | exp.Window() | exp.Alias():
            yield from origins(node.this, ctx)
        case exp.Column():
            yield from _of_column(node, ctx)
        case exp.Subquery() if all(operand.expressions for operand in blocks.select_operands(node.this)):
            for operand in blocks.select_operands(node.this):
                yield from origins(operand.expressions[0].unalias(), ctx)
        case exp.Literal() | exp.Neg() if blocks.is_number(node):
            yield ValueOrigin(OriginSort.NUMBER, node.sql(), is_constant=True)
        case exp.Literal() if blocks.is_text(node):
            is_word = not any(character.isdigit() for character in node.name)
            yield ValueOrigin(
                OriginSort.WORD if is_word else OriginSort.TEXT, repr(node.name), is_constant=True
            )
        case exp.Parameter():
            yield ValueOrigin(OriginSort.ANY, f"?{node.name}", is_constant=True)
        case _ if _passes(node):
            for result in results(node):
                yield from origins(result, ctx)
        case _:
            yield ValueOrigin(_sort(node), _computed(node, ctx))


def _passes(node: exp.Expression) -> bool:
    function = function_of(node)
    return isinstance(node, exp.Case) or (function is not None and function.passes)


def _of_column(column: exp.Expression, ctx: Context) -> Iterator[ValueOrigin]:
    base = blocks.base_column(column, ctx)
    if base is not None:
        yield ValueOrigin(
            _STORED.get(affinity(column, ctx), OriginSort.ANY), f"{base[0].name}.{base[1].name}"
        )
        return
    fed = blocks.feeds(column)
    if fed is None:
        yield ValueOrigin(OriginSort.ANY, "a column")
    for each in fed or ():
        yield from origins(each, ctx)


_STORED = {Applied.NUMERIC: OriginSort.CONVERTED, Applied.TEXT: OriginSort.TEXT}


def _computed(node: exp.Expression, ctx: Context) -> str:
    """The columns of base tables from which a value is computed."""
    names = {origin.name for column in node.find_all(exp.Column) for origin in origins(column, ctx)}
    return f"computed from {', '.join(sorted(names))}" if names else "computed"


def _sort(node: exp.Expression) -> OriginSort:
    if isinstance(node, exp.Cast):
        target = cast_affinity(node)
        return {Affinity.BLOB: OriginSort.ANY, Affinity.TEXT: OriginSort.TEXT}.get(target, OriginSort.NUMBER)
    if blocks.is_boolean(node):
        return OriginSort.NUMBER
    function = function_of(node)
    if function is None:
        return OriginSort.ANY
    if function.is_number:
        return OriginSort.NUMBER
    return OriginSort.TEXT if function.results <= {"text", "blob"} else OriginSort.ANY
