"""The algebra as text for people: ``Σ e ∈ EMP, d ∈ DEPT [e.DEPTNO = d.DEPTNO] → (e.ENAME)``.

Certificates and explanations show it; nothing reads it back.
"""

from __future__ import annotations

import re

from equiv.algebra.steps import Step
from equiv.algebra.terms import (
    TRUE,
    Aggregate,
    And,
    Answer,
    Apply,
    Bag,
    Binding,
    Case,
    Compare,
    Constant,
    Convert,
    Direction,
    Exists,
    Expression,
    Field,
    First,
    Found,
    IsNull,
    IsTrue,
    Limited,
    Lookup,
    Node,
    Not,
    Numbered,
    Or,
    Scan,
    Source,
    Squash,
    Term,
    Variable,
    children,
)
from equiv.query.placeholders import SIGNS
from equiv.sqlite.identifiers import quoted

WIDTH = 100
"""A term longer than this is broken before its condition and its outputs, at top level."""

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_OR, _AND, _NOT, _COMPARE, _ADD, _MULTIPLY, _CONCAT, _ATOM = range(8)
_INFIX = {
    **dict.fromkeys(("&", "|", "<<", ">>", "+", "-"), _ADD),
    **dict.fromkeys(("*", "/", "%"), _MULTIPLY),
    "||": _CONCAT,
}


class Labels:
    """Short names for the variables of some nodes: the label alone where it is the only one of its kind."""

    def __init__(self, *nodes: Node) -> None:
        self._names: dict[Variable, str] = {}
        self._taken: set[str] = set()
        for node in nodes:
            self._name_all(node)

    def of(self, row: Variable) -> str:
        """The name of a variable; one that was not seen yet gets one now."""
        if row not in self._names:
            stem = row.label if _PLAIN.match(row.label) else "r"
            name, number = stem, 1
            while name in self._taken:
                number += 1
                name = f"{stem}{number}"
            self._names[row] = name
            self._taken.add(name)
        return self._names[row]

    def _name_all(self, node: Node) -> None:
        if isinstance(node, Binding):
            self.of(node.row)
        for child in children(node):
            self._name_all(child)


def text_of(node: Node, labels: Labels | None = None) -> str:
    """A node on one line.

    Args:
        node: an expression, a term, a bag, a whole answer, or a source.
        labels: names shared with other texts; by default those of the node alone.
    """
    return _Writer(labels or Labels(node)).node(node)


def page_of(answer: Answer, labels: Labels | None = None) -> str:
    """A whole answer with a line for each term; long terms take several."""
    writer = _Writer(labels or Labels(answer))
    terms = [writer.broken(term, answer.visible) for term in answer.bag.terms]
    return "\n".join(["\n+ ".join(terms) or "∅", *_tail(answer)])


def texts_of(step: Step) -> tuple[str, str]:
    """What a step found, and what came of it, a line each."""
    labels = Labels(*step.rows, step.before, *step.after)
    after = " + ".join(text_of(each, labels) for each in step.after) or "∅"
    return text_of(step.before, labels), after


def line_of(step: Step) -> str:
    """A step on a line."""
    before, after = texts_of(step)
    return f"{step.rewrite}: {before}  ⇒  {after}"


def _tail(answer: Answer) -> list[str]:
    found = []
    if answer.directions:
        keys = [_direction(f"#{answer.visible + n}", d) for n, d in enumerate(answer.directions, 1)]
        found.append(f"in the order of {', '.join(keys)}")
    if answer.limit is not None or answer.offset:
        found.append(_cut(answer.limit, answer.offset))
    return found


def _direction(key: str, direction: Direction) -> str:
    text = f"{key} descending" if direction.descending else key
    if direction == Direction.of(descending=direction.descending):
        return text
    return f"{text}, NULLs {'first' if direction.nulls_first else 'last'}"


def _cut(limit: int | None, offset: int) -> str:
    if limit is None:
        return f"all rows from {offset + 1} on"
    return f"rows {offset + 1} to {offset + limit}" if limit else "no row"


def _name(text: str | int) -> str:
    if isinstance(text, int):
        return f"#{text + 1}"
    return text if _PLAIN.match(text) else quoted(text)


class _Writer:
    """Writes nodes with one set of names."""

    def __init__(self, labels: Labels) -> None:
        self._labels = labels

    def node(self, node: Node) -> str:
        match node:
            case Answer():
                return "; ".join([self._bag(node.bag), *_tail(node)])
            case Bag():
                return self._bag(node)
            case Term():
                return self._term(node)
            case Binding():
                return self._binding(node)
            case Scan() | Squash() | Limited() | Numbered():
                return self._source(node)
        return self.value(node)

    def broken(self, term: Term, visible: int) -> str:
        """A term at top level: sort keys after a bar, a line each for its parts if it is long."""
        head, condition = self._head(term), self._condition(term)
        outputs = [self.value(value) for value in term.outputs]
        shown = ", ".join(outputs[:visible])
        if outputs[visible:]:
            shown += f" | {', '.join(outputs[visible:])}"
        parts = [part for part in (f"Σ {head}".rstrip(), condition, f"→ ({shown})") if part]
        line = " ".join(parts)
        return line if len(line) <= WIDTH else "\n    ".join(parts)

    def _bag(self, bag: Bag) -> str:
        return " + ".join(map(self._term, bag.terms)) or "∅"

    def _term(self, term: Term) -> str:
        outputs = ", ".join(map(self.value, term.outputs))
        parts = (f"Σ {self._head(term)}".rstrip(), self._condition(term), f"→ ({outputs})")
        return " ".join(part for part in parts if part)

    def _head(self, term: Term) -> str:
        return ", ".join(map(self._binding, term.bindings))

    def _condition(self, term: Term) -> str:
        return "" if term.condition == TRUE else f"[{self.value(term.condition)}]"

    def _binding(self, binding: Binding) -> str:
        return f"{self._labels.of(binding.row)} ∈ {self._source(binding.source)}"

    def _source(self, source: Source) -> str:
        match source:
            case Scan(table):
                return _name(table)
            case Squash(bag):
                return f"distinct({self._bag(bag)})"
            case Limited(bag, visible, directions, limit, offset):
                keys = [_direction(f"#{visible + n}", d) for n, d in enumerate(directions, 1)]
                order = f" by {', '.join(keys)}" if keys else ""
                return f"({self._bag(bag)}; {_cut(limit, offset)}{order})"
            case Numbered(bag, visible, partition, directions):
                first = visible + partition
                keys = [_direction(f"#{first + n}", d) for n, d in enumerate(directions, 1)]
                parts = [f"#{visible + n}" for n in range(1, partition + 1)]
                within = f" within {', '.join(parts)}" if parts else ""
                return f"numbered({self._bag(bag)}{within} by {', '.join(keys) or 'chance'})"

    def value(self, value: Expression, outer: int = _OR) -> str:
        """An expression, in parentheses if it binds less tightly than what is around it."""
        text, own = self._value(value)
        return f"({text})" if own < outer else text

    def _value(self, value: Expression) -> tuple[str, int]:
        """The text of an expression, and how tightly it binds."""
        match value:
            case And(parts):
                return " and ".join(self.value(part, _NOT) for part in parts) or "true", _AND
            case Or(parts):
                return " or ".join(self.value(part, _AND) for part in parts) or "false", _OR
            case Not(Compare("=", left, right)):
                return f"{self.value(left, _ADD)} ≠ {self.value(right, _ADD)}", _COMPARE
            case Not(part):
                return f"not {self.value(part, _NOT)}", _NOT
            case Compare(operator, left, right):
                sign = {"<=": "≤", "IS": "is"}.get(operator, operator)
                return f"{self.value(left, _ADD)} {sign} {self.value(right, _ADD)}", _COMPARE
            case IsNull(part):
                return f"{self.value(part, _ADD)} is NULL", _COMPARE
            case Found(table, key, values):
                return f"{self._row(table, key, values)} ≠ ∅", _COMPARE
            case Apply(function, (left, right)) if function in _INFIX:
                own = _INFIX[function]
                return f"{self.value(left, own)} {function} {self.value(right, own + 1)}", own
        return self._atom(value), _ATOM

    def _call(self, call: Apply) -> str:
        if call.function[0] in SIGNS:
            return call.function
        name = "-" if call.function == "NEG" else call.function
        return f"{name}({', '.join(map(self.value, call.arguments))})"

    def _atom(self, value: Expression) -> str:
        match value:
            case Field(row, column):
                return f"{self._labels.of(row)}.{_name(column)}"
            case Constant():
                return _constant(value)
            case Apply():
                return self._call(value)
            case Convert(to, part, explicit):
                return f"CAST({self.value(part)} AS {to})" if explicit else f"{to}({self.value(part)})"
            case IsTrue(part):
                return f"true({self.value(part)})"
            case Case(branches, default):
                cases = "; ".join(f"{self.value(c)}: {self.value(v)}" for c, v in branches)
                return f"{{{cases}; else {self.value(default)}}}"
            case Lookup(table, key, values, column):
                return f"{self._row(table, key, values)}.{_name(column)}"
            case Exists(Bag((Term() as term,))):
                inner = " ".join(part for part in (self._head(term), self._condition(term)) if part)
                return f"(∃ {inner})"
            case Exists(bag):
                return f"(∃ {self._bag(bag)})"
            case Aggregate(function, bag):
                name = "SUM0" if function == "LINEAR" else function
                return f"{name}{{{self._bag(bag)}}}"
            case First(rows):
                return f"first{self._source(rows)}"
        raise TypeError(f"no expression: {type(value).__name__}")

    def _row(self, table: str, key: tuple[str, ...], values: tuple[Expression, ...]) -> str:
        pairs = (f"{_name(k)} = {self.value(v, _ADD)}" for k, v in zip(key, values, strict=True))
        return f"{_name(table)}[{', '.join(pairs)}]"


def _constant(constant: Constant) -> str:
    match constant.kind:
        case "null":
            return "NULL"
        case "text":
            return "'" + constant.text.replace("'", "''") + "'"
        case "blob":
            return f"x'{constant.text}'"
    return constant.text
