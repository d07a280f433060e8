#!/usr/bin/env bash
# A host loses its sshd or its worker during the test, or rv is killed: the host is named at once, the others end, and no
# process or file is left.
# shellcheck source=tests/hosts/lib.sh
source "$(dirname "$0")/lib.sh"
make_hosts 3

# sshd dies on one host, and with it the session.
begin rv-compute "${long[@]}"
kill_sshd h2
ends 3 20
contains "who it was" "error  h2: its script has ended" "$out"
contains "the verdict" "error: " "$(tail -2 <<<"$out")"
contains "that it is not whole" "started but did not end" "$out"
start_sshd h2 10.77.0.12

# A rank is killed on one host: the others learn it from the ranks' meeting, and rv names it.
begin rv-collective --full --suite collective
ranks=$(pids_of h2 rv-collective)
kill -KILL "$(tail -1 <<<"$ranks")"
ends 3 30
contains "who it was" "h2" "$(grep '^error' <<<"$out")"
contains "how" "signal 9" "$(grep '^error' <<<"$out")"

# The script that runs the workers is killed on one host.
begin rv-compute "${long[@]}"
node=$(pgrep -f "$work/tmp/rv-host-.*/node.sh" | while read -r pid; do ip netns pids h3 | grep -x "$pid" || true; done)
kill -KILL "$node"
ends 3 20
contains "who it was" "error  h3: the script that runs the workers ended with code 137" "$out"

# Ctrl-C, and an rv that is killed by SIGKILL.
begin rv-compute "${long[@]}"
kill -INT "$rv"
ends 130 15
contains "what to do with the rest" "rv accept --judge $RV_HOME/accept/" "$err"
begin rv-compute "${long[@]}"
kill -KILL "$rv"
ends 137 5

# Ctrl-C while it still connects: one that never answers.
mkfifo "$work/never"
# shellcheck disable=SC2016 # for the other shell
printf 'Host slow\n  ProxyCommand cat %s\n' "$work/never" >"$work/root/.ssh/config"
in_background "$RV" accept --hosts h1,slow --device cpu
rv=$!
wait_for 30 runs_on h1 bash || fail "h1 does not begin"
kill -INT "$rv"
ends 130 20
rm "$work/root/.ssh/config"

