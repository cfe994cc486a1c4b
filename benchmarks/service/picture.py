"""The picture of the README: what ``equiv check`` prints on a pair that looks right and is not, as SVG.

Usage: ``python -m benchmarks.service.picture`` runs the command and writes ``docs/pictures/check.svg``.
"""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.syntax import Syntax
from rich.text import Text

from benchmarks import ROOT

TARGET = ROOT / "docs" / "pictures" / "check.svg"
PAIR = ("examples/different_pred.sql", "examples/different_gold.sql")
COMMAND = f"equiv check {' '.join(PAIR)} --db card_games"
COLUMNS = 56
"""So few that letters can be read on a telephone, too; longer lines are wrapped, as a terminal does."""
REST = "The database as SQL"
"""What comes after verdict, witness and both results, and is left out."""
_FONTS = re.compile(r"@font-face \{\{.*?\}\}", re.DOTALL)


def answered() -> str:
    """What the command prints on a terminal, colours and all."""
    reader, writer = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": str(COLUMNS)}
    environment.pop("NO_COLOR", None)
    command = [sys.executable, "-m", "equiv", *COMMAND.split()[1:]]
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=writer, stderr=subprocess.DEVNULL):
        os.close(writer)
        parts = []
        with suppress(OSError):  # the terminal is gone when the command is
            while part := os.read(reader, 65536):
                parts.append(part)
    os.close(reader)
    return b"".join(parts).decode().replace("\r\n", "\n")


def drawn(output: str) -> str:
    """Both queries, the command and the first lines of its answer as SVG; the fonts are the viewer's own."""
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        console = Console(record=True, width=COLUMNS, file=nowhere)
        console.print(Text(f"$ cat {' '.join(PAIR)}", style="bold"))
        for name in PAIR:
            text = (ROOT / name).read_text(encoding="utf-8").rstrip()
            console.print(Syntax(text, "sql", background_color="default", word_wrap=True))
        console.print(Text(f"$ {COMMAND}", style="bold"))
        console.print(Text.from_ansi(output.partition(REST)[0].rstrip()))
    form = _FONTS.sub("", CONSOLE_SVG_FORMAT).replace("Fira Code", "ui-monospace, Menlo, Consolas")
    return console.export_svg(title="equiv", code_format=form, unique_id="check")


if __name__ == "__main__":
    TARGET.write_text(drawn(answered()), encoding="utf-8")
