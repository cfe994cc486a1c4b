"""Short names for variables."""

from __future__ import annotations

from equiv.algebra.terms import Binding, Node, Variable, children
from equiv.algebra.text.notation import is_plain


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
