"""``check --certificate`` and ``recheck``."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from equiv.records.recheck import solvers_named

Run = Callable[..., Any]
ADULTS = "SELECT name FROM person WHERE age >= 18"
SAME = "select p.name from person p where not p.age < 18"


def test_a_certificate_is_written_and_holds(equiv: Run, schema: Path, tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    done = equiv("check", SAME, ADULTS, "--schema", schema, "--certificate", path)
    assert done.code == 0
    assert done.out.splitlines()[-1] == f"Recheck: equiv recheck {path}"
    assert json.loads(path.read_text())["pred_sql"] == SAME
    checked = equiv("recheck", path)
    assert (checked.code, checked.err) == (0, "")
    assert checked.out.splitlines() == [
        "holds  rules: the algebra alone proves the whole and each of 3 steps, without solver claims",
        "holds  facts: none are needed",
    ]


def test_solvers_are_asked_where_a_step_needs_a_claim(equiv: Run, schema: Path, tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    minor = "select p.name from person p where not p.age <= 17"
    equiv("check", minor, ADULTS, "--schema", schema, "--certificate", path)
    checked = equiv("recheck", path)
    assert (checked.code, checked.err) == (0, "")
    assert checked.out.splitlines() == [
        "holds  rules: the algebra alone proves the whole and each of 4 steps, with 1 claim",
        *(f"holds  {solver}: the claim holds" for solver in solvers_named("all")),
        "trusted  facts: type(person.age) (intended)",
    ]


def test_a_forged_certificate_is_refuted(equiv: Run, schema: Path, tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    equiv("check", SAME, ADULTS, "--schema", schema, "--certificate", path)
    path.write_text(path.read_text().replace(">= 18", "> 18"))
    done = equiv("recheck", path)
    assert (done.code, done.out) == (1, "refuted  rules: does not prove the two queries equivalent\n")


def test_a_fact_that_the_ddl_does_not_declare_is_refuted(equiv: Run, schema: Path, tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    equiv("check", SAME, ADULTS, "--schema", schema, "--certificate", path)
    whole = json.loads(path.read_text())
    whole["facts"].append({"fact": "not_null(person.age)", "grade": "declared", "used": True})
    path.write_text(json.dumps(whole))
    done = equiv("recheck", path)
    made = "the DDL of the certificate does not make not_null(person.age) declared"
    assert (done.code, done.out.splitlines()[0]) == (1, f"refuted  facts: {made}")


def test_a_damaged_certificate_is_one_line(equiv: Run, schema: Path, tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    equiv("check", SAME, ADULTS, "--schema", schema, "--certificate", path)
    whole = json.loads(path.read_text())
    damages: list[dict[str, object]] = [
        {"steps": [1, 2]},
        {"versions": []},
        {"facts": [{"fact": "x"}]},
        {"pred_sql": "\ud800"},
    ]
    for broken in damages:
        path.write_text(json.dumps({**whole, **broken}))
        done = equiv("recheck", path)
        assert (done.code, done.out) == (2, "")
        assert done.err.startswith(f"equiv: {path}: the certificate is damaged: ")
        assert done.err.count("\n") == 1


def test_no_certificate_for_what_is_not_proved(equiv: Run, schema: Path, tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    done = equiv("check", f"{ADULTS} LIMIT 1", ADULTS, "--schema", schema, "--certificate", path)
    assert done.code == 1
    assert "c.json: not written, because the queries were not proved equivalent" in done.err
    assert not path.exists()


def test_trouble_is_one_line(equiv: Run, schema: Path, tmp_path: Path) -> None:
    for arguments in (
        ("recheck", tmp_path / "missing.json"),
        ("recheck", schema),
        ("recheck", schema, "--solver", "yices"),
        ("check", ADULTS, ADULTS, "--schema", schema, "--certificate", tmp_path / "no" / "c.json"),
    ):
        done = equiv(*arguments)
        assert done.code == 2
        assert done.err.startswith("equiv: ")
        assert done.err.count("\n") == 1


def test_what_would_make_the_queries_equal_is_said_unless_switched_off(equiv: Run, schema: Path) -> None:
    pair = ("check", "SELECT COUNT(age) FROM person", "SELECT COUNT(*) FROM person", "--schema", schema)
    assert "They would be equivalent if\n  not_null(person.age)\n" in equiv(*pair).out
    assert "equivalent if" not in equiv(*pair, "--no-conditions").out


def test_tiers_can_be_switched_off(equiv: Run, schema: Path) -> None:
    assert equiv("check", SAME, ADULTS, "--schema", schema, "--tiers", "generate").code == 3
    assert equiv("check", SAME, ADULTS, "--schema", schema, "--tiers", "rules").code == 0
    done = equiv("check", SAME, ADULTS, "--schema", schema, "--tiers", "rules,oracle")
    assert (done.code, done.err) == (
        2,
        "equiv: unknown tier 'oracle'; choose rules, data, generate, proof, fragment or search\n",
    )


def test_what_is_accepted_has_a_bound(equiv: Run, schema: Path) -> None:
    for wrong in ("bounded", "bounded:0", "bounded:x", "all"):
        done = equiv("check", SAME, ADULTS, "--schema", schema, "--accept", wrong)
        assert done.code == 2
        assert "accept takes bounded:k" in done.err
    assert equiv("check", SAME, ADULTS, "--schema", schema, "--accept", "bounded:2").code == 0
