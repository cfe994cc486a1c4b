"""Every benchmark can be imported: nothing else runs them all, and no type checker reads them."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

import benchmarks


@pytest.mark.long
def test_every_module_of_the_benchmarks_can_be_imported() -> None:
    names = [each.name for each in pkgutil.walk_packages(benchmarks.__path__, "benchmarks.")]
    programs = [name for name in names if name.endswith(".__main__")]
    modules = [importlib.import_module(name) for name in names if name not in programs]
    assert len(modules) > 50
