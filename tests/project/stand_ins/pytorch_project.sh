#!/usr/bin/env bash
# Copies examples/pytorch to FOLDER as a project, with wheels of stand-ins for its packages. usage: pytorch_project.sh FOLDER
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
cp -r "$here/../../examples/pytorch/." "$1/"
python3 "$here/make_wheel.py" "$1/wheels" torch 2.10.0 --module "$here/stand_ins/torch.py" --program torchrun=torch:launch
python3 "$here/make_wheel.py" "$1/wheels" transformers 5.0 --module "$here/stand_ins/transformers.py" --requires torch
python3 "$here/make_wheel.py" "$1/wheels" vllm 0.11.2 --module "$here/stand_ins/vllm.py" --requires torch
# Without a network.
sed -i '1i --no-index\n--find-links wheels' "$1/requirements.txt"
