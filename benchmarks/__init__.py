"""Measurements; they share the random queries and the golden files of ``tests/``, which is no package."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
"""The checkout."""

sys.path.append(str(ROOT / "tests"))
