#!/usr/bin/env bash
# -v prints on stderr what rv does, and leaves stdout unchanged.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
runs rv plan --cluster "$cluster" --json
cp "$work/out" quiet
for words in '-v plan' 'plan -v' '--verbose plan' 'plan --verbose'; do
  # shellcheck disable=SC2086
  exits 0 rv $words --cluster "$cluster" --json
  cmp quiet "$work/out" || fail 'stdout differs'
  contains stderr 'rv: cluster from' "$err"
  contains stderr '4 nodes, 2 partitions, 1 job' "$err"
done
