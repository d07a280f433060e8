#!/usr/bin/env bash
# A shape's own keys reach Slurm unchanged, including times and OFF, and a misspelt key is rejected.
. "$(dirname "$0")/lib.sh"

cat >"$work/shape.yaml" <<'END'
cluster: mine
slurm: {MinJobAge: 10, KillWait: 7, PreemptMode: OFF}
nodes:
  - {name: one, cpus: 3, memory: 1000, gpus: [{type: a, count: 1}, {type: b, count: 2}]}
partitions:
  - {name: only, nodes: [one], default: true, max_time: 12:00:00}
END
up a --shape "$work/shape.yaml"
config() { on a scontrol show config | awk -v key="$1" '$1 == key { print $3 }'; }
equal MinJobAge 10 "$(config MinJobAge)"
equal KillWait 7 "$(config KillWait)"
equal PreemptMode OFF "$(config PreemptMode)"
equal "the partition" 'only* 12:00:00 gpu:a:1,gpu:b:2' "$(on a sinfo -h -o '%P %l %G')"
# shellcheck disable=SC2016  # the step's variable
equal "GPUs of a step" 2 "$(on a srun --gres=gpu:b:2 sh -c 'echo $CUDA_VISIBLE_DEVICES | tr , "\n" | wc -l')"

sed 's/partitions:/partition:/' "$work/shape.yaml" >"$work/wrong.yaml"
exits 2 "$sandbox" up --dir "$work/b" --shape "$work/wrong.yaml"
contains "a misspelt key" "unknown key 'partition'" "$out$err"
