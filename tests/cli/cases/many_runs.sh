#!/usr/bin/env bash
# With hundreds of runs that ended, commands open only the folders that they show: each call takes milliseconds on a network.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
: "${RV_DYNAMIC:?an rv that takes preloaded libraries}" "${RV_SLOW_FILES:?the library of tests/slow_files}"
python3 "$root/tests/slow_files/many_runs.py" "$RV_HOME" 300

# calls MOST ARGUMENTS…: rv with these arguments makes at most MOST calls of the file system below its home.
calls() {
  local most=$1
  shift
  exits 0 env LD_PRELOAD="$RV_SLOW_FILES" SLOW_FILES_IN="$RV_HOME" SLOW_FILES_COUNT="$work/count" "$RV_DYNAMIC" "$@"
  local made
  made=$(<"$work/count")
  [ "$made" -le "$most" ] || fail "rv $*: $made calls, expected at most $most"
  [ "$made" -gt 0 ] || fail "rv $*: nothing was counted"
}
# The first command writes the index.
calls 5000 ps
calls 20 ps
calls 40 show train-12
contains "the run" train-12 "$out"
calls 40 show 4077 --json
contains "by its job" train-77 "$out"
calls 40 logs train-299
equal stdout "loss 0.1" "$out"
calls 20 --words runs
contains "the newest" train-0 "$out"
lacks "beyond 200" train-250 "$out"

# What the index says is the same as what the folders say.
exits 0 rv ps -a --limit 0 --json
cp "$work/out" with-index
rm "$RV_HOME"/cache/ended-runs-1.tsv
exits 0 rv ps -a --limit 0 --json
cmp "$work/out" with-index || fail "the lists differ"

# A new run and a removed one.
python3 "$root/tests/slow_files/many_runs.py" "$RV_HOME" 301
rm -r "$RV_HOME"/runs/aaaaaa
exits 0 rv ps -a --limit 0 --json
equal runs 300 "$(python3 -c 'import json, sys; print(len(json.load(sys.stdin)["runs"]))' <"$work/out")"
exits 122 rv show aaaaaa
