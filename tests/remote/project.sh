#!/usr/bin/env bash
# A project's environment from a laptop: its files go first, the environment is made on the login node with its progress
# shown here, and the run has it; what can't be made submits nothing; what is there costs nothing more. The commands are
# typed as the seed's tests of a model server, of data loading and of training are, with stand-in packages.
# shellcheck source=tests/remote/lib.sh
source "$(dirname "$0")/lib.sh"

end_test() { slurm scancel --me --quiet || true; }
slurm_login
# shellcheck disable=SC2016
inside() { laptop bash -c 'cd "$1" && shift && exec "$@"' inside "$@"; }
there() { inside net "$work/rv" -H loop "$@"; }

laptop git init -q net
for name in torch vllm; do
  laptop python3 "$(dirname "$0")/../project/make_wheel.py" net/wheels "$name" 2.10.0 --program "${name/torch/torchrun}"
done
laptop bash -c 'cat >net/requirements.txt' <<'R'
--no-index
--find-links wheels
torch
vllm
R
# The seed's server keeps its model, and answers.
laptop bash -c 'cat >net/serve.py' <<'P'
import os, sys, torch, vllm
for cache in ("HF_HOME", "VLLM_CACHE_ROOT", "TRITON_CACHE_DIR", "TORCH_HOME"):
    assert not os.environ[cache].startswith(os.path.expanduser("~/.cache")), (cache, os.environ[cache])
print("serves with", vllm.version, os.environ["VIRTUAL_ENV"] == sys.prefix)
P
laptop bash -c 'cat >net/dataload.py' <<'P'
import torch
print("loads with", torch.version)
P

laptop bash -c 'echo "nosuchpackage" >>net/requirements.txt'
exits 125 there run dataload.py --mig --time 10m
contains "the tool's own words come here" "nosuchpackage" "$err"
equal "nothing is submitted" "" "$(slurm squeue -h --me)"
laptop bash -c 'sed -i /nosuch/d net/requirements.txt'

exits 0 there run dataload.py --mig --time 10m -f
equal "the script has its packages" "loads with 2.10.0" "$out"
contains "progress comes here" "the environment is ready after" "$err"
exits 0 there run serve.py --type a6000 --time 30m --mem 32G -f
contains "the server has them" "serves with 2.10.0 True" "$out"
lacks "what is there is not made again" "the environment is ready after" "$err"
exits 0 there up --gpu 4 -t a40 --single-node --time 30m --run "torchrun --nproc_per_node=4 dataload.py"
equal "the launcher is the project's" "torch 2.10.0 --nproc_per_node=4 dataload.py" "$out"

# Of a changed file a new one is made; the list says which there are.
laptop bash -c 'sed -i /vllm/d net/requirements.txt'
exits 1 there run serve.py -t a6000 --time 5m -f
contains "without it" "No module named 'vllm'" "$out$err"
contains "made anew" "the environment is ready after" "$err"
exits 0 there deps list --json
says "both" 'len(d["environments"]) == 2' "$work/out"
