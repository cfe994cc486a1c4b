"""A kit for testing whatever rewrites or transpiles SQL: strategies, assertions, and a plugin for pytest.

The assertions need nothing else; the strategies need the extra ``testing``.  Names are imported when they are
first asked for: the plugin is loaded by every run of pytest where ``equiv`` is installed.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from equiv.testing.asserts import (
        UnsoundRewriteError,
        assert_equivalent,
        assert_rewrite_sound,
        assert_transpiler_sound,
        check_rewrite,
        check_transpiler,
    )
    from equiv.testing.making.queries import Feature
    from equiv.testing.schema_facts import open_database, script_of
    from equiv.testing.strategies import databases, equivalent_rewrites, mutants, queries, schemas
    from equiv.testing.trials import FewChangedWarning, Report, TrialOutcome, Tried

__all__ = [
    "Feature",
    "FewChangedWarning",
    "Report",
    "TrialOutcome",
    "Tried",
    "UnsoundRewriteError",
    "assert_equivalent",
    "assert_rewrite_sound",
    "assert_transpiler_sound",
    "check_rewrite",
    "check_transpiler",
    "databases",
    "equivalent_rewrites",
    "mutants",
    "open_database",
    "queries",
    "schemas",
    "script_of",
]

_MODULES = {
    **dict.fromkeys(("databases", "equivalent_rewrites", "mutants", "queries", "schemas"), "strategies"),
    **dict.fromkeys(("open_database", "script_of"), "schema_facts"),
    **dict.fromkeys(("FewChangedWarning", "TrialOutcome", "Report", "Tried"), "trials"),
    "Feature": "features",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        module = import_module(f"{__name__}.{_MODULES.get(name, 'asserts')}")
    except ModuleNotFoundError as error:
        if error.name != "hypothesis":
            raise
        raise ImportError(f"equiv.testing.{name} needs hypothesis: pip install -e '.[testing]'") from None
    return getattr(module, name)
