#!/usr/bin/env bash
# The exit code is recorded before --output is copied, so a slow, interrupted, cancelled or failed copy does not change it. No
# client ends the job during the copy, a follower waits for it, and rv show prints how it ended.
# shellcheck source=tests/faults/lib.sh
source "$(dirname "$0")/lib.sh"

# In the job's PATH: a cp that waits for the file go, where hold is there.
mkdir "$work/bin"
cat >"$work/bin/cp" <<EOF
#!/bin/sh
touch "$work/copies"
while [ -e "$work/hold" ] && [ ! -e "$work/go" ]; do sleep 0.2; done
exec $(command -v cp) "\$@"
EOF
chmod +x "$work/bin/cp"
begin() { # NAME OPTION…
  rm -f "$work/go" "$work/copies"
  touch "$work/hold"
  # shellcheck disable=SC2016 # expands in the job
  PATH=$work/bin:$PATH rv run -g 1 --type a40 --time 20m --name "$@" -- \
    bash -c 'echo x >>runs; echo said; echo result >result; [ -z "${RV_DONE_FILE:-}" ] || touch "$RV_DONE_FILE"; exit 0'
}
copies() { [ -e "$work/copies" ]; }
ended() { equal "$1" "$2" "$(field "$1" "['state']") $(field "$1" "['exit_code']") $(field "$1" "['output_copy']")"; }

# One that is followed to the end.
begin slow -f --output result >"$work/out" 2>"$work/err" &
client=$!
wait_for 60 copies || fail "no copy: $(cat "$work/err")"
for ((i = 0; i < 15; i++)); do rv ps >/dev/null && sleep 0.3; done
ended slow "ending 0 under_way"
contains "stderr" "its output is being copied" "$(<"$work/err")"
rv pull slow >/dev/null 2>"$work/pull"
contains "pull" "is still copying its output" "$(<"$work/pull")"
rv logs slow >/dev/null 2>"$work/logs"
contains "logs" "is being copied, or the copy was interrupted" "$(<"$work/logs")"
touch "$work/go"
client_ended "$client" 0 said
ended slow "done 0 copied"
rv pull slow here >/dev/null
equal "what was pulled" result "$(<here/result)"

# The time limit comes while it copies. A chain's last segment copies too.
for options in "" "--checkpoint --segment-time 10m"; do
  name="cut${options:+chain}"
  # shellcheck disable=SC2086 # several options
  begin "$name" $options --output result >/dev/null 2>&1
  wait_for 60 copies || fail "$name: no copy"
  scontrol update jobid="$(job_of "$name")" EndTime="$(date -d "+2 seconds" +%FT%T)"
  wait_for 150 over "$name" || fail "not over: $(rv show "$name")"
  ended "$name" "done 0 timeout"
  contains "show" "the copy of its output was cut off by the time limit" "$(rv show "$name")"
  rv gc >/dev/null
done

# rv stop ends the copy, and the exit code stays.
begin stopped --output result >/dev/null 2>&1
wait_for 60 copies || fail "stopped: no copy"
contains "rv stop" "the copy of its output is cancelled" "$(rv stop stopped)"
wait_for 60 over stopped || fail "not over: $(rv show stopped)"
ended stopped "done 0 cancelled"

# An array, one path of which does not exist; the follower starts once its predecessor's copies have ended.
touch "$work/go"
PATH=$work/bin:$PATH rv run -g 1 --type a40 --time 20m --name several --array 0-1 --output result --output absent -- true >/dev/null 2>&1
wait_for 60 over several || fail "not over: $(rv show several)"
ended several "done 0 failed"
begin first --output result >/dev/null 2>&1
wait_for 60 copies || fail "first: no copy"
# shellcheck disable=SC2016 # expands in the job
rv run -g 1 --type a40 --time 5m --name second --after first:ok -- bash -c 'cat "$0"/runs/*/output/result >after' "$RV_HOME" >/dev/null 2>&1
touch "$work/go"
wait_for 90 over second || fail "not over: $(rv show second)"
equal "second" "done" "$(field second "['state']")"
