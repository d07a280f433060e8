"""One lane makes one random run after the other, each with its faults, in an RV_HOME on a small file system of its own."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import time

import foreign
import judge

HERE = pathlib.Path(__file__).resolve().parent
FINAL = {"done", "failed", "timeout", "stopped", "node-failure", "preempted", "out-of-memory", "refused", "lost"}


def read_lines(path):
    try:
        return path.read_text(encoding="utf-8", errors="replace").split("\n")[:-1]
    except FileNotFoundError:
        return []


class Lane:
    def __init__(self, number, folder, cluster, disks=None):
        self.cluster = cluster
        self.folder = folder / f"lane{number}"
        self.own_disk = disks is None
        self.disk = disks / f"lane{number}" if disks else self.folder / "disk"
        self.bin, self.work = self.folder / "bin", self.folder / "work"
        for made in (self.disk, self.bin, self.work, self.folder / "user"):
            made.mkdir(parents=True, exist_ok=True)
        if self.own_disk:
            subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "rv-random", self.disk], check=True)
        self.home = self.disk / "home"
        self.home.mkdir()
        for name in ("sbatch", "scancel"):
            (self.bin / name).symlink_to(HERE / "faulty_client.sh")
        (self.folder / "site.yaml").write_text(f"scratch: {self.folder}/scratch\nhead_start: 0\n", encoding="utf-8")
        self.environment = dict(cluster.environment, HOME=str(self.folder / "user"), RV_HOME=str(self.home),
                                RV_SITE=str(self.folder / "site.yaml"), NO_COLOR="1",
                                PATH=f"{self.bin}:{cluster.environment['PATH']}")
        self.client, self.calls = None, number

    def unmount(self):
        if self.own_disk:
            subprocess.run(["umount", "-l", self.disk], check=False)

    # --- rv

    def rv(self, *arguments, seconds=60):
        """Some of the commands are another version's, where one was named."""
        self.calls += 1
        program = self.cluster.other_rv if self.cluster.other_rv and self.calls % 2 else self.cluster.rv
        try:
            return subprocess.run([program, *arguments], env=self.environment, cwd=self.work, capture_output=True,
                                  stdin=subprocess.DEVNULL, timeout=seconds, check=False)
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(arguments, 124, b"", b"timed out")

    def show(self, name):
        done = self.rv("show", name, "--json")
        try:
            return json.loads(done.stdout)
        except json.JSONDecodeError:
            return {}

    # --- processes of this lane

    def processes(self, what):
        """rv's own, the batch scripts or the commands of the present run."""
        found = []
        for folder in pathlib.Path("/proc").iterdir():
            if not folder.name.isdigit():
                continue
            try:
                line = (folder / "cmdline").read_bytes().split(b"\0")
                environment = (folder / "environ").read_bytes().split(b"\0")
            except OSError:
                continue
            is_rv = line[0] in (os.fsencode(self.cluster.rv), os.fsencode(self.cluster.other_rv or self.cluster.rv))
            if what == "rv":
                fits = is_rv and f"RV_HOME={self.home}".encode() in environment
            else:
                name = "SLURM_JOB_NAME=" + self.name + "@"
                in_job = any(entry.startswith(name.encode()) for entry in environment)
                word = b"slurm_script" if what == "script" else b"command.sh"
                fits = in_job and any(word in part for part in line[:4])
            if fits:
                found.append(int(folder.name))
        return found

    def signal_all(self, pids, number):
        for pid in pids:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass

    def jobs_with_names(self):
        """Jobs of the present run in the queue: ID, state and name."""
        done = self.cluster.call("squeue", "-h", "-o", "%i %T %j", "-t", "all")
        if done.returncode != 0:
            return None
        rows = [row.split(" ", 2) for row in done.stdout.splitlines()]
        return [tuple(row) for row in rows if len(row) == 3 and row[2].startswith(self.name + "@")]

    def jobs(self):
        jobs = self.jobs_with_names()
        return None if jobs is None else [(job, state) for job, state, _ in jobs]

    def live_jobs(self):
        jobs = self.jobs()
        live = ("PENDING", "RUNNING", "SUSPENDED", "CONFIGURING", "REQUEUED", "REQUEUE_HOLD")
        return None if jobs is None else [job for job, state in jobs if state in live]

    # --- faults; each returns what ends it

    def start_fault(self, fault):
        name, nothing = fault.name, lambda: None
        if name.startswith(("kill_", "freeze_", "stale_")):
            what = name.split("_")[1]
            client = [self.client.pid] if self.client.poll() is None else []
            return self.hit(client if what == "client" else self.processes(what), name)
        if name == "full_disk":
            filler = self.disk / "filler"
            subprocess.run(["dd", "if=/dev/zero", f"of={filler}", "bs=64k"], capture_output=True, check=False)
            return lambda: filler.unlink(missing_ok=True)
        if name == "folder_away":
            subprocess.run(["mount", "-t", "tmpfs", "-o", "ro,size=4k", "rv-random-away", self.home], check=True)
            return lambda: subprocess.run(["umount", "-l", self.home], check=True)
        if name.startswith(("sbatch_", "scancel_")):
            client, how = name.split("_")
            control = self.bin / f"{client}.fault"
            control.write_text({"fails": "fail", "lost": "lose", "late": f"delay {fault.seconds:.0f}"}[how] + "\n")
            return lambda: control.unlink(missing_ok=True)
        if name == "controller_away":
            return self.cluster.controller_away()
        if name == "rv_stop":
            self.stop = self.rv("stop", self.name)
            self.stopped_at = float(self.cluster.call("date", "+%s.%N").stdout or "inf")
            return nothing
        jobs = self.live_jobs() or []
        if name == "preempt":
            return self.cluster.preempt(jobs, fault.seconds)
        if name == "user_scancel":
            # By its name too: while the call waits for a controller that was killed, its ID can be given out again.
            names = {job: name for job, _, name in self.jobs_with_names() or []}
            for job in jobs[:1]:
                if job in names:
                    self.cluster.call("scancel", f"--name={names[job]}", job)
        elif name == "requeue_job":
            self.cluster.call("scontrol", "requeue", *jobs[:1])
            return lambda: self.release(jobs[:1])
        elif name == "suspend_job" and jobs:
            self.cluster.call("scontrol", "suspend", jobs[0])
            return lambda: self.cluster.call("scontrol", "resume", jobs[0])
        return nothing

    def hit(self, pids, name):
        if name.startswith("kill_"):
            self.signal_all(pids, signal.SIGKILL)
            return lambda: None
        if name.startswith("stale_"):
            return self.make_stale(pids)
        self.signal_all(pids, signal.SIGSTOP)
        return lambda: self.signal_all(pids, signal.SIGCONT)

    def make_stale(self, pids):
        """Every third of these calls fails with ESTALE, as on NFS whose server has lost a file or was restarted."""
        calls = "openat,newfstatat,statx,faccessat2,getdents64,linkat,unlinkat"
        tracers = [subprocess.Popen(["strace", "-qq", "-o", "/dev/null", "-p", str(pid), "-e", f"trace={calls}",
                                     "-e", f"inject={calls}:error=ESTALE:when=2+3"], stderr=subprocess.DEVNULL)
                   for pid in pids]

        def end():
            for tracer in tracers:
                tracer.terminate()
                tracer.wait()

        return end

    def release(self, jobs):
        """A requeued job waits two minutes for its start, which the test does not have."""
        for job in jobs:
            self.cluster.call("scontrol", "update", f"jobid={job}", "starttime=now")

    def make_faults(self, faults):
        began, speed = time.monotonic(), self.cluster.speed
        todo = [(fault.moment / speed, lambda fault=fault: self.start_fault(fault), fault) for fault in faults]
        ends = []
        while todo or ends:
            now = time.monotonic() - began
            for due in [entry for entry in ends if entry[0] <= now]:
                ends.remove(due)
                due[1]()
            if todo and todo[0][0] <= now:
                _, start, fault = todo.pop(0)
                end = start()
                ends.append((time.monotonic() - began + fault.seconds / speed, end))
                continue
            time.sleep(0.05)

    # --- one run

    def run(self, draw):
        """Makes the run with its faults, waits for its end and returns what is wrong: {column: text}."""
        self.name, self.stop, self.draw = f"{draw.kind.replace('_', '-')}{draw.number}", None, draw
        self.truth = self.folder / "truth" / self.name
        self.truth.mkdir(parents=True)
        command = [str(HERE / "command.sh"), str(self.truth), str(draw.steps), str(draw.code), str(draw.xid_starts)]
        options = ["run", *(["-f"] if draw.follow else []), "--name", self.name, *draw.options()]
        if draw.kind == "after":
            options += self.predecessor()
        with open(self.truth / "client.out", "wb") as out, open(self.truth / "client.err", "wb") as err:
            program = self.cluster.other_rv if self.cluster.other_rv and draw.number // 2 % 2 else self.cluster.rv
            self.client = subprocess.Popen([program, *options, *command], env=self.environment, cwd=self.work,
                                           stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True)
        self.make_faults(draw.faults)
        # Over NFS an end without a record counts after 75 s (docs/run-folder.md).
        shown = self.wait_for_end(240 + (600 if draw.kind == "chain" else 0) + (0 if self.own_disk else 240))
        wrong = self.judge(shown)
        if self.client.poll() is None:
            self.client.kill()
        self.client.wait()
        return shown, wrong

    def predecessor(self):
        """Submits the run that this one follows."""
        self.first_truth = self.folder / "truth" / f"{self.name}-first"
        self.first_truth.mkdir()
        first = f"first{self.draw.number}"
        self.rv("run", "-g", "1", "-t", "a40", "--single-node", "--time", "5m", "--name", first, str(HERE / "command.sh"),
                str(self.first_truth), "6", str(self.draw.code), "0")
        return ["--after", first]

    def wait_for_end(self, patience):
        """Polls the run until it is over and its client, if it is alive, has returned."""
        until, shown = time.monotonic() + patience, {}
        while time.monotonic() < until:
            self.rv("ps")
            shown = self.show(self.name) or shown
            if not shown and self.client.poll() is not None:
                break  # it was never made
            if shown.get("over") and self.client.poll() is not None:
                break
            self.release_held()
            time.sleep(1.5)
        self.left = self.wait_for_queue()
        return self.show(self.name) or shown

    def release_held(self):
        """What a fault left waiting or suspended goes on."""
        for job, state in self.jobs() or []:
            if state == "PENDING":
                # Slurm holds a job that slurmd refused to launch (foreign.refused_launches) and may requeue.
                self.cluster.call("scontrol", "release", job)
                self.release([job])
            elif state == "SUSPENDED":
                self.cluster.call("scontrol", "resume", job)

    def wait_for_queue(self):
        """The jobs that stay. A controller that was killed may take an ended job for running: rv cancels it after two minutes."""
        for _ in range(110):
            live = self.live_jobs()
            if live == []:
                return []
            self.rv("ps")
            time.sleep(1.5)
        return live or []

    # --- what was wrong

    def truth_of(self, truth=None):
        """Starts and output by element ("" for a run that is not an array), and whether two ran at once."""
        found = {}
        for log in (truth or self.truth).glob("log*"):
            element = log.suffix[1:]
            starts, overlap = judge.starts_of(read_lines(log))
            output = read_lines(log.with_name("output" + log.suffix))
            found[element] = (starts, output, overlap)
        return found

    def count_starts(self):
        return sum(len(starts) for starts, _, _ in self.truth_of().values())

    def judge(self, shown):
        wrong = {}
        truth = self.truth_of()
        started = self.started = self.count_starts()
        if not shown:
            if started:
                wrong["untrue"] = f"started {started} times, and rv knows no such run"
            return wrong
        # Slurm's proctrack/linuxproc does not find processes whose parent, the batch script, was killed.
        if any(overlap for _, _, overlap in truth.values()) and not self.draw.has("kill_script"):
            wrong["untrue"] = "two starts at the same time"
        if not shown["over"]:
            wrong["untrue"] = f"not over: {shown['state']}"
        else:
            untrue = self.untrue(shown, truth)
            if untrue:
                wrong["untrue"] = untrue
        missing = self.missing(truth, started)
        if missing:
            wrong["missing"] = missing
        if self.left:
            wrong["left"] = " ".join(self.left)
        return wrong

    def untrue(self, shown, truth):
        state, code, draw = shown["state"], shown["exit_code"], self.draw
        may_restart = draw.kind in ("requeue", "retry", "array_retry", "chain")
        if shown["array"]:
            for element in shown["array"]["elements"]:
                starts = truth.get(str(element["index"]), ([], [], False))[0]
                own = element.get("exit_code")
                outcome = state if own is None else "done" if own == 0 else "failed"
                if outcome == "done" and own is None and not starts:
                    return f"element {element['index']}: done, and it never started"
                found = judge.wrong_outcome(starts, outcome, own, may_restart, script_killed=draw.may_lose_end())
                if found:
                    return f"element {element['index']}: {found}"
            codes = [starts[-1].code for starts, _, _ in truth.values() if starts]
            return judge.wrong_array(codes, len(shown["array"]["indices"]), state, draw.may_lose_end())
        starts = truth.get("", ([], [], False))[0]
        found = judge.wrong_outcome(starts, state, code, may_restart, draw.kind == "chain", draw.may_lose_end())
        if found:
            return found
        first_failed = draw.kind == "after" and self.first_failed()
        by_slurmd = any(str(one["job_id"]) in foreign.refused_launches(self.cluster.sandbox / "log") for one in shown["candidates"])
        if state == "stopped" and not draw.has("rv_stop", "user_scancel") and not first_failed and not by_slurmd:
            return f"stopped, and nobody stopped it: {shown['detail']}"
        # A start that rv had on record before the stop may reach the command's first line after it, until Slurm's KillWait is over.
        if self.stop and self.stop.returncode == 0 and starts and starts[-1].moment > self.stopped_at + 5:
            return "started after rv stop had returned 0"
        if "before it started" in shown["detail"] and starts:
            return f"\"{shown['detail']}\", and it started"
        if first_failed and starts:
            return "started, and the run it follows did not end well"
        if not starts and not draw.faults and not first_failed:
            return f"{state}, never started, and nothing had happened"
        return self.untrue_client(state, code)

    def first_failed(self):
        """Whether the run that this one follows did not end with 0."""
        starts = self.truth_of(self.first_truth).get("", ([], [], False))[0]
        return not starts or starts[-1].code != 0

    def untrue_client(self, state, code):
        """A client that followed to the end returns the command's exit code."""
        returned = self.client.poll()
        if not self.draw.follow or returned is None or returned < 0:
            return ""
        expected = 0 if state == "done" else code if state == "failed" else None
        if returned == 0 and expected != 0:
            return f"client returned 0, state is {state}"
        # One that could not continue says so with 119 or more.
        if expected is not None and returned != expected and (returned < 119 or not self.draw.faults):
            return f"client returned {returned}, state is {state} with {code}"
        return ""

    def missing(self, truth, started):
        if not started:
            return 0
        written = [line for _, output, _ in truth.values() for line in output]
        done = self.rv("logs", "--raw", self.name)
        shown = [line.split("| ", 1)[-1] for line in done.stdout.decode(errors="replace").split("\n")]
        missing = judge.missing_bytes(written, shown)
        returned = self.client.poll()
        if not missing and self.draw.follow and returned is not None and 0 <= returned < 119:
            followed = (self.truth / "client.out").read_text(encoding="utf-8", errors="replace").split("\n")
            missing = judge.missing_bytes(written, [line.split("| ", 1)[-1] for line in followed])
        return missing

    def keep(self, shown, wrong):
        """Copies what is needed to explain a wrong run."""
        kept = self.cluster.kept / self.name
        shutil.copytree(self.truth, kept / "truth", dirs_exist_ok=True)
        folder = pathlib.Path(shown.get("run_folder", "")) if shown else None
        if folder and folder.is_dir():
            shutil.copytree(folder, kept / "run", symlinks=True, dirs_exist_ok=True)
        (kept / "show.json").write_text(json.dumps(shown, indent=1), encoding="utf-8")
        stop = f"rv stop: {self.stop.returncode} {self.stop.stdout!r} {self.stop.stderr!r}\n" if self.stop else ""
        (kept / "wrong").write_text(f"{self.draw}\n{wrong}\n{stop}", encoding="utf-8")
