#!/usr/bin/env bash
# rv up holds GPUs: with --detach until rv shell enters and rv stop releases them, on a terminal with a shell at once.
# shellcheck source=tests/real/lib.sh disable=SC2016 # what expands in the job is in single quotes
source "$(dirname "$0")/lib.sh"

exits 0 rv up --detach -g 2 -t a6000 --time 30m
id=$out
holding() { [ "$(field "$id" "['state']")" = holding ]; }
wait_for 30 holding || fail "not holding: $(rv show "$id")"
{ echo 'echo "in $CUDA_VISIBLE_DEVICES on $RV_RUN_ID"'; echo exit 6; } >typed
code=0
script -qec "$RV shell $id" /dev/null <typed >typescript || code=$?
contains "the shell" "in 0,1 on $id" "$(<typescript)"
holding || fail "leaving the shell released the GPUs"
exits 0 rv stop "$id"
wait_for 20 no_jobs || fail "still held"

# On a terminal: a shell, and the GPUs are released when it ends.
python3 "$root/tests/on_terminal.py" '[{"until": "is yours"}, 2, "echo \"gpus=$CUDA_VISIBLE_DEVICES\"\n", {"until": "gpus=0"}, "exit\n"]' \
  "$RV" up -g 1 -t a40 --time 30m >typescript || true
contains "the shell" "gpus=0" "$(<typescript)"
contains "release" "released" "$(<typescript)"
wait_for 20 no_jobs || fail "still held"

# In the shell rv is found, also where the start-up files of a login shell set PATH again; leaving it after a command that
# is not there shows no line of srun's.
mkdir home
echo 'export PATH=/usr/bin:/bin' >home/.bash_profile
HOME=$PWD/home python3 "$root/tests/on_terminal.py" \
  '[{"until": "is yours"}, 2, "echo rv=$(command -v rv)\n", 1, "nosuchprogram\n", {"until": "not found"}, "exit\n"]' \
  "$RV" up -g 1 -t a40 --time 30m >typescript || true
contains "rv in the shell" "rv=$RV" "$(<typescript)"
contains "release" "released" "$(<typescript)"
lacks "srun's line" "Exited with exit code" "$(<typescript)"
wait_for 20 no_jobs || fail "still held"

# Without a terminal and without --detach it waits for the GPUs, reports them and returns.
exits 0 rv up -g 1 -t a40 --time 30m
equal state holding "$(field "$out" "['state']")"
