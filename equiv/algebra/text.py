"""The algebra as text for people: ``Σ e ∈ EMP, d ∈ DEPT [e.DEPTNO = d.DEPTNO] → (e.ENAME)``.

Nodes, whole answers, steps and claims as lines, written with one set of names for variables.  Certificates,
explanations and pages of the documentation show them; nothing reads them back.
"""

from __future__ import annotations

import re

from equiv.algebra import terms as t
from equiv.algebra.terms import FALSE, Answer, Binding, Constant, Direction, Node, Variable, children
from equiv.algebra.world import Claim, RewriteStep
from equiv.core.texts import SIGNS
from equiv.names import quoted

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


def is_plain(text: str) -> bool:
    """Whether a name can stand without quotes."""
    return bool(_PLAIN.match(text))


def name(text: str | int) -> str:
    """A column or a table by its name; a column by its place is ``#1`` and so on."""
    if isinstance(text, int):
        return f"#{text + 1}"
    return text if is_plain(text) else quoted(text)


def literal(constant: Constant) -> str:
    """A literal as SQL has it."""
    match constant.kind:
        case "null":
            return "NULL"
        case "text":
            return "'" + constant.text.replace("'", "''") + "'"
        case "blob":
            return f"x'{constant.text}'"
    return constant.text


def keys(after: int, directions: tuple[Direction, ...]) -> str:
    """The keys of an order, which stand after so many columns."""
    return ", ".join(_key(f"#{after + number}", each) for number, each in enumerate(directions, 1))


def _key(column: str, direction: Direction) -> str:
    text = f"{column} descending" if direction.descending else column
    if direction == Direction.of(descending=direction.descending):
        return text
    return f"{text}, NULLs {'first' if direction.nulls_first else 'last'}"


def cut(limit: int | None, offset: int) -> str:
    """The words for the rows that LIMIT and OFFSET leave."""
    if limit is None:
        return f"all rows from {offset + 1} on"
    return f"rows {offset + 1} to {offset + limit}" if limit else "no row"


class VariableLabels:
    """Short names for the variables of some nodes: the label alone where it is the only one of its kind."""

    def __init__(self, *nodes: Node) -> None:
        self._names: dict[Variable, str] = {}
        self._taken: set[str] = set()
        for node in nodes:
            self._name_all(node)

    def of(self, row: Variable) -> str:
        """The name of a variable; one that was not seen yet gets one now."""
        if row not in self._names:
            stem = row.label if is_plain(row.label) else "r"
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


def text_of(node: Node, labels: VariableLabels | None = None) -> str:
    """A node on one line.

    Args:
        node: an expression, a term, a bag, a whole answer, or a source.
        labels: names shared with other texts; by default those of the node alone.
    """
    return _Writer(labels or VariableLabels(node)).node(node)


def page_of(answer: Answer, labels: VariableLabels | None = None) -> str:
    """A whole answer with a line for each term; long terms take several."""
    writer = _Writer(labels or VariableLabels(answer))
    terms = [writer.broken(term, answer.visible) for term in answer.bag.terms]
    return "\n".join(["\n+ ".join(terms) or _EMPTY, *_ordered(answer)])


def texts_of(step: RewriteStep) -> tuple[str, str]:
    """The text of a step: the node before, and the node after."""
    labels = VariableLabels(*step.rows, step.before, *step.after)
    after = " + ".join(text_of(each, labels) for each in step.after) or _EMPTY
    return text_of(step.before, labels), after


def lines_of(claim: Claim) -> tuple[list[str], str]:
    """The text of a claim.

    Returns:
        the lines "for ROWS", "if CONDITION", "knowing LEMMA"; and the conclusion, "then GOAL".
    """
    labels = VariableLabels(*claim.rows, *claim.given, *claim.lemmas, claim.goal)
    rows = ", ".join(text_of(row, labels) for row in claim.rows)
    before = [
        *([f"for {rows}"] if rows else []),
        *(f"if {text_of(each, labels)}" for each in claim.given),
        *(f"knowing {text_of(each, labels)}" for each in claim.lemmas),
    ]
    return before, "then false" if claim.goal == FALSE else f"then {text_of(claim.goal, labels)}"


_WIDTH = 100
"""A term longer than this is broken before its condition and its outputs, at top level."""

_EMPTY = "∅"

_OR, _AND, _NOT, _COMPARE, _ADD, _MULTIPLY, _CONCAT, _ATOM = range(8)
_INFIX = {
    **dict.fromkeys(("&", "|", "<<", ">>", "+", "-"), _ADD),
    **dict.fromkeys(("*", "/", "%"), _MULTIPLY),
    "||": _CONCAT,
}
_PATTERNS = ("LIKE", "GLOB")


def _ordered(answer: t.Answer) -> list[str]:
    """How the rows of an answer are ordered and cut."""
    found = []
    if answer.directions:
        found.append(f"in the order of {keys(answer.visible, answer.directions)}")
    if answer.limit is not None or answer.offset:
        found.append(cut(answer.limit, answer.offset))
    return found


class _Writer:
    """Writes nodes with one set of names."""

    def __init__(self, labels: VariableLabels) -> None:
        self._labels = labels

    def node(self, node: t.Node) -> str:
        """Any node, on one line."""
        match node:
            case t.Answer():
                return "; ".join([self._bag(node.bag), *_ordered(node)])
            case t.Bag():
                return self._bag(node)
            case t.Term():
                return self._term(node)
            case t.Binding():
                return self._binding(node)
            case t.Scan() | t.Squash() | t.Limited() | t.Numbered():
                return self._source(node)
        return self.value(node)

    def broken(self, term: t.Term, visible: int) -> str:
        """A term at top level: sort keys after a bar, a line each for its parts if it is long."""
        head, condition = self._head(term), self._condition(term)
        outputs = [self.value(value) for value in term.outputs]
        shown = ", ".join(outputs[:visible])
        if outputs[visible:]:
            shown += f" | {', '.join(outputs[visible:])}"
        parts = [part for part in (f"Σ {head}".rstrip(), condition, f"→ ({shown})") if part]
        line = " ".join(parts)
        return line if len(line) <= _WIDTH else "\n    ".join(parts)

    def _bag(self, bag: t.Bag) -> str:
        return " + ".join(map(self._term, bag.terms)) or _EMPTY

    def _term(self, term: t.Term) -> str:
        outputs = ", ".join(map(self.value, term.outputs))
        parts = (f"Σ {self._head(term)}".rstrip(), self._condition(term), f"→ ({outputs})")
        return " ".join(part for part in parts if part)

    def _head(self, term: t.Term) -> str:
        return ", ".join(map(self._binding, term.bindings))

    def _condition(self, term: t.Term) -> str:
        return "" if term.condition == t.TRUE else f"[{self.value(term.condition)}]"

    def _binding(self, binding: t.Binding) -> str:
        return f"{self._labels.of(binding.row)} ∈ {self._source(binding.source)}"

    def _source(self, source: t.Source) -> str:
        match source:
            case t.Scan(table):
                return name(table)
            case t.Squash(bag):
                return f"distinct({self._bag(bag)})"
            case t.Limited(bag, visible, directions, limit, offset):
                order = f" by {keys(visible, directions)}" if directions else ""
                return f"({self._bag(bag)}; {cut(limit, offset)}{order})"
            case t.Numbered(bag, visible, partition, directions):
                parts = [f"#{visible + n}" for n in range(1, partition + 1)]
                within = f" within {', '.join(parts)}" if parts else ""
                order = keys(visible + partition, directions) or "chance"
                return f"numbered({self._bag(bag)}{within} by {order})"

    def value(self, value: t.Expression, outer: int = _OR) -> str:
        """The text of an expression, in parentheses if it binds less tightly than the operator around it."""
        text, own = self._value(value)
        return f"({text})" if own < outer else text

    def _value(self, value: t.Expression) -> tuple[str, int]:
        """The text of an expression, and how tightly it binds."""
        match value:
            case t.And(parts):
                return " and ".join(self.value(part, _NOT) for part in parts) or "true", _AND
            case t.Or(parts):
                return " or ".join(self.value(part, _AND) for part in parts) or "false", _OR
            case t.Not(t.Compare("=", left, right)):
                return f"{self.value(left, _ADD)} ≠ {self.value(right, _ADD)}", _COMPARE
            case t.Not(t.IsNull(part)):
                return f"{self.value(part, _ADD)} is not NULL", _COMPARE
            case t.Not(t.Compare("IS", left, right)):
                return f"{self.value(left, _ADD)} is not {self.value(right, _ADD)}", _COMPARE
            case t.Not(part):
                return f"not {self.value(part, _NOT)}", _NOT
            case t.Compare(operator, left, right):
                sign = {"<=": "≤", "IS": "is"}.get(operator, operator)
                return f"{self.value(left, _ADD)} {sign} {self.value(right, _ADD)}", _COMPARE
            case t.IsNull(part):
                return f"{self.value(part, _ADD)} is NULL", _COMPARE
            case t.Found(table, key, values):
                return f"{self._row(table, key, values)} ≠ ∅", _COMPARE
            case t.Apply(function, (left, right)) if function in _PATTERNS:
                return f"{self.value(left, _ADD)} {function} {self.value(right, _ADD)}", _COMPARE
            case t.Apply(function, (left, right)) if function in _INFIX:
                own = _INFIX[function]
                return f"{self.value(left, own)} {function} {self.value(right, own + 1)}", own
        return self._atom(value), _ATOM

    def _call(self, call: t.Apply) -> str:
        if call.function[0] in SIGNS:
            return call.function
        function = "-" if call.function == "NEG" else call.function
        return f"{function}({', '.join(map(self.value, call.arguments))})"

    def _atom(self, value: t.Expression) -> str:
        match value:
            case t.Field(row, column):
                return f"{self._labels.of(row)}.{name(column)}"
            case t.Constant():
                return literal(value)
            case t.Apply():
                return self._call(value)
            case t.Convert(to, part, explicit):
                return f"CAST({self.value(part)} AS {to})" if explicit else f"{to}({self.value(part)})"
            case t.IsTrue(part):
                return f"true({self.value(part)})"
            case t.Case(branches, default):
                cases = "; ".join(f"{self.value(c)}: {self.value(v)}" for c, v in branches)
                return f"{{{cases}; else {self.value(default)}}}"
            case t.Lookup(table, key, values, column):
                return f"{self._row(table, key, values)}.{name(column)}"
            case t.Exists(t.Bag((t.Term() as term,))):
                inner = " ".join(part for part in (self._head(term), self._condition(term)) if part)
                return f"(∃ {inner})"
            case t.Exists(bag):
                return f"(∃ {self._bag(bag)})"
            case t.Aggregate(function, bag):
                return f"{'SUM0' if function == 'LINEAR' else function}{{{self._bag(bag)}}}"
            case t.First(rows):
                return f"first{self._source(rows)}"
        raise TypeError(f"no expression: {type(value).__name__}")

    def _row(self, table: str, key: tuple[str, ...], values: tuple[t.Expression, ...]) -> str:
        pairs = (f"{name(k)} = {self.value(v, _ADD)}" for k, v in zip(key, values, strict=True))
        return f"{name(table)}[{', '.join(pairs)}]"
