"""What the command line asks of the judge: one pair judged, and the report on judged records."""

from __future__ import annotations

from contextlib import ExitStack, closing
from typing import TYPE_CHECKING

from equiv.judge.options import OFF
from equiv.show.page import Block, Text

if TYPE_CHECKING:
    from pathlib import Path

    from equiv.judge.options import JudgeOptions
    from equiv.judge.setup import Chamber
    from equiv.options import Options
    from equiv.records.record import Item, Record
    from equiv.schema.locate import Place
    from equiv.verdict import Verdict


def record_of(
    item: Item, place: Place, verdict: Verdict, options: Options, judging: JudgeOptions
) -> tuple[Record, list[str]]:
    """The record of one pair, scored if there is a judge, and what is worth saying of the cost.

    Raises:
        InputError: an option has no such value, or the judge cannot be asked at all.
    """
    from equiv.records.record import pair_key, to_record

    record = to_record(item, verdict, pair_key(item, place.digest, options), options.accepted_rows)
    if judging.judge == OFF:
        return record, []
    from equiv.eval.plan import Setting
    from equiv.eval.questions import QuestionRecords
    from equiv.eval.worker import SideWorker
    from equiv.judge.describe import DescriptionSource
    from equiv.judge.setup import Chamber

    beside = DescriptionSource(beside=place.database)
    with (
        Chamber(judging, beside, engines=_engines_of(options)) as chamber,
        closing(SideWorker({item.db_id: Setting(place, options)})) as aside,
    ):
        (found,) = chamber.stage.scored(iter([QuestionRecords((record,))]), aside)
        return found, chamber.remarks()


def _engines_of(options: Options) -> tuple[str, str]:
    """What people call the engines of predictions and gold queries."""
    from equiv.dialects.crossing.dialect import sides_of
    from equiv.dialects.registry import dialect_named

    pred, gold = sides_of(dialect_named(options.pair_dialect))
    return pred.title, gold.title


def open_chamber(
    judging: JudgeOptions, opened: ExitStack, options: Options, db_root: Path | None = None
) -> Chamber | None:
    """The judge, to be closed with ``opened``; None if none is configured.

    Args:
        judging: the options of the judge.
        opened: what closes it.
        options: how pairs are compared.
        db_root: below which databases are, and what describes their columns.

    Raises:
        InputError: an option has no such value, or a file or the server cannot be used.
    """
    if judging.judge == OFF:
        return None
    from equiv.judge.describe import DescriptionSource
    from equiv.judge.setup import Chamber

    beside = DescriptionSource(root=db_root)
    return opened.enter_context(Chamber(judging, beside, engines=_engines_of(options)))


def judgement_of(record: Record | None) -> list[Block]:
    """The blocks of ``check`` on a judged pair: the score, who gave it, and why; none without a judge."""
    if record is None or record["judge"] is None:
        return []
    if record["score"] is None:
        return [Text(f"Score undecided: {record['reason']}: {record['detail'] or 'no explanation'}")]
    by = f"{record['score_by']} (judge {record['judge']['model']})"
    if record["score_by"] == "triage":
        by = f"triage, probability {record['judge']['probability']:.2f} (no judge was asked)"
    blocks: list[Block] = [Text(f"Score {record['score']} by {by}")]
    for role in ("prover", "refuter"):
        if reply := record[f"{role}_result"]:
            word = {
                ("prover", True): "passes the prediction",
                ("prover", False): "rejects the prediction",
                ("refuter", True): "overturns the pass",
                ("refuter", False): "upholds the prediction",
            }[role, bool(reply["verdict" if role == "prover" else "overturn"])]
            blocks.append(Text(f"{role.capitalize()} {word}: {reply['reason']}"))
    return blocks


def report(records: list[Record], prices: Path | None = None) -> list[Block]:
    """The report on those of some records that were judged; with a file of prices, in dollars too.

    Raises:
        InputError: the file of prices cannot be read.
    """
    from equiv.judge.asking.budget import load_prices
    from equiv.judge.report import judged, report_of

    return report_of(judged(records), load_prices(prices) if prices else None)
