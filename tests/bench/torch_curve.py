#!/usr/bin/env python3
"""rv-train's loss curve beside PyTorch's, from PyTorch's own initial weights, on the same batches.

Needs PyTorch; ResNets are torchvision's where it is installed, else the same layers written out below. Both sides train
with SGD, momentum 0.9, without dropout, on a few batches in turn. What they begin with goes through two safetensors
files (docs/training.md says what is in them).

fp32 is held to how far PyTorch is from itself: the same training in double, and with each batch's samples in another
order and channels innermost, which changes nothing but rounding. rv-train may be four times as far at every step (as
PyTorch is a quarter further on: a training that multiplies its rounding begins to do so a little sooner or later), and
at the end in the weights; at no step 1 %. bf16 and tf32 are held to 1 %, in the mean over each pass of the batches,
which PyTorch's own keeps to its fp32.

A training can multiply its rounding until nothing is left to compare: PyTorch then differs from itself, too. So of the
rates the first is taken at which PyTorch agrees with itself; where there is none nothing can be said, and that is no
success.

Ends with 0 where all bounds hold, 1 where one does not, 3 where something could not be measured.

usage: torch_curve.py RV_TRAIN [--device cuda|cpu] [--loads resnet18:fp32,resnet18:bf16,...] [--steps 200]
"""
import argparse
import copy
import inspect
import json
import math
import os
import struct
import subprocess
import sys
import tempfile
import time

try:
    import torch
    from torch import nn
except ImportError:
    print("torch_curve.py: this python has no PyTorch, so there is nothing to compare with", file=sys.stderr)
    sys.exit(3)

rows = (1, 2, 3, 5, 10, 20, 30, 50, 75, 100, 125, 150, 175, 200, 300, 500, 1000)
beyond_itself = 4  # times as far from PyTorch as PyTorch is from itself
later = 1.25
floor = 2e-6  # some last bits of a float: runs may agree to more than they know
percent = 0.01
usual_rates = ("0.0001,0.00001,0.000001", "0.001,0.0001")  # of ResNets, of transformers


def resnet_written_out(depth, classes):
    """torchvision's, v1.5: the stride is on the 3 x 3."""

    class Block(nn.Module):
        def __init__(self, channels, width, stride):
            super().__init__()
            wide = width * (4 if depth == 50 else 1)
            kernels = [(channels, width, 1, 1), (width, width, 3, stride), (width, wide, 1, 1)]
            if depth == 18:
                kernels = [(channels, width, 3, stride), (width, width, 3, 1)]
            self.parts = len(kernels)
            for i, (inner, outer, kernel, step) in enumerate(kernels, 1):
                setattr(self, f"conv{i}", nn.Conv2d(inner, outer, kernel, step, kernel // 2, bias=False))
                setattr(self, f"bn{i}", nn.BatchNorm2d(outer))
            self.downsample = None
            if stride != 1 or channels != wide:
                self.downsample = nn.Sequential(nn.Conv2d(channels, wide, 1, stride, bias=False), nn.BatchNorm2d(wide))

        def forward(self, x):
            y = x
            for i in range(1, self.parts + 1):
                y = getattr(self, f"bn{i}")(getattr(self, f"conv{i}")(y))
                if i < self.parts:
                    y = nn.functional.relu(y)
            return nn.functional.relu(y + (x if self.downsample is None else self.downsample(x)))

    class ResNet(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv1, self.bn1 = nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64)
            channels = 64
            for stage, blocks in enumerate((3, 4, 6, 3) if depth == 50 else (2, 2, 2, 2)):
                layer = []
                for block in range(blocks):
                    layer.append(Block(channels, 64 << stage, 2 if stage > 0 and block == 0 else 1))
                    channels = (64 << stage) * (4 if depth == 50 else 1)
                setattr(self, f"layer{stage + 1}", nn.Sequential(*layer))
            self.fc = nn.Linear(channels, classes)
            for module in self.modules():
                if isinstance(module, nn.Conv2d):
                    nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")

        def forward(self, x):
            x = nn.functional.max_pool2d(nn.functional.relu(self.bn1(self.conv1(x))), 3, 2, 1)
            for stage in range(1, 5):
                x = getattr(self, f"layer{stage}")(x)
            return self.fc(x.mean((2, 3)))

    return ResNet()


class Transformer(nn.Module):
    """As in train_peers.py, without dropout; every layer begins with its own numbers, as nn.Transformer's."""

    def __init__(self, words, width, heads, layers, feed_forward, positions):
        super().__init__()
        self.width = width
        self.embedding = nn.Embedding(words, width)
        position = torch.arange(positions, dtype=torch.float64).unsqueeze(1)
        rate = torch.exp(torch.arange(0, width, 2, dtype=torch.float64) * (-math.log(10000.0) / width))
        table = torch.zeros(positions, width, dtype=torch.float64)
        table[:, 0::2], table[:, 1::2] = torch.sin(position * rate), torch.cos(position * rate)
        self.register_buffer("table", table.float(), persistent=False)
        layer = nn.TransformerEncoderLayer(width, heads, feed_forward, 0.0, batch_first=True)
        self.transformer_encoder = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        for parameter in self.transformer_encoder.parameters():
            if parameter.dim() > 1:
                nn.init.xavier_uniform_(parameter)
        self.output = nn.Linear(width, words)

    def forward(self, tokens):
        x = self.embedding(tokens) * math.sqrt(self.width) + self.table[: tokens.shape[1]]
        square = (tokens.shape[1], tokens.shape[1])
        mask = torch.full(square, -math.inf, device=tokens.device, dtype=x.dtype).triu(1)
        # Before PyTorch 2 there was no such word.
        known = inspect.signature(nn.TransformerEncoder.forward).parameters
        words = {"is_causal": True} if "is_causal" in known else {}
        return self.output(self.transformer_encoder(x, mask=mask, **words))


def make_model(name, o):
    torch.manual_seed(o.seed)
    if name == "transformer":
        width, heads, layers, wide = (1024, 16, 12, 4096) if o.device == "cuda" else (64, 4, 2, 128)
        return Transformer(o.classes, width, heads, layers, wide, o.sequence)
    try:
        import torchvision

        model = getattr(torchvision.models, name)(num_classes=o.classes)
    except ImportError:
        model = resnet_written_out(int(name[6:]), o.classes)
    if o.zero_init_residual:
        # As torchvision's option of this name.
        for key, parameter in model.named_parameters():
            if key.startswith("layer") and key.endswith("bn3.weight" if name == "resnet50" else "bn2.weight"):
                nn.init.zeros_(parameter)
    return model


def make_batches(name, o):
    generator = torch.Generator().manual_seed(o.seed + 1)
    if name == "transformer":
        return {"tokens": torch.randint(o.classes, (o.batches, o.batch, o.sequence + 1), generator=generator)}
    return {"images": torch.randn(o.batches, o.batch, 3, o.image_size, o.image_size, generator=generator),
            "labels": torch.randint(o.classes, (o.batches, o.batch), generator=generator)}


def write_safetensors(path, tensors):
    """Eight bytes with the header's length, a JSON header, the tensors' bytes; all little-endian."""
    kinds = {torch.float32: "F32", torch.int64: "I64"}
    header, end = {}, 0
    for name, tensor in tensors.items():
        begin, end = end, end + tensor.numel() * tensor.element_size()
        header[name] = {"dtype": kinds[tensor.dtype], "shape": list(tensor.shape), "data_offsets": [begin, end]}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for tensor in tensors.values():
            file.write(tensor.detach().cpu().contiguous().numpy().tobytes())


def read_safetensors(path):
    with open(path, "rb") as file:
        data = file.read()
    size = 8 + struct.unpack("<Q", data[:8])[0]
    kinds = {"F32": torch.float32, "I64": torch.int64}
    tensors = {}
    for name, one in json.loads(data[8:size]).items():
        begin, end = one["data_offsets"]
        tensor = torch.frombuffer(bytearray(data[size + begin : size + end]), dtype=kinds[one["dtype"]])
        tensors[name] = tensor.reshape(one["shape"])
    return tensors


def torch_curve(model, batches, o, how, turned=False):
    """(losses, state) of this training by PyTorch. `how`: fp64, fp32, tf32 or bf16. `turned`: each batch's samples from
    the last to the first, and images with channels innermost, which other kernels compute."""
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = how == "tf32"
    kind = torch.float64 if how == "fp64" else torch.float32
    model = copy.deepcopy(model).to(o.device, kind).train()
    if turned and "images" in batches:
        model = model.to(memory_format=torch.channels_last)
    ready = []
    for i in range(o.batches):
        if "tokens" in batches:
            x, labels = batches["tokens"][i][:, :-1], batches["tokens"][i][:, 1:]
        else:
            x, labels = batches["images"][i].to(kind), batches["labels"][i]
        x, labels = (t.flip(0) if turned else t.contiguous() for t in (x, labels))
        if turned and x.dim() == 4:
            x = x.contiguous(memory_format=torch.channels_last)
        ready.append((x.to(o.device), labels.to(o.device)))
    optimizer = torch.optim.SGD(model.parameters(), lr=o.rate, momentum=0.9)
    losses = []
    for step in range(o.steps):
        x, labels = ready[step % o.batches]
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast(o.device, dtype=torch.bfloat16, enabled=how == "bf16"):
            scores = model(x)
        scores = scores.flatten(0, -2)
        loss = nn.functional.cross_entropy(scores if how == "fp64" else scores.float(), labels.flatten())
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    return torch.stack(losses).double().tolist(), {name: t.detach().cpu() for name, t in model.state_dict().items()}


def rv_curve(name, precision, folder, o):
    def path(word):
        return os.path.join(folder, word)

    command = [o.worker, "--device", o.device, "--local-ranks", "1", "--model", name, "--precision", precision, "--batch-size",
               str(o.batch), "--num-classes", str(o.classes), "--learning-rate", repr(o.rate), "--steps", str(o.steps),
               "--dropout", "0", "--initial-weights", path("weights"), "--batches", path("batches"), "--final-weights",
               path("final"), "--results", path("results.json")]
    command += ["--sequence", str(o.sequence)] if name == "transformer" else ["--image-size", str(o.image_size)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=o.timeout)
    if done.returncode != 0:
        raise RuntimeError(f"rv-train ended with {done.returncode}:\n{done.stdout[-1500:]}")
    with open(path("results.json")) as file:
        return json.load(file)["losses"], read_safetensors(path("final"))


def apart(one, other):
    """Step by step, relative. A number that is none is infinitely far."""
    def of_two(a, b):
        return abs(a - b) / abs(a) if math.isfinite(a) and math.isfinite(b) and a != 0 else math.inf

    return [of_two(a, b) for a, b in zip(one, other)]


def way_apart(begin, one, other):
    """How far two ends of a training are from each other, over how far the first is from the beginning."""
    gap = way = 0.0
    for name, tensor in begin.items():
        if name.endswith("num_batches_tracked"):
            continue
        gap += (one[name].double() - other[name].double()).square().sum().item()
        way += (one[name].double() - tensor.double()).square().sum().item()
    return math.sqrt(gap / way) if way > 0 and math.isfinite(gap) else math.inf


def highest_so_far(numbers):
    so_far, highest = [], 0.0
    for number in numbers:
        highest = max(highest, number)
        so_far.append(highest)
    return so_far


def by_pass(curve, o):
    """The mean over each pass of the batches; what is left of one counts with the pass before."""
    whole = max(1, len(curve) // o.batches)
    ends = [i * o.batches for i in range(whole)] + [len(curve)]
    return [sum(curve[a:b]) / (b - a) for a, b in zip(ends, ends[1:])]


class Reference:
    """PyTorch's training, and how far others that are the same but for rounding are from it."""

    def __init__(self, model, batches, precision, o):
        exact = precision == "fp32"
        self.curve, self.state = torch_curve(model, batches, o, precision)
        others = [torch_curve(model, batches, o, precision, turned=True)]
        if self.agrees(exact, others, o):
            others.append(torch_curve(model, batches, o, "fp64" if exact else "fp32"))
        self.judged = self.agrees(exact, others, o)
        self.itself = highest_so_far([max(two) for two in zip(*(apart(self.curve, other) for other, _ in others))])
        self.others = others

    def agrees(self, exact, others, o):
        if exact:
            return all(max(apart(self.curve, other)) <= percent / beyond_itself for other, _ in others)
        return all(max(apart(by_pass(self.curve, o), by_pass(other, o))) <= percent for other, _ in others)

    def allowed(self, step):
        return max(floor, min(percent, beyond_itself * self.itself[min(len(self.itself) - 1, int(later * step))]))


def print_table(curve, ours, difference, itself, allowed, o):
    print("| step | PyTorch | rv-train | difference | PyTorch from itself, so far | allowed |")
    print("| --- | --- | --- | --- | --- | --- |")
    for step in sorted({row for row in rows if row < o.steps} | {o.steps}):
        i = step - 1
        bound = f"{allowed[i]:.1e}" if allowed else "1 % of a pass"
        print(f"| {step} | {curve[i]:.7f} | {ours[i]:.7f} | {difference[i]:.1e} | {itself[i]:.1e} | {bound} |")


def compare(load, o):
    """Prints the table of a load; True where it is within its bound."""
    name, precision = load.split(":")
    begun = time.monotonic()
    model, batches = make_model(name, o), make_batches(name, o)
    begin = {key: t.detach().clone() for key, t in model.state_dict().items()}
    for rate in map(float, (o.rates or usual_rates[name == "transformer"]).split(",")):
        o.rate = rate
        torch_side = Reference(model, batches, precision, o)
        if torch_side.judged:
            break
    torch_seconds = time.monotonic() - begun
    with tempfile.TemporaryDirectory(dir=o.folder) as folder:
        write_safetensors(os.path.join(folder, "weights"), begin)
        write_safetensors(os.path.join(folder, "batches"), batches)
        begun = time.monotonic()
        ours, ours_state = rv_curve(name, precision, folder, o)
        rv_seconds = time.monotonic() - begun
    curve = torch_side.curve
    if len(ours) != len(curve):
        raise RuntimeError(f"rv-train has {len(ours)} losses in place of {len(curve)}")
    difference, exact = apart(curve, ours), precision == "fp32"
    size = f"{o.sequence} positions" if name == "transformer" else f"{o.image_size} pixels"
    if o.zero_init_residual and name != "transformer":
        size += ", residual parts begin with nothing"
    print(f"\n{name}, {precision}, {size}, {o.batches} batches of {o.batch} in turn, {o.classes} classes, rate {o.rate:g}:\n")
    allowed = [torch_side.allowed(step) for step in range(len(curve))] if exact else None
    print_table(curve, ours, difference, torch_side.itself, allowed, o)
    gap = way_apart(begin, torch_side.state, ours_state)
    own_gap = max(way_apart(begin, torch_side.state, other) for _, other in torch_side.others)
    if exact:
        nearest = max(range(len(curve)), key=lambda i: difference[i] / allowed[i])
        ok = difference[nearest] <= allowed[nearest] and gap <= max(floor, beyond_itself * own_gap)
        print(f"\nlargest difference of a step {max(difference):.1e}; nearest to its bound at step {nearest + 1}: "
              f"{difference[nearest]:.1e} of {allowed[nearest]:.1e}")
    else:
        passes = apart(by_pass(curve, o), by_pass(ours, o))
        ok = max(passes) <= percent
        print(f"\nlargest difference of a step {max(difference):.1e}, of a pass's mean {max(passes):.1e} of {percent:.1e}")
    print(f"weights and statistics at the end: {gap:.1e} of their way apart; PyTorch from itself {own_gap:.1e}")
    if not torch_side.judged:
        ok = False
        print(f"PyTorch differs from itself by {torch_side.itself[-1]:.1e}: nothing can be said; try a smaller rate")
    print(f"{'ok' if ok else 'NOT OK'}: {load} (PyTorch {torch_seconds:.0f} s, rv-train {rv_seconds:.0f} s)", flush=True)
    return ok


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("worker", help="the rv-train binary")
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--loads", help="model:precision, several with commas (default: all of the device)")
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--rates", help="the first at which PyTorch agrees with itself is taken (default: "
                        f"{usual_rates[0]}; of transformers {usual_rates[1]})")
    parser.add_argument("--batch", type=int, help="samples in a batch (default: 32; cpu 8)")
    parser.add_argument("--batches", type=int, default=8, help="how many, in turn")
    parser.add_argument("--classes", type=int, help="or words (default: 1000; cpu 16)")
    parser.add_argument("--image-size", type=int, help="pixels of a side (default: 128; cpu 32)")
    parser.add_argument("--sequence", type=int, help="positions (default: 31; cpu 15)")
    parser.add_argument("--zero-init-residual", action="store_true",
                        help="ResNets' residual parts begin with nothing, which multiplies less rounding")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", help="for the files meanwhile (default: the temporary folder)")
    parser.add_argument("--timeout", type=int, default=1800, help="seconds that rv-train may take for a load")
    o = parser.parse_args()
    here = o.device == "cuda"
    o.worker = os.path.abspath(o.worker)
    o.batch = o.batch or (32 if here else 8)
    o.classes = o.classes or (1000 if here else 16)
    o.image_size = o.image_size or (128 if here else 32)
    o.sequence = o.sequence or (31 if here else 15)
    loads = o.loads or ("resnet18:fp32,resnet18:bf16,resnet50:fp32,resnet50:bf16,transformer:fp32,transformer:bf16" if here
                        else "resnet18:fp32,transformer:fp32")
    print(f"PyTorch {torch.__version__} on {torch.cuda.get_device_name() if here else 'the processor'}")
    code = 0
    for load in loads.split(","):
        try:
            code = max(code, 0 if compare(load, o) else 1)
        except (RuntimeError, OSError, ValueError, KeyError, subprocess.SubprocessError) as error:
            print(f"\nnot measured: {load}: {error}", file=sys.stderr, flush=True)
            code = 3
    return code


if __name__ == "__main__":
    sys.exit(main())
