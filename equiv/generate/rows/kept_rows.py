"""The rows kept so far for one database, with the key values taken and the dependencies settled by them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from equiv.cells import Cell
from equiv.core.collation import key_of
from equiv.generate.rows.specs import TableSpec


@dataclass
class KeptRows:
    """Kept rows in their order; the last ones can be taken back."""

    rows: dict[str, list[dict[str, Cell]]] = field(default_factory=dict)
    _seen: dict[tuple[str, tuple[str, ...]], set[tuple[Cell, ...]]] = field(default_factory=dict)
    _agreed: dict[tuple[str, int], dict[tuple[Cell, ...], dict[str, Cell]]] = field(default_factory=dict)
    _log: list[tuple[TableSpec, dict[str, Cell]]] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self._log)

    def keep(self, spec: TableSpec, row: dict[str, Cell]) -> None:
        """Add a row."""
        self.rows.setdefault(spec.name, []).append(row)
        self._log.append((spec, row))
        for key in spec.keys:
            values = _identity(spec, row, key)
            if None not in values:
                self._seen.setdefault((spec.name, key), set()).add(values)
        for number, (left, _) in enumerate(spec.functional):
            self._agreed.setdefault((spec.name, number), {}).setdefault(tuple([row[n] for n in left]), row)

    def cut(self, kept: int) -> None:
        """Take back all rows but the first so many."""
        while len(self._log) > kept:
            spec, row = self._log.pop()
            self.rows[spec.name].pop()
            for key in spec.keys:
                self._seen.get((spec.name, key), set()).discard(_identity(spec, row, key))
            for number in range(len(spec.functional)):
                agreed = self._agreed.get((spec.name, number), {})
                for values in [values for values, first in agreed.items() if first is row]:
                    del agreed[values]

    def is_taken(self, spec: TableSpec, row: Mapping[str, Cell], key: tuple[str, ...]) -> bool:
        """Whether a kept row has the key of this one."""
        seen = self._seen.get((spec.name, key))
        return seen is not None and _identity(spec, row, key) in seen

    def taken(self, spec: TableSpec, key: tuple[str, ...]) -> set[tuple[Cell, ...]]:
        """The values of a key that kept rows have."""
        return self._seen.get((spec.name, key), set())

    def agree(self, spec: TableSpec, row: dict[str, Cell]) -> bool:
        """Copy into a row the values that kept rows determine by functional dependencies.

        Returns:
            False if that would change a key or a reference, or comes to no end.
        """
        fixed = {name for key in spec.keys for name in key} | {n for r in spec.references for n in r.columns}
        for _ in range(len(spec.functional) + 1):
            settled = True
            for number, (left, right) in enumerate(spec.functional):
                known = self._agreed.get((spec.name, number), {})
                earlier = known.get(tuple([row[name] for name in left]), row)
                for name in right:
                    if row[name] != earlier[name]:
                        if name in fixed:
                            return False
                        row[name], settled = earlier[name], False
            if settled:
                return True
        return False


def _identity(spec: TableSpec, row: Mapping[str, Cell], key: tuple[str, ...]) -> tuple[Cell, ...]:
    """The values of a key as its collations compare them."""
    if not spec.collations:
        return tuple([row[name] for name in key])
    return tuple(
        [
            key_of(collation, row[name]) if (collation := spec.collations.get(name)) else row[name]
            for name in key
        ]
    )
