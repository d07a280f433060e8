#!/usr/bin/env bash
# The controller limits the number of requests per user and second, and delays the rest. Runs are still submitted, followed
# and stopped, each command runs once, and a follower polls less the longer the replies take.
# shellcheck source=tests/faults/lib.sh
source "$(dirname "$0")/lib.sh"

controller=$(scontrol show config | sed -n 's/^SlurmctldPort *= //p')
gate_port=$(free_port)
real_conf=$SLURM_CONF
mkdir conf
cp "$(dirname "$real_conf")"/*.conf conf/
sed -i "s/^SlurmctldPort=.*/SlurmctldPort=$gate_port/" conf/slurm.conf
gate=0
open_gate() { # BUCKET REFILL LATENCY
  if [ "$gate" != 0 ]; then # gone, or the next one has no port
    kill "$gate"
    wait "$gate" 2>/dev/null || true
  fi
  : >questions
  python3 "$root/tests/faults/slow_gate.py" "$gate_port" "$controller" "$1" "$2" "$3" questions &
  gate=$!
  wait_for 30 gate_answers || fail "the gate does not open"
  wait_for 10 has_lines questions 1 || fail "the gate notes nothing"
}
gate_answers() { (: <"/dev/tcp/127.0.0.1/$gate_port") 2>/dev/null; }
put_back() {
  export SLURM_CONF=$real_conf
  [ "$gate" = 0 ] || kill "$gate" 2>/dev/null
}
limited() { SLURM_CONF="$PWD/conf/slurm.conf" rv "$@"; }

# Three at once through the limit that Slurm's manual gives as an example of a strict one.
open_gate 5 2 0
clients=()
for n in 1 2 3; do
  limited run -g 1 --time 5m --name "r$n" -f bash -c "echo ran >>runs$n; sleep 2; echo out$n; exit $n" >"out$n" 2>"err$n" &
  clients+=($!)
done
for n in 1 2 3; do
  code=0
  wait "${clients[n - 1]}" || code=$?
  equal "exit code" "$n" "$code"
  equal "output" "out$n" "$(<"out$n")"
  equal "executions" 1 "$(lines_in "runs$n")"
done

# Every reply takes three seconds, and one poll is two requests (squeue requests the partitions first).
sbatch --parsable -J busy -p urgent -N 4 --gres=gpu:2 --mem=1G -t 10 -o /dev/null --wrap 'sleep 300' >/dev/null
rv run -g 2 --time 5m --name waits bash -c 'echo ran >>waited' >/dev/null 2>&1
wait_for 20 state_is waits queued || fail "not queued: $(rv show waits)"
open_gate 30 2 3
: >questions
limited logs -f waits >follow.out 2>follow.err &
client=$!
sleep 40 # the calls are counted over this time
asked=$(lines_in questions)
[ "$asked" -ge 1 ] || fail "nobody asked"
[ "$asked" -le 5 ] || fail "asked $asked times in 40 s although every answer takes three: $(<questions)"
exits 0 limited stop waits
wait "$client" || true
equal "executions of what was stopped" 0 "$(lines_in waited)"
