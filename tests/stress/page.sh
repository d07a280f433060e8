#!/usr/bin/env bash
# The page of a stress test in a browser: the common frame, its source, three widths and dark mode.
# shellcheck source=tests/stress/lib.sh
source "$(dirname "$0")/lib.sh"
pages=$(cd "$(dirname "$0")/../pages" && pwd)

# The CPU has workers too, one of which dies.
exits 1 stress --workers 6 --inject die@2:1 --min-success 90 --report-dir r --launch 'sh -c "echo Warning: slow; sleep 0.2"'
page=$(<r/stress.html)
contains "host" "<dt>host</dt><dd>$(uname -n)" "$page"
lacks "how long" '<dt>duration</dt><dd class="unknown">' "$page"
contains "when" "<dt>when</dt><dd>$(date -u +%Y)" "$page"
contains "who" "<dt>by</dt><dd>$(id -un)" "$page"
python3 "$pages/any_page.py" r/stress.html || fail "the page does not look as it should"

# The page for 64 nodes, one of which failed.
whole=("$RV_HOME"/stress/*)
mkdir -p many/reports
exits 0 stress --workers 16 --launch 'sh -c "sleep 0.2"'
for folder in "$RV_HOME"/stress/*; do [ "$folder" = "${whole[0]}" ] || well=$folder; done
for node in $(seq -w 1 63); do
  sed "s/\"host\":\"[^\"]*\"/\"host\":\"n$node\"/" "$well"/reports/*.jsonl >"many/reports/n$node.jsonl"
done
cp "${whole[0]}"/reports/* many/reports/
exits 1 "$RV" stress --judge many --min-success 100 --report-dir m
contains "folded" "63 nodes that passed" "$(<m/stress.html)"
python3 "$pages/any_page.py" m/stress.html || fail "the page of many nodes does not look as it should"
