"""``equiv serve``: the engine over HTTP."""

from __future__ import annotations

from equiv.commands.common import say
from equiv.errors import InputError
from equiv.server.arguments import Serving


def serve(*, serving: Serving) -> int:
    """Decide pairs over HTTP, and show a page to compare two queries on; without a model.

    A signal to stop lets what was accepted be finished. Exit code: 0 once it has stopped, 2 trouble.
    """
    try:
        from equiv.server.run import serve as run
    except ModuleNotFoundError as error:
        raise InputError(f"the service needs {error.name}: pip install -e '.[server]'") from None
    run(serving.settings(), say)
    return 0
