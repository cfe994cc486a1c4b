"""``equiv gold``: faults of gold queries."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equiv.commands.common import INTERRUPTED, prepare_page, print_line, say, show
from equiv.dialects.crossing.dialect import is_across
from equiv.dialects.registry import dialect_named
from equiv.errors import InputError
from equiv.options import Options
from equiv.show.arguments import Auditing, ComparisonOptions

if TYPE_CHECKING:
    from equiv.eval.gold.audit import Audit
    from equiv.eval.gold.tally import FindingTally


def gold(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Gold files, predictions or results of eval.")
    ],
    *,
    auditing: Auditing,
    comparison: ComparisonOptions,
) -> int:
    """Look for faults of gold queries, without a model: what does not run, is empty, cuts a tie and more.

    Exit code: 0 once every record is written, whatever was found, 2 trouble, 130 interrupted.
    """
    from equiv.eval.gold.audit import Audit, request_of
    from equiv.eval.gold.ranking import write_ranking
    from equiv.eval.gold.tally import FindingTally

    prepare_page(auditing.html)
    options = Options(**comparison.arguments(conditions=False))
    if is_across(dialect_named(options.pair_dialect)):
        raise InputError("gold queries are audited in one dialect: give --dialect alone")
    audit = Audit(request_of(files, auditing, options))
    with closing(audit):
        tally = FindingTally(len(audit.golds))
        code = _audit(audit, tally)
        tally.ranking = audit.ranking
        if auditing.ranking is not None and code == 0:
            write_ranking(auditing.ranking, audit.ranking)
        remarks = audit.remarks(interrupted=code == INTERRUPTED)
        if auditing.html is not None:
            from equiv.eval.html.page import write_gold_page

            write_gold_page(auditing.html, tally, remarks)
        if auditing.as_json:
            from equiv.records.record import to_json

            print_line(to_json(tally.to_json()))
        else:
            show(tally.blocks(auditing.cases))
        for remark in remarks:
            say(remark)
        return code


def _audit(audit: Audit, tally: FindingTally) -> int:
    from equiv.show.terminal import console_for, progress_on

    with progress_on(console_for(sys.stderr), audit.steps, 0) as advance:
        try:
            with closing(audit.looks()) as looks:
                for looked in looks:
                    tally.add(looked)
                    advance()
        except KeyboardInterrupt:
            return INTERRUPTED
    return 0
