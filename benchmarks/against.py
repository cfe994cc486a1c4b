"""Run a benchmark of this checkout against the engine and rules of another one.

What makes and attacks pairs, :mod:`equiv.testing`, is this checkout's too.

Usage: ``python -m benchmarks.against DIR attacks.near_misses generated --pairs 5000``.
"""

from __future__ import annotations

import runpy
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import ROOT


def main() -> None:
    """Put the other checkout on the path, before this one and after what is taken from this one.

    Worker processes are given the path; they find what is taken from here in a folder of its own.
    """
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    other = Path(sys.argv[1]).resolve()
    if not (other / "equiv").is_dir():
        sys.exit(f"{other} holds no checkout")
    with TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "benchmarks", Path(folder, "benchmarks"))
        shutil.copytree(other / "equiv", Path(folder, "equiv"), ignore=shutil.ignore_patterns("testing"))
        shutil.copytree(ROOT / "equiv" / "testing", Path(folder, "equiv", "testing"))
        sys.path[:0] = [folder, str(other)]
        sys.argv = sys.argv[2:]
        runpy.run_module(f"benchmarks.{sys.argv[0]}", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
