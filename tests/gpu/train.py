"""A project's training as its user writes it: a toy task on the GPU, one process or torchrun's several."""
import itertools
import os
import sys
import time

import torch
import torch.nn as nn
import toydata  # a dependency that only the project's environment has

batch = int(sys.argv[1]) if len(sys.argv) > 1 else 1024
seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 0  # that it takes at least
rank, world = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
with open("ran", "a") as file:
    file.write(f"{os.environ['SLURM_JOB_ID']} {rank} {batch}\n")

assert torch.cuda.is_available(), "torch sees no GPU"
device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", 0)))
torch.cuda.set_device(device)
torch.manual_seed(42)
if world > 1:
    torch.distributed.init_process_group("nccl")
labels_of = torch.randn(128, 4, device=device)
model = nn.Sequential(nn.Linear(128, 4096), nn.ReLU(), nn.Linear(4096, 4096), nn.ReLU(), nn.Linear(4096, 4)).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
torch.manual_seed(rank)  # from here on each process has samples of its own
# As a progress bar does it: one line that is written repeatedly.
first = last = began = None
steps = 60
for step in itertools.count():
    if step >= steps and time.time() - began >= seconds:
        break
    if step == 10:
        torch.cuda.synchronize()
        began = time.time()
    x = torch.randn(batch, 128, device=device)
    loss = nn.functional.cross_entropy(model(x), (x @ labels_of).argmax(dim=1))
    optimizer.zero_grad()
    loss.backward()
    if world > 1:
        for parameter in model.parameters():
            torch.distributed.all_reduce(parameter.grad)
            parameter.grad /= world
    optimizer.step()
    if step % 10 == 9:
        last = loss.item()
        first = last if first is None else first
        print(f"\rstep {step + 1} loss {last:.4f}", end="", flush=True)
torch.cuda.synchronize()
rate = batch * world * (step - 10) / (time.time() - began)
print()
if rank == 0:
    print(f"{torch.cuda.get_device_name(device)}, torch {torch.__version__}, toydata {toydata.version}, {world} processes")
    print(f"loss {first:.4f} -> {last:.4f}, samples per second: {rate:.0f}")
    assert last < first, "the loss has not fallen"
    print("trained")
if world > 1:
    torch.distributed.destroy_process_group()
