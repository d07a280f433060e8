#!/usr/bin/env bash
# Memory without a unit, an empty command and a number out of range are rejected, each with a message that names the option.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
for option in --vram --mem; do
  exits 2 rv plan --cluster "$cluster" $option 40
  equal stderr "rv: error: $option \"40\": expected an amount of memory with its unit
hint: write $option 40G for GiB, or $option 40M for MiB" "$err"
  exits 2 rv plan --cluster "$cluster" $option 1.5
  contains stderr 'expected an amount of memory with its unit' "$err"
done
exits 2 rv plan --cluster "$cluster" --vram 0
equal stderr 'rv: error: --vram "0": expected an amount of memory above 0
hint: write it as 40G, 512M or 1.5T' "$err"
exits 0 rv plan --cluster "$cluster" --mem 0
exits 2 rv gc --max-size 100
contains stderr '--max-size "100": expected an amount of memory with its unit' "$err"
exits 0 rv plan --cluster "$cluster" --vram 40G --mem 512M
for words in run exec; do
  exits 2 rv $words ''
  contains stderr "rv $words: the command's first word is empty" "$err"
  exits 2 rv $words -- '' next
done
for tail in -1 x 1.5 99999999999; do
  exits 2 rv logs --tail=$tail
  equal stderr "rv: error: --tail \"$tail\": expected a whole number from 0 to 1000000000
hint: write it like --tail 4" "$err"
done
exits 2 rv run --procs-per-node x true
contains stderr '--procs-per-node "x": expected a whole number from 1' "$err"
