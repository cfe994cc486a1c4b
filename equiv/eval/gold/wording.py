"""Signs in question and hint: constants, columns and comparisons that the query has otherwise.

A word of a question mentions a name whatever its form; :func:`words_of` has the forms that count as one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from sqlglot import exp

from equiv.core.claims.blocks import COMPARISONS, is_literal, is_number
from equiv.core.printing import to_sql
from equiv.eval.gold.execution import QueryInDatabase, sign_in
from equiv.eval.gold.finding import Basis
from equiv.names import fold, folded

_RUN = re.compile(r"[A-Za-z]+|\d+", re.ASCII)
_NUMBER = re.compile(r"\d+(?:\.\d+)?", re.ASCII)
_NO_EXTREME = re.compile(r"\bat (?:the )?(?:least|most|max|min)|\b(?:first|last) names?\b", re.IGNORECASE)
_CUT = re.compile(r"(?:ies|es|s|y|e|ing|ed)\Z")

HIGHEST = frozenset(
    [
        *("highest", "most", "largest", "biggest", "maximum", "greatest", "top", "latest", "newest"),
        *("tallest", "heaviest", "max"),
    ]
)
LOWEST = frozenset(
    [
        *("lowest", "least", "smallest", "minimum", "fewest", "shortest", "earliest", "cheapest"),
        *("lightest", "slowest", "min"),
    ]
)
SUPERLATIVES = HIGHEST.union(
    LOWEST, ["fastest", "oldest", "youngest", "best", "worst", "longest", "strongest", "first", "last"]
)


@lru_cache(maxsize=1024)
def words_of(text: str) -> frozenset[str]:
    """The stems of the words of a text; parts of a name in camelCase or snake_case count apart."""
    return frozenset(stem(part) for run in _RUN.findall(text) for part in _parts(run))


def _parts(run: str) -> Iterator[str]:
    """The words of a run of letters in camelCase: ``HTMLPage`` has two."""
    start = 0
    for place in range(1, len(run)):
        ends_word = run[place - 1].islower() or run[place + 1 : place + 2].islower()
        if run[place].isupper() and ends_word:
            yield run[start:place]
            start = place
    yield run[start:]


def plain_words(text: str) -> list[str]:
    """The words of a text in lower case, as they stand."""
    return re.findall(r"[a-z]+", text.lower())


def superlatives_of(question: str) -> frozenset[str]:
    """The superlatives of a question; "at least" and "last name" are none."""
    return SUPERLATIVES.intersection(plain_words(_NO_EXTREME.sub(" ", question)))


def stem(word: str) -> str:
    """A word in lower case without its commonest endings."""
    lower = word.lower()
    return _CUT.sub("", lower) if len(lower) > 3 else lower


@lru_cache(maxsize=1024)
def numbers_of(text: str) -> frozenset[float]:
    """The numbers in a text; a run of six or eight digits also counts as year, month and day."""
    found = set()
    for token in _NUMBER.findall(text.replace(",", "")):
        found.add(float(token))
        if token.isdigit() and len(token) in {6, 8}:
            found |= {float(token[:4]), float(token[4:6]), float(token[6:] or token[4:6])}
    return frozenset(found)


_COMPARISON = re.compile(r"([\w`\"()-]{2,40}?)[`\")]{0,3}\s?(>=|<=|>|<)\s?'?(\d+(?:\.\d+)?)")
_OPERATORS = {exp.GT: ">", exp.GTE: ">=", exp.LT: "<", exp.LTE: "<="}
_MIRRORED = {">": "<", "<": ">", ">=": "<=", "<=": ">="}
_PLAIN = frozenset((0.0, 1.0, 12.0, 60.0, 100.0, 1000.0, 3600.0))
"""Numbers of calculations, which no question has."""
_AMOUNT = r"\s+[$€]?(\d+(?:,\d{3})*(?:\.\d+)?)"
_MORE = r"(?:(?<!no )(?:more|greater|higher|larger|older|longer) than|(?<!not )\bover|exceeds?|after)"
_LESS = r"(?:(?<!no )(?:less|fewer|lower|smaller|younger|shorter|lighter) than|under|below|before)"
_LEAST = r"(?:at least|no (?:less|fewer|lower) than|not less than)"
_MOST = r"(?:at most|no (?:more|greater|higher) than|not more than|up to)"
_BOUNDS = (
    (re.compile(_MORE + _AMOUNT, re.IGNORECASE), ">"),
    (re.compile(_LESS + _AMOUNT, re.IGNORECASE), "<"),
    (re.compile(_LEAST + _AMOUNT, re.IGNORECASE), ">="),
    (re.compile(_MOST + _AMOUNT, re.IGNORECASE), "<="),
)
_DISTINCT = frozenset(["distinct", "different", "unique", "repetitive"])
_IDENTIFIER = re.compile(r"`([^`]{1,60})`|\b([A-Za-z][a-z]*(?:[A-Z_]\w+))\b")


@sign_in(Basis.TEXT)
def strange_constant(subject: QueryInDatabase) -> str | None:
    """The query compares with a constant that neither the question nor its hint has.

    No fault: the constant is the database's word for what the question says.
    Example: ``WHERE price = 15`` for "costs 12".
    """
    if not subject.gold.question:
        return None
    asked = f"{subject.gold.question} {subject.gold.hint}"
    words, numbers = words_of(asked), numbers_of(asked)
    for node in subject.nodes(*COMPARISONS, exp.Between, exp.In):
        for side in node.iter_expressions():
            if not is_literal(side) or isinstance(side, exp.Null):
                continue
            own = numbers_of(side.name)
            if own - _PLAIN - numbers if own else words_of(side.name) and not words_of(side.name) & words:
                return f"neither question nor hint has the constant of {to_sql(node.copy())}"
    return None


@sign_in(Basis.TEXT)
def missing_number(subject: QueryInDatabase) -> str | None:
    """The question has a number that the query has not.

    No fault: the number is written out otherwise, or is none of the condition.
    Example: ``WHERE price > 10`` for "costs more than 12".
    """
    missing = numbers_of(subject.gold.question) - numbers_of(subject.gold.sql) - _PLAIN
    if missing:
        return f"the query has no {min(missing):g}, which the question has"
    return None


@sign_in(Basis.TEXT)
def unasked_column(subject: QueryInDatabase) -> str | None:
    """A selected column has a name of which neither question nor hint has a word.

    No fault: the question says it in other words.
    Example: ``SELECT id, name`` for "what are their names".
    """
    if not subject.gold.question or not isinstance(subject.tree, exp.Select):
        return None
    asked = words_of(f"{subject.gold.question} {subject.gold.hint}")
    for output in subject.tree.expressions:
        column = output.unalias()
        words = words_of(column.name) if isinstance(column, exp.Column) else frozenset()
        if words and not words & asked:
            return f"nobody asked for {column.name}"
    return None


@sign_in(Basis.TEXT)
def unread_column(subject: QueryInDatabase) -> str | None:
    """The hint names a column of the schema that the query does not read.

    No fault: the hint says more than is needed.
    Example: the hint has ``foil_id IS NOT NULL``, the query only ``plain_id IS NOT NULL``.
    """
    read = folded(column.name for column in subject.nodes(exp.Column))
    known = {fold(column.name) for table in subject.engine.schema.tables for column in table.columns}
    text = fold(subject.gold.sql)
    for quoted, bare in _IDENTIFIER.findall(subject.gold.hint):
        name = fold(quoted or bare)
        if name in known and name not in read and name not in text:
            return f"the hint names {quoted or bare}, which the query does not read"
    return None


@sign_in(Basis.TEXT)
def other_comparison(subject: QueryInDatabase) -> str | None:
    """The hint compares a column with a number otherwise than the query does: > against >=, or BETWEEN.

    No fault: the hint is wrong.
    Example: the hint has ``age > 30``, the query ``age >= 30``.
    """
    hint = re.sub(r"([<>])\s+=", r"\1=", subject.gold.hint)
    wanted: dict[tuple[str, float], set[str]] = {}
    for name, sign, number in _COMPARISON.findall(hint):
        wanted.setdefault((fold(name.strip('`"()')), float(number)), set()).add(sign)
    for name, number, sign, node in _compared(subject):
        told = wanted.get((name, number))
        if told and sign not in told:
            return f"the hint has {min(told)} {number:g}, the query {to_sql(node.copy())}"
    return None


@sign_in(Basis.TEXT)
def other_bound(subject: QueryInDatabase) -> str | None:
    """The question says "more than" a number and the query takes it, too; or "at least", and it does not.

    No fault: the number is of another condition.
    Example: "older than 30" by ``age >= 30``.
    """
    wanted: dict[float, set[str]] = {}
    for form, sign in _BOUNDS:
        for number in form.findall(subject.gold.question):
            wanted.setdefault(float(number.replace(",", "")), set()).add(sign)
    for _, number, sign, node in _compared(subject):
        told = wanted.get(number)
        if told and sign not in told and sign[0] in {other[0] for other in told}:
            return f"the question has {min(told)} {number:g}, the query {to_sql(node.copy())}"
    return None


@sign_in(Basis.TEXT)
def missing_distinct(subject: QueryInDatabase) -> str | None:
    """Question or hint speak of what is distinct or different, and the query has no DISTINCT and no GROUP BY.

    No fault: rows are distinct anyhow.
    Example: "how many different cities" by ``COUNT(city)``.
    """
    words = set(plain_words(f"{subject.gold.question} {subject.gold.hint}")) & _DISTINCT
    if words and not subject.nodes(exp.Distinct, exp.Group):
        return f"{min(words)!r} is asked for, without DISTINCT"
    return None


def _compared(subject: QueryInDatabase) -> Iterator[tuple[str, float, str, exp.Expression]]:
    """The comparisons of a column with a number: its name, the number, the operator, the node."""
    for node in subject.nodes(*_OPERATORS, exp.Between):
        for column, other, sign in _sides(node):
            number = _value(other)
            if isinstance(column, exp.Column) and number is not None:
                yield fold(column.name), number, sign, node


def _sides(node: exp.Expression) -> Iterator[tuple[exp.Expression, exp.Expression, str]]:
    """Both ways to read a comparison; BETWEEN as two comparisons."""
    if isinstance(node, exp.Between):
        yield node.this, node.args["low"], ">="
        yield node.this, node.args["high"], "<="
        return
    sign = next(sign for kind, sign in _OPERATORS.items() if isinstance(node, kind))
    yield node.this, node.args["expression"], sign
    yield node.args["expression"], node.this, _MIRRORED[sign]


def _value(node: exp.Expression) -> float | None:
    """The value of a plain number; None for anything else, hexadecimal ones too."""
    try:
        return float(node.name) if isinstance(node, exp.Literal) and is_number(node) else None
    except ValueError:
        return None
