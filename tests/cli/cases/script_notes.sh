#!/usr/bin/env bash
# Before a run waits for GPUs, rv prints notes about its script. They are never errors, and notes about several nodes are left
# out for one node.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"

# notes ARGUMENTS…: the notes about rv run with these, which could be submitted.
notes() {
  exits 0 rv run -n --cluster "$cluster" "$@"
  notes=$(grep '^rv: note: ' "$work/err")
}
echo 'import torch' >train.py
notes -g 4 --nodes 2 train.py
equal "no process group" "rv: note: train.py makes no process group: on 2 nodes each would do the same work; --single-node keeps it on one" "$notes"
notes -g 4 --single-node train.py
equal "on one node" "" "$notes"
notes -g 4 --nodes 2 torchrun train.py
equal "a launcher" "" "$notes"
echo 'torch.distributed.init_process_group("nccl")' >train.py
notes -g 4 --nodes 2 train.py
equal "a process group" "" "$notes"

for line in 'AutoModel.from_pretrained(name, device_map="auto")' 'from transformers import pipeline'; do
  echo "model = $line" >ask.py
  notes -g 4 --nodes 2 ask.py
  equal "$line" "rv: note: ask.py spreads its model over the GPUs of one node; on 2 nodes each would do all of it: --single-node" "$notes"
  notes -g 2 --single-node ask.py
  equal "$line, on one node" "" "$notes"
done

echo 'DataLoader(data, num_workers=8)' >load.py
notes -g 1 --cpus 4 load.py
equal "workers" "rv: note: load.py starts 8 data-loader workers, and a process has 4 CPUs: --cpus asks for more" "$notes"
notes -g 1 --cpus 8 load.py
equal "workers and as many CPUs" "" "$notes"
runs rv run -n --json --cluster "$cluster" -g 1 --cpus 4 load.py
equal stderr "" "$err"
