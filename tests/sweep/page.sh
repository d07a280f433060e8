#!/usr/bin/env bash
# The page of a sweep in a browser: everything is drawn, nothing is loaded from elsewhere, it fits a small window, in light and
# dark mode.
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/sweep/lib.sh
source "$here/lib.sh"
export LD_LIBRARY_PATH=$RV_STAND_IN_NVML STAND_IN_GPU=$work/gpu

cat >train.sh <<'END'
for step in 1 2 3 4 5; do
  echo "$((step * 18)) $((step * 9)) $(($1 * 8 + step)) $((50 + step)) $((300 + step)) $((1900 - step)) 2600 0" >"$STAND_IN_GPU"
  sleep 0.2
done
[ "$1" -lt 8192 ] || { echo "CUDA out of memory"; exit 1; }
echo "Steps per second: $(($1 * 30))"
END
echo "0 0 500 40 70 345 2600 1" >"$STAND_IN_GPU"
exits 0 "$RV" sweep --local --cooldown 0 --every 0.1s --over envs=1024,2048,4096,8192 --report-dir r -- bash train.sh '{envs}'
# What is measured comes back as the page's title. Its charts are static here: tests/pages moves one.
cp r/report.html page.html
cat >>page.html <<'END'
<script>
const all = (what) => document.querySelectorAll(what).length;
const closed = all("details[open]");
for (const one of document.querySelectorAll("details")) one.open = true;
const box = (one) => one.getBBox();
document.title = JSON.stringify({
  wide: document.documentElement.scrollWidth, window: document.documentElement.clientWidth, closed: closed,
  points: all("details"), answers: all("dl.answers dd"), rows: all("table.points tr"), charts: all("svg.lines"),
  marks: all("line.mark"), heat: all("svg.timeheat"), cells: all("svg.timeheat path.cell"),
  letters: Math.min(...[...document.querySelectorAll("svg text")].map((t) => t.getBoundingClientRect().height)),
  drawn: [...document.querySelectorAll("svg.lines")].every((c) => [...c.querySelectorAll("polyline")].some((l) => box(l).width > 100)),
  inside: [...document.querySelectorAll("svg")].every((c) => [...c.querySelectorAll("text, circle, polyline, path")].every(
    (one) => box(one).x >= -1 && box(one).y >= -1 && box(one).x + box(one).width <= c.viewBox.baseVal.width + 1)),
  loaded: performance.getEntriesByType("resource").length,
  dark: getComputedStyle(document.body).color});
</script>
END
for width in 420 1200; do
  timeout 120 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" \
    --window-size="$width,900" --dump-dom "file://$work/project/page.html" >dom.html 2>chromium.err || fail "$(tail -5 chromium.err)"
  sed -n 's/.*<title>\({.*}\)<\/title>.*/\1/p' dom.html | sed 's/&quot;/"/g' >seen.json
  [ -s seen.json ] || fail "the page was not read: $(head -c 300 dom.html)"
  says "at $width" 'd["wide"] <= d["window"] and d["loaded"] == 0' seen.json
  # Throughput and VRAM with their mark, five charts and a heat map of each point; one fold of unanswered questions.
  says charts 'd["points"] == 4 + 1 and d["charts"] == 2 + 4 * 5 and d["marks"] == 2 and d["heat"] == 4 and d["cells"] >= 4' seen.json
  says drawn 'd["drawn"] and d["inside"] and d["letters"] >= 11 and d["closed"] == 0' seen.json
  says words 'd["answers"] == 6 and d["rows"] == 5' seen.json
done
contains "for the dark" "color-scheme: light dark" "$(<r/report.html)"
contains "for paper" "@media print" "$(<r/report.html)"
# At three widths, in the dark and on paper.
python3 "$here/../pages/any_page.py" r/report.html || fail "the page does not look as it should"
