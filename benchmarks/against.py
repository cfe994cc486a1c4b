"""Run a benchmark of this checkout against the engine and rules of another one.

Usage: ``python -m benchmarks.against DIR near_misses generated --pairs 5000``.
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path


def main() -> None:
    """Put the other checkout first on the path, this one's benchmarks being imported already."""
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    other = Path(sys.argv[1]).resolve()
    if not (other / "equiv").is_dir():
        sys.exit(f"{other} holds no checkout")
    sys.path.insert(0, str(other))
    sys.argv = sys.argv[2:]
    runpy.run_module(f"benchmarks.{sys.argv[0]}", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
