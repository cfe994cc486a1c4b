"""Convert pairs that others published in forms of their own; :mod:`benchmarks.pairs.published` reads these.

Usage: ``python -m benchmarks.outcomes.published`` converts all and lists what was left out.
"""

from __future__ import annotations

import sys

from benchmarks.pairs.corpora import CONVERTED, DATA
from benchmarks.pairs.published import NAMES, convert


def main() -> int:
    """Convert every corpus and print what was left out."""
    for name in NAMES:
        reasons = convert(name, DATA, CONVERTED)
        kept = len((CONVERTED / name / "pairs.jsonl").read_text(encoding="utf-8").splitlines())
        print(f"{name}: {kept} pairs expressible, {reasons.total()} not")
        for why, number in reasons.most_common():
            print(f"  {number:4} {why}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
