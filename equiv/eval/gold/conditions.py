"""Signs in conditions, calls and sorting, and in question and hint, as the query stands.

In conditions and calls: precedence, repeated conditions, COUNT of an ELSE, whole-number division.  In
ORDER BY and LIMIT: the wrong direction, text for numbers.  In question and hint: constants, columns and
comparisons that the query has otherwise; a word of a question mentions a name whatever its form, and
:func:`words_of` has the forms that count as one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from sqlglot import exp

from equiv.core.claims.blocks import COMPARISONS, base_column, is_literal, is_number
from equiv.core.claims.fingerprint import operands
from equiv.core.claims.value_types import conforms
from equiv.core.lexer import tokens
from equiv.core.model import Affinity, Domain
from equiv.core.printing import key, to_sql
from equiv.core.runner import Result
from equiv.eval.gold.execution import QueryInDatabase, sign_in
from equiv.eval.gold.finding import Basis, GoldFault, GoldFinding
from equiv.names import fold, folded, quoted

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


_NEGATION = re.compile(r"n't|\b(?:not|without|no|never|except)\b", re.IGNORECASE)
_ENDS = frozenset(
    [
        *("SELECT", "FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "JOIN", "ON"),
        *("UNION", "INTERSECT", "EXCEPT", "WHEN", "THEN", "ELSE"),
    ]
)


def precedence(subject: QueryInDatabase) -> Iterator[GoldFinding]:
    """AND and OR are mixed without parentheses, so that AND binds first.

    No fault: that is what is meant.
    Example: ``WHERE a = 1 OR a = 2 AND b = 3`` for "those of kind 1 or 2 whose b is 3".
    """
    if any({"AND", "OR"} <= run for run in _runs(subject.gold.sql)):
        yield GoldFinding(GoldFault.PRECEDENCE, Basis.TEXT, "AND and OR are mixed without parentheses")


def _runs(sql: str) -> Iterator[set[str]]:
    """The connectives of each condition at one depth of parentheses; AND of a BETWEEN is none."""
    open_runs: list[set[str]] = [set()]
    between = [0]
    for token in tokens(sql):
        word = token.word
        if word == "(":
            open_runs.append(set())
            between.append(0)
        elif word == ")" and len(open_runs) > 1:
            yield open_runs.pop()
            between.pop()
        elif word in _ENDS or word == ",":
            yield open_runs[-1]
            open_runs[-1] = set()
        elif word == "BETWEEN":
            between[-1] += 1
        elif word == "AND" and between[-1]:
            between[-1] -= 1
        elif word in {"AND", "OR"}:
            open_runs[-1].add(word)
    yield from open_runs


@sign_in(Basis.TEXT)
def repeated_condition(subject: QueryInDatabase) -> Iterator[str]:
    """One condition stands twice beside AND or OR: probably one of them was to be another.

    No fault: it is merely written twice.
    Example: ``WHERE a IS NULL OR a IS NULL``.
    """
    for node in subject.nodes(exp.And, exp.Or):
        if isinstance(node.parent, type(node)):
            continue
        texts = [key(part) for part in operands(node, type(node))]
        if len(set(texts)) < len(texts):
            yield f"a condition occurs twice in {to_sql(node.copy())}"


@sign_in(Basis.TEXT)
def self_equality(subject: QueryInDatabase) -> Iterator[str]:
    """A column is compared with itself, which is true, or NULL where it is NULL: probably another was meant.

    No fault: it is a test for NULL.
    Example: ``WHERE a.x = a.x``.
    """
    for node in subject.nodes(exp.EQ):
        if node.find(exp.Column) is not None and key(node.this) == key(node.expression):
            yield f"{to_sql(node.copy())} compares a column with itself"


@sign_in(Basis.TEXT)
def counts_else(subject: QueryInDatabase) -> Iterator[str]:
    """COUNT of a CASE whose ELSE is a value counts every row.

    No fault: rows with a value are to be counted either way.
    Example: ``COUNT(CASE WHEN a > 1 THEN 1 ELSE 0 END)``.
    """
    for call in subject.nodes(exp.Count):
        other = call.this.args.get("default") if isinstance(call.this, exp.Case) else None
        if isinstance(call.this, exp.If):
            other = call.this.args.get("false")
        if other is not None and not isinstance(other, exp.Null):
            yield f"{to_sql(call.copy())} also counts the rows of its ELSE"


@sign_in(Basis.TEXT)
def whole_division(subject: QueryInDatabase) -> Iterator[str]:
    """Two whole numbers are divided, so that the fraction is cut off.

    No fault: it always divides evenly.
    Example: ``SUM(a = 1) / COUNT(*)``, which is 0 or 1.
    """
    for node in subject.nodes(exp.Div):
        sides = (node.this, node.expression)
        if all(conforms(side, Domain.INTEGER, subject.context) is not None for side in sides):
            yield f"{to_sql(node.copy())} is truncated to an integer"


@sign_in(Basis.TEXT)
def negated_row(subject: QueryInDatabase) -> Iterator[str]:
    """The question says that something is not so, and the query takes each row where it is otherwise.

    It is asked for things of which no row has a value; the query takes those of which some row has another.
    No fault: there is one row for each thing.
    Example: "molecules without fluorine" by ``WHERE atom.element <> 'f'``.
    """
    if not _NEGATION.search(subject.gold.question):
        return
    for node in subject.nodes(exp.NEQ, exp.Not):
        inner = node.this if isinstance(node, exp.Not) else node
        if isinstance(node, exp.NEQ) or (
            isinstance(inner, exp.Like | exp.In) and not inner.args.get("query")
        ):
            yield f"{to_sql(node.copy())} excludes rows, not whole groups"


@sign_in(Basis.TEXT)
def excluded_by_value(subject: QueryInDatabase) -> Iterator[str]:
    """EXCEPT or NOT IN drops rows by a column that is not a key, so that others of the same value go, too.

    No fault: equal values are one thing.
    Example: ``SELECT name FROM event EXCEPT SELECT name FROM event WHERE type = 'Game'``.
    """
    for node in subject.nodes(exp.Except, exp.In):
        if isinstance(node, exp.In) and not (isinstance(node.parent, exp.Not) and node.args.get("query")):
            continue
        first = (
            node.this.expressions
            if isinstance(node, exp.Except) and isinstance(node.this, exp.Select)
            else [node.this]
        )
        columns = [output.unalias() for output in first]
        bases = [base_column(column, subject.context) for column in columns if isinstance(column, exp.Column)]
        if len(bases) == len(columns) == 1 and bases[0] is not None:
            table, column = bases[0]
            part_of_key = {fold(c) for key_ in subject.engine.facts.keys(table.name) for c in key_.columns}
            foreign = {fold(c) for reference in table.foreign_keys for c in reference.columns}
            if fold(column.name) not in part_of_key | foreign:
                yield f"rows are excluded by {table.name}.{column.name}, which is not a key"


@sign_in(Basis.TEXT)
def idle_order(subject: QueryInDatabase) -> Iterator[str]:
    """A subquery is sorted without a LIMIT, which decides nothing.

    No fault: it is merely not needed.
    Example: ``SELECT day FROM (SELECT day FROM visit ORDER BY price DESC) ORDER BY day LIMIT 1``.
    """
    for select in subject.nodes(exp.Select):
        if (
            select is not subject.tree
            and select.args.get("order") is not None
            and select.args.get("limit") is None
        ):
            yield "a subquery has ORDER BY without LIMIT, which has no effect"


@sign_in(Basis.DATA)
def averages_zeros(subject: QueryInDatabase) -> Iterator[str]:
    """AVG, or a SUM that is divided, takes zeros of the data that may stand for missing values.

    No fault: zero is a value like others.
    Example: the average weight, where 0 is stored for a weight that is not known.
    """
    if subject.data is None:
        return
    for call in subject.nodes(exp.Avg, exp.Sum):
        base = base_column(call.this, subject.context) if isinstance(call.this, exp.Column) else None
        if base is None or (isinstance(call, exp.Sum) and not call.find_ancestor(exp.Div)):
            continue
        table, column = (quoted(part.name) for part in base)
        found = subject.run(f"SELECT SUM({column} = 0), COUNT(*) FROM {table}")
        zeros, rows = found.rows[0] if isinstance(found, Result) else (0, 0)
        if isinstance(zeros, int) and isinstance(rows, int) and 0 < zeros < rows:
            yield f"{base[0].name}.{base[1].name} is 0 in {zeros} of {rows} rows, perhaps for missing values"


_TIMES = re.compile(r"date|time|year|birth|day|dob|month", re.IGNORECASE)
_RANKS = re.compile(r"rank|position|place|order|number|id\Z", re.IGNORECASE)


@sign_in(Basis.TEXT)
def unordered_limit(subject: QueryInDatabase) -> Iterator[str]:
    """A LIMIT without ORDER BY keeps any rows.

    No fault: any will do.
    Example: ``SELECT name FROM person LIMIT 5``.
    """
    if any(select.args.get("order") is None for select in _limited(subject)):
        yield "a LIMIT without ORDER BY keeps arbitrary rows"


@sign_in(Basis.TEXT)
def direction(subject: QueryInDatabase) -> Iterator[str]:
    """The question asks for the highest, and the query sorts upwards and keeps the first; or the other way.

    No fault: the least value is the best one, as of ranks; keys named as times or ranks are left out.
    Example: "the highest score" by ``ORDER BY score LIMIT 1``.
    """
    words = superlatives_of(subject.gold.question)
    high, low = words & HIGHEST, words & LOWEST
    if bool(high) == bool(low):
        return
    for select in _limited(subject):
        order = select.args.get("order")
        if order is None:
            continue
        first = order.expressions[0]
        named = to_sql(first.this.copy())
        if (
            bool(first.args.get("desc")) != bool(high)
            and not _TIMES.search(named)
            and not _RANKS.search(named)
        ):
            way = "downwards" if first.args.get("desc") else "upwards"
            yield f"the question has {min(high | low)!r}, and {named} is sorted {way}"


@sign_in(Basis.SCHEMA)
def sorted_text(subject: QueryInDatabase) -> Iterator[str]:
    """The question asks for an extreme, and that is sought among texts: '9' comes after '10'.

    No fault: texts of one length, or words, are sorted; names of times are left out.  With data,
    ``text_numbers`` tells.
    Example: ``ORDER BY speed DESC LIMIT 1``, where speed is declared TEXT.
    """
    if subject.data is not None or not superlatives_of(subject.gold.question):
        return
    keys = [s.args["order"].expressions[0].this for s in _limited(subject) if s.args.get("order") is not None]
    if subject.tree is not None:
        keys += [call.this for call in subject.nodes(exp.Min, exp.Max)]
    for term in keys:
        base = base_column(term, subject.context) if isinstance(term, exp.Column) else None
        if base is not None and base[1].affinity is Affinity.TEXT and not _TIMES.search(base[1].name):
            yield f"{base[0].name}.{base[1].name} is sorted as text"


def _limited(subject: QueryInDatabase) -> list[exp.Expression]:
    """The SELECTs that have a LIMIT."""
    return [select for select in subject.nodes(exp.Select) if select.args.get("limit") is not None]


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
def strange_constant(subject: QueryInDatabase) -> Iterator[str]:
    """The query compares with a constant that neither the question nor its hint has.

    No fault: the constant is the database's word for what the question says.
    Example: ``WHERE price = 15`` for "costs 12".
    """
    if not subject.gold.question:
        return
    asked = f"{subject.gold.question} {subject.gold.hint}"
    words, numbers = words_of(asked), numbers_of(asked)
    for node in subject.nodes(*COMPARISONS, exp.Between, exp.In):
        for side in node.iter_expressions():
            if not is_literal(side) or isinstance(side, exp.Null):
                continue
            own = numbers_of(side.name)
            if own - _PLAIN - numbers if own else words_of(side.name) and not words_of(side.name) & words:
                yield f"neither the question nor the hint mentions the constant of {to_sql(node.copy())}"


@sign_in(Basis.TEXT)
def missing_number(subject: QueryInDatabase) -> Iterator[str]:
    """The question has a number that the query has not.

    No fault: the number is written out otherwise, or is none of the condition.
    Example: ``WHERE price > 10`` for "costs more than 12".
    """
    missing = numbers_of(subject.gold.question) - numbers_of(subject.gold.sql) - _PLAIN
    if missing:
        yield f"the query has no {min(missing):g}, which the question has"


@sign_in(Basis.TEXT)
def unasked_column(subject: QueryInDatabase) -> Iterator[str]:
    """A selected column has a name of which neither question nor hint has a word.

    No fault: the question says it in other words.
    Example: ``SELECT id, name`` for "what are their names".
    """
    if not subject.gold.question or not isinstance(subject.tree, exp.Select):
        return
    asked = words_of(f"{subject.gold.question} {subject.gold.hint}")
    for output in subject.tree.expressions:
        column = output.unalias()
        words = words_of(column.name) if isinstance(column, exp.Column) else frozenset()
        if words and not words & asked:
            yield f"the question does not ask for {column.name}"


@sign_in(Basis.TEXT)
def unread_column(subject: QueryInDatabase) -> Iterator[str]:
    """The hint names a column of the schema that the query does not read.

    No fault: the hint says more than is needed.
    Example: the hint has ``foil_id IS NOT NULL``, the query only ``plain_id IS NOT NULL``.
    """
    read = folded(column.name for column in subject.nodes(exp.Column))
    known = {fold(column.name) for table in subject.engine.schema.tables for column in table.columns}
    text = fold(subject.gold.sql)
    for ticked, bare in _IDENTIFIER.findall(subject.gold.hint):
        name = fold(ticked or bare)
        if name in known and name not in read and name not in text:
            yield f"the hint names {ticked or bare}, which the query does not read"


@sign_in(Basis.TEXT)
def other_comparison(subject: QueryInDatabase) -> Iterator[str]:
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
            yield f"the hint has {min(told)} {number:g}, the query {to_sql(node.copy())}"


@sign_in(Basis.TEXT)
def other_bound(subject: QueryInDatabase) -> Iterator[str]:
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
            yield f"the question has {min(told)} {number:g}, the query {to_sql(node.copy())}"


@sign_in(Basis.TEXT)
def missing_distinct(subject: QueryInDatabase) -> Iterator[str]:
    """Question or hint speak of what is distinct or different, and the query has no DISTINCT and no GROUP BY.

    No fault: rows are distinct anyhow.
    Example: "how many different cities" by ``COUNT(city)``.
    """
    words = set(plain_words(f"{subject.gold.question} {subject.gold.hint}")) & _DISTINCT
    if words and not subject.nodes(exp.Distinct, exp.Group):
        yield f"{min(words)!r} is asked for, without DISTINCT"


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
