"""CPU seconds of a pair against the length of its text: IN lists, CASEs, chains of OR and AND, VALUES.

Each query is held against itself, against itself with another alias (one tree), and, for lists and chains,
against its members in reverse order, which the rules have to find out.  Linear cost doubles with the size.

Usage: ``python -m benchmarks.times.text_cost [--other CHECKOUT] [--most 10000] [--seconds 20]``.  A row ends
at the first pair that takes longer than so many seconds.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from time import process_time

SIZES = (10, 100, 1_000, 2_000, 4_000, 10_000)
DDL = "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b TEXT)"


def in_list(numbers: Iterable[int], alias: str) -> str:
    """``a IN (…)``."""
    return f"SELECT b FROM t AS {alias} WHERE a IN ({','.join(map(str, numbers))})"


def case(numbers: Iterable[int], alias: str) -> str:
    """``CASE a WHEN … THEN … END``."""
    return f"SELECT CASE a {' '.join(f'WHEN {n} THEN {n % 7}' for n in numbers)} END FROM t AS {alias}"


def either(numbers: Iterable[int], alias: str) -> str:
    """``a = … OR a = …``."""
    return f"SELECT b FROM t AS {alias} WHERE {' OR '.join(f'a={n}' for n in numbers)}"


def neither(numbers: Iterable[int], alias: str) -> str:
    """``a <> … AND a <> …``."""
    return f"SELECT b FROM t AS {alias} WHERE {' AND '.join(f'a<>{n}' for n in numbers)}"


def values(numbers: Iterable[int], alias: str) -> str:
    """``a IN (VALUES (…), (…))``."""
    return f"SELECT b FROM t AS {alias} WHERE a IN (VALUES {','.join(f'({n})' for n in numbers)})"


SHAPES: dict[str, tuple[Callable[[Iterable[int], str], str], bool]] = {
    "IN list": (in_list, True),
    "CASE": (case, False),
    "OR chain": (either, True),
    "AND chain": (neither, True),
    "VALUES": (values, False),
}
"""Each shape, and whether the order of its members is beside the point."""


def pairs(shape: str, size: int) -> dict[str, tuple[str, str]]:
    """The pairs of a shape and size, by what they are."""
    make, is_set = SHAPES[shape]
    text = make(range(size), "t")
    found = {"same text": (text, text), "same tree": (text, make(range(size), "u"))}
    return found | ({"reversed": (text, make(range(size)[::-1], "t"))} if is_set else {})


def serve() -> None:
    """Answer a pair a line: the seconds that it took, and the verdict."""
    import equiv

    for line in sys.stdin:
        pred, gold = json.loads(line)
        with equiv.Checker(schema=DDL, timeout=None) as checker:
            checker.check("SELECT 1", "SELECT 2")
            start = process_time()
            verdict = checker.check(pred, gold)
            print(json.dumps([process_time() - start, verdict.name]), flush=True)


def row(root: Path, shape: str, kind: str, sizes: Iterable[int], patience: float) -> str:
    """The seconds of one shape in one checkout, as a row of a table."""
    python = root / ".venv" / "bin" / "python"
    cells = [shape, kind, root.name]
    with subprocess.Popen(
        [str(python if python.exists() else sys.executable), __file__, "--serve"],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root), "PYTHONHASHSEED": "0"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for size in sizes:
            pair = pairs(shape, size)[kind]
            if len(pair[0].encode()) > 100_000:
                break
            print(json.dumps(pair), file=process.stdin, flush=True)
            seconds, verdict = json.loads(process.stdout.readline())
            cells.append(f"{seconds:.3f}" + ("" if verdict == "equivalent" else f" ({verdict})"))
            if seconds > patience:
                break
        process.stdin.close()
    return f"| {' | '.join(cells)} |"


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--other", type=Path, help="another checkout to measure too")
    parser.add_argument("--most", type=int, default=SIZES[-1], help="the longest list")
    parser.add_argument("--seconds", type=float, default=20.0, help="how long a pair may take")
    parser.add_argument("--shapes", nargs="*", default=tuple(SHAPES))
    given = parser.parse_args()
    sizes = [size for size in SIZES if size <= given.most]
    roots = [Path(__file__).resolve().parents[2], *([given.other.resolve()] if given.other else [])]
    print(f"| shape | pair | checkout | {' | '.join(f'{size:,}' for size in sizes)} |")
    print("|---|---|---|" + "---|" * len(sizes))
    for shape in given.shapes:
        for kind in pairs(shape, 1):
            for root in roots:
                print(row(root, shape, kind, sizes, given.seconds), flush=True)
    return 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--serve"]:
        serve()
    else:
        sys.exit(main())
