"""Options and settings that every test shares."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("equiv", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("equiv")


if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts background jobs deaf to Ctrl-C, and what the tests start would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite", action="store_true", help="refresh the outputs recorded in golden files")


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of published schemas and databases that some tests read, if it is there."""
    root = Path(__file__).resolve().parents[1]
    folder = Path(os.environ.get("EQUIV_DATA", root.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no published data in {folder}")
    return folder
