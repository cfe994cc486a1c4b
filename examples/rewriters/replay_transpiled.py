"""Runs findings of transpilation again: a query on its engine, and its transpiled text on the other.

python examples/rewriters/replay_transpiled.py examples/rewriters/transpiled
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

from equiv.core.runner import Failure
from equiv.dialects.registry import dialect_named

Rows = list[tuple[object, ...]]
_RETURNS = "\n-- returns: "
_HEAD = re.compile(r"-- sqlglot \S+, from (\w+) to (\w+)\n")


def dialects(text: str) -> tuple[str, str]:
    """The dialects of a finding, the query's first.

    Raises:
        ValueError: it is none.
    """
    head = _HEAD.match(text)
    if head is None:
        raise ValueError("no finding: it does not begin with the dialects")
    return head[1], head[2]


def results(text: str) -> tuple[Rows, Rows]:
    """What the two queries of a finding return, each on its engine.

    Raises:
        ValueError: it is none.
        AssertionError: an engine refuses a query.
    """
    one, two = (_returned(name, part) for name, part in zip(dialects(text), _parts(text), strict=True))
    return one, two


def _parts(text: str) -> list[tuple[str, str]]:
    """The database and the query of each engine."""
    database, _, rest = text.partition(_RETURNS)
    query, _, rest = rest.partition(";\n\n")
    other_database, marked, other_query = rest.partition(_RETURNS)
    if not marked:
        raise ValueError("no finding: it lacks two queries behind '-- returns: '")
    # What is left of the comment is a number of rows.
    return [(database, f"-- {query}"), (other_database, f"-- {other_query.rstrip().removesuffix(';')}")]


def _returned(name: str, part: tuple[str, str]) -> Rows:
    database, sql = part
    with dialect_named(name).engine.replay(database) as session:
        result = session.run(sql)
    assert not isinstance(result, Failure), f"{name}: {result.message}"
    return [tuple(row) for row in result.rows]


def replayed(folder: Path) -> Iterator[tuple[str, Rows, Rows]]:
    """The name of each finding, and what its queries return."""
    for path in sorted(folder.glob("*.sql")):
        yield path.stem, *results(path.read_text(encoding="utf-8"))


def main() -> None:
    """Replay all, and tell which still show a difference."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    for name, before, after in replayed(parser.parse_args().folder):
        differ = sorted(map(repr, before)) != sorted(map(repr, after))
        print(f"{name}: {'differs' if differ else 'THE SAME NOW'}: {before} against {after}")


if __name__ == "__main__":
    main()
