#!/usr/bin/env bash
# sbatch times out although the controller accepts the job: rv finds the job by its name and does not submit it again.
# shellcheck source=tests/real/lib.sh
source "$(dirname "$0")/lib.sh"

controller=$(cat "$(scontrol show config | sed -n 's/^SlurmctldPidFile *= //p')")
put_back() { kill -CONT "$controller" 2>/dev/null; }

# The fault: while the first sbatch is under way the controller stalls for longer than the client waits. The real
# sbatch runs, with a message time-out of its own.
mkdir bin conf
cp "$(dirname "$SLURM_CONF")"/*.conf conf/
sed -i 's/^MessageTimeout=.*//' conf/slurm.conf
echo 'MessageTimeout=2' >>conf/slurm.conf
real=$(command -v sbatch)
cat >bin/sbatch <<SHIM
#!/bin/sh
rm -f "$PWD/bin/sbatch"
kill -STOP $controller
(sleep 5; kill -CONT $controller) >/dev/null 2>&1 &
SLURM_CONF=$PWD/conf/slurm.conf exec $real "\$@"
SHIM
chmod +x bin/sbatch

# The job has to wait for its nodes, so that only its name in the queue tells that it was accepted.
busy=$(occupy gpu-a6000 2 a6000:8)
PATH="$PWD/bin:$PATH" rv run -f -t a6000 --time 5m --name late bash -c 'echo x >> ran' >out 2>err &
client=$!
noted() { rv show late --json 2>/dev/null | grep -q "\"event\": \"$1\""; }
wait_for 40 noted no_answer || fail "sbatch had an answer: $(rv show late)"
wait_for 40 noted found || fail "the job was not found: $(rv show late)"
id=$(field late "['id']")
equal "jobs submitted" 1 "$(squeue -h --me -t all -o %j | grep -c "@$id")"
scancel "$busy"
code=0
wait "$client" || code=$?
equal "exit code" 0 "$code"
equal "executions" 1 "$(lines_in ran)"
equal "jobs submitted" 1 "$(squeue -h --me -t all -o %j | grep -c "@$id")"
