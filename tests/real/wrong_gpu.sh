#!/usr/bin/env bash
# If a node has other GPUs than the partition promises, the job detects it and rv prints a warning.
# shellcheck source=tests/real/lib.sh
source "$(dirname "$0")/lib.sh"

mkdir bin
# What nvidia-smi printed on the node of the report that this test is for.
printf '#!/bin/sh\necho "NVIDIA RTX A6000"\n' >bin/nvidia-smi
chmod +x bin/nvidia-smi
export PATH="$PWD/bin:$PATH"
exits 0 rv run -f -t v100 --time 5m --name wrong bash -c 'sleep 1; echo done'
contains "warning" "asked for v100, got NVIDIA RTX A6000" "$err"
contains "record" "NVIDIA RTX A6000" "$(field wrong "['warnings'][0]")"
exits 0 rv run -f -t a6000 --time 5m --name right bash -c 'sleep 1; echo done'
equal "warnings" "[]" "$(field right "['warnings']")"
