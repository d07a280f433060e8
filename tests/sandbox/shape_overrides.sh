#!/usr/bin/env bash
# A shape's own keys reach Slurm unchanged, times and OFF included; a misspelt key is refused.
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
expect 10 config MinJobAge
expect 7 config KillWait
expect OFF config PreemptMode
expect 'only* 12:00:00 gpu:a:1,gpu:b:2' on a sinfo -h -o '%P %l %G'
# shellcheck disable=SC2016  # the step's variable
expect 2 on a srun --gres=gpu:b:2 sh -c 'echo $CUDA_VISIBLE_DEVICES | tr , "\n" | wc -l'

sed 's/partitions:/partition:/' "$work/shape.yaml" >"$work/wrong.yaml"
status=0
said=$("$sandbox" up --dir "$work/b" --shape "$work/wrong.yaml" 2>&1) || status=$?
((status == 2)) || fail "exit status $status"
grep -q "unknown key 'partition'" <<<"$said" || fail "it says: $said"
