"""Idioms of the shop schema, each in several ways: what random queries seldom say and the prover has rewrites for.

First groups, dates and their parts, beginnings of texts, exact numbers, BETWEEN and row values, sums in parts.
Ways of one idiom need not be equivalent: the prover is asked, and what it proves is attacked.
"""

# ruff: noqa: E501 - one way of saying a thing stands on one line

from __future__ import annotations

from random import Random

IDIOMS: tuple[tuple[str, ...], ...] = (
    (
        "SELECT customer_id FROM orders GROUP BY customer_id ORDER BY COUNT(*) DESC, customer_id LIMIT 1",
        "SELECT o.customer_id FROM orders AS o JOIN customer AS c ON c.id = o.customer_id GROUP BY o.customer_id ORDER BY COUNT(*) DESC, o.customer_id LIMIT 1",
    ),
    (
        "SELECT c.name FROM customer AS c WHERE c.id = (SELECT o.customer_id FROM orders AS o GROUP BY o.customer_id ORDER BY COUNT(*) DESC LIMIT 1)",
        "SELECT c.name FROM orders AS o JOIN customer AS c ON o.customer_id = c.id GROUP BY o.customer_id ORDER BY COUNT(*) DESC LIMIT 1",
        "SELECT c.name FROM orders AS o JOIN customer AS c ON o.customer_id = c.id GROUP BY c.id ORDER BY COUNT(o.id) DESC LIMIT 1",
    ),
    (
        "SELECT s.code FROM shop AS s WHERE s.id IN (SELECT o.shop_id FROM orders AS o GROUP BY o.shop_id ORDER BY SUM(o.total) DESC LIMIT 1)",
        "SELECT s.code FROM orders AS o JOIN shop AS s ON s.id = o.shop_id GROUP BY s.id ORDER BY SUM(o.total) DESC LIMIT 1",
    ),
    (
        "SELECT id FROM orders WHERE STRFTIME('%Y', day) = '2020'",
        "SELECT id FROM orders WHERE day LIKE '2020%'",
        "SELECT id FROM orders WHERE day BETWEEN '2020-01-01' AND '2020-12-31'",
        "SELECT id FROM orders WHERE SUBSTR(day, 1, 4) = '2020'",
        "SELECT id FROM orders WHERE CAST(STRFTIME('%Y', day) AS INTEGER) = 2020",
    ),
    (
        "SELECT id FROM orders WHERE STRFTIME('%Y-%m', day) = '2020-02'",
        "SELECT id FROM orders WHERE day LIKE '2020-02-%'",
        "SELECT id FROM orders WHERE day >= '2020-02-01' AND day < '2020-03-01'",
        "SELECT id FROM orders WHERE STRFTIME('%Y', day) = '2020' AND STRFTIME('%m', day) = '02'",
        "SELECT id FROM orders WHERE SUBSTR(day, 1, 7) = '2020-02'",
    ),
    (
        "SELECT id FROM orders WHERE STRFTIME('%m', day) < '06'",
        "SELECT id FROM orders WHERE CAST(STRFTIME('%m', day) AS INTEGER) < 6",
        "SELECT id FROM orders WHERE SUBSTR(day, 6, 2) < '06'",
    ),
    (
        "SELECT o.id FROM orders AS o JOIN returned AS r ON r.order_id = o.id WHERE JULIANDAY(r.day) > JULIANDAY(o.day)",
        "SELECT o.id FROM orders AS o JOIN returned AS r ON r.order_id = o.id WHERE r.day > o.day",
    ),
    (
        "SELECT COUNT(*) FROM orders AS o WHERE STRFTIME('%Y', 'now') - STRFTIME('%Y', o.day) > 3",
        "SELECT COUNT(*) FROM orders AS o WHERE CAST(STRFTIME('%Y', DATE('now')) AS INTEGER) - CAST(SUBSTR(o.day, 1, 4) AS INTEGER) > 3",
    ),
    (
        "SELECT id FROM orders WHERE SUBSTR(note, 1, 2) = 'ab'",
        "SELECT id FROM orders WHERE note GLOB 'ab*'",
        "SELECT id FROM orders WHERE note >= 'ab' AND note < 'ac'",
    ),
    (
        "SELECT id FROM orders WHERE note LIKE 'abc%' AND note LIKE 'ab%'",
        "SELECT id FROM orders WHERE note LIKE 'ABC%'",
    ),
    (
        "SELECT o.id FROM orders AS o JOIN orders AS p ON SUBSTR(o.note, 1, 3) = SUBSTR(p.note, 1, 3) AND SUBSTR(o.note, 1, 2) = SUBSTR(p.note, 1, 2)",
        "SELECT o.id FROM orders AS o JOIN orders AS p ON SUBSTR(p.note, 1, 3) = SUBSTR(o.note, 1, 3)",
    ),
    (
        "SELECT id FROM orders WHERE note LIKE 'a!%%' ESCAPE '!'",
        "SELECT id FROM orders WHERE SUBSTR(note, 1, 2) = 'a%'",
    ),
    (
        "SELECT id FROM orders WHERE total BETWEEN 1 AND 3",
        "SELECT id FROM orders WHERE total >= 1 AND NOT total > 3",
        "SELECT id FROM orders WHERE NOT (total < 1 OR total > 3)",
    ),
    (
        "SELECT l.item FROM line AS l WHERE (l.order_id, l.nr) IN (SELECT r.order_id, r.nr FROM returned AS r)",
        "SELECT l.item FROM line AS l WHERE EXISTS (SELECT 1 FROM returned AS r WHERE r.order_id = l.order_id AND r.nr = l.nr)",
        "SELECT DISTINCT l.item FROM line AS l JOIN returned AS r ON (r.order_id, r.nr) = (l.order_id, l.nr)",
    ),
    (
        "SELECT total FROM orders WHERE total > 1 UNION ALL SELECT total FROM orders WHERE NOT total > 1",
        "SELECT total FROM orders WHERE total <= 1 UNION ALL SELECT total FROM orders WHERE total > 1",
        "SELECT total FROM orders WHERE total IS NOT NULL",
    ),
    (
        "SELECT total FROM orders WHERE total > 1 UNION ALL SELECT total FROM orders WHERE total > 2",
        "SELECT total FROM orders WHERE total > 2 UNION ALL SELECT total FROM orders WHERE total > 2 UNION ALL SELECT total FROM orders WHERE total > 1 AND total <= 2",
    ),
    (
        "SELECT AVG(price) FROM line WHERE qty > 1",
        "SELECT SUM(price) / COUNT(price) FROM line WHERE qty > 1",
        "SELECT CAST(SUM(price) AS REAL) / COUNT(price) FROM line WHERE qty > 1",
    ),
    (
        "SELECT order_id, SUM(qty * price) FROM line GROUP BY order_id",
        "SELECT order_id, SUM(price * qty) FROM line GROUP BY order_id",
        "SELECT id, (SELECT SUM(l.qty * l.price) FROM line AS l WHERE l.order_id = orders.id) FROM orders",
    ),
    (
        "SELECT CAST(SUM(CASE WHEN total > 2 THEN 1 ELSE 0 END) AS REAL) * 100 / COUNT(*) FROM orders",
        "SELECT SUM(CASE WHEN total > 2 THEN 1.0 ELSE 0 END) / COUNT(*) * 100 FROM orders",
        "SELECT AVG(CASE WHEN total > 2 THEN 100.0 ELSE 0 END) FROM orders",
    ),
    (
        "SELECT ABS(total) FROM orders WHERE MAX(total, 2) = total",
        "SELECT total FROM orders WHERE total >= 2",
        "SELECT IIF(total < 0, -total, total) FROM orders WHERE MIN(total, 2) = 2",
    ),
    (
        "SELECT CAST(rate AS INTEGER) FROM orders WHERE rate >= 0",
        "SELECT CAST(ABS(rate) AS INTEGER) FROM orders WHERE NOT rate < 0",
    ),
    (
        "SELECT name, (SELECT o.day FROM orders AS o WHERE o.customer_id = customer.id ORDER BY o.id LIMIT 1) FROM customer",
        "SELECT c.name, (SELECT p.day FROM orders AS p WHERE p.customer_id = c.id ORDER BY p.id LIMIT 1) FROM customer AS c",
    ),
    (
        "SELECT COUNT(DISTINCT customer_id) FROM orders WHERE shop_id = 1",
        "SELECT COUNT(*) FROM (SELECT DISTINCT customer_id FROM orders WHERE shop_id = 1) AS d",
        "SELECT COUNT(*) FROM customer AS c WHERE EXISTS (SELECT 1 FROM orders AS o WHERE o.customer_id = c.id AND o.shop_id = 1)",
    ),
    (
        "SELECT MAX(total) FROM orders WHERE shop_id = 1",
        "SELECT total FROM orders WHERE shop_id = 1 ORDER BY total DESC LIMIT 1",
        "SELECT MAX(total) FROM orders WHERE shop_id = 1 AND total IS NOT NULL",
    ),
    (
        "SELECT o.id, COUNT(l.nr) FROM orders AS o LEFT JOIN line AS l ON l.order_id = o.id GROUP BY o.id",
        "SELECT o.id, (SELECT COUNT(*) FROM line AS l WHERE l.order_id = o.id) FROM orders AS o",
    ),
)  # fmt: skip


def ways(random: Random) -> tuple[str, str]:
    """Two ways to say one idiom, which may be one."""
    idiom = random.choice(IDIOMS)
    return random.choice(idiom), random.choice(idiom)
