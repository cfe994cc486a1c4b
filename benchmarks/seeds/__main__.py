"""Print the tables and figures of the papers beside what is computed here, as Markdown.

Usage: ``python -m benchmarks.seeds > benchmarks/seeds.md``; ``python -m benchmarks.seeds trustsql`` prints
one paper.  The scores of Spider's systems stand in ``results/seeds.spider.jsonl`` once they are measured
(some minutes on one processor); delete the file to measure anew.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from benchmarks.seeds import esm_plus, nl2sqlbench, rose, trustsql
from benchmarks.seeds.page import page_of

PAPERS = {
    "nl2sqlbench": nl2sqlbench.PAPER,
    "esm-plus": esm_plus.PAPER,
    "rose": rose.PAPER,
    "trustsql": trustsql.PAPER,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the page, or the part on some papers."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.seeds")
    parser.add_argument("papers", nargs="*", choices=[*PAPERS, []], help="all if none is named")
    named = parser.parse_args(arguments).papers or list(PAPERS)
    chosen = [(PAPERS[name], tuple(PAPERS[name].tables())) for name in named]
    print("\n".join(page_of(chosen)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
