"""Within the normal effort, differences of every usual kind are found."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from equiv.answers.pair import Pair
from equiv.generate.database import Database
from equiv.generate.plan import databases

EFFORT = 300
HIRED = "SELECT lo FROM emp JOIN dept ON dept_code = code WHERE"

DIFFERENT = {
    "boundary": ("SELECT id FROM emp WHERE salary > 99.5", "SELECT id FROM emp WHERE salary >= 99.5"),
    "between": ("SELECT id FROM emp WHERE lo BETWEEN 3 AND 9", "SELECT id FROM emp WHERE lo > 3 AND lo < 9"),
    "like is not equals": (
        "SELECT id FROM emp WHERE name LIKE 'Ann'",
        "SELECT id FROM emp WHERE name = 'Ann'",
    ),
    "prefix": ("SELECT id FROM emp WHERE name LIKE 'Ann%'", "SELECT id FROM emp WHERE name LIKE '%Ann%'"),
    "substring": (
        "SELECT id FROM emp WHERE substr(name, 2, 3) = 'abc'",
        "SELECT id FROM emp WHERE name LIKE '%abc%'",
    ),
    "year": (
        "SELECT id FROM emp WHERE strftime('%Y', born) = '1991'",
        "SELECT id FROM emp WHERE strftime('%Y', born) < '1992' AND born > '1991'",
    ),
    "month": (
        "SELECT id FROM emp WHERE born LIKE '1991-08%'",
        "SELECT id FROM emp WHERE strftime('%m', born) = '08'",
    ),
    "case": ("SELECT id FROM emp WHERE lower(name) = 'ann'", "SELECT id FROM emp WHERE name = 'ann'"),
    "numeric text": ("SELECT id FROM emp WHERE name > 5", "SELECT id FROM emp WHERE CAST(name AS REAL) > 5"),
    "null in count": ("SELECT COUNT(*) FROM emp", "SELECT COUNT(salary) FROM emp"),
    "null in not in": (
        "SELECT id FROM emp WHERE id NOT IN (SELECT boss FROM dept)",
        "SELECT id FROM emp WHERE NOT EXISTS (SELECT 1 FROM dept WHERE boss = emp.id)",
    ),
    "empty table": ("SELECT MAX(salary) FROM emp", "SELECT salary FROM emp ORDER BY salary DESC LIMIT 1"),
    "sum of nothing": (
        "SELECT COUNT(CASE WHEN lo > 3 THEN 1 END) FROM emp",
        "SELECT SUM(CASE WHEN lo > 3 THEN 1 ELSE 0 END) FROM emp",
    ),
    "duplicates": ("SELECT name FROM emp", "SELECT DISTINCT name FROM emp"),
    "union": (
        "SELECT lo FROM emp UNION SELECT hi FROM emp",
        "SELECT lo FROM emp UNION ALL SELECT hi FROM emp",
    ),
    "dropped predicate": (
        "SELECT e.id FROM emp e JOIN dept d ON e.dept_code = d.code WHERE d.name = 'IT' AND e.lo = 7",
        "SELECT e.id FROM emp e JOIN dept d ON e.dept_code = d.code WHERE d.name = 'IT'",
    ),
    "dropped join": (
        "SELECT e.name FROM emp e JOIN pay p ON p.emp = e.id WHERE e.name = 'Ann'",
        "SELECT e.name FROM emp e WHERE e.name = 'Ann'",
    ),
    "outer join": (
        "SELECT e.id, p.note FROM emp e LEFT JOIN pay p ON p.emp = e.id AND p.year = 2020",
        "SELECT e.id, p.note FROM emp e LEFT JOIN pay p ON p.emp = e.id WHERE p.year = 2020",
    ),
    "or and precedence": (
        "SELECT id FROM emp WHERE (lo = 1 OR lo = 2) AND name = 'Ann'",
        "SELECT id FROM emp WHERE lo = 1 OR lo = 2 AND name = 'Ann'",
    ),
    "integer division": ("SELECT id FROM emp WHERE lo / 2 = 3", "SELECT id FROM emp WHERE lo = 6"),
    "having count": (
        "SELECT name FROM emp GROUP BY name HAVING COUNT(*) > 15",
        "SELECT name FROM emp GROUP BY name HAVING COUNT(*) > 16",
    ),
    "having distinct": (
        "SELECT name FROM emp WHERE lo > 3 GROUP BY name HAVING COUNT(DISTINCT lo) >= 8",
        "SELECT name FROM emp WHERE lo > 3 GROUP BY name HAVING COUNT(lo) >= 8",
    ),
    "having sum": (
        "SELECT boss FROM emp JOIN dept ON dept_code = code GROUP BY 1 HAVING SUM(lo) > 10 AND MAX(lo) < 9",
        "SELECT boss FROM emp JOIN dept ON dept_code = code GROUP BY 1 HAVING SUM(lo) >= 10 AND MAX(lo) < 9",
    ),
    "limit": ("SELECT id FROM emp ORDER BY id LIMIT 9", "SELECT id FROM emp ORDER BY id LIMIT 10"),
    "offset": (
        "SELECT id FROM emp ORDER BY id LIMIT 1 OFFSET 5",
        "SELECT id FROM emp ORDER BY id LIMIT 1 OFFSET 6",
    ),
    "sum against max": (
        "SELECT name, SUM(lo) FROM emp GROUP BY name",
        "SELECT name, MAX(lo) FROM emp GROUP BY name",
    ),
    "correlation": (
        "SELECT id FROM emp e WHERE salary > (SELECT AVG(salary) FROM emp)",
        "SELECT id FROM emp e WHERE salary > (SELECT AVG(salary) FROM emp f WHERE f.name = e.name)",
    ),
    "except": (
        "SELECT lo FROM emp EXCEPT SELECT hi FROM emp",
        "SELECT lo FROM emp WHERE lo NOT IN (SELECT hi FROM emp)",
    ),
    "row values": (
        "SELECT lo FROM emp WHERE (lo, hi) IN (SELECT year, month FROM pay)",
        "SELECT lo FROM emp WHERE lo IN (SELECT year FROM pay) AND hi IN (SELECT month FROM pay)",
    ),
    "rank": (
        "SELECT id FROM (SELECT id, RANK() OVER (ORDER BY lo DESC) AS r FROM emp) WHERE r <= 3",
        "SELECT id FROM (SELECT id, DENSE_RANK() OVER (ORDER BY lo DESC) AS r FROM emp) WHERE r <= 3",
    ),
    "count over a linking table": (
        "SELECT d.name FROM dept d JOIN member m ON m.dept = d.id GROUP BY d.id HAVING COUNT(*) > 12",
        "SELECT d.name FROM dept d JOIN member m ON m.dept = d.id GROUP BY d.id HAVING COUNT(*) > 13",
    ),
    "large count": (
        "SELECT p.note FROM part q JOIN pay p ON p.month = q.seq GROUP BY p.note HAVING COUNT(*) > 700",
        "SELECT p.note FROM part q JOIN pay p ON p.month = q.seq GROUP BY p.note HAVING COUNT(*) > 10000",
    ),
    "sum by count": (
        "SELECT name FROM emp GROUP BY name HAVING CAST(SUM(hi) AS REAL) / COUNT(lo) > 6000",
        "SELECT name FROM emp GROUP BY name HAVING CAST(SUM(hi) AS REAL) / COUNT(id) > 6000",
    ),
    "limit over a join": (
        "SELECT DISTINCT id FROM emp JOIN pay p ON p.emp = id WHERE year = 2020 ORDER BY id LIMIT 8",
        "SELECT DISTINCT id FROM emp JOIN pay p ON p.emp = id WHERE year = 2020 ORDER BY id LIMIT 9",
    ),
    "ratio": (
        "SELECT SUM(lo > 3) * 1.0 / SUM(CASE WHEN name = 'Ann' AND hi > 7 THEN 1 END) FROM emp",
        "SELECT SUM(lo > 3) * 1.0 / SUM(CASE WHEN name = 'Ann' THEN 1 END) FROM emp",
    ),
    "name for key": (
        "SELECT name FROM dept d JOIN member m ON dept = id GROUP BY id ORDER BY COUNT(*) DESC LIMIT 1",
        "SELECT name FROM dept d JOIN member m ON dept = id GROUP BY name ORDER BY COUNT(*) DESC LIMIT 1",
    ),
    "computed text": (
        "SELECT id FROM emp JOIN pay ON note = name || '-x' WHERE name LIKE 'Ann%'",
        "SELECT id FROM emp JOIN pay ON note = name || '-x' WHERE name LIKE 'Ann%' AND name <> 'Ann'",
    ),
    "years apart": (
        f"{HIRED} strftime('%Y', opened) - strftime('%Y', born) > 9",
        f"{HIRED} strftime('%Y', opened) - strftime('%Y', born) >= 9",
    ),
    "days apart": (
        f"{HIRED} julianday(opened) - julianday(born) >= 45",
        f"{HIRED} julianday(opened) - julianday(born) > 45",
    ),
    "shape of a text": (
        "SELECT id FROM emp WHERE substr(name, -1) = '4' AND length(name) = 9",
        "SELECT id FROM emp WHERE substr(name, -2) = 'x4' AND length(name) > 20",
    ),
    "rounded": ("SELECT ROUND(salary, 4) FROM emp", "SELECT salary FROM emp"),
    "cut": ("SELECT SUBSTR(name, 2, 3) FROM emp", "SELECT SUBSTR(name, 2) FROM emp"),
    "key that is cut": (
        "SELECT COUNT(*) FROM emp GROUP BY SUBSTR(name, 1, 4)",
        "SELECT COUNT(*) FROM emp GROUP BY name",
    ),
    "references in a circle": (
        "SELECT h.name FROM hen h JOIN egg e ON h.egg = e.id WHERE e.size > 5",
        "SELECT h.name FROM hen h JOIN egg e ON e.hen = h.id WHERE e.size > 5",
    ),
    "cte": (
        "WITH p AS (SELECT emp, SUM(amount) AS s FROM pay GROUP BY emp) SELECT emp FROM p WHERE s > 50",
        "SELECT emp FROM pay WHERE amount > 50",
    ),
}


@pytest.mark.parametrize("kind", DIFFERENT)
def test_the_difference_is_found(
    kind: str, pair_of: Callable[..., Pair], differs: Callable[[Pair, Database], bool]
) -> None:
    pair = pair_of(*DIFFERENT[kind])
    assert any(differs(pair, database) for database in databases(pair, EFFORT))


SAME = [
    ("SELECT id FROM emp WHERE lo >= 3 AND lo <= 9", "SELECT id FROM emp WHERE lo BETWEEN 3 AND 9"),
    ("SELECT DISTINCT id FROM emp", "SELECT id FROM emp"),
    (
        "SELECT e.id FROM emp e JOIN emp m ON e.mgr = m.id",
        "SELECT id FROM emp",
    ),
    ("SELECT flag FROM one WHERE flag", "SELECT flag FROM one WHERE flag = 1"),
    ("SELECT COUNT(*) FROM pay", "SELECT COUNT(emp) FROM pay"),
]


@pytest.mark.parametrize(("pred", "gold"), SAME)
def test_no_difference_where_the_facts_exclude_it(
    pair_of: Callable[..., Pair], differs: Callable[[Pair, Database], bool], pred: str, gold: str
) -> None:
    pair = pair_of(pred, gold)
    assert not any(differs(pair, database) for database in databases(pair, EFFORT))
