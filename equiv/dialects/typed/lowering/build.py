"""Nodes of the core, built short."""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from equiv.core.functions.own import OWN, PREFIX

_CASTS = {"INTEGER": exp.DType.INT, "REAL": exp.DType.DOUBLE, "TEXT": exp.DType.TEXT}


def column(table: str, name: str) -> exp.Expression:
    """A column of a source."""
    return exp.Column(this=identifier(name), table=identifier(table))


def identifier(name: str) -> exp.Identifier:
    """A name, which keeps its spelling."""
    return exp.Identifier(this=name, quoted=True)


def number(text: str) -> exp.Expression:
    """A number by its digits."""
    return exp.Neg(this=exp.Literal.number(text[1:])) if text.startswith("-") else exp.Literal.number(text)


def string(text: str) -> exp.Expression:
    """A text."""
    return exp.Literal.string(text)


def call(name: str, *arguments: exp.Expression) -> exp.Expression:
    """A function of the core, by name; of one of its own without the prefix."""
    own = PREFIX + name
    return exp.Anonymous(this=own if own in OWN else name, expressions=list(arguments))


def cast(value: exp.Expression, to: str) -> exp.Expression:
    """CAST to INTEGER, REAL or TEXT."""
    return exp.Cast(this=value, to=exp.DataType(this=_CASTS[to]))


def real(value: exp.Expression) -> exp.Expression:
    """A number as a REAL, so that division does not cut it off."""
    return cast(value, "REAL")


def joined(*parts: exp.Expression) -> exp.Expression:
    """Texts one after another."""
    found = parts[0]
    for part in parts[1:]:
        found = exp.DPipe(this=found, expression=part)
    return found


def part(value: exp.Expression, start: int, length: int | None = None) -> exp.Expression:
    """Characters of a text from a place on, counted from 1."""
    given = [value, number(str(start))]
    return call("SUBSTR", *given, *([] if length is None else [number(str(length))]))


def case(
    branches: Iterable[tuple[exp.Expression, exp.Expression]], default: exp.Expression
) -> exp.Expression:
    """CASE with conditions."""
    ifs = [exp.If(this=condition, true=value) for condition, value in branches]
    return exp.Case(ifs=ifs, default=default)


def all_of(parts: Iterable[exp.Expression], node: type[exp.Expression] = exp.And) -> exp.Expression:
    """Conditions joined by AND, or by another operator."""
    found: exp.Expression | None = None
    for each in parts:
        found = each if found is None else node(this=found, expression=each)
    assert found is not None
    return found


def is_null(value: exp.Expression) -> exp.Expression:
    """IS NULL."""
    return exp.Is(this=value, expression=exp.Null())


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
