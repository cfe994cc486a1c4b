"""The options of ``check`` and ``eval`` that are about the judge.

The thresholds of triage that stand where none are given were chosen before anything was measured.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated

import typer

from equiv.errors import InputError

ACCEPT = 0.95
"""From which probability on a pair is taken for right."""
REJECT = 0.05
"""Up to which probability a pair is taken for wrong."""


OFF = "off"
"""The value of ``--judge`` that stands for none."""

AUTO = "auto"
"""The value of ``--descriptions`` that stands for what lies beside the databases."""

_PANEL = "The judge"


def _option(
    metavar: str | None, says: str, *names: str, least: float | None = None, most: float | None = None
) -> typer.models.OptionInfo:
    found: typer.models.OptionInfo = typer.Option(
        *names, metavar=metavar, help=says, min=least, max=most, rich_help_panel=_PANEL
    )
    return found


@dataclass(frozen=True, kw_only=True)
class JudgeOptions:
    """The options of the judge on the command line."""

    judge: Annotated[
        str, _option("off|live|record:FILE|replay:FILE", "Who scores what verdicts leave open.")
    ] = OFF
    judge_model: Annotated[
        str, _option("NAME", "The model that is asked, or whose replies are replayed.")
    ] = ""
    judge_run: Annotated[str, _option("NAME", "Which run of a file of published judgements is replayed.")] = (
        "ROSE"
    )
    judge_variant: Annotated[
        str, _option("rose|prover-only|pr|pr-wogt|wogt|flex|…", "Which calls make a judgement.")
    ] = "rose"
    judge_params: Annotated[
        str, _option("JSON", "Parameters of the requests, as in '{\"temperature\": 0}'.")
    ] = "{}"
    judge_threads: Annotated[int, _option("N", "Requests at a time.", least=1, most=256)] = 8
    judge_timeout: Annotated[
        float, _option("SECONDS", "How long the model may stay silent.", least=0.001)
    ] = 300.0
    judge_cache: Annotated[Path | None, _option("FILE", "Where answers are kept for the saving 'cache'.")] = (
        None
    )
    judge_standard: Annotated[
        str, _option("ours|rose", "By which conventions a prediction is right: our own, or those of ROSE.")
    ] = "ours"
    descriptions: Annotated[
        str,
        _option(
            "auto|off|DIR",
            "What columns hold: <db>/database_description/*.csv or <db>_schema.json; auto: beside databases.",
        ),
    ] = AUTO
    savings: Annotated[
        str,
        _option(
            "none|all|proof,classes,execution,gold,cache,triage",
            "Where calls to the model are saved. 'execution', part of 'all', gives up rigour: it scores 1 "
            "for equal results on the one given database, also where another database tells the queries "
            "apart. 'triage', no part of 'all', scores by an estimated probability.",
        ),
    ] = "all"
    triage_accept: Annotated[
        float, _option("P", "From which probability on 'triage' scores 1.", least=0, most=1)
    ] = ACCEPT
    triage_reject: Annotated[
        float, _option("P", "Up to which probability 'triage' scores 0.", least=0, most=1)
    ] = REJECT
    triage_table: Annotated[
        Path | None, _option("FILE", "What equiv.judge.triage.fit wrote; by default the table of ROSE-VEC.")
    ] = None
    equality: Annotated[
        str,
        _option(
            "record|ex_score",
            "Without a database, which record of a replay says that results are equal.",
        ),
    ] = "record"
    gold_faults: Annotated[
        Path | None,
        _option("FILE", "Findings of equiv gold, or judged records that call gold queries faulty."),
    ] = None
    witness_evidence: Annotated[
        str, _option("on|off", "Whether the Refuter is shown the witness and the difference.")
    ] = "off"
    max_calls: Annotated[int | None, _option("N", "Calls that may be made.", least=0)] = None
    max_usd: Annotated[
        float | None, _option("DOLLARS", "Money that may be spent; needs --prices.", least=0)
    ] = None
    prices: Annotated[
        Path | None,
        _option("FILE", "JSON: model -> input, cached_input, output, in US dollars per million tokens."),
    ] = None
    dry_run: Annotated[
        bool, _option(None, "Ask nothing; say how many calls, tokens and dollars it would take.", "--dry-run")
    ] = False


def refuse_idle_options(options: JudgeOptions) -> None:
    """Refuse options of a judge that is off.

    Raises:
        InputError: there are some.
    """
    idle = [one.name for one in fields(options) if getattr(options, one.name) != one.default]
    if idle and options.judge == OFF:
        raise InputError(f"--{idle[0].replace('_', '-')} needs a judge: give --judge too")
