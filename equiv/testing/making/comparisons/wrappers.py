"""Expressions around a column that keep or change its value, its collation and its affinity.

``$`` stands for the column.
"""

from __future__ import annotations

KEEPING: tuple[str, ...] = (
    *("CASE WHEN 1 THEN $ END", "CASE WHEN $ IS NOT NULL THEN $ END", "IIF(1, $, $)"),
    *("COALESCE($, $)", "COALESCE($, NULL)", "COALESCE(NULL, $)", "IFNULL($, $)", "NULLIF($, NULL)"),
    *("($)", "(SELECT $)", "(SELECT $ COLLATE NOCASE)", "(SELECT w.c FROM (SELECT $ AS c) AS w)"),
    *("$ COLLATE BINARY", "$ COLLATE NOCASE", "$ COLLATE RTRIM", "MIN($, $)", "MAX($, $)"),
    *("CASE $ WHEN NULL THEN NULL ELSE $ END", "CASE WHEN 0 THEN 1 ELSE $ END"),
)
"""The value stays, whatever it is; collation and affinity may not.

Unary plus, which the grammar refuses, is not among them.
"""

CHANGING: tuple[str, ...] = (
    *("$ || ''", "'' || $", "CAST($ AS TEXT)", "CAST($ AS INTEGER)", "CAST($ AS NUMERIC)"),
    *("CAST($ AS REAL)", "CAST($ AS BLOB)", "$ + 0", "$ * 1", "-(-$)", "LOWER($)", "UPPER($)"),
    *("TRIM($)", "RTRIM($)", "SUBSTR($, 1)", "REPLACE($, '', '')"),
    *("COALESCE($, '')", "COALESCE($, 0)", "NULLIF($, '')", "NULLIF($, 0)"),
)
"""The value may change too."""
