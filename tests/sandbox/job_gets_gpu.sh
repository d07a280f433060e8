#!/usr/bin/env bash
# A batch job that requests one GPU runs, sees only that GPU, and accounting records the GPU.
. "$(dirname "$0")/lib.sh"

up a --shape tiny
# shellcheck disable=SC2016  # the job's variable
job=$(on a sbatch --parsable --gres=gpu:a6000:1 --output="$work/out" --wrap 'echo "gpu=$CUDA_VISIBLE_DEVICES"')
eventually 'COMPLETED|1' on a sacct -X -n -P -j "$job" -o State,AllocNodes
matches "what the job printed" '^gpu=[01]$' "$(<"$work/out")"
contains "what is accounted for" gres/gpu:a6000=1 "$(on a sacct -X -n -P -j "$job" -o AllocTRES)"
