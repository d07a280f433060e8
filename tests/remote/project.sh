#!/usr/bin/env bash
# A project's environment from a laptop: files are sent first, the environment is built on the login node with its progress
# shown here, and the run uses it. A failed build submits nothing, and an existing environment costs no time. The project is
# examples/pytorch with stand-ins for its packages.
# shellcheck source=tests/remote/lib.sh
source "$(dirname "$0")/lib.sh"

slurm_login
# shellcheck disable=SC2016
inside() { laptop bash -c 'cd "$1" && shift && exec "$@"' inside "$@"; }
there() { inside net "$work/rv" -H loop "$@"; }

laptop git init -q net
bash "$(dirname "$0")/../project/stand_ins/pytorch_project.sh" "$work/laptop/net" # which may lie where only root can read
chown -R "$(user laptop)" "$work/laptop/net"

laptop bash -c 'echo "nosuchpackage" >>net/requirements.txt'
exits 125 there run dataload.py --mig --time 10m
contains "the tool's own words come here" "nosuchpackage" "$err"
equal "nothing is submitted" "" "$(slurm squeue -h --me)"
laptop bash -c 'sed -i /nosuch/d net/requirements.txt'

exits 0 there run check.py --mig --time 10m -f
contains "the script has its packages" "torch 2.10.0+standin on CUDA_VISIBLE_DEVICES=" "$out"
contains "progress comes here" "the environment is ready after" "$err"
exits 0 there run serve.py --type a6000 --time 30m --mem 32G -f
equal "the server answers" 3 "$(grep -c ' an answer$' <<<"$out")"
lacks "what is there is not made again" "the environment is ready after" "$err"
exits 0 there run dataload.py --mig --time 10m -f
contains "a pool of processes" "sum of squares 328350" "$out"
for script in train.py train_fsdp.py; do
  exits 0 there up --gpu 4 --time 30m --run "torchrun --nproc_per_node=4 $script"
  contains "$script" "4 loss " "$out"
done

# A progress bar is its last state here, too, unless it is wanted whole.
laptop bash -c 'printf "%s\n" "print(\" 10%\r 50%\r100%\")" >net/bar.py'
exits 0 there run bar.py --mig --time 5m -f
equal "folded" "100%" "$out"
exits 0 there logs -f --raw
equal "whole" "$(printf ' 10%%\r 50%%\r100%%')" "$out"

# A changed file makes a new environment; the list shows both.
laptop bash -c 'sed -i /vllm/d net/requirements.txt'
exits 1 there run serve.py -t a6000 --time 5m -f
contains "without it" "No module named 'vllm'" "$out$err"
contains "made anew" "the environment is ready after" "$err"
exits 0 there deps list --json
says "both" 'len(d["environments"]) == 2' "$work/out"
