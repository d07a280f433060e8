#!/usr/bin/env python3
"""Makes what CIFAR's Python archives unpack to, small. usage: cifar_archive.py FOLDER cifar10|cifar100 SAMPLES

Python's own pickler writes it, with the strings of Python 2 and a numpy that is only names, and Python's own unpickler
reads it back. Each sample is of one brightness, which tells its class."""

import io
import os
import pickle
import struct
import sys
import types


class Reconstructed:
    """numpy's array and dtype, as far as a pickle sees them."""

    def __init__(self, *arguments):
        self.arguments = arguments

    def __setstate__(self, state):
        self.state = state

    def __reduce__(self):
        return self.made_by, self.arguments, self.state


class ndarray(Reconstructed):
    pass


class dtype(Reconstructed):
    pass


def _reconstruct(*arguments):
    return ndarray(*arguments)


ndarray.made_by = staticmethod(_reconstruct)
dtype.made_by = dtype
ndarray.__module__ = dtype.__module__ = "numpy"
_reconstruct.__module__ = "numpy.core.multiarray"
for name in ("numpy", "numpy.core", "numpy.core.multiarray"):
    sys.modules[name] = types.ModuleType(name)
sys.modules["numpy"].ndarray, sys.modules["numpy"].dtype = ndarray, dtype
sys.modules["numpy.core.multiarray"]._reconstruct = _reconstruct


class Python2(pickle._Pickler):
    """Strings of bytes by SHORT_BINSTRING and BINSTRING, as Python 2 wrote its str."""

    dispatch = dict(pickle._Pickler.dispatch)

    def save_bytes(self, text):
        short = len(text) < 256
        self.write((b"U" + bytes([len(text)]) if short else b"T" + struct.pack("<i", len(text))) + text)
        self.memoize(text)

    dispatch[bytes] = save_bytes


def matrix(rows, columns, content):
    kind = dtype(b"u1", 0, 1)
    kind.state = (3, b"|", None, None, None, -1, -1, 0)
    array = ndarray(ndarray, (0,), b"b")
    array.state = (1, (rows, columns), kind, False, content)
    return array


def write(path, labels, key, classes):
    pixels = b"".join(bytes([label * 250 // classes]) * 3072 for label in labels)
    batch = {
        b"batch_label": b"training batch 1 of 5",
        key: labels,
        b"data": matrix(len(labels), 3072, pixels),
        b"filenames": [b"sample_%06d.png" % i for i in range(len(labels))],
    }
    file = io.BytesIO()
    Python2(file, protocol=2).dump(batch)
    back = pickle.loads(file.getvalue(), encoding="bytes")
    assert back[key] == labels and back[b"data"].state[4] == pixels
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as out:
        out.write(file.getvalue())


folder, which, samples = sys.argv[1], sys.argv[2], int(sys.argv[3])
if which == "cifar10":
    for part in range(1, 6):
        write(f"{folder}/cifar-10-batches-py/data_batch_{part}", [i % 2 * 9 for i in range(samples)], b"labels", 10)
else:
    write(f"{folder}/cifar-100-python/train", [i % 2 * 99 for i in range(samples)], b"fine_labels", 100)
