"""The service under schemathesis: requests made from its OpenAPI document, right and wrong ones.

    python -m benchmarks.service.fuzz_service --examples 100

Schemathesis (https://schemathesis.readthedocs.io) must be installed; ``make test-server-fuzz`` does that.  It
fails on any 5xx, on an answer that its document does not announce, on a right request that is refused and on
a wrong one that is taken; ``tests/server/schemathesis.toml`` says what more a right one may meet.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks import ROOT
from benchmarks.command import parser
from benchmarks.service.serve import running

CONFIGURATION = ROOT / "tests" / "server" / "schemathesis.toml"


def main() -> int:
    """Run it; its exit code."""
    given = parser(__doc__, examples=(50, "for each operation")).parse_args()
    if importlib.util.find_spec("schemathesis") is None:
        sys.stderr.write("no schemathesis here: make test-server-fuzz\n")
        return 2
    with running("--timeout", "5") as service, tempfile.TemporaryDirectory() as folder:
        program = Path(sys.executable).with_name("schemathesis")
        done = subprocess.run(
            [
                program,
                *("--config-file", CONFIGURATION),
                *("run", f"{service.address}openapi.json", "--max-examples", str(given.examples)),
                *("--request-timeout", "60"),
            ],
            cwd=folder,  # where it leaves what it found
            check=False,
        )
        return done.returncode


if __name__ == "__main__":
    sys.exit(main())
