"""Is a GPU there, and does it compute?"""
import os

import torch

print("torch", torch.__version__, "on", torch.cuda.get_device_name(0))
print("memory", torch.cuda.get_device_properties(0).total_memory >> 20, "MiB")
a = torch.randn(2048, 2048, device="cuda")
print("product", tuple((a @ a).shape))
print("checkpoints go to", os.environ["RV_CHECKPOINT_DIR"])
print("models are kept in", os.environ["HF_HOME"])
