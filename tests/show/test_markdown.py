"""Blocks as Markdown, in which nothing that is shown becomes markup."""

from __future__ import annotations

import re
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from equiv.show.page import Beside, Block, Code, Diff, Grid, Heading, Headline, Text
from equiv.show.terminal import is_numeric, markdown


def test_blocks_in_markdown() -> None:
    blocks: list[Block] = [
        Heading("Pairs"),
        Headline("equivalent", "tier rules"),
        Text("Two lines."),
        Grid("counts", ("name", "share"), (("a|b", "1.0 %"), ("c_d", "-"))),
        Code("SELECT 1"),
        Diff("step", (("-", "a"), ("+", "b"))),
    ]
    assert (
        markdown(blocks)
        == """\
## Pairs

**equivalent** tier rules

Two lines.

**counts**

| name | share |
| --- | ---: |
| a\\|b | 1.0 % |
| c\\_d | - |

```sql
SELECT 1
```

**step**

```diff
- a
+ b
```
"""
    )


def test_tables_side_by_side_are_one_below_the_other_and_what_differs_is_bold() -> None:
    left = Grid("one", ("a", "b"), (("1", "2"),), frozenset({(0, 1)}))
    assert markdown([Beside(left, Grid("other", ("a",), ()))]) == (
        "**one**\n\n| a | b |\n| ---: | ---: |\n| 1 | **2** |\n\n**other**\n\n| a |\n| --- |\n"
    )


@given(st.text())
def test_a_cell_stays_one_cell_and_has_no_markup(text: str) -> None:
    shown = markdown([Grid("", ("a", "b"), ((text, "x"),))]).splitlines()[-1]
    assert len(re.findall(r"(?<!\\)(?:\\\\)*\|", shown)) == 3
    assert not re.search(r"(?<!\\)(?:\\\\)*[<>`*_\[\]&@#]", shown)
    assert not {unicodedata.category(c) for c in shown} & {"Cc", "Cf", "Cs", "Zl", "Zp"}


def test_no_address_becomes_a_link() -> None:
    shown = markdown([Text("see http://evil.example, www.evil.example and a@evil.example")])
    assert "http\\://" in shown
    assert "www\\." in shown
    assert "\\@" in shown


def test_a_line_is_no_list_and_no_heading() -> None:
    assert [markdown([Text(text)])[:2] for text in ("- a", "+ a", "= a", "1. a")] == [
        "\\-",
        "\\+",
        "\\=",
        "\\1",
    ]


def test_a_fence_is_longer_than_any_in_the_text() -> None:
    assert markdown([Code("a\n````\nb")]).startswith("`````sql\n")


def test_numbers_with_units_and_intervals_are_numbers() -> None:
    assert is_numeric(["1", "-2.5", "1,000", "3.0 %", "1.0 [0.5, 1.5]", "2.0 [1.0, 3.2] (3)", "-", ""])
    assert not is_numeric(["1", "a"])
    assert not is_numeric(["", ""])
