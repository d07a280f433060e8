#!/usr/bin/env python3
"""What holds of every page, seen in Chromium: at three widths, in the dark, on paper. usage: any_page.py PAGE…"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser  # noqa: E402

WIDTHS = {"phone": 360, "tablet": 900, "desktop": 1600}
MOST_BYTES = 2_000_000
MOST_SECONDS = 1.0
LEAST_PIXELS = 11

# Text that can be seen, with its size on the screen; an SVG may be drawn larger or smaller than it is.
SMALLEST_TEXT = """(() => {
  let least = {size: 1000, text: ""};
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim(), one = walker.currentNode.parentElement;
    if (!text || one.closest("script,style") || one.getClientRects().length === 0) continue;
    let size = parseFloat(getComputedStyle(one).fontSize);
    const drawn = one.closest("svg");
    if (drawn) size *= drawn.getBoundingClientRect().width / drawn.viewBox.baseVal.width;
    if (size < least.size) least = {size, text: text.slice(0, 40)};
  }
  return least;
})()"""
# A word's and its ground's colours stand apart (WCAG: 4.5 for text).
LEAST_CONTRAST = """(() => {
  const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const rgb = (colour) => { canvas.fillStyle = "#fff"; canvas.fillRect(0, 0, 1, 1); canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3); };
  const light = (colour) => rgb(colour).map((v) => v / 255)
    .map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (one) => { for (; one; one = one.parentElement) {
      const colour = getComputedStyle(one).backgroundColor;
      if (!/^rgba.*, 0\\)$|transparent/.test(colour)) return colour; } return "#fff"; };
  let least = {ratio: 100};
  for (const one of document.querySelectorAll("h1,h2,h3,p,td,th,dt,dd,a,summary,.verdict,.bars span,.tiles span")) {
    if (!one.textContent.trim() || one.getClientRects().length === 0) continue;
    const [a, b] = [light(getComputedStyle(one).color), light(ground(one))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < least.ratio) least = {ratio, text: one.textContent.trim().slice(0, 40), of: one.tagName + "." + one.className};
  }
  return least;
})()"""

failures = []


def holds(what, true, seen=""):
    if not true:
        failures.append(what)
        print(f"FAIL: {what}: {seen}", file=sys.stderr)


def settled(browser):
    """Charts that are in the window are drawn."""
    return browser.until("[...document.querySelectorAll('figure.plot')].every((f) => { const r = f.getBoundingClientRect();"
                         " return r.height === 0 || r.top > innerHeight || r.bottom < 0 || f.classList.contains('lives'); })")


def quiet(browser, name):
    holds(f"{name}: no script error", browser.errors() == [], browser.errors())
    holds(f"{name}: nothing is asked for", browser.requests() == [], browser.requests())


def check_widths(browser, page, empty):
    name = os.path.basename(os.path.dirname(os.path.abspath(page))) + "/" + os.path.basename(page)
    size = os.path.getsize(page)
    holds(f"{name}: at most 2 MB", size <= MOST_BYTES, size)
    for kind, width in WIDTHS.items():
        at = f"{name}, {kind}"
        # The best of ten at most: what else the machine does at the moment is not the page's.
        seconds = browser.open(page, width=width)
        for _ in range(9):
            if seconds - empty <= MOST_SECONDS:
                break
            seconds = min(seconds, browser.open(page, width=width))
        print(f"{at}: {size} bytes, opens in {seconds:.2f} s (an empty page in {empty:.2f} s)")
        holds(f"{at}: opens in a second", seconds - empty <= MOST_SECONDS, seconds)
        holds(f"{at}: charts are drawn", settled(browser))
        for state in ("closed", "open"):
            wide = browser.run("document.documentElement.scrollWidth")
            holds(f"{at}, {state}: no wider than the window", wide <= width, wide)
            least = browser.run(SMALLEST_TEXT)
            holds(f"{at}, {state}: letters of {LEAST_PIXELS} px", least["size"] >= LEAST_PIXELS, least)
            browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        holds(f"{at}: contents", browser.run("document.querySelectorAll('nav a').length") >= 4)
        holds(f"{at}: each line of the contents leads somewhere",
              browser.run("[...document.querySelectorAll('nav a')].every((a) => document.querySelector(a.hash) !== null)"))
        quiet(browser, at)


def check_colours(browser, page):
    """In the dark and in the light, and on paper."""
    for dark in (False, True):
        browser.open(page, dark=dark)
        settled(browser)
        ground = browser.run("getComputedStyle(document.body).backgroundColor")
        holds(f"dark: {dark}", (sum(map(int, ground[4:-1].split(","))) < 200) == dark, ground)
        least = browser.run(LEAST_CONTRAST)
        holds(f"dark: {dark}, words stand out", least["ratio"] >= 4.4, least)
    browser.open(page)
    browser.ask("Emulation.setEmulatedMedia", media="print", features=[])
    paper = browser.ask("Page.printToPDF", paperWidth=8.27, paperHeight=11.69)["data"]
    holds("it can be printed", len(paper) > 20_000, len(paper))


def seconds_of_empty_page(browser):
    with open("empty.html", "w") as file:
        file.write("<!doctype html><title>empty</title>")
    return min(browser.open("empty.html") for _ in range(3))


def main():
    browser = Browser()
    try:
        empty = seconds_of_empty_page(browser)
        for page in sys.argv[1:]:
            check_widths(browser, page, empty)
            check_colours(browser, page)
    finally:
        browser.close()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
