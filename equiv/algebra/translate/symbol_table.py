"""The symbol table of a place in a query during translation, and the state of the whole translation.

A stage has the rows of a block as its projections and its ORDER BY see them: after grouping or windows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice

from sqlglot import exp

from equiv.algebra.terms import Bag, Expression, Node, Term, walk
from equiv.algebra.world import World
from equiv.answers.representatives import folds_text, mixes_numbers, tells_types, without_facts
from equiv.core.claims.value_types import always_real, conforms, is_binary
from equiv.core.model import Context, Domain
from equiv.core.printing import key
from equiv.core.query import UnsupportedError
from equiv.facts import FactKind

MAX_TERMS = 64
"""How many summands one query block may have."""
MAX_NODES = 4_000
"""How large what others read as a table may be; the whole may be :data:`GROWTH` times as large."""
GROWTH = 5

AliasedColumn = tuple[str, str]
"""A column of a source: the alias and the column's name."""


@dataclass(frozen=True)
class NamedTable:
    """The rows of a query that others refer to by name, and the names of its columns."""

    names: tuple[str, ...]
    bag: Bag


@dataclass(frozen=True)
class NamedRows:
    """The rows of a FROM clause, or of a block after grouping: what each output of the bag stands for."""

    layout: tuple[AliasedColumn, ...]
    bag: Bag

    def columns(self, term: Term) -> dict[AliasedColumn, Expression]:
        """The columns of one summand."""
        return dict(zip(self.layout, term.outputs, strict=True))


class Translation:
    """The state of one translation.

    Args:
        tree: the whole resolved tree.
        world: schema, facts and names.

    Attributes:
        sites: the sites of choices, by the id of the node that leaves them and the name of the choice.
        folds: whether collations other than BINARY are in use.
        merges_numbers: whether equal numbers of several types were merged.
        compares_as_text: whether a value that may be a number is compared as text.
    """

    def __init__(self, tree: exp.Expression, world: World) -> None:
        self.tree = tree
        self.world = world
        self.context = Context(world.schema, world.facts)
        self.sites: dict[tuple[int, str], int] = {}
        self.folds = folds_text(tree, self.context)
        self.merges_numbers = False
        self.compares_as_text = False

    @cached_property
    def tells_types(self) -> bool:
        """Whether the query may treat 1 and 1.0 differently; where REAL arithmetic rounds, sums do."""
        if tells_types(self.tree, self.context):
            return True
        sums = self.tree.find(exp.Add, exp.Sub, exp.Mul, exp.Sum, exp.Avg)
        return sums is not None and not self.world.holds(FactKind.EXACT_ARITHMETIC)

    @cached_property
    def used(self) -> frozenset[AliasedColumn]:
        """All columns that the query mentions."""
        return frozenset((column.text("table"), column.name) for column in self.tree.find_all(exp.Column))

    def site(self, node: exp.Expression, choice: str) -> int:
        """The site of a choice that a node of the tree leaves: one however often the node is translated."""
        place = (id(node), choice)
        if place not in self.sites:
            self.sites[place] = self.world.names.site()
        return self.sites[place]

    def conforms(self, node: exp.Expression, domain: Domain) -> bool:
        """Whether every value of an expression is NULL or in a domain; facts are recorded as used."""
        claim = conforms(node, domain, self.context)
        if claim is None:
            return False
        self.world.use(claim)
        return True

    def folds_values_of(self, node: exp.Expression) -> bool:
        """Whether the collation of an expression may merge values that differ."""
        return self.folds and not is_binary(node, self.context)

    def require_binary(self, nodes: Iterable[exp.Expression], where: str) -> None:
        """Make sure that texts are compared by BINARY.

        Raises:
            UnsupportedError: another collation may be in use.
        """
        if any(map(self.folds_values_of, nodes)):
            raise UnsupportedError("Collate", f"a collation other than BINARY in {where}")

    def require_merging(self, nodes: Sequence[exp.Expression], where: str, *, shown: bool = False) -> None:
        """Refuse a merge of equal values that may differ (1 and 1.0) where the query may distinguish them.

        Args:
            nodes: the expressions whose equal values are merged with one another.
            where: what merges them.
            shown: whether the values go nowhere but into the columns of the whole query, where 1 and 1.0
                count as equal.

        Raises:
            UnsupportedError: 1 and 1.0 may be merged, in a query that may distinguish them; or a collation
                other than BINARY may merge texts.
        """
        self.require_binary(nodes, where)
        if shown or self._one_class(nodes):
            return
        self.merges_numbers = True
        if self.tells_types:
            raise UnsupportedError("Distinct", f"equal numbers of several types in {where}, which keeps one")

    def _one_class(self, nodes: Sequence[exp.Expression]) -> bool:
        if not mixes_numbers(list(nodes), without_facts(self.context)):
            return True
        if not mixes_numbers(list(nodes), self.context) and self.world.holds(FactKind.NO_OVERFLOW):
            return True
        for domain in (Domain.TEXT, Domain.INTEGER):
            if all(conforms(node, domain, self.context) is not None for node in nodes):
                return all(self.conforms(node, domain) for node in nodes)
        claims = [always_real(node, self.context) for node in nodes]
        for claim in claims:
            if claim is not None:
                self.world.use(claim)
        return all(claim is not None for claim in claims)


def require_small(node: Node, limit: int) -> None:
    """Refuse a node that is too large: a CTE that is read twice is there twice.

    Raises:
        UnsupportedError: it is.
    """
    if sum(1 for _ in islice(walk(node), limit + 1)) > limit:
        raise UnsupportedError("Query", "too large once its derived tables are written out")


@dataclass(frozen=True)
class SymbolTable:
    """The names that an expression can refer to: columns of sources, and values that are computed already.

    ``values`` are the parts of the block's own expressions that are computed already, by their
    :func:`equiv.core.printing.key`: group keys, aggregates, windows.
    """

    translation: Translation
    columns: Mapping[AliasedColumn, Expression] = field(default_factory=dict)
    tables: Mapping[str, NamedTable] = field(default_factory=dict)
    values: Mapping[object, Expression] = field(default_factory=dict)

    @property
    def world(self) -> World:
        """The world of the translation."""
        return self.translation.world

    def column(self, node: exp.Expression) -> Expression:
        """The value of a column.

        Raises:
            UnsupportedError: it is not to be seen here.
        """
        found = self.columns.get((node.text("table"), node.name))
        if found is None:
            raise UnsupportedError("Column", f"{node.text('table')}.{node.name} is not in scope here")
        return found

    def value(self, node: exp.Expression) -> Expression | None:
        """The value of a node that is computed already."""
        return self.values.get(key(node)) if self.values else None

    def inside(self, columns: Mapping[AliasedColumn, Expression]) -> SymbolTable:
        """The table with columns added, for the expressions of a block."""
        return replace(self, columns={**self.columns, **columns}, values={})

    def around(self) -> SymbolTable:
        """The table as a nested query sees it."""
        return replace(self, values={})


Translator = Callable[[exp.Expression, SymbolTable], Expression]


@dataclass(frozen=True)
class StagePart:
    """One summand, and what its expressions see."""

    term: Term
    """Its outputs do not count."""
    symbols: SymbolTable


@dataclass(frozen=True)
class Stage:
    """The summands of a block."""

    parts: tuple[StagePart, ...]

    @staticmethod
    def of(rows: NamedRows, symbols: SymbolTable) -> Stage:
        """The rows of a FROM clause."""
        return Stage(tuple(StagePart(t, symbols.inside(rows.columns(t))) for t in rows.bag.terms))

    def bag(self, nodes: Sequence[exp.Expression], translate: Translator) -> Bag:
        """The bag of some expressions."""
        return Bag(
            tuple(
                replace(part.term, outputs=tuple(translate(node, part.symbols) for node in nodes))
                for part in self.parts
            )
        )

    def with_values(self, found: Sequence[Mapping[object, Expression]]) -> Stage:
        """The stage with more values known in each part."""
        parts = (
            StagePart(part.term, replace(part.symbols, values={**part.symbols.values, **values}))
            for part, values in zip(self.parts, found, strict=True)
        )
        return Stage(tuple(parts))
