"""SQLite's expression grammar: tokens to sqlglot nodes, names not yet resolved; calls and windows.

sqlglot's own parser serves many dialects and gives trees that SQLite does not:
it drops unary plus, ranks ``=`` below ``IN``, ``LIKE`` and ``BETWEEN``, gives
bitwise operators several levels, and reads ``date 'x'`` as a cast.  The
levels here are those of https://sqlite.org/src/file/src/parse.y.
"""

from __future__ import annotations

from sqlglot import exp

from equiv.core.functions.catalogue import is_unrepeatable
from equiv.core.functions.table import CASTS, INSTANTS, call, unrepeatable_call
from equiv.core.lexer import Cursor, GrammarError, TokenKind, unquoted
from equiv.core.model import Affinity, affinity_of
from equiv.core.printing import AND, BINARY, COLLATE, EQUALITY, NOT

_PATTERNS: dict[str, type[exp.Expression]] = {"LIKE": exp.Like, "GLOB": exp.Glob}
_PREDICATES = {"IN", "BETWEEN", "LIKE", "GLOB", "REGEXP", "MATCH"}
_BINARY = {
    sign: (level, node)
    for node, (level, sign) in BINARY.items()
    if sign not in _PREDICATES and not sign.startswith("IS")
} | {"==": (EQUALITY, exp.EQ), "!=": (EQUALITY, exp.NEQ)}
_NOW = {row.spelling: row.node for row in INSTANTS if row.node is not None}


def expression(cursor: Cursor, level: int = 0) -> exp.Expression:
    """Read an expression whose operators all bind tighter than ``level``."""
    left: exp.Expression = _operand(cursor)
    while True:
        word = cursor.word
        if word in _BINARY and _BINARY[word][0] > level:
            power, node = _BINARY[word]
            cursor.advance()
            left = node(this=left, expression=expression(cursor, power))
        elif word == "COLLATE" and level < COLLATE:
            cursor.advance()
            left = exp.Collate(this=left, expression=exp.var(name(cursor).name.upper()))
        elif level < EQUALITY and _at_predicate(cursor):
            left = _predicate(cursor, left)
        else:
            return left


def _at_predicate(cursor: Cursor) -> bool:
    word = cursor.word
    if word == "NOT":
        return cursor.ahead(1) in _PREDICATES or cursor.ahead(1) == "NULL"
    return word in _PREDICATES or word in ("IS", "ISNULL", "NOTNULL")


def _predicate(cursor: Cursor, left: exp.Expression) -> exp.Expression:
    """The predicates of the equality level: all left-associative among ``=`` and one another."""
    if cursor.take("NOT", "NULL") or cursor.take("NOTNULL"):
        return exp.Not(this=exp.Is(this=left, expression=exp.Null()))
    if cursor.take("ISNULL"):
        return exp.Is(this=left, expression=exp.Null())
    if cursor.take("IS"):
        return _is(cursor, left)
    negated = cursor.take("NOT")
    word = cursor.advance().word
    if word == "IN":
        predicate: exp.Expression = _in(cursor, left)
    elif word == "BETWEEN":
        low = expression(cursor, AND)
        cursor.expect("AND")
        predicate = exp.Between(this=left, low=low, high=expression(cursor, EQUALITY))
    elif word in _PATTERNS:
        predicate = _PATTERNS[word](this=left, expression=expression(cursor, EQUALITY))
        if cursor.take("ESCAPE"):
            predicate = exp.Escape(this=predicate, expression=expression(cursor, EQUALITY))
    elif word == "MATCH":
        predicate = exp.Anonymous(this=word, expressions=[expression(cursor, EQUALITY), left])
    else:
        cursor.fail(word.capitalize(), f"the operator {word}")
    return exp.Not(this=predicate) if negated else predicate


def _is(cursor: Cursor, left: exp.Expression) -> exp.Expression:
    negated = cursor.take("NOT")
    if cursor.take("DISTINCT", "FROM"):
        negated = not negated
    right = expression(cursor, EQUALITY)
    if isinstance(right, exp.Null):
        found: exp.Expression = exp.Is(this=left, expression=right)
        return exp.Not(this=found) if negated else found
    return (exp.NullSafeNEQ if negated else exp.NullSafeEQ)(this=left, expression=right)


def _in(cursor: Cursor, left: exp.Expression) -> exp.Expression:
    if not cursor.take("("):
        return exp.In(this=left, field=table_name(cursor))
    if cursor.word in ("SELECT", "WITH", "VALUES"):
        return exp.In(this=left, query=_closed_query(cursor))
    elements = closed_list(cursor)
    if len(elements) == 1 and isinstance(elements[0], exp.Subquery):
        return exp.In(this=left, query=elements[0])  # as SQLite's parser has it
    return exp.In(this=left, expressions=elements)


def _closed_query(cursor: Cursor) -> exp.Expression:
    from equiv.dialects.sqlite.grammar.queries import query

    found = query(cursor)
    cursor.expect(")")
    return exp.Subquery(this=found)


def closed_list(cursor: Cursor) -> list[exp.Expression]:
    """Read what follows an opening parenthesis: expressions, maybe none, up to the closing one."""
    if cursor.take(")"):
        return []
    found = expressions(cursor)
    cursor.expect(")")
    return found


def expressions(cursor: Cursor) -> list[exp.Expression]:
    """Read expressions separated by commas."""
    found = [expression(cursor)]
    while cursor.take(","):
        found.append(expression(cursor))
    return found


def _operand(cursor: Cursor) -> exp.Expression:
    match cursor.word:
        case "NOT":
            cursor.advance()
            negation = exp.Not(this=expression(cursor, NOT))
            negation.meta["prefix"] = True
            return negation
        case "-":
            cursor.advance()
            return exp.Neg(this=expression(cursor, COLLATE))
        case "~":
            cursor.advance()
            return exp.BitwiseNot(this=expression(cursor, COLLATE))
        case "+":
            return _plus(cursor)
        case "(":
            return _parenthesised(cursor)
        case "EXISTS":
            cursor.advance()
            cursor.expect("(")
            return exp.Exists(this=_closed_query(cursor).this)
        case "CASE":
            return _case(cursor)
        case "CAST" if cursor.ahead(1) == "(":
            return _cast(cursor)
        case "NULL":
            cursor.advance()
            return exp.Null()
        case word if word in _NOW:
            cursor.advance()
            return _NOW[word]()
    return _atom(cursor)


def _plus(cursor: Cursor) -> exp.Expression:
    """Unary plus: nothing before a literal; elsewhere it strips affinity, for which there is no node."""
    cursor.advance()
    found = expression(cursor, COLLATE)
    if not isinstance(found, exp.Literal | exp.Neg | exp.Null):
        cursor.fail("UnaryPlus", "unary plus, which removes affinity")
    return found


def _parenthesised(cursor: Cursor) -> exp.Expression:
    cursor.advance()
    if cursor.word in ("SELECT", "WITH", "VALUES"):
        return _closed_query(cursor)
    found = closed_list(cursor)
    return found[0] if len(found) == 1 else exp.Tuple(expressions=found)


def _case(cursor: Cursor) -> exp.Expression:
    cursor.advance()
    subject = None if cursor.at("WHEN") else expression(cursor)
    branches = []
    while cursor.take("WHEN"):
        condition = expression(cursor)
        cursor.expect("THEN")
        branches.append(exp.If(this=condition, true=expression(cursor)))
    default = expression(cursor) if cursor.take("ELSE") else None
    cursor.expect("END")
    return exp.Case(this=subject, ifs=branches, default=default)


def _cast(cursor: Cursor) -> exp.Expression:
    cursor.take("CAST", "(")
    subject = expression(cursor)
    cursor.expect("AS")
    first, depth = cursor.index, 0
    while depth or not cursor.at(")"):
        depth += {"(": 1, ")": -1}.get(cursor.word, 0)
        cursor.advance()
    declared = cursor.span(first) if cursor.index > first else ""
    cursor.expect(")")
    affinity = affinity_of(declared.split("(")[0]) if declared else Affinity.NUMERIC
    return exp.Cast(this=subject, to=exp.DataType(this=CASTS[affinity]))


def _atom(cursor: Cursor) -> exp.Expression:
    token = cursor.token
    match token.kind:
        case TokenKind.NUMBER:
            return _number(cursor.source(cursor.advance()))
        case TokenKind.STRING:
            return exp.Literal.string(unquoted(cursor.source(cursor.advance())))
        case TokenKind.BLOB:
            return exp.HexString(this=cursor.advance().word[2:-1])
        case TokenKind.PARAMETER:
            return _parameter(cursor)
        case TokenKind.NAME | TokenKind.QUOTED:
            first = name(cursor)
            return _function_call(cursor, first.name) if cursor.at("(") else _column(cursor, first)
    return cursor.fail("Query", "a missing operand")


def _parameter(cursor: Cursor) -> exp.Expression:
    """A parameter as written; which one ``?`` is, only the whole text tells."""
    found = exp.Parameter(this=cursor.source(cursor.token))
    found.meta["start"] = cursor.advance().start
    return found


def _number(source: str) -> exp.Expression:
    if source[:2] not in ("0x", "0X"):
        return exp.Literal(this=source, is_string=False)
    value = int(source, 16)
    if value < 2**63:
        return exp.Literal(this=str(value), is_string=False)
    raise GrammarError("Literal", "a hexadecimal number of more than 63 bits")


def name(cursor: Cursor) -> exp.Expression:
    """Read a name; ``quoted`` is set for double quotes, whose names may turn out to be strings."""
    token = cursor.advance()
    source = cursor.source(token)
    if token.kind is TokenKind.NAME:
        return exp.Identifier(this=source, quoted=False)
    if token.kind not in (TokenKind.QUOTED, TokenKind.STRING):
        cursor.fail("Identifier", "a missing name")
    return exp.Identifier(this=unquoted(source), quoted=source[0] == '"')


def table_name(cursor: Cursor) -> exp.Expression:
    """Read the name of a table, with its database if given."""
    first = name(cursor)
    if not cursor.take("."):
        return exp.Table(this=first)
    return exp.Table(this=name(cursor), db=first)


def _column(cursor: Cursor, first: exp.Expression) -> exp.Expression:
    parts = [first]
    while cursor.take("."):
        parts.append(name(cursor))
    places = ("this", "table", "db")
    return exp.Column(**dict(zip(places, reversed(parts), strict=False)))


_FRAMES = ("ROWS", "RANGE", "GROUPS")


def _function_call(cursor: Cursor, called: str) -> exp.Expression:
    """Read a call from its opening parenthesis on, with DISTINCT, FILTER and OVER."""
    cursor.expect("(")
    if is_unrepeatable(called):
        cursor.fail("Func", unrepeatable_call(called.upper()))
    found = call(called, _arguments(cursor, called))
    if cursor.take("FILTER", "("):
        cursor.expect("WHERE")
        found = exp.Filter(this=found, expression=exp.Where(this=expression(cursor)))
        cursor.expect(")")
    return _over(cursor, found) if cursor.take("OVER") else found


def _arguments(cursor: Cursor, called: str) -> list[exp.Expression]:
    """The arguments; ``COUNT()`` is ``COUNT(*)``, and an ORDER BY has the last of them within."""
    if cursor.take("*", ")") or (called.upper() == "COUNT" and cursor.take(")")):
        return [exp.Star()]
    from equiv.dialects.sqlite.grammar.queries import order_by

    distinct = cursor.take("DISTINCT")
    if not distinct:
        cursor.take("ALL")
    arguments = [] if cursor.at(")") else expressions(cursor)
    order = order_by(cursor)
    cursor.expect(")")
    if distinct and arguments:
        arguments[0] = exp.Distinct(expressions=[arguments[0]])
    if order is not None:
        if not arguments:
            cursor.fail("Order", "ORDER BY without an argument")
        order.set("this", arguments.pop())
        arguments.append(order)
    return arguments


def _over(cursor: Cursor, function: exp.Expression) -> exp.Expression:
    if not cursor.take("("):
        return exp.Window(this=function, alias=name(cursor))
    return exp.Window(this=function, **window(cursor))


def window(cursor: Cursor) -> dict[str, object]:
    """Read a window definition after its opening parenthesis: the args of an ``exp.Window``."""
    from equiv.dialects.sqlite.grammar.queries import order_by

    parts: dict[str, object] = {}
    if not cursor.at(")") and cursor.word not in ("PARTITION", "ORDER", *_FRAMES):
        parts["alias"] = name(cursor)
    if cursor.take("PARTITION", "BY"):
        parts["partition_by"] = expressions(cursor)
    parts["order"] = order_by(cursor)
    if cursor.word in _FRAMES:
        parts["spec"] = _frame(cursor)
    cursor.expect(")")
    return parts


def _frame(cursor: Cursor) -> exp.Expression:
    kind = cursor.advance().word
    if cursor.take("BETWEEN"):
        start = _bound(cursor)
        cursor.expect("AND")
        end = _bound(cursor)
    else:
        start, end = _bound(cursor), ("CURRENT ROW", None)
    exclude = None
    if cursor.take("EXCLUDE"):
        words = [cursor.advance().word]
        if words[0] in ("NO", "CURRENT"):
            words.append(cursor.advance().word)
        exclude = None if words[0] == "NO" else exp.var(" ".join(words))
    return exp.WindowSpec(
        kind=kind, start=start[0], start_side=start[1], end=end[0], end_side=end[1], exclude=exclude
    )


def _bound(cursor: Cursor) -> tuple[object, str | None]:
    if cursor.take("CURRENT", "ROW"):
        return "CURRENT ROW", None
    start = "UNBOUNDED" if cursor.take("UNBOUNDED") else expression(cursor)
    return start, cursor.advance().word
