#!/usr/bin/env bash
# Every command has a help page with examples; asking for it needs no settings and no Slurm.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
printf 'no: [yaml\n' > "$RV_SITE"
rv --help
expect_code 0
out_has 'Usage: rv COMMAND [options]'
out_has 'Examples:'
commands=$(sed -n 's/^  \([a-z]*\)  .*/\1/p' "$scratch/out" | grep -vx rv | sort -u)
[ "$(wc -w <<< "$commands")" -ge 5 ] || fail "too few commands: $commands"
for command in $commands; do
  rv "$command" --help
  expect_code 0
  no_err
  out_has "Usage: rv $command"
  out_has 'Examples:'
  out_has "rv $command"
  out_has '--json'
  ! grep -q '.\{101\}' <(LC_ALL=C.UTF-8 grep -v '^  rv ' "$scratch/out") || fail "rv $command --help has a long line"
done
rv plan -g nonsense --help
expect_code 0
out_has 'Usage: rv plan'
rv
expect_code 2
err_has 'Usage: rv COMMAND'
