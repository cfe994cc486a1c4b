"""``equiv explain``: why a pair has its verdict."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from equiv.commands.asking import ask, queries_of
from equiv.commands.common import ConditionsOption, Db, Extract, SchemaFile, exit_code, show
from equiv.commands.completion import keys
from equiv.commands.outside import Outside, outside
from equiv.options import Options
from equiv.show.arguments import ComparisonOptions


def explain(
    context: typer.Context,
    pred: Annotated[
        str,
        typer.Argument(metavar="PRED", help="Predicted query, or a results file of eval (FILE.jsonl)."),
    ],
    gold: Annotated[
        str,
        typer.Argument(
            metavar="GOLD",
            help="Gold query; with a results file a question id, or the key of a record.",
            autocompletion=keys,
        ),
    ],
    *,
    db: Db = None,
    schema: SchemaFile = None,
    comparison: ComparisonOptions,
    conditions: ConditionsOption = True,
    extract: Extract = True,
    system: Annotated[
        str, typer.Option(metavar="NAME", help="Whose record it is, where several have the question id.")
    ] = "",
    algebra: Annotated[
        bool, typer.Option("--algebra", help="Show the rewrites of the algebra on both sides, too.")
    ] = False,
) -> int:
    """Show the derivation step by step, or the database that tells the queries apart.

    With FILE.jsonl and a question id or key, show the record as eval wrote it. Exit codes are those of check.
    """
    from equiv.show.verdicts import explanation_of

    if pred.endswith(".jsonl"):
        return _explain_record(Path(pred), gold, system, outside(context))
    options = Options(**comparison.arguments(conditions=conditions))
    queries = queries_of(pred, gold, None, options.dialect)
    item, place, verdict = ask(queries, db, schema, options, extract=extract)
    show(explanation_of(verdict, outside(context).describe_rules(options.rules)))
    if algebra:
        from equiv.show.case import in_algebra

        show(in_algebra(item.predicted_sql, item.gold_sql, place, options))
    return exit_code(verdict)


def _explain_record(path: Path, name: str, system: str, known: Outside) -> int:
    from equiv.eval.results import read_records
    from equiv.records.verdict_json import verdict_of
    from equiv.show.case import case_of, record_named

    record = record_named(read_records([path]), name, system)
    show([*case_of(record, known.describe_rules()), *known.judgement_of(record)])
    return exit_code(verdict_of(record))
