#!/usr/bin/env bash
# rv report writes one page for a run that succeeded, one that failed, one in segments, and an array, and rejects unknown runs.
# shellcheck source=tests/real/lib.sh disable=SC2016 # what expands in the job is in single quotes
source "$(dirname "$0")/lib.sh"

exits 122 rv report

# Readings of the GPUs are kept while it runs. The sandbox's GPUs have no driver: this output replaces nvidia-smi's.
mkdir "$work/bin"
cat >"$work/bin/nvidia-smi" <<'S'
#!/bin/bash
echo "0, NVIDIA A40, 87, 20480, 46068, 211.5, 300.00, 55, 580.159.04"
S
chmod +x "$work/bin/nvidia-smi"
exits 0 rv run -t a40 --time 10m --name good 'echo "<b>hello</b>"; echo step 12 >&2; sleep 14; until [ -e under_way.html ]; do sleep 0.1; done'
running() { [ "$(field good "['state']")" = running ]; }
wait_for 30 running || fail "does not run: $(rv show good)"
seen() { PATH="$work/bin:$PATH" rv gpu good --once >/dev/null; }
seen
seen
equal "two looks in ten seconds are one" 1 "$(lines_in "$(field good "['run_folder']")/gpu_readings.jsonl")"
exits 0 rv report good -o under_way.html
contains "what runs" "so far" "$(<under_way.html)"
over() { [ "$(field "$1" "['over']")" = True ]; }
wait_for 30 over good || fail "not over: $(rv show good)"
exits 0 rv report good
file=rv-$(field good "['id']").html
equal "the file's name" "$file" "$out"
page=$(<"$file")
contains "the result" '<span class="verdict pass">done</span>' "$page"
contains "its arguments are escaped" '&lt;b&gt;hello&lt;/b&gt;' "$page"
contains "what it wrote to stderr" 'step 12' "$page"
contains "the driver" '580.159.04' "$page"
contains "who and where" "$(id -un) on $(uname -n)" "$page"
contains "a curve" '"unit":"W"' "$page"
contains "Slurm's release" "Slurm $(scontrol --version | cut -d' ' -f2)" "$page"
contains "waits" 'Waits, predicted and real' "$page"
contains "the journal" '<td>claimed</td>' "$page"

exits 1 rv run -f -t a6000 --time 5m --name bad 'echo begun; python3 -c "import nosuchmodule"'
exits 0 rv report bad -o -
contains "the cause" 'Python could not import a module' "$out"
contains "its proof" "No module named &#39;nosuchmodule&#39;" "$out"
contains "a failure" '<span class="verdict fail">failed</span>' "$out"

exits 0 rv run -f --checkpoint --time 10m --segment-time 5m -t a6000 --name chain \
  'n=$RV_CHECKPOINT_DIR/n; [ ! -e $n ] || exit 0; sleep 1; touch $n; exit 41'
exits 0 rv report chain -o -
contains "segments" 'crashed (exit code 41)' "$out"
contains "the last one" 'finished' "$out"
equal "both" 2 "$(grep -o 'title="segment [12]"' <<<"$out" | wc -l)"

exits 1 rv run -f -t a6000 --time 5m --name many --array 0-5%3 'echo $SLURM_ARRAY_TASK_ID; [ $SLURM_ARRAY_TASK_ID != 4 ]'
exits 0 rv report many -o -
contains "elements" '5 of 6 elements done, 1 failed (4)' "$out"
equal "squares" 5 "$(grep -o '<i class="pass" title="[0-5]"' <<<"$out" | wc -l)"

# A run's own jobs keep what their GPUs do, on all nodes: by nvidia-smi where rv-sample finds no driver.
keeps() { [ "$(find "$(field "$1" "['run_folder']")/jobs" -name '*.gpus' -size +0 | wc -l)" = "$2" ]; }
with_smi() { PATH="$work/bin:$PATH" "$@"; }
exits 0 with_smi rv run -g 4 --nodes 2 -t a40 --time 10m --name wide sleep 300
exits 0 with_smi rv up --detach -g 4 --nodes 2 -t v100 --time 10m --name held
wait_for 60 keeps wide 2 || fail "no curves of both nodes: $(ls "$(field wide "['run_folder']")/jobs")"
wait_for 60 keeps held 2 || fail "no curves of a hold: $(ls "$(field held "['run_folder']")/jobs")"
exits 0 rv report wide -o wide.html
contains "temperatures" '<h3>Temperature</h3>' "$(<wide.html)"
rv stop wide held >/dev/null
# With rv-sample, and a replacement for the driver's library.
sampler=$(dirname "$RV")/../workers/rv-sample
[ -x "$sampler" ] || fail "no rv-sample at $sampler; build it: cmake --build build --target rv-sample"
[ -d "${RV_STAND_IN_NVML:-}" ] || fail "RV_STAND_IN_NVML is not the folder of the stand-in for the driver's library: ctest sets it"
echo "90 40 8192 61 350 1700 2600 0" >"$work/gpu"
exits 0 env LD_LIBRARY_PATH="$RV_STAND_IN_NVML" STAND_IN_GPU="$work/gpu" "$RV" run -f -t a6000 --time 5m --name sampled \
  'for _ in {1..300}; do [ ! -s "$(echo "$RV_RUN_DIR"/jobs/*.gpus)" ] || exit 0; sleep 0.1; done; echo "rv-sample wrote nothing" >&2; exit 1'
exits 0 rv report sampled -o sampled.html
contains "clocks" '<h3>SM clock</h3>' "$(<sampled.html)"
contains "their GPU" '90, 8192, 81920' "$(cat "$(field sampled "['run_folder']")"/jobs/*.gpus)"
# Without GPUs, or if the site disables it, there is no file; sampling ends with the job.
exits 0 rv run -f -t a6000 --time 5m --name none sleep 1
keeps none 0 || fail "a curve without a GPU"
echo 'gpu_curves: false' >>"$RV_SITE"
exits 0 with_smi rv run -f -t a6000 --time 5m --name off sleep 2
keeps off 0 || fail "a curve that nobody wanted"
wait_for 30 no_jobs || fail "jobs left"
nobody_looks() {
  local pid
  for pid in $(pgrep -x rv-sample); do
    ! tr '\0' '\n' 2>/dev/null <"/proc/$pid/environ" | grep -qF "RV_RUN_DIR=$RV_HOME/" || return 1
  done
}
wait_for 10 nobody_looks || fail "left behind: $(pgrep -ax rv-sample)"

# As a document, and what can't be.
exits 0 rv report many -o many.html --json
says "the document" "d['page'] == 'many.html' and d['bytes'] == $(stat -c %s many.html)" "$work/out"
exits 122 rv report nosuchrun
exits 2 rv report many -o "$work/nowhere/page.html"
contains "the way out" "rv report RUN -o FILE" "$err"
exits 2 rv report many -o - --json
exits 2 rv report many -o ''

# As many GPUs as a large run has, and a training's results.
python3 "$root/tests/pages/curves.py" "$(field good "['run_folder']")"
exits 0 rv report good -o large.html
contains "the idlest first" '<h3>The idlest</h3>' "$(<large.html)"
contains "its name" 'gpu17 gpu 5</td><td class="n">3</td>' "$(<large.html)"
contains "the training" '<h3>Throughput</h3>' "$(<large.html)"

# In a browser, at three widths, in the dark and on paper: nothing loaded, no error.
python3 "$root/tests/pages/any_page.py" under_way.html "$file" many.html wide.html sampled.html large.html || fail "a page does not look as it should"
python3 - "$root/tests/pages" "$file" <<'P'
import sys
sys.path.insert(0, sys.argv[1])
from browser import Browser
browser = Browser()
try:
    browser.open(sys.argv[2])
    browser.run("document.querySelector('figure.plot').scrollIntoView()")
    assert browser.until("document.querySelectorAll('figure.plot.lives').length >= 1"), "no chart of the GPUs"
finally:
    browser.close()
P
