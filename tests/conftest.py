"""Options and settings that every test shares."""

from __future__ import annotations

import pytest
from hypothesis import settings

settings.register_profile("equiv", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("equiv")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite", action="store_true", help="refresh the outputs recorded in golden files")
