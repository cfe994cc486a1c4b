"""The code blocks of a page, what is to be done with each, and running those that run.

A page is Markdown.  A fenced block says its language; an indented one holds commands, or what the block of
commands before it prints.  A comment on the line before a block says what else it is for::

    <!-- file: NAME -->        its text is written to that file, in the folder in which the page runs
    <!-- not run: REASON -->   it is not run; its commands must be ones that exist

===========  ==================================================================================
``python``   runs, after the other ones of its page and with their names
``console``  a line ``$ COMMAND`` runs and prints the lines below it; ``…`` stands for anything
``text``     what the block before it prints, by the same rule
``sh``       commands for the reader's own shell: they are not run, and must exist
``json``     must be JSON; likewise ``yaml`` and ``sql``, which name what a file is
===========  ==================================================================================

A command ends with ``# exit code N`` where that is not 0.  Blocks in braces are directives of the site.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kit.pages import ROOT

from equiv import cli

MARK = re.compile(r"<!-- (file|not run): (.+) -->")
EXIT_CODE = re.compile(r"\s+# exit code (\d+)\s*$")
OTHERS = ("make", "pip", "python", "python3", ".", "for", "pytest", "sbatch")
"""What a command may begin with that is not ours: it stands in a block that is not run."""


@dataclass(frozen=True)
class Block:
    """One code block of a page."""

    page: str
    line: int
    language: str
    """As the fence says; '' of an indented block."""
    text: str
    mark: str = ""
    """``file``, ``not run`` or ''."""
    note: str = ""
    """The name of the file, or why it is not run."""

    @property
    def where(self) -> str:
        return f"{self.page}:{self.line}"

    @property
    def is_directive(self) -> bool:
        return self.language.startswith("{")


@dataclass(frozen=True)
class Command:
    """One command of a block, and what the block says that it prints (None: nothing is said)."""

    words: tuple[str, ...]
    code: int
    output: str | None


def blocks_of(page: str) -> list[Block]:
    """The code blocks of a page, in order; ``page`` is its path below the checkout."""
    lines = (ROOT / page).read_text(encoding="utf-8").splitlines()
    return list(_blocks(page, lines))


def _blocks(page: str, lines: list[str]) -> Iterator[Block]:
    at, mark = 0, ("", "")
    while at < len(lines):
        line = lines[at]
        if fence := re.match(r"^(\s*)(`{3,}|~{3,})(.*)$", line):
            indent, marks, language = fence.groups()
            end = next(i for i in range(at + 1, len(lines)) if lines[i].strip() == marks)
            text = "\n".join(one.removeprefix(indent) for one in lines[at + 1 : end]) + "\n"
            if language.strip() == "sh":
                mark = ("not run", "a block for the reader's own shell")
            yield Block(page, at + 1, language.strip(), text, *mark)
            at, mark = end + 1, ("", "")
        elif line.startswith("    ") and line.strip() and not _is_in_list(lines, at):
            end = at
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
            text = "\n".join(one[4:] for one in lines[at:end]).rstrip() + "\n"
            yield Block(page, at + 1, "", text, *mark)
            at, mark = end, ("", "")
        else:
            if found := MARK.fullmatch(line.strip()):
                mark = (found[1], found[2])
            elif line.strip():
                mark = ("", "")
            at += 1


def _is_in_list(lines: list[str], at: int) -> bool:
    """Whether an indented line goes on with a list or a paragraph: code follows an empty line."""
    if at and lines[at - 1].strip():
        return True
    before = next((one for one in reversed(lines[:at]) if one.strip() and not one.startswith(" ")), "")
    return bool(re.match(r"([-*]|\d+\.) ", before))


def commands_of(block: Block) -> list[Command]:
    """The commands of a block of commands."""
    joined = re.sub(r"\\\n\s*", "", block.text)
    if block.language == "console":
        parts = re.split(r"^\$ ", joined, flags=re.MULTILINE)
        assert not parts[0].strip(), f"{block.where}: text before the first command"
        split = [part.partition("\n") for part in parts[1:]]
        return [_command(line, output) for line, _, output in split]
    return [_command(line, None) for line in joined.splitlines() if line.strip()]


def _command(line: str, output: str | None) -> Command:
    code = EXIT_CODE.search(line)
    words = shlex.split(EXIT_CODE.sub("", line), comments=True)
    return Command(tuple(words), int(code[1]) if code else 0, output)


def is_commands(block: Block) -> bool:
    """Whether a block holds commands."""
    first = block.text.split(maxsplit=1)[0] if block.text.strip() else ""
    return block.language in ("console", "sh") or (not block.language and first in ("equiv", *OTHERS))


def run_page(page: str, folder: Path) -> None:
    """Run the blocks of a page, in order, in a folder that is the working directory."""
    printed, names = "", {"__name__": "page"}
    for block in blocks_of(page):
        if block.mark == "not run" or block.is_directive:
            continue
        if block.mark == "file":
            (folder / block.note).parent.mkdir(parents=True, exist_ok=True)
            (folder / block.note).write_text(block.text, encoding="utf-8")
        elif block.language == "python":
            printed = _printed_by_python(block, names)
        elif is_commands(block):
            printed = "".join(_printed_by(command, block) for command in commands_of(block))
        elif block.language in ("", "text"):
            assert_shown(block.text, printed, block.where)
        else:
            raise AssertionError(f"{block.where}: nobody runs {block.language!r}, and no comment says why")


def _printed_by_python(block: Block, names: dict[str, str]) -> str:
    printed = io.StringIO()
    # The lines of a traceback are those of the page.
    code = compile("\n" * block.line + block.text, str(ROOT / block.page), "exec")
    with contextlib.redirect_stdout(printed):
        exec(code, names)  # noqa: S102 - our own page
    return printed.getvalue()


def _printed_by(command: Command, block: Block) -> str:
    assert command.words[0] == "equiv", (
        f"{block.where}: {command.words[0]} is not run, and no comment says why"
    )
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = cli.run(list(_as_rehearsal(command.words[1:])))
    shown = f"{block.where}: {shlex.join(command.words)}"
    assert code == command.code, (
        f"{shown}\nends with {code}, not {command.code}\n{out.getvalue()}{err.getvalue()}"
    )
    if command.output is not None:
        assert_shown(command.output, out.getvalue() + err.getvalue(), shown)
    return out.getvalue()


def _as_rehearsal(words: tuple[str, ...]) -> tuple[str, ...]:
    """A judge that asks a model is run as far as its estimate."""
    is_live = any(words[i : i + 2] == ("--judge", "live") for i in range(len(words)))
    return (*words, "--dry-run") if is_live and "--dry-run" not in words else words


def assert_shown(shown: str, printed: str, where: str) -> None:
    """That what a page shows is what is printed; ``…`` stands for anything, a line of it for any lines."""
    lines = _trimmed(shown).splitlines()
    pattern = "".join(
        "(?:.*\n)?" if line == "…" else ".*".join(map(re.escape, line.split("…"))) + "\n" for line in lines
    )
    assert re.fullmatch(pattern, _trimmed(printed) + "\n", re.DOTALL), (
        f"{where} shows\n{shown}\nbut it prints\n{printed}"
    )


def _trimmed(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines())
