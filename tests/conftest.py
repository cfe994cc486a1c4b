"""Options and settings that every test shares."""

from __future__ import annotations

import signal

import pytest
from hypothesis import settings

settings.register_profile("equiv", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("equiv")


if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts background jobs deaf to Ctrl-C, and what the tests start would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite", action="store_true", help="refresh the outputs recorded in golden files")
