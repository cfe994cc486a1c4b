"""Each format, read from tiny invented files."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path

import pytest

from equiv.errors import InputError
from equiv.eval.arguments import Format, ReadingOptions
from equiv.eval.reading.formats import FormatOptions, detect, read_items, source_names
from equiv.eval.reading.loading import BIRD_SEPARATOR, mapping_of
from equiv.records.record import Item
from equiv.show.arguments import OPTION

ROSE = {"question_id": 3, "db_id": "zoo", "predicted_sql": "SELECT 1", "gold_sql": "SELECT 2"}


def write(folder: Path, name: str, content: object) -> Path:
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def test_help_and_page_name_every_format() -> None:
    option = next(each for each in fields(ReadingOptions) if each.name == "kind").metadata[OPTION]
    assert sorted(str(option.metavar).split("|")) == sorted(Format)
    page = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
    assert [each for each in Format if each != Format.AUTO and f"`{each}`" not in page] == []


def test_formats_are_detected_by_content() -> None:
    assert detect(json.dumps([ROSE])) is Format.ROSE
    assert detect(json.dumps(ROSE) + "\n" + json.dumps(ROSE)) is Format.JSONL
    assert detect(json.dumps(ROSE)) is Format.JSONL
    assert detect(json.dumps({"0": "SELECT 1"})) is Format.BIRD
    assert detect('{\n  "0": "SELECT 1"\n}') is Format.BIRD
    assert detect("SELECT 1\nSELECT 2\n") is Format.SPIDER


def test_rose_keeps_the_json_types_of_ids_and_reads_labels(tmp_path: Path) -> None:
    records = [ROSE | {"evidence": "a hint", "label": "true"}, ROSE | {"question_id": "3", "label": False}]
    first, second = read_items([write(tmp_path, "sys.json", records)])
    assert (first.source, first.question_id, first.hint, first.label) == ("sys", 3, "a hint", True)
    assert (second.question_id, second.label) == ("3", False)
    assert first.target == second.target


@pytest.mark.parametrize("nothing", [0, None, ""])
def test_no_answer_is_an_empty_prediction(tmp_path: Path, nothing: object) -> None:
    rose = write(tmp_path, "rose.json", [ROSE | {"predicted_sql": nothing}])
    assert [item.predicted_sql for item in read_items([rose])] == [""]
    bird = write(tmp_path, "bird.json", {"0": nothing})
    gold = write(tmp_path, "gold.sql", "SELECT 1\tzoo\n")
    assert [item.predicted_sql for item in read_items([bird], gold)] == [""]


def test_jsonl_takes_method_as_source_and_any_case_of_field_names(tmp_path: Path) -> None:
    upper = {name.upper(): value for name, value in ROSE.items()}
    path = write(tmp_path, "all.jsonl", f"{json.dumps(upper | {'method': 'm1'})}\n\n{json.dumps(ROSE)}\n")
    assert [(item.source, item.db_id) for item in read_items([path])] == [("m1", "zoo"), ("all", "zoo")]


def test_jsonl_without_ids_counts_from_zero(tmp_path: Path) -> None:
    record = {name: value for name, value in ROSE.items() if name != "question_id"}
    path = write(tmp_path, "all.jsonl", "\n".join([json.dumps(record)] * 2))
    assert [item.question_id for item in read_items([path])] == [0, 1]


def test_bird_is_paired_by_key_not_by_order(tmp_path: Path) -> None:
    predictions = {"1": f"SELECT b\nFROM t{BIRD_SEPARATOR}zoo", "0": "SELECT a"}
    path = write(tmp_path, "predict_dev.json", predictions)
    gold = write(tmp_path, "gold.sql", "SELECT 'x\ty'\tzoo\nSELECT 2\tzoo\n")
    items = {item.question_id: item for item in read_items([path], gold)}
    assert (items[1].predicted_sql, items[1].gold_sql) == ("SELECT b\nFROM t", "SELECT 2")
    assert (items[0].predicted_sql, items[0].gold_sql) == ("SELECT a", "SELECT 'x\ty'")


def test_bird_dev_json_is_joined_by_question_id_else_by_position(tmp_path: Path) -> None:
    entries = [
        {"question_id": 7, "db_id": "zoo", "SQL": "SELECT 7", "evidence": "h", "difficulty": "simple"},
        {"question_id": 9, "db_id": "zoo", "SQL": "SELECT 9"},
    ]
    gold = write(tmp_path, "dev.json", entries)
    by_id = list(read_items([write(tmp_path, "a.json", {"9": "SELECT 0", "7": "SELECT 1"})], gold))
    assert [(item.question_id, item.predicted_sql) for item in by_id] == [(7, "SELECT 1"), (9, "SELECT 0")]
    by_position = list(read_items([write(tmp_path, "b.json", {"0": "SELECT 0", "1": "SELECT 1"})], gold))
    assert [(item.question_id, item.gold_sql) for item in by_position] == [(7, "SELECT 7"), (9, "SELECT 9")]
    assert (by_position[0].hint, by_position[0].difficulty) == ("h", "simple")


def test_spider_is_paired_line_by_line(tmp_path: Path) -> None:
    gold = write(tmp_path, "gold.txt", "SELECT 1\tzoo\nSELECT 2\tfarm\nSELECT 3\tzoo\n")
    path = write(tmp_path, "sys.txt", "SELECT a\tb\nSELECT c\tfarm\n\n")
    items = list(read_items([path], gold))
    assert [item.predicted_sql for item in items] == ["SELECT a\tb", "SELECT c", ""]
    assert [(item.question_id, item.db_id) for item in items] == [(0, "zoo"), (1, "farm"), (2, "zoo")]


def test_blank_gold_lines_end_interactions(tmp_path: Path) -> None:
    gold = write(tmp_path, "gold.txt", "SELECT 1\tzoo\nSELECT 2\tzoo\n\nSELECT 3\tzoo\n\n")
    aligned = write(tmp_path, "aligned.txt", "SELECT a\n\n\nSELECT c\n\n")
    assert [item.predicted_sql for item in read_items([aligned], gold)] == ["SELECT a", "", "SELECT c"]
    without = write(tmp_path, "without.txt", "SELECT a\nSELECT b\nSELECT c\n")
    assert [item.predicted_sql for item in read_items([without], gold)] == [
        "SELECT a",
        "SELECT b",
        "SELECT c",
    ]


def test_other_line_separators_stay_in_the_query(tmp_path: Path) -> None:
    gold = write(tmp_path, "gold.txt", "SELECT 1\tzoo\r\n")
    path = write(tmp_path, "sys.txt", "SELECT '\u2028\x0c'\r\n")
    assert [item.predicted_sql for item in read_items([path], gold)] == ["SELECT '\u2028\x0c'"]


def test_files_of_one_stem_are_told_apart_by_their_folder(tmp_path: Path) -> None:
    assert source_names([tmp_path / "a/p.json", tmp_path / "b/p.json", tmp_path / "q.json"]) == [
        "a/p",
        "b/p",
        "q",
    ]
    with pytest.raises(InputError, match="2 files are called"):
        source_names([tmp_path / "p.json", tmp_path / "p.json"])


GOLD = "SELECT 1\tzoo\nSELECT 2\tfarm\n"


@pytest.mark.parametrize(
    ("content", "gold", "message"),
    [
        ("[1]", None, "entry 0: not a JSON object"),
        ("[", None, "not JSON"),
        (json.dumps([{"db_id": "zoo"}]), None, "no entry has a field 'predicted_sql'"),
        (
            json.dumps([{"db_id": "zoo", "predicted_sql": "SELECT 1"}]),
            None,
            "a field 'gold_sql'.*give the gold queries with --gold FILE, or",
        ),
        ('{"question_id": 1}\n{', None, "no entry has a field 'predicted_sql'"),
        (
            '{"question_id": 1, "generated": "SELECT 1"}\n{}',
            None,
            "are 'question_id', 'generated'.*--map",
        ),
        (
            '{"0": {"sql_of": "SELECT 1"}}',
            GOLD,
            "'predicted_sql.sql_of'; .*--map FIELD=pred",
        ),
        ('[{"question_id": 0, "generated": "SELECT 1"}]', GOLD, "no entry has a field 'predicted_sql'"),
        ("[" * 100_000, None, "not JSON"),
        ("", None, "--gold"),
        ('{"0": "SELECT 1"}', None, "--gold"),
        ("{}", GOLD, "the file has no pairs"),
        ("[]", GOLD, "the file has no pairs"),
        (json.dumps([{"predicted_sql": "SELECT 1"}]), GOLD, "1 predictions without ids"),
        ('{"0": "SELECT 1"}', '[{"db_id": "zoo"}]', "no entry has a gold query"),
        ('{"q5": "SELECT 1"}', GOLD, "no gold query for key 'q5' .*the ids there are such as '0', here 'q5'"),
        ('["SELECT 1"]', GOLD, "1 entries, but .* has 2 gold queries: .*; write null for each"),
        (json.dumps({"0": f"SELECT 1{BIRD_SEPARATOR}farm"}), GOLD, "key '0': a prediction on 'farm'"),
        ('{"0": "SELECT 1"}', "SELECT 1\n", "gold:1: not a gold query, a tab and a db_id"),
        ("SELECT 1\n", GOLD, "1 lines, but .* has 2 gold queries: .*; leave a blank line for each"),
        ("SELECT 1\tfarm\nSELECT 2\n", GOLD, ": line 1: a prediction on 'farm'"),
        ("a\nb\nc\n", "SELECT 1\tzoo\n\nSELECT 2\tzoo\n", ":2: a prediction where"),
    ],
)
def test_bad_input_is_one_line_that_says_where(
    tmp_path: Path, content: str, gold: str | None, message: str
) -> None:
    path = write(tmp_path, "pred", content)
    with pytest.raises(InputError, match=message) as caught:
        list(read_items([path], None if gold is None else write(tmp_path, "gold", gold)))
    assert "\n" not in str(caught.value)


def kinds(items: list[Item]) -> list[tuple[object, list[str]]]:
    """The ids and faults of some items."""
    return [(item.question_id, [str(fault.kind) for fault in item.faults]) for item in items]


def test_other_names_of_the_query_are_known_where_one_alone_stands(tmp_path: Path) -> None:
    gold = write(tmp_path, "dev.json", [{"question_id": 0, "db_id": "zoo", "SQL": "SELECT 1"}])
    for name in ("generated_sql", "Prediction", "pred_sql", "model_output"):
        path = write(tmp_path, "sys.csv", f"question_id,{name}\n0,SELECT 7\n")
        assert [item.predicted_sql for item in read_items([path], gold)] == ["SELECT 7"]
    lines = write(tmp_path, "one.txt", '{"prediction": "SELECT 7", "reference_sql": "SELECT 1"}')
    assert [(item.predicted_sql, item.gold_sql) for item in read_items([lines])] == [("SELECT 7", "SELECT 1")]
    both = ROSE | {"prediction": "SELECT 8"}
    assert [item.predicted_sql for item in read_items([write(tmp_path, "both.json", [both])])] == ["SELECT 1"]
    doubtful = write(tmp_path, "two.csv", "question_id,generated_sql,prediction\n0,SELECT 7,SELECT 8\n")
    with pytest.raises(
        InputError, match=r"no entry has a field 'predicted_sql'.*'generated_sql', 'prediction'"
    ):
        list(read_items([doubtful], gold))
    verdicts = write(tmp_path, "verdicts.json", [{"question_id": 0, "prediction": True}])
    with pytest.raises(InputError, match="no entry has a field 'predicted_sql'"):
        list(read_items([verdicts], gold))


def test_a_table_with_other_delimiters_is_told_which(tmp_path: Path) -> None:
    for text, found in (
        ("question_id;predicted_sql\n0;SELECT 1\n", ";"),
        ("a\tpredicted_sql\n0\tx\n", r"\\t"),
    ):
        with pytest.raises(InputError, match=f"the header has no ',', but '{found}'"):
            list(read_items([write(tmp_path, "sys.csv", text)]))
    assert [item.predicted_sql for item in read_items([write(tmp_path, "one.csv", "pred,gold\n'a;b',x\n")])]


def test_all_files_without_a_known_name_are_told_at_once(tmp_path: Path) -> None:
    gold = write(tmp_path, "dev.json", [{"question_id": 0, "db_id": "zoo", "SQL": "SELECT 1"}])
    unknown = [write(tmp_path, f"{name}.csv", "question_id,said\n0,SELECT 1\n") for name in "ab"]
    other = write(tmp_path, "c.csv", "question_id,told\n0,SELECT 1\n")
    known = write(tmp_path, "d.csv", "question_id,pred\n0,SELECT 1\n")
    with pytest.raises(InputError, match=r"a.csv, .*b.csv: .*'said'.*; .*c.csv: .*'told'") as caught:
        list(read_items([unknown[0], known, unknown[1], other], gold))
    assert "d.csv" not in str(caught.value)


def test_a_question_without_prediction_and_a_prediction_without_question_are_items(tmp_path: Path) -> None:
    gold = write(
        tmp_path, "dev.json", [{"question_id": n, "db_id": "zoo", "SQL": f"SELECT {n}"} for n in (4, 7)]
    )
    items = list(read_items([write(tmp_path, "a.json", {"7": "SELECT 7", "9": "SELECT 9"})], gold))
    assert kinds(items) == [(4, ["no_prediction"]), (7, []), ("9", ["no_gold"])]
    assert [(item.predicted_sql, item.gold_sql) for item in items[::2]] == [
        ("", "SELECT 4"),
        ("SELECT 9", ""),
    ]


def test_records_are_joined_to_a_gold_file_by_id_for_each_system(tmp_path: Path) -> None:
    gold = write(
        tmp_path, "dev.json", [{"question_id": n, "db_id": "zoo", "SQL": f"SELECT {n}"} for n in (1, 2)]
    )
    records = [
        {"method": "a", "question_id": 2, "predicted_sql": "SELECT 'a2'"},
        {"method": "b", "question_id": "1", "predicted_sql": "SELECT 'b1'", "label": True},
        {"method": "a", "question_id": 1, "predicted_sql": "SELECT 'a1'"},
    ]
    items = list(read_items([write(tmp_path, "p.json", records)], gold))
    found = [(item.source, item.question_id, item.predicted_sql) for item in items]
    assert found == [("a", 1, "SELECT 'a1'"), ("a", 2, "SELECT 'a2'"), ("b", 1, "SELECT 'b1'"), ("b", 2, "")]
    assert items[2].label is True


def test_what_one_entry_lacks_is_its_own_fault(tmp_path: Path) -> None:
    faulty: list[dict[str, object]] = [
        {"gold_sql": None},
        {"gold_sql": 5},
        {"predicted_sql": 7},
        {"predicted_sql": None},
        {"question_id": None},
        {"db_id": None},
        {"label": float("nan"), "confidence": 1e999},
    ]
    records: list[object] = [ROSE | {"question_id": n} | fault for n, fault in enumerate(faulty)]
    items = list(read_items([write(tmp_path, "p.json", [*records, "no record"])]))
    assert kinds(items) == [
        (0, ["gold_not_text"]),
        (1, ["gold_not_text"]),
        (2, ["prediction_not_text"]),
        (3, ["prediction_not_text"]),
        ("entry 4", ["no_id"]),
        (5, []),
        (6, []),
        ("entry 7", ["unreadable"]),
    ]
    assert items[1].faults[0].text == "the gold query is a number, 5"
    assert (items[5].db_id, items[6].label, items[6].confidence) == ("", None, None)


def test_a_line_that_is_cut_off_and_a_key_that_stands_twice_are_items(tmp_path: Path) -> None:
    twice = '{"db_id": "zoo", "gold_sql": "SELECT 1", "gold_sql": "SELECT 2", "predicted_sql": "SELECT 1"}'
    path = write(tmp_path, "p.jsonl", f"{json.dumps(ROSE)}\r\n \r\n{twice}\r\n{json.dumps(ROSE)[:30]}")
    assert kinds(list(read_items([path]))) == [
        (3, []),
        ("line 3", ["unreadable"]),
        ("line 4", ["unreadable"]),
    ]


def test_different_predictions_for_one_id_are_all_counted_and_told(tmp_path: Path) -> None:
    gold = write(tmp_path, "gold.sql", "SELECT 1\tzoo\nSELECT 2\tzoo\n")
    path = write(tmp_path, "p.json", '{"0": "SELECT 1", "0": "SELECT 2", "1": "SELECT 2"}')
    items = list(read_items([path], gold))
    assert kinds(items) == [(0, ["repeated_id"]), (0, ["repeated_id"]), (1, [])]
    assert [item.predicted_sql for item in items] == ["SELECT 1", "SELECT 2", "SELECT 2"]


def test_positions_and_ids_are_told_apart_by_what_fits(tmp_path: Path) -> None:
    entries = [{"question_id": n, "db_id": "zoo", "SQL": f"SELECT {n}"} for n in (1, 5, 9)]
    gold = write(tmp_path, "dev.json", entries)
    by_position = list(read_items([write(tmp_path, "a.json", {"0": "a", "1": "b", "2": "c"})], gold))
    assert [(item.question_id, item.predicted_sql) for item in by_position] == [(1, "a"), (5, "b"), (9, "c")]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_encodings_and_line_ends_are_no_matter(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "p.jsonl"
    path.write_bytes(f"{json.dumps(ROSE)}\r\n{json.dumps(ROSE)}\r\n".encode(encoding))
    assert [item.predicted_sql for item in read_items([path])] == ["SELECT 1", "SELECT 1"]


def test_several_golds_stand_in_a_list_or_in_several_entries(tmp_path: Path) -> None:
    listed = write(tmp_path, "p.json", [ROSE | {"gold_sql": ["SELECT 2", "SELECT 3", "SELECT 2", None]}])
    (item,) = read_items([listed])
    assert (item.golds, kinds([item])) == (("SELECT 2", "SELECT 3"), [(3, ["gold_not_text"])])
    entries = [{"question_id": 8, "db_id": "zoo", "SQL": sql} for sql in ("SELECT 1", "SELECT 2")]
    gold = write(tmp_path, "dev.json", entries)
    (item,) = read_items([write(tmp_path, "q.json", {"8": "SELECT 2"})], gold)
    assert item.golds == ("SELECT 1", "SELECT 2")


def test_one_id_with_two_questions_is_held_against_both(tmp_path: Path) -> None:
    entries = [{"question_id": 8, "db_id": "zoo", "SQL": f"SELECT {q}", "question": q} for q in "12"]
    gold = write(tmp_path, "dev.json", entries)
    items = list(read_items([write(tmp_path, "q.json", {"8": "SELECT 2"})], gold))
    assert kinds(items) == [(8, ["ambiguous_id"]), (8, ["ambiguous_id"])]
    assert [item.gold_sql for item in items] == ["SELECT 1", "SELECT 2"]


def test_a_dict_of_golds_with_null_says_what_cannot_be_answered(tmp_path: Path) -> None:
    gold = write(tmp_path, "label.json", {"a": "SELECT 1", "b": "null", "c": "null", "d": "SELECT 2"})
    path = write(tmp_path, "prediction.json", {"a": "null", "b": "null", "d": "SELECT 2"})
    found = [(item.feasible, item.abstained, kinds([item])[0]) for item in read_items([path], gold)]
    assert found == [
        (True, True, ("a", [])),
        (False, True, ("b", [])),
        (False, False, ("c", ["no_prediction"])),
        (True, False, ("d", [])),
    ]


def test_tables_are_read_and_columns_mapped(tmp_path: Path) -> None:
    text = 'Id,db,generated,answer\n1,zoo,"SELECT ""a"",\n 1",SELECT 1\n\n'
    text += "2,zoo,,SELECT 2\n3,zoo,SELECT a, b,SELECT 3\n"
    mapping = mapping_of("id=id, db=db_id, generated=pred, ANSWER=gold")
    items = list(read_items([write(tmp_path, "p.csv", text)], reading=FormatOptions(mapping)))
    assert kinds(items) == [("1", []), ("2", ["prediction_not_text"]), ("line 6", ["unreadable"])]
    assert items[0].predicted_sql == 'SELECT "a",\n 1'
    nested = {"id": 1, "db": "zoo", "out": {"sql": "SELECT 5"}, "answer": ["SELECT 1", "SELECT 5"]}
    mapping = mapping_of("id=id,db=db,out.sql=pred,answer=gold")
    (item,) = read_items([write(tmp_path, "p.jsonl", json.dumps(nested))], reading=FormatOptions(mapping))
    assert (item.predicted_sql, item.golds) == ("SELECT 5", ("SELECT 1", "SELECT 5"))


def test_a_column_of_the_mapping_that_no_record_has_is_told(tmp_path: Path) -> None:
    record = {"question_id": 1, "db_id": "zoo", "prediction": "SELECT 1", "fixed": "SELECT 2"}
    path = write(tmp_path, "p.jsonl", json.dumps(record))
    gold = write(tmp_path, "g.jsonl", json.dumps({"question_id": 1, "db_id": "zoo", "answer": "SELECT 2"}))
    both = FormatOptions(mapping_of("fixed=pred,answer=gold"))
    (item,) = read_items([path], gold, reading=both)
    assert (item.predicted_sql, item.golds) == ("SELECT 2", ("SELECT 2",))
    with pytest.raises(InputError, match="--map: no record has a field 'fixd'"):
        list(read_items([path], gold, reading=FormatOptions(mapping_of("fixd=pred,answer=gold"))))


def test_parquet_is_read(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = [ROSE | {"gold_sql": ["SELECT 2", "SELECT 3"], "label": True}, ROSE | {"gold_sql": None}]
    parquet.write_table(arrow.Table.from_pylist(rows), tmp_path / "p.parquet")
    first, second = read_items([tmp_path / "p.parquet"])
    assert (first.golds, first.label, first.question_id) == (("SELECT 2", "SELECT 3"), True, 3)
    assert kinds([second]) == [(3, ["gold_not_text"])]
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 not")
    with pytest.raises(InputError, match="bad"):
        list(read_items([tmp_path / "bad.parquet"]))


@pytest.mark.parametrize("text", ["a", "=pred", "a=nothing", "pred=a"])
def test_a_bad_mapping_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="--map"):
        mapping_of(text)


@pytest.mark.parametrize(
    ("reply", "query"),
    [
        ("SELECT 1", "SELECT 1"),
        ("```sql\nSELECT 1\n```", "SELECT 1"),
        ("First\n```sql\nSELECT 1\n```\nbetter:\n```SQL\nSELECT 2\n```\n```text\nx\n```", "SELECT 2"),
        ("```\nSELECT 1\n", "SELECT 1"),
        ("<think>```sql\nSELECT 0\n```</think><sql>SELECT 1</sql>", "SELECT 1"),
        ("<answer>\n```sql\nSELECT 1\n```\n</answer>", "SELECT 1"),
        ("so ```sql SELECT 1``` it is", "SELECT 1"),
        ("SELECT '<sql>'", "SELECT '<sql>'"),
        ("<think>hm</think>\nSELECT 1", "SELECT 1"),
        ("SELECT 1\n```\nwhich counts", "SELECT 1"),
        ("SELECT 1</sql>", "SELECT 1"),
        (
            "With that in mind:\n```sql\nWITH a AS (SELECT 1) SELECT * FROM a\n```",
            "WITH a AS (SELECT 1) SELECT * FROM a",
        ),
    ],
)
def test_a_query_is_taken_out_of_its_reply_only_if_asked(tmp_path: Path, reply: str, query: str) -> None:
    path = write(tmp_path, "p.json", [ROSE | {"predicted_sql": reply}])
    assert [item.predicted_sql for item in read_items([path], reading=FormatOptions(extract=True))] == [query]
    assert [item.predicted_sql for item in read_items([path])] == [reply]


def test_fenced_queries_of_a_text_file_are_counted_by_fences(tmp_path: Path) -> None:
    gold = write(tmp_path, "gold.txt", "SELECT 1\tzoo\nSELECT 2\tzoo\n")
    path = write(tmp_path, "p.txt", "```sql\nSELECT\n 1\n```\nand\n```sql\nSELECT 2\n```\n")
    items = list(read_items([path], gold, reading=FormatOptions(extract=True)))
    assert [item.predicted_sql for item in items] == ["SELECT\n 1", "SELECT 2"]


def test_a_gold_file_with_predictions_of_its_own_gives_its_questions_alone(tmp_path: Path) -> None:
    own = {"method": "old", "label": True, "question": "How many?"}
    golds = [ROSE | own, ROSE | own | {"predicted_sql": "SELECT 9"}, ROSE | own | {"question_id": 4}]
    gold = write(tmp_path, "pairs.json", golds)
    path = write(tmp_path, "new.jsonl", json.dumps({"question_id": 3.0, "predicted_sql": "SELECT 5"}))
    first, second = read_items([path], gold)
    assert (first.source, first.predicted_sql, first.label, first.golds) == (
        "new",
        "SELECT 5",
        None,
        ("SELECT 2",),
    )
    assert kinds([first, second]) == [(3, []), (4, ["no_prediction"])]
    assert (second.source, second.question) == ("new", "How many?")


def test_an_entry_of_a_log_that_is_no_node_and_a_module_without_a_query_are_items(tmp_path: Path) -> None:
    node = {"question_id": 1, "db_id": "zoo", "node_type": "candidate_generation", "GOLD_SQL": "SELECT 1"}
    log = [node | {"SQL": "SELECT 2"}, node | {"question_id": 2}, node | {"node_type": "other"}, 5]
    items = list(read_items([write(tmp_path, "log.json", log)]))
    assert kinds(items) == [
        (1, []),
        (2, ["no_prediction"]),
        ("entry 2", ["unreadable"]),
        ("entry 3", ["unreadable"]),
    ]
    with pytest.raises(InputError, match="entry 0"):
        list(read_items([write(tmp_path, "bad.json", log[2:3])]))


def test_a_limit_is_for_each_file(tmp_path: Path) -> None:
    files = [
        write(tmp_path, name, [ROSE | {"question_id": n} for n in range(3)]) for name in ("a.json", "b.json")
    ]
    assert [item.source for item in read_items(files, most=2)] == ["a", "a", "b", "b"]


@pytest.mark.parametrize(("by", "beside"), [(1, "next"), (-1, "previous")])
def test_ids_that_are_off_by_one_are_told_by_the_databases(tmp_path: Path, by: int, beside: str) -> None:
    names = ["zoo"] * 5 + ["farm"] * 5 + ["lake"] * 5
    gold = write(tmp_path, "gold.sql", "".join(f"SELECT 1\t{name}\n" for name in names))

    def read(shift: int, names: list[str]) -> list[Item]:
        places = [place for place in range(15) if 0 <= place + shift < 15]
        told = {str(each): f"SELECT 1{BIRD_SEPARATOR}{names[each + shift]}" for each in places}
        return list(read_items([write(tmp_path, "pred.json", json.dumps(told))], gold))

    assert len(read(0, names)) == 15
    with pytest.raises(InputError, match=f"each fits the {beside} question: the ids seem to be off by one"):
        read(by, names)
    others = [*names[:4], "lake", *names[5:9], "zoo", *names[10:]]
    assert len(read(0, others)) == 15
