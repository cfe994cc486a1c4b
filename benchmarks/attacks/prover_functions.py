"""Which functions of the prover a proof may go through."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from equiv.testing.fuzz.attacker import PROVERS

_ASIDE = (
    *("recheck", "text", "show", "claims", "trials", "evaluate"),
    *("hypotheses", "obligations"),
)
"""Modules of these packages that print, record or try, but prove nothing."""


def functions() -> set[str]:
    """The functions of the algebra and of the encoding that a proof may go through."""
    import ast
    import importlib

    found = set()
    for package in PROVERS:
        folder = Path(str(importlib.import_module(package).__path__[0]))
        for path in sorted(folder.rglob("*.py")):
            if not path.stem.startswith(_ASIDE):
                place = ".".join(path.relative_to(folder).with_suffix("").parts)
                found |= set(_defined(ast.parse(path.read_text(encoding="utf-8")), f"{package}.{place}."))
    return found


def _defined(node: Any, prefix: str) -> Iterator[str]:
    import ast

    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef):
            yield prefix + child.name
            yield from _defined(child, f"{prefix}{child.name}.<locals>.")
        elif isinstance(child, ast.ClassDef):
            yield from _defined(child, f"{prefix}{child.name}.")
