"""Data-parallel training of a toy model, started by torchrun."""
import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("nccl")
rank, local = dist.get_rank(), int(os.environ["LOCAL_RANK"])
torch.cuda.set_device(local)
print(f"rank {rank} of {dist.get_world_size()} on cuda:{local}", flush=True)
model = DistributedDataParallel(torch.nn.Linear(128, 10).cuda(), device_ids=[local])
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(5):
    x, y = torch.randn(256, 128).cuda(), torch.randint(10, (256,)).cuda()
    loss = torch.nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if rank == 0:
        print(f"epoch {epoch} loss {loss.item():.3f}", flush=True)
if rank == 0:
    torch.save(model.module.state_dict(), os.path.join(os.environ["RV_CHECKPOINT_DIR"], "model.pt"))
dist.destroy_process_group()
