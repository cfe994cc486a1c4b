"""Questions in several ways, in the words of typed dialects; many ways are near misses of one another.

A way is a template over ``t`` and ``u``, two tables with columns of the same names: ``$e`` and ``$f`` are
values of one kind of ``t``, wrapped or not, ``$g`` and ``$h`` of ``u``; ``$x``, ``$y``, ``$v``, ``$w`` the
bare columns, ``$xn`` the name of ``$x``; ``$l``, ``$m`` literals of the kind; ``$s`` and ``$r`` columns of
any kind of ``t``; ``$p``, ``$q`` conditions on ``t`` and ``u``; ``$a`` and ``$o`` numbers of ``t``, ``$i`` an
integer, ``$c`` a text, ``$d`` a timestamp or date, ``$b`` and ``$g2`` booleans of ``t``.  A dialect passes
over the ways that it does not read.
"""

from __future__ import annotations

from equiv.dialects.questions.conditions import CONDITIONS
from equiv.dialects.questions.dates import DATES
from equiv.dialects.questions.numbers import NUMBERS
from equiv.dialects.questions.queries import QUERIES
from equiv.dialects.questions.texts import TEXTS

QUESTIONS = (*CONDITIONS, *TEXTS, *NUMBERS, *DATES, *QUERIES)
"""By kind of what differs."""
