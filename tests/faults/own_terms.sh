#!/usr/bin/env bash
# A command that exits at once on TERM, thirty times: by a signal to the batch script, to all processes, and by the time limit.
# The recorded exit code is always the command's own.
# shellcheck source=tests/faults/lib.sh disable=SC2016 # what expands in the job is in single quotes
source "$(dirname "$0")/lib.sh"

rv run -g 1 --partition gpu --time 5m --name timed --array 0-29 \
  'exec perl -e '\''$SIG{TERM} = sub { exit $ARGV[0] % 2 * 7 }; open(my $f, ">", "up.$ARGV[0]"); sleep 300'\'' "$RV_ARRAY_INDEX"' \
  >/dev/null 2>&1
job=$(job_of timed)
elements=$(field timed "['run_folder']")/elements

# Slurm looks for used up time twice a minute: the eight that there are GPUs for wait for that together.
tell() {
  if [ "$1" -lt 8 ]; then
    scontrol update jobid="${job}_$1" EndTime="$(date -d "+2 seconds" +%FT%T)"
  elif [ $(($1 / 2 % 2)) -eq 0 ]; then
    scancel --signal=TERM --batch "${job}_$1"
  else
    scancel --signal=TERM --full "${job}_$1"
  fi
}
signalled=0
tell_new() {
  local file
  for file in up.*; do
    [ -e "$file" ] || continue
    tell "${file#up.}" & # scancel takes its time
    mv "$file" "done.${file#up.}"
    signalled=$((signalled + 1))
  done
  [ "$signalled" -eq 30 ]
}
wait_for 200 tell_new || fail "signalled $signalled of 30: $(squeue)"
ends() { cat "$elements"/[0-9]* 2>/dev/null | grep -c '^exit '; }
all_ended() { [ "$(ends)" -eq 30 ]; }
wait_for 60 all_ended || fail "$(ends) of 30 left a record: $(squeue)"
for ((i = 0; i < 30; i++)); do
  equal "code of element $i" $((i % 2 * 7)) "$(cat "$elements/$i".[0-9]* | sed -n 's/^exit \([^ ]* \)\{5\}\([^ ]*\).*/\2/p')"
done
