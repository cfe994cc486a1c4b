"""The catalogue of the algebra's rewrites, as they stand in their modules.

``python -m equiv.proof.catalogue [FILE]`` writes docs/algebra.md from the rewrites themselves.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType
from typing import Any

from equiv.files import write_page
from equiv.proof import normal_form, rewrites
from equiv.proof.rewrite import Rewrite

_MODULES = (
    *(import_module(each.name) for each in walk_packages(rewrites.__path__, f"{rewrites.__name__}.")),
    normal_form,
)


def _rewrites_of(module: ModuleType) -> tuple[Rewrite[Any, Any, Any], ...]:
    """The rewrites that a module defines, as they stand there."""
    found = (each for each in vars(module).values() if isinstance(each, Rewrite))
    return tuple(each for each in found if each.module == module.__name__)


REWRITES: tuple[Rewrite[Any, Any, Any], ...] = tuple(
    each for module in _MODULES for each in _rewrites_of(module)
)
"""All rewrites, each once."""


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
    sections = [INTRODUCTION, f"{len(REWRITES)} rewrites.\n"]
    for module in filter(_rewrites_of, _MODULES):
        sections += [f"## {_title(module)}\n", f"{inspect.getdoc(module)}\n"]
        sections += map(_entry, _rewrites_of(module))
    return "\n".join(sections)


def _title(module: ModuleType) -> str:
    *folder, name = module.__name__.removeprefix(f"{rewrites.__name__}.").split(".")
    return ": ".join((*folder[-1:], name)).replace("_", " ").removeprefix("proof: ").capitalize()


def _entry(rewrite: Rewrite[Any, Any, Any]) -> str:
    return entry_of(rewrite.name, rewrite.doc, rewrite.needs, f"On: {rewrite.on}. Keeps: {rewrite.keeps}.")


def entry_of(name: str, doc: str, needs: Iterable[Callable[..., object]], keeps: str, more: str = "") -> str:
    """The entry of a rule or rewrite: the sentence of its docstring, the rest as it stands, what it needs."""
    sentence, _, rest = inspect.cleandoc(doc).partition("\n\n")
    needed = ", ".join(f"`{need.__name__}`" for need in needs) or "nothing"
    return f"### {name}\n\n{sentence}\n\n```\n{rest}\n```\n\n{keeps} Needs: {needed}.{more}\n"


if __name__ == "__main__":
    write_page(document(), PAGE)
