"""NL2SQLBench's tables as printed: generation, errors, revision and the end, by data set and model."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """The tables that a setting's numbers stand in."""

    generation: int
    errors: int
    revision: int
    end: int


@dataclass(frozen=True, slots=True)
class Setting:
    """A data set with a model."""

    name: str
    questions: int
    place: Place
    generation: str
    """CR, IR and ER of the first candidate."""
    errors: str
    """No table or column, no function, syntax, timeout, others, and the total."""
    revision: str
    """CI, I2C, E2C, C2I, C2E."""
    end: str
    """The correct rate in the end."""


SETTINGS = (
    Setting(
        "BIRD, DeepSeek",
        1534,
        Place(5, 15, 19, 9),
        """
C3-SQL 38.14 50.07 11.80
DIN-SQL 59.58 35.52 4.89
MAC-SQL 58.74 33.83 7.43
CHESS(IR,SS,CG) 59.78 33.12 7.11
CHESS(IR,CG,UT) 62.91 33.12 3.98
TA-SQL 59.71 34.42 5.87
GSR 57.37 37.09 5.48
E-SQL 57.50 35.07 7.43
RSL-SQL 59.00 33.38 7.62
OpenSearch-SQL 66.10 30.83 3.06
        """,
        """
C3-SQL 3.32 0 0.65 0.52 7.30 11.80
DIN-SQL 0.98 0.13 3.12 0.26 0.39 4.89
MAC-SQL 1.11 0.07 1.83 0.26 4.17 7.43
CHESS(IR,SS,CG) 0.46 1.43 1.69 3.32 0.20 7.11
CHESS(IR,CG,UT) 1.30 0 2.28 0.20 0.20 3.98
TA-SQL 1.30 1.69 2.54 0.13 0.20 5.87
GSR 2.41 0.58 1.63 0.52 0 5.48
E-SQL 0.65 0.13 2.87 0.26 3.52 7.43
RSL-SQL 0.39 0.91 1.37 0.33 4.62 7.62
OpenSearch-SQL 0.78 0.07 0.84 0.07 1.30 3.06
        """,
        """
C3-SQL -0.51 1.43 4.97 3.93 0.00
DIN-SQL 0.66 2.02 21.33 0.98 1.31
MAC-SQL 3.55 3.66 13.16 0.22 0.00
CHESS(IR,SS,CG) 6.11 6.89 29.36 0.65 0.55
CHESS(IR,CG,UT) 2.18 15.16 47.54 8.81 0.00
GSR 7.27 9.49 38.10 2.16 0.34
E-SQL 0.00 3.53 14.04 3.06 0.91
RSL-SQL 4.97 4.69 17.95 0.00 0.00
OpenSearch-SQL 3.16 8.67 34.04 2.47 0.00
        """,
        """
C3-SQL 37.94
DIN-SQL 59.97
MAC-SQL 60.82
CHESS(IR,SS,CG) 63.43
CHESS(IR,CG,UT) 64.28
TA-SQL 59.71
GSR 61.54
E-SQL 57.50
RSL-SQL 61.93
OpenSearch-SQL 68.19
        """,
    ),
    Setting(
        "BIRD, 4o-mini",
        1534,
        Place(5, 16, 20, 9),
        """
C3-SQL 35.66 51.83 12.52
DIN-SQL 56.65 34.49 8.87
MAC-SQL 52.74 35.92 11.34
CHESS(IR,SS,CG) 53.42 41.03 5.54
CHESS(IR,CG,UT) 55.08 32.01 12.91
TA-SQL 53.06 33.57 13.36
GSR 52.67 40.29 7.04
E-SQL 58.02 32.07 9.91
RSL-SQL 55.54 35.01 9.45
OpenSearch-SQL 56.52 35.33 8.15
        """,
        """
C3-SQL 9.19 0 1.96 0.07 1.3 12.52
DIN-SQL 5.48 0.46 2.41 0.2 0.33 8.87
MAC-SQL 6.26 1.43 0.85 0.33 2.48 11.34
CHESS(IR,SS,CG) 2.54 0.72 1.11 0.91 0.26 5.54
CHESS(IR,CG,UT) 9.32 1.76 1.63 0 0.2 12.91
TA-SQL 7.37 4.82 0.78 0.26 0.13 13.36
GSR 2.54 0.39 1.43 0.07 2.61 7.04
E-SQL 5.48 0.72 1.17 0.07 2.48 9.91
RSL-SQL 4.24 1.5 0.72 0.13 2.87 9.45
OpenSearch-SQL 6.13 0.85 0.46 0.2 0.52 8.15
        """,
        """
C3-SQL 2.56 2.52 8.33 4.02 0
DIN-SQL -0.11 4.16 19.12 4.37 1.27
MAC-SQL 4.45 1.45 21.84 1.24 0
CHESS(IR,SS,CG) 6.72 10.49 35.29 4.64 0.37
CHESS(IR,CG,UT) 14.04 16.09 38.38 4.26 0.12
GSR 2.6 4.85 21.3 3.71 0.25
E-SQL 1.91 7.52 28.29 4.04 3.03
RSL-SQL 9.15 10.06 35.86 2.82 0.47
OpenSearch-SQL 14.07 17.71 51.20 4.38 0
        """,
        """
C3-SQL 36.57
DIN-SQL 56.58
MAC-SQL 55.08
CHESS(IR,SS,CG) 57.01
CHESS(IR,CG,UT) 62.82
TA-SQL 53.06
GSR 54.04
E-SQL 59.13
RSL-SQL 60.63
OpenSearch-SQL 64.47
        """,
    ),
    Setting(
        "Science, DeepSeek",
        299,
        Place(6, 17, 21, 10),
        """
C3-SQL 54.18 42.81 3.01
DIN-SQL 52.84 44.82 2.34
MAC-SQL 47.16 42.81 10.03
CHESS(IR,SS,CG) 37.92 55.37 6.71
CHESS(IR,CG,UT) 54.85 39.46 5.69
TA-SQL 59.53 38.46 2.01
GSR 40.47 47.49 12.04
E-SQL 54.52 40.47 5.02
RSL-SQL 45.48 39.46 15.05
OpenSearch-SQL 38.46 27.09 34.45
        """,
        """
C3-SQL 3.01 0 0 0 0 3.01
DIN-SQL 2.01 0 0 0 0.33 2.34
MAC-SQL 4.35 0 0.33 0 5.35 10.03
CHESS(IR,SS,CG) 0.67 0 0 6.02 0 6.69
CHESS(IR,CG,UT) 3.01 0 0 0 2.68 5.69
TA-SQL 2.01 0 0 0 0 2.01
GSR 11.04 0 0.67 0 0.33 12.04
E-SQL 1.34 0 0.33 0 3.34 5.02
RSL-SQL 0.67 0 0 0 14.38 15.05
OpenSearch-SQL 2.01 0 0 0 32.44 34.45
        """,
        """
C3-SQL 0 0 0 0 0
DIN-SQL 1.27 2.99 14.29 0.63 1.27
MAC-SQL 1.42 2.34 10 2.84 0
CHESS(IR,SS,CG) 19.47 14.55 0 1.77 0
CHESS(IR,CG,UT) 1.83 9.32 52.94 10.37 0
GSR -24.8 14.08 33.33 23.14 28.1
E-SQL -2.45 4.96 13.33 6.13 1.23
RSL-SQL 1.47 0.00 4.44 0 0
OpenSearch-SQL -1.74 7.41 3.88 4.35 6.09
        """,
        """
C3-SQL 54.18
DIN-SQL 53.51
MAC-SQL 47.83
CHESS(IR,SS,CG) 45.30
CHESS(IR,CG,UT) 55.85
TA-SQL 59.53
GSR 30.43
E-SQL 53.18
RSL-SQL 46.15
OpenSearch-SQL 37.79
        """,
    ),
    Setting(
        "Science, 4o-mini",
        299,
        Place(6, 18, 22, 10),
        """
C3-SQL 50.84 42.81 6.35
DIN-SQL 42.81 48.49 8.70
MAC-SQL 44.15 41.81 14.05
CHESS(IR,SS,CG) 53.42 41.03 5.54
CHESS(IR,CG,UT) 40.80 46.82 12.37
TA-SQL 50.17 43.81 6.02
GSR 40.47 52.17 7.36
E-SQL 38.80 45.82 15.38
RSL-SQL 40.47 52.84 6.69
OpenSearch-SQL 42.14 46.82 11.04
        """,
        """
C3-SQL 4.68 0 0 0 1.67 6.35
DIN-SQL 8.36 0 0 0.33 0 8.70
MAC-SQL 8.70 0 0 0.33 5.02 14.05
CHESS(IR,SS,CG) 2.01 0 0 0.33 0 2.34
CHESS(IR,CG,UT) 12.37 0 0 0 0 12.37
TA-SQL 6.02 0 0 0 0 6.02
GSR 6.35 0 0 0.33 0.67 7.36
E-SQL 2.34 0 0 0.33 12.71 15.38
RSL-SQL 6.35 0 0 0.33 0 6.69
OpenSearch-SQL 10.37 0 0 0.33 0.33 11.04
        """,
        """
C3-SQL 0 0 0 0 0
DIN-SQL 2.34 1.38 15.38 1.56 0.78
MAC-SQL 0.76 3.20 9.52 5.30 0
CHESS(IR,SS,CG) 26.32 13.30 14.29 2.11 0
CHESS(IR,CG,UT) 20.49 12.14 43.24 6.56 0
GSR 4.96 5.13 18.18 4.13 0.83
E-SQL 5.17 6.57 4.35 2.59 1.72
RSL-SQL 5.79 0.00 35 0 0
OpenSearch-SQL 6.35 7.14 33.33 10.32 0
        """,
        """
C3-SQL 50.84
DIN-SQL 43.81
MAC-SQL 44.48
CHESS(IR,SS,CG) 57.01
CHESS(IR,CG,UT) 49.16
TA-SQL 50.17
GSR 42.47
E-SQL 40.80
RSL-SQL 42.81
OpenSearch-SQL 44.82
        """,
    ),
)
