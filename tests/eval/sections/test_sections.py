"""The sections of a report: figures that add up, and what is known of systems."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from kit.result_records import result_record

from equiv.eval import report_parts, sections
from equiv.eval.metrics.registry import Measurement
from equiv.eval.metrics.scores import Measured, Portion, by_score, by_verdict, pair_of
from equiv.eval.report_parts import Cards, Cases, Heat, Ranges, Waterfall, blocks_of, classes_in
from equiv.eval.sections import whole_report
from equiv.eval.summary import Standing
from equiv.records.record import Record
from equiv.show.page import Grid, Heading, Text

VERDICTS = st.sampled_from(["equivalent", "not_equivalent", "undecided", "invalid"])
RECORDS = st.lists(st.tuples(VERDICTS, st.sampled_from(["a", "b", "c"])), min_size=1, max_size=12).map(
    lambda found: [
        result_record(v, question_id=n // 2, source=s, db_id=f"db {n // 4}", predicted_sql=f"SELECT {n}")
        for n, (v, s) in enumerate(found)
    ]
)


def numbers(chart: Waterfall, column: str) -> list[int]:
    return [int(row[chart.grid.columns.index(column)]) for row in chart.grid.rows]


@given(RECORDS)
@settings(max_examples=30)
def test_funnels_add_up(records: list[Record]) -> None:
    for chart in (sections.by_tier(records), sections.by_scorer(records)):
        taken = [sum(counts) for _, counts in chart.stages]
        reached, left = numbers(chart, "reached"), numbers(chart, "left")
        assert [r - t for r, t in zip(reached, taken, strict=True)] == left
        assert reached[1:] == left[:-1]
        open_pairs = sum(r["verdict"] == "undecided" for r in records)
        assert chart.total - sum(taken) == open_pairs


@given(RECORDS)
@settings(max_examples=30)
def test_every_pair_is_in_the_headline_and_in_its_groups(records: list[Record]) -> None:
    section = sections.headline_section(records, [by_score(records)])
    (cards,) = [part for part in section.parts if isinstance(part, Cards)]
    systems = {record["source"] for record in records}
    if len(systems) == 1:
        assert {portion.total for portion in cards.portions} == {len(records)}
    else:
        assert {portion.name for portion in cards.portions} == {f"score, {system}" for system in systems}
    scored = cards.portions[: len(systems)]
    assert sum(portion.total for portion in scored) == len(records)
    for chart in (part for part in section.parts if isinstance(part, Ranges)):
        shown = [portion for _, portions in chart.rows for portion in portions]
        assert sum(portion.total for portion in shown) == len(records)
        assert sum(portion.ones for portion in shown) == sum(each.ones for each in scored)
        items = [int(row[1]) for row in chart.grid.rows]
        assert items == [max(portion.total for portion in portions) for _, portions in chart.rows]


def test_the_headline_has_the_verdict_only_where_the_score_is_another() -> None:
    records = [result_record("equivalent"), result_record("undecided", question_id=2)]
    verdict, score = by_verdict(records), by_score(records)
    assert [m.name for m in sections.headliners([score, verdict])] == ["score"]
    judged = Measured("score", dict.fromkeys(map(pair_of, records), True))
    shown = sections.headliners([judged, verdict, Measured("em", {}), Measured("ex-bird", {})])
    assert [measured.name for measured in shown] == ["score", "equiv", "ex-bird"]


def test_execution_accuracy_that_an_evaluation_measured_is_shown() -> None:
    records = [
        result_record(question_id=n) | {"ex": {"ex-bird": score}} for n, score in enumerate([True, None])
    ]
    report = whole_report(records, Measurement(()), str)
    assert {m.name: list(m.scores.values()) for m in report.measures}["ex-bird"] == [True]
    other = Measured("ex-bird", dict.fromkeys(map(pair_of, records), False))
    report = whole_report(records, Measurement((other,)), str)
    assert [m for m in report.measures if m.name == "ex-bird"] == [other]


def test_difficulties_come_in_their_order() -> None:
    records = [
        result_record(question_id=level, difficulty=level) for level in ("challenging", "simple", "moderate")
    ]
    section = sections.headline_section(records, [by_score(records)])
    (chart,) = [part for part in section.parts if isinstance(part, Ranges)]
    assert [name for name, _ in chart.rows] == ["simple", "moderate", "challenging"]


def test_metrics_agree_and_disagree_on_the_pairs_that_both_score() -> None:
    records = [
        result_record(v, question_id=n) for n, v in enumerate(["equivalent", "not_equivalent", "undecided"])
    ]
    pairs = list(map(pair_of, records))
    other = Measured("other", {pairs[0]: False, pairs[1]: False, pairs[2]: True})
    (found,) = sections.disagreements(records, [by_verdict(records), other])
    assert (found.yes, found.no, found.pairs, found.known) == ("equiv", "other", (pairs[0],), 2)
    section = sections.matrix_section(records, [by_verdict(records), other])
    (heat,) = [part for part in section.parts if isinstance(part, Heat)]
    assert heat.grid.rows == (("equiv", "100.0", "50.0"), ("other", "50.0", "100.0"))
    assert heat.grid.columns == ("metric", "equiv", "other")
    (cases,) = [part for part in section.parts if isinstance(part, Cases)]
    assert cases.groups == (("right by equiv, wrong by other: 1 of 1 pairs", (records[0]["key"],)),)
    alike = sections.matrix_section(records, [by_verdict(records), replace(by_verdict(records), name="same")])
    assert [part for part in alike.parts if not isinstance(part, Heat)] == [
        Text("No two metrics disagree on a pair.")
    ]


def test_metrics_without_a_common_pair_say_nothing_of_each_other() -> None:
    records = [result_record("undecided")]
    section = sections.matrix_section(
        records, [by_verdict(records), Measured("other", {pair_of(records[0]): True})]
    )
    (heat,) = [part for part in section.parts if isinstance(part, Heat)]
    assert heat.shades == ((None, None, None), (None, None, 1.0))


def test_classes_are_what_records_show_to_be_equivalent() -> None:
    judge: dict[str, object] = {"model": "m", "run": None, "variant": "rose", "savings": [], "equality": None}
    judged, alone = {"judge": judge | {"class": "x"}}, {"judge": judge | {"class": None}}
    records = [
        result_record("equivalent", source="a", predicted_sql="SELECT 1 + 0"),
        result_record("equivalent", source="b", predicted_sql="SELECT 1 * 1"),
        result_record("not_equivalent", source="c", predicted_sql="SELECT 2"),
        result_record("not_equivalent", source="d", predicted_sql="SELECT 2 ") | judged,
        result_record("not_equivalent", source="e", predicted_sql="SELECT 1 + 1") | judged,
        result_record("not_equivalent", source="f", predicted_sql="SELECT 3") | alone,
        result_record("invalid", source="g", predicted_sql="SELECT 2"),
    ]
    found = [(one.systems, one.is_gold) for one in classes_in(records)]
    assert found == [(("a", "b"), True), (("c", "d", "e"), False), (("f",), False)]


def test_systems_side_by_side() -> None:
    def answer(source: str, question: int, verdict: str, sql: str) -> Record:
        return result_record(verdict, source=source, question_id=question, predicted_sql=sql)

    records = [
        *(answer("a", 1, "equivalent", "SELECT 1"), answer("b", 1, "equivalent", "SELECT 1+0")),
        *(answer("a", 2, "equivalent", "SELECT 1"), answer("b", 2, "not_equivalent", "SELECT 5")),
        *(answer("a", 3, "not_equivalent", "SELECT 5"), answer("b", 3, "not_equivalent", "SELECT 5")),
    ]
    section = report_parts.systems_section(records)
    assert section is not None
    table, difference, spread, alike, shared = section.parts
    assert isinstance(table, Grid)
    assert [(row[0], row[1], row[-1]) for row in table.rows] == [("a", "3", "1"), ("b", "3", "0")]
    assert isinstance(difference, Grid)
    assert [row[1:4] + row[5:] for row in difference.rows] == [
        ("a", "b", "3", "1", "0", "p = 1.000", "may be chance")
    ]
    assert isinstance(spread, Grid)
    assert [row[:2] for row in spread.rows] == [("2", "1"), ("1", "1"), ("0", "1")]
    assert isinstance(alike, Heat)
    assert alike.grid.columns == ("system", "a", "b")
    assert alike.shades == ((None, None, 2 / 3), (None, 2 / 3, None))
    assert isinstance(shared, Grid)
    assert shared.rows == (("zoo", "3", "2", "a, b", "SELECT 5"),)
    assert report_parts.systems_section(records[:1]) is None


def test_a_question_without_a_score_is_solved_by_no_number_of_systems() -> None:
    records = [
        *(result_record(source=name, question_id=1) for name in "ab"),
        *(result_record("undecided", source=name, question_id=2) for name in "ab"),
    ]
    section = report_parts.systems_section(records)
    assert section is not None
    (spread,) = [part for part in section.parts if isinstance(part, Grid) and "how many" in part.title]
    assert spread.rows == (("2", "1", "100.0 %"),)
    assert spread.title.endswith(" (1 left out, which some system has no score for)")


def test_the_cards_tell_relation_proof_and_what_was_not_measured() -> None:
    records = [
        result_record("equivalent", question_id=1, ex={"ex-bird": True}),
        result_record("undecided", question_id=2, ex={"ex-bird": False}),
    ]
    cards = whole_report(records, Measurement(()), str).sections[0].parts[0]
    assert isinstance(cards, Cards)
    assert cards.portions[0].text == "100.0 [20.7, 100.0]"
    assert cards.notes == (
        "Relation: bag, rows with duplicates.",
        "No judge: a score of 1 is a proof.",
        "Without score: 1 item; of all 2 between 50.0 and 100.0 %, as they turn out.",
        "Undecided by database: zoo 1.",
        "On the 1 item that all of these have, percent: score 100.0, ex-bird 100.0.",
    )


def test_rules_are_counted_by_pair_and_by_application() -> None:
    steps = [{"rule": name} for name in ("merge", "merge", "push")]
    records = [
        result_record(question_id=1, evidence={"kind": "derivation", "steps": steps}),
        result_record(question_id=2, evidence={"kind": "derivation", "steps": steps[:1]}),
        result_record("undecided", question_id=3),
    ]
    grids = {
        part.title: part
        for part in report_parts.evidence_section(records, "does {}".format).parts
        if isinstance(part, Grid)
    }
    assert grids["rules used"].rows == (("merge", "2", "3", "does merge"), ("push", "1", "1", "does push"))
    assert grids["undecided by reason"].rows[0][:3] == ("NO_PROOF", "1", "33.3 %")


def test_a_report_counts_a_pair_once_and_keeps_abstentions_apart() -> None:
    bare, judged = result_record("undecided"), result_record("undecided", judge="o3", score=1)
    abstained = result_record("undecided", question_id=2, score=1, score_by="abstention")
    report = whole_report([bare, judged, abstained], Measurement(()), str)
    assert [record["key"] for record in report.records] == [judged["key"], abstained["key"]]
    (told,) = [part.text for part in report.sections[0].parts if isinstance(part, Text)]
    assert told.startswith("Abstentions or infeasible questions among them: 1; ")
    blocks = list(blocks_of(report.sections))
    titles = Counter(block.text for block in blocks if isinstance(block, Heading))
    assert titles["Headline"] == titles["Funnels"] == 1
    assert {type(block) for block in blocks} <= {Grid, Heading, Text}


def test_the_page_and_the_first_lines_count_alike_abstentions_included() -> None:
    records = [
        result_record("equivalent", question_id=1, ex={"ex-bird": True}),
        result_record("not_equivalent", question_id=2, ex={"ex-bird": True}),
        result_record("undecided", question_id=3, ex={"ex-bird": None}),
        result_record("undecided", question_id=4, score=1, score_by="abstention"),
        result_record("undecided", question_id=5, score=0, score_by="abstention", feasible=False),
    ]
    standing = Standing()
    for record in records:
        standing.add(record)
    cards = whole_report(records, Measurement(()), str).sections[0].parts[0]
    assert isinstance(cards, Cards)
    total = standing.total
    counted = [total.score.of("score"), total.ex.of("ex-bird"), total.undecided.of("undecided")]
    shown = {portion.name: portion for portion in cards.portions}
    assert [shown[portion.name] for portion in counted] == counted
    assert counted == [
        Portion("score", 2, 5, 1),
        Portion("ex-bird", 2, 5, 3),
        Portion("undecided", 3, 5),
    ]


def test_without_a_record_a_report_says_so() -> None:
    assert list(blocks_of(whole_report([], Measurement(()), str).sections)) == [
        Heading("Headline"),
        Text("No record."),
    ]
