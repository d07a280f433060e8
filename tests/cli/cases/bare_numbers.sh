#!/usr/bin/env bash
# A number without a unit, an empty command and a number out of range are refused in words.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
for option in --vram --mem; do
  rv plan --cluster "$cluster" $option 40
  expect_code 2
  expect_err "rv: error: $option: \"40\" has no unit
hint: write $option 40G for GiB, or $option 40M for MiB"
  rv plan --cluster "$cluster" $option 1.5
  expect_code 2
  err_has 'has no unit'
done
rv gc --max-size 100
expect_code 2
err_has '--max-size: "100" has no unit'
rv plan --cluster "$cluster" --vram 40G --mem 512M
expect_code 0
for words in run exec; do
  rv $words ''
  expect_code 2
  err_has "rv $words: the command's first word is empty"
  rv $words -- '' next
  expect_code 2
done
for tail in -1 x 1.5 99999999999; do
  rv logs --tail=$tail
  expect_code 2
  expect_err "rv: error: --tail: \"$tail\" is not a whole number from 0 to 1000000000
hint: write it like --tail 4"
done
rv run --procs-per-node x true
expect_code 2
err_has '--procs-per-node: "x" is not a whole number from 1'
