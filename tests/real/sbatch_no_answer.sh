#!/usr/bin/env bash
# sbatch times out although the controller accepts the job: rv finds the job by its name and does not submit it again.
# shellcheck source=tests/real/lib.sh
source "$(dirname "$0")/lib.sh"

controller=$(cat "$(scontrol show config | sed -n 's/^SlurmctldPidFile *= //p')")
trap 'kill -CONT "$controller" 2>/dev/null || true; clean_up' EXIT

# The fault: while the first sbatch is under way the controller stands still for longer than the client waits. The real
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

PATH="$PWD/bin:$PATH" exits 0 rv run -f --time 5m --name late bash -c 'echo x >> ran'
story=$(rv show late --json | python3 -c 'import json,sys; print(*[e["event"] for e in json.load(sys.stdin)["events"]])')
contains "what rv noted" "no_answer" "$story"
equal "executions" 1 "$(lines_in ran)"
wait_for 20 no_jobs || fail "jobs are left: $(squeue -h)"
id=$(field late "['id']")
equal "jobs submitted" 1 "$(squeue -h --me -t all -o %j | grep -c "@$id")"
