"""Running sums, neighbours, first values, row numbers."""

from __future__ import annotations

Ways = tuple[str, ...]

WINDOWS: tuple[Ways, ...] = (
    (
        "SELECT $k, SUM($x) OVER (ORDER BY $k) FROM $T",
        "SELECT $k, SUM($x) OVER (ORDER BY $k ROWS UNBOUNDED PRECEDING) FROM $T",
        "SELECT $k, SUM($x) OVER (ORDER BY $k RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM $T",
        "SELECT $k, SUM($x) OVER (ORDER BY $k GROUPS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM $T",
        "SELECT $k, (SELECT SUM(s.$x) FROM $T AS s WHERE s.$k <= t.$k) FROM $T AS t",
    ),
    (
        "SELECT $k, SUM($x) OVER (ORDER BY $y) FROM $T",
        "SELECT $k, SUM($x) OVER (ORDER BY $y ROWS UNBOUNDED PRECEDING) FROM $T",
        "SELECT $k, SUM($x) OVER (ORDER BY $y RANGE UNBOUNDED PRECEDING) FROM $T",
    ),
    (
        "SELECT $k, LAG($x) OVER (ORDER BY $k) FROM $T",
        "SELECT $k, LAG($x, 1) OVER (ORDER BY $k) FROM $T",
        "SELECT $k, LEAD($x) OVER (ORDER BY $k DESC) FROM $T",
        "SELECT $k, LAG($x, 1, NULL) OVER (ORDER BY $k) FROM $T",
        "SELECT $k, LEAD($x) OVER (ORDER BY $k) FROM $T",
    ),
    (
        "SELECT $k, FIRST_VALUE($x) OVER (PARTITION BY $y ORDER BY $x) FROM $T",
        "SELECT $k, MIN($x) OVER (PARTITION BY $y) FROM $T",
        "SELECT $k, MIN($x) OVER (PARTITION BY $y ORDER BY $x) FROM $T",
        "SELECT $k, FIRST_VALUE($x) OVER (PARTITION BY $y ORDER BY $x, $k) FROM $T",
    ),
    (
        "SELECT $x FROM (SELECT $x, ROW_NUMBER() OVER (ORDER BY $k) AS r FROM $T) AS q WHERE r <= $n",
        "SELECT $x FROM $T ORDER BY $k LIMIT $n",
        "SELECT $x FROM (SELECT $x, RANK() OVER (ORDER BY $k) AS r FROM $T) AS q WHERE r <= $n",
        "SELECT $x FROM (SELECT $x, NTILE(1) OVER (ORDER BY $k) AS r FROM $T) AS q WHERE r <= $n",
    ),
)
