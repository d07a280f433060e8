#!/usr/bin/env bash
# Command names of other tools: some are synonyms in rv, and the error for others names rv's nearest command.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
for word in cancel kill; do
  exits 2 rv $word
  contains stderr 'rv stop needs a run' "$err"
done
for word in list ls queue; do
  exits 0 rv $word
  contains stderr 'rv: no runs under way' "$err"
done
runs rv --help
whole=$(<"$work/out")
exits 0 rv help
equal stdout "$whole" "$out"
runs rv run --help
whole=$(<"$work/out")
exits 0 rv help run
equal stdout "$whole" "$out"
exits 2 rv help nothing
contains stderr 'unknown command "nothing"' "$err"
while read -r word meant; do
  exits 2 rv "$word"
  contains stderr "unknown command \"$word\"; did you mean \"$meant\"?" "$err"
done <<'X'
squeue ps
sbatch run
salloc up
scancel stop
sinfo cluster
attach shell
describe show
stpo stop
X
