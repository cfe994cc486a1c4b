"""Locks of the process, which a fork of it finds free."""

from __future__ import annotations

import os
import threading

starting = threading.Lock()
"""Held by who starts or gives up a worker process of its own."""

in_process = threading.RLock()
"""Held by who decides a pair in this very process: Z3 has one context, SQLite one connection for all."""


def _renew() -> None:
    """Forget who held them: another thread may have, and a fork has none."""
    global starting, in_process
    starting, in_process = threading.Lock(), threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew)
