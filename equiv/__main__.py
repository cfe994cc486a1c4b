"""``python -m equiv``: the command line, where the ``equiv`` script is not on the path."""

from __future__ import annotations

if __name__ == "__main__":  # a worker process that is spawned imports this module under another name
    from equiv.cli import main

    main()
