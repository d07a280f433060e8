#!/usr/bin/env bash
# The command of a random run. It records its starts, signals, ends and output in TRUTH, outside the run folder.
# usage: command.sh TRUTH STEPS CODE XID_STARTS
#   STEPS       lines of output, one per second; a chain counts them over all of its segments
#   CODE        exit code
#   XID_STARTS  this many starts report broken hardware and exit with 7, which makes rv retry the run on other nodes
set -u
truth=$1 steps=$2 code=$3 xid_starts=$4
element=${RV_ARRAY_INDEX:-}
me=${SLURM_JOB_ID:-0}.${SLURM_RESTART_COUNT:-0}.$$
# A line of this length is appended in one write(2).
record() { echo "$EPOCHREALTIME $1 $me ${2:--}" >>"$truth/log${element:+.$element}"; }

exec 9>>"$truth/lock${element:+.$element}"
flock -n 9 || record overlap
earlier=$(grep -c ' start ' "$truth/log${element:+.$element}" 2>/dev/null)
record start "${RV_SEGMENT:-}"
warned=""
trap 'record warned; warned=1' USR1
trap 'record term; exit 143' TERM

say() { # a line counts as output only once it was written
  local line
  printf -v line '%s line %s %0*d' "$me" "$1" "$2" 0
  printf '%s\n' "$line" 2>/dev/null && echo "$line" >>"$truth/output${element:+.$element}"
}
state=${RV_CHECKPOINT_DIR:-}
step=0
[ -z "$state" ] || [ ! -r "$state/step" ] || read -r step <"$state/step"
while [ "$step" -lt "$steps" ]; do
  sleep 1 9>&- &
  wait $!
  step=$((step + 1))
  say "$step" 20
  [ -z "$state" ] || { echo "$step" >"$state/step.new" && mv "$state/step.new" "$state/step"; } 2>/dev/null
  [ -z "$warned" ] || { record end 75 && exit 75; }
done
if [ "${earlier:-0}" -lt "$xid_starts" ]; then
  say "NVRM: Xid (PCI:0000:3b:00): 79, pid=1234, GPU has fallen off the bus." 5
  code=7
fi
say last 2000
record end "$code"
exit "$code"
