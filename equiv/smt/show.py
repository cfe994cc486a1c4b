"""Expressions of the algebra as text for people, near SQL."""

from __future__ import annotations

from equiv.algebra.terms import (
    Aggregate,
    And,
    Apply,
    Bag,
    Case,
    Compare,
    Constant,
    Convert,
    Exists,
    Expression,
    Field,
    First,
    Found,
    IsNull,
    IsTrue,
    Lookup,
    Not,
    Or,
    Scan,
    Source,
    Term,
)

_INFIX = frozenset(("+", "-", "*", "/", "%", "||", "&", "|", "<<", ">>", "LIKE", "GLOB"))


def shown(expression: Expression) -> str:
    """An expression in words near SQL."""
    match expression:
        case Field(row, column):
            return f"{row}.{column}"
        case Constant():
            return _literal(expression)
        case Compare(operator, left, right):
            return f"({shown(left)} {operator} {shown(right)})"
        case And(parts):
            return f"({' AND '.join(map(shown, parts)) or '1'})"
        case Or(parts):
            return f"({' OR '.join(map(shown, parts)) or '0'})"
        case Not(part):
            return f"(NOT {shown(part)})"
        case IsTrue(part):
            return f"({shown(part)} IS TRUE)"
        case IsNull(value):
            return f"({shown(value)} IS NULL)"
    return _call(expression)


def _call(expression: Expression) -> str:
    match expression:
        case Apply(function, (left, right)) if function in _INFIX:
            return f"({shown(left)} {function} {shown(right)})"
        case Apply(function, arguments):
            return f"{function}({', '.join(map(shown, arguments))})"
        case Convert(to, value, explicit):
            return f"CAST({shown(value)} AS {to})" if explicit else f"{to}({shown(value)})"
        case Case(branches, default):
            whens = " ".join(f"WHEN {shown(test)} THEN {shown(value)}" for test, value in branches)
            return f"CASE {whens} ELSE {shown(default)} END"
        case Found(table, key, values):
            return f"{table} has ({', '.join(key)}) = ({', '.join(map(shown, values))})"
        case Lookup(table, key, values, column):
            return f"{table}[({', '.join(key)}) = ({', '.join(map(shown, values))})].{column}"
        case Exists(bag):
            return f"EXISTS {shown_bag(bag)}"
        case Aggregate(function, bag):
            return f"{function} {shown_bag(bag)}"
        case First(rows):
            return f"FIRST {shown_bag(rows.bag)}"
    return type(expression).__name__


def _literal(constant: Constant) -> str:
    match constant.kind:
        case "null":
            return "NULL"
        case "text":
            quoted = constant.text.replace("'", "''")
            return f"'{quoted}'"
        case "blob":
            return f"x'{constant.text}'"
    return constant.text


def shown_bag(bag: Bag) -> str:
    """A bag in words near SQL."""
    return f"({' UNION ALL '.join(map(_term, bag.terms))})"


def _term(term: Term) -> str:
    found = f"SELECT {', '.join(map(shown, term.outputs)) or '1'}"
    if term.bindings:
        found += f" FROM {', '.join(f'{_source(each.source)} {each.row}' for each in term.bindings)}"
    return f"{found} WHERE {shown(term.condition)}"


def _source(source: Source) -> str:
    return source.table if isinstance(source, Scan) else f"{type(source).__name__} {shown_bag(source.bag)}"
