#!/usr/bin/env bash
# The page of an acceptance in a browser: everything is drawn, nothing is loaded from elsewhere, and it fits a small window.
# shellcheck source=tests/accept/lib.sh
source "$(dirname "$0")/lib.sh"

exits 0 "$RV" accept --local --device cpu --gpus-per-node 2 --suite compute,p2p,collective --report-dir "$work/report"
# What is measured comes back as the page's title. Without Slurm and without a GPU; tests/pages looks at larger ones.
cp report/accept.html page.html
cat >>page.html <<'END'
<script>
const all = (what) => document.querySelectorAll(what).length;
document.title = JSON.stringify({
  wide: document.documentElement.scrollWidth, window: document.documentElement.clientWidth,
  bars: all(".bars b"), curves: all("svg.lines polyline"), cells: all("svg.heat rect.cell"),
  rows: all("table tr"), squares: all("table.grid i"),
  letters: Math.min(...[...document.querySelectorAll("svg text")].filter((t) => t.getClientRects().length > 0).map((t) => t.getBoundingClientRect().height)),
  verdict: document.querySelector("h1 .verdict").textContent,
  seen: [...document.querySelectorAll("svg.lines polyline")].every((line) => line.getAttribute("points").split(" ").length > 3),
  loaded: performance.getEntriesByType("resource").length});
</script>
END
for width in 420 1200; do
  timeout 120 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" \
    --window-size="$width,900" --dump-dom "file://$work/page.html" >dom.html 2>chromium.err || fail "$(tail -5 chromium.err)"
  sed -n 's/.*<title>\({.*}\)<\/title>.*/\1/p' dom.html | sed 's/&quot;/"/g' >seen.json
  [ -s seen.json ] || fail "the page was not read: $(head -c 300 dom.html)"
  says "at $width" 'd["wide"] <= d["window"] and d["loaded"] == 0' seen.json
  # A single CPU has no other bar to compare with.
  says charts 'd["curves"] == 6 and d["cells"] == 3 and d["bars"] == 0 and d["seen"] and d["letters"] >= 11 and d["squares"] == 3' seen.json
  says tables 'd["rows"] > 15 and d["verdict"] == "pass"' seen.json
done
