"""The catalogue of the algebra's rewrites, as they stand in their modules.

``python -m equiv.proof.catalogue [FILE]`` writes docs/algebra.md from the rewrites themselves.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from itertools import groupby
from pathlib import Path
from pkgutil import walk_packages
from typing import Any, Protocol, TypeVar

from equiv.files import write_page
from equiv.proof import normal_form, rewrites
from equiv.proof.rewrite import Rewrite


class Described(Protocol):
    """A rule or a rewrite: what a module defines, and documents."""

    @property
    def module(self) -> str:
        """The module's name."""
        ...


D = TypeVar("D", bound=Described)

_MODULES = (
    *(import_module(each.name) for each in walk_packages(rewrites.__path__, f"{rewrites.__name__}.")),
    normal_form,
)
REWRITES: tuple[Rewrite[Any, Any, Any], ...] = tuple(
    each
    for module in _MODULES
    for each in vars(module).values()
    if isinstance(each, Rewrite) and each.module == module.__name__
)
"""All rewrites, each once, as they stand in their modules."""


PAGE = Path(__file__).parents[2] / "docs" / "algebra.md"
INTRODUCTION = """\
# Rewrites of the algebra

Written by `python -m equiv.proof.catalogue`; change the docstrings in `equiv/proof/` instead. The proof tier
reads a query as a sum of terms (docs/proof.md) and brings it into a normal form by these rewrites. A section
is a module, in which tuples say in what order rewrites are tried at one place. Each application is recorded
with the facts that it rests on: `equiv explain --algebra` shows them. *On* is the kind of node; *keeps* is
what stays as it was on all databases that the facts allow: the value of an expression, NULL included; its
truth only; the rows of a term or bag, each as often; which rows there are (only where duplicates do not
count); the possible answers.

`Σ t ∈ a [condition] → (outputs)` has a row for each row `t` of `a` for which the condition is true; `(∃ …)`
asks whether there is one; `SUM0{…}` is an exact sum, 0 over no rows; `a[id = x].y` is column `y` of the row
of `a` with that key, NULL if there is none, and `a[id = x] ≠ ∅` asks whether there is one; `r.#1` is the
first column of `r`; `{p: x; else y}` is a CASE; what follows a bar is an order.
"""


def document() -> str:
    """The page on the rewrites, as Markdown."""
    return "\n".join([INTRODUCTION, f"{len(REWRITES)} rewrites.\n", *sections_of(REWRITES, _entry)])


def sections_of(described: Iterable[D], entry: Callable[[D], str]) -> Iterator[str]:
    """For each module of rules or rewrites its title and what it teaches, and their entries."""
    for name, members in groupby(described, key=lambda each: each.module):
        title = ": ".join(name.split(".")[-2:]).replace("_", " ").capitalize()
        yield from (f"## {title}\n", f"{inspect.getdoc(import_module(name))}\n", *map(entry, members))


def _entry(rewrite: Rewrite[Any, Any, Any]) -> str:
    return entry_of(rewrite.name, rewrite.doc, rewrite.needs, f"On: {rewrite.on}. Keeps: {rewrite.keeps}.")


def entry_of(name: str, doc: str, needs: Iterable[Callable[..., object]], keeps: str, more: str = "") -> str:
    """The entry of a rule or rewrite: the sentence of its docstring, the rest as it stands, what it needs."""
    sentence, _, rest = inspect.cleandoc(doc).partition("\n\n")
    needed = ", ".join(f"`{need.__name__}`" for need in needs) or "nothing"
    return f"### {name}\n\n{sentence}\n\n```\n{rest}\n```\n\n{keeps} Needs: {needed}.{more}\n"


if __name__ == "__main__":
    write_page(document(), PAGE)
