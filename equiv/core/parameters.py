"""The names of parameters: one name is one unknown constant, on both sides of a pair.

A parameter is called ``?1`` where it is known by its number, else as its text writes it, sign included.
"""

from __future__ import annotations

from collections.abc import Iterable

SIGNS = "?:@$"
"""What a parameter starts with."""


def clash(names: Iterable[str]) -> str:
    """Why it is open which parameters of a pair are the same, or ''."""
    by_stem: dict[str, str] = {}
    counted = ""
    for name in names:
        if name[0] == "?":
            counted = name
        elif by_stem.setdefault(name[1:], name) != name:
            return f"{by_stem[name[1:]]} and {name}: one name under two signs"
    if counted and by_stem:
        return f"{counted} and {next(iter(by_stem.values()))}: some parameters have names, others are counted"
    return ""
