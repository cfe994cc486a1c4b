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
    return [names.fresh(name if name and name != "?column?" else "column") for name in wanted]
