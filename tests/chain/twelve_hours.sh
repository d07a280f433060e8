#!/usr/bin/env bash
# Twelve hours of work in windows of 240 minutes: each step is done once, and every command shows one run.
# shellcheck source=tests/chain/lib.sh
source "$(dirname "$0")/lib.sh"

rv run --checkpoint --time 12h --segment-time 240m -g 2 -t a40 --name long -f "$here/app.sh" 620 >out 2>err ||
  fail "exit code $?: $(<err) $(rv show long)"
each_step_once steps.0 620 || fail "steps: $(cut -d' ' -f1 steps.0 | uniq -c | awk '$1 > 1' | head), $(wc -l <steps.0)"
contains "output" "rank 0 has done 620 steps" "$(<out)"
equal "state" "done" "$(field long "['state']")"
one_after_the_other long || fail "segments at once: $(rv show long)"
[ "$(segments long)" -ge 3 ] || fail "only $(segments long) segments"
[[ "$(reasons long)" =~ ^time_limit\ time_limit(\ time_limit)?\ finished$ ]] || fail "segments: $(reasons long)"
# Totals: 620 steps of a minute, and what starting and ending took; a busy machine makes that more.
used=$(field long "['chain']['used_s']")
{ [ "$used" -ge 37200 ] && [ "$used" -le 43200 ]; } || fail "used $used s"
contains "one run in ps" long "$(rv ps -a)"
equal "runs in ps" 1 "$(rv ps -a --json | python3 -c 'import json,sys; print(len(json.load(sys.stdin)["runs"]))')"
contains "used, in show" "of 12h" "$(rv show long)"
