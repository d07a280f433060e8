"""Stands in for PyTorch where a script's way to its GPUs is what is tested: whatever is called answers, nothing is
computed. It has a launcher, ranks, losses that fall, and a data loader; it says so when it is not in an environment of rv's."""
import os
import subprocess
import sys
from unittest.mock import MagicMock

__version__ = "2.10.0+standin"
assert os.environ["VIRTUAL_ENV"] == sys.prefix and os.environ["PYTHONNOUSERSITE"] == "1", "not the project's environment"


class Tensor(MagicMock):
    def __matmul__(self, _other):
        return self

    def __rshift__(self, _bits):
        return 10240


_losses = iter(range(1000, 0, -1))
shape = (2048, 2048)
randn = randint = MagicMock(side_effect=lambda *_, **__: Tensor(shape=shape))
bfloat16 = "bfloat16"
optim = MagicMock()
nn = MagicMock()
nn.functional.cross_entropy.return_value.item = lambda: next(_losses) / 100
cuda = MagicMock()
cuda.get_device_name.side_effect = lambda _gpu: "CUDA_VISIBLE_DEVICES=" + os.environ["CUDA_VISIBLE_DEVICES"]
cuda.get_device_properties.return_value = Tensor(total_memory=Tensor())
distributed = MagicMock()
distributed.get_rank.side_effect = lambda: int(os.environ["RANK"])
distributed.fsdp.FullyShardedDataParallel.return_value.return_value.loss.item = lambda: next(_losses) / 100
distributed.get_world_size.side_effect = lambda: int(os.environ["WORLD_SIZE"])


def save(_state, path):
    with open(path, "w") as file:
        file.write("saved")


utils = MagicMock()
utils.data.DataLoader.side_effect = lambda *_, **__: range(64)
for name, module in {"nn": nn, "nn.parallel": nn.parallel, "distributed": distributed, "distributed.fsdp": distributed.fsdp,
                     "utils": utils, "utils.data": utils.data}.items():
    sys.modules["torch." + name] = module


def launch():
    """torchrun --nproc_per_node=N SCRIPT"""
    count = int(sys.argv[1].partition("=")[2])
    ranks = [subprocess.Popen([sys.executable, *sys.argv[2:]],
                              env={**os.environ, "RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": str(count)})
             for rank in range(count)]
    sys.exit(max(rank.wait() for rank in ranks))
