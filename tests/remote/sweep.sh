#!/usr/bin/env bash
# rv sweep from a laptop: points use the project's files as they are at the call, finished points are not run again although
# every call has its own snapshot, and the results are copied to the laptop.
# shellcheck source=tests/remote/lib.sh
source "$(dirname "$0")/lib.sh"

slurm_login
workers=$(cd "$(dirname "$RV")/../workers" && pwd)
# shellcheck disable=SC2016
inside() { laptop bash -c 'cd "$1" && shift && exec "$@"' inside "$@"; }
sweep() { inside net/sub "$work/rv" -H loop sweep --device cpu --cooldown 0 -g 1 --time 10m --worker-folder "$workers" "$@"; }

laptop git init -q net
laptop mkdir net/sub
laptop bash -c 'cat >net/sub/load.sh' <<'S'
echo "Steps per second: $(($1 * 100))"
S
exits 0 sweep --report-dir r --over n=1,2 -- bash load.sh '{n}'
contains "where they are" "$work/home/projects/net-" "$out"
contains "how they come here" "fetch the results with rv sync pull" "$err"
# shellcheck disable=SC2016 # what expands there is in single quotes
laptop bash -c 'echo "echo \"Steps per second: \$((\$1 * 10))\"" >net/sub/load.sh'
exits 0 sweep --report-dir r --over n=1,2,4 -- bash load.sh '{n}'
lacks "what ran is not run again" "rv: n 2" "$err"
exits 0 inside net "$work/rv" -H loop sync pull
says results '[p["metrics"]["steps_per_s"]["last"] for p in d["points"]] == [100, 200, 40]' "$work/laptop/net/sub/r/results.json"
[ -s "$work/laptop/net/sub/r/report.html" ] || fail "no page"
exits 2 sweep --report-dir r --over n=1 -- bash load.sh '{n}' more
contains "another sweep" "the folder holds another sweep" "$err"
