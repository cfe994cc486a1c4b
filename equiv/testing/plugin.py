"""A plugin for pytest: the assertions as a fixture, with what they may cost on the command line.

It is loaded wherever ``equiv`` is installed, so nothing is imported before a test asks for the fixture.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from equiv.testing.trials import Report
    from equiv.verdict import Verdict


WARNING = "warning: "
"""Begins a line that the end of the run marks."""


@dataclass
class EquivChecker:
    """The assertions of :mod:`equiv.testing`, with the effort, seed and number of examples asked for.

    Arguments given in a test win over the command line.
    """

    defaults: dict[str, Any]
    heard: Callable[[str], None] = field(repr=False)
    """Is told the summary of each report and its warning, for the end of the run."""

    def assert_equivalent(self, one: str, two: str, *args: Any, **options: Any) -> Verdict:
        """As :func:`equiv.testing.assert_equivalent`."""
        __tracebackhide__ = True
        from equiv.testing.asserts import assert_equivalent

        effort = {name: value for name, value in self.defaults.items() if name == "effort"}
        return assert_equivalent(one, two, *args, **{**effort, **options})

    def assert_rewrite_sound(self, rewrite: Callable[[str], str | None], **options: Any) -> Report:
        """As :func:`equiv.testing.assert_rewrite_sound`."""
        __tracebackhide__ = True
        from equiv.testing.asserts import UnsoundRewriteError, assert_rewrite_sound

        try:
            report = assert_rewrite_sound(rewrite, **{**self.defaults, **options})
        except UnsoundRewriteError as error:
            self.heard(error.report.summary)
            raise
        self.heard(report.summary)
        if report.warning:
            self.heard(f"{WARNING}{report.warning}")
        return report


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options that limit the cost of the assertions."""
    group = parser.getgroup("equiv", "tests of SQL rewriters")
    group.addoption("--equiv-effort", help="quick, normal, thorough, or a number of databases for one pair")
    group.addoption("--equiv-examples", type=int, help="how many queries a rewriter is tried on")
    group.addoption("--equiv-seed", type=int, help="seed of the random queries")


@pytest.fixture
def equiv_checker(request: pytest.FixtureRequest) -> EquivChecker:
    """The assertions of :mod:`equiv.testing` under the options of the command line."""
    config = request.config
    asked = {name: config.getoption(f"equiv_{name}") for name in ("effort", "examples", "seed")}
    defaults = {name: value for name, value in asked.items() if value is not None}
    return EquivChecker(defaults, lambda summary: request.node.user_properties.append(("equiv", summary)))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print, for each test, how many rewrites were proved, refuted or left open."""
    told = [
        (report.nodeid, str(value))
        for reports in terminalreporter.stats.values()
        for report in reports
        if isinstance(report, pytest.TestReport) and report.when == "call"
        for name, value in report.user_properties
        if name == "equiv"
    ]
    if told:
        terminalreporter.section("equiv: results of the rewriter tests")
        for test, summary in told:
            terminalreporter.write_line(f"{test}: {summary}", yellow=summary.startswith(WARNING))
