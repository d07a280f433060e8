#!/usr/bin/env bash
# The site's prolog fails on a node: Slurm drains it and cancels the job, as root. The run is submitted again without that node. What an
# administrator cancels stays cancelled.
# shellcheck source=tests/faults/lib.sh disable=SC2016 # what expands in the job or the prolog is in single quotes
source "$(dirname "$0")/lib.sh"

configuration=$(scontrol show config | sed -n 's/^SLURM_CONF *= //p')
printf '#!/bin/sh\n[ "$SLURMD_NODENAME" = fnode-1 ] && [ -e %q ] && exit 1\nexit 0\n' "$work/fails" >"$work/prolog.sh"
chmod +x "$work/prolog.sh"
chmod 755 "$work"
put_back() {
  sed -i '/^Prolog=/d' "$configuration"
  scontrol reconfigure
  scontrol update nodename=fnode-1 state=resume >/dev/null 2>&1 || true
}
echo "Prolog=$work/prolog.sh" >>"$configuration"
scontrol reconfigure
knows_prolog() { scontrol show config | grep -q "^Prolog .*$work"; }
wait_for 10 knows_prolog || fail "the prolog is not set"
touch "$work/fails"
code=0
rv run -g 1 --partition gpu --time 5m --name sick -f 'echo "$SLURMD_NODENAME" >>runs' >/dev/null 2>"$work/err" || code=$?
equal "exit code" 0 "$code"
equal "executions" 1 "$(lines_in runs)"
lacks "the node" fnode-1 "$(cat runs)"
contains "what the user sees" "the prolog failed on fnode-1" "$(cat "$work/err")"
equal "entries" 1 "$(entries retry sick | wc -l)"

# Somebody cancels a run that waits.
rm "$work/fails"
busy=$(sbatch --parsable -J busy -p urgent -N 3 -w fnode-2,fnode-3,fnode-4 --gres=gpu:2 --mem=1G -t 10 -o /dev/null --wrap 'sleep 300')
is_busy() { [ "$(squeue -h -j "$busy" -o %T)" = RUNNING ]; }
wait_for 30 is_busy || fail "the nodes do not fill up: $(squeue)"
rv run -g 1 --partition gpu --time 5m --name waits 'echo ran >>waited' >/dev/null 2>&1
wait_for 20 all_submitted waits || fail "not submitted: $(rv show waits)"
squeue -h --me -o '%i %j' | sed -n 's/ waits@.*//p' | xargs scancel
wait_for 30 over waits || fail "not over: $(rv show waits)"
equal "state" stopped "$(field waits "['state']")"
contains "why" "cancelled" "$(rv why waits)"
