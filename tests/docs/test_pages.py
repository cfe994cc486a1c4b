"""Every code block of a page runs and shows what the page says; ``kit/page_blocks.py`` has the convention."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest
import sqlglot
import typer
from kit.page_blocks import (
    OTHERS,
    Block,
    assert_shown,
    blocks_of,
    commands_of,
    is_commands,
    run_page,
)
from kit.pages import ELSEWHERE, GENERATED, ROOT, all_pages, written_pages
from kit.sizes import swept

from equiv import cli
from equiv.records.certificate import FORMAT

RUN = [
    page
    for page in written_pages()
    if page not in ELSEWHERE and any(block.mark != "not run" for block in blocks_of(page))
]
each_page = pytest.mark.parametrize("page", written_pages())


WHOLE_RUNS = (
    "README.md",
    "docs/judge-costs.md",
    "docs/judge.md",
    "docs/leaderboard.md",
    "docs/packs.md",
    "docs/rewards.md",
    "docs/rewriting.md",
)
"""Pages that evaluate whole files of predictions, or start many processes."""


@swept("page", [page for page in RUN if page not in WHOLE_RUNS], WHOLE_RUNS)
def test_page_runs(page: str, desk: Path) -> None:
    run_page(page, desk)


@each_page
def test_what_is_not_run_says_why_and_names_commands_that_exist(page: str) -> None:
    for block in blocks_of(page):
        if block.mark != "not run":
            continue
        assert len(block.note.split()) > 3, f"{block.where}: why is it not run?"
        if is_commands(block):
            for command in commands_of(block):
                assert_exists(command.words, block.where)


@each_page
def test_data_are_of_their_language(page: str) -> None:
    for block in blocks_of(page):
        if block.language == "json" and block.mark != "not run":
            json.loads(block.text)
        if block.language == "sql":
            assert sqlglot.parse(block.text, dialect="sqlite"), block.where


@each_page
def test_quoted_commands_exist(page: str) -> None:
    text = re.sub(
        r"^```.*?^```$", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE
    )
    for command in sorted(set(re.findall(r"`((?:equiv|pip|make) [^`\n]+)`", text)) - {FORMAT}):
        assert_exists(tuple(re.sub(r"[\[(].*$", "", command).split()), page)


def assert_exists(words: tuple[str, ...], where: str) -> None:
    """That a command that is not run is one: ours with its options, a target of make, an extra of pip."""
    match words:
        case ["equiv", first, *others] if first.islower() and not first.startswith("-"):
            known = options_of(first)
            flags = [word.partition("=")[0] for word in others if word.startswith("--")]
            assert known is not None, f"{where}: equiv {first}"
            assert [flag for flag in flags if flag not in known] == [], where
        case ["make", target, *_]:
            assert f"\n{target}:" in (ROOT / "Makefile").read_text(), f"{where}: make {target}"
        case ["pip", *_]:
            project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
            extras = ",".join(re.findall(r"\[([\w,]+)\]", " ".join(words)))
            assert set(extras.split(",")) - {""} <= set(project["optional-dependencies"]), where
        case _:
            assert words[0] in ("equiv", *OTHERS), f"{where}: {words[0]}"


@cache
def options_of(name: str) -> set[str] | None:
    """The options of a command or of the commands below it; None if there is none of that name."""
    command = typer.main.get_command(cli.app_of(cli.COMMANDS)).commands.get(name)  # type: ignore[attr-defined]
    if command is None:
        return None
    below = getattr(command, "commands", {}).values()
    return {"--help"} | {
        option
        for one in (command, *below)
        for parameter in one.params
        for option in (*parameter.opts, *parameter.secondary_opts)
    }


def test_pages_that_are_not_run_here_are_there() -> None:
    assert set(GENERATED) | set(ELSEWHERE) <= set(all_pages())
    for why in ELSEWHERE.values():
        assert (ROOT / why.split()[0]).is_file()


def test_every_command_stands_on_its_page() -> None:
    page = (ROOT / "docs/commands.md").read_text(encoding="utf-8")
    commands = typer.main.get_command(cli.app_of(cli.COMMANDS)).commands  # type: ignore[attr-defined]
    assert [name for name in commands if f"| `equiv {name}" not in page] == []


def test_a_page_that_shows_what_is_not_so_fails() -> None:
    assert_shown("one\n…\nthree …", "one\ntwo\nthree four", "here")
    for shown in ("one", "one\n…\nfour", "two\n…\nthree four", "one\n…\nthree"):
        with pytest.raises(AssertionError):
            assert_shown(shown, "one\ntwo\nthree four", "here")


@pytest.mark.parametrize(
    ("block", "message"),
    [
        ("```python\nassert 1 == 2, 'not so'\n```\n", "not so"),
        (
            "```console\n$ equiv check 'SELECT 1' 'SELECT 2' --db card_games\n```\n",
            "ends with 1, not 0",
        ),
        ("```console\n$ make test\n```\n", "make is not run"),
        ("```rust\nfn main\n```\n", "nobody runs"),
        ("    equiv chekc one two\n", "ends with 2"),
        ("```python\nprint(1)\n```\n\n```text\n2\n```\n", "but it prints"),
    ],
)
def test_a_block_that_does_not_run_fails(
    block: str, message: str, desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kit.page_blocks.ROOT", desk)
    (desk / "page.md").write_text(f"Words.\n\n{block}")
    with pytest.raises(AssertionError, match=re.escape(message)):
        run_page("page.md", desk)


def test_marks_and_lists_are_told_from_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = "<!-- not run: it is a mere example -->\n\n    equiv check\n\n"
    page = f"- an item\n\n    goes on\n\n{code}<!-- file: a.sql -->\n```sql\nSELECT 1\n```\n"
    (tmp_path / "page.md").write_text(page)
    monkeypatch.setattr("kit.page_blocks.ROOT", tmp_path)
    first, second = blocks_of("page.md")
    assert (first.mark, first.note, first.text) == ("not run", "it is a mere example", "equiv check\n")
    assert second == Block("page.md", 10, "sql", "SELECT 1\n", "file", "a.sql")


@pytest.mark.long
def test_files_of_pages_have_the_types_that_they_say(tmp_path: Path) -> None:
    files = [block for page in written_pages() for block in blocks_of(page) if block.note.endswith(".py")]
    for block in files:
        (tmp_path / block.note).write_text(block.text, encoding="utf-8")
    names = [tmp_path / block.note for block in files]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", *names],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (len(files) > 1, done.returncode) == (True, 0), done.stdout
