#!/usr/bin/env bash
# The predecessor of a run ends badly and is started again: the follower neither fails nor starts beside it. And where nobody but
# the follower polls it, it gets its retries and its true end all the same.
# shellcheck source=tests/faults/lib.sh disable=SC2016 # what expands in the job is in single quotes
source "$(dirname "$0")/lib.sh"

# Reaches its time limit, which takes Slurm more than a minute, while the parts below are tested. No rv polls it.
rv run -g 1 --partition gpu --time 1m --retries 1 --retry-on timeout --name limited \
  'echo begun >>limited; [ "$(grep -c begun limited)" = 2 ] || sleep 300' >/dev/null 2>&1
rv run -g 0 --partition gpu --time 5m --name behind --after limited 'cp limited behind' >/dev/null 2>&1

# The new attempt's job is a while coming: its sbatch takes seconds, as it does on a busy cluster.
mkdir "$work/slow"
printf '#!/bin/sh\nsleep 4\nexec %s "$@"\n' "$(command -v sbatch)" >"$work/slow/sbatch"
chmod +x "$work/slow/sbatch"
in_background env "PATH=$work/slow:$PATH" "$RV" run --requeue -g 1 --partition gpu --time 5m --name broken -f \
  'echo "begun $SLURMD_NODENAME" >>order; if [ "$(grep -c begun order)" = 1 ]; then until [ -e break ]; do sleep 0.1; done
   echo "NVRM: Xid (PCI:0000:17:00): 79, GPU has fallen off the bus." >&2; exit 1; fi; sleep 20; echo ended >>order'
client=$!
wait_for 30 has_lines order 1 || fail "does not start: $(rv show broken)"
rv run -g 1 --partition gpu --time 5m --name well --after broken 'echo well >>order' >/dev/null 2>&1
rv run -g 1 --partition gpu --time 5m --name any --after broken:any 'echo any >>order' >/dev/null 2>&1
# Who starts it again comes late, when the followers have long seen the bad end.
kill -STOP "$client"
first=$(job_of broken)
touch break
first_ended() { [ -z "$(squeue -h -j "$first" -t RUNNING,COMPLETING 2>/dev/null)" ]; }
wait_for 30 first_ended || fail "the first job does not end: $(squeue)"
follower=$(job_of any)
looks() { [ "$(squeue -h -j "$follower" -o %t)" = R ]; }
wait_for 30 looks || fail "the follower does not look: $(squeue)"
sleep 4 # it closes the first run 15 s after its first look
kill -CONT "$client"
code=0
wait "$client" || code=$?
equal "exit code of the first" 0 "$code"
wait_for 90 over well || fail "not over: $(rv show well)"
wait_for 90 over any || fail "not over: $(rv show any)"
equal "states" "done done" "$(field well "['state']") $(field any "['state']")"
equal "order" "begun begun ended any well" "$(cut -d' ' -f1 order | head -n 3 | paste -sd' ') $(tail -n +4 order | sort | paste -sd' ')"

# Its node is lost: the follower does not start, and the end is what it would be with a client.
rv run -g 2 --single-node --partition gpu --time 5m --name lost 'echo ran >>runs; sleep 300' >/dev/null 2>&1
wait_for 30 has_lines runs 1 || fail "does not start: $(rv show lost)"
node=$(field lost "['nodes']")
rv run -g 0 --partition gpu --time 5m --name alone --after lost 'echo alone >>runs' >/dev/null 2>&1
fault power-off "slurmd.$node"
wait_for 120 over alone || fail "the follower waits on: $(rv show alone)"
fault start "slurmd.$node"
scontrol update nodename="$node" state=resume >/dev/null 2>&1 || true
contains "the outcome is on record" ' node-failure ' "$(entries outcome lost)"
equal "state" node-failure "$(field lost "['state']")"
contains "detail" "lost its node" "$(field lost "['detail']")"
equal "executions" 1 "$(lines_in runs)"

# With retries for its time limit.
copied() { [ -e behind ]; }
wait_for 150 copied || fail "the follower has not started: $(rv show behind; rv show limited)"
equal "attempts before the follower" 2 "$(lines_in behind)"
equal "state" "done" "$(field limited "['state']")"
contains "why it was retried" "reached its time limit" "$(field limited "['retries']['why']")"
