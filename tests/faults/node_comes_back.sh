#!/usr/bin/env bash
# The winner's node stalls in the site's set-up lines until Slurm gives it up, and continues after the run has been started
# again on another node. The command runs once, and the run ends as the second start does.
# shellcheck source=tests/faults/lib.sh disable=SC2016 # what expands in the job is in single quotes
source "$(dirname "$0")/lib.sh"

cat >>"$RV_SITE" <<END
setup:
  - '[ -e $work/first ] || { echo "\$\$ \$SLURM_JOB_ID \$SLURMD_NODENAME" >$work/first; until [ -e $work/go-on ]; do sleep 0.1; done; }'
END
in_background rv run -g 2 --single-node --time 5m --name late -f \
  bash -c 'echo "$SLURM_JOB_ID" >>runs; until [ -e finish ]; do sleep 0.1; done; exit 6'
client=$!
wait_for 30 has_lines "$work/first" 1 || fail "does not start: $(rv show late)"
read -r script first node <"$work/first"
fault freeze "slurmd.$node"
wait_for 60 has_lines runs 1 || fail "does not start again: $(rv show late)"
[ "$(<runs)" != "$first" ] || fail "the first job ran the command"

# Its script continues before its slurmd receives the end of the job.
touch "$work/go-on"
thaw_family "$script"
ended() { ! kill -0 "$script" 2>/dev/null || [ "$(sed 's/.*) //; s/ .*//' "/proc/$script/stat")" = Z ]; }
wait_for 20 ended || fail "the first job's script does not end"
contains "what became of the first" '"event":"yielded"' "$(cat "$(field late "['run_folder']")/jobs/$first".*)"
fault thaw "slurmd.$node"
touch finish
code=0
wait "$client" || code=$?
equal "exit code" 6 "$code"
equal "executions" 1 "$(lines_in runs)"
equal "job of the start" "$(<runs)" "$(entries start late | cut -d' ' -f4)"
equal "exit" "$(<runs) exited 6" "$(entries exit late | cut -d' ' -f4,6,7)"
