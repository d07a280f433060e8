#!/usr/bin/env bash
# Other tools' words: some are rv's too, for others the nearest of rv's own is named.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
for word in cancel kill; do
  rv $word
  expect_code 2
  err_has 'rv stop needs a run'
done
for word in list ls queue; do
  rv $word
  expect_code 0
  err_has 'rv: no runs under way'
done
rv --help
whole=$(<"$scratch/out")
rv help
expect_code 0
expect_out "$whole"
rv run --help
whole=$(<"$scratch/out")
rv help run
expect_code 0
expect_out "$whole"
rv help nothing
expect_code 2
err_has 'unknown command "nothing"'
while read -r word meant; do
  rv "$word"
  expect_code 2
  err_has "unknown command \"$word\"; did you mean \"$meant\"?"
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
