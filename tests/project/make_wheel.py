#!/usr/bin/env python3
"""Writes a wheel, so that pip has something to install without a network.
usage: make_wheel.py FOLDER NAME VERSION [--requires NAME]... [--program NAME[=MODULE:FUNCTION]] [--module FILE]
                     [--path FOLDER] [--megabytes N]

The module says its version, or is the file given; --program is a command that prints its arguments, or calls the function
given; --path brings no module, but the modules of that folder; --megabytes of zeros take next to no room in the wheel, and
all of it once installed."""
import argparse
import base64
import hashlib
import os
import zipfile

parser = argparse.ArgumentParser()
parser.add_argument("folder")
parser.add_argument("name")
parser.add_argument("version")
parser.add_argument("--requires", action="append", default=[])
parser.add_argument("--program", default="")
parser.add_argument("--module")
parser.add_argument("--path")
parser.add_argument("--megabytes", type=int, default=0)
order = parser.parse_args()

info = f"{order.name}-{order.version}.dist-info"
metadata = f"Metadata-Version: 2.1\nName: {order.name}\nVersion: {order.version}\n"
metadata += "".join(f"Requires-Dist: {name}\n" for name in order.requires)
module = f'version = "{order.version}"\n\n\ndef main():\n    import sys\n    print("{order.name}", version, *sys.argv[1:])\n'
files = {
    f"{order.name}/__init__.py": module.encode(),
    f"{info}/METADATA": metadata.encode(),
    f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: a test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
}
if order.module:
    with open(order.module, "rb") as file:
        files[f"{order.name}/__init__.py"] = file.read()
if order.path:
    del files[f"{order.name}/__init__.py"]
    files[f"{order.name}.pth"] = f"{order.path}\n".encode()
if order.program:
    program, _, function = order.program.partition("=")
    files[f"{info}/entry_points.txt"] = f"[console_scripts]\n{program} = {function or order.name + ':main'}\n".encode()
if order.megabytes:
    files[f"{order.name}/data.bin"] = bytes(order.megabytes << 20)
record = f"{info}/RECORD"
rows = [f"{path},sha256={base64.urlsafe_b64encode(hashlib.sha256(text).digest()).rstrip(b'=').decode()},{len(text)}"
        for path, text in files.items()]
files[record] = "\n".join([*rows, f"{record},,", ""]).encode()

os.makedirs(order.folder, exist_ok=True)
with zipfile.ZipFile(os.path.join(order.folder, f"{order.name}-{order.version}-py3-none-any.whl"), "w",
                     zipfile.ZIP_DEFLATED) as wheel:
    for path, text in files.items():
        wheel.writestr(path, text)
