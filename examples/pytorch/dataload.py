"""How many workers should a data loader have here?"""
import multiprocessing
import os
import time

import torch
from torch.utils.data import DataLoader, TensorDataset


def square(x):  # at module level: a nested function can't be pickled
    return x * x


if __name__ == "__main__":
    print("OMP_NUM_THREADS", os.environ.get("OMP_NUM_THREADS"), "CPUs", len(os.sched_getaffinity(0)))
    data = TensorDataset(torch.randn(4096, 256))
    for workers in (0, 1, 2):
        begin = time.time()
        batches = sum(1 for _ in DataLoader(data, batch_size=64, num_workers=workers))
        print(f"workers {workers}: {batches} batches in {time.time() - begin:.2f} s")
    with multiprocessing.Pool(2) as pool:
        print("sum of squares", sum(pool.map(square, range(100))))
