"""EM, ESM and ESM+: what they equate, what they miss, and which rule of ESM+ does it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from kit.result_records import result_record

from equiv import cli
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.engine.make import esm_plus_rules, make_engine
from equiv.errors import InputError
from equiv.eval.metrics.metric import EVERYTHING_COUNTS, EsmSwitches, MetricPair
from equiv.eval.metrics.registry import Measurement
from equiv.eval.metrics.scores import Measured, against_verdicts, missed_grid, pair_of, wrong_grid
from equiv.eval.metrics.structure import (
    ALL_RULES,
    STEPS,
    StructuralMatch,
    exact_match,
    exact_set_match,
    has_bare_alias,
    rules_named,
    stars_in,
)
from equiv.eval.reading.loading import joined_operators
from equiv.eval.report import ablation
from equiv.options import Options
from equiv.rules import RULES
from equiv.rules.esm_plus import READING, AuditedPair, Entry, listed
from equiv.show.page import Grid

DDL = """
CREATE TABLE breeds (breed_code TEXT PRIMARY KEY NOT NULL, breed_name TEXT);
CREATE TABLE dogs (
    dog_id INTEGER PRIMARY KEY, breed_code TEXT REFERENCES breeds (breed_code), name TEXT, age INTEGER
);
"""


def esm(pred: str, gold: str, switches: EsmSwitches = EVERYTHING_COUNTS, ddl: str = DDL) -> bool | None:
    engine = make_engine(load_ddl(ddl, "d"), None, Options())
    return exact_set_match(engine.read(pred), engine.read(gold), engine.schema, switches)


def esm_plus(pred: str, gold: str, switches: EsmSwitches = EVERYTHING_COUNTS, ddl: str = DDL) -> bool | None:
    engine = make_engine(load_ddl(ddl, "d"), None, Options())
    match = StructuralMatch(engine.schema, engine.facts, esm_plus_rules(switches.disabled), switches)
    return match(engine.read(pred), engine.read(gold))


def proved(entry: Entry) -> AuditedPair:
    """The instance of a rule in which the condition used here holds."""
    pair = entry.as_used or entry.as_stated
    assert pair.verdict.startswith("equivalent")
    return pair


@pytest.mark.parametrize("entry", listed("table_1"), ids=lambda entry: entry.number)
def test_each_rule_equates_what_nothing_else_equates(entry: Entry) -> None:
    pair = proved(entry)
    others = EsmSwitches(disabled=frozenset({int(entry.number)}))
    assert esm_plus(pair.pred, pair.gold, ddl=pair.ddl) is True
    assert esm_plus(pair.pred, pair.gold, others, ddl=pair.ddl) is False
    assert not esm(pair.pred, pair.gold, ddl=pair.ddl) or entry.number == "2"


@pytest.mark.parametrize("entry", [*listed("table_1"), *listed("fixes")], ids=lambda entry: entry.number)
def test_nothing_that_differs_matches(entry: Entry) -> None:
    for pair in (entry.as_stated, *entry.also):
        if not pair.verdict.startswith("equivalent"):
            assert esm_plus(pair.pred, pair.gold, ddl=pair.ddl) is False


def test_the_rules_of_esm_plus_are_those_with_its_numbers_and_those_that_read() -> None:
    names = {rule.name for rule in esm_plus_rules(frozenset()).rules}
    assert names == {rule.name for rule in RULES if rule.esm_plus} | set(READING)
    assert {rule.name for rule in esm_plus_rules(ALL_RULES).rules} == set(READING)


@pytest.mark.parametrize(
    ("pred", "gold", "plain", "plus"),
    [
        # figure 2: join conditions; figure 3: DISTINCT; figure 4: LIMIT; figure 5: COUNT
        (
            "SELECT dogs.dog_id FROM dogs JOIN breeds ON dogs.breed_code = breeds.breed_code",
            "SELECT dogs.dog_id FROM dogs JOIN breeds ON dogs.breed_code = breeds.breed_name",
            True,
            False,
        ),
        ("SELECT DISTINCT name FROM dogs", "SELECT name FROM dogs", True, False),
        (
            "SELECT name FROM dogs ORDER BY age DESC LIMIT 2",
            "SELECT name FROM dogs ORDER BY age DESC LIMIT 1",
            True,
            False,
        ),
        ("SELECT count(dog_id) FROM dogs", "SELECT count(*) FROM dogs", False, True),
        # foreign keys stand for their keys (appendix A.1, 2)
        (
            "SELECT dogs.breed_code FROM dogs JOIN breeds ON dogs.breed_code = breeds.breed_code",
            "SELECT breeds.breed_code FROM dogs JOIN breeds ON dogs.breed_code = breeds.breed_code",
            True,
            True,
        ),
        # parentheses do not matter to ESM (section 7, 2)
        (
            "SELECT name FROM dogs WHERE age = 1 AND (name = 'a' OR dog_id = 2)",
            "SELECT name FROM dogs WHERE age = 1 AND name = 'a' OR dog_id = 2",
            True,
            False,
        ),
        ("SELECT name, age FROM dogs", "SELECT age, name FROM dogs", True, True),
        (
            "SELECT name FROM dogs WHERE age = 1 AND name = 'a'",
            "SELECT name FROM dogs WHERE name = 'a' AND age = 1",
            True,
            True,
        ),
        ("SELECT name FROM dogs WHERE age = 1", "SELECT name FROM dogs WHERE age = 2", False, False),
        ("SELECT name FROM dogs ORDER BY age", "SELECT name FROM dogs ORDER BY age DESC", False, False),
        (
            "SELECT name FROM dogs UNION SELECT breed_name FROM breeds",
            "SELECT breed_name FROM breeds UNION SELECT name FROM dogs",
            False,
            True,
        ),
        (
            "SELECT name, count(*) FROM dogs GROUP BY name HAVING count(*) > 1",
            "SELECT name, count(*) FROM dogs GROUP BY name HAVING count(*) > 2",
            False,
            False,
        ),
    ],
)
def test_what_matches(pred: str, gold: str, plain: bool, plus: bool) -> None:
    assert (esm(pred, gold), esm_plus(pred, gold)) == (plain, plus)
    assert (esm(gold, pred), esm_plus(gold, pred)) == (plain, plus)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT dogs.name FROM dogs LEFT JOIN breeds ON dogs.breed_code = breeds.breed_code",
        "SELECT dogs.name FROM dogs INNER JOIN breeds ON dogs.breed_code = breeds.breed_code",
        "SELECT name FROM dogs WHERE age IN (1, 2)",
        "SELECT d.name FROM dogs d",
        "SELECT name AS n FROM dogs",
        "SELECT name FROM dogs WHERE name IS NOT NULL",
        "SELECT upper(name) FROM dogs",
        "SELECT n.name FROM (SELECT name FROM dogs) AS n",
    ],
)
def test_what_spiders_grammar_lacks_matches_nothing(sql: str) -> None:
    assert esm(sql, "SELECT name FROM dogs") is False
    assert esm(sql, sql) is None
    assert esm_plus(sql, sql) is True


def test_a_broken_prediction_matches_nothing_and_a_broken_gold_query_measures_nothing() -> None:
    good, bad = "SELECT name FROM dogs", "SELECT nothing FROM dogs"
    for metric in (esm, esm_plus):
        assert metric(bad, good) is False
        assert metric(good, bad) is None
        assert metric(bad, bad) is None


@pytest.mark.parametrize(
    ("pred", "gold"),
    [
        ("SELECT name FROM dogs WHERE age = 1", "SELECT name FROM dogs WHERE age = 2"),
        ("SELECT name FROM dogs WHERE age > -1", "SELECT name FROM dogs WHERE age > 5"),
        ("SELECT name FROM dogs WHERE name LIKE 'a%'", "SELECT name FROM dogs WHERE name LIKE '%b'"),
    ],
)
def test_values_may_be_left_out(pred: str, gold: str) -> None:
    off = EsmSwitches(values=False)
    assert (esm(pred, gold), esm_plus(pred, gold)) == (False, False)
    assert (esm(pred, gold, off), esm_plus(pred, gold, off)) == (True, True)


def test_a_limit_is_no_value_that_is_left_out() -> None:
    pair = ("SELECT name FROM dogs ORDER BY dog_id LIMIT 1", "SELECT name FROM dogs ORDER BY dog_id LIMIT 2")
    assert esm_plus(*pair, EsmSwitches(values=False)) is False


def test_distinct_may_be_left_out() -> None:
    off = EsmSwitches(distinct=False)
    inside = ("SELECT count(DISTINCT name) FROM dogs", "SELECT count(name) FROM dogs")
    assert (esm(*inside), esm_plus(*inside)) == (False, False)
    assert (esm(*inside, off), esm_plus(*inside, off)) == (True, True)
    outside = ("SELECT DISTINCT name FROM dogs", "SELECT name FROM dogs")
    assert esm_plus(*outside, off) is True


def test_text_is_looked_at_as_written() -> None:
    assert [stars_in(sql) for sql in ("SELECT * FROM t", "SELECT count(*) FROM t", "SELEC")] == [1, 0, 0]
    assert has_bare_alias("SELECT 1 FROM t x")
    assert not has_bare_alias("SELECT CAST(a AS INTEGER) FROM t AS x")


def test_exact_match_trims_and_no_more() -> None:
    assert exact_match(" SELECT 1\n", "SELECT 1")
    assert not exact_match("select 1", "SELECT 1")


def test_rules_are_named_by_number() -> None:
    assert rules_named("none") == rules_named("") == frozenset()
    assert rules_named("all") == ALL_RULES
    assert rules_named("1, 20") == {1, 20}
    for text in ("0", "21", "one", "1,,2"):
        with pytest.raises(InputError, match="disable-rules"):
            rules_named(text)


def test_mistakes_are_shares_of_the_pairs_that_have_an_answer() -> None:
    records = [result_record("equivalent", question_id=n) for n in range(3)]
    records += [result_record("not_equivalent", question_id=3), result_record("undecided", question_id=4)]
    scores = dict(zip(map(pair_of, records), (True, False, False, True, True), strict=True))
    grid = wrong_grid(records, [Measured("m", scores)], against_verdicts, "t")
    assert grid is not None
    assert grid.rows == (("system", "25.0, 50.0"),)
    missed = missed_grid(records, [Measured("0", scores), Measured("1", {})], against_verdicts, "t")
    assert missed.rows == (("0", "50.0"), ("1", "-"))


def test_the_ablation_goes_from_esm_to_all_rules() -> None:
    record = result_record("equivalent")
    steps = tuple(Measured(step, {pair_of(record): step == "20"}) for step in STEPS)
    (grid,) = ablation([record], steps)
    assert isinstance(grid, Grid)
    assert grid.rows[0] == ("ESM", "100.0")
    assert grid.rows[-1] == ("20", "0.0")
    assert len(grid.rows) == 22
    assert ablation([record], Measurement(()).steps) == []


@pytest.mark.long
def test_the_report_measures_structure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "d.sql").write_text(DDL)
    pairs, out = tmp_path / "pairs.jsonl", tmp_path / "out.jsonl"
    pair = {"question_id": 1, "db_id": "d"}
    pair |= {"predicted_sql": "SELECT count(dog_id) FROM dogs", "gold_sql": "SELECT count(*) FROM dogs"}
    pairs.write_text(json.dumps(pair) + "\n")
    schema = ("--schema", str(tmp_path / "d.sql"))
    assert cli.run(["eval", str(pairs), *schema, "--out", str(out)]) == 0
    capsys.readouterr()
    assert cli.run(["report", str(out), *schema, "--ablation"]) == 0
    rows = cells(capsys.readouterr().out)
    assert ["esm", "0", "1", "0.0 [0.0, 79.3]", "0"] in rows
    assert ["esm+", "1", "1", "100.0 [20.7, 100.0]", "0"] in rows
    assert ["6", "100.0"] in rows
    assert ["7", "0.0"] in rows
    assert cli.run(["report", str(out), *schema, "--disable-rules", "7"]) == 0
    assert ["esm+", "0", "1", "0.0 [0.0, 79.3]", "0"] in cells(capsys.readouterr().out)
    assert cli.run(["report", str(out), *schema, "--disable-rules", "x"]) == 2


def cells(shown: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in shown.splitlines()]


@pytest.mark.parametrize(
    ("pred", "gold", "is_match"),
    [
        ("SELECT COUNT(DISTINCT dog_id) FROM dogs", "SELECT COUNT(*) FROM dogs", True),
        (
            "SELECT age, COUNT(DISTINCT dog_id) FROM dogs GROUP BY age",
            "SELECT age, COUNT(dog_id) FROM dogs GROUP BY age",
            True,
        ),
        ("SELECT COUNT(DISTINCT name) FROM dogs", "SELECT COUNT(name) FROM dogs", False),
        # The join repeats the key.
        (
            "SELECT COUNT(DISTINCT b.breed_code) FROM breeds b JOIN dogs d ON b.breed_code = d.breed_code",
            "SELECT COUNT(*) FROM breeds AS b JOIN dogs AS d ON b.breed_code = d.breed_code",
            False,
        ),
        (
            "SELECT name, age FROM dogs WHERE age > 1 INTERSECT SELECT name, age FROM dogs WHERE age < 3",
            "SELECT age, name FROM dogs WHERE age < 3 INTERSECT SELECT age, name FROM dogs WHERE age > 1",
            True,
        ),
        (
            "SELECT name, age FROM dogs INTERSECT SELECT name, age FROM dogs WHERE age < 3",
            "SELECT age, name FROM dogs INTERSECT SELECT name, age FROM dogs WHERE age < 3",
            False,
        ),
    ],
)
def test_distinct_keys_in_counts_and_permuted_set_operations(pred: str, gold: str, is_match: bool) -> None:
    assert esm_plus(pred, gold) is is_match


@pytest.mark.parametrize(
    ("sql", "whole"),
    [
        ("a > = 1 and b <  = 2 and c ! = 3", "a >= 1 and b <= 2 and c != 3"),
        ("a >= 1", "a >= 1"),
        ("a = '> =' and \"> =\" = `! =` and [< =] = 1", "a = '> =' and \"> =\" = `! =` and [< =] = 1"),
        ("a -- > =\n> = 1 /* ! = */", "a -- > =\n>= 1 /* ! = */"),
        ("a = 'it''s > =' and b > = 'x", "a = 'it''s > =' and b >= 'x"),
    ],
)
def test_split_operators_are_joined_outside_of_quotes(sql: str, whole: str) -> None:
    assert joined_operators(sql) == whole


@pytest.mark.long
def test_cosql_files_with_split_operators_are_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "gold.txt").write_text("SELECT name FROM dogs WHERE age > = 3\tkennel\n")
    (tmp_path / "star.txt").write_text("SELECT name FROM dogs WHERE age >= 3\n")
    (tmp_path / "kennel.sql").write_text(DDL)
    out, schema = tmp_path / "out.jsonl", ("--schema", str(tmp_path / "kennel.sql"))
    files = str(tmp_path / "star.txt"), "--gold", str(tmp_path / "gold.txt")
    assert cli.run(["eval", *files, *schema, "--out", str(out)]) == 0
    assert json.loads(out.read_text())["verdict"] == "equivalent"
    capsys.readouterr()
    assert cli.run(["report", str(out), *schema]) == 0
    shown = capsys.readouterr().out
    for metric in ("em", "esm", "esm+"):
        row = next(line for line in shown.splitlines() if line.startswith(f"| {metric} "))
        assert " 100.0" in row


def test_records_whose_texts_have_split_operators_are_measured() -> None:
    """The metrics join them in records of other formats, too, as the public scripts do."""
    asked = MetricPair(
        "kennel", "SELECT name FROM dogs WHERE age > = 3", "SELECT name FROM dogs WHERE age >= 3"
    )
    asked.__dict__["engine"] = make_engine(load_ddl(DDL, "kennel"), None, Options())
    assert exact_set_match(*asked.queries, asked.engine.schema, EVERYTHING_COUNTS) is True
