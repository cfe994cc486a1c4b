"""What a user finds by ``-h``, by ``python -m equiv`` and by the Tab key."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.main import get_command

from equiv import cli
from equiv.commands.common import GROUPS
from equiv.commands.outside import VARIABLE, answer, choices_of, completable

Run = Callable[..., Any]
ROOT = Path(__file__).resolve().parents[2]
COMMANDS: dict[str, Any] = get_command(cli.app_of()).commands  # type: ignore[attr-defined]


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_every_command_answers_to_h(equiv: Run, command: str) -> None:
    words = [command] if command else []
    short, full = equiv(*words, "-h"), equiv(*words, "--help")
    assert short == full
    assert short.code == 0
    assert short.out.startswith("Usage: equiv")


def test_a_line_makes_the_command_that_it_names_alone(equiv: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def noted(command: Callable[..., int]) -> Callable[..., int]:
        made.append(command.__name__)
        return completable(command)

    monkeypatch.setattr(cli, "completable", noted)
    assert equiv("merge", "-h").code == 0
    assert made == ["merge"]
    assert "Did you mean 'merge'" in equiv("merg").err
    assert len(made) == 1 + len(COMMANDS)


def test_the_options_of_check_stand_in_groups_below_two_examples(equiv: Run) -> None:
    shown = equiv("check", "-h").out
    examples = shown.partition("Examples:\n")[2].partition("\n\n")[0]
    assert [line.split()[:2] for line in examples.splitlines()] == [["equiv", "check"]] * 2
    headings = [line.strip(":") for line in shown.splitlines() if line.endswith(":") and line[0] != " "]
    groups = ("Input", "What counts as the same", "How much is tried", "Output", "The judge")
    assert headings == ["Arguments", *groups, "Options"]
    assert shown.endswith("\nOptions:\n  -h, --help  Show this message and exit.\n")
    assert shown.index("Examples:") < shown.index("Arguments:")


def test_an_example_is_a_command_that_is_understood() -> None:
    for command in ("check", "eval"):
        known = {name for one in COMMANDS[command].params for name in (*one.opts, *one.secondary_opts)}
        examples = COMMANDS[command].epilog
        assert {word for word in examples.split() if word.startswith("--")} <= known


def test_every_group_names_options_that_there_are() -> None:
    grouped = {one.name for command in COMMANDS.values() for one in command.params}
    listed = [name for options in GROUPS.values() for name in options.split()]
    assert set(listed) <= grouped
    assert len(set(listed)) == len(listed)


def test_every_option_of_check_and_eval_has_a_group(equiv: Run) -> None:
    for command in ("check", "eval", "explain", "suite", "gold", "report", "fuzz", "serve"):
        rest = equiv(command, "-h").out.partition("\nOptions:\n")[2]
        assert rest.split()[0] == "-h,", command


def test_it_runs_as_a_module_beside_a_stranger_of_that_name(tmp_path: Path) -> None:
    (tmp_path / "cli.py").write_text("raise SystemExit('not ours')")
    done = subprocess.run(
        [sys.executable, "-m", "equiv", "--version"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout.split()[0], done.stderr) == (0, "equiv", "")


@pytest.fixture
def complete(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., list[str]]:
    """What bash is told may stand for the last word."""

    def ask(*words: str) -> list[str]:
        monkeypatch.setenv(VARIABLE, "complete_bash")
        monkeypatch.setenv("COMP_WORDS", " ".join(("equiv", *(word or '""' for word in words))))
        monkeypatch.setenv("COMP_CWORD", str(len(words)))
        assert answer(cli.app_of(), cli.OUTSIDE) == 0
        return capsys.readouterr().out.split()

    return ask


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("ch",), ["check"]),
        (("check", "--rel"), ["--relation"]),
        (("check", "a", "b", "--relation", "b"), ["bird", "bag"]),
        (("check", "a", "b", "--db", "card"), ["card_games"]),
        (("check", "a", "b", "--judge", ""), ["off", "live", "record:", "replay:"]),
        (("check", "a", "b", "--judge-variant", "prov"), ["prover-only"]),
        (("check", "a", "b", "--tiers", "rules,p"), ["rules,proof"]),
        (("check", "a", "b", "--assume", ""), []),
        (("rules", "eliminate_distinct_on"), ["eliminate_distinct_on_key"]),
        (("rules", "ver"), ["verify"]),
        (("rules", "verify", "ver"), []),
        (("completion", "z"), ["zsh"]),
    ],
)
def test_the_tab_key(complete: Callable[..., list[str]], words: tuple[str, ...], offered: list[str]) -> None:
    assert complete(*words) == offered


def test_keys_of_a_results_file_are_offered(complete: Callable[..., list[str]], tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    results.write_text(f'{{"key": "{"ab" * 32}", "source": "x"}}\n{{"key": "{"cd" * 32}"}}\nbroken\n')
    assert complete("explain", str(results), "") == ["ab" * 6, "cd" * 6]
    assert complete("explain", str(results), "cdcd") == ["cd" * 6]
    assert complete("explain", str(tmp_path / "none.jsonl"), "") == []
    assert complete("explain", "SELECT", "") == []


def test_databases_of_other_roots_are_offered(
    complete: Callable[..., list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "zoo").mkdir()
    (tmp_path / "zoo" / "zoo.sqlite").touch()
    (tmp_path / "zebra.db").touch()
    (tmp_path / "zero").mkdir()
    monkeypatch.setenv("EQUIV_DB_ROOT", str(tmp_path))
    assert complete("check", "a", "b", "--db", "z") == ["zebra", "zoo"]


def test_what_fails_while_a_line_is_typed_is_not_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(VARIABLE, "complete_bash")
    monkeypatch.delenv("COMP_WORDS", raising=False)
    assert answer(cli.app_of(), cli.OUTSIDE) == 1
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_a_script_for_each_shell(equiv: Run, shell: str) -> None:
    done = equiv("completion", shell)
    assert done.code == 0
    assert VARIABLE in done.out
    assert "equiv" in done.out


def test_a_shell_that_is_not_known(equiv: Run) -> None:
    done = equiv("completion", "tcsh")
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)


def test_a_metavar_without_words_completes_nothing() -> None:
    assert choices_of("FILE|NAME") is None
    assert choices_of("1,2") is None
    assert choices_of("i/n") is None


def test_the_same_words_are_offered_and_shown() -> None:
    """An option whose help lists words has them completed; none is listed twice, by hand."""
    for command in COMMANDS.values():
        for one in command.params:
            if isinstance(one, typer.core.TyperOption) and choices_of(one.metavar or ""):
                assert one._custom_shell_complete is not None, one.name
