"""The pages of the documentation."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

GENERATED = {
    "docs/algebra.md": "its blocks are what tests/proof/test_rewrites_catalogue.py runs",
    "docs/coverage.md": "tests/benchmarks/test_coverage_page.py holds it fresh",
    "docs/esm-plus-audit.md": "a program wrote it",
    "docs/functions.md": "tests/core/test_functions.py puts every row to SQLite",
    "docs/options.md": "tests/cli/test_options.py holds it fresh",
    "docs/rules.md": "its blocks are what tests/rules/test_catalogue.py runs",
    "docs/support.md": "a program wrote it",
    "benchmarks/judging/rose_cost.md": "a program wrote it",
}
"""Pages that ``make pages`` and benchmarks write, whose blocks are not run here, and why."""

ELSEWHERE = {
    "docs/service.md": "tests/server/test_docs.py sends its requests",
    "docs/testing.md": "tests/testing/test_examples.py runs its blocks",
}
"""Pages whose blocks other tests run."""

ASIDE = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
FOLDERS = (
    "docs",
    "benchmarks",
    "benchmarks/judging",
    "benchmarks/outcomes",
    "dev_databases",
    "examples",
    "tests",
)


def all_pages() -> list[str]:
    """The paths, below the checkout, of every page that is kept."""
    found = [str(page.relative_to(ROOT)) for name in FOLDERS for page in (ROOT / name).glob("*.md")]
    return [*ASIDE, *sorted(found)]


def written_pages() -> list[str]:
    """Those that people write."""
    return [page for page in all_pages() if page not in GENERATED]
