#!/usr/bin/env bash
# Runs on CPUs have the same race, arrays, chains and followers as runs on GPUs. They use partitions without GPUs first, and
# their job scripts do not mention GPUs.
# shellcheck source=tests/real/lib.sh disable=SC2016 # what expands in the job stands in single quotes
source "$(dirname "$0")/lib.sh"

over() { [ "$(field "$1" "['over']")" = True ]; }
ends() { wait_for "$2" over "$1" || fail "$1 is not over: $(rv show "$1")"; }

# The plan, and the job that Slurm gets.
exits 0 rv plan -g 0 -c 16 --mem 64G --time 5m
has_line "table" '^# +CPUs +partition +kind +limit +wait +cost' "$out"
has_line "the partition without GPUs is the only strategy" '^1 +16 CPUs, 64G +standard +plain +5m +now ' "$out"
lacks "others" "2  16 CPUs" "$out"
contains "why" "have GPUs, and standard without GPUs starts soon" "$(tr -s ' \n' ' ' <<<"$out")"
exits 0 rv render -g 0 -c 16 --mem 64G --time 5m true
lacks "script" "--gres" "$out"
lacks "script" "nvidia-smi" "$out"
contains "script" "#SBATCH --cpus-per-task=16" "$out"
contains "script" "#SBATCH --mem=65536M" "$out"

exits 0 rv run -f -g 0 -c 3 --mem 2G --time 5m --name work 'echo "$SLURM_CPUS_PER_TASK $SLURM_MEM_PER_NODE $OMP_NUM_THREADS $SLURM_JOB_PARTITION ${CUDA_VISIBLE_DEVICES:-none}"'
equal "what the job has" "3 2048 3 standard none" "$out"
has_line "start line" '^rv: run [a-z0-9]{6} started on udc-aw29-[12]: 3 CPUs, 2G on standard$' "$err"
job=$(field work "['candidates'][0]['job_id']")
lacks "the job has no GPUs" "gpu" "$(sacct -X -n -P -j "$job" -o ReqTRES)"
equal "GPUs in JSON" "0  3 CPUs, 2G on standard" "$(field work "['candidates'][0]['gpus']") $(field work "['candidates'][0]['gpu_type']") $(rv ps -a | grep -o '3 CPUs, 2G on standard')"
exits 0 rv show work
contains "rv show" "3 CPUs, 2G on standard" "$out"
lacks "rv show" "unknown" "$(grep -i gpu <<<"$out" || true)"

# The defaults: one CPU, and the memory that Slurm gives.
exits 0 rv run -f -g 0 --time 5m 'echo "$SLURM_CPUS_ON_NODE $SLURM_MEM_PER_NODE"'
equal "defaults" "1 4000" "$out"

# Nodes with GPUs are taken where the others are full, and where they are named.
full=$(sbatch --parsable -J busy -p standard -N 2 --ntasks-per-node=1 -c 40 --mem=1G -t 1:00:00 -o /dev/null --wrap 'sleep 600')
wait_for 20 job_runs "$full" || fail "the job that fills the nodes does not run"
# By time limits: from the short jobs before it, rv would learn that this one ends soon.
exits 0 rv run -f -g 0 -c 2 --mem 1G --time 5m --trials 0 'echo "$SLURM_JOB_PARTITION"'
matches "on nodes with GPUs" '^(gpu-|interactive-)' "$out"
scancel "$full"
exits 0 rv run -f -g 0 -p gpu-v100 --mem 1G --time 5m 'echo "$SLURM_JOB_PARTITION"'
equal "the named partition" gpu-v100 "$out"

# Several nodes, and processes on each.
exits 0 rv run -f -g 0 --nodes 2 --procs-per-node 2 --cpus 4 --mem 1G --time 5m 'echo "$RANK of $WORLD_SIZE, $OMP_NUM_THREADS threads"'
equal "processes" "udc-aw29-1| 0 of 4, 2 threads,udc-aw29-1| 1 of 4, 2 threads,udc-aw29-2| 2 of 4, 2 threads,udc-aw29-2| 3 of 4, 2 threads" "$(sort <<<"$out" | paste -sd,)"

# An array, a run that follows it, and a chain.
rv run -g 0 --mem 1G --time 5m --name all --array 0-3%2 'echo "$RV_ARRAY_INDEX" >>ran' >/dev/null 2>&1
rv run -g 0 --mem 1G --time 5m --name next --after all 'sort -n ran | paste -sd" " >after' >/dev/null 2>&1
ends next 120
equal "after the array" "0 1 2 3" "$(<after)"
exits 0 rv run -f -g 0 --mem 1G --checkpoint --time 10m --segment-time 5m --name chain 'echo saved >"$RV_CHECKPOINT_DIR/state"; echo done'
contains "chain" "done" "$out"
equal "state of the chain" "done" "$(field chain "['state']")"

# A hold; rv why and rv top know no GPUs either.
exits 0 rv up -g 0 -c 2 --mem 1G --time 5m --detach --name held
exits 0 rv stop held
exits 0 rv why held
exits 0 rv top --json

# A script without GPUs is a CPU run, and says so once.
printf '%s\n' '#!/bin/bash' '#SBATCH -n 2 -c 2 --mem=1G -t 5 -o by-rv.txt' 'echo "$SLURM_NTASKS $SLURM_CPUS_PER_TASK $SLURM_JOB_PARTITION"' >cpu.sbatch
exits 0 rv run -f cpu.sbatch
equal "script" "2 2 standard" "$(<by-rv.txt)"
has_line "mapping" '^  no line  +no GPUs +--gpu=0$' "$err"
exits 0 rv run -f cpu.sbatch
lacks "mapping, again" "--gpu=0" "$err"

# Wrong input: two lines, and nothing is submitted.
before=$(find "$RV_HOME/runs" -mindepth 1 -maxdepth 1 | wc -l)
while read -r message hint options; do
  # shellcheck disable=SC2086 # several options
  exits 2 rv $options </dev/null
  equal "lines for $options" 2 "$(wc -l <<<"$err")"
  contains "message for $options" "${message//_/ }" "$err"
  contains "hint for $options" "hint: ${hint//_/ }" "$err"
done <<'X'
can't_be_combined_with_--type remove_one_of_them run -g 0 -t a100 true
can't_be_combined_with_--vram remove_one_of_them run -g 0 --vram 40G true
can't_be_combined_with_--mig remove_one_of_them run -g 0 --mig true
can't_be_combined_with_--splits remove_one_of_them run -g 0 --splits all true
-c_and_--cpus_can't_be_combined remove_one_of_them run -g 0 -c 2 --cpus 2 true
-c_counts_cores_per_task write_--cpus_8, run -g 0 -c 4 --procs-per-node 2 true
counts_cores_per_task write_--cpus_N, run -g 1 -c 4 true
--idle-stop_watches_GPUs use_--unattended up -g 0 --idle-stop 5m --detach
this_command_needs_GPUs write_-g_1 accept -g 0
this_command_needs_GPUs write_-g_1 stress -g 0
this_command_needs_GPUs write_-g_1 sweep -g 0 --over n=1 -- true {n}
X
exits 120 rv run -g 0 -c 1000 --time 5m true
contains "nothing fits" "this cluster can't provide 1000 CPUs for 5m; nothing was submitted" "$err"
equal "runs" "$before" "$(find "$RV_HOME/runs" -mindepth 1 -maxdepth 1 | wc -l)"
