"""Random aggregates over nested bags, groups above all, and small random databases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from equiv.algebra.terms import (
    FALSE,
    NULL,
    TRUE,
    Aggregate,
    And,
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
    FreshNames,
    IsNull,
    Limited,
    Not,
    Or,
    Scan,
    Source,
    Squash,
    Term,
    Variable,
    integer,
)

DDL = """
CREATE TABLE t (a INTEGER, b INTEGER NOT NULL, x REAL, d TEXT, n NUMERIC);
CREATE TABLE s (a INTEGER, b INTEGER NOT NULL, x REAL, d TEXT, n NUMERIC);
"""

_VALUES: dict[str, tuple[object, ...]] = {
    "a": (None, 0, 1, 2, 2, -1),
    "b": (0, 1, 1, 2, -2),
    "x": (None, 0.0, 0.5, 1.0, -1.5),
    "d": (None, "a", "b", "1", "2x"),
    "n": (None, 0, 1, 2, 0.5),
}


def random_rows(random: Random) -> dict[str, list[dict[str, object]]]:
    """Up to four rows in each table."""
    return {
        table: [
            {name: random.choice(values) for name, values in _VALUES.items()}
            for _ in range(random.choice((0, 1, 2, 3, 4)))
        ]
        for table in ("t", "s")
    }


@dataclass
class Maker:
    """Makes random aggregates.

    Args:
        random: decides everything.
        names: gives the variables.
        mixed: whether the column that holds integers and reals may be used.
    """

    random: Random
    names: FreshNames = field(default_factory=FreshNames)
    mixed: bool = False
    sources: dict[Variable, Source] = field(default_factory=dict)

    def aggregate(self, outer: Sequence[Variable], depth: int) -> Aggregate:
        """An aggregate over a random bag; ``outer`` may be mentioned."""
        function = self.random.choice(("COUNT", "SUM", "SUM", "TOTAL", "AVG", "MIN", "MAX"))
        return Aggregate(function, self.bag(outer, depth, function))  # type: ignore[arg-type]

    def bag(self, outer: Sequence[Variable], depth: int, function: str = "MAX") -> Bag:
        """A bag of one or two terms with one output; of 1 and 1.0 the extreme is not fixed."""
        if depth and self.random.random() < 0.5:
            return Bag((self.grouped(outer, depth),))
        kinds = [
            "whole",
            "whole",
            "real",
            "any",
            *["number"] * (self.mixed or function not in ("MIN", "MAX")),
        ]
        kind = self.random.choice(kinds)
        count = 2 if self.random.random() < 0.2 else 1
        return Bag(tuple(self.term(outer, depth, kind) for _ in range(count)))

    def term(self, outer: Sequence[Variable], depth: int, kind: str) -> Term:
        """A term over up to two rows."""
        count = self.random.choice((0, 1, 1, 1, 2))
        bindings = [self._bound(self.source(outer, depth)) for _ in range(count)]
        rows = [*outer, *(each.row for each in bindings)]
        own = [each.row for each in bindings]
        parts = [self.condition(rows, own, depth) for _ in range(self.random.choice((0, 1, 1, 2)))]
        return Term(tuple(bindings), _all(parts), (self.value(rows, depth, kind),))

    def _bound(self, source: Source) -> Binding:
        row = self.names.variable("r")
        self.sources[row] = source
        return Binding(row, source)

    def source(self, outer: Sequence[Variable], depth: int) -> Source:
        """A table, or distinct rows of a bag."""
        if depth and self.random.random() < 0.3:
            return Squash(self._keys(outer, depth - 1, self.random.choice((1, 2))))
        return Scan(self.random.choice("ts"))

    def _keys(self, outer: Sequence[Variable], depth: int, width: int) -> Bag:
        binding = self._bound(Scan(self.random.choice("ts")))
        rows = [*outer, binding.row]
        parts = [self.condition(rows, [binding.row], depth)] if self.random.random() < 0.5 else []
        outputs = tuple(self.column(binding.row) for _ in range(width))
        return Bag((Term((binding,), _all(parts), outputs),))

    def grouped(self, outer: Sequence[Variable], depth: int) -> Term:
        """Groups by one or two columns with an aggregate over each group as output."""
        keys = self._keys(outer, depth - 1, self.random.choice((1, 2)))
        group = self._bound(Squash(keys))
        inner = self._of_group(keys.terms[0], group.row, outer, depth - 1)
        rows = [*outer, group.row]
        having: list[Expression] = []
        if self.random.random() < 0.4:
            other = self._of_group(keys.terms[0], group.row, outer, depth - 1)
            having.append(Compare(self.random.choice(("=", "<", "<=")), integer(1), other))
        if self.random.random() < 0.4:
            having.append(self.condition(rows, [group.row], 0))
        output: Expression = inner
        match self.random.randrange(6):
            case 0:
                output = Apply("*", (inner, self.value(rows, 0, "whole")))
            case 1:
                output = Apply("+", (self.value(rows, 0, "whole"), inner))
            case 2:
                output = Case(((self.condition(rows, [group.row], 0), inner),), NULL)
            case 3:
                output = Case(((Not(IsNull(inner)), inner),), integer(0))
        return Term((group,), _all(having), (output,))

    def _of_group(self, term: Term, group: Variable, outer: Sequence[Variable], depth: int) -> Aggregate:
        copy = self.names.copy_of(term)
        for binding in copy.bindings:
            self.sources[binding.row] = binding.source
        equal = self.random.choice(("IS", "IS", "="))
        links = [Compare(equal, each, Field(group, n)) for n, each in enumerate(copy.outputs)]  # type: ignore[arg-type]
        extra = list(copy.bindings)
        if self.random.random() < 0.2:
            extra.append(self._bound(Scan(self.random.choice("ts"))))
        rows = [*outer, group, *(each.row for each in extra)]
        own = [each.row for each in extra]
        parts = [copy.condition, *links]
        if self.random.random() < 0.3:
            parts.append(self.condition(rows, own, depth))
        function = self.random.choice(("COUNT", "SUM", "SUM", "MIN", "MAX", "AVG", "TOTAL"))
        value = self.value(rows, depth, self.random.choice(("whole", "whole", "real")))
        return Aggregate(function, Bag((Term(tuple(extra), _all(parts), (value,)),)))  # type: ignore[arg-type]

    def column(self, row: Variable) -> Expression:
        """A column of a row."""
        source = self.sources[row]
        if isinstance(source, Squash):
            return Field(row, self.random.randrange(len(source.bag.terms[0].outputs)))
        return Field(row, self.random.choice("abxdn" if self.mixed else "abbxd"))

    def value(self, rows: Sequence[Variable], depth: int, kind: str) -> Expression:
        """An argument: an integer, a real, or anything."""
        if kind == "number":
            test = self.condition(rows, rows[-1:], 0)
            return Case(((test, self.value(rows, 0, "real")),), self.value(rows, depth, "whole"))
        names = {"whole": "aab", "real": "x", "any": "abxd" if self.mixed else "abd"}[kind] + "n" * self.mixed
        scans = [row for row in rows if isinstance(self.sources[row], Scan)]
        leaf: Expression = self._literal(kind)
        if scans and self.random.random() < 0.8:
            leaf = Field(self.random.choice(scans), self.random.choice(names))
        if kind == "any":
            return self.column(self.random.choice(rows)) if rows and self.mixed else leaf
        own = [scans[-1]] if scans else []
        match self.random.randrange(10):
            case 0 | 1:
                operator = self.random.choice(("+", "-", "*"))
                return Apply(operator, (leaf, self.value(rows, 0, kind)))
            case 2:
                return Apply("NEG", (leaf,))
            case 3 | 4:
                default = self.random.choice((NULL, self._literal(kind), self.value(rows, 0, kind)))
                return Case(((self.condition(rows, own, 0), leaf),), default)
            case 5 if kind == "whole":
                return self.condition(rows, own, 0)
            case 5:
                return Apply("/", (leaf, self.random.choice((Constant("real", "2.0"), integer(4)))))
            case 6 if kind == "real":
                return Convert("REAL", Field(scans[-1], "d") if scans else leaf, explicit=True)
            case 7 if depth:
                return self.aggregate(rows, depth - 1)
        return leaf

    def _literal(self, kind: str) -> Expression:
        if kind == "real":
            return Constant("real", self.random.choice(("0.0", "0.5", "2.0")))
        return integer(self.random.choice((0, 1, 1, 2, -3)))

    def condition(self, rows: Sequence[Variable], own: Sequence[Variable], depth: int) -> Expression:
        """A truth value, most often about an own row."""
        if not rows:
            return self.random.choice((TRUE, FALSE, Compare("=", integer(1), NULL)))
        left = self.column(self.random.choice(own or rows))
        match self.random.randrange(12):
            case 0 | 1 | 2:
                other = self.column(self.random.choice(rows))
                return Compare(self.random.choice(("=", "IS", "<")), left, other)
            case 3:
                return IsNull(left)
            case 4:
                return Not(self.condition(rows, own, depth))
            case 5:
                return Or((self.condition(rows, own, 0), self.condition(rows, own, 0)))
            case 6 if depth:
                return Exists(self.bag(rows, depth - 1))
            case 7 if depth:
                return Compare("<", self.aggregate(rows, depth - 1), self._literal("whole"))
        operator = self.random.choice(("=", "<", "<="))
        return Compare(operator, left, self._literal("whole"))  # type: ignore[arg-type]

    def first(self, outer: Sequence[Variable]) -> First:
        """A scalar subquery sorted by its value."""
        bag = self.bag(outer, 1)
        twice = Bag(tuple(Term(t.bindings, t.condition, (t.outputs[0], t.outputs[0])) for t in bag.terms))
        way = Direction(self.random.random() < 0.5, self.random.random() < 0.5)
        return First(Limited(twice, 1, (way,), self.random.choice((1, None, 3)), 0, self.names.site()))


def _all(parts: Sequence[Expression]) -> Expression:
    return And(tuple(parts)) if len(parts) > 1 else parts[0] if parts else TRUE
