"""Writes docs/rules.md from the rules themselves: ``python -m rules.document [FILE]``."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

from equiv.rewrite.rule import Rule

from . import RULES

PAGE = Path(__file__).parent.parent / "docs" / "rules.md"
INTRODUCTION = """\
# Rules

Written by `python -m rules.document`; change the docstrings in `rules/` instead. Modules and rules stand in
firing order. A rule fires where the tree has its shape and the facts promise what it needs. *Keeps* is the
strictest comparison of rows that it preserves: a rule that keeps less than a list fires only on the whole
query, and only if the comparison allows.
"""


def document(rules: Iterable[Rule]) -> str:
    """The page on some rules, as Markdown."""
    rules = tuple(rules)
    parts = [INTRODUCTION, f"{len(rules)} rules.\n"]
    for module, members in groupby(rules, key=lambda rule: rule.module):
        parts += [f"## {_title(module)}\n", f"{inspect.getdoc(sys.modules[module])}\n"]
        parts += [_section(rule) for rule in members]
    return "\n".join(parts)


def _title(module: str) -> str:
    return module.rpartition(".")[2].replace("_", " ").capitalize()


def _section(rule: Rule) -> str:
    sentence, _, rest = inspect.cleandoc(rule.doc).partition("\n\n")
    needs = ", ".join(f"`{need.__name__}`" for need in rule.needs) or "nothing"
    about = [f"Keeps: {rule.under}.", f"Needs: {needs}."]
    if rule.esm_plus is not None:
        about.append(f"Rule {rule.esm_plus} of ESM+.")
    return f"### {rule.name}\n\n{sentence}\n\n```\n{rest}\n```\n\n{' '.join(about)}\n"


def main() -> None:
    """Write the page."""
    page = Path(sys.argv[1]) if len(sys.argv) > 1 else PAGE
    page.write_text(document(RULES), encoding="utf-8")


if __name__ == "__main__":
    main()
