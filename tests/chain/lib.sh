# Sourced by every test of a chain. RV is the dynamic binary, on the fast clock of its sandbox. Runs start one after the other:
# nine plans in one second (a minute on that clock) overload the controller.
# shellcheck shell=bash
# They begin one after the other: nine plans in one second, on a clock that makes a minute of it, find a controller that
# is busy.
exec 9>"${RV_SANDBOX_DIR:?the folder of a running sandbox}.begin"
flock 9
sleep 3
exec 9>&-
# shellcheck source=tests/real/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../real/lib.sh"
# shellcheck disable=SC2034  # for the tests
here=$root/tests/chain
# Several of these tests run at once: each cleans up its own runs only.
clean_up_own_runs() {
  local code=$?
  code=$(end_code "$code")
  "$RV" stop --all >/dev/null 2>&1
  [ "$(type -t mend)" != function ] || mend
  drop_work "$code"
  exit "$code"
}
trap clean_up_own_runs EXIT
goes_on=yes

# On the fast clock the controller hangs up on a question now and then, and Slurm's commands would die of it.
trap '' PIPE

# wait_real SECONDS COMMAND…: of this machine where its fast clock makes a minute of an hour, else as much longer.
wait_real() { wait_for $(($1 * 60 / $(<"$RV_SANDBOX_DIR/speed"))) "${@:2}"; }

# rv run, detached; its words are shown where it does not start.
begin() {
  rv run "$@" >/dev/null 2>"$work/begun" || fail "rv run $*: exit code $?: $(cat "$work/begun")"
}

over() { [ "$(field "$1" "['over']" 2>/dev/null)" = True ]; }
state_is() { [ "$(field "$1" "['state']" 2>/dev/null)" = "$2" ]; }
segments() { field "$1" "['chain']['segments'].__len__()" 2>/dev/null || echo 0; }
has_segments() { [ "$(segments "$1")" -ge "$2" ]; }
reasons() { field "$1" "['chain']['segments']" | python3 -c 'import ast,sys; print(" ".join(s["reason"] or "open" for s in ast.literal_eval(sys.stdin.read())))'; }
# each_step_once FILE LAST: 1 to LAST, in order, none twice.
each_step_once() { [ "$(cut -d' ' -f1 "$1" | tr '\n' ' ')" = "$(seq -s' ' 1 "$2") " ]; }
all_steps() { [ "$(cut -d' ' -f1 "$1" | sort -nu | tr '\n' ' ')" = "$(seq -s' ' 1 "$2") " ]; }
# Never two segments at once: each began after the one before had ended.
one_after_the_other() {
  field "$1" "['chain']['segments']" | python3 -c '
import ast, sys
segments = ast.literal_eval(sys.stdin.read())
for before, after in zip(segments, segments[1:]):
    assert before["ended"] and before["ended"] <= after["began"], (before, after)'
}

# rv's patience with Slurm's commands is in real seconds: on the fast clock thirty of them would be half a second.
export FAKETIME_DONT_FAKE_MONOTONIC=1
