#!/usr/bin/env python3
"""Opens pages of reports whose names are markup in Chromium: nothing of them may run or become an element. usage: hostile.py PAGE…"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from any_page import failures, holds  # noqa: E402
from browser import Browser  # noqa: E402

browser = Browser()
try:
    for page in sys.argv[1:]:
        browser.open(page)
        browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        # A chart is drawn when it comes near.
        charts = browser.run("document.querySelectorAll('figure.plot').length")
        for i in range(charts):
            browser.run(f"document.querySelectorAll('figure.plot')[{i}].scrollIntoView()")
            holds(f"{page}: chart {i} is drawn", browser.until(f"!!document.querySelectorAll('figure.plot')[{i}].chart"))
        holds(f"{page}: there are charts", charts > 0)
        holds(f"{page}: the names are in it", browser.run("document.body.textContent.includes('<img src=x')"))
        holds(f"{page}: and are no elements", browser.run("document.querySelectorAll('img, [onerror]').length") == 0)
        holds(f"{page}: and nothing ran", browser.run("document.title === 'taken over'") is False)
finally:
    browser.close()
sys.exit(1 if failures else 0)
