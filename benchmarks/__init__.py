"""Measurements; they share the random queries and the golden files of ``tests/``, which is no package."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "tests"))
