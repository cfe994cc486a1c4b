"""Writes docs/options.md from the table of options: ``python -m equiv.commands.document``."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import get_type_hints

from equiv.commands.datasets import gold, suite
from equiv.commands.tools import serve
from equiv.files import write_page
from equiv.options import ComparisonOptions, Options
from equiv.server.requests import ASKED
from equiv.show.arguments import TakesOptions

PAGE = Path(__file__).parents[2] / "docs" / "options.md"
INTRODUCTION = """\
# Options

Written by `python -m equiv.commands.document`; change `equiv/options.py` instead.

How two queries are compared is said by the same options everywhere: as keywords of `equiv.check`,
`check_many` and `Checker` ([api.md](api.md)), on the command line with dashes (`--gold-dialect`), in requests
to [the service](service.md) and in the settings of [rewards](rewards.md). `check`, `explain` and `eval` take
all of them; the last column says who else does: `gold` and `suite` on the command line, `serve` for all
requests, a request for its own pairs. [semantics.md](semantics.md) explains what the words mean.

| option | values | without it | also taken by |
|---|---|---|---|
"""


def document() -> str:
    """The page, as Markdown."""
    takers = {
        **{command.__name__: _options_of(command) for command in (gold, suite, serve)},
        "a request": set(ASKED),
        "rewards": {one.name for one in fields(ComparisonOptions)},
    }
    rows = []
    for one in TakesOptions().parameters():
        option = one.annotation.__metadata__[0]
        words = (option.metavar or "yes|no").replace(",", "|").split("|")
        also = ", ".join(who for who, names in takers.items() if one.name in names)
        values = ", ".join(f"`{word}`" for word in words if word != "…")
        rows.append(f"| [`{one.name}`](#{one.name}) | {values} | {_shown(one.default)} | {also} |")
    told = _attributes(ComparisonOptions) | _attributes(Options)
    parts = [f"## {name}\n\n{text[:1].upper()}{text[1:]}\n" for name, text in told.items()]
    return INTRODUCTION + "\n".join([*rows, "", *parts])


def _options_of(command: Callable[..., int]) -> set[str]:
    """The options that a command takes and shows."""
    hint = get_type_hints(command, include_extras=True)["options"]
    (taken,) = [one for one in hint.__metadata__ if isinstance(one, TakesOptions)]
    return {one.name for one in taken.parameters() if not one.annotation.__metadata__[0].hidden}


def _shown(default: object) -> str:
    match default:
        case bool():
            return "yes" if default else "no"
    return str(default) if default else ""


def _attributes(kind: type) -> dict[str, str]:
    """What the documentation of a class says of its attributes."""
    section = (inspect.getdoc(kind) or "").partition("Attributes:\n")[2].partition("\n\n")[0]
    found: dict[str, str] = {}
    name = ""
    for line in section.splitlines():
        if not line.startswith(" " * 5):
            name = line.strip().partition(": ")[0]
        words = line.strip().removeprefix(f"{name}: ").split()
        found[name] = " ".join([found.get(name, ""), *words]).strip()
    return {name: _with_plain_names(text) for name, text in found.items() if name}


def _with_plain_names(text: str) -> str:
    """A docstring's text with a name of code in single marks, whatever role it has."""
    parts = text.replace("``", "`").split("`")
    for at in range(1, len(parts), 2):
        parts[at] = parts[at].removeprefix("~")
        parts[at - 1] = _ROLE.sub("", parts[at - 1])
    return "`".join(parts)


_ROLE = re.compile(r":\w{1,9}:\Z")


if __name__ == "__main__":
    write_page(document(), PAGE)
