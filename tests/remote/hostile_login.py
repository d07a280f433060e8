"""A login node that answers as its owner likes: sshd's ForceCommand. The folder in argv[1] says what it answers with:
"hello", the JSON of a forward's answer, PORTS in it being the targets that were asked for; "extra", frames after it, one
"KIND CHANNEL TEXT" a line; "says", what a command prints, MARK(…) in it being a mark of rv's own; "errors", what it writes to
stderr."""

import base64
import json
import os
import pathlib
import re
import struct
import sys
import time

folder = pathlib.Path(sys.argv[1])
words = os.environ["SSH_ORIGINAL_COMMAND"].split()
token, packed = words[-2], words[-1]
asked = base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4))


def write(data):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def frame(kind, channel, payload):
    return kind.encode() + struct.pack("<II", channel, len(payload)) + payload + b"\n"


def mark(text):
    return b"\x01rv " + token.encode() + b" " + text + b"\x02"


request = re.search(rb'\{"run":.*"targets":\[.*?\]\}', asked)
if request:
    ports = json.loads(request.group())["ports"]
    targets = json.dumps([{"node": "n1", "port": port} for port in ports])
    answer = (folder / "hello").read_text().strip().replace("PORTS", targets[1:-1])
    write(b"\x01rv relay 1\x02\n" + frame("h", 0, answer.encode()))
    for line in (folder / "extra").read_text().splitlines():
        kind, channel, text = line.split(" ", 2)
        write(frame(kind, int(channel), text.encode()))
    while sys.stdin.buffer.read1():
        pass
else:
    said = (folder / "says").read_bytes()
    sys.stderr.buffer.write((folder / "errors").read_bytes())
    sys.stderr.flush()
    write(mark(b"start") + re.sub(rb"MARK\((.*)\)", lambda found: mark(found.group(1)), said))
    if b"announce" in said:
        time.sleep(1)  # a command that serves a page lasts
    write(mark(b"end 0"))
