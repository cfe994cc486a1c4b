"""Ways to write one condition or value, not all alike: ``$`` stands for a column, ``$o`` for another one."""

# ruff: noqa: E501 - one way of saying a thing stands beside the others

from __future__ import annotations

Ways = tuple[str, ...]

NULLS: Ways = (
    "$ IS NULL", "NOT $ IS NOT NULL", "COALESCE($, -9) = -9", "($ = $) IS NULL", "$ IS NOT $o", "NOT ($ = $)",
    "$ = NULL", "CASE WHEN $ = $ THEN 0 ELSE 1 END", "NULLIF($, $) IS NULL", "NOT $ IN ($)", "IFNULL($, '') = ''",
)  # fmt: skip
NUMERIC: Ways = (
    "$ > 1", "NOT $ <= 1", "$ >= 2", "1 < $", "$ > 1.0", "$ > '1'", "$ > 1 AND $ IS NOT NULL", "($ > 1) IS TRUE",
    "NOT ($ <= 1 OR $ IS NULL)", "CASE WHEN $ > 1 THEN 1 ELSE 0 END", "CASE WHEN $ <= 1 THEN 0 ELSE 1 END", "COALESCE($, 0) > 1",
    "CAST($ AS REAL) > 1", "CAST($ AS INTEGER) > 1", "$ - 1 > 0", "$ NOT IN (0, 1)", "NOT $ IN (0, 1, -1)", "$ * 2 > 2",
    "$ / 2 >= 1", "$ / 2.0 >= 1", "$ > 1 OR $ > 2", "$ BETWEEN 2 AND 100", "NOT $ BETWEEN -5 AND 1", "$ + 0 > 1", "$ IN (2, 3, 4, 10)",
    "IIF($ > 1, 1, 0)", "IIF($ > 1, 1, 0) = 1", "($ > 1) = 1", "($ > 1) <> 0", "$ > $o OR $ <= $o", "MAX($, 1) > 1", "-$ < -1",
)  # fmt: skip
FLAGS: Ways = (
    "$ = 1", "$", "$ <> 0", "$ = '1'", "$ IS TRUE", "NOT $ = 0", "$ IS 1", "$ IN (1)", "$ = 1.0", "$ = TRUE", "$ IS NOT 0",
    "$ BETWEEN 1 AND 1", "NOT $ <> 1", "CAST($ AS TEXT) = '1'", "$ LIKE '1'", "$ LIKE '1%'", "ABS($) = 1", "COALESCE($, 0) = 1", "$ * $ = 1",
    "$ > 0", "$ >= 1 AND $ <= 1", "NOT NOT $", "NULLIF($, 0)", "$ % 2 = 1", "$ IS NOT DISTINCT FROM 1", "1 = $ AND 1", "LENGTH($) = 1",
)  # fmt: skip
RATIOS: Ways = (
    "$ / 2 = 1", "$ = 2", "$ / 2.0 = 1", "$ * 0.5 = 1", "$ = '2'", "$ = 2.0", "CAST($ AS INTEGER) = 2", "ROUND($) = 2", "$ - 2 = 0",
    "$ + $ = 4", "$ BETWEEN 2 AND 2", "$ LIKE '2%'", "$ IN (2, 2.0)", "ROUND($, 1) = 2", "NOT $ <> 2", "$ || '' = '2.0'",
)  # fmt: skip
DATES: Ways = (
    "$ LIKE '2020%'", "SUBSTR($, 1, 4) = '2020'", "STRFTIME('%Y', $) = '2020'", "$ BETWEEN '2020-01-01' AND '2020-12-31'",
    "$ >= '2020-01-01' AND $ < '2021-01-01'", "$ LIKE '2020-%'", "CAST(STRFTIME('%Y', $) AS INTEGER) = 2020", "SUBSTR($, 1, 4) = 2020",
    "STRFTIME('%Y', $) = 2020", "$ >= '2020' AND $ < '2021'", "CAST(SUBSTR($, 1, 4) AS INTEGER) = 2020", "$ > '2019-12-31' AND $ <= '2020-12-31'",
    "DATE($) BETWEEN '2020-01-01' AND '2020-12-31'", "$ BETWEEN '2020' AND '2021'", "$ LIKE '%2020%'", "STRFTIME('%Y', $) IN ('2020')",
    "NOT STRFTIME('%Y', $) <> '2020'", "$ > '2020-01-01'", "STRFTIME('%Y', $) BETWEEN '2020' AND '2020'", "SUBSTR($, 1, 5) = '2020-'",
    "STRFTIME('%Y', $) >= '2020' AND STRFTIME('%Y', $) < '2021'", "SUBSTR($, 0, 5) = '2020'", "$ GLOB '2020*'", "JULIANDAY($) >= JULIANDAY('2020-01-01')",
)  # fmt: skip
MONTHS: Ways = (
    "$ LIKE '2020-01%'", "SUBSTR($, 1, 7) = '2020-01'", "STRFTIME('%Y-%m', $) = '2020-01'", "$ BETWEEN '2020-01-01' AND '2020-01-31'",
    "$ >= '2020-01-01' AND $ < '2020-02-01'", "STRFTIME('%m', $) = '01' AND STRFTIME('%Y', $) = '2020'", "STRFTIME('%m', $) = '01'",
    "SUBSTR($, 6, 2) = '01'", "SUBSTR($, 1, 4) = '2020' AND SUBSTR($, 6, 2) = '01'", "$ LIKE '%-01-%'", "$ LIKE '____-01-__'",
    "CAST(STRFTIME('%m', $) AS INTEGER) = 1", "SUBSTR($, 6, 2) = 1", "CAST(SUBSTR($, 6, 2) AS INTEGER) = 1", "$ BETWEEN '2020-01' AND '2020-02'",
    "$ >= '2020-01-01' AND $ <= '2020-01-31'", "STRFTIME('%Y-%m', $) LIKE '2020-01'", "SUBSTR($, -5, 2) = '01'", "STRFTIME('%m', $) = '1'",
)  # fmt: skip
TEXTS: Ways = (
    "$ = 'a'", "$ LIKE 'a'", "$ IN ('a')", "NOT $ <> 'a'", "$ IS 'a'", "LOWER($) = 'a'", "UPPER($) = 'A'", "$ IN ('a', 'A')",
    "$ = 'a' OR $ = 'A'", "$ LIKE 'A'", "$ LIKE 'a%'", "SUBSTR($, 1, 1) = 'a'", "$ GLOB 'a*'", "INSTR($, 'a') = 1", "$ >= 'a' AND $ < 'b'",
    "TRIM($) = 'a'", "$ || '' = 'a'", "$ = 'a' COLLATE NOCASE", "COALESCE($, '') = 'a'", "$ LIKE '%a'", "$ BETWEEN 'a' AND 'a'", "$ > ''",
    "$ <> ''", "LENGTH($) = 1", "$ NOT LIKE 'b%'", "REPLACE($, 'b', '') = 'a'", "CASE $ WHEN 'a' THEN 1 END", "CASE WHEN $ = 'a' THEN 1 ELSE 0 END = 1",
)  # fmt: skip
MIXED: Ways = (
    "$ = 1", "$ = '1'", "$ = 1.0", "CAST($ AS INTEGER) = 1", "CAST($ AS REAL) = 1", "$ + 0 = 1", "$ IN (1)", "$ IN ('1')", "$ LIKE '1'",
    "$ LIKE '1%'", "CAST($ AS TEXT) = '1'", "$ || '' = '1'", "$ BETWEEN 1 AND 1", "$ BETWEEN '1' AND '1'", "$", "NOT $ = 0", "$ > 0", "$ > '0'", "$ * 1 = 1",
    "CAST($ AS NUMERIC) = 1", "+$ = 1", "+$ = '1'", "$ IS 1", "$ IS '1'", "$ IN (1, '1')", "ABS($) = 1", "ROUND($) = 1",
)  # fmt: skip
SCALARS: tuple[Ways, ...] = (
    ("$ / 2", "$ / 2.0", "$ * 0.5", "$ * 1.0 / 2", "CAST($ AS REAL) / 2", "CAST($ / 2 AS REAL)", "0.5 * $", "$ / CAST(2 AS REAL)", "CAST($ / 2 AS INTEGER)"),
    ("COALESCE($, 0)", "IFNULL($, 0)", "CASE WHEN $ IS NULL THEN 0 ELSE $ END", "IIF($ IS NOT NULL, $, 0)", "CASE WHEN $ THEN $ ELSE 0 END", "COALESCE($, '0')", "COALESCE($, 0.0)",
     "MAX($, 0)", "TOTAL($)", "COALESCE($, NULL, 0)", "CASE $ WHEN NULL THEN 0 ELSE $ END", "$ + 0"),
    ("$", "$ + 0", "$ * 1", "$ * 1.0", "CAST($ AS INTEGER)", "CAST($ AS REAL)", "CAST($ AS NUMERIC)", "+$", "- -$", "COALESCE($, $)", "CASE WHEN 1 THEN $ END", "ROUND($)", "ROUND($, 0)", "ABS($)",
     "CAST(CAST($ AS TEXT) AS INTEGER)", "CAST($ AS TEXT)", "$ || ''", "TRIM($)", "NULLIF($, '')", "MIN($, $)", "$ / 1", "$ - 0", "$ % 10"),
    ("CASE WHEN $ = 1 THEN 'x' WHEN $ = 2 THEN 'y' END", "CASE $ WHEN 1 THEN 'x' WHEN 2 THEN 'y' END", "CASE $ WHEN 1 THEN 'x' WHEN 2 THEN 'y' ELSE NULL END",
     "CASE WHEN $ = 2 THEN 'y' WHEN $ = 1 THEN 'x' END", "IIF($ = 1, 'x', IIF($ = 2, 'y', NULL))", "CASE WHEN $ = 1 THEN 'x' ELSE 'y' END", "CASE WHEN $ IN (1) THEN 'x' WHEN $ > 1 THEN 'y' END",
     "CASE WHEN $ = '1' THEN 'x' WHEN $ = '2' THEN 'y' END", "CASE $ WHEN '1' THEN 'x' WHEN '2' THEN 'y' END", "CASE WHEN $ <> 1 THEN CASE WHEN $ = 2 THEN 'y' END ELSE 'x' END"),
    ("$ - $o", "-($o - $)", "$ + -$o", "-$o + $", "1.0 * $ - $o", "$ - COALESCE($o, 0)", "($ - $o) * 1", "ABS($ - $o)", "ABS($o - $)", "MAX($, $o) - MIN($, $o)"),
    ("$ * 100 / $o", "$ * 100.0 / $o", "100.0 * $ / $o", "CAST($ AS REAL) / $o * 100", "$ / $o * 100", "CAST($ AS REAL) * 100 / $o", "$ * 1.0 / $o * 100", "$ * 100 / CAST($o AS REAL)",
     "$ * 100 / NULLIF($o, 0)", "CASE WHEN $o <> 0 THEN $ * 100.0 / $o END"),
    ("SUBSTR($, 1, 4)", "STRFTIME('%Y', $)", "CAST(SUBSTR($, 1, 4) AS INTEGER)", "CAST(STRFTIME('%Y', $) AS INTEGER)", "STRFTIME('%Y', DATE($))", "SUBSTR(DATE($), 1, 4)", "SUBSTR($, 0, 5)",
     "CAST(STRFTIME('%Y', $) AS REAL)", "STRFTIME('%Y', $) + 0", "SUBSTR($, 1, 4) + 0"),
    ("($ > 1)", "CASE WHEN $ > 1 THEN 1 ELSE 0 END", "IIF($ > 1, 1, 0)", "($ > 1) IS TRUE", "CASE WHEN $ > 1 THEN 1 WHEN $ <= 1 THEN 0 END", "NOT $ <= 1", "COALESCE($ > 1, 0)", "CASE WHEN NOT $ > 1 THEN 0 ELSE 1 END",
     "($ > 1) + 0", "CAST($ > 1 AS INTEGER)", "1 - ($ <= 1)", "MAX($ > 1, 0)"),
)  # fmt: skip
MUTATIONS: tuple[tuple[str, str], ...] = (
    (r"SELECT (?!DISTINCT)", "SELECT DISTINCT "),
    (r"DISTINCT ", ""),
    (r"LEFT JOIN", "JOIN"),
    (r"(?<!LEFT )(?<!RIGHT )(?<!FULL )(?<!CROSS )JOIN", "LEFT JOIN"),
    (r"UNION ALL", "UNION"),
    (r"UNION(?! ALL)", "UNION ALL"),
    (r"INTERSECT", "EXCEPT"),
    (r"EXCEPT", "INTERSECT"),
    (r"COUNT\(\*\)", "COUNT(1)"),
    (r"COUNT\(\*\)", "SUM(1)"),
    (r"COUNT\((\w+\.\w+)\)", "COUNT(*)"),
    (r"COUNT\((\w+\.\w+)\)", r"COUNT(DISTINCT \1)"),
    (r"SUM\((\w+\.\w+)\)", r"TOTAL(\1)"),
    (r"SUM\((\w+\.\w+)\)", r"COALESCE(SUM(\1), 0)"),
    (r"MAX\(", "MIN("),
    (r"NOT IN", "IN"),
    (r" IS NOT ", " IS "),
    (r" = ", " IS "),
    (r" = ", " <= "),
    (r" > ", " >= "),
    (r" AND ", " OR "),
    (r" IS NULL", " IS NOT NULL"),
    (r"(\w+\.\w+) = (\w+\.\w+)", r"\2 = \1"),
    (r"(\w+\.\w+) = (\w+\.\w+)", r"\1 + 0 = \2"),
    (r"(\w+\.\w+) = (\w+\.\w+)", r"\1 = +\2"),
    (r"\b1\b", "1.0"),
    (r"\b1\b", "'1'"),
    (r"\b1\b", "2"),
    (r" LIMIT 1\b", " LIMIT 2"),
    (r" LIMIT \d+", ""),
    (r" DESC", ""),
    (r" ORDER BY [\w.]+(?= LIMIT| DESC|$)", r"\g<0>, 1"),
    (r" GROUP BY (\w+\.\w+)", r" GROUP BY \1, \1"),
    (r" GROUP BY (\w+\.\w+)", r" GROUP BY \1 || ''"),
    (r" WHERE ", " WHERE 1 AND "),
    (r" WHERE ", " WHERE NULL IS NULL AND "),
    (r"\bELSE 0 END", "END"),
    (r"'a'", "'A'"),
    (r"SELECT (\w+\.\w+), (\w+\.\w+) FROM", r"SELECT \2, \1 FROM"),
)
