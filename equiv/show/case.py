"""What ``explain`` shows: one record of a results file, or a pair in the algebra.

In the algebra stand the rewrites that made each normal form, step by step; no verdict comes of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing

from equiv.algebra.text import texts_of
from equiv.algebra.world import RewriteStep
from equiv.answers.pair import Pair
from equiv.core.functions.symbols import in_words
from equiv.core.query import Query, UnsupportedError
from equiv.engine.make import ground_of
from equiv.engine.pipeline import Engine
from equiv.errors import InputError
from equiv.options import Options
from equiv.records.record import Record
from equiv.records.verdict_json import verdict_of
from equiv.relation import resolve_relation
from equiv.schema.locate import Place
from equiv.show.evidence import lines_of, remarks_on
from equiv.show.page import Block, Code, Diff, Grid, Text
from equiv.show.verdicts import condition_blocks, explanation_of
from equiv.tiers.proof import normalised


def algebra_steps(
    pred_sql: str, gold_sql: str, place: Place, options: Options
) -> tuple[tuple[RewriteStep, ...], tuple[RewriteStep, ...]] | None:
    """The steps by which the algebra normalises two queries; None if one is outside what it models."""
    ground = ground_of(place.schema, place.database, options)
    with closing(Engine(ground.schema, ground.facts, (), relation="bag", effort=0, tiers=())) as engine:
        pred, gold = engine.read(pred_sql), engine.read(gold_sql, gold=True)
        if not isinstance(pred, Query) or not isinstance(gold, Query):
            return None
        relation = resolve_relation(options.relation, gold_orders=gold.orders)
        try:
            return normalised(Pair(pred, gold, engine.schema, engine.facts, relation))
        except UnsupportedError:
            return None


def in_algebra(pred_sql: str, gold_sql: str, place: Place, options: Options) -> list[Block]:
    """The rewrites of the algebra on both sides of a pair."""
    from equiv.proof.catalogue import REWRITES

    steps = algebra_steps(pred_sql, gold_sql, place, options)
    if steps is None:
        return [Text("The algebra does not model one of the queries.")]
    summaries = {rewrite.name: rewrite.doc.partition("\n")[0] for rewrite in REWRITES}
    return algebra_blocks(zip(("prediction", "gold"), steps, strict=True), summaries.__getitem__)


def algebra_blocks(
    sides: Iterable[tuple[str, Sequence[RewriteStep]]], describe: Callable[[str], str]
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
            blocks.append(Text(f"{side}: already in the algebra's normal form"))
        for number, (step, before, after) in enumerate(changed, 1):
            title = f"{side}, step {number} of {len(changed)} in the algebra: {step.rewrite}"
            remarks = remarks_on(describe(step.rewrite), step.facts, _KEPT.get(step.keeps, ""))
            lines = ("-", in_words(before)), ("+", in_words(after))
            blocks.append(Diff(f"{title} ({remarks})", lines))
    return blocks


_KEPT = {"set": "preserves the rows", "truth": "preserves truth"}


KEY_SHOWN = 12
"""How many characters of a key are shown where several fit."""

SHOWN = 6
"""How many of them are shown."""


def record_named(records: Sequence[Record], name: str, system: str = "") -> Record:
    """The record of that question id, or whose key begins so.

    Args:
        records: where to look.
        name: a question id, which goes first, or a key or its beginning.
        system: whose record it is; '' if that is plain.

    Raises:
        InputError: there is none, or there are several.
    """
    own = [record for record in records if not system or record["source"] == system]
    if system and not own:
        known = ", ".join(dict.fromkeys(str(record["source"]) for record in records))
        raise InputError(f"no record of the system {system!r}; the systems are {known or 'none'}")
    asked = [record for record in own if str(record["question_id"]) == name]
    found = asked or [record for record in own if name and str(record["key"]).startswith(name)]
    if len(found) == 1:
        return found[0]
    if not found:
        raise InputError(f"no record has the question id {name!r} or a key that starts with it")
    some = "; ".join(
        f"{str(r['key'])[: len(name) + KEY_SHOWN]} ({r['source']}, {r['db_id']})" for r in found[:SHOWN]
    )
    more = f"; and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    raise InputError(f"{len(found)} records match {name!r}; name the system or a key: {some}{more}")


def case_of(record: Record, describe: Callable[[str], str]) -> list[Block]:
    """The question and both queries, what was wrong with them as read, and the verdict with its evidence.

    Args:
        describe: gives the first sentence of a rule's documentation, by its name.

    Raises:
        InputError: the record is damaged.
    """
    blocks: list[Block] = [_about(record)]
    blocks += [Text("Prediction:"), Code("\n".join(lines_of(record["predicted_sql"])))]
    blocks += [Text("Gold query:"), Code("\n".join(lines_of(record["gold_sql"])))]
    blocks += [
        Text(f"As read: {fault['text']}.")
        for fault in record.get("faults", ())
        if fault["text"] != record["detail"]
    ]
    blocks += _golds(record)
    blocks += explanation_of(verdict_of(record), describe)
    return blocks + condition_blocks(
        (one["fact"], one["satisfied"], bool(one.get("observed"))) for one in record["equivalent_if"]
    )


_ANSWERS = {None: "not measured", True: "equal", False: "different"}


def _about(record: Record) -> Grid:
    score = "open" if record["score"] is None else f"{record['score']} by {record['score_by']}"
    ex = ", ".join(f"{name} {_ANSWERS[value]}" for name, value in record.get("ex", {}).items())
    told = {
        "key": record["key"],
        "system": record["source"],
        "question id": record["question_id"],
        "database": record["db_id"],
        "question": record["question"],
        "hint": record["hint"],
        "difficulty": record["difficulty"],
        "label": record["label"],
        "score": score,
        "execution": ex,
    }
    rows = tuple((name, str(value)) for name, value in told.items() if value not in (None, ""))
    return Grid("", ("", "record"), rows)


def _golds(record: Record) -> list[Block]:
    """Each of several gold queries with what became of it."""
    golds = record.get("golds", ())
    if not golds:
        return []
    rows = tuple(
        (
            str(number),
            gold["sql"],
            " ".join(filter(None, (gold["verdict"], gold["reason"], gold["difference"]))),
            "" if gold["same_as"] is None else f"proved equal to {gold['same_as'] + 1}",
        )
        for number, gold in enumerate(golds, 1)
    )
    return [Grid("gold queries, any of which is right", ("#", "gold query", "prediction is", ""), rows)]
