"""Small safetensors files for the tests of rv-train, by Python alone."""
import json
import random
import struct
import sys


def read(path):
    """{name: (dtype, shape, bytes)}"""
    with open(path, "rb") as file:
        data = file.read()
    end = 8 + struct.unpack("<Q", data[:8])[0]
    return {name: (one["dtype"], one["shape"], data[end + one["data_offsets"][0] : end + one["data_offsets"][1]])
            for name, one in json.loads(data[8:end]).items()}


def write(path, tensors):
    header, data = {}, b""
    for name, (kind, shape, numbers) in tensors.items():
        header[name] = {"dtype": kind, "shape": shape, "data_offsets": [len(data), len(data) + len(numbers)]}
        data += numbers
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


def whole(numbers):
    return struct.pack(f"<{len(numbers)}q", *numbers)


def tokens(path, batches, samples, length, words):
    """Batch by batch the same tokens, however they are cut into batches."""
    random.seed(3)
    write(path, {"tokens": ("I64", [batches, samples, length],
                            whole([random.randrange(words) for _ in range(batches * samples * length)]))})


def images(path, batches, samples, side, classes):
    random.seed(4)
    numbers = [random.gauss(0, 1) for _ in range(batches * samples * 3 * side * side)]
    write(path, {"images": ("F32", [batches, samples, 3, side, side], struct.pack(f"<{len(numbers)}f", *numbers)),
                 "labels": ("I64", [batches, samples], whole([random.randrange(classes) for _ in range(batches * samples)]))})


def drop(path, to, name):
    write(to, {key: tensor for key, tensor in read(path).items() if key != name})


def zero(path, to, *names):
    write(to, {key: (kind, shape, b"\0" * len(data) if key in names else data)
               for key, (kind, shape, data) in read(path).items()})


def scale(path, to, name, factor):
    def times(data):
        numbers = struct.unpack(f"<{len(data) // 4}f", data)
        return struct.pack(f"<{len(numbers)}f", *(factor * number for number in numbers))

    write(to, {key: (kind, shape, times(data) if key == name else data)
               for key, (kind, shape, data) in read(path).items()})


def add(path, to, name):
    write(to, {**read(path), name: ("F32", [1], b"\0\0\0\0")})


def reshape(path, to, name, *shape):
    write(to, {key: (kind, list(map(int, shape)) if key == name else own, data)
               for key, (kind, own, data) in read(path).items()})


if __name__ == "__main__":
    number = lambda word: int(word) if word.isdigit() else word
    globals()[sys.argv[1]](*map(number, sys.argv[2:]))
