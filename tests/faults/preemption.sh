#!/usr/bin/env bash
# Preemption, with requeue and with cancel: a plain command does not run twice, and rv reports why it ended.
# shellcheck source=tests/faults/lib.sh
source "$(dirname "$0")/lib.sh"

for partition in scavenge spot; do
  rm -f runs
  in_background rv run -g 2 --single-node --partition "$partition" --time 5m --name "in-$partition" -f \
    bash -c 'echo ran >>runs; sleep 300'
  client=$!
  wait_for 20 has_lines runs 1 || fail "does not start in $partition"
  urgent=$(sbatch --parsable -J urgent -p urgent -N 4 --gres=gpu:2 --mem=1G -t 10 -o /dev/null --wrap 'sleep 20')
  code=0
  wait "$client" || code=$?
  equal "$partition: exit code" 123 "$code"
  equal "$partition: state" preempted "$(field "in-$partition" "['state']")"
  contains "$partition: what the user sees" preempted "$(<"$work/err")"
  equal "$partition: executions" 1 "$(lines_in runs)"
  scancel "$urgent"
done
