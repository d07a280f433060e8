#!/usr/bin/env bash
# The page of a stress run in a browser: the frame of all pages, where it comes from, at three widths, in the dark.
# shellcheck source=tests/stress/lib.sh
source "$(dirname "$0")/lib.sh"
pages=$(cd "$(dirname "$0")/../pages" && pwd)

# Eight stand-in GPUs are not needed for a page: the processor has workers, too, one of which dies.
exits 1 stress --workers 6 --inject die@2:1 --min-success 90 --report-dir r --launch 'sh -c "echo Warning: slow; sleep 0.2"'
page=$(<r/stress.html)
contains "host" "<dt>host</dt><dd>$(uname -n)" "$page"
lacks "how long" '<dt>duration</dt><dd class="unknown">' "$page"
contains "when" "<dt>when</dt><dd>$(date -u +%Y)" "$page"
contains "who" "<dt>by</dt><dd>$(id -un)" "$page"
python3 "$pages/any_page.py" r/stress.html || fail "the page does not look as it should"
