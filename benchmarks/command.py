"""What the commands here have in common: their arguments, and pairs put to ``equiv eval``."""

from __future__ import annotations

import subprocess
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchmarks import ROOT
from benchmarks.journal import Record, read_lines

HELP = {"every": "take each so-many-th task alone", "kept": "where finished tasks are kept"}
"""What options do that several commands have."""


def parser(doc: str | None, **options: object) -> ArgumentParser:
    """A parser of a command.

    Args:
        doc: the docstring of its module, which is shown as it is written.
        options: the default of each option, of its type, or that with its help.  False makes a flag.
    """
    found = ArgumentParser(description=doc, formatter_class=RawDescriptionHelpFormatter)
    for name, given in options.items():
        default, told = given if isinstance(given, tuple) else (given, HELP.get(name))
        (flag,) = _flags({name: None})
        if default is False:
            found.add_argument(flag, action="store_true", help=told)
        else:
            found.add_argument(flag, type=type(default), default=default, help=told)
    return found


def evaluated(files: Iterable[Path], out: Path, **options: object) -> list[Record]:
    """The records of some pairs in a file, which ``equiv eval`` makes or completes.

    Raises:
        SystemExit: it fails, with what it says.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    command = eval_command(files, out=out, **options)
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return read_lines(out)


def eval_command(files: Iterable[Path], **options: object) -> list[str]:
    """The command line that evaluates files, with the options that say something."""
    given = {name: each for name, each in options.items() if each}
    return [sys.executable, "-m", "equiv", "eval", *map(str, files), *_flags(given)]


def _flags(options: dict[str, object]) -> Iterator[str]:
    for name, each in options.items():
        yield f"--{name.replace('_', '-')}"
        yield from () if each is None else (str(each),)
