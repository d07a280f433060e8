#!/usr/bin/env bash
# The client dies by SIGKILL at ten different moments of a race; the command still runs exactly once.
# shellcheck source=tests/real/lib.sh
source "$(dirname "$0")/lib.sh"

echo 'head_start: 0' >>"$RV_SITE"
# What runs behind may still write into the home of the round before.
new_home() {
  rounds=$((${rounds:-0} + 1))
  export RV_HOME=$work/home.$rounds
  rm -f ran
}
run_exists() { compgen -G "$RV_HOME/runs/*/run.json" >/dev/null; }
for delay in 0 0.01 0.03 0.05 0.08 0.12 0.2 0.3 0.5 1; do
  new_home
  "$RV" run -f -g 2 --fanout 4 --time 5m bash -c 'echo x >> ran; sleep 0.3' >/dev/null 2>&1 &
  client=$!
  # The race begins with the run folder; planning before it may be killed without a trace.
  wait_for 30 run_exists || fail "no run folder after 30 s"
  sleep "$delay"
  kill -KILL "$client" 2>/dev/null || true
  wait "$client" 2>/dev/null || true
  wait_for 20 has_lines ran 1 || fail "killed after $delay s: the command did not run"
  wait_for 20 no_jobs || fail "killed after $delay s: jobs are left: $(squeue -h)"
  equal "executions, killed after $delay s" 1 "$(lines_in ran)"
done

# The same when the process that submits dies as well: the next rv continues with the race.
for delay in 0 0.02 0.1; do
  new_home
  "$RV" run -f -g 2 --fanout 4 --time 5m bash -c 'echo x >> ran' >/dev/null 2>&1 &
  wait_for 30 run_exists || fail "no run folder after 30 s"
  sleep "$delay"
  # shellcheck disable=SC2046 # one a word
  kill -KILL $(all_of_rv) 2>/dev/null || true
  wait || true
  sleep 3.2 # a run this young counts as being submitted
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    rv ps >/dev/null
    has_lines ran 1 && break
    sleep 1
  done
  wait_for 20 no_jobs || fail "all of rv killed after $delay s: jobs are left: $(squeue -h)"
  equal "executions, all of rv killed after $delay s" 1 "$(lines_in ran)"
done
