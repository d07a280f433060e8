#!/usr/bin/env bash
# The script that compares with PyTorch names the missing package if torch is not installed.
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

mkdir without
echo 'raise ImportError' >without/torch.py
PYTHONPATH=without exits 3 python3 -B "$here/../bench/torch_curve.py" "$RV"
has_line stderr 'this python has no PyTorch' "$err"
