#!/usr/bin/env bash
# Every command has a help page with examples; asking for it needs no settings and no Slurm.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
printf 'no: [yaml\n' > "$RV_SITE"
exits 0 rv --help
contains stdout 'Usage: rv COMMAND [options]' "$out"
contains stdout 'Examples:' "$out"
commands=$(sed -n 's/^  \([a-z]*\)  .*/\1/p' "$work/out" | grep -vx rv | sort -u)
[ "$(wc -w <<< "$commands")" -ge 5 ] || fail "too few commands: $commands"
for command in $commands; do
  exits 0 rv "$command" --help
  equal stderr "" "$err"
  contains stdout "Usage: rv $command" "$out"
  contains stdout 'Examples:' "$out"
  contains stdout "rv $command" "$out"
  contains stdout '--json' "$out"
  ! grep -q '.\{101\}' <(LC_ALL=C.UTF-8 grep -v '^  rv ' "$work/out") || fail "rv $command --help has a long line"
done
exits 0 rv plan -g nonsense --help
contains stdout 'Usage: rv plan' "$out"
exits 2 rv
contains stderr 'Usage: rv COMMAND' "$err"
