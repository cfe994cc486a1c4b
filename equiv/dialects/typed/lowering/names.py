"""Names in the core's text: unique, and no table's."""

from __future__ import annotations

from collections.abc import Iterable


class Names:
    """Gives names that were not given before, letters of either case alike.

    Args:
        taken: names that mean something else.
    """

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = {name.lower() for name in taken}

    def fresh(self, wanted: str) -> str:
        """A name like the one that is wanted."""
        name, count = wanted, 1
        while name.lower() in self._taken:
            count += 1
            name = f"{wanted}_{count}"
        self._taken.add(name.lower())
        return name


def unique(wanted: Iterable[str]) -> list[str]:
    """The names, those that were there before with a number behind them."""
    names = Names()
    return [names.fresh("column" if name.lower() in _UNNAMED else name) for name in wanted]


_UNNAMED = frozenset(("", "?column?", "true", "false"))
"""Names that say nothing, and those under which SQLite's subqueries show no column."""
