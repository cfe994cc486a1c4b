"""Nodes of the core, built short."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlglot import exp

from equiv.core.functions.table import CALLS
from equiv.core.functions.traits import PREFIX
from equiv.core.model import NUMBERS


def identifier(name: str) -> exp.Identifier:
    """A name, which keeps its spelling."""
    return exp.Identifier(this=name, quoted=True)


def column(table: str, name: str) -> exp.Expression:
    """A column of a source."""
    return exp.Column(this=identifier(name), table=identifier(table))


def call(name: str, *arguments: exp.Expression) -> exp.Expression:
    """A call of a function of the core; a function of equiv's own is named without the prefix."""
    own = PREFIX + name
    return exp.Anonymous(this=own if own in CALLS else name, expressions=list(arguments))


def select(expressions: Iterable[exp.Expression]) -> exp.Select:
    """A SELECT of projections, without FROM."""
    return exp.Select(expressions=list(expressions))


def outputs(query: exp.Expression) -> list[exp.Expression]:
    """The projections of a query; of a set operation those of its first operand."""
    while isinstance(query, exp.SetOperation):
        query = query.this
    return list(query.expressions)


def named(value: exp.Expression, name: str) -> exp.Expression:
    """A projection."""
    return exp.Alias(this=value, alias=identifier(name))


def derived(query: exp.Expression, alias: str) -> exp.Expression:
    """A derived table."""
    return exp.Subquery(this=query, alias=exp.TableAlias(this=identifier(alias)))


def table(name: str, alias: str) -> exp.Expression:
    """A table or a common table expression under an alias."""
    return exp.Table(this=identifier(name), alias=exp.TableAlias(this=identifier(alias)))


def numbered(
    alias: str, shown: Sequence[exp.Expression], names: Sequence[str], test: exp.Expression
) -> exp.Select:
    """A row for each number that passes a test, under an alias."""
    found = select([named(value, name) for value, name in zip(shown, names, strict=True)])
    found.set("from_", exp.From(this=table(NUMBERS.name, alias)))
    found.set("where", exp.Where(this=test))
    return found
