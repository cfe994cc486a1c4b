"""The table of functions: one row each, from which all else that is said of them derives."""
