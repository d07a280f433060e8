#!/usr/bin/env bash
# What a script does that puts down ends. usage: closing.bash FUNCTIONS predecessor|segment [EXIT]
# predecessor: puts down that the predecessor has come to a bad end. With EXIT its exit record comes just before, in the place
#   that the script was about to take. Prints the answer.
# segment: puts down the end of segment 1 twice, with other words, and once more in a folder that has become full. Prints the
#   answers.
# no_rm: where rm removes nothing, closes segment 1 as lost, begins segment 2, ends it, and prints the entries and ends.
# shellcheck disable=SC2034,SC2154 # the script under test reads what is set here and sets what is read here
set -u
export SLURM_JOB_ID=20 SLURMD_NODENAME=n2
# shellcheck source=/dev/null # the script under test
. "$1" none
case $2 in
  predecessor)
    ended=${3:-}
    if [ -n "$ended" ]; then
      ln() {
        unset -f ln
        printf '%-511s\n' "exit 1 1 10 0 $ended n1 1800000002 10.n1.1 n1" >"$2"
        command ln "$@"
      }
    fi
    rv_close_predecessor
    echo $?
    ;;
  segment)
    rv_segment=1
    rv_write_end_file -
    rv_enter_end "0 1800000002 finished 1"
    echo $?
    rv_enter_end "1 1800000003 crashed 1"
    echo $?
    rv_segment=2
    rv_write_end_file -
    dd if=/dev/zero of="$chain/fill" bs=1k 2>/dev/null
    rv_enter_end "0 1800000004 finished 1"
    echo $?
    cut -d' ' -f1-4 "$chain/2.end"
    ;;
  no_rm)
    rm() { return 1; }
    squeue() { echo "FAILED chain@$RV_RUN_ID.1"; } # job 10 is over, and so this one may go on
    mkdir "$chain"
    rv_begin_segment
    rv_enter_end "0 1800000002 time_limit 1"
    rv_begin_segment
    rv_record_exit 0 exited
    head -q -n 1 "$rv_ledger"[0-9]* | cut -d' ' -f1-7
    head -q -n 1 "$chain"/*.end | cut -d' ' -f1,3-4
    ;;
esac
