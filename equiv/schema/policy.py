"""Facts as text, the notation of ``--assume`` and of ``equivalent_if``, and those that hold by a policy.

``not_null(t.c)``, ``unique(t.a, t.b)``, ``inclusion(t.a -> u.b)``, ``functional(t.a -> t.b)``,
``iso_date(t.c)``, ``iso_timestamp(t.c)``, ``numeric_text(t.c)``, ``type(t.c)``, ``check(t: expression)``,
``not_empty(t)``, ``exact_arithmetic``, ``no_overflow``, ``setting(TimeZone = 'UTC')``, ``fresh(v)``,
``immutable(f)``, ``stable(f)``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace

from equiv.core.lexer import Token, TokenKind, closing_index, name_of, strip_comments, tokens
from equiv.core.model import Domain, Schema, Table
from equiv.core.runner import RunnerError, connect_memory
from equiv.dialects.registry import dialect_of, reference
from equiv.errors import InputError, did_you_mean, nearest
from equiv.facts import Fact, FactKind, Facts, Grade
from equiv.files import is_text
from equiv.names import fold, is_same
from equiv.options import POLICIES

_PLACELESS = frozenset({FactKind.EXACT_ARITHMETIC, FactKind.NO_OVERFLOW, FactKind.NO_ERROR})
_OF_ROWS = frozenset({FactKind.NOT_EMPTY, FactKind.FRESH})
_OF_FUNCTIONS = frozenset({FactKind.IMMUTABLE, FactKind.STABLE})
_TWO_SIDED = frozenset({FactKind.INCLUSION, FactKind.FUNCTIONAL})
_OF_ONE_COLUMN = frozenset(
    {FactKind.NOT_NULL, FactKind.ISO_DATE, FactKind.ISO_TIMESTAMP, FactKind.NUMERIC_TEXT, FactKind.TYPE}
)
_NAMES = frozenset({TokenKind.NAME, TokenKind.QUOTED})
_SHAPE = re.compile(r"\s*(\w+)\s*(?:\((.*)\)\s*)?\Z", re.DOTALL)


FORMS = {
    FactKind.NOT_NULL.value: "not_null(t.c)",
    FactKind.UNIQUE.value: "unique(t.a, t.b)",
    FactKind.INCLUSION.value: "inclusion(t.a -> u.b)",
    FactKind.FUNCTIONAL.value: "functional(t.a -> t.b)",
    FactKind.CHECK.value: "check(t: a > 0)",
    FactKind.TYPE.value: "type(t.c)",
    FactKind.ISO_DATE.value: "iso_date(t.c)",
    FactKind.ISO_TIMESTAMP.value: "iso_timestamp(t.c)",
    FactKind.NUMERIC_TEXT.value: "numeric_text(t.c)",
    FactKind.NOT_EMPTY.value: "not_empty(t)",
    FactKind.EXACT_ARITHMETIC.value: "exact_arithmetic",
    FactKind.NO_OVERFLOW.value: "no_overflow",
    FactKind.SETTING.value: "setting(TimeZone = 'UTC')",
    FactKind.FRESH.value: "fresh(v)",
    FactKind.IMMUTABLE.value: "immutable(f)",
    FactKind.STABLE.value: "stable(f)",
}
"""An example of each kind of fact, as :func:`parse_fact` reads it."""


def parse_fact(text: str, schema: Schema) -> Fact:
    """An assumed fact from its text; names are found without regard to case.

    Raises:
        InputError: the text is no fact, or names what is not in the schema.
    """
    if not is_text(text):
        raise InputError("not a fact: it holds a NUL character or an unpaired surrogate")
    shape = _SHAPE.match(text)
    try:
        kind = FactKind(shape[1].lower()) if shape else None
    except ValueError:
        kind = None
    if shape is None or kind is None or (shape[2] is None) != (kind in _PLACELESS):
        raise InputError(_no_fact(text, shape[1] if shape else ""))
    if kind in _PLACELESS:
        return Fact(kind, Grade.ASSUMED)
    if kind is FactKind.CHECK:
        return _check(shape[2], schema)
    if kind in _OF_ROWS:
        return _of_rows(kind, shape[2], schema)
    if kind in _OF_FUNCTIONS:
        return _labelled(kind, shape[2], schema)
    if kind is FactKind.SETTING:
        return _setting(shape[2], schema)
    body = shape[2]
    sides = _split(tokens(body)[:-1], "->")
    if len(sides) != 1 + (kind in _TWO_SIDED):
        raise InputError(f"not a fact: {text!r}; {kind} takes {'' if kind in _TWO_SIDED else 'no '}->")
    return _about_columns(kind, [_columns(side, body, schema) for side in sides], text)


def _no_fact(text: str, word: str) -> str:
    """What is said of a text that has not the form of a fact: that of the kind that is meant, or of each."""
    near = nearest(word, FORMS)
    if near is not None:
        return f"not a fact: {text!r}; did you mean {FORMS[near]}?"
    return f"not a fact: {text!r}; the facts are {', '.join(FORMS.values())}"


def _about_columns(kind: FactKind, sides: Sequence[tuple[Table, tuple[str, ...]]], text: str) -> Fact:
    table, columns = sides[0]
    parent, parent_columns = sides[-1]
    if kind in _OF_ONE_COLUMN and len(columns) != 1:
        raise InputError(f"not a fact: {text!r}; {kind} takes one column")
    if kind is FactKind.TYPE and any(c.domain is Domain.ANY for c in table.columns if c.name in columns):
        raise InputError(f"not a fact: {text!r}; the column has no declared type to rely on")
    if kind is FactKind.INCLUSION:
        if len(columns) != len(parent_columns):
            raise InputError(f"not a fact: {text!r}; both sides must have as many columns")
        return Fact(kind, Grade.ASSUMED, table.name, columns, parent.name, parent_columns)
    if kind is FactKind.FUNCTIONAL:
        if parent is not table:
            raise InputError(f"not a fact: {text!r}; both sides must be of one table")
        return Fact(kind, Grade.ASSUMED, table.name, columns, "", parent_columns)
    return Fact(kind, Grade.ASSUMED, table.name, columns)


def _split(found: Sequence[Token], sign: str) -> list[list[Token]]:
    parts: list[list[Token]] = [[]]
    for token in found:
        if token.word == sign:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _columns(side: Sequence[Token], body: str, schema: Schema) -> tuple[Table, tuple[str, ...]]:
    """The one table and the columns of ``t.a, t.b``."""
    places: list[tuple[Table, str]] = []
    for place in _split(side, ","):
        if [token.kind in _NAMES for token in place] != [True, False, True] or place[1].word != ".":
            raise InputError(f"not a fact: {body!r}; a column is written table.column")
        table = _table(name_of(body, place[0]), schema)
        column = table.column(name := name_of(body, place[2]))
        if column is None:
            known = did_you_mean(name, (each.name for each in table.columns))
            raise InputError(f"no column {name!r} in table {table.name!r}{known}")
        places.append((table, column.name))
    tables, columns = zip(*places, strict=True)
    if len(set(map(id, tables))) > 1 or len(set(columns)) < len(columns):
        raise InputError(f"not a fact: {body!r}; the columns must be of one table and different")
    return tables[0], columns


def _table(name: str, schema: Schema) -> Table:
    table = schema.table(name)
    if table is None:
        known = did_you_mean(name, (each.name for each in schema.tables))
        raise InputError(f"no table {name!r} in the schema{known}")
    return table


def _one_name(kind: FactKind, body: str) -> str:
    found = tokens(body)[:-1]
    if len(found) != 1 or found[0].kind not in _NAMES:
        raise InputError(f"not a fact: {body!r}; an example is {FORMS[kind.value]}")
    return name_of(body, found[0])


def _labelled(kind: FactKind, body: str, schema: Schema) -> Fact:
    """What is said of a function of the schema's own, by its name."""
    name, known = _one_name(kind, body), [each for each, _ in schema.functions]
    found = [each for each in known if each == name] or [each for each in known if is_same(each, name)]
    if len(found) != 1 or schema.sides:
        raise InputError(f"no function {name!r} in the schema{did_you_mean(name, known)}")
    return Fact(kind, Grade.ASSUMED, expression=found[0])


def _of_rows(kind: FactKind, body: str, schema: Schema) -> Fact:
    name = _one_name(kind, body)
    return Fact(
        kind, Grade.ASSUMED, _stored(name, schema) if kind is FactKind.FRESH else _table(name, schema).name
    )


def _stored(name: str, schema: Schema) -> str:
    """The name of a materialised view as the schema spells it."""
    if schema.sides:
        raise InputError("fresh(v) needs both queries in one dialect")
    known = [view.name for view in schema.native_views if view.stored]
    found = [each for each in known if each == name] or [e for e in known if is_same(e, name)]
    if len(found) != 1:
        raise InputError(f"no materialised view {name!r} in the schema{did_you_mean(name, known)}")
    return found[0]


def _setting(body: str, schema: Schema) -> Fact:
    """The one value of a setting that the dialect's reader takes texts under."""
    found = tokens(body)[:-1]
    if [token.kind in _NAMES for token in found] != [True, False, False] or found[1].word != "=":
        raise InputError(f"not a fact: {body!r}; an example is {FORMS[FactKind.SETTING.value]}")
    asked, value = name_of(body, found[0]), body[found[2].start : found[2].end].strip("'")
    taken = dialect_of(schema).taken
    name = next((each for each in taken if each.lower() == asked.lower()), None)
    if name is None:
        raise InputError(f"no proof depends on the setting {asked!r}{did_you_mean(asked, taken)}")
    stated = dict(schema.settings).get(name)
    if stated is not None and value.lower() != stated.lower():
        raise InputError(f"the schema says {name} = {stated!r}")
    if stated is None and value.lower() != taken[name].lower():
        assumed = f"equiv assumes {taken[name]!r}. Put SET {name} = {value!r} into the schema"
        raise InputError(f"cannot assume {name} = {value!r}: {assumed}")
    return Fact(FactKind.SETTING, Grade.ASSUMED, columns=(name,), expression=stated or taken[name])


def _check(body: str, schema: Schema) -> Fact:
    found = tokens(body)
    if len(found) < 4 or found[1].word != ":" or found[0].kind not in _NAMES:
        raise InputError(f"not a fact: {body!r}; an example is check(t: a > 0)")
    table = _table(name_of(body, found[0]), schema)
    expression = strip_comments(body[found[1].end :])
    _require_valid(expression, table)
    return Fact(FactKind.CHECK, Grade.ASSUMED, table.name, expression=expression)


def _require_valid(expression: str, table: Table) -> None:
    """Let SQLite say whether this can be a CHECK of the table: one expression over its own columns."""
    columns = tuple(replace(column, generated=False) for column in table.columns)
    bare = Table(table.name, columns, checks=(expression,))
    enclosed = tokens(f"({expression})")[:-1]
    if closing_index(enclosed, 0) != len(enclosed) - 1:
        raise InputError(f"not a fact: {expression!r}: its parentheses do not match")
    with closing(connect_memory()) as connection:
        try:
            for statement in reference().create(Schema((bare,))):
                connection.execute(statement)
        except RunnerError as error:
            raise InputError(f"not a fact: {expression!r}: {error}") from None


def facts_for(
    schema: Schema,
    policy: str,
    assumed: Iterable[Fact] = (),
    observed: Iterable[Fact] = (),
    *,
    rounding: str = "ignore",
    errors: str = "excused",
) -> Facts:
    """The facts that a policy admits, each once, under the strongest grade that promises it.

    Args:
        schema: Where declared and intended facts come from.
        policy: One of :data:`equiv.options.POLICIES`.
        assumed: What the caller says; holds under every policy.
        observed: What was mined from the data; used by the policy ``observed``.
        rounding: One of :data:`equiv.relation.ROUNDINGS`; ``strict`` goes without ``exact_arithmetic`` and
            ``no_overflow``.
        errors: ``excused`` admits ``no_error``; ``strict`` goes without.

    Raises:
        InputError: the policy is unknown.
    """
    if policy not in POLICIES:
        raise InputError(f"unknown fact policy {policy!r}; known are {', '.join(POLICIES)}")
    by_claim: dict[object, Fact] = {}

    def admit(facts: Iterable[Fact]) -> None:
        for fact in facts:
            by_claim.setdefault(claim_of(fact), fact)

    admit(
        Fact(FactKind.SETTING, Grade.DECLARED, columns=(name,), expression=value)
        for name, value in schema.settings
    )
    promised = [fact for table in schema.tables for fact in table.promised]
    for table in schema.tables:
        admit(fact for fact in table.promised if fact.grade is Grade.DECLARED)
        admit(_declared(table))
        if policy != "declared":
            admit(fact for fact in table.promised if fact.grade is Grade.INTENDED)
            admit(_intended(table, schema))
    if policy == "observed":
        admit(replace(fact, grade=Grade.OBSERVED) for fact in observed)
    if policy != "declared":
        admit(
            Fact(FactKind(label), Grade.INTENDED, expression=name)
            for name, label in schema.functions
            if label != "volatile"
        )
    admit(replace(fact, grade=Grade.ASSUMED) for fact in assumed)
    admit(fact for fact in promised if fact.grade is Grade.ASSUMED)
    if policy != "declared":
        known = dialect_of(schema)
        stated = {name for name, _ in schema.settings}
        admit(
            Fact(FactKind.SETTING, Grade.ASSUMED, columns=(name,), expression=known.taken[name])
            for name in sorted(known.pinned - stated)
        )
    if rounding != "strict":
        admit(Fact(kind, Grade.ASSUMED) for kind in (FactKind.EXACT_ARITHMETIC, FactKind.NO_OVERFLOW))
    if errors == "excused":
        admit((Fact(FactKind.NO_ERROR, Grade.ASSUMED),))
    return Facts(by_claim.values())


def claim_of(fact: Fact) -> object:
    """The claim of a fact without its grade: equal for two facts that say the same."""
    lower = tuple(map(fold, fact.columns))
    columns = frozenset(lower) if fact.kind is FactKind.UNIQUE else lower
    parents = tuple(map(fold, fact.parent_columns))
    return fact.kind, fold(fact.table), columns, fold(fact.parent), parents, fact.expression


def _declared(table: Table) -> Iterator[Fact]:
    """What SQLite enforces."""
    for column in table.columns:
        if column.not_null:
            yield Fact(FactKind.NOT_NULL, Grade.DECLARED, table.name, (column.name,))
        # Not even a STRICT table tests what a VIRTUAL generated column yields.
        enforced = (table.strict and not column.generated) or column.name == table.rowid_alias
        if enforced and column.domain is not Domain.ANY:
            yield Fact(FactKind.TYPE, Grade.DECLARED, table.name, (column.name,))
    for columns in (table.primary_key, *table.unique):
        if columns:
            yield Fact(FactKind.UNIQUE, Grade.DECLARED, table.name, columns)
    for expression in table.checks:
        # What compares with the clock held as the row was written.
        if _CLOCKS.isdisjoint(each.word for each in tokens(expression) if each.kind is TokenKind.NAME):
            yield Fact(FactKind.CHECK, Grade.DECLARED, table.name, expression=expression)


_CLOCKS = frozenset(("CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP"))


def _intended(table: Table, schema: Schema) -> Iterator[Fact]:
    """What the SQL standard reads in the DDL and SQLite does not enforce."""
    for name in table.primary_key:
        yield Fact(FactKind.NOT_NULL, Grade.INTENDED, table.name, (name,))
    for column in table.columns:
        # A generated column holds what its expression gives, whatever its declared type.
        if column.domain is not Domain.ANY and not column.generated:
            yield Fact(FactKind.TYPE, Grade.INTENDED, table.name, (column.name,))
    for key in table.foreign_keys:
        parent = schema.table(key.parent)
        if parent is None or not all(map(parent.column, key.parent_columns)):
            continue
        yield Fact(
            FactKind.INCLUSION, Grade.INTENDED, table.name, key.columns, parent.name, key.parent_columns
        )
