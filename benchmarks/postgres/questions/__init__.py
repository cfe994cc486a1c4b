"""Questions in several ways, in PostgreSQL's own words; many ways are near misses of one another.

A way is a template over ``t`` and ``u``, two tables with columns of the same names: ``$e`` and ``$f`` are
values of one kind of ``t``, wrapped or not, ``$g`` and ``$h`` of ``u``; ``$x``, ``$y``, ``$v``, ``$w`` the
bare columns; ``$l``, ``$m`` literals of the kind; ``$s`` and ``$r`` columns of any kind of ``t``; ``$p``,
``$q`` conditions on ``t`` and ``u``; ``$a`` and ``$o`` numbers of ``t``, ``$c`` a text of ``t``, ``$d`` a
timestamp or date of ``t``.
"""

from __future__ import annotations

from benchmarks.postgres.questions.conditions import CONDITIONS
from benchmarks.postgres.questions.dates import DATES
from benchmarks.postgres.questions.numbers import NUMBERS
from benchmarks.postgres.questions.queries import QUERIES
from benchmarks.postgres.questions.texts import TEXTS

QUESTIONS = (*CONDITIONS, *TEXTS, *NUMBERS, *DATES, *QUERIES)
"""By kind of what differs."""
