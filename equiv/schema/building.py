"""Databases that are built on first use: of those shipped, the sources are shipped and not the file."""

from __future__ import annotations

import os
import subprocess
import sys
import zlib
from pathlib import Path

from equiv.errors import InputError
from equiv.files import one_line

_HERE = Path(__file__).resolve()
CHECKOUT = _HERE.parents[2] / "dev_databases"
"""Sources in a checkout, beside which a database is written."""
INSTALLED = _HERE.parents[1] / "shipped"
"""Sources in an installed copy, whose databases are written to the user's cache."""

_SECONDS = 120


def built_database(name: str, root: Path) -> Path | None:
    """The file of a database of ours, built if it is not there; None if a root has no sources of ours for it.

    Processes that build at once write a file each and move it into place, whole.

    Args:
        name: one component of a path.
        root: where the database is looked for.

    Raises:
        InputError: it cannot be built.
    """
    home = root.resolve()
    script = home / name / "build.py"
    # Only what lies beside this module is run: a working folder may be anyone's.
    if home not in (CHECKOUT, INSTALLED) or not script.is_file():
        return None
    try:
        target = _target(script)
    except (OSError, RuntimeError) as error:
        raise InputError(_failed(script, one_line(error))) from None
    if not target.is_file():
        _build(script, target)
    return target


def buildable(root: Path) -> list[str]:
    """The names of the databases that can be built in a root."""
    if root.resolve() not in (CHECKOUT, INSTALLED):
        return []
    return sorted(path.parent.name for path in root.glob("*/build.py"))


def _target(script: Path) -> Path:
    """Where a database is kept: beside its sources in a checkout that can be written, else in the cache."""
    folder, name = script.parent, script.parent.name
    beside = folder / f"{name}.sqlite"
    if folder.parent == CHECKOUT and (beside.is_file() or os.access(folder, os.W_OK)):
        return beside
    sources = sorted([*folder.glob("*.py"), *folder.glob("*.sql")])
    version = zlib.crc32(b"".join(source.read_bytes() for source in sources))
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "equiv" / f"{name}-{version:08x}" / f"{name}.sqlite"


def _build(script: Path, target: Path) -> None:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(  # noqa: S603 - a script of this project
            [sys.executable, "-B", str(script), str(target)],
            check=True,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
        )
    except subprocess.CalledProcessError as error:
        last = error.stderr.strip().splitlines()[-1:] or ["it fails"]
        raise InputError(_failed(script, last[0])) from None
    except (OSError, RuntimeError, subprocess.TimeoutExpired) as error:
        raise InputError(_failed(script, one_line(error))) from None


def _failed(script: Path, why: str) -> str:
    name = script.parent.name
    return f"the database {name} cannot be built: {why}; try python3 {script} FILE, and --db FILE"
