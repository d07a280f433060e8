"""A host's side of the work that is hostile: the forced command of an sshd. argv: a file with the name of the attack."""

import gzip
import io
import json
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


script = "</script><script>alert(1)</script>"


def sweep_result(**changed):
    result = {
        "settings": {"n": "1"}, "repeat": 1, "folder": "n_1", "command": [script], "host": script, "gpus": [script],
        "driver": script, "began": 1.7e9, "wall_s": 1.0,
        "end": {"kind": "done", "exit_code": 0, "evidence": script},
        "metrics": {"steps_per_s": {"values": [1.0, 2.0]}, script: {"values": []}},
        "samples": {"figures": {}, "throttled_s": None,
                    "missing": [{"source": script, "since": 1.7e9, "until": None, "why": script}]}}
    return json.dumps(result | changed).encode()


def pages():
    samples = f"time,gpu,utilization_gpu_pct\n1700000000,{script},5\n1700000001,{script},6\n1700000000,b,1\n".encode()
    reports(*(entry("n_1/" + name, content) for name, content in (
        ("result.json", sweep_result(folder="../../../secret")), ("gpu_metrics.csv", samples), ("figure", b"\n <svg onload=x>"),
        ("cpu_metrics.csv", f"time,core0{script}_pct\n1700000000,5\n1700000001,6\n".encode()), ("plot.HTML", b"words"),
        ("model.pt", b"PK"))),
        entry("report.html", script.encode()), entry("results.json", b"{}"), entry("sweep.json", b"{}"))


after_start = {
    "pages": pages,
    "another point": lambda: reports(entry("n_1/result.json", sweep_result(settings={"n": "1/../../.."}))),
    "late": lambda: reports(entry("n_1/result.json", sweep_result(began=1e300))),
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
