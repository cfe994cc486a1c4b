"""Cells and rows, as SQLite returns them."""

from __future__ import annotations

Cell = int | float | str | bytes | None
"""One value as SQLite returns it."""


Row = tuple[Cell, ...]
