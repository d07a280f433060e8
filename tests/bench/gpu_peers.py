#!/usr/bin/env python3
"""The workers' figures beside their peers' on the same GPUs, in one run: PyTorch's products and copies where PyTorch is
installed, nccl-tests' collectives where its binaries are.

usage: gpu_peers.py WORKERS_FOLDER [--nccl-tests FOLDER] [--ops all_reduce,…|all] [--gpus N] [--no-torch]
"""
import argparse
import json
import os
import re
import subprocess
import sys
import time

operations = ("all_reduce", "all_gather", "reduce_scatter", "broadcast", "alltoall", "sendrecv")
load_seconds = 3.0  # of every product, rv's and PyTorch's


def lines_of(command, timeout):
    """The JSON lines a worker prints; its findings are printed here, whatever its exit code says."""
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=timeout)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    for line in lines:
        if line["kind"] == "measurement" and line["verdict"] != "pass":
            print(f"{command[0]}: {line['name']}: {line['verdict']}, {line['reason']}")
    return lines


def torch_figures():
    """What PyTorch reaches: TFLOP/s by type, GB/s of a device copy (read and write)."""
    import torch

    def median_seconds(action, repeats):
        # As long under load as the worker's, and the median of all of it: at its power limit a GPU is slower than in a
        # short burst, and the longer the more.
        for _ in range(3):
            action()
        torch.cuda.synchronize()
        times = []
        last = time.monotonic() + load_seconds
        while time.monotonic() < last:
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            for _ in range(repeats):
                action()
            end.record()
            end.synchronize()
            times.append(begin.elapsed_time(end) / 1e3 / repeats)
        return sorted(times)[len(times) // 2]

    figures = {}
    for name, kind, n in (
        ("fp64", torch.float64, 4096),
        ("fp32", torch.float32, 8192),
        ("tf32", torch.float32, 8192),
        ("fp16", torch.float16, 8192),
        ("bf16", torch.bfloat16, 8192),
    ):
        torch.backends.cuda.matmul.allow_tf32 = name == "tf32"
        # Random to the last bit: fp64 made of fp32 has empty low halves, draws less power and runs a tenth faster.
        wide = torch.float64 if kind is torch.float64 else torch.float32
        a, b = (torch.randn(n, n, device="cuda", dtype=wide).to(kind) for _ in range(2))
        c = torch.empty_like(a)
        best = 0
        # Both layouts that a user may have: y = x·w and, as in a linear layer, y = x·wᵀ.
        for right in (b, b.t()):
            seconds = median_seconds(lambda: torch.matmul(a, right, out=c), 5)
            best = max(best, 2 * n**3 / seconds / 1e12)
        figures[f"gemm_{name}"] = best
    n = 8192
    a, b = (torch.randn(n, n, device="cuda").to(torch.float8_e4m3fn) for _ in range(2))
    one = torch.ones((), device="cuda")
    seconds = median_seconds(
        lambda: torch._scaled_mm(a, b.t(), scale_a=one, scale_b=one, out_dtype=torch.bfloat16), 5
    )
    figures["gemm_fp8"] = 2 * n**3 / seconds / 1e12
    source = torch.randn(1 << 27, device="cuda", dtype=torch.float64)
    target = torch.empty_like(source)
    figures["copy"] = 2 * source.numel() * 8 / median_seconds(lambda: target.copy_(source), 3) / 1e9
    return figures


def compare_with_torch(workers):
    """A GPU at its power limit is the slower the hotter it is, and who measures second has the hotter one: PyTorch, rv, rv,
    PyTorch, and the means of both."""

    def torch():
        done = subprocess.run([sys.executable, __file__, "--torch"], stdout=subprocess.PIPE, text=True, timeout=300)
        return json.loads(done.stdout.splitlines()[-1]) if done.returncode == 0 else None

    def rv():
        command = [f"{workers}/rv-compute", "--suite", "gemm,bandwidth", "--duration", str(load_seconds), "--json"]
        own = [line for line in lines_of(command, 300) if (line.get("gpu") or {}).get("index") == 0]
        return {line["name"]: line["value"] for line in own if line.get("value")}

    first = torch()
    if first is None:
        print("PyTorch: not installed or without a GPU; its figures are left out")
        return
    ours, peers = (rv(), rv()), (first, torch())
    print(f"{'figure':<12}{'rv':>10}{'PyTorch':>10}{'ratio':>8}{'each run':>34}")
    for name in (name for name in ours[0] if name in first):
        mine, theirs = ([run[name] for run in runs] for runs in (ours, peers))
        runs = "  ".join(f"{figure:.1f}" for figure in (theirs[0], *mine, theirs[1]))
        print(f"{name:<12}{sum(mine) / 2:>10.1f}{sum(theirs) / 2:>10.1f}{sum(mine) / sum(theirs):>8.3f}{runs:>34}")


def nccl_tests_figures(program, gpus):
    """Time in microseconds and bus bandwidth in GB/s by bytes, out of place."""
    # A thread for each GPU, as a launcher would have a process for each: one thread for all of them is slower.
    command = [program, "-b", "8", "-e", "8G", "-f", "2", "-t", str(gpus), "-g", "1", "-d", "float"]
    text = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=600).stdout
    figures = {}
    for line in text.splitlines():
        # size count type redop root, then out of place: time algbw busbw #wrong
        fields = line.split()
        if len(fields) >= 9 and re.fullmatch(r"\d+", fields[0]):
            figures[int(fields[0])] = (float(fields[5]), float(fields[7]))
    return figures


def compare_with_nccl_tests(workers, folder, gpus, operation):
    peer = nccl_tests_figures(f"{folder}/{operation}_perf", gpus)
    ours = lines_of(
        [f"{workers}/rv-collective", "--suite", "sweep", "--ops", operation, "--place", "out", "--json"]
        + ["--local-ranks", str(gpus)],
        600,
    )
    print(f"{operation}, {gpus} GPUs")
    print(f"{'bytes':>12}{'rv us':>10}{'peer us':>10}{'ratio':>8}{'rv GB/s':>10}{'peer GB/s':>10}{'ratio':>8}")
    for line in ours:
        size = line.get("params", {}).get("bytes")
        if line.get("suite") != "collective" or size not in peer:
            continue
        time, speed = peer[size]
        mine = line["params"]["time_us"]
        ratio = line["value"] / speed if speed else float("nan")
        print(f"{size:>12}{mine:>10.2f}{time:>10.2f}{mine / time:>8.3f}{line['value']:>10.2f}{speed:>10.2f}{ratio:>8.3f}")


def operations_in(text):
    chosen = operations if text == "all" else text.split(",")
    unknown = [name for name in chosen if name not in operations]
    if unknown:
        raise argparse.ArgumentTypeError(f"{unknown[0]}: expected all, or some of {', '.join(operations)}")
    return chosen


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("workers", nargs="?", help="the folder of rv-compute and rv-collective")
    parser.add_argument("--nccl-tests", help="the folder of all_reduce_perf and its like")
    parser.add_argument("--ops", type=operations_in, default=["all_reduce"], help="all, or names with commas (default: all_reduce)")
    parser.add_argument("--no-torch", action="store_true", help="leave PyTorch out")
    parser.add_argument("--gpus", type=int, help="GPUs of the collectives (default: all)")
    parser.add_argument("--torch", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.torch:
        print(json.dumps(torch_figures()))
        return
    if options.workers is None:
        parser.error("the folder of the workers is missing")
    workers = os.path.realpath(options.workers)
    if not options.no_torch:
        compare_with_torch(workers)
    if options.nccl_tests:
        listed = subprocess.run(["nvidia-smi", "-L"], stdout=subprocess.PIPE, text=True).stdout
        gpus = options.gpus or listed.count("GPU ")
        for operation in options.ops:
            compare_with_nccl_tests(workers, options.nccl_tests, gpus, operation)


main()
