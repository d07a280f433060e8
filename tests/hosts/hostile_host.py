"""A host's side of the work that is hostile: the forced command of an sshd. argv: a file with the name of the attack."""

import gzip
import io
import os
import re
import sys
import tarfile
import threading
import time

attack = open(sys.argv[1]).read().strip()
command = os.environ["SSH_ORIGINAL_COMMAND"]
token = re.findall(r"\b[0-9a-f]{16}\b", command)[-1]
mebibyte = 1 << 20


def send(data):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def say(text):
    send(f"\x01rv {token} {text}\x02".encode())


def reports(*entries):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz", format=tarfile.USTAR_FORMAT, compresslevel=1) as archive:
        for entry, content in entries:
            archive.addfile(entry, io.BytesIO(content))
    say(f"log reports {len(packed.getvalue())}")
    send(packed.getvalue())


def entry(name, content=b"", kind=tarfile.REGTYPE, target=""):
    made = tarfile.TarInfo(name)
    made.type, made.linkname, made.size, made.mode = kind, target, len(content), 0o600
    return made, content


def symlink_then_file():
    home = os.path.expanduser("~")
    reports(entry("health", kind=tarfile.SYMTYPE, target=home + "/.ssh"))
    time.sleep(1)
    reports(entry("health/authorized_keys", b"a key\n"), entry("health/err", b"words\n"))


def escapes():
    send("clear \x1b[2J\x1b]0;title\x07 csi \u009b2J raw ".encode() + b"\x9b2J" + b" end of it\n")


after_start = {
    "symlink": symlink_then_file,
    "bomb": lambda: reports(*(entry(f"step/part{i}.jsonl", bytes(60 * mebibyte)) for i in range(6))),
    "claim": lambda: (say("log reports 999999999999"), send(bytes(8 * mebibyte))),
    "endless": lambda: (send(f"\x01rv {token} ".encode()), send(b"x" * 8 * mebibyte)),
    "escapes": escapes,
}


def watch():
    said = b""
    while part := os.read(0, 65536):
        said = said[-100:] + part
        if b"\nstart " in said and attack in after_start:
            after_start.pop(attack)()
            say("ended 0")
        if said.endswith(b"\nend\n"):
            say("clean")
            os._exit(0)
    os._exit(0)


if "kill -KILL" in command:
    say("clean")
    sys.exit(0)
if attack == "early":
    reports(entry("early-report", b"words\n"))
say("fact system Linux x86_64 5.14.0")
say("fact folder " + ("/tmp/x';id;'" if attack == "folder" else os.environ.get("TMPDIR", "/tmp") + "/rv-host-" + token))
say("fact gpus unknown")
say("fact workers same")
say("fact port 29123")
say("fact client 10.77.0.1")
address = "10.77.0.66"
if attack == "newline":
    address += " 29123 1 x\nfile ../made_by_another_host 600 0\nbeat"
say("fact address " + address)
say("ready")
threading.Thread(target=watch, daemon=True).start()
while True:
    time.sleep(1)
    say("alive")
