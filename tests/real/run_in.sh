#!/usr/bin/env bash
# rv run --in RUN: commands inside a run that holds GPUs, each with its own GPUs, log and exit code; none of them ends the hold.
# shellcheck source=tests/real/lib.sh disable=SC2016 # what expands in the job is in single quotes
source "$(dirname "$0")/lib.sh"

state_of() { field "$1" "['state']"; }
is_in() { [ "$(state_of "$1")" = "$2" ]; }
hold() { # NAME GPUS OPTION…
  local name=$1 gpus=$2
  shift 2
  exits 0 rv up --detach --name "$name" -g "$gpus" -t a40 --time 30m "$@"
  wait_for 30 is_in "$name" holding || fail "not holding: $(rv show "$name")"
}
# A command that says which GPU it has, and ends when the file is there.
until_there='echo "gpu $SLURM_STEP_GPUS of $CUDA_VISIBLE_DEVICES at $MASTER_PORT"; until [ -e %s ]; do sleep 0.2; done; exit %s'
waits() { # shellcheck disable=SC2059 # the text above
  printf "$until_there" "$1" "$2"
}
begun() { contains_line "$1" '^gpu '; }
contains_line() { rv logs "$1" 2>/dev/null | grep -q "$2"; }

hold box 2

# Two commands on halves of the hold: different GPUs, logs of their own, exit codes of their own.
exits 0 rv run --in box -g 1 --name left bash -c "$(waits "$work/end-left" 3)"
exits 0 rv run --in box -g 1 --name right bash -c "$(waits "$work/end-right" 0)"
wait_for 20 begun left || fail "left has not begun: $(rv show left)"
wait_for 20 begun right || fail "right has not begun: $(rv show right)"
gpus=$(for name in left right; do rv logs "$name"; done | sed 's/ at .*//; s/ of .*//' | sort)
equal "one GPU each" $'gpu 0\ngpu 1' "$gpus"
[ "$(rv logs left | sed 's/.* at //')" != "$(rv logs right | sed 's/.* at //')" ] || wrong "both meet at one port"
exits 0 rv ps
has_line "rv ps" "left +running .*1× A40 .*in run $(field box "['id']") on " "$out"

# No GPU is left: a third command of unknown size is refused, one with -g waits, and rv stop ends its waiting.
exits 2 rv run --in box true
contains "all in use" "other commands use all 2 GPUs" "$err"
exits 0 rv run --in box -g 1 --name third bash -c 'echo third'
contains "says that it waits" "0 of 2 GPUs of run" "$err"
wait_for 10 is_in third queued || fail "third: $(rv show third)"
contains "why it waits" "waits for 1× A40" "$(rv show third)"
exits 0 rv stop third
equal "stopped in time" stopped "$(state_of third)"
# With --overlap it runs at once beside them.
exits 5 rv run -f --in box -g 1 --overlap bash -c 'exit 5'

touch "$work/end-left"
exits 3 rv wait left
exits 0 rv logs left
matches "its log" '^gpu ' "$out"
exits 0 rv show left --json
contains "the code" '"exit_code": 3' "$out"
# Its GPU is free again: who waits for it gets it.
exits 7 rv run -f --in box -g 1 bash -c 'exit 7'
equal "the hold" holding "$(state_of box)"

# rv stop ends one command, with TERM first, and never the hold or another command.
exits 0 rv run --in box -g 1 --name ended bash -c 'trap "echo got TERM; exit 9" TERM; echo up; while :; do sleep 0.2; done'
wait_for 20 contains_line ended up || fail "ended: $(rv show ended)"
exits 0 rv stop ended
stopped() { is_in ended stopped; }
wait_for 20 stopped || fail "not stopped: $(rv show ended)"
contains "TERM reached it" "got TERM" "$(rv logs ended)"
equal "the other command" running "$(state_of right)"
equal "the hold" holding "$(state_of box)"
touch "$work/end-right"
exits 0 rv wait right

# Without -g: all GPUs. rv that started it may be killed, and the command goes on.
exits 0 rv run --in box --name alone bash -c "echo \"gpu \$SLURM_STEP_GPUS\"; $(waits "$work/end-alone" 4)"
wait_for 20 begun alone || fail "alone: $(rv show alone)"
matches "all GPUs" 'gpu 0,1' "$(rv logs alone)"
srun_gone() { ! pgrep -f "srun --jobid.*$(field alone "['id']")" >/dev/null; }
wait_for 10 srun_gone || wrong "an srun is left on this machine"
touch "$work/end-alone"
exits 4 rv wait alone

# A client that dies while the command waits for GPUs: the next rv starts it, once.
exits 0 rv run --in box --name blocks bash -c "$(waits "$work/end-blocks" 0)"
wait_for 20 begun blocks || fail "blocks: $(rv show blocks)"
exits 0 rv run --in box -g 2 --name orphan bash -c 'echo once >>'"$work/count"
wait_for 10 is_in orphan queued || fail "orphan: $(rv show orphan)"
for pid in $(all_of_rv); do kill -KILL "$pid"; done
touch "$work/end-blocks"
done_orphan() { is_in orphan 'done'; }
wait_for 40 done_orphan || fail "orphan: $(rv show orphan)"
equal "started once" once "$(<"$work/count")"

# A step that Slurm kills leaves no record: the run does not go on for ever, and nothing is called a success.
exits 0 rv run --in box -g 1 --name killed sleep 300
wait_for 20 is_in killed running || fail "killed: $(rv show killed)"
step=$(squeue -s -h --me -o '%i %j' | sed -n "s/ killed@.*//p")
scancel --signal=KILL "$step"
lost() { is_in killed lost; }
wait_for 30 lost || fail "killed: $(rv show killed)"
equal "the hold" holding "$(state_of box)"

# More than there is, and words that make no sense.
exits 2 rv run --in box -g 3 true
contains "too many" "-g 3: run $(field box "['id']") has 2 GPUs" "$err"
exits 2 rv run --in box -g 1 -c 999 true
contains "too many CPUs" "-c 999: run" "$err"

# The hold ends: so does the command, and its outcome says so.
exits 0 rv run --in box -g 1 --name inner bash -c 'echo up; sleep 300'
wait_for 20 contains_line inner up || fail "inner: $(rv show inner)"
exits 0 rv run --in box -g 2 --name late true
exits 0 rv stop box
over() { is_in inner stopped; }
wait_for 40 over || fail "inner: $(rv show inner)"
contains "why" "the job of run $(field box "['id']") was cancelled" "$(rv show inner)"
refused() { is_in late refused; }
wait_for 40 refused || fail "late: $(rv show late)"
contains "why" "ended before the command started" "$(rv show late)"
exits 122 rv run --in box true
contains "the hold is over" "is over and holds nothing" "$err"

# A command counts as somebody who uses the hold: it is released only after the command's end.
hold short 1 --unattended 10s
exits 0 rv run --in short -g 0 --name works bash -c 'sleep 22; exit 6'
exits 6 rv wait works
equal "the hold" holding "$(state_of short)"
released() { is_in short 'done'; }
wait_for 40 released || fail "not released: $(rv show short)"

# A run with a command of its own shares its GPUs only if the user says so.
exits 0 rv run --name busy -g 1 -t a40 --time 10m sleep 300
wait_for 30 is_in busy running || fail "busy: $(rv show busy)"
exits 2 rv run --in busy true
contains "shares" "add --overlap to share them with it" "$err"
exits 8 rv run -f --in busy --overlap bash -c 'exit 8'
exits 0 rv stop busy
