#!/usr/bin/env bash
# A checkpointed command saves and exits with 0 in the grace time of a preemption, while Slurm still calls its job running: the
# chain continues.
# shellcheck source=tests/releases/lib.sh
source "$(dirname "$0")/lib.sh"

cat >command.sh <<'END'
state=$RV_CHECKPOINT_DIR/$NODE_RANK
step=0
[ ! -r "$state" ] || read -r step <"$state"
trap 'echo "$step" >"$state"; exit 0' TERM
[ "$NODE_RANK" != 0 ] || echo "$RV_SEGMENT" >>begun
while [ "$step" -lt 400 ] && [ "$RV_SEGMENT" -lt 2 ]; do
  sleep 0.2 &
  wait $!
  step=$((step + 1))
done
[ "$NODE_RANK" != 0 ] || echo finished >>ends
END
rv run --checkpoint -g 4 --nodes 2 --partition scavenge --time 20m --segment-time 10m --warn 1m --name long \
  bash command.sh >/dev/null 2>&1
wait_for 30 has_lines begun 1 || fail "does not start"
job=$(job_of long)
make_room "$job" 2
wait_for 90 state_is long "done" || fail "state $(field long "['state']"): $(field long "['detail']")"
equal "finished" 1 "$(lines_in ends)"
equal "segments" "1 2 " "$(tr '\n' ' ' <begun)"
equal "first end" preempted "$(field long "['chain']['segments'][0]['reason']")"
