"""What a run shows of itself while it goes on."""

from __future__ import annotations

import io

from rich.console import Console

from equiv.show.terminal import Progress, funnel, pace, shown_on


def test_pace_and_time_left_follow_from_this_run_alone() -> None:
    assert pace(0, 100, 5.0) == ""
    assert pace(50, 100, 25.0) == "2.0 pairs/s, 0:00:50 left"
    assert pace(1, 7200, 1.0) == "1.0 pairs/s, 2:00:00 left"


def test_the_funnel_names_tiers_where_there_are_several() -> None:
    counts = {("equivalent", "rules"): 1200, ("equivalent", "proof"): 3, ("undecided", ""): 2}
    assert funnel(counts) == "equivalent 1,203 (proof 3, rules 1,200), undecided 2"


def test_a_terminal_sees_it_and_a_pipe_does_not() -> None:
    for terminal in (True, False):
        screen = io.StringIO()
        progress = Progress(4, 1, lambda: "7 calls, $0.12")
        progress.add("invalid", "parse", resumed=True)
        with shown_on(Console(file=screen, force_terminal=terminal, width=120), progress):
            progress.add("equivalent", "rules")
        shown = screen.getvalue()
        assert (progress.checked, progress.done) == (1, 2)
        assert ("2/4" in shown and "equivalent 1, invalid 1; 7 calls, $0.12" in shown) is terminal
        assert terminal or not shown
