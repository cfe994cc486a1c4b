"""Writes docs/algebra.md from the rewrites themselves: ``python -m equiv.proof.document [FILE]``."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from equiv.files import write_page
from equiv.proof.catalogue import CATALOGUE, Section
from equiv.proof.rewrite import Rewrite

PAGE = Path(__file__).parents[2] / "docs" / "algebra.md"
INTRODUCTION = """\
# Rewrites of the algebra

Written by `python -m equiv.proof.document`; change the docstrings in `equiv/proof/` instead. The proof tier
reads a query as a sum of terms (docs/proof.md) and brings it into a normal form by these rewrites; sections
and rewrites stand in the order in which they are tried at one place. Each application is recorded with the
facts that it rests on: `equiv explain --algebra` shows them. *On* is the kind of node; *keeps* is what stays
as it was on all databases that the facts allow: the value of an expression, NULL included; its truth only;
the rows of a term or bag, each as often; which rows there are (only where duplicates do not count); the
possible answers.

`Σ t ∈ a [condition] → (outputs)` has a row for each row `t` of `a` for which the condition is true; `(∃ …)`
asks whether there is one; `SUM0{…}` is an exact sum, 0 over no rows; `a[id = x].y` is column `y` of the row
of `a` with that key, NULL if there is none, and `a[id = x] ≠ ∅` asks whether there is one; `r.#1` is the
first column of `r`; `{p: x; else y}` is a CASE; what follows a bar is an order.
"""


def document(sections: Iterable[Section] = CATALOGUE) -> str:
    """The page on some sections, as Markdown."""
    sections = tuple(sections)
    number = sum(len(section.rewrites) for section in sections)
    parts = [INTRODUCTION, f"{number} rewrites.\n"]
    for section in sections:
        parts += [f"## {section.title}\n", f"{section.about}\n"]
        parts += [_entry(each) for each in section.rewrites]
    return "\n".join(parts)


def _entry(rewrite: Rewrite[Any, Any, Any]) -> str:
    return entry_of(rewrite.name, rewrite.doc, rewrite.needs, f"On: {rewrite.on}. Keeps: {rewrite.keeps}.")


def entry_of(name: str, doc: str, needs: Iterable[Callable[..., object]], keeps: str, more: str = "") -> str:
    """The entry of a rule or rewrite: the sentence of its docstring, the rest as it stands, what it needs."""
    sentence, _, rest = inspect.cleandoc(doc).partition("\n\n")
    needed = ", ".join(f"`{need.__name__}`" for need in needs) or "nothing"
    return f"### {name}\n\n{sentence}\n\n```\n{rest}\n```\n\n{keeps} Needs: {needed}.{more}\n"


if __name__ == "__main__":
    write_page(document(), PAGE)
