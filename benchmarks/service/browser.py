"""A report in a real browser: pictures, errors on the console, sideways scroll, and what it loads.

    python -m benchmarks.service.browser report.html --out /tmp/pictures

Chromium is spoken to over its debugging pipe (https://chromedevtools.github.io/devtools-protocol/), so that
a phone's width and the dark scheme are those of the page and not of a window.  Each report is opened 390 and
1,400 px wide, light and dark; tables are sorted and a few pairs opened as a reader would.  Exit code 1
if the console has an error, if the page is wider than its window, or if anything but the file is asked for.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

WIDTHS = (390, 1400)
SCHEMES = ("light", "dark")
HEIGHT = 900
SLICE = 1_500
"""How much of it one picture shows."""

SCRIPTS: dict[str, str] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
"""What the browser runs on a page."""
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")


def browser() -> str | None:
    """The browser that is installed, if there is one."""
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


@dataclass
class Page:
    """A page of a browser that is spoken to over a pipe."""

    to: int
    answers: int
    session: str = ""
    events: list[dict[str, Any]] = field(default_factory=list)
    _number: int = 0
    _buffer: bytes = b""

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """The answer to a command; what happens meanwhile is kept as events."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            found = self._next()
            if found.get("id") == self._number:
                if "error" in found:
                    raise RuntimeError(f"{method}: {found['error']}")
                return dict(found["result"])
            self.events.append(found)

    def wait(self, event: str) -> None:
        """Until something has happened."""
        while not any(found.get("method") == event for found in self.events):
            self.events.append(self._next())

    def run(self, script: str) -> Any:
        """The value of a script's last expression."""
        found = self.ask("Runtime.evaluate", expression=script, returnByValue=True)
        if "exceptionDetails" in found:
            raise RuntimeError(str(found["exceptionDetails"]))
        return found["result"].get("value")

    def settle(self) -> None:
        """Until what was set off by now is done and painted."""
        self.ask("Runtime.evaluate", expression=SCRIPTS["settled"], awaitPromise=True)

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            chunk = os.read(self.answers, 1 << 20)
            if not chunk:
                raise RuntimeError("the browser has ended")
            self._buffer += chunk
        message, _, self._buffer = self._buffer.partition(b"\0")
        return dict(json.loads(message))


@contextmanager
def opened_browser(program: str) -> Iterator[Page]:
    """A browser with an empty profile, ended and cleaned up afterwards."""
    command_read, command_write = os.pipe()
    answer_read, answer_write = os.pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        # The browser reads commands from descriptor 3 and writes answers to 4.
        shell = f'exec 3<&{command_read} 4>&{answer_write}; exec "$@"'
        options = ("--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run")
        process = subprocess.Popen(
            [
                "/bin/bash",
                "-c",
                shell,
                "bash",
                program,
                *options,
                f"--user-data-dir={profile}",
                "about:blank",
            ],
            pass_fds=(command_read, answer_write),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(command_read)
        os.close(answer_write)
        try:
            page = Page(command_write, answer_read)
            target = page.ask("Target.createTarget", url="about:blank")["targetId"]
            page.session = page.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            for domain in ("Page", "Runtime", "Log", "Network"):
                page.ask(f"{domain}.enable")
            yield page
        finally:
            os.close(command_write)
            os.close(answer_read)
            process.terminate()
            process.wait()


def look(page: Page, report: Path, width: int, scheme: str, pictures: Path | None) -> list[str]:
    """What is wrong with a report at a width, after it was used a little."""
    page.events.clear()
    page.ask(
        "Emulation.setDeviceMetricsOverride", width=width, height=HEIGHT, deviceScaleFactor=1, mobile=False
    )
    page.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    page.ask("Page.navigate", url=report.resolve().as_uri())
    page.wait("Page.loadEventFired")
    page.settle()
    wrong = [] if page.run(SCRIPTS["count"]) else ["no pair is listed"]
    wrong += [] if page.run(SCRIPTS["sorted"]) else ["a heading does not sort its table, or not back"]
    name = f"{report.stem}-{width}-{scheme}"
    _pictures(page, pictures, name, "body", 5)
    for script in (SCRIPTS["open"], SCRIPTS["open_inner"]):
        page.run(script)
        page.settle()
    wrong += _too_wide(page, "with pairs open")
    for place in ("cases", "pairs"):
        _pictures(page, pictures, f"{name}-{place}", f"#{place}", 2)
    page.run(SCRIPTS["all_open"])
    page.settle()
    wrong += _too_wide(page, "with everything open")
    return [f"{width} px, {scheme}: {text}" for text in (*wrong, *_complaints(page, report))]


def _too_wide(page: Page, when: str) -> list[str]:
    over = page.run(SCRIPTS["width"])
    return [f"{over} px wider than the window {when}"] if over > 0 else []


def _complaints(page: Page, report: Path) -> Iterator[str]:
    """Errors on the console, and requests for anything but the report."""
    for event in page.events:
        match event:
            case {"method": "Runtime.exceptionThrown", "params": {"exceptionDetails": details}}:
                yield f"exception: {details.get('exception', details).get('description', details)}"
            case {
                "method": "Log.entryAdded",
                "params": {"entry": {"level": "error" | "warning", "text": text}},
            }:
                yield f"console: {text}"
            case {
                "method": "Runtime.consoleAPICalled",
                "params": {"type": "error" | "warning", "args": given},
            }:
                yield f"console: {given}"
            case {"method": "Network.requestWillBeSent", "params": {"request": {"url": url}}}:
                if url not in {report.resolve().as_uri(), "data:,"}:
                    yield f"a request: {url}"


def _pictures(page: Page, folder: Path | None, name: str, place: str, most: int) -> None:
    """Pictures of a page from a place on, one below the other."""
    if folder is None:
        return
    top, bottom, width = page.run(f"({SCRIPTS['measures'].strip()})({json.dumps(place)})")
    for number in range(most):
        start = top + number * SLICE
        if start < bottom:
            clip = {"x": 0, "y": start, "width": width, "height": min(SLICE, bottom - start), "scale": 1}
            found = page.ask("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)
            (folder / f"{name}-{number + 1}.png").write_bytes(base64.b64decode(found["data"]))


def main() -> int:
    """Look at some reports."""
    parser = argparse.ArgumentParser(description="Open reports in Chromium.")
    parser.add_argument("reports", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, help="folder for pictures")
    arguments = parser.parse_args()
    program = browser()
    if program is None:
        sys.stderr.write("no Chromium here\n")
        return 2
    if arguments.out is not None:
        arguments.out.mkdir(parents=True, exist_ok=True)
    wrong = []
    with opened_browser(program) as page:
        for report in arguments.reports:
            for width in WIDTHS:
                for scheme in SCHEMES:
                    found = look(page, report, width, scheme, arguments.out)
                    wrong += [f"{report}: {text}" for text in found]
            print(f"{report}: looked at")
    print("\n".join(wrong) or "no error, no sideways scroll, nothing loaded")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
