"""Blocks on a pair in the algebra: the rewrites that made each normal form, step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from equiv.algebra.steps import Step
from equiv.algebra.text.pages import texts_of
from equiv.options import Options
from equiv.schema.locate import Place
from equiv.show.equivalences import fact_name
from equiv.show.page import Block, Diff, Text


def in_algebra(pred_sql: str, gold_sql: str, place: Place, options: Options) -> list[Block]:
    """The rewrites of the algebra on both sides of a pair."""
    from equiv.engine.algebra import algebra_steps
    from equiv.proof.catalogue import REWRITES

    steps = algebra_steps(pred_sql, gold_sql, place, options)
    if steps is None:
        return [Text("A query is outside what the algebra models.")]
    summaries = {rewrite.name: rewrite.doc.partition("\n")[0] for rewrite in REWRITES}
    return algebra_blocks(zip(("prediction", "gold"), steps, strict=True), summaries.__getitem__)


def algebra_blocks(
    sides: Iterable[tuple[str, Sequence[Step]]], describe: Callable[[str], str]
) -> list[Block]:
    """The steps of both sides, those left out that change no more than names.

    Args:
        sides: the name of each side, and its steps.
        describe: gives the first sentence of a rewrite's documentation, by its name.
    """
    blocks: list[Block] = []
    for side, steps in sides:
        texts = [(step, *texts_of(step)) for step in steps]
        changed = [each for each in texts if each[1] != each[2]]
        if not changed:
            blocks.append(Text(f"{side}: in the normal form of the algebra as it stands"))
        for number, (step, before, after) in enumerate(changed, 1):
            title = f"{side}, step {number} of {len(changed)} in the algebra: {step.rewrite}"
            blocks.append(Diff(f"{title} ({_remarks(step, describe)})", (("-", before), ("+", after))))
    return blocks


def _remarks(step: Step, describe: Callable[[str], str]) -> str:
    remarks = [describe(step.rewrite).rstrip(".")]
    if step.facts:
        remarks.append("rests on " + ", ".join(map(fact_name, step.facts)))
    if step.keeps in ("set", "truth"):
        remarks.append("keeps which rows there are" if step.keeps == "set" else "keeps what is true")
    return "; ".join(remarks)
