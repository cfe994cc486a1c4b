"""Every benchmark can be imported: nothing else runs them all, and no type checker reads them."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

import benchmarks


@pytest.mark.long
def test_every_module_of_the_benchmarks_can_be_imported() -> None:
    # Folders without an __init__ are packages too, which pkgutil does not walk.
    (folder,) = map(Path, benchmarks.__path__)
    found = (path for path in folder.rglob("*.py") if path.stem not in ("__init__", "__main__"))
    names = [".".join(path.relative_to(folder.parent).with_suffix("").parts) for path in found]
    modules = [importlib.import_module(name) for name in sorted(names)]
    assert len(modules) > 50
