#!/usr/bin/env python3
"""Looks at an acceptance's pages in Chromium. usage: looks.py PAGE-OF-1 PAGE-OF-4 PAGE-OF-512"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from any_page import check_colours, check_widths, failures, holds, quiet, seconds_of_empty_page  # noqa: E402
from browser import Browser  # noqa: E402


def check_words(browser, page, gpus):
    """What is known of the machine stands at the top; what is folded, and what is not."""
    browser.open(page)
    about = browser.run("Object.fromEntries([...document.querySelectorAll('dl.about div')].map((one) => "
                        "[one.querySelector('dt').textContent, one.querySelector('dd').textContent]))")
    holds("host, driver, versions, duration, who and when",
          set(about) == {"host", "driver", "versions", "duration", "by", "when"} and about["driver"] == "580.159.04"
          and "NCCL 2.28.9" in about["versions"] and about["when"].startswith("2026-") and "not known" not in about.values(),
          about)
    rows = browser.run("document.querySelector('table.grid').querySelectorAll('tr').length - 1")
    tiles = browser.run("document.querySelectorAll('.tiles span').length")
    causes = browser.run("document.querySelectorAll('.cause').length")
    advice = browser.run("document.querySelectorAll('.cause .advice').length")
    holds("one advice a cause", causes == advice, (causes, advice))
    if gpus == 512:
        holds("three nodes with something wrong, 61 tiles", (rows, tiles) == (3, 61), (rows, tiles))
        first = browser.run("document.querySelector('table.grid').textContent")
        holds("they are named", all(node in first for node in ("gpu07", "gpu23", "gpu40")), first)
        holds("two causes: slow GPUs, a late node", causes == 2, causes)
        seen = browser.run("document.querySelectorAll('.bars b.bad').length")
        holds("a bar for each slow GPU and product", seen == 12, seen)
        holds("no bar for those that are well", browser.run("document.querySelectorAll('.bars b.good').length") == 0)
        high = browser.run("document.documentElement.scrollHeight")
        holds("little is seen until it is opened", high < 9000, high)
    else:
        holds("a node", (rows, tiles) == (1, 0), (rows, tiles))
    titles = browser.run("[...document.querySelectorAll('section h4')].map((one) => one.textContent)")
    holds("how the training went", "Loss" in titles and "Time of a step" in titles, titles)
    if gpus == 1:
        shares = browser.run("(() => { const table = [...document.querySelectorAll('table')].find((one) =>"
                             " one.rows[0].textContent.includes('of the peak')); const column = [...table.rows[0].cells].findIndex((one)"
                             " => one.textContent === 'of the peak'); return [...table.rows].slice(1).map((row) =>"
                             " parseInt(row.cells[column].textContent)); })()")
        known = [one for one in shares if one is not None]
        holds("one GPU beside its peak, in one table", len(known) == 12 and all(30 < one < 97 for one in known), shares)
        holds("and the share is said", "69 %" in browser.run("document.body.innerText"))
    over = browser.run("[...document.querySelectorAll('.bars u')].some((mark) => { const m = mark.getBoundingClientRect();"
                       " return [...document.querySelectorAll('.bars span.n')].some((text) => { const t = text.getBoundingClientRect();"
                       " return m.right > t.left && m.left < t.right && m.bottom > t.top && m.top < t.bottom; }); })")
    holds("no baseline goes through a number", over is False)


def first_chart(browser):
    browser.run("document.querySelector('figure.plot').scrollIntoView({block: 'center', behavior: 'instant'})")
    holds("the chart is drawn", browser.until("!!document.querySelector('figure.plot.lives canvas')"))
    return browser.run("(() => { const r = document.querySelector('figure.plot .canvas').getBoundingClientRect();"
                       " return [r.left, r.top, r.width, r.height]; })()")


def check_chart(browser, page):
    """Pointing names figures, dragging zooms, a button shows all; an axis is logarithmic until one says otherwise."""
    browser.open(page)
    left, top, width, height = first_chart(browser)
    words = "document.querySelector('figure.plot .names').innerText"
    browser.mouse("mouseMoved", left + width * 0.5, top + height * 0.4)
    holds("pointing names size, figure and baseline",
          browser.until(f"/bytes \\d+M/.test({words}) && /all_reduce \\d+/.test({words}) && /baseline \\d+/.test({words})"),
          browser.run(words))
    live = "document.querySelector('figure.plot .live')"
    axis = "document.querySelector('figure.plot').chart.xAxisRange()"
    whole = browser.run(axis)
    browser.drag(left + width * 0.4, left + width * 0.7, top + height * 0.5)
    holds("dragging zooms", browser.until(f"{live}.dataset.zoomed === 'true'"))
    part = browser.run(axis)
    holds("to what was dragged over", 0.15 < (part[1] - part[0]) / (whole[1] - whole[0]) < 0.5, (whole, part))
    button = "[...document.querySelectorAll('figure.plot button')].find((one) => one.textContent === '{}')"
    holds("the way back is offered", browser.run(f"!{button.format('whole range')}.hidden"))
    browser.run(f"{button.format('whole range')}.click()")
    holds("and leads back", browser.until(f"{live}.dataset.zoomed === 'false'") and
          abs(browser.run(axis)[1] - whole[1]) < 1e-6)
    holds("bandwidth is logarithmic", browser.run(f"{live}.dataset.log") == "true")
    browser.run(f"{button.format('linear')}.click()")
    holds("until it is not wanted so", browser.run(f"{live}.dataset.log") == "false")
    quiet(browser, "a chart")


def check_ways(browser, page):
    """On the screen, on paper, and without scripts."""
    shown = ("[...document.querySelectorAll('figure.plot')].map((f) => [f.querySelector('.still').getClientRects().length > 0,"
             " (f.querySelector('.live') || f.querySelector('script')).getClientRects().length > 0])")
    browser.open(page)
    first_chart(browser)
    holds("on the screen the chart moves", browser.run(shown)[0] == [False, True], browser.run(shown))
    browser.ask("Emulation.setEmulatedMedia", media="print", features=[])
    holds("on paper it stands", browser.run(shown)[0] == [True, False], browser.run(shown))
    browser.open(page, scripts=False)
    browser.ask("Emulation.setScriptExecutionDisabled", value=False)
    holds("without scripts it stands", browser.run(shown)[0][0] is True)


def main():
    browser = Browser()
    try:
        empty = seconds_of_empty_page(browser)
        for page, gpus in zip(sys.argv[1:], (1, 4, 512)):
            check_widths(browser, page, empty)
            check_words(browser, page, gpus)
        check_chart(browser, sys.argv[2])
        check_ways(browser, sys.argv[2])
        check_colours(browser, sys.argv[2])
    finally:
        browser.close()
    return 1 if failures else 0


sys.exit(main())
