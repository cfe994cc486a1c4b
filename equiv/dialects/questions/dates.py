"""What is done with dates and times, in several ways."""

from __future__ import annotations

from equiv.dialects.questions.ways import Ways, shown, where

DATES: tuple[Ways, ...] = (
    where(
        "EXTRACT(YEAR FROM $d) = 2000",
        "$d >= DATE '2000-01-01' AND $d < DATE '2001-01-01'",
        "DATE_PART('year', $d) = 2000",
        "TO_CHAR($d, 'YYYY') = '2000'",
        "DATE_TRUNC('year', $d) = DATE '2000-01-01'",
        "$d BETWEEN DATE '2000-01-01' AND DATE '2000-12-31'",
        "EXTRACT(YEAR FROM $d)::int = 2000",
        "$d > DATE '1999-12-31' AND $d < DATE '2001-01-01'",
    ),
    where(
        "EXTRACT(MONTH FROM $d) = 2",
        "TO_CHAR($d, 'MM') = '02'",
        "DATE_PART('month', $d) = 2",
        "EXTRACT(MONTH FROM $d) IN (2)",
        "TO_CHAR($d, 'FMMM') = '2'",
        "EXTRACT(QUARTER FROM $d) = 1 AND EXTRACT(MONTH FROM $d) > 1 AND EXTRACT(MONTH FROM $d) < 3",
        "EXTRACT(DAY FROM $d) = 29",
    ),
    shown(
        "DATE_TRUNC('month', $d)",
        "DATE_TRUNC('month', $d::timestamp)",
        "DATE_TRUNC('month', $d::date)::timestamp",
        "TO_CHAR($d, 'YYYY-MM-01')",
        "DATE_TRUNC('day', $d)",
        "($d::date - (EXTRACT(DAY FROM $d)::int - 1))::timestamp",
    ),
    shown(
        "$d::date",
        "DATE_TRUNC('day', $d)::date",
        "CAST($d AS date)",
        "$d::timestamp::date",
        "TO_CHAR($d, 'YYYY-MM-DD')::date",
        "($d::date + 1) - 1",
        "($d + INTERVAL '1 day')::date - 1",
        "($d + INTERVAL '12 hours')::date",
    ),
    where(
        "$d > TIMESTAMP '2000-01-01 00:00:00'",
        "$d::date > DATE '2000-01-01'",
        "$d > DATE '2000-01-01'",
        "$d >= DATE '2000-01-02'",
        "NOT $d <= DATE '2000-01-01'",
        "$d::date >= DATE '2000-01-02'",
    ),
    where(
        "$d <= DATE '1999-12-31'",
        "$d < DATE '2000-01-01'",
        "$d::date <= DATE '1999-12-31'",
        "$d::date < DATE '2000-01-01'",
        "NOT $d > DATE '1999-12-31'",
        "EXTRACT(YEAR FROM $d) < 2000",
    ),
    where(
        "$d >= DATE '2000-01-31' + INTERVAL '1 month'",
        "$d >= DATE '2000-02-29'",
        "$d - INTERVAL '1 month' >= DATE '2000-01-31'",
        "$d >= DATE '2000-03-01'",
        "$d > DATE '2000-02-28'",
    ),
    shown(
        "$d::date - DATE '2000-01-01'",
        "EXTRACT(DAY FROM $d::timestamp - TIMESTAMP '2000-01-01')",
        "$d::date - DATE '1999-12-31' - 1",
        "EXTRACT(DOY FROM $d) - 1",
        "($d::date - DATE '2000-01-01')::numeric",
    ),
    shown(
        "EXTRACT(YEAR FROM $d)",
        "DATE_PART('year', $d)",
        "EXTRACT(YEAR FROM $d::date)",
        "TO_CHAR($d, 'YYYY')::int",
        "EXTRACT(YEAR FROM $d)::int",
        "EXTRACT(ISOYEAR FROM $d)",
    ),
)
