#!/usr/bin/env bash
# rv map beside an array of Slurm, in the same run: seconds per task of `true`, and how many commands of Slurm each needed.
# usage: map_tasks.sh [TASKS [ELEMENTS]]; RV and RV_SANDBOX_DIR as for tests/real.
# shellcheck source=tests/real/lib.sh
source "$(dirname "$0")/../real/lib.sh"
tasks=${1:-10000} elements=${2:-100}

# Counts the calls of Slurm's commands, also those of the job.
mkdir "$work/bin"
for command in sbatch squeue scontrol sacct scancel sinfo srun sacctmgr sprio sshare; do
  real=$(type -P "$command") || continue
  printf '#!/bin/sh\necho %s >>%q\nexec %q "$@"\n' "$command" "$work/calls" "$real" >"$work/bin/$command"
  chmod +x "$work/bin/$command"
done
export PATH="$work/bin:$PATH"

now() { date +%s.%N; }
# row NAME TASKS BEGIN END
row() {
  local calls
  calls=$(lines_in "$work/calls")
  python3 -c 'import sys; n, b, e = int(sys.argv[2]), *map(float, sys.argv[3:5])
print(f"{sys.argv[1]:<24} {n:>6} {e - b:>9.2f} {1000 * (e - b) / n:>12.2f} {sys.argv[5]:>15}")' "$@" "$calls"
}
printf '%-24s %6s %9s %12s %15s\n' "" tasks seconds "ms per task" "Slurm commands"

seq "$tasks" >list
: >"$work/calls"
begin=$(now)
rv map -f -g 4 --time 30m -a list -- true >/dev/null 2>&1
row "rv map, 4 GPUs" "$tasks" "$begin" "$(now)"

: >"$work/calls"
begin=$(now)
sbatch --wait -p gpu-a40 --array "1-$elements" -n 1 -c 1 --mem 10M --gres gpu:1 -t 5 -o /dev/null --wrap true >/dev/null
row "array of Slurm" "$elements" "$begin" "$(now)"

# What the tasks alone cost on this machine.
begin=$(now)
xargs -P 4 -n 1 true <list
: >"$work/calls"
row "xargs -P 4, no Slurm" "$tasks" "$begin" "$(now)"
