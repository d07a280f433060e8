#!/usr/bin/env bash
# PrivateData and hidden partitions: what a user may not see is unknown and never treated as absent, and a hidden partition that
# accepts jobs is used.
# shellcheck source=tests/sites/lib.sh
source "$(dirname "$0")/lib.sh"

occupied -p gpu -w new-1 --gres=gpu:h100:2
submitted -p gpu -w new-1 --gres=gpu:h100:2
equal "others' jobs that the user sees" "" "$(as games squeue -h -a -u root)"

# The nodes say that the GPUs are taken; nobody says until when, or who waits.
exits 0 rv cluster
equal "h100" "1 2 0 2 0 unknown" "$(row h100)"
contains "cluster" "PrivateData=jobs" "$out"
exits 0 rv plan -g 1 -t h100 --time 10m
contains "plan" "unknown: the queue does not show the jobs that hold nodes" "$out"
lacks "plan" "over a week" "$out"
exits 0 rv_of_root cluster
equal "h100, as root sees it" "1 2 0 2 0 2" "$(row h100)"
lacks "root's cluster" "PrivateData" "$out"
matches "root's wait" '^[0-9]+ replay of' "$(rv_of_root plan -g 1 -t h100 --time 10m --json | wait_of)"

# It waits, says why, and ends.
exits 0 rv run -g 1 -t h100 --time 10m --name waits sleep 100
in_queue() { [[ $(rv ps) == *waits*queued* ]]; }
wait_for 20 in_queue || fail "not queued: $(rv ps)"
contains "why" "it is waiting in the queue" "$(rv why waits)"
exits 0 rv stop waits
equal "user's jobs on that node" "" "$(squeue -h -u games -w new-1)"

# Hidden partitions are offered to nobody, and taken from those who name them.
exits 120 rv plan -g 1 -t a6000 --time 10m
exits 2 rv plan -g 1 --partition hiden --time 10m
lacks "the partitions there are" "hidden" "$err"
exits 0 rv run -f -g 1 --partition hidden --time 10m echo there
equal "in a hidden partition" "there" "$out"
