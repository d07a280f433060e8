#!/usr/bin/env bash
# A command that certainly can't start is rejected before anything is submitted, and only strategies that match a launcher's
# numbers are submitted.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"

# refused FAULT HINT WORD…
refused() {
  exits 2 rv run -n --cluster "$cluster" "${@:3}"
  contains "$3: the fault" "$1" "$err"
  contains "$3: the way out" "$2" "$err"
}
printf '#!/bin/bash\n#SBATCH -N 1\necho\n' >train.sbatch
printf '#SBATCH -N 1\necho\n' >bare.slurm
refused "/etc is a folder" "name a program" /etc
refused "bare.slurm has #SBATCH lines, and no #! line" "#!/bin/bash as its first line" bare.slurm
printf 'echo\n' >plain.slurm
refused "plain.slurm is not executable and has no #! line" "rv run bash plain.slurm" plain.slurm
refused "build/sim does not exist" "correct the path" build/sim --steps 1
refused "gone.sbatch does not exist in $PWD" "go to the script's folder" gone.sbatch
refused "gone.slurm does not exist in $PWD" "go to the script's folder" bash gone.slurm 5
exits 2 rv up -n --cluster "$cluster" gone.sbatch
contains "rv up" "gone.sbatch does not exist in $PWD" "$err"
refused "the job can't read stdin" "rv run FILE" - 5
refused "the job can't read /dev/fd/63" "rv run FILE" /dev/fd/63
refused "sets variables and starts no program" "after them" 'A=1'
refused "./train.sbatch is not executable, and after --" "remove --" -- ./train.sbatch
exits 0 rv run -n --cluster "$cluster" no-such-program-here
exits 0 rv run -n --cluster "$cluster" --interpreter "bash -x" train.sbatch
contains "by a program of one's own" "rv: runs bash -x train.sbatch" "$err"
contains "#SBATCH" "rv: note: the #SBATCH lines of train.sbatch are ignored" "$err"
printf '#!/bin/bash\necho\n' >plain.sbatch
exits 0 rv run -n --cluster "$cluster" plain.sbatch
contains "by its #! line" "rv: runs /bin/bash plain.sbatch" "$err"
exits 0 rv run -n --json --cluster "$cluster" "A=it's" B= python3 -m t
says "variables" "d['runs'] == ['env', \"A=it's\", 'B=', 'python3', '-m', 't']" "$work/out"

exits 0 rv run -n --json --cluster "$cluster" -g 4 torchrun --nnodes=2 --nproc_per_node=2 -m x
says "the launcher's shape" "{(s['nodes'], s['gpus_per_node']) for s in d['strategies']} == {(2, 2)}" "$work/out"
exits 0 rv plan --cluster "$cluster" -g 4 torchrun --nproc_per_node=8 -m x
contains "no such shape" "use -g 8 --single-node" "$err"
