#!/usr/bin/env bash
# The run folder or the working folder fails the job: nothing starts, and the user is told which folder it was.
# shellcheck source=tests/faults/lib.sh
source "$(dirname "$0")/lib.sh"

# The working folder is gone when the job gets there.
mkdir "$work/soon-gone"
sbatch --parsable -J busy -p urgent -N 4 --gres=gpu:2 --mem=1G -t 10 -o /dev/null --wrap 'sleep 4' >/dev/null
(cd "$work/soon-gone" && rv run -g 2 --time 5m --name no-folder bash -c 'echo ran' >/dev/null 2>&1)
rmdir "$work/soon-gone"
wait_for 30 over no-folder || fail "not over: $(rv show no-folder)"
equal "state" failed "$(field no-folder "['state']")"
contains "what the user sees" "soon-gone can't be entered" "$(rv logs no-folder --err 2>&1)"

# Runs on a file system of their own, which fills up or loses its write permission while the job waits.
mkdir "$work/small"
mount -t tmpfs -o size=1m tmpfs "$work/small"
trap 'mount -o remount,rw "$work/small" 2>/dev/null; umount -l "$work/small"; clean_up' EXIT
for fault in full read-only; do
  export RV_HOME="$work/small/$fault"
  sbatch --parsable -J busy -p urgent -N 4 --gres=gpu:2 --mem=1G -t 10 -o /dev/null --wrap 'sleep 6' >/dev/null
  rv run -g 2 --time 5m --name "$fault" bash -c 'echo ran >>runs' >/dev/null 2>&1
  wait_for 10 state_is "$fault" queued || fail "not queued: $(rv show "$fault")"
  if [ "$fault" = full ]; then
    dd if=/dev/zero of="$work/small/fill" bs=4k 2>/dev/null || true
  else
    mount -o remount,ro "$work/small"
  fi
  wait_for 30 no_jobs || fail "$fault: $(squeue)"
  equal "$fault: executions" 0 "$(lines_in runs)"
  # Looking is possible all the same, and no success is seen.
  state=$(field "$fault" "['state']") || fail "$fault: rv show fails: $(rv show "$fault" 2>&1)"
  case $state in
    "done" | running) fail "$fault: state $state" ;;
  esac
  rm -f "$work/small/fill"
  mount -o remount,rw "$work/small"
done
