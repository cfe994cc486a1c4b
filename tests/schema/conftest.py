"""Where the published schemas are that some tests read, if they are there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def data() -> Path:
    root = Path(__file__).resolve().parents[2]
    folder = Path(os.environ.get("EQUIV_DATA", root.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no published data in {folder}")
    return folder
