#!/usr/bin/env bash
# Unused GPUs are released: a wait ends with its terminal, and an unattended hold ends by itself. A shell that is ended by the
# time limit is not a success.
# shellcheck source=tests/real/lib.sh disable=SC2016 # what expands in the job is in single quotes
source "$(dirname "$0")/lib.sh"
at_terminal() { python3 "$root/tests/on_terminal.py" "$@"; }
state_of() { field "$1" "['state']"; }
is() { [ "$(state_of "$1")" = "$2" ]; }

# A shell that its time limit will end; Slurm counts whole minutes, and the rest of this test runs meanwhile.
at_terminal '[{"until": "is yours"}, {"until": "left until the time limit"}, 150]' \
  env SHELL=/bin/bash "$RV" up -g 1 -t a40 --time 1m --name short >short.typescript &
short=$!

# The terminal goes away while it waits: given up, as by Ctrl-C.
busy=$(occupy gpu-a6000 2 a6000:8)
code=0
at_terminal '[{"until": "waiting for GPUs"}, "hang up"]' "$RV" up -g 4 -t a6000 --time 10m --name gone >/dev/null || code=$?
equal "exit code of SIGHUP" 129 "$code"
wait_for 30 is gone stopped || fail "goes on without its terminal: $(rv show gone)"
[ -z "$(squeue -h --me -t PENDING)" ] || fail "candidates are left: $(squeue -h)"
# SIGTERM is an interrupt with its own code; below nohup the end of the terminal has no effect.
code=0
"$RV" run -f -g 4 -t a6000 --time 5m --name ended true 2>err &
wait_for 30 grep -qs 'pending' err || fail "does not wait: $(<err)"
kill -TERM $!
wait $! || code=$?
equal "exit code of SIGTERM" 143 "$code"
at_terminal '[6, "hang up"]' nohup "$RV" up -g 4 -t a6000 --time 10m --name stays >/dev/null &
nohup=$!
wait_for 30 is stays queued || fail "does not wait: $(rv show stays)"
sleep 6 # longer than the terminal waits before it hangs up
equal "below nohup" queued "$(state_of stays)"
exits 0 rv stop stays
wait "$nohup" || true
scancel "$busy"

# A shell keeps the hold; after its terminal has gone, and without a return, the job releases it by itself.
at_terminal '[{"until": "is yours"}, 14, "echo still-$((40+2))\n", {"until": "still-42"}, "hang up"]' \
  "$RV" up -g 1 -t a40 --time 10m --unattended 10s --name left >typescript || true
contains "a shell for longer than that" still-42 "$(<typescript)"
equal "at first it is kept" holding "$(state_of left)"
wait_for 40 is left "done" || fail "held by nobody: $(rv show left)"
contains "why" "released: no shell was open for 10s" "$(rv show left)"
# Who asks for it keeps it without anybody there.
exits 0 rv up -d -g 1 -t a40 --time 10m --name kept
exits 0 rv up -d -g 1 -t a40 --time 10m --unattended 3s --name brief
wait_for 30 is brief "done" || fail "not released: $(rv show brief)"
equal "kept" holding "$(state_of kept)"
exits 0 rv stop kept

# With --idle-stop idle GPUs are released after a warning; busy GPUs, or those without readings, are not.
# nvidia-smi is a stand-in: the sandbox's GPUs have no driver.
mkdir "$work/bin"
cat >"$work/bin/nvidia-smi" <<'S'
#!/bin/bash
[ "$1" = -i ] || exit 3
for gpu in ${2//,/ }; do cat "$RV_TEST_LOAD"; done
S
chmod +x "$work/bin/nvidia-smi"
export RV_TEST_LOAD=$work/load PATH=$work/bin:$PATH
echo 37 >"$RV_TEST_LOAD"
at_terminal '[{"until": "is yours"}, 60, 60, 60]' env SHELL=/bin/bash \
  "$RV" up -g 2 -t a40 --time 30m --idle-stop 10s --name idle >typescript &
terminal=$!
wait_for 30 is idle holding || fail "does not hold: $(rv show idle)"
sleep 14 # longer than --idle-stop
equal "at work" holding "$(state_of idle)"
echo '[N/A]' >"$RV_TEST_LOAD"
sleep 12 # as above
equal "nobody knows" holding "$(state_of idle)"
echo 0 >"$RV_TEST_LOAD"
wait_for 30 is idle "done" || fail "goes on without work: $(rv show idle)"
wait "$terminal" || true
contains "a warning" "the GPUs are idle and will be released in about" "$(<typescript)"
contains "afterwards" "released: its GPUs were idle for 10s" "$(<typescript)"
exits 2 rv up -g 1 --run true --idle-stop 5m
contains "with a command" "--idle-stop and --run can't be combined" "$err"

# The time limit is announced on the terminal and in the prompt, and ending by it is not success.
code=0
wait "$short" || code=$?
equal "exit code" 123 "$code"
contains "in the prompt" "m left] " "$(<short.typescript)"
contains "afterwards" "the job hit its time limit" "$(<short.typescript)"
equal "state" timeout "$(state_of short)"
contains "cause" "time limit of 1m" "$(rv why short)"
