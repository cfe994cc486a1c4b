"""``--help`` of commands with many options: examples first, then options in groups under headings."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand

CHECK = """
\b
Examples:
  equiv check "SELECT DISTINCT id FROM t" "SELECT id FROM t" --schema t.sql
  equiv check --both pair.sql --db data.sqlite --relation bird --json
"""

EVAL = """
\b
Examples:
  equiv eval predictions.json --db-root databases --out results.jsonl
  equiv eval pred.sql --gold gold.sql --format spider --schema tables.json
"""

GROUPS = {
    "Who may ask": "host port token_file no_token host_name",
    "Input": (
        "both db db_root schema gold kind mapping encoding extract vote limit scores systems nodes prices"
    ),
    "What counts as the same": (
        "relation facts errors assume matviews rounding dialect gold_dialect schema_dialect live_prepare"
        " layout keep_distinct"
    ),
    "How much is tried": (
        "effort question_seconds whole settings timeout batch_timeout tiers rules confirm"
        " conditions condition_seconds accept mutants"
    ),
    "What is looked for": "kinds judged agree by system",
    "Metrics": (
        "metrics disable_rules no_values no_distinct ablation right_by penalty gap max_calls max_tokens"
    ),
    "The run": "seconds pairs seed workers queue batch max_body grace shard engine address",
    "Output": (
        "out as_json brief ranking emit_sql certificate algebra cases fail_under ex rose_results parquet"
        " fail_if_worse misses page html markdown unfired"
    ),
    "The judge": "question hint",
}
"""Headings in their order, and the options below each, as parameters are called.

An option that is not listed stands under its own ``rich_help_panel``, or under Options.
"""

_PLACES = {
    option: (title, place)
    for title, options in GROUPS.items()
    for place, option in enumerate(options.split())
}


class GroupedCommand(TyperCommand):
    """A command whose epilog are examples and whose options stand under headings."""

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        """Write what the command does, and the examples, which nobody would find below all the options."""
        super().format_help_text(ctx, formatter)
        super().format_epilog(ctx, formatter)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write nothing: the examples stand above."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write every argument and option below the heading of its group."""
        groups: dict[str, list[Any]] = {title: [] for title in ("Arguments", *GROUPS)}
        for parameter in self.get_params(ctx):
            groups.setdefault(_title(parameter), []).append(parameter)
        for title, parameters in groups.items():
            parameters.sort(key=_place)
            records = [parameter.get_help_record(ctx) for parameter in parameters]
            if shown := [record for record in records if record is not None]:
                with formatter.section(title):
                    formatter.write_dl(shown)


def _title(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return "Arguments"
    listed, _ = _PLACES.get(parameter.name, ("Options", 0))
    return parameter.rich_help_panel or listed


def _place(parameter: Any) -> int:
    """The place within a group; arguments, and options that are not listed, keep their order at the end."""
    if parameter.param_type_name == "argument":
        return 0
    return _PLACES.get(parameter.name, ("", len(_PLACES)))[1]
