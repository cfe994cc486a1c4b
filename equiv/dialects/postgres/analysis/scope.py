"""What the numbers of a node tree mean at one place: entries of range tables, by query level."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

from equiv.core.query import UnsupportedError
from equiv.dialects.postgres.analysis.nodes import Node, read_nodes
from equiv.dialects.postgres.analysis.oids import Catalogue
from equiv.dialects.typed.tree import CommonTable, Expr, FromSource, Grouped, Joined, SourceColumn, Type

CALLED = re.compile(r":(?:funcid|opfuncid|aggfnoid|winfnoid) (\d+)")
"""The functions that a node tree calls."""
DEEPEST = 60
"""How many queries may stand within one another."""


@dataclass
class Session:
    """The state of one reading.

    Attributes:
        catalogue: what OIDs stand for.
        view: the node tree of a view's query, as text, by its OID.
        numbers: gives the next number of a source or common table expression.
        refreshed: the materialised views whose query is read, each with its schema, the outermost first.
    """

    catalogue: Catalogue
    view: Callable[[int], str]
    numbers: Callable[[], int] = field(default_factory=lambda: count(1).__next__)
    refreshed: tuple[str, ...] = ()

    def is_immutable(self, view: int) -> bool:
        """Whether the query of a view gives the same rows whenever it is run on the same tables."""
        tree = self.view(view)
        called = {int(each) for each in CALLED.findall(tree)}
        return "{SQLVALUEFUNCTION" not in tree and all(
            self.catalogue.routine(oid).volatility == "i" for oid in called
        )

    def view_query(self, oid: int) -> Node:
        """The query of a view."""
        (found,) = read_nodes(self.view(oid))
        assert isinstance(found, Node)
        return found


@dataclass
class Level:
    """One query: its range table as far as it is read, and its common table expressions.

    Attributes:
        entries: by number what an entry is; of one that nothing read yet its node.
        groups: the expressions of GROUP BY, where the range table has an entry for them.
    """

    node: Node
    entries: dict[int, FromSource | Joined] = field(default_factory=dict)
    ctes: dict[str, CommonTable] = field(default_factory=dict)
    groups: list[Expr] = field(default_factory=list)

    def table(self, number: int) -> Node:
        """The node of an entry of the range table, by its number from 1."""
        return self.node.nodes("rtable")[number - 1]


@dataclass(frozen=True)
class Scope:
    """The queries around a place, the innermost last."""

    session: Session
    levels: tuple[Level, ...]

    @property
    def catalogue(self) -> Catalogue:
        """What OIDs stand for."""
        return self.session.catalogue

    def inside(self, node: Node) -> Scope:
        """The scope of a query within this one."""
        if len(self.levels) >= DEEPEST:
            raise UnsupportedError("Query", "nested too deeply")
        return Scope(self.session, (*self.levels, Level(node)))

    def level(self, up: int = 0) -> Level:
        """The query so many levels up."""
        return self.levels[-1 - up]

    def type(self, node: Node, oid: str, modifier: str = "") -> Type:
        """The type that fields of a node name."""
        return self.catalogue.type(node.number(oid), node.number(modifier) if modifier else -1)

    def variable(self, node: Node) -> Expr:
        """What a VAR stands for.

        Raises:
            UnsupportedError: a whole row, or a column of the system's.
        """
        level = self.level(node.number("varlevelsup"))
        number, position = node.number("varno"), node.number("varattno")
        if position <= 0:
            raise UnsupportedError("Column", "a whole row" if position == 0 else "a column of the system")
        found = self.type(node, "vartype", "vartypmod")
        if level.table(number).number("rtekind") == _GROUP:
            return Grouped(found, level.groups[position - 1])
        entry = level.entries.get(number)
        if entry is None:
            raise UnsupportedError("Column", "a column of what FROM does not read")
        return SourceColumn(found, entry.number, position)

    def cte(self, name: str, up: int) -> CommonTable:
        """A common table expression of a query so many levels up."""
        found = self.level(up).ctes.get(name)
        if found is None:
            raise UnsupportedError("With", "a common table expression that reads itself")
        return found


_GROUP = 9
_COLLATIONS = frozenset(("0", "100", "950"))
"""None, the database's own, and ``C``, which sorts alike."""


def require_own_collation(node: Node) -> None:
    """Make sure that a node compares texts by the database's own collation.

    Raises:
        UnsupportedError: it may not.
    """
    for name in ("inputcollid", "varcollid", "resultcollid"):
        if node.text(name) not in ("", *_COLLATIONS):
            raise UnsupportedError("Collate", "a collation other than the database's own")
