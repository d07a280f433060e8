#!/usr/bin/env python3
"""Makes random runs with random faults on a real one-machine Slurm and checks what rv reports about them.

Each command records its own starts, end and output outside the run folder. The driver compares this record with rv's
outcome, exit code and logs, and looks for jobs left in the queue and for other jobs of the user that were cancelled.
A run that is wrong is kept, with its run folder. The exit code is 1 if there is one.

usage: random_runs.py SEED COUNT [--slurm DIR] [--lanes N] [--longest SECONDS] [--speed N] [--first N] [--kinds a,b] [--faults a,b] [--keep FOLDER] [--other-rv RV] [--disks FOLDER --jobs-in NAMESPACE]

RV is the binary (default: build/cli/rv). --speed N runs Slurm, the jobs and rv on a clock that is N times as fast. It needs an rv
that is linked dynamically (build/tests/rv_dynamic). Durations stay those of that clock. With
--other-rv half of the commands are those of another version of rv. With --disks the run folders of lane N are in FOLDER/laneN, which
must be a mounted file system of its own, and --jobs-in names the mount namespace in which Slurm and the jobs see it (over_nfs.sh).
"""
import argparse
import os
import pathlib
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
import draw as draws
import foreign
import lane as lanes

ROOT = pathlib.Path(__file__).resolve().parents[2]
SANDBOX = ROOT / "examples/sandbox/sandbox"
COLUMNS = ["untrue", "missing", "left"]


class Cluster:
    """The sandbox that all lanes share."""

    def __init__(self, folder, kept, slurm, speed, other_rv, jobs_in=None):
        self.sandbox, self.kept, self.speed = folder / "sandbox", kept, speed
        self.rv = os.path.abspath(os.environ.get("RV", ROOT / "build/cli/rv"))
        self.other_rv = other_rv and os.path.abspath(other_rv)
        self.controller = threading.Lock()
        extra = (["--slurm", slurm] if slurm else []) + (["--speed", f"{speed:g}"] if speed != 1 else [])
        inside = ["nsenter", f"--mount={jobs_in}"] if jobs_in else []
        subprocess.run([*inside, SANDBOX, "up", "--shape", pathlib.Path(__file__).with_name("random_runs.yaml"), *extra, "--dir", self.sandbox],
                       check=True, stdout=subprocess.DEVNULL)
        own = dict(PATH="/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL="C.UTF-8", TZ="UTC", HOME=str(folder))
        env = subprocess.run([SANDBOX, "run", "--dir", self.sandbox, "--", "env", "-0"], env=own, check=True, capture_output=True, text=True)
        self.environment = dict(line.split("=", 1) for line in env.stdout.split("\0") if "=" in line)
        # rv's patience with Slurm's commands is in real seconds.
        self.environment["FAKETIME_DONT_FAKE_MONOTONIC"] = "1"

    def call(self, *arguments):
        try:
            return subprocess.run(arguments, env=self.environment, capture_output=True, text=True, timeout=60, check=False)
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(arguments, 124, "", "")

    def daemon(self, what, name):
        subprocess.run([SANDBOX, "daemon", what, name, "--dir", self.sandbox], check=False, capture_output=True)

    def controller_away(self):
        """One lane at a time; what ends it starts the controller again."""
        if not self.controller.acquire(blocking=False):
            return lambda: None
        self.daemon("kill", "slurmctld")

        def back():
            self.daemon("start", "slurmctld")
            self.controller.release()
        return back

    def preempt(self, jobs, seconds):
        """A job of higher priority takes the first job's node for itself."""
        nodes = self.call("squeue", "-h", "-o", "%N", "-t", "running", "-j", ",".join(jobs[:1])).stdout.split() if jobs else []
        done = self.call("sbatch", "--parsable", "-p", "urgent", "-J", "urgent", "--exclusive", "--no-requeue", "-o", "/dev/null", "-t", "10",
                         *(["-w", nodes[0]] if nodes else ["-N", "1"]), "--wrap", f"sleep {seconds:.0f}")
        return lambda: self.call("scancel", "-n", "urgent", done.stdout.strip())

    def mend(self):
        """A killed controller can drain a node for a duplicate job ID."""
        self.call("scontrol", "update", "nodename=ALL", "state=resume")

    def down(self):
        subprocess.run([SANDBOX, "down", "--dir", self.sandbox], check=False, stdout=subprocess.DEVNULL)


class Results:
    def __init__(self):
        self.lock, self.rows, self.over = threading.Lock(), [], []

    def add(self, draw, shown, wrong, started, seconds):
        state = shown.get("state", "no run") if shown else "no run"
        with self.lock:
            self.rows.append((draw.kind, wrong))
            text = "; ".join(f"{column}: {wrong[column]}" for column in COLUMNS if column in wrong) or "right"
            print(f"{draw}: {state}, {started} starts, {seconds:.0f} s: {text}", flush=True)

    def check_again(self):
        """A run that was over must not start again later, such as when Slurm or a frozen process goes on."""
        for wrong, name, truth, started in self.over:
            now = sum(line.split()[1] == "start" for log in truth.glob("log*") for line in lanes.read_lines(log))
            if now != started:
                wrong["untrue"] = f"started after its end: {now} starts"
                print(f"{name}: {wrong['untrue']}")

    def table(self):
        print(f"\n{'kind':12}{'runs':>6}{'right':>7}{'untrue outcome':>16}{'missing bytes':>15}{'jobs left':>11}")
        for kind in [*draws.KINDS, "all"]:
            rows = [wrong for other, wrong in self.rows if kind in (other, "all")]
            if rows:
                right = sum(not wrong for wrong in rows)
                counts = [sum(column in wrong for wrong in rows) for column in ("untrue",)]
                missing = sum(wrong.get("missing", 0) for wrong in rows)
                left = sum(len(wrong.get("left", "").split()) for wrong in rows)
                print(f"{kind:12}{len(rows):>6}{right:>7}{counts[0]:>16}{missing:>15}{left:>11}")


def work(lane, todo, results, strangers):
    while True:
        try:
            one = todo.get_nowait()
        except queue.Empty:
            return
        began, wrong, shown = time.monotonic(), {}, {}
        lane.started = 0
        try:
            shown, wrong = lane.run(one)
            if shown.get("id"):
                strangers.resemble(lane.name, shown["id"])
        except Exception as error:  # a fault of the driver is a wrong run, and the others continue
            wrong = {"untrue": f"driver: {error!r}"}
        if wrong:
            lane.keep(shown, wrong)
        results.add(one, shown, wrong, lane.started, time.monotonic() - began)
        results.over.append((wrong, lane.name, lane.truth, lane.started))
        lane.cluster.mend()


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1])
    parser.add_argument("seed", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--slurm")
    parser.add_argument("--lanes", type=int, default=6)
    parser.add_argument("--longest", type=float, default=60)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--kinds")
    parser.add_argument("--faults")
    parser.add_argument("--keep")
    parser.add_argument("--other-rv")
    parser.add_argument("--disks", type=pathlib.Path)
    parser.add_argument("--jobs-in")
    parser.add_argument("--speed", type=float, default=1)
    options = parser.parse_args()

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    folder = pathlib.Path(tempfile.mkdtemp(prefix="rv-random-"))
    kept = pathlib.Path(options.keep or folder / "kept")
    cluster = Cluster(folder, kept, options.slurm, options.speed, options.other_rv, options.jobs_in)
    all_lanes, results = [], Results()
    strangers = foreign.ForeignJobs(folder / "foreign.log", cluster.environment, options.seed)
    touched = []
    try:
        todo = queue.Queue()
        kinds = options.kinds.split(",") if options.kinds else None
        faults = options.faults.split(",") if options.faults else None
        for number in range(options.first, options.first + options.count):
            todo.put(draws.draw(options.seed, number, options.longest, kinds, faults))
        strangers.start()
        all_lanes = [lanes.Lane(number, folder, cluster, options.disks) for number in range(min(options.lanes, options.count))]
        threads = [threading.Thread(target=work, args=(lane, todo, results, strangers), daemon=True) for lane in all_lanes]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        strangers.finish()
        touched = strangers.touched(cluster.sandbox / "log")
        if touched:
            shutil.copytree(cluster.sandbox / "log", kept / "log", dirs_exist_ok=True)
        results.check_again()
    finally:
        cluster.down()
        for lane in all_lanes:
            lane.unmount()
    results.table()
    print(f"foreign jobs: {strangers.submitted}, touched: {len(touched)} {' '.join(touched)}")
    wrong = touched or any(wrong for _, wrong in results.rows)
    print(f"kept: {kept}" if wrong else "all right")
    if not wrong:
        shutil.rmtree(folder, ignore_errors=True)
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
