"""Options and settings that every test shares."""

from __future__ import annotations

import gc
import os
import signal
from collections import Counter
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("equiv", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("equiv")


if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts background jobs deaf to Ctrl-C, and what the tests start would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite", action="store_true", help="refresh the outputs recorded in golden files")
    parser.addoption("--cost", action="store_true", help="show what each folder of tests costs")


def pytest_collection_finish() -> None:
    """Let the collector skip modules and items, and run as seldom as in the workers of equiv."""
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


BEGUN = pytest.StashKey[float]()
COST = "processor seconds"


def processor_seconds() -> float:
    """The processor time of this process and of those it has waited for."""
    return sum(os.times()[:4])


def pytest_runtest_setup(item: pytest.Item) -> None:
    item.stash[BEGUN] = processor_seconds()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if call.when == "teardown" and BEGUN in item.stash:
        report.user_properties.append((COST, processor_seconds() - item.stash[BEGUN]))
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """With ``--cost``, the items and the processor seconds of each folder, without collection and imports."""
    if not terminalreporter.config.getoption("--cost"):
        return
    items, seconds = Counter[str](), Counter[str]()
    for report in terminalreporter.getreports(""):
        for name, value in report.user_properties:
            if name == COST:
                folder = report.nodeid.split("/")[1].split("::")[0]
                items[folder] += 1
                seconds[folder] += value
    terminalreporter.section("processor seconds by folder")
    for folder, cost in seconds.most_common():
        terminalreporter.write_line(f"{cost:8.1f} s {items[folder]:6} items  {folder}")
    terminalreporter.write_line(f"{sum(seconds.values()):8.1f} s {sum(items.values()):6} items")


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of published schemas and databases that some tests read, if it is there."""
    root = Path(__file__).resolve().parents[1]
    folder = Path(os.environ.get("EQUIV_DATA", root.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no published data in {folder}")
    return folder


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    """Runs a command line in this process; gives its exit code, and its output with its errors behind."""
    from equiv import cli

    def done(*arguments: str | Path) -> tuple[int, str]:
        code = cli.run([*map(str, arguments)])
        return code, "".join(capsys.readouterr())

    return done
