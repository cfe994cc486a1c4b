"""Writes docs/options.md and docs/functions.md from the tables: ``python -m equiv.commands.document``."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable
from dataclasses import fields
from itertools import groupby
from pathlib import Path
from typing import get_type_hints

from equiv.commands.datasets import gold, suite
from equiv.commands.tools import serve
from equiv.core.functions import traits
from equiv.core.functions.table import TABLE
from equiv.options import ComparisonOptions, Options
from equiv.server.requests import ASKED
from equiv.show.arguments import TakesOptions

_DOCS = Path(__file__).parents[2] / "docs"
OPTIONS, FUNCTIONS = _DOCS / "options.md", _DOCS / "functions.md"
_OPTIONS = """\
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


def page_of_options() -> str:
    """The page on the options, as Markdown."""
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
    return _OPTIONS + "\n".join([*rows, "", *parts])


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


_FUNCTIONS = """\
# Functions

Written by `python -m equiv.commands.document`; change `equiv/core/functions/table.py` instead. What
rules, algebra, prover, search and generated databases take for granted of SQLite's functions and operators
stands there, and nowhere else; `tests/core/test_functions.py` puts every claim to SQLite. A function
without a row is supported as far as that goes: two calls of it are equal where they are written alike.

*NULL*: when a call is NULL. *Gives*: the storage classes of its values, NULL apart; "by arguments" where
they follow from those of the arguments. *Reads*: what arguments are taken for. *Becomes*: what the algebra
makes of a call.
"""
_HEAD = "| function | arguments | NULL | gives | reads | becomes | also |\n|---|---|---|---|---|---|---|"


def page_of_functions(rows: Iterable[traits.Function]) -> str:
    """The page on some functions, as Markdown."""
    rows = tuple(rows)
    parts = [_FUNCTIONS, f"{len(rows)} rows.\n"]
    for sort, members in groupby(sorted(rows, key=_place), key=lambda row: row.sort):
        parts += [f"## {_TITLES[sort]}\n", "\n".join((_HEAD, *map(_line, members))) + "\n"]
    return "\n".join(parts)


_TITLES = {
    traits.FunctionSort.OPERATOR: "Operators",
    traits.FunctionSort.SCALAR: "Scalar functions",
    traits.FunctionSort.AGGREGATE: "Aggregates",
    traits.FunctionSort.WINDOW: "Window functions",
    traits.FunctionSort.INSTANT: "The current time",
}


def _place(row: traits.Function) -> tuple[int, str]:
    return list(_TITLES).index(row.sort), row.name if row.sort is traits.FunctionSort.SCALAR else ""


def _line(row: traits.Function) -> str:
    cells = (_name(row), _count(row), row.nulls, _classes(row), _reads(row), row.form, _also(row))
    return f"| {' | '.join(str(cell) for cell in cells)} |"


def _name(row: traits.Function) -> str:
    names = (row.name, *row.synonyms)
    return ", ".join(f"`{name}`".replace("|", "\\|") for name in names)


def _count(row: traits.Function) -> str:
    if row.most is None:
        return f"{row.least} or more"
    return str(row.least) if row.least == row.most else f"{row.least} to {row.most}"


def _classes(row: traits.Function) -> str:
    order = ("integer", "real", "text", "blob")
    found = [each for each in order if each in row.results]
    text = "any" if len(found) == len(order) else " or ".join(found)
    return f"{text}, by arguments" if row.follows or row.passes else text


def _reads(row: traits.Function) -> str:
    if not row.most and row.most is not None:
        return ""
    reads = row.reads if row.most is None else row.reads[: row.most]
    return "as they are" if set(reads) == {traits.Reads.ANY} else ", ".join(dict.fromkeys(reads))


def _also(row: traits.Function) -> str:
    """The traits in which a function is not like most."""
    told = (
        (not row.is_fixed, "not fixed by the database"),
        (row.rounds is not traits.Rounds.NO, f"rounds {row.rounds}"),
        (row.nearby is not traits.Nearby.JUMPS, f"an almost equal argument gives {row.nearby}"),
        (row.order is not traits.OrderDependence.NO, f"depends on {row.order}"),
        (row.compares, "compares by collation"),
        (row.raises is not traits.Raises.NEVER, f"raises an error {row.raises}"),
        (row.commutes, "commutes"),
        (row.solved is traits.Solved.MEANING, "interpreted by the prover"),
        (
            row.form is traits.CallForm.CALL and row.solved is traits.Solved.AS_WRITTEN,
            "equal only where written alike",
        ),
        (row.style is not traits.LiteralStyle.PLAIN, f"its literals are hints: {row.style}"),
    )
    return "; ".join(text for holds, text in told if holds)


if __name__ == "__main__":
    for page, text in ((OPTIONS, page_of_options()), (FUNCTIONS, page_of_functions(TABLE))):
        page.write_text(text, encoding="utf-8")
