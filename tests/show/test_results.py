"""Both results side by side: headed by their columns' names, what differs marked."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from equiv.cells import Row
from equiv.relation import Columns, Relation, Rows
from equiv.show.evidence import SCRIPT_SHOWN, database_and_results
from equiv.show.page import Beside, Code, Grid, Text
from equiv.show.terminal import console_for, render
from equiv.verdict import Execution, Witness

BAG, SET, LIST = Relation(Rows.BAG), Relation(Rows.SET), Relation(Rows.LIST)
ANY = Relation(Rows.BAG, Columns.ANY)


def beside(evidence: Witness | Execution, relation: Relation = BAG) -> Beside:
    (found,) = (block for block in database_and_results(evidence, relation) if isinstance(block, Beside))
    return found


def marked(pred: tuple[Row, ...], gold: tuple[Row, ...], relation: Relation) -> list[set[tuple[int, int]]]:
    found = beside(Witness("", pred, gold), relation)
    return [set(found.left.marks), set(found.right.marks)]


@pytest.mark.parametrize(
    ("pred", "gold", "relation", "marks"),
    [
        (((1, "a"), (2, "b")), ((2, "b"), (1, "c")), BAG, [{(0, 1)}, {(1, 1)}]),
        (((1,), (1,)), ((1,),), BAG, [{(1, 0)}, set()]),
        (((1,), (1,)), ((1,), (2,)), SET, [set(), {(1, 0)}]),
        (((1,), (2,)), ((2,), (1,)), LIST, [{(0, 0), (1, 0)}, {(0, 0), (1, 0)}]),
        (((1,), (2,)), ((2,), (1,)), BAG, [set(), set()]),
        (((1, "a"),), (("a", 2),), ANY, [{(0, 0)}, {(0, 1)}]),
        (((1, "a"),), (("a", 2),), BAG, [{(0, 0), (0, 1)}, {(0, 0), (0, 1)}]),
        (((1, 2),), ((1,),), BAG, [{(0, 0), (0, 1)}, {(0, 0)}]),
        (((0.1 + 0.2, 1),), ((0.3, 2),), BAG, [{(0, 1)}, {(0, 1)}]),
        (((1,),), ((1.0,),), BAG, [set(), set()]),
        (((1,),), (("1",),), BAG, [{(0, 0)}, {(0, 0)}]),
        ((), ((None,),), BAG, [set(), {(0, 0)}]),
    ],
)
def test_the_cells_that_differ_under_the_relation_are_marked(
    pred: tuple[Row, ...], gold: tuple[Row, ...], relation: Relation, marks: list[set[tuple[int, int]]]
) -> None:
    assert marked(pred, gold, relation) == marks


def test_nothing_is_marked_where_only_the_first_rows_are_known() -> None:
    rows = tuple((n,) for n in range(20))
    found = beside(Execution("zoo", rows, ((99,),)))
    assert found.left.title == "the prediction returns at least 20 rows"
    assert not found.left.marks | found.right.marks


def test_columns_are_headed_by_their_names_or_else_their_positions() -> None:
    named = Witness("", ((1, 2),), (), pred_columns=("a", ""), gold_columns=("x" * 60, "y"))
    found = beside(named)
    assert (found.left.columns, found.right.columns) == (("a", "column 2"), (f"{'x' * 40}…", "y"))
    assert found.right.title == "the gold query returns no row"
    assert beside(Witness("", ((1, 2),), ())).left.columns == ("column 1", "column 2")
    assert beside(Witness("", ((1, 2),), (), pred_columns=("of another query",))).left.columns == (
        "column 1",
        "column 2",
    )


BOTH = Beside(
    Grid("the prediction returns 1 row", ("name", "age"), (("'a'", "1"),), frozenset({(0, 1)})),
    Grid("the gold query returns no row", ("name", "age"), ()),
)


def on_a_terminal(both: Beside, width: int) -> list[str]:
    stream = io.StringIO()
    console = Console(file=stream, force_terminal=True, width=width, color_system="standard")
    render([both], console)
    return stream.getvalue().splitlines()


def test_side_by_side_on_a_terminal_with_the_room() -> None:
    wide = on_a_terminal(BOTH, 80)
    assert "prediction" in wide[0]
    assert "gold" in wide[0]
    assert "\x1b[1;31m1" in wide[3]


def test_one_below_the_other_on_a_narrow_terminal() -> None:
    narrow = on_a_terminal(BOTH, 60)
    assert not any("prediction" in line and "gold" in line for line in narrow)
    assert "gold query returns no row" in narrow[-1]


def test_without_colours_what_differs_is_starred() -> None:
    stream = io.StringIO()
    render([BOTH], console_for(stream))
    assert stream.getvalue() == (
        "the prediction returns 1 row\n"
        "+------+-----+\n"
        "| name | age |\n"
        "+------+-----+\n"
        "| 'a'  | 1 * |\n"
        "+------+-----+\n"
        "the gold query returns no row\n"
        "* differs\n"
    )


def test_in_short_rows_for_foreign_keys_are_counted_and_a_long_script_is_not_shown() -> None:
    tables: dict[str, tuple[tuple[str, ...], tuple[Row, ...]]] = {
        "pay": (("id",), ((1,),)),
        "emp": (("id",), ((1,), (2,))),
    }
    script = "\n".join(["CREATE TABLE emp (id INT);"] * 50)
    witness = Witness(script, ((1,),), (), tables, demanded=frozenset({"emp"}))
    whole = database_and_results(witness, BAG)
    short = database_and_results(witness, BAG, short=True)
    assert [each.title for each in whole if isinstance(each, Grid)] == ["pay", "emp"]
    assert [each.title for each in short if isinstance(each, Grid)] == ["pay"]
    assert any(isinstance(each, Code) for each in whole)
    assert not any(isinstance(each, Code) for each in short)
    told = [each.text for each in short if isinstance(each, Text)]
    assert "Rows to which foreign keys refer, not shown: emp (2)" in told
    assert "The database as SQL has 49 lines; see --emit-sql." in told


def test_a_script_of_many_rows_shows_the_first_and_says_how_many_more_there_are() -> None:
    table = "CREATE TABLE emp (id INT)"
    rows = [f"INSERT INTO emp VALUES ({n})" for n in range(600)]
    script = ";\n".join([table, *rows, "UPDATE emp SET id = 1 WHERE id = 2"]) + ";\n"
    blocks = database_and_results(Witness(script, ((1,),), ()), BAG)
    (shown,) = (each.text for each in blocks if isinstance(each, Code))
    kept = [*rows[:SCRIPT_SHOWN], "UPDATE emp SET id = 1 WHERE id = 2"]
    assert (
        shown == "".join(f"{each};\n" for each in [table, *kept]) + f"-- … {600 - SCRIPT_SHOWN} further rows"
    )
    assert any("in part" in each.text for each in blocks if isinstance(each, Text))
    few = database_and_results(Witness(f"{table};\n{rows[0]};\n", ((1,),), ()), BAG)
    assert [each.text for each in few if isinstance(each, Code)] == [f"{table};\n{rows[0]};"]
