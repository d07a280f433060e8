#!/usr/bin/env bash
# Reused process IDs can make a ring of parents while processes are read one after another: templates/chain/process_tree.inc.sh
# still terminates, with the system's awk and with busybox's.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/rv-ring-XXXXXX")
# shellcheck source=tests/assertions.sh
source "$root/tests/assertions.sh"
trap 'code=$(end_code "$?"); drop_work "$code"; exit "$code"' EXIT
goes_on=yes

# process ID PARENT: its line of /proc/ID/stat.
process() { echo "$1 (p) S $2 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 $1 0 0"; }
{
  printf '@script\n100 7 t\n@group\n@group\n@known\nk 600 600\n@environments\n@groups\n'
  for id in 100 200 300 400 500 600; do echo "$id/cgroup:@group"; done
  echo @stat
  # The script's own parents, two of others, and one that the command is known to have.
  process 100 200 && process 200 300 && process 300 200
  process 400 500 && process 500 400
  process 600 1
} >"$work/read"
sed -n '/^rv_sort_out() {/,/^}/p' "$root/templates/chain/process_tree.inc.sh" >"$work/part.sh"
mkdir "$work/busybox"
ln -s "$(command -v busybox)" "$work/busybox/awk"
for tools in system busybox; do
  [ "$tools" = system ] || PATH=$work/busybox:$PATH
  # shellcheck disable=SC2016 # for the inner shell
  exits 0 timeout 20 bash -c 'source "$0" && rv_sort_out <"$1"' "$work/part.sh" "$work/read"
  contains "what is the command's, $tools awk" 'k 600 600' "$out"
done
