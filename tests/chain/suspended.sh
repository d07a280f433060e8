#!/usr/bin/env bash
# A job of a chain that is suspended over the end of its time: Slurm moves the end, and the application gets all of the time that it
# was promised. It is suspended before the warning, and once more while it saves.
# shellcheck source=tests/chain/lib.sh disable=SC2016 # what expands in the job stands in single quotes
source "$(dirname "$0")/lib.sh"

# Writes down each signal with its time, saves for three minutes after the warning and then continues in the next segment.
cat >app.sh <<'EOF'
#!/usr/bin/env bash
trap 'echo "warn $(date +%s) $RV_SEGMENT" >>signals; warned=1' USR1
trap 'echo "term $(date +%s) $RV_SEGMENT" >>signals' TERM
warned="" saving=0
echo "begin $(date +%s) $RV_SEGMENT" >>signals
[ "$RV_SEGMENT" -lt 2 ] || exit 0
for ((minute = 0; minute < 60; minute++)); do
  echo "$minute" >minute
  sleep 60 &
  wait $!
  [ -n "$warned" ] || continue
  saving=$((saving + 1))
  [ "$saving" -lt 6 ] || break
done
echo saved >"$RV_CHECKPOINT_DIR/state"
echo "saved $(date +%s) $RV_SEGMENT" >>signals
exit 75
EOF
chmod +x app.sh
begin --checkpoint --time 3h --segment 30m --warn 10m -g 1 -t a40 --name held ./app.sh
has_begun() { [ -e minute ] && [ "$(<minute)" -ge 3 ]; }
wait_real 60 has_begun || fail "does not begin: $(rv show held)"
job=$(field held "['chain']['segments'][0]['job_id']")
# From before the warning until long after the end that the job had at its start.
scontrol suspend "$job"
sleep $((45 * 60 / $(<"$RV_SANDBOX_DIR/speed")))
scontrol resume "$job"
is_warned() { grep -q '^warn' signals; }
wait_real 90 is_warned || fail "no warning: $(cat signals) $(rv show held)"
# While it saves.
scontrol suspend "$job"
sleep $((25 * 60 / $(<"$RV_SANDBOX_DIR/speed")))
scontrol resume "$job"
wait_real 200 over held || fail "not over: $(rv show held)"
equal "state" "done" "$(field held "['state']")"
equal "signals" "begin warn saved begin" "$(cut -d' ' -f1 signals | paste -sd' ')"
equal "segments" "time_limit finished" "$(reasons held)"
