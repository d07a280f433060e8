#!/usr/bin/env python3
"""Records `rv up --gpu 4 --time 30m` on a sandbox and draws the session as an animated SVG.

usage: record.py SVG

Needs `rv` in PATH and a sandbox in the shape afton (`eval "$(examples/sandbox/sandbox env)"`). The script first fills the
GPUs with jobs, so that candidates have to wait. Those on the V100 end after a few seconds, and their candidate wins.
"""
import html
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
import fcntl

COLUMNS, ROWS = 100, 24
COMMAND = "rv up --gpu 4 --time 30m"
GPUS = {"gpu-a6000": 16, "gpu-a40": 16, "gpu-a100-40": 16, "gpu-a100-80": 16, "gpu-h200": 16, "gpu-v100": 8}
SITE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "sites", "rivanna.yaml")  # prices decide who races
WAIT = 12  # seconds until the jobs on the V100 end
DEADLINE = 120  # seconds for the whole session
SHELL = [  # what is typed in the shell on the GPUs
    "echo GPUs $CUDA_VISIBLE_DEVICES on $SLURMD_NODENAME",
    "exit",
]


class Terminal:
    """A screen that understands the control sequences that rv and bash send; colours and modes are ignored."""

    def __init__(self):
        self.lines, self.row, self.column, self.pending = [""], 0, 0, ""

    def write(self, text):
        text, self.pending = self.pending + text, ""
        while text:
            if text[0] == "\x1b":
                sequence = re.match(r"\x1b(\[[0-9;?]*[@-~]|\][^\x07]*\x07|[()].|[=>78M])", text)
                if not sequence:
                    self.pending = text
                    return
                self.control(sequence.group(1))
                text = text[sequence.end():]
            else:
                self.put(text[0])
                text = text[1:]

    def put(self, char):
        if char == "\n":
            self.row += 1
        elif char == "\r":
            self.column = 0
        elif char == "\b":
            self.column = max(0, self.column - 1)
        elif char >= " ":
            line = self.line().ljust(self.column)
            self.lines[self.row] = line[:self.column] + char + line[self.column + 1:]
            self.column += 1
        self.line()

    def line(self):
        self.lines += [""] * (self.row + 1 - len(self.lines))
        return self.lines[self.row]

    def control(self, sequence):
        kind, number = sequence[-1], int(re.search(r"\d*", sequence[1:]).group() or 1)
        if kind == "A":
            self.row = max(0, self.row - number)
        elif kind == "B":
            self.row += number
        elif kind == "C":
            self.column += number
        elif kind == "G":
            self.column = number - 1
        elif kind == "F":
            self.row, self.column = max(0, self.row - number), 0
        elif kind == "K":
            self.lines[self.row] = self.line()[:self.column]
        elif kind == "J" and sequence[1:2] not in "123":
            self.lines[self.row:] = [self.line()[:self.column]]

    def shown(self):
        lines = [line.rstrip() for line in self.lines]
        while lines and not lines[-1]:
            lines.pop()
        return lines[-ROWS:]


def fill(ids):
    """Submits jobs of four GPUs until no GPU is free, adds their IDs to `ids`, and waits until all of them run."""
    for partition, gpus in GPUS.items():
        seconds = WAIT if partition == "gpu-v100" else 900
        for _ in range(gpus // 4):
            words = ["sbatch", "--parsable", "--output=/dev/null", f"--partition={partition}", "--nodes=1",
                     "--gpus-per-node=4", "--mem=1G", "--time=20", f"--wrap=sleep {seconds}"]
            ids.append(subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip())
    end = time.monotonic() + 30
    words = ["squeue", "-h", "-t", "PENDING", "-o", "%i"]
    while set(subprocess.run(words, check=True, capture_output=True, text=True).stdout.split()) & set(ids):
        if time.monotonic() > end:
            sys.exit("record.py: the jobs that fill the GPUs do not start; is the sandbox idle?")
        time.sleep(0.2)


def play():
    """Returns the frames: seconds since the start, and the lines on the screen."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm", COLUMNS=str(COLUMNS), NO_COLOR="1", RV_SITE=SITE)
        words = COMMAND.split()
        os.execvp(words[0], words)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    screen, frames, typed, begin, quiet = Terminal(), [], 0, time.monotonic(), time.monotonic()
    screen.write(f"$ {COMMAND}\r\n")
    while time.monotonic() - begin < DEADLINE:
        now = time.monotonic()
        if select.select([terminal], [], [], 0.1)[0]:
            try:
                data = os.read(terminal, 65536)
            except OSError:
                break
            if not data:
                break
            screen.write(data.decode(errors="replace"))
            quiet = now
        if not frames or screen.shown() != frames[-1][1]:
            frames.append((now - begin, screen.shown()))
        at_prompt = re.search(r"[$#] ?$", screen.line()) and screen.row > 1
        if at_prompt and now - quiet > 1.5 and typed < len(SHELL):
            os.write(terminal, (SHELL[typed] + "\n").encode())
            typed, quiet = typed + 1, now
    else:
        os.kill(pid, 15)
    _, status = os.waitpid(pid, 0)
    frames.append((time.monotonic() - begin, screen.shown()))
    if status != 0 or typed < len(SHELL):
        sys.exit("record.py: the session did not end as expected:\n" + "\n".join(screen.shown()))
    return frames


def thinned(frames, step=0.8):
    """At most one frame every `step` seconds, and the last."""
    kept = []
    for when, lines in frames:
        if kept and when - kept[-1][0] < step:
            kept[-1] = (kept[-1][0], lines)
        elif not kept or lines != kept[-1][1]:
            kept.append((when, lines))
    return kept


def svg(frames):
    """All frames on top of each other; an animation shows one at a time. Without animation the last one is shown."""
    width, height = 8.4 * COLUMNS + 24, 18 * max(len(lines) for _, lines in frames) + 28
    total = frames[-1][0] + 4
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" role="img">',
             f"<title>{html.escape(COMMAND)}: candidates race, and the first to start gets a shell</title>",
             "<style>text{font:14px ui-monospace,Menlo,Consolas,monospace;fill:#d8dee9;white-space:pre}</style>",
             '<rect width="100%" height="100%" rx="8" fill="#20242c"/>']
    for index, (when, lines) in enumerate(frames):
        begin = 0 if index == 0 else when / total
        end = frames[index + 1][0] / total if index + 1 < len(frames) else 1
        last = index + 1 == len(frames)
        times = f"0;{begin:.4f};{end:.4f}" if begin > 0 else f"0;{end:.4f}"
        values = "none;inline;none" if begin > 0 else "inline;none"
        if last:
            times, values = f"0;{begin:.4f}", "none;inline"
        parts.append(f'<g display="{"inline" if last else "none"}"><animate attributeName="display" calcMode="discrete" '
                     f'dur="{total:.1f}s" repeatCount="indefinite" keyTimes="{times}" values="{values}"/>')
        parts += [f'<text x="12" y="{28 + 18 * row}">{html.escape(line)}</text>' for row, line in enumerate(lines) if line]
        parts.append("</g>")
    return "\n".join(parts + ["</svg>"]) + "\n"


def main():
    ids = []
    try:
        fill(ids)
        frames = thinned(play())
    finally:
        subprocess.run(["scancel"] + ids, check=True)
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(svg(frames))


if len(sys.argv) != 2:
    sys.exit(__doc__)
main()
