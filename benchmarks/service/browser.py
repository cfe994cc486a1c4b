"""A report, or any page, in a real browser: pictures, errors on the console, sideways scroll, what it loads.

    python -m benchmarks.service.browser report.html http://127.0.0.1:8000/docs --out /tmp/pictures

Chromium is driven by Playwright (https://playwright.dev/python/), which is no dependency of the project:
``pip install playwright``.  Each page is opened 390 and 1,400 px wide, light and dark; tables are sorted and
a few pairs of a report are opened as a reader would.  Exit code 1 if the console has an error, if a page is
wider than its window, or if a file asks for anything but itself.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tomllib
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from playwright.sync_api import Page

WIDTHS = (390, 1400)
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
HEIGHT = 900
SLICE = 1_500
"""How much of it one picture shows."""

SCRIPTS: dict[str, str] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
"""What the browser runs on a page."""
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")


def look(page: Page, address: str, name: str, pictures: Path | None) -> list[str]:
    """What is wrong with a page at the width and in the colours of its window, after it was used a little."""
    wrong: list[str] = []
    is_file = address.startswith("file:")
    page.on("pageerror", lambda error: wrong.append(f"exception: {error}"))
    page.on("console", lambda it: wrong.append(f"console: {it.text}") if it.type in LOUD else None)
    if is_file:
        page.on("request", lambda it: wrong.append(f"a request: {it.url}") if it.url != address else None)
    page.goto(address)
    page.evaluate(SCRIPTS["settled"])
    if is_file:
        wrong += [] if page.evaluate(SCRIPTS["count"]) else ["no pair is listed"]
        wrong += [] if page.evaluate(SCRIPTS["sorted"]) else ["a heading does not sort its table and back"]
    _pictures(page, pictures, name, "body", 5)
    if is_file:
        for script in ("open", "open_inner"):
            page.evaluate(f"() => {{ {SCRIPTS[script]} }}")
            page.evaluate(SCRIPTS["settled"])
        for place in ("cases", "pairs"):
            _pictures(page, pictures, f"{name}-{place}", f"#{place}", 2)
        page.evaluate(SCRIPTS["all_open"])
        page.evaluate(SCRIPTS["settled"])
    over = page.evaluate(SCRIPTS["width"])
    return wrong + ([f"{over} px wider than the window"] if over > 0 else [])


LOUD = ("error", "warning")


def _pictures(page: Page, folder: Path | None, name: str, place: str, most: int) -> None:
    """Pictures of a page from a place on, one below the other."""
    if folder is None:
        return
    top, bottom, width = page.evaluate(SCRIPTS["measures"], place)
    for number in range(most):
        start = top + number * SLICE
        if start < bottom:
            page.screenshot(
                path=folder / f"{name}-{number + 1}.png",
                clip={"x": 0, "y": start, "width": width, "height": min(SLICE, bottom - start)},
                full_page=True,
            )


def main() -> int:
    """Look at some pages."""
    parser = argparse.ArgumentParser(description="Open pages in Chromium.")
    parser.add_argument("pages", nargs="+", help="files or addresses")
    parser.add_argument("--out", type=Path, help="folder for pictures")
    given = parser.parse_args()
    program = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        sys.stderr.write("pip install playwright\n")
        return 2
    if given.out is not None:
        given.out.mkdir(parents=True, exist_ok=True)
    wrong = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program)
        for page in given.pages:
            address = page if "://" in page else Path(page).resolve().as_uri()
            for width, scheme in product(WIDTHS, SCHEMES):
                opened = browser.new_page(viewport={"width": width, "height": HEIGHT}, color_scheme=scheme)
                complaints = look(opened, address, f"{Path(page).stem}-{width}-{scheme}", given.out)
                wrong += [f"{page}: {width} px, {scheme}: {text}" for text in complaints]
                opened.close()
            print(f"{page}: looked at")
        browser.close()
    print("\n".join(wrong) or "no error, no sideways scroll, nothing loaded")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
