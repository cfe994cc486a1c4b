"""Programs that use the library, each run in a session of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
HANGING = 240
"""Seconds after which a program is taken to hang, and the test fails."""


def lines_of_program(text: str, folder: Path) -> list[str]:
    """What a program prints; it ends well, says nothing on standard error, and leaves no process behind."""
    script = folder / "program.py"
    script.write_text(text)
    with subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        start_new_session=True,
    ) as program:
        out, err = program.communicate(timeout=HANGING)
    assert (program.returncode, err) == (0, ""), f"ends with {program.returncode}\n{out}\n{err}"
    deadline = time.monotonic() + 20
    while (left := _running(program.pid)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert left == []
    return out.splitlines()


def _running(session: int) -> list[str]:
    """What still runs of a session."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, own, *_ = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(own) == session and state != "Z":
            found.append((stat.parent / "cmdline").read_text())
    return found
