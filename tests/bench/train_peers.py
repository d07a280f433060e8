#!/usr/bin/env python3
"""rv-train beside PyTorch on the same GPUs, in one run: rv, PyTorch, PyTorch, rv for each load.

PyTorch is what it is at its best of several ways: eager in channels-last recorded as one CUDA graph, torch.compile with
CUDA graphs (reduce-overhead), and whatever else --ways names: eager, default, max-autotune, which tries kernels for
minutes; on several GPUs DistributedDataParallel. Both sides
train the same networks on the same shapes with SGD, momentum 0.9, and synthetic data that lies on the GPU.

usage: train_peers.py RV_TRAIN [--gpus N] [--loads resnet50:64:bf16,...] [--ways graph,reduce-overhead] [--steps 60]
"""
import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time

all_loads = "resnet50:64:bf16,resnet50:256:bf16,resnet18:128:bf16,transformer:32:bf16"


def transformer(torch, nn):
    """The network of rv-train's word, as PyTorch has it."""

    class Transformer(nn.Module):
        def __init__(self, words=1000, width=1024, heads=16, layers=12, feed_forward=4096, dropout=0.1):
            super().__init__()
            self.width = width
            self.embedding = nn.Embedding(words, width)
            position = torch.arange(512).unsqueeze(1)
            rate = torch.exp(torch.arange(0, width, 2) * (-math.log(10000.0) / width))
            table = torch.zeros(512, width)
            table[:, 0::2], table[:, 1::2] = torch.sin(position * rate), torch.cos(position * rate)
            self.register_buffer("table", table)
            self.drop = nn.Dropout(dropout)
            layer = nn.TransformerEncoderLayer(width, heads, feed_forward, dropout, batch_first=True)
            self.transformer_encoder = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
            self.output = nn.Linear(width, words)

        def forward(self, tokens):
            x = self.drop(self.embedding(tokens) * math.sqrt(self.width) + self.table[: tokens.shape[1]])
            mask = nn.Transformer.generate_square_subsequent_mask(tokens.shape[1], device=tokens.device)
            return self.output(self.transformer_encoder(x, mask=mask, is_causal=True))

    return Transformer()


def network_and_batch(torch, name, batch):
    """The network, its input and what it should say, on the GPU."""
    if name == "transformer":
        model = transformer(torch, torch.nn).cuda()
        tokens = torch.randint(1000, (batch, 512), device="cuda")
        return model, tokens[:, :-1].contiguous(), tokens[:, 1:].contiguous()
    import torchvision

    model = getattr(torchvision.models, name)().cuda().to(memory_format=torch.channels_last)
    x = torch.randn(batch, 3, 224, 224, device="cuda").to(memory_format=torch.channels_last)
    return model, x, torch.randint(1000, (batch,), device="cuda")


def recorded(torch, step, optimizer):
    """The step as one CUDA graph."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(11):
            step()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    optimizer.zero_grad(set_to_none=True)
    with torch.cuda.graph(graph):
        step()
    return graph.replay


def seconds_of(torch, dist, step, steps, warmup):
    """So many steps after the warm-up, on the slowest rank; dist: None where there is one."""
    for _ in range(warmup):
        step()
    torch.cuda.synchronize()
    if dist:
        dist.barrier()
        torch.cuda.synchronize()
    begin = time.monotonic()
    for _ in range(steps):
        step()
    torch.cuda.synchronize()
    seconds = torch.tensor(time.monotonic() - begin, device="cuda")
    if dist:
        dist.all_reduce(seconds, op=dist.ReduceOp.MAX)
    return seconds.item()


def torch_main(load, way, steps, warmup):
    """In a process of its own: prints samples/s of all ranks."""
    import torch
    import torch.distributed
    from torch import nn

    model_name, batch, precision = load.split(":")
    batch = int(batch)
    rank, world = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
    dist = torch.distributed if world > 1 else None
    torch.cuda.set_device(rank)
    if dist:
        dist.init_process_group("nccl")
    torch.manual_seed(1 + rank)
    torch.backends.cudnn.benchmark = True
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = precision != "fp32"
    kind = {"bf16": torch.bfloat16, "fp16": torch.float16}.get(precision)
    model, x, labels = network_and_batch(torch, model_name, batch)
    if dist:
        model = nn.parallel.DistributedDataParallel(model, gradient_as_bucket_view=True, static_graph=True)
    run = model if way in ("graph", "eager") else torch.compile(model, mode=way)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9, fused=True)

    def step():
        optimizer.zero_grad(set_to_none=True)
        # The cache of narrow weights must not outlive what is recorded.
        with torch.autocast("cuda", dtype=kind or torch.bfloat16, enabled=kind is not None, cache_enabled=way != "graph"):
            scores = run(x)
            loss = nn.functional.cross_entropy(scores.flatten(0, -2).float(), labels.flatten())
        loss.backward()
        optimizer.step()
        return loss

    again = recorded(torch, step, optimizer) if way == "graph" else step
    seconds = seconds_of(torch, dist, again, steps, warmup)
    if rank == 0:
        print(json.dumps({"samples_per_second": batch * world * steps / seconds}))
    sys.stdout.flush()
    os._exit(0)


def torch_figure(load, way, options):
    processes = []
    for rank in range(options.gpus):
        environment = dict(os.environ, RANK=str(rank), WORLD_SIZE=str(options.gpus), MASTER_ADDR="127.0.0.1",
                           MASTER_PORT="29517")
        command = [sys.executable, os.path.abspath(__file__), "--torch", load, way, str(options.steps), str(options.warmup)]
        processes.append(subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
    try:
        out, error = processes[0].communicate(timeout=options.timeout)
        for process in processes[1:]:
            process.communicate(timeout=30)
    except subprocess.TimeoutExpired:
        for process in processes:
            process.kill()
        return None, "took too long"
    lines = [line for line in out.splitlines() if line.startswith("{")]
    if not lines:
        return None, (error.strip().splitlines() or ["no output"])[-1]
    return json.loads(lines[-1])["samples_per_second"], ""


def rv_figure(load, options):
    model, batch, precision = load.split(":")
    with tempfile.TemporaryDirectory() as folder:
        results = os.path.join(folder, "results.json")
        command = [options.worker, "--device", "cuda", "--local-ranks", str(options.gpus), "--model", model, "--batch-size", batch,
                   "--precision", precision, "--warmup-iterations", str(options.warmup), "--active-iterations",
                   str(options.steps), "--results", results, "--deadline", "300"]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=options.timeout)
        if done.returncode != 0:
            return None, done.stdout[-400:]
        with open(results) as file:
            return json.load(file)["throughput_samples_per_second"], ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("worker", help="the rv-train binary")
    parser.add_argument("--gpus", type=int, default=1)
    parser.add_argument("--loads", default=all_loads)
    parser.add_argument("--ways", default="graph,reduce-overhead")
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--warmup", type=int, default=30)
    parser.add_argument("--timeout", type=int, default=300)
    options = parser.parse_args()
    failed = False
    print("| load | rv-train | PyTorch | by | ratio | rv, PyTorch, PyTorch, rv |")
    print("| --- | --- | --- | --- | --- | --- |")
    for load in options.loads.split(","):
        figures, notes, best = [], [], ""

        def torch_best(ways):
            got = {}
            for way in ways:
                got[way], why = torch_figure(load, way, options)
                if got[way] is None:
                    notes.append(f"{load}, PyTorch, {way}: {why}")
            known = {way: figure for way, figure in got.items() if figure}
            return max(known.items(), key=lambda item: item[1]) if known else (None, None)

        rv, why = rv_figure(load, options)
        if rv is None:
            notes.append(f"{load}, rv-train: {why}")
        figures.append(rv)
        # The way that is best at first is the one that is measured again.
        best, torch_first = torch_best(options.ways.split(","))
        figures.append(torch_first)
        figures.append(torch_best([best])[1] if best else None)
        figures.append(rv_figure(load, options)[0])
        if None in figures:
            failed = True
            print(f"| {load} | not measured: {figures} | | | | |")
        else:
            ours, theirs = (figures[0] + figures[3]) / 2, (figures[1] + figures[2]) / 2
            print(f"| {load} | {ours:.0f}/s | {theirs:.0f}/s | {best} | {ours / theirs:.3f} | "
                  f"{', '.join(f'{figure:.0f}' for figure in figures)} |")
        for note in notes:
            print(note, file=sys.stderr)
        sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1] == "--torch":
        torch_main(sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]))
    sys.exit(main())
