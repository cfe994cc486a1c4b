"""What normalisation makes one, and what it must keep apart."""

from __future__ import annotations

import pytest
from kit.harness import World as Setting
from proof.normal_bags import normal_bag

from equiv.algebra.terms import (
    FALSE,
    NULL,
    TRUE,
    Answer,
    Apply,
    Bag,
    Binding,
    Case,
    Compare,
    Constant,
    Exists,
    Expression,
    Field,
    Found,
    IsNull,
    Limited,
    Lookup,
    Not,
    Scan,
    Squash,
    Term,
    Variable,
    alpha,
    integer,
    walk,
)
from equiv.algebra.translate.query import translate
from equiv.algebra.world import World
from equiv.facts import FactKind
from equiv.proof.normal_form import normal_form

DDL = """
CREATE TABLE dept (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT, code TEXT UNIQUE);
CREATE TABLE emp (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, dept_id INTEGER REFERENCES dept (id),
  boss_id INTEGER NOT NULL REFERENCES emp (id), pay REAL, age INTEGER, dept_code TEXT,
  tag TEXT REFERENCES dept (id));
CREATE TABLE sale (
  id INTEGER PRIMARY KEY, emp_id INTEGER NOT NULL REFERENCES emp (id), amount INTEGER, day TEXT);
CREATE TABLE badge (emp_id INTEGER PRIMARY KEY REFERENCES emp (id), color TEXT, rate NUMERIC);
CREATE TABLE pair (a INTEGER, b INTEGER, x INTEGER, PRIMARY KEY (a, b));
"""
SETTINGS = {policy: Setting(DDL, policy) for policy in ("intended", "declared")}


class Sceptic:
    """A prover that proves nothing."""

    def proves(self, *_: object) -> bool:
        return False


def world(policy: str = "intended") -> World:
    setting = SETTINGS[policy]
    return World(setting.schema, setting.facts)


def normal(sql: str, at: World | None = None, policy: str = "intended") -> Answer:
    at = at or world(policy)
    tree = SETTINGS[policy].read(sql).tree
    assert tree is not None
    return normal_form(translate(tree, at), at, Sceptic())


def shape(sql: str, policy: str = "intended") -> Answer:
    return alpha(normal(sql, policy=policy))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        pytest.param(
            "SELECT e.name FROM emp e JOIN dept d ON e.dept_id = d.id",
            "SELECT name FROM emp WHERE dept_id IS NOT NULL",
            id="join along a foreign key",
        ),
        pytest.param(
            "SELECT s.amount FROM sale s JOIN emp e ON s.emp_id = e.id JOIN emp b ON e.boss_id = b.id",
            "SELECT amount FROM sale",
            id="joins along foreign keys that are never NULL",
        ),
        pytest.param(
            "SELECT DISTINCT d.id, d.name FROM dept d JOIN emp e ON e.dept_id = d.id",
            "SELECT id, name FROM dept WHERE id IN (SELECT dept_id FROM emp)",
            id="distinct parents of a join",
        ),
        pytest.param(
            "SELECT DISTINCT d.name FROM dept d JOIN emp e ON e.dept_id = d.id",
            "SELECT DISTINCT name FROM dept d WHERE EXISTS (SELECT 1 FROM emp WHERE dept_id = d.id)",
            id="distinct values of a join",
        ),
        pytest.param(
            "SELECT d.name FROM dept d LEFT JOIN emp e ON e.dept_id = d.id WHERE e.id IS NULL",
            "SELECT name FROM dept WHERE id NOT IN (SELECT dept_id FROM emp WHERE dept_id IS NOT NULL)",
            id="anti-join",
        ),
        pytest.param(
            "SELECT e.name, d.name FROM emp e LEFT JOIN dept d ON e.dept_id = d.id WHERE d.city = 'x'",
            "SELECT e.name, d.name FROM emp e JOIN dept d ON e.dept_id = d.id WHERE d.city = 'x'",
            id="outer join whose padding is rejected",
        ),
        pytest.param(
            "SELECT e.name, d.name FROM emp e LEFT JOIN dept d ON e.dept_id = d.id",
            "SELECT e.name, (SELECT name FROM dept WHERE id = e.dept_id) FROM emp e",
            id="outer join on a key and scalar subquery",
        ),
        pytest.param(
            "SELECT CASE WHEN d.id IS NULL THEN 'none' ELSE d.name END FROM emp e"
            " LEFT JOIN dept d ON d.id = e.dept_id AND d.city = 'x'",
            "SELECT COALESCE((SELECT name FROM dept WHERE id = e.dept_id AND city = 'x'), 'none') FROM emp e",
            id="outer join on a key and more",
        ),
        pytest.param(
            "SELECT e.name FROM emp e LEFT JOIN dept d ON e.dept_id = d.id"
            " LEFT JOIN badge b ON b.emp_id = e.id",
            "SELECT name FROM emp",
            id="outer joins on keys, unread",
        ),
        pytest.param(
            "SELECT d.name, COUNT(*) FROM dept d JOIN emp e ON e.dept_id = d.id GROUP BY d.id",
            "SELECT d.name, (SELECT COUNT(*) FROM emp e WHERE e.dept_id = d.id) FROM dept d"
            " WHERE d.id IN (SELECT dept_id FROM emp)",
            id="grouping by a key",
        ),
        pytest.param(
            "SELECT d.name, t.c FROM dept d JOIN (SELECT dept_id, COUNT(*) AS c FROM emp GROUP BY dept_id) t"
            " ON t.dept_id = d.id",
            "SELECT d.name, COUNT(*) FROM dept d JOIN emp e ON e.dept_id = d.id GROUP BY d.id",
            id="grouped before or after the join",
        ),
        pytest.param(
            "SELECT dept_id, COUNT(*) FROM emp GROUP BY dept_id HAVING dept_id > 5",
            "SELECT dept_id, COUNT(*) FROM emp WHERE dept_id > 5 GROUP BY dept_id",
            id="condition on the group",
        ),
        pytest.param(
            "SELECT age, COUNT(*) FROM emp WHERE age IN (SELECT amount FROM sale) GROUP BY age",
            "SELECT age, COUNT(*) FROM emp GROUP BY age HAVING age IN (SELECT amount FROM sale)",
            id="subquery on the group",
        ),
        pytest.param(
            "SELECT name FROM emp WHERE id = (SELECT emp_id FROM sale WHERE id = 5)",
            "SELECT e.name FROM emp e JOIN sale s ON s.emp_id = e.id WHERE s.id = 5",
            id="scalar subquery by a key",
        ),
        pytest.param(
            "SELECT name FROM emp WHERE age = 1 UNION SELECT name FROM emp WHERE age = 2",
            "SELECT DISTINCT name FROM emp WHERE age IN (1, 2)",
            id="union of one table",
        ),
        pytest.param(
            "SELECT a.color FROM badge a JOIN emp e ON e.id = a.emp_id WHERE e.name = 'x'",
            "SELECT color FROM badge WHERE emp_id IN (SELECT id FROM emp WHERE name = 'x')",
            id="one to one",
        ),
        pytest.param(
            "SELECT id FROM emp EXCEPT SELECT emp_id FROM sale",
            "SELECT id FROM emp WHERE id NOT IN (SELECT emp_id FROM sale)",
            id="difference",
        ),
        pytest.param(
            "SELECT name FROM emp INTERSECT SELECT name FROM dept",
            "SELECT DISTINCT name FROM dept WHERE name IN (SELECT name FROM emp)",
            id="intersection",
        ),
        pytest.param(
            "SELECT COUNT(DISTINCT e.id) FROM emp e JOIN sale s ON s.emp_id = e.id",
            "SELECT COUNT(DISTINCT emp_id) FROM sale",
            id="distinct count",
        ),
        pytest.param(
            "SELECT MAX(e.age) FROM emp e JOIN sale s ON s.emp_id = e.id",
            "SELECT MAX(age) FROM emp WHERE id IN (SELECT emp_id FROM sale)",
            id="a maximum heeds no duplicates",
        ),
        pytest.param(
            "SELECT e1.name FROM emp e1 JOIN emp e2 ON e1.id = e2.id WHERE e2.age > 3",
            "SELECT name FROM emp WHERE age > 3",
            id="self-join on a key",
        ),
        pytest.param(
            "SELECT name FROM emp WHERE id = '5'", "SELECT name FROM emp WHERE id = 5", id="number as text"
        ),
        pytest.param(
            "SELECT x FROM pair WHERE (a = 1 AND b = 2) OR (a = 1 AND b = 2 AND x > 3)",
            "SELECT x FROM pair WHERE b = 2 AND 1 = a",
            id="shared conjuncts of a disjunction",
        ),
        pytest.param(
            "SELECT name FROM (SELECT name, age FROM emp WHERE age > 3) WHERE age < 9",
            "SELECT name FROM emp WHERE NOT (age >= 9) AND 3 < age",
            id="derived table",
        ),
        pytest.param(
            "SELECT name FROM emp ORDER BY age, 'x', age DESC LIMIT 3",
            "SELECT name FROM emp ORDER BY age LIMIT 3",
            id="keys that decide nothing",
        ),
        pytest.param(
            "SELECT name FROM emp WHERE EXISTS (SELECT 1 FROM sale ORDER BY day LIMIT 1)",
            "SELECT name FROM emp WHERE EXISTS (SELECT 1 FROM sale)",
            id="limit inside EXISTS",
        ),
    ],
)
def test_one_form_for_one_meaning(left: str, right: str) -> None:
    assert shape(left) == shape(right)


@pytest.mark.parametrize(
    ("left", "right", "policy"),
    [
        pytest.param(
            "SELECT e.name FROM emp e JOIN dept d ON e.dept_id = d.id",
            "SELECT name FROM emp",
            "intended",
            id="a nullable reference",
        ),
        pytest.param(
            "SELECT s.amount FROM sale s JOIN emp e ON s.emp_id = e.id",
            "SELECT amount FROM sale",
            "declared",
            id="references that are not enforced",
        ),
        pytest.param(
            "SELECT e.name FROM emp e JOIN dept d ON e.dept_code = d.code",
            "SELECT name FROM emp WHERE dept_code IS NOT NULL",
            "intended",
            id="a key that nothing references",
        ),
        pytest.param(
            "SELECT e.name FROM emp e JOIN dept d ON e.tag = d.id",
            "SELECT name FROM emp WHERE tag IS NOT NULL",
            "intended",
            id="a reference of another affinity",
        ),
        pytest.param(
            "SELECT DISTINCT d.code FROM dept d", "SELECT code FROM dept", "intended", id="a nullable key"
        ),
        pytest.param(
            "SELECT d.name FROM dept d JOIN emp e ON e.dept_id = d.id",
            "SELECT name FROM dept WHERE id IN (SELECT dept_id FROM emp)",
            "intended",
            id="duplicates",
        ),
        pytest.param(
            "SELECT x.a FROM pair x JOIN pair y ON x.a = y.a",
            "SELECT a FROM pair",
            "intended",
            id="half a key",
        ),
        pytest.param(
            "SELECT x.a FROM pair x JOIN pair y ON x.a = y.a AND x.b IS y.b",
            "SELECT a FROM pair",
            "declared",
            id="IS on a nullable key",
        ),
        pytest.param(
            "SELECT name FROM emp WHERE age = 1 UNION ALL SELECT name FROM emp WHERE pay = 1",
            "SELECT name FROM emp WHERE age = 1 OR pay = 1",
            "intended",
            id="terms that overlap",
        ),
        pytest.param(
            "SELECT MAX(age) FROM emp WHERE id IN (SELECT emp_id FROM sale)",
            "SELECT MAX(age) FROM emp",
            "intended",
            id="a condition on a maximum",
        ),
        pytest.param(
            "SELECT name FROM emp WHERE EXISTS (SELECT 1 FROM sale LIMIT 1 OFFSET 1)",
            "SELECT name FROM emp WHERE EXISTS (SELECT 1 FROM sale)",
            "intended",
            id="offset inside EXISTS",
        ),
        pytest.param(
            "SELECT name FROM emp WHERE EXISTS"
            " (SELECT 1 FROM (SELECT amount FROM sale ORDER BY day LIMIT 1) WHERE amount > 3)",
            "SELECT name FROM emp WHERE EXISTS (SELECT 1 FROM sale WHERE amount > 3)",
            "intended",
            id="limit inside EXISTS before a condition",
        ),
        pytest.param(
            "SELECT name FROM (SELECT name, ROW_NUMBER() OVER (ORDER BY id) AS n FROM emp) WHERE n < 3",
            "SELECT name FROM emp",
            "intended",
            id="numbers that are read",
        ),
    ],
)
def test_keeps_apart(left: str, right: str, policy: str) -> None:
    assert shape(left, policy) != shape(right, policy)


def test_facts_that_carry_a_step_are_recorded() -> None:
    at = world()
    normal("SELECT s.amount FROM sale s JOIN emp e ON s.emp_id = e.id", at)
    kinds = {(fact.kind, fact.table) for fact in at.used}
    assert {(FactKind.UNIQUE, "emp"), (FactKind.INCLUSION, "sale"), (FactKind.NOT_NULL, "sale")} <= kinds


def test_normalising_twice_is_normalising_once() -> None:
    at = world()
    sql = (
        "SELECT d.city, COUNT(DISTINCT e.name), MAX(e.pay) FROM emp e LEFT JOIN dept d ON e.dept_id = d.id"
        " WHERE e.id IN (SELECT emp_id FROM sale WHERE amount > 3) GROUP BY d.city"
    )
    once = normal(sql, at)
    assert alpha(normal_form(once, at, Sceptic())) == alpha(once)


ROW = Variable(900, "row")
OTHER = Variable(901, "other")


def simplified(condition: Expression) -> Expression:
    """A condition on a row of emp, simplified; FALSE if no row is left."""
    found = normal_bag(Bag((Term((Binding(ROW, Scan("emp")),), condition, ()),)), world(), Sceptic())
    return found.terms[0].condition if found.terms else FALSE


def field(column: str) -> Field:
    return Field(ROW, column)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (Compare("=", field("id"), field("id")), TRUE),
        (Compare("=", field("age"), field("age")), Not(IsNull(field("age")))),
        (Compare("IS", field("age"), NULL), IsNull(field("age"))),
        (Compare("=", field("age"), NULL), FALSE),
        (Compare("IS", field("age"), integer(5)), Compare("=", field("age"), integer(5))),
        (IsNull(field("name")), FALSE),
        (Not(Compare("<", field("age"), integer(5))), Compare("<=", integer(5), field("age"))),
        (
            Case(((Compare("=", field("age"), integer(1)), TRUE),), NULL),
            Compare("=", field("age"), integer(1)),
        ),
        (Found("dept", ("id",), (field("dept_id"),)), Not(IsNull(field("dept_id")))),
        (Found("emp", ("id",), (field("id"),)), TRUE),
        (Compare("=", Apply("UPPER", (NULL,)), field("name")), FALSE),
        (Compare("<", Constant("text", "a"), integer(10**9)), FALSE),
    ],
)
def test_conditions_are_simplified(before: Expression, after: Expression) -> None:
    assert simplified(before) == after


@pytest.mark.parametrize(
    "kept",
    [
        Compare("=", field("age"), Constant("real", "1.0")),
        Compare("IS", field("age"), field("dept_id")),
        Not(Compare("IS", field("age"), integer(5))),
        Found("dept", ("code",), (field("dept_code"),)),
        # The reference holds by numeric affinity; a look-up compares without conversion.
        Found("dept", ("id",), (field("tag"),)),
        Apply("+", (field("age"), integer(1))),
    ],
)
def test_other_conditions_stay(kept: Expression) -> None:
    assert simplified(kept) == kept


def test_given_conditions_are_known_inside() -> None:
    inner = Term((Binding(OTHER, Scan("sale")),), Compare("=", Field(OTHER, "emp_id"), field("id")), ())
    known = Compare("<", integer(3), field("age"))
    bag = Bag((Term((), known, (Exists(Bag((inner,))),)),))
    found = normal_bag(bag, world(), Sceptic(), (known,), (Binding(ROW, Scan("emp")),))
    assert found.terms[0].condition == TRUE


def test_equal_numbers_of_two_classes_are_not_exchanged() -> None:
    """1 = 1.0, but they print differently: an integer column's value is no substitute for a REAL's."""
    answer = normal("SELECT e.pay || '' FROM emp e WHERE e.pay = e.age")
    assert any(
        node == Field(answer.bag.terms[0].bindings[0].row, "pay")
        for node in walk(answer.bag.terms[0].outputs[0])
    )
    looked_up = normal("SELECT e.pay || '', b.emp_id || '' FROM emp e JOIN badge b ON b.emp_id = e.pay")
    second = looked_up.bag.terms[0].outputs[1]
    assert any(isinstance(node, Lookup) and node.column == "emp_id" for node in walk(second))


def test_a_choice_stays_a_choice() -> None:
    answer = normal("SELECT (SELECT name FROM emp WHERE age = d.id LIMIT 1) FROM dept d")
    assert any(isinstance(node, Limited) for node in walk(answer.bag))


def test_distinct_stays_where_rows_may_repeat() -> None:
    answer = normal("SELECT DISTINCT age FROM emp")
    assert isinstance(answer.bag.terms[0].bindings[0].source, Squash)


def test_what_follows_from_a_number_of_either_class_stays_in_distinct_rows() -> None:
    """DISTINCT makes one of 1 and 1.0, but not of what they print as."""
    number = Case(((IsNull(field("age")), field("pay")),), field("age"))
    printed = Apply("||", (number, Constant("text", "")))
    rows = Squash(Bag((Term((Binding(ROW, Scan("emp")),), TRUE, (number, printed)),)))
    outputs = (Field(OTHER, 0), Field(OTHER, 1))
    found = normal_bag(Bag((Term((Binding(OTHER, rows),), TRUE, outputs),)), world(), Sceptic())
    source = found.terms[0].bindings[0].source
    assert isinstance(source, Squash)
    assert len(source.bag.terms[0].outputs) == 2
