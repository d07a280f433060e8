#!/usr/bin/env bash
# The run folder or the working folder is missing on the node: the command does not start, and rv names the folder.
# shellcheck source=tests/faults/lib.sh
source "$(dirname "$0")/lib.sh"

# The working folder is gone when the job gets there.
mkdir "$work/soon-gone"
sbatch --parsable -J busy -p urgent -N 4 --gres=gpu:2 --mem=1G -t 10 -o /dev/null --wrap "until [ -e $work/gone ]; do sleep 0.2; done" >/dev/null
(cd "$work/soon-gone" && rv run -g 2 --time 5m --name no-folder bash -c 'echo ran' >/dev/null 2>&1)
rmdir "$work/soon-gone"
touch "$work/gone"
wait_for 30 over no-folder || fail "not over: $(rv show no-folder)"
equal "state" failed "$(field no-folder "['state']")"
contains "what the user sees" "soon-gone can't be entered" "$(rv logs no-folder 2>&1)"

# Runs on their own file system, which fills up, has no room for another file or loses its write permission while the
# job waits.
mkdir "$work/small"
mount -t tmpfs -o size=2m,nr_inodes=400 tmpfs "$work/small"
put_back() {
  mount -o remount,rw "$work/small" 2>/dev/null
  umount -l "$work/small"
}
more_files() { mkdir -p "$work/small/files" && (cd "$work/small/files" && touch {1..400}) 2>/dev/null; }
for fault in full no-more-files read-only; do
  export RV_HOME="$work/small/$fault"
  busy=$(sbatch --parsable -J busy -p urgent -N 4 --gres=gpu:2 --mem=1G -t 10 -o /dev/null --wrap 'sleep 300')
  rv run -g 2 --time 5m --name "$fault" bash -c 'echo ran >>runs' >/dev/null 2>&1
  wait_for 20 all_submitted "$fault" || fail "not all candidates have a job: $(rv show "$fault")"
  equal "state" queued "$(field "$fault" "['state']")"
  case $fault in
    full) dd if=/dev/zero of="$work/small/fill" bs=4k 2>/dev/null || true ;;
    no-more-files) ! more_files || fail "there is room for 400 files more" ;;
    # rv learns from accounting in the background, and has a file open for that long.
    read-only) wait_for 60 mount -o remount,ro "$work/small" 2>/dev/null || fail "it stays writable" ;;
  esac
  scancel "$busy"
  wait_for 30 no_jobs || fail "$fault: $(squeue)"
  equal "$fault: executions" 0 "$(lines_in runs)"
  # Looking is possible all the same, and no success is seen.
  state=$(field "$fault" "['state']") || fail "$fault: rv show fails: $(rv show "$fault" 2>&1)"
  case $state in
    "done" | running) fail "$fault: state $state" ;;
  esac
  rm -rf "$work/small/fill" "$work/small/files"
  mount -o remount,rw "$work/small"
done

# The ledger alone can't be written: the job's last line says why.
export RV_HOME="$work/small/ledger-read-only"
busy=$(sbatch --parsable -J busy -p urgent -N 4 --gres=gpu:2 --mem=1G -t 10 -o /dev/null --wrap 'sleep 300')
rv run -g 2 --time 5m --name ledger-read-only bash -c 'echo ran >>runs' >/dev/null 2>&1
wait_for 20 all_submitted ledger-read-only || fail "not all candidates have a job: $(rv show ledger-read-only)"
ledger=$(field ledger-read-only "['run_folder']")/ledger
mount --bind "$ledger" "$ledger"
mount -o remount,bind,ro "$ledger"
scancel "$busy"
wait_for 30 no_jobs || fail "ledger-read-only: $(squeue)"
equal "ledger-read-only: executions" 0 "$(lines_in runs)"
umount "$ledger"
contains "why the command did not start" "so the command did not start: dd: " "$(rv logs ledger-read-only 2>&1)"
contains "the system's own word" "Read-only file system" "$(rv logs ledger-read-only 2>&1)"

# rv stop cancels the jobs of a run whose folder has no space for the entry, and reports that.
export RV_HOME="$work/small/stopped"
busy=$(sbatch --parsable -J busy -p urgent -N 4 --gres=gpu:2 --mem=1G -t 10 -o /dev/null --wrap 'sleep 300')
rv run -g 2 --time 5m --name stopped bash -c 'echo ran >>runs' >/dev/null 2>&1
wait_for 20 all_submitted stopped || fail "not all candidates have a job: $(rv show stopped)"
dd if=/dev/zero of="$work/small/fill" bs=4k 2>/dev/null || true
contains "rv stop" "the stop could not be recorded" "$(rv stop stopped 2>&1)"
only_busy() { [ "$(squeue -h --me -t PENDING,RUNNING,CONFIGURING -o %A)" = "$busy" ]; }
wait_for 20 only_busy || fail "jobs are left: $(squeue)"
rm "$work/small/fill"
scancel "$busy"
wait_for 30 over stopped || fail "not over: $(rv show stopped)"
equal "state" stopped "$(field stopped "['state']")"

# It fills up while the command runs: the record of the end has its room.
export RV_HOME="$work/small/running"
rv run -g 2 --time 5m --name running bash -c 'echo ran >>runs; until [ -e filled ]; do sleep 0.1; done; exit 5' >/dev/null 2>&1
wait_for 30 has_lines runs 1 || fail "does not start: $(rv show running)"
dd if=/dev/zero of="$work/small/fill" bs=4k 2>/dev/null || true
touch filled
wait_for 30 over running || fail "not over: $(rv show running 2>&1)"
equal "state and exit code" "failed 5" "$(field running "['state']") $(field running "['exit_code']")"
rm "$work/small/fill"

# The same in a chain: the segment's end and the run's have their room, and what has finished is not started again.
export RV_HOME="$work/small/chain"
rm -f runs filled
rv run -g 2 --checkpoint --time 10m --segment-time 5m --name chain \
  bash -c 'echo ran >>runs; until [ -e filled ]; do sleep 0.1; done' >/dev/null 2>&1
wait_for 30 has_lines runs 1 || fail "does not start: $(rv show chain)"
dd if=/dev/zero of="$work/small/fill" bs=4k 2>/dev/null || true
touch filled
wait_for 60 over chain || fail "not over: $(rv show chain 2>&1)"
equal "state" "done" "$(field chain "['state']")"
sleep 5 # a segment too many would start by then
equal "executions" 1 "$(lines_in runs)"
equal "jobs" "" "$(squeue -h --me)"
rm "$work/small/fill"
