"""The closed list of verbs that the names of rules and rewrites begin with."""

VERBS = (
    "convert",
    "eliminate",
    "fold",
    "inline",
    "merge",
    "pull",
    "push",
    "reduce",
    "reject",
    "rename",
    "sort",
)
