#!/usr/bin/env bash
# An array that follows a chain of several segments: if its elements start between two segments, they see that the chain
# continues and go back into the queue together as one job. In the end each element has run once.
# shellcheck source=tests/chain/lib.sh disable=SC2016 # what expands in the job is in single quotes
source "$(dirname "$0")/lib.sh"

begin --checkpoint --time 3h --segment-time 30m --warn 8m -g 1 -t a40 --name led "$here/app.sh" 60
begin --time 10m -g 1 -t a40 --name swept --array 0-5 --after led \
  'echo "$RV_ARRAY_INDEX $(wc -l <steps.0)" >>swept'
wait_real 300 over led || fail "not over: $(rv show led)"
wait_real 200 over swept || fail "not over: $(rv show swept); $(squeue)"
equal "states" "done done" "$(field led "['state']") $(field swept "['state']")"
equal "elements" "0 1 2 3 4 5" "$(cut -d' ' -f1 swept | sort -n | paste -sd' ')"
equal "steps of the chain when they ran" 60 "$(cut -d' ' -f2 swept | sort -u | paste -sd' ')"
segments=$(segments led)
[ "$segments" -ge 3 ] || fail "the chain had $segments segments"
# A job of the array at first, and at most one more for each start between two segments.
name="swept@$(field swept "['id']")."
jobs=$(sacct -n -X -o JobID%30,JobName%40 | sed -n "s/^ *\([0-9]*\)_.* $name.*/\1/p" | sort -u | wc -l)
[ "$jobs" -ge 2 ] || fail "the elements never started between two segments: $(sacct -n -X -o JobID%30,JobName%40)"
[ "$jobs" -le "$segments" ] || fail "$jobs jobs of the array for $segments segments"
