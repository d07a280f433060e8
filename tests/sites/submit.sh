#!/usr/bin/env bash
# rv follows a site's own rules for submission: a job_submit script that rejects and rewrites jobs, EnforcePartLimits, QOS and
# licences.
# shellcheck disable=SC2016 # the jobs' own variables
# shellcheck source=tests/sites/lib.sh
source "$(dirname "$0")/lib.sh"

# The script's words reach the user, and nothing is left in the queue.
exits 121 rv run -f -g 1 -t a40 --time 10m --name refused true
contains "refusal" "this site takes no job of that name" "$err"
contains "why" "this site takes no job of that name" "$(rv why refused)"

# Of a banner the line with the cause, and the whole of it in rv show.
exits 121 rv run -f -g 1 -t a40 --time 10m --name banner true
contains "refusal" "Project lab may use at most 4 GPUs at once." "$err"
lacks "refusal" "-----" "$err"
contains "rv show" "Questions: https://docs.example.org" "$(rv show banner)"
contains "rv show" "Welcome to the cluster" "$(rv show banner)"

# The script sends it to another partition: it runs there, and its end is known.
exits 0 rv run -f -g 1 -t a40 --partition gpu --time 10m --name moved 'echo "$SLURM_JOB_PARTITION"'
equal "partition" "wide" "$out"
contains "state" "done: exit code 0" "$(rv show moved)"

# With EnforcePartLimits=ALL one partition that is too short refuses a job for several: it is left out.
contains "Slurm" "time limit is invalid" "$(sbatch -p gpu,wide -t 600 --mem=1G -o /dev/null --wrap true 2>&1 || true)"
exits 0 rv run -f -g 1 -t a40 --partition gpu,wide --time 10h 'echo "$SLURM_JOB_PARTITION"'
equal "partition for ten hours" "wide" "$out"

# A partition for one QOS alone: it is chosen, its limit is known, another is refused before Slurm refuses it.
contains "Slurm" "nvalid qos" "$(as games sbatch -p paid --gres=gpu:a40:1 --mem=1G -o /dev/null --wrap true 2>&1 || true)"
exits 0 rv run -f -g 1 -t a40 --partition paid --time 10m 'echo "$SLURM_JOB_QOS"'
equal "QOS" "paid" "$out"
exits 120 rv plan -g 4 -t a40 --partition paid --qos paid --time 10m
contains "limit" "QOS paid MaxTRESPerUser gres/gpu=2" "$out"

# Licences are asked for, and held while the run lasts.
exits 0 rv run -f -g 1 -t a40 --licenses solver:2 --time 10m 'scontrol -o show job "$SLURM_JOB_ID"'
contains "licences" "Licenses=solver:2" "$out"
exits 2 rv run -f -g 1 -t a40 --licenses nothing:2 --time 10m true
contains "what it lacks" 'no licences "nothing"' "$err"
contains "what it has" "solver" "$err"

# A job that waits for licences keeps nobody else from the GPUs that it asks for.
occupied -p wide -L solver:2 -n 1
submitted -p wide -L solver:1 --gres=gpu:l40s:1
needs_licence() { [ "$(squeue -h -j "$job" -o %r)" = Licenses ]; }
wait_for 20 needs_licence || fail "it waits for: $(squeue -h -j "$job" -o %r)"
matches "wait" '^[0-9] free now' "$(rv_of_root plan -g 1 -t l40s --time 10m --json | wait_of)"
exits 0 rv run -f -g 1 -t l40s --time 10m true
