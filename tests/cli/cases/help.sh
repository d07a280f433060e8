#!/usr/bin/env bash
# Every command has a help page with examples, and printing it needs neither settings nor Slurm.
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
# -h is the short page: it fits on a screen and names the long one.
exits 0 rv -h
[ "$(wc -l < "$work/out")" -le 40 ] || fail "rv -h has more than 40 lines"
contains stdout 'rv --help lists all commands' "$out"
for command in $commands; do
  exits 0 rv "$command" -h
  equal stderr "" "$err"
  [ "$(wc -l < "$work/out")" -le 40 ] || fail "rv $command -h has more than 40 lines"
  contains stdout 'Examples:' "$out"
  contains stdout "rv $command --help" "$out"
done
# Options that make no sense for a command are not shown.
for option in accept:--single-node sweep:--nodes jupyter:--procs-per-node jupyter:--checkpoint up:--checkpoint; do
  ! rv "${option%:*}" --help | grep -qe "^ *${option#*:} " || fail "rv ${option%:*} --help shows ${option#*:}"
done
exits 0 rv --help
contains stdout 'Test GPUs:' "$out"
exits 0 rv plan -g nonsense --help
contains stdout 'Usage: rv plan' "$out"
exits 0 rv up -h
contains stdout 'Usage: rv up [options] [SCRIPT [ARG…]]' "$out"
# rv rerun takes what is not given from the earlier run, and has no defaults.
exits 0 rv rerun --help
contains stdout '--time TIME' "$out"
! grep -qF 'default: 2:59:00' "$work/out" || fail "rv rerun --help shows a default"
exits 0 rv run --help
contains stdout 'default: 2:59:00' "$out"
exits 0 rv forward -h
contains stdout 'Usage: rv forward [options] [PORT…] [RUN]' "$out"
exits 2 rv
contains stderr 'Usage: rv COMMAND' "$err"
