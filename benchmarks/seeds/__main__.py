"""Print the tables and figures of the papers beside what is computed here, as Markdown.

Usage: ``python -m benchmarks.seeds > benchmarks/seeds.md``; ``python -m benchmarks.seeds trustsql`` prints
one paper.  The scores of Spider's systems stand in ``results/seeds.spider.jsonl`` once they are measured
(some minutes on one processor); delete the file to measure anew.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence

from benchmarks.journal import head_of, markdown
from benchmarks.seeds import esm_plus, nl2sqlbench, rose, trustsql
from benchmarks.seeds.table import MARKS, Basis, Cell, Paper, Standing, Table

HEAD = head_of(__file__)


def page_of(papers: Sequence[tuple[Paper, Sequence[Table]]]) -> Iterator[str]:
    """The lines of the page."""
    yield HEAD
    yield from _shares(papers)
    for paper, tables in papers:
        yield f"\n## {paper.name}\n\n{paper.source}\n"
        for table in tables:
            yield from _section(table)


def _shares(papers: Sequence[tuple[Paper, Sequence[Table]]]) -> Iterator[str]:
    rows: list[tuple[object, ...]] = []
    whole: Counter[Standing] = Counter()
    for paper, tables in papers:
        for basis in Basis:
            found = sum((t.counts() for t in tables if t.basis is basis), Counter[Standing]())
            whole += found
            if total := found.total():
                rows.append((paper.name, total, basis, *_split(found, total)))
    rows.append(("all", whole.total(), "", *_split(whole, whole.total())))
    yield from markdown(("paper", "numbers", "computed from", *Standing), rows)
    computed = whole.total() - whole[Standing.ABSENT]
    shares = (f"{100 * whole[s] / computed:.0f} % {s}" for s in Standing if s is not Standing.ABSENT)
    yield f"\nOf the {computed} numbers that can be computed here: {', '.join(shares)}." if computed else ""


def _split(found: Counter[Standing], total: int) -> Iterator[str]:
    return (f"{found[each]} ({100 * found[each] / total:.0f} %)" for each in Standing)


def _section(table: Table) -> Iterator[str]:
    yield f"### {table.place}: {table.about}\n"
    yield f"{table.how}\n"
    if table.cells:
        yield from _grid(table)
        found = table.counts()
        told = ", ".join(f"{found[each]} {each}" for each in Standing if found[each])
        yield f"\n{told}. {table.reason}".rstrip() + "\n" if told else ""
    if table.missing:
        count = table.counts()[Standing.ABSENT]
        yield f"Not at hand ({count} numbers): {table.missing}\n"


def _grid(table: Table) -> Iterator[str]:
    columns = list(dict.fromkeys(cell.column for cell in table.cells))
    rows = list(dict.fromkeys(cell.row for cell in table.cells))
    known = {(cell.row, cell.column): cell for cell in table.cells}
    shown = ((row, *(_shown(table, known.get((row, column))) for column in columns)) for row in rows)
    yield from markdown(("", *columns), shown)


def _shown(table: Table, cell: Cell | None) -> str:
    if cell is None:
        return ""
    standing = table.standing(cell)
    sides = [_number(value, table.digits) for value in (cell.paper, cell.ours)]
    return f"{sides[0]} / {sides[1]}" + (f" {MARKS[standing]}" if standing else "")


def _number(value: float | None, digits: int) -> str:
    return "?" if value is None else f"{value:,.{digits}f}"


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
