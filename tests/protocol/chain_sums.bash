#!/usr/bin/env bash
# What a chain's script makes of its segments. usage: chain_sums.bash FUNCTIONS <CASES
# A case: "<total> <whole segment> <least segment> <began> <ended> <reason> <progress> …", four words for each segment; the
# reason "-" is none: a segment that left no end, and was last at work then.
# A line of answer: "<seconds used> <failed in a row> <sbatch's words for the next>".
# shellcheck disable=SC2034,SC2154 # the script under test reads what is set here and sets what is read here
set -u
export SLURM_JOB_ID=10 SLURMD_NODENAME=n1
# shellcheck source=/dev/null # the script under test
. "$1" none
mkdir -p "$chain"
while read -r rv_total rv_segment_length rv_segment_least rest; do
  rm -f "$chain"/*
  rv_segment=0 rv_segment_began=()
  # shellcheck disable=SC2086 # words
  set -- $rest
  while [ $# -gt 0 ]; do
    rv_segment=$((rv_segment + 1))
    rv_segment_began[rv_segment]=$1
    case $3 in
      -) echo "$2" >"$chain/$rv_segment.alive" ;;
      *) echo "0 $2 $3 $4" >"$chain/$rv_segment.end" ;;
    esac
    shift 4
  done
  rv_sum_up
  rv_next_options
  echo "$rv_used $rv_fruitless" ${rv_options[@]+"${rv_options[@]}"}
done
