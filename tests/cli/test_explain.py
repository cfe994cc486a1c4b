"""What is shown of a verdict, and that nothing shown drives a terminal."""

from __future__ import annotations

import io
import json
import re

import pytest

from equiv.cells import Cell
from equiv.facts import Fact, FactKind, Grade
from equiv.records.record import Item, to_json, to_record
from equiv.relation import Relation, Rows
from equiv.schema.locate import Place
from equiv.show.evidence import diff_of, replays_of, show_cell
from equiv.show.page import Block, Code, Diff, Grid, Headline, Text, escape
from equiv.show.terminal import console_for, render, show
from equiv.show.verdicts import explanation_of, summary_of
from equiv.verdict import (
    Attempt,
    Condition,
    Derivation,
    Difference,
    Equivalent,
    Execution,
    FailureCode,
    Invalid,
    NotEquivalent,
    Obligation,
    Proof,
    Reason,
    Step,
    Tier,
    Undecided,
    Verdict,
    Witness,
)

BAG = Relation(Rows.BAG)
KEY = Fact(FactKind.UNIQUE, Grade.DECLARED, "t", ("a",))
ITEM = Item("m", 1, "zoo", "SELECT a FROM t", "SELECT DISTINCT a FROM t;")
PLACE = Place("zoo")
WITNESS = Witness(
    "CREATE TABLE t (a);\nINSERT INTO t VALUES (1), (1);\n",
    ((1,), (1,)),
    ((1,),),
    {"t": (("a",), ((1,), (1,)))},
)
REFUTED = NotEquivalent(relation=BAG, tier=Tier.GENERATE, evidence=WITNESS, difference=Difference.DUPLICATES)
PROVED = Equivalent(
    relation=BAG,
    tier=Tier.RULES,
    facts=(KEY,),
    attempts=(Attempt(Tier.PARSE, "passed", ms=1.0), Attempt(Tier.RULES, "settled", ms=2.5)),
    evidence=Derivation(
        (Step("drop_distinct", "SELECT DISTINCT t.a FROM t", "SELECT t.a FROM t", (KEY,), "bag"),),
        (),
        "SELECT t.a FROM t",
    ),
)
PROOF = Equivalent(
    relation=BAG,
    tier=Tier.PROOF,
    facts=(KEY,),
    strongest=Relation(Rows.LIST),
    evidence=Proof(
        "Σ t ∈ t → (t.a)",
        "Σ s ∈ t → (s.a)",
        ("t = s",),
        (Obligation("t.a is t.a", "(assert false)"),),
    ),
)
VERDICTS: list[Verdict] = [
    PROVED,
    PROOF,
    REFUTED,
    NotEquivalent(
        relation=BAG,
        tier=Tier.DATA,
        evidence=Execution("zoo.sqlite", ((1,),), ()),
        difference=Difference.EMPTY,
    ),
    Undecided(relation=BAG, reason=Reason.UNSUPPORTED, detail="Pivot"),
    Undecided(relation=BAG, reason=Reason.NONDETERMINISTIC, evidence=WITNESS),
    Invalid(relation=BAG, tier=Tier.PARSE, failure_code=FailureCode.PRED_SYNTAX, message='near "x"'),
]


@pytest.mark.parametrize("verdict", VERDICTS, ids=lambda verdict: verdict.name)
def test_plain_text_is_what_rich_makes_of_it(verdict: Verdict) -> None:
    blocks = [*summary_of(verdict), *explanation_of(verdict, lambda _: "\ta tab"), Text("\x1b[1m [bold]é")]
    stream = io.StringIO()
    show([block for block in blocks if not isinstance(block, Grid)], stream)
    assert stream.getvalue() == shown([block for block in blocks if not isinstance(block, Grid)])


def shown(blocks: list[Block]) -> str:
    stream = io.StringIO()
    render(blocks, console_for(stream))
    return stream.getvalue()


@pytest.mark.parametrize("verdict", VERDICTS, ids=lambda verdict: verdict.name)
def test_every_verdict_is_shown_and_recorded(verdict: Verdict) -> None:
    assert shown(summary_of(verdict)).startswith(f"{verdict.name}  ")
    assert shown(explanation_of(verdict, lambda name: "")).startswith(f"{verdict.name}  ")
    record = json.loads(to_json(to_record(ITEM, verdict, "k")))
    assert (record["key"], record["verdict"], record["relation"]) == ("k", verdict.name, "bag")


def test_all_records_have_the_same_keys_in_order() -> None:
    keys = {tuple(to_record(ITEM, verdict, "k")) for verdict in VERDICTS}
    assert len(keys) == 1


def test_scores_without_a_judge() -> None:
    records = (to_record(ITEM, verdict, "k") for verdict in VERDICTS)
    assert [(record["score"], record["score_by"]) for record in records] == [
        (1, "rules"),
        (1, "proof"),
        (0, "verdict"),
        (0, "verdict"),
        (None, None),
        (None, None),
        (0, "parse"),
    ]


def test_a_bounded_search_scores_where_it_is_accepted() -> None:
    verdict = Undecided(relation=BAG, reason=Reason.NO_PROOF, bounded=2)
    scores = {
        accepted: (record["score"], record["score_by"], record["verdict"], record["bounded"])
        for accepted in (None, 1, 2, 3)
        for record in (to_record(ITEM, verdict, "k", accepted),)
    }
    left = (None, None, "undecided", {"rows": 2})
    given = (1, "bounded", "undecided", {"rows": 2})
    assert scores == {None: left, 1: given, 2: given, 3: left}


def test_a_proof_is_shown_with_its_forms_matches_and_claims() -> None:
    text = shown(summary_of(PROOF))
    assert "  Σ t ∈ t → (t.a)\nThe gold query means\n  Σ s ∈ t → (s.a)\n" in text
    assert "Z3 showed 1 claim" in text
    whole = shown(explanation_of(PROOF, lambda name: ""))
    assert "They are also equivalent under list." in whole


def test_what_is_missing_for_an_equivalence_is_shown_and_recorded() -> None:
    conditions = (Condition(KEY, False), Condition(KEY, None))
    verdict = Undecided(relation=BAG, reason=Reason.NO_PROOF, bounded=1, equivalent_if=conditions)
    text = shown(summary_of(verdict))
    assert "No database of at most 1 row a table, with values from the queries, " in text
    assert "equivalent if\n  unique(t.a)   -- the given data violates it\n  unique(t.a)\n" in text
    assert to_record(ITEM, verdict, "k")["equivalent_if"] == [
        {"fact": "unique(t.a)", "satisfied": False, "observed": False},
        {"fact": "unique(t.a)", "satisfied": None, "observed": False},
    ]


def test_cells_that_json_lacks_are_written_as_objects() -> None:
    rows = ((b"\x00\xff", float("inf"), None, 1.0, 2**62, "é\ud800"),)
    verdict = NotEquivalent(
        relation=BAG, evidence=Execution("d", rows, ()), difference=Difference.VALUES, tier=Tier.DATA
    )
    line = to_json(to_record(ITEM, verdict, "k"))
    assert line.isascii()
    (row,) = json.loads(line)["evidence"]["pred_rows"]
    assert row == [{"blob": "00ff"}, {"real": "inf"}, None, 1.0, 2**62, "é\ud800"]


def test_a_derivation_is_shown_as_diffs() -> None:
    text = shown(explanation_of(PROVED, lambda name: f"what {name} does"))
    assert "  - SELECT DISTINCT t.a\n  + SELECT t.a\n    FROM t\n" in text
    assert "gold: already in normal form" in text


def test_a_witness_is_shown_with_both_results_and_what_they_show() -> None:
    text = shown(explanation_of(REFUTED, lambda name: ""))
    assert "the prediction returns 2 rows" in text
    assert "the gold query returns 1 row" in text
    assert "Only the prediction has (1)" in text
    assert "INSERT INTO t VALUES (1), (1);" in text


def test_unchanged_lines_of_a_long_query_are_left_out() -> None:
    before = "SELECT a FROM t WHERE a = 1 AND b = 2 AND c = 3 AND d = 4 ORDER BY 1 LIMIT 3"
    diff = diff_of(before, before.replace("d = 4", "d = 5"))
    assert diff.lines == (
        (" ", "  AND c = 3"),
        ("-", "  AND d = 4"),
        ("+", "  AND d = 5"),
        (" ", "ORDER BY 1"),
    )


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (None, "NULL"),
        (1, "1"),
        (1.0, "1.0"),
        ("1", "'1'"),
        ("it's", "'it''s'"),
        (b"\x01", "x'01'"),
        ("x" * 500, "'" + "x" * 199 + "…"),
    ],
)
def test_cells_look_different_if_they_are(cell: Cell, text: str) -> None:
    assert show_cell(cell) == text


HOSTILE = "\x1b[2J\x9b\u202e\r\x07[red]x[/red]:smile:\ud800"


def test_hidden_characters_are_written_out() -> None:
    assert escape(HOSTILE) == r"\x1b[2J\x9b\u202e\r\x07[red]x[/red]:smile:\ud800"
    assert escape("a\nb\tc", keep="\n") == "a\nb\\tc"


def test_nothing_shown_drives_a_terminal() -> None:
    grid = Grid(HOSTILE, (HOSTILE,), ((HOSTILE,),))
    blocks: list[Block] = [
        Headline("invalid", HOSTILE),
        Text(HOSTILE),
        Code(HOSTILE),
        grid,
        Diff(HOSTILE, (("+", HOSTILE),)),
    ]
    text = shown(blocks)
    assert not re.search(r"[^\n -~…]", text.replace("─", "")), text
    assert text.count("[red]x[/red]:smile:") == 8


def test_a_pipe_gets_no_wrapping() -> None:
    wide = "SELECT " + ", ".join(f"column_{n}" for n in range(100))
    text = shown([Code(wide), Grid("", ("sql",), ((wide,),))])
    assert text.count(wide) == 2


def test_an_emitted_script_has_the_database_and_both_queries() -> None:
    (replay,) = replays_of(ITEM, PLACE, REFUTED)
    script, database = replay.text, replay.database
    assert database is None
    head, _, rest = script.partition("\n")
    assert head.startswith("-- The queries differ here on SQLite 3.")
    assert rest.startswith(WITNESS.sql)
    assert script.count(";\n") == 2 + 4
    assert replays_of(ITEM, PLACE, PROVED) == []


@pytest.mark.parametrize("line", [".shell rm x", "  .quit", "#x", "go", " / "])
def test_a_query_that_could_pass_for_a_shell_command_is_left_out(line: str) -> None:
    (replay,) = replays_of(Item("m", 1, "zoo", f"SELECT '\n{line}\n'", "SELECT 1"), PLACE, REFUTED)
    assert f"\n{line}\n" not in replay.text
    assert "left out" in replay.text


def test_the_letter_case_of_cells_is_kept() -> None:
    witness = Witness("CREATE TABLE t (a);\n", (("Ab", None),), (("aB", None),))
    refuted = NotEquivalent(relation=BAG, evidence=witness, difference=Difference.NULL)
    texts = [block.text for block in explanation_of(refuted, lambda _: "") if isinstance(block, Text)]
    assert "Only the prediction has ('Ab', NULL); only the gold query has ('aB', NULL)" in texts
    assert "The queries treat NULL differently." in texts
