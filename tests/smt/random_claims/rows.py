"""Random rows of the two tables, cells that are troublesome among them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

TEXTS = (
    *(
        "",
        "a",
        "A",
        "ab",
        "AB",
        "abc",
        "Abc",
        "ABC",
        "abd",
        "b",
        "12",
        "12abc",
        "1e1",
        " 5",
        "05",
        "1990",
        "1990-05",
    ),
    *(
        "1991",
        "é",
        "É",
        "a%",
        "a_c",
        "1.0",
        "0.5",
        "abc\0",
        "ab\0c",
        "\0",
        "abcé",
        "~",
        "}",
        "5",
        "-",
        "1990-05-0",
    ),
)
DATES = (
    *("1990-01-01", "1990-05-03", "1990-05-31", "1990-12-31", "1991-01-01", "1989-12-31", "2024-02-29"),
    *("0000-01-01", "0000-12-31", "0001-01-01", "9999-12-31", "1990-06-01", "2000-10-05", "1990-05-01"),
)
WHOLE = (0, 1, 2, 3, -1, -2, 5, 12, 1990, 1991)
HUGE = (2**63 - 1, -(2**63), 2**53 + 1, 2**53)
REALS = (0.0, 1.0, 0.5, -0.5, 2.0, -1.0, 1990.0, 12.25, -2.5)
ROUGH = (
    -0.0,
    0.1,
    0.30000000000000004,
    1e308,
    float("inf"),
    float("-inf"),
    2.0**53,
    9.007199254740993e15,
    1e-320,
)
BLOBS = (b"", b"abc", b"12", b"\xff")


class Rows:
    """Makes rows; under exact arithmetic with numbers on which SQLite is exact."""

    def __init__(self, seed: int, *, exact: bool) -> None:
        self.random = Random(seed)
        self.exact = exact
        self._next = 100

    def rows(self) -> dict[str, list[dict[str, object]]]:
        parents = [
            self._parent(number) for number in self.random.sample(range(-1, 5), self.random.randint(1, 4))
        ]
        ids = [int(str(row["id"])) for row in parents]
        for row in parents:
            row["g"] = self.random.choice([None, *ids])
        children = [
            self._child(number, ids) for number in self.random.sample(range(5), self.random.randint(1, 4))
        ]
        return {"child": children, "parent": parents}

    def _parent(self, number: int) -> dict[str, object]:
        choice = self.random.choice
        return {"id": number, "name": choice([None, *TEXTS]), "d": choice([None, *DATES])}

    def _child(self, number: int, parents: Sequence[int]) -> dict[str, object]:
        choice = self.random.choice
        whole = WHOLE if self.exact else WHOLE + HUGE
        reals = REALS if self.exact else REALS + ROUGH
        first = choice([None, *TEXTS])
        return {
            "id": number,
            "i": choice([None, *whole]),
            "n": choice(whole),
            "r": choice([None, *reals]),
            "s": first,
            "t": choice([first, None, *TEXTS]),
            "d": choice([None, *DATES]),
            "a": choice([None, choice(whole), choice(reals), choice(TEXTS), choice(BLOBS), choice(DATES)]),
            "m": choice([None, choice(whole), choice([0.5, -2.5])]),
            "b": choice([None, 0, 1]),
            "p": choice([None, *parents]),
            "q": choice([None, *(float(each) for each in parents)]),
        }
