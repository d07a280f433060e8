#!/usr/bin/env bash
# A suspended job is warned later: the time for saving counts only while the job runs, so a job that is suspended before the
# warning or while it saves gets all of --warn. After an early warning TERM comes --warn later, not at the end of the segment.
# shellcheck source=tests/chain/lib.sh disable=SC2016 # what expands in the job is in single quotes
source "$(dirname "$0")/lib.sh"

# Records each signal with its time in minutes since the segment began. Saves for nine minutes after the warning, or until TERM.
cat >app.sh <<'EOF'
#!/usr/bin/env bash
began=$(date +%s)
note() { echo "$1 $((($(date +%s) - began) / 60))" >>signals; }
warned="" termed="" saving=0
trap 'note warn; warned=1' USR1
trap 'note term; termed=1' TERM
note begin
[ "$RV_SEGMENT" -lt 2 ] || exit 0
for ((minute = 0; minute < 60; minute++)); do
  echo "$minute" >minute
  sleep 60 &
  wait $!
  [ -z "$termed" ] || break
  [ -n "$warned" ] || continue
  saving=$((saving + 1))
  [ "$saving" -lt "$1" ] || break
done
echo saved >"$RV_CHECKPOINT_DIR/state"
note saved
exit 75
EOF
chmod +x app.sh
app=$PWD/app.sh
mkdir held early
(cd held && begin --checkpoint --time 3h --segment-time 30m --warn 10m -g 1 -t a40 --name held "$app" 9)
(cd early && begin --checkpoint --time 3h --segment-time 30m --warn 10m -g 1 -t a40 --name early "$app" 50)
has_begun() { [ -e "$1/minute" ] && [ "$(<"$1/minute")" -ge 3 ]; }
is_warned() { grep -q '^warn' "$1/signals"; }
# at RUN WHAT: the minute of a signal.
at() { sed -n "s/^$2 //p" "$1/signals" | head -n 1; }
# between WHAT LEAST MOST MINUTES
between() { if [ "$4" -lt "$2" ] || [ "$4" -gt "$3" ]; then wrong "$1: minute $4, not between $2 and $3"; fi; }
for run in held early; do
  wait_real 60 has_begun "$run" || fail "does not begin: $(rv show "$run")"
done
held=$(field held "['chain']['segments'][0]['job_id']")
scancel --batch --signal=USR1 "$(field early "['chain']['segments'][0]['job_id']")"
# From before the warning (minute 19) until long after the end that the job had at its start.
scontrol suspend "$held"
sleep 30m # on the fast clock
scontrol resume "$held"
wait_real 90 is_warned held || fail "no warning: $(cat held/signals) $(rv show held)"
# While it saves.
scontrol suspend "$held"
sleep 15m # longer than it may take to save
scontrol resume "$held"
for run in held early; do
  wait_real 200 over "$run" || fail "not over: $(rv show "$run")"
  equal "state of $run" "done" "$(field "$run" "['state']")"
done
cat held/signals early/signals
equal "signals" "begin warn saved begin" "$(cut -d' ' -f1 held/signals | paste -sd' ')"
equal "segments" "time_limit finished" "$(reasons held)"
# 19 minutes of running time and 30 of the suspension; then nine minutes of saving and 15 of the suspension.
between "the warning" 47 60 "$(at held warn)"
between "saving" 22 35 $(($(at held saved) - $(at held warn)))

equal "signals of the early warning" "begin warn term saved begin" "$(cut -d' ' -f1 early/signals | paste -sd' ')"
between "TERM after an early warning" 9 14 $(($(at early term) - $(at early warn)))
