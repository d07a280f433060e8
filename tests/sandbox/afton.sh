#!/usr/bin/env bash
# The model of Afton starts within 20 s on an idle machine, with every node and partition, and enforces the limits of the real
# cluster.
. "$(dirname "$0")/lib.sh"

began=$SECONDS
up a --shape afton
(((SECONDS - began) * 1000 < $(patience 20000))) || fail "it took $((SECONDS - began)) s to start"
nodes() { on a sinfo -h -N -o '%N %t' | sort -u | cut -d ' ' -f 2 | uniq -c | xargs; }
partitions() { on a sinfo -h -o %P | sort | xargs; }
equal nodes '17 idle' "$(nodes)"
equal partitions 'gpu-a100-40 gpu-a100-80 gpu-a40 gpu-a6000 gpu-h200 gpu-mig gpu-v100 interactive-rtx3090 standard*' "$(partitions)"

submit() { on a sbatch --parsable --output=/dev/null "$@" --wrap 'sleep 100'; }
state() { on a squeue -h -j "$1" -o '%T %r %C'; }

# Slurm raises the CPUs to fit 32 GB, past the two that the QOS allows; 16 GB is the most that fits.
too_big=$(submit -p gpu-mig --gres=gpu:1g.10gb:1 --mem=32G)
fits=$(submit -p gpu-mig --gres=gpu:1g.10gb:1 --mem=16G)
too_many=$(submit -p interactive-rtx3090 --gres=gpu:rtx3090:3)
two_nodes=$(submit -p gpu-h200 -N 2 --gres=gpu:h200:2)
five=$(submit -p gpu-h200 --gres=gpu:h200:5)
by_feature=$(submit -p gpu-a100-80 -C a100_80gb --gres=gpu:a100:8)

eventually 'PENDING QOSMaxCpuPerJobLimit 1' state "$too_big"
eventually 'RUNNING None 2' state "$fits"
eventually 'PENDING QOSMaxGRESPerJob 1' state "$too_many"
eventually 'RUNNING None 2' state "$two_nodes"
eventually 'PENDING QOSMaxGRESPerJob 1' state "$five"
eventually 'RUNNING None 1' state "$by_feature"
