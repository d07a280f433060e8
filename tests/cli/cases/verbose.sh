#!/usr/bin/env bash
# -v says on stderr what rv does; stdout stays the same.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
rv plan --cluster "$cluster" --json
cp "$scratch/out" quiet
for words in '-v plan' 'plan -v' '--verbose plan' 'plan --verbose'; do
  # shellcheck disable=SC2086
  rv $words --cluster "$cluster" --json
  expect_code 0
  cmp quiet "$scratch/out" || fail 'stdout differs'
  err_has 'rv: cluster from'
  err_has '4 nodes, 2 partitions, 1 jobs'
done
