"""What ``equiv eval`` does with an evaluation: shows how far it is, and tells what is wanted in the end."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING

from equiv.commands.common import BELOW, INTERRUPTED, say, show
from equiv.eval.arguments import Telling

if TYPE_CHECKING:
    from equiv.eval.evaluation import Evaluation
    from equiv.eval.sections.all_sections import Report, Whole
    from equiv.records.record import Record


def run_evaluation(
    evaluation: Evaluation,
    telling: Telling,
    spent: Callable[[], str],
    report: Callable[[list[Record], Whole], Report],
) -> int:
    """Write every record and sum them up; the exit code.

    Args:
        evaluation: what is run.
        telling: what is told in the end.
        spent: what a judge has cost so far, in words.
        report: makes the report on all records, of which a part is given, and what gives one of them whole.
    """
    from equiv.eval.store.record_store import RecordStore
    from equiv.eval.summary import Summary
    from equiv.show.progress import Progress, shown_on
    from equiv.show.render import console_for

    summary, progress = Summary(), Progress(evaluation.total, evaluation.done, spent)
    kept = RecordStore()
    for record in evaluation.resumed():
        summary.add(record)
        progress.add(record["verdict"], record["tier"], resumed=True)
        if telling.keeps_records:
            kept.add(record)
    started = time.perf_counter()
    code = 0
    with shown_on(console_for(sys.stderr), progress):
        try:
            with closing(evaluation.records()) as records:
                for record in records:
                    summary.add(record)
                    progress.add(record["verdict"], record["tier"])
                    if telling.keeps_records:
                        kept.add(record)
        except KeyboardInterrupt:
            code = INTERRUPTED
    show(summary.blocks(progress.checked, time.perf_counter() - started, evaluation.items()))
    for remark in evaluation.remarks(progress.checked):
        say(remark)
    if telling.keeps_records and code == 0:
        parts = evaluation.in_order(kept)
        for remark in telling.write(lambda: map(kept.whole, parts)):
            say(remark)
        if telling.page is not None:
            from equiv.eval.html.page import write_page

            write_page(telling.page, report(parts, kept.whole))
            say(f"report written to {telling.page}")
    elif telling.page is not None:
        say(f"{telling.page}: not written, since the run was interrupted; a rerun resumes and writes it")
    below = summary.standing.below(telling.fail_under) if telling.fail_under is not None else []
    if below:
        say(f"below {telling.fail_under:g} %: {', '.join(below)}")
    return code or (BELOW if below else 0)
