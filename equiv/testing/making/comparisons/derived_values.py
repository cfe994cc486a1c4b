"""Values compared through derived tables, CTEs, compounds and groups."""

# ruff: noqa: E501 - one way of saying a thing stands on one line

from __future__ import annotations

from equiv.testing.making.comparisons.keys import Ways

DERIVED: tuple[Ways, ...] = (
    (
        "SELECT COUNT(*) FROM (SELECT $e AS c FROM $T AS t) AS q WHERE c = $l",
        "SELECT COUNT(*) FROM $T AS t WHERE $e = $l",
        "WITH q AS (SELECT $e AS c FROM $T AS t) SELECT COUNT(*) FROM q WHERE c = $l",
        "WITH q AS MATERIALIZED (SELECT $e AS c FROM $T AS t) SELECT COUNT(*) FROM q WHERE c = $l",
        "SELECT COUNT(*) FROM (SELECT $e AS c FROM $T AS t ORDER BY 1) AS q WHERE $l = c",
        "SELECT COUNT(CASE WHEN $e = $l THEN 1 END) FROM $T AS t",
        "SELECT COUNT(*) FILTER (WHERE $e = $l) FROM $T AS t",
        "SELECT COUNT(*) FROM $T AS t WHERE (SELECT $e) = $l",
        "SELECT COUNT(*) FROM (SELECT $e AS c FROM $T AS t WHERE $e = $l) AS q",
        "SELECT COUNT(*) FROM (SELECT $e AS c FROM $T AS t UNION ALL SELECT NULL) AS q WHERE c = $l",
    ),
    (
        "SELECT COUNT(*) FROM (SELECT $e AS c FROM $T AS t UNION ALL SELECT $g FROM $U AS u) AS q WHERE c = $l",
        "SELECT COUNT(*) FROM (SELECT $e AS c FROM $T AS t WHERE $e = $l UNION ALL SELECT $g FROM $U AS u WHERE $g = $l) AS q",
        "SELECT COUNT(*) FROM (SELECT $g AS c FROM $U AS u UNION ALL SELECT $e FROM $T AS t) AS q WHERE c = $l",
        "SELECT (SELECT COUNT(*) FROM $T AS t WHERE $e = $l) + (SELECT COUNT(*) FROM $U AS u WHERE $g = $l)",
        "WITH q AS (SELECT $e AS c FROM $T AS t UNION ALL SELECT $g FROM $U AS u) SELECT COUNT(*) FROM q WHERE $l = c",
        "SELECT COUNT(*) FROM (SELECT $e AS c FROM $T AS t UNION ALL SELECT $g FROM $U AS u) AS q WHERE c IN ($l)",
    ),
    (
        "SELECT COUNT(*) FROM (SELECT $e AS c FROM $T AS t UNION SELECT $g FROM $U AS u) AS q WHERE c = $l",
        "SELECT COUNT(*) FROM (SELECT $e AS c FROM $T AS t WHERE $e = $l UNION SELECT $g FROM $U AS u WHERE $g = $l) AS q",
        "SELECT COUNT(*) FROM (SELECT DISTINCT $e AS c FROM $T AS t WHERE $e = $l UNION SELECT $g FROM $U AS u WHERE $l = $g) AS q",
        "SELECT COUNT(*) FROM (SELECT $g AS c FROM $U AS u UNION SELECT $e FROM $T AS t) AS q WHERE c = $l",
    ),
    (
        "SELECT COUNT(*) FROM $T AS t GROUP BY $e HAVING $e = $l",
        "SELECT COUNT(*) FROM $T AS t WHERE $e = $l GROUP BY $e",
        "SELECT COUNT(*) FROM $T AS t GROUP BY $e HAVING MAX($e) = $l",
        "SELECT COUNT(*) FROM $T AS t GROUP BY $e HAVING MIN($e) = $l",
        "SELECT n FROM (SELECT $e AS c, COUNT(*) AS n FROM $T AS t GROUP BY $e) AS q WHERE c = $l",
        "SELECT COUNT(*) FROM $T AS t WHERE $e = $l HAVING COUNT(*) > 0",
        "SELECT COUNT(*) FROM (SELECT $e AS c FROM $T AS t) AS q GROUP BY c HAVING c = $l",
    ),
)
