"""The options of ``check`` and ``eval`` that are about the judge.

The thresholds of triage that stand where none are given were chosen before anything was measured.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path

from equiv.errors import InputError
from equiv.show.arguments import option

ACCEPT = 0.95
"""From which probability on a pair is taken for right."""
REJECT = 0.05
"""Up to which probability a pair is taken for wrong."""


OFF = "off"
"""The value of ``--judge`` that stands for none."""

AUTO = "auto"
"""The value of ``--descriptions`` that stands for what lies beside the databases."""

_option = partial(option, rich_help_panel="The judge")


@dataclass(frozen=True, kw_only=True)
class JudgeOptions:
    """The options of the judge on the command line."""

    judge: str = _option(
        OFF, "off|live|record:FILE|replay:FILE", "How to score pairs that verdicts leave open."
    )
    judge_model: str = _option("", "NAME", "The model to ask, or whose replies to replay.")
    judge_run: str = _option("ROSE", "NAME", "Which run of a file of published judgements to replay.")
    judge_variant: str = _option(
        "rose",
        "rose|prover-only|pr|pr-wogt|wogt|flex|…",
        "Which sequence of model calls makes a judgement (docs/judge.md).",
    )
    judge_params: str = _option("{}", "JSON", "Parameters of the requests, as in '{\"temperature\": 0}'.")
    judge_threads: int = _option(8, "N", "Number of concurrent requests.", min=1, max=256)
    judge_timeout: float = _option(300.0, "SECONDS", "Time limit for a reply of the model.", min=0.001)
    judge_cache: Path | None = _option(
        None, "FILE", "File that keeps the model's answers, for the saving 'cache'."
    )
    judge_standard: str = _option(
        "ours", "ours|rose", "By which conventions a prediction is right: our own, or those of ROSE."
    )
    descriptions: str = _option(
        AUTO,
        "auto|off|DIR",
        "Column descriptions: <db>/database_description/*.csv or <db>_schema.json; auto: beside databases.",
    )
    savings: str = _option(
        "all",
        "none|all|proof,classes,execution,gold,cache,triage",
        "Where calls to the model are saved. 'execution', part of 'all', gives up rigour: it scores 1 "
        "for equal results on the one given database, also where another database tells the queries "
        "apart. 'triage', no part of 'all', scores by an estimated probability.",
    )
    triage_accept: float = _option(
        ACCEPT, "P", "Probability at or above which 'triage' scores 1.", min=0, max=1
    )
    triage_reject: float = _option(
        REJECT, "P", "Probability at or below which 'triage' scores 0.", min=0, max=1
    )
    triage_table: Path | None = _option(
        None, "FILE", "Probabilities for 'triage', from equiv.judge.triage.fit; default: of ROSE-VEC."
    )
    equality: str = _option(
        "record",
        "record|ex_score",
        "In a replay without a database: which field says whether results were equal.",
    )
    gold_faults: Path | None = _option(
        None, "FILE", "Known faults of gold queries, for the saving 'gold': findings, or judged records."
    )
    witness_evidence: str = _option(
        "off", "on|off", "Show the witness and the difference to the judge's second call (the Refuter)."
    )
    max_calls: int | None = _option(None, "N", "Maximum number of model calls.", min=0)
    max_usd: float | None = _option(None, "DOLLARS", "Maximum cost in US dollars; needs --prices.", min=0)
    prices: Path | None = _option(
        None, "FILE", "JSON: model -> input, cached_input, output, in US dollars per million tokens."
    )
    dry_run: bool = _option(False, None, "Make no calls; estimate calls, tokens and dollars.", "--dry-run")


def refuse_idle_options(options: JudgeOptions) -> None:
    """Refuse options of a judge that is off.

    Raises:
        InputError: there are some.
    """
    idle = [one.name for one in fields(options) if getattr(options, one.name) != one.default]
    if idle and options.judge == OFF:
        raise InputError(f"--{idle[0].replace('_', '-')} needs a judge: give --judge too")
