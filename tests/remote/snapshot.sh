#!/usr/bin/env bash
# A run from a laptop uses the laptop's files as they were at its start: later edits do not reach it, its output comes back, and
# its snapshot is removed when the run is over and left nothing in it.
# shellcheck source=tests/remote/lib.sh
source "$(dirname "$0")/lib.sh"

slurm_login
# shellcheck disable=SC2016
inside() { laptop bash -c 'cd "$1" && shift && exec "$@"' inside "$@"; }
there() { slurm env RV_HOME="$work/home" RV_SITE=/dev/null "$work/rv" "$@"; }
snapshots() { find "$work"/home/projects/net-*/snapshots -mindepth 1 -maxdepth 1 -type d | wc -l; }

laptop git init -q net
laptop bash -c 'cd net && mkdir sub && echo one >sub/data && echo note >note
  cat >sub/run.sh && chmod 755 sub/run.sh' <<'S'
#!/bin/bash
until [ -e "$HOLD" ]; do sleep 0.1; done
mkdir results
cat data ../note other 2>/dev/null >results/seen
stat -c %a run.sh >>results/seen
pwd >results/where
S

# shellcheck disable=SC2016
exits 0 inside net/sub "$work/rv" -H loop run -g 1 --time 5m --name first -o results "HOLD=$work/go ./run.sh"
contains "what was pushed" "rv: pushed $work/laptop/net to loop: 3 new, " "$err"
first=$out
laptop bash -c 'cd net/sub && echo two >data && echo new >other && chmod 644 run.sh && rm ../note'
exits 0 inside net "$work/rv" -H loop run -f -g 1 --time 5m --name second cat sub/data
equal "the second run" two "$out"
contains "what was pushed then" "1 new, 2 changed, 1 gone" "$err"
touch "$work/go"
exits 0 rv -H loop wait "$first"
exits 0 rv -H loop show second
contains "its code" ", 3 not tracked" "$(grep "^code     no commit on " <<<"$out")"

# Its output comes here, again only what is new, and not into the next push.
exits 0 inside net/sub "$work/rv" -H loop pull first --json
equal "what the first run saw" $'one\nnote\n755' "$(<"$work/laptop/net/sub/rv-output/first/results/seen")"
where=$(<"$work/laptop/net/sub/rv-output/first/results/where")
[[ "$where" == "$work"/home/projects/net-*/snapshots/*/sub ]] || fail "it ran in $where"
equal "what came" "results/seen results/where" "$(python3 -c 'import json,sys; print(*json.load(sys.stdin)["new"])' <<<"$out")"
exits 0 inside net/sub "$work/rv" -H loop pull first
contains "nothing twice" "nothing changed" "$out"
# No link that leads out of it.
output=$work/home/runs/$first/output/results
ln -s "$work/laptop/.ssh" "$output/keys"
ln -s seen "$output/inner"
exits 0 inside net/sub "$work/rv" -H loop pull first
contains "a link out of it" "the link results/keys leads out of its folder" "$err"
[ ! -L "$work/laptop/net/sub/rv-output/first/results/keys" ] || fail "a link out of the output came"
equal "a link within" seen "$(readlink "$work/laptop/net/sub/rv-output/first/results/inner")"
rm "$output/keys" "$output/inner"
exits 0 inside net "$work/rv" -H loop sync push --dry-run
contains "the output stays here" "nothing changed" "$out"
exits 122 inside net "$work/rv" -H loop pull nobody
contains "no such run" "no run has the ID or name" "$err"
[ ! -e "$work/laptop/net/rv-output/nobody" ] || fail "an empty folder stays"
exits 0 slurm bash -c "cd '$work' && RV_HOME='$work/home' RV_SITE=/dev/null '$work/rv' pull '$first' here"
equal "on the login node" $'one\nnote\n755' "$(<"$work/here/results/seen")"

# What it printed, too.
exits 0 inside net/sub "$work/rv" -H loop logs --pull second
contains "where to" "run $(basename "$(grep -l '"name": "second"' "$work"/home/runs/*/run.json | xargs dirname)") to rv-output/second/logs" "$out"
equal "the log" two "$(cat "$work"/laptop/net/sub/rv-output/second/logs/*.out)"
exits 0 slurm bash -c "cd '$work' && RV_HOME='$work/home' RV_SITE=/dev/null '$work/rv' logs --pull '$first' --to printed"
[ -e "$(echo "$work"/printed/*.out)" ] || fail "on the login node: $(ls "$work/printed")"
exits 2 inside net "$work/rv" -H loop logs --pull
contains "which run" "needs a run" "$err"

# Without a project, or with --no-sync or sync: false, it is as without files.
exits 0 rv -H loop run -f -g 1 --time 5m --name plain pwd
equal "no project" /root "$out"
lacks "no project" pushed "$err"
exits 0 inside net "$work/rv" -H loop run -f -g 1 --time 5m --name plain --no-sync pwd
equal "--no-sync" /root "$out"
laptop bash -c 'mkdir -p .rv && echo "sync: false" >.rv/config.yaml'
exits 0 inside net "$work/rv" -H loop run -f -g 1 --time 5m --name plain pwd
equal "sync: false" /root "$out"
laptop rm .rv/config.yaml
exits 0 inside net "$work/rv" -H loop run -g 1 --time 5m --dry-run true
lacks "--dry-run" pushed "$err"

# Three snapshots: a run's that lives, one with results in it, one of a run that is over.
exits 0 inside net "$work/rv" -H loop run -g 1 --time 5m --name alive sleep 300
alive=$out
equal snapshots 3 "$(snapshots)"
exits 0 inside net "$work/rv" -H loop sync push
exits 0 there gc --dry-run --json
equal "what gc would remove" 1 "$(python3 -c 'import json,sys; print(len(json.load(sys.stdin)["snapshots"]))' <<<"$out")"
equal "a push prunes nothing that ended a moment ago" 3 "$(snapshots)"
for run in "$work"/home/runs/*; do
  [ "${run##*/}" = "$alive" ] || sed -i 's/^\(outcome .*"ended":\)[0-9]*/\1'$(($(date +%s) - 7200))'/' "$run"/ledger/*
done
exits 0 inside net "$work/rv" -H loop sync push
two_left() { [ "$(snapshots)" -eq 2 ]; }
wait_for 30 two_left || fail "$(snapshots) snapshots"
[ -e "$where/results/seen" ] || fail "results are gone"
folder=$(python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))["work_folder"])' "$work/home/runs/$alive/run.json")
[ -e "$folder/sub/data" ] || fail "the live run's snapshot is gone"
exits 0 there gc --older-than 1s
equal "after gc" 1 "$(snapshots)"
[ -e "$folder/sub/data" ] || fail "the live run's snapshot is gone"
exits 0 rv -H loop stop "$alive"
