"""A language model, sharded over the GPUs and trained for ten steps; started by torchrun."""
import os

import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel
from transformers import AutoModelForCausalLM, AutoTokenizer

name = "TinyLlama/TinyLlama-1.1B-Chat-v1.0"
dist.init_process_group("nccl")
rank = dist.get_rank()
torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
tokenizer = AutoTokenizer.from_pretrained(name)
model = FullyShardedDataParallel(AutoModelForCausalLM.from_pretrained(name, torch_dtype=torch.bfloat16).cuda())
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
batch = tokenizer(["rv finds a GPU and runs the script."] * 4, return_tensors="pt").to("cuda")
for step in range(10):
    loss = model(**batch, labels=batch["input_ids"]).loss
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if rank == 0:
        print(f"step {step} loss {loss.item():.3f}", flush=True)
dist.destroy_process_group()
