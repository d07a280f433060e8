#!/usr/bin/env python3
"""rv-io beside fio and iperf3: the same passes over the same folder, and TCP between two processes of this machine, in turns
(rv, peer, peer, rv, ...); medians and their ratio. usage: io_peers.py RV_IO FOLDER [--size 256M] [--rounds 3]"""
import argparse, json, os, shutil, socket, statistics, subprocess, sys, tempfile, time


def rv_io(worker, words):
    done = subprocess.run([worker, "--json", *words], check=True, capture_output=True, text=True)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return {line["name"]: line["value"] for line in lines if line.get("kind") == "measurement"}, lines


def fio(folder, size, way, words):
    """GB/s and IO/s of one job."""
    with tempfile.TemporaryDirectory(dir=folder) as place:
        common = ["fio", "--name=x", f"--filename={place}/x", f"--size={size}", "--output-format=json", "--ioengine=psync",
                  f"--direct={int(way == 'O_DIRECT')}", "--fallocate=none", "--randrepeat=0", "--group_reporting"]
        if "--rw=write" not in words:  # fresh, as rv-io's is
            subprocess.run([*common, "--rw=write", "--bs=4M", "--end_fsync=1"], check=True, capture_output=True)
        done = subprocess.run([*common, *words], check=True, capture_output=True, text=True)
    job = json.loads(done.stdout[done.stdout.index("{"):])["jobs"][0]
    side = job["write" if "--rw=write" in words else "read"]
    # fio's own bandwidth of a write leaves out the fsync at its end.
    seconds = job["job_runtime"] / 1000 if "--rw=write" in words else side["runtime"] / 1000
    return side["io_bytes"] / seconds / 1e9, side["iops"]


def iperf3(address, streams, seconds):
    with socket.socket() as free:
        free.bind((address, 0))
        port = str(free.getsockname()[1])
    server = subprocess.Popen(["iperf3", "-s", "-1", "-B", address, "-p", port], stdout=subprocess.DEVNULL)
    try:
        for _ in range(100):
            done = subprocess.run(["iperf3", "-c", address, "-p", port, "-P", str(streams), "-t", str(seconds), "-l", "1M",
                                   "-N", "-J"], capture_output=True, text=True)
            end = json.loads(done.stdout or "{}").get("end", {})
            if "sum_received" in end:
                return end["sum_received"]["bits_per_second"] / 8e9
            time.sleep(0.05)  # the server is not up yet
        raise SystemExit(done.stdout)
    finally:
        server.terminate()
        server.wait()


def in_turns(rounds, ours, theirs):
    """Both, as often, in the order ours theirs theirs ours; two dictionaries of lists."""
    mine, peer = {}, {}
    for turn in range(rounds):
        for measure, into in ((ours, mine), (theirs, peer))[:: 1 if turn % 2 == 0 else -1]:
            for name, value in measure().items():
                into.setdefault(name, []).append(value)
    return mine, peer


def table(mine, peer, unit, program):
    for name in peer:
        a, b = statistics.median(mine[name]), statistics.median(peer[name])
        print(f"{name:<28} {a:>10.4g} {b:>10.4g} {unit(name):<8} {a / b:>6.2f}  {program}")


def main():
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("worker")
    words.add_argument("folder")
    words.add_argument("--size", default="256M")
    words.add_argument("--rounds", type=int, default=3)
    asked = words.parse_args()
    worker, folder = os.path.realpath(asked.worker), os.path.realpath(asked.folder)
    for program in ("fio", "iperf3"):
        if not shutil.which(program):
            sys.exit(f"{program} is not installed (apt-get install {program})")
    lines = rv_io(worker, ["--quick", "--folder", f"x={folder}", "--size", "8M", "--files", "1"])[1]
    way = next(line["params"]["way"] for line in lines if line.get("name") == "x read")
    print(f"{folder}, {lines[0]['folders'][0]['type']}, {way}, {asked.size}, {asked.rounds} rounds")
    print(f"{'figure':<28} {'rv-io':>10} {'peer':>10} {'unit':<8} {'ratio':>6}  peer")

    def our_files():
        got = rv_io(worker, ["--suite", "storage", "--folder", f"x={folder}", "--size", asked.size, "--files", "1"])[0]
        return {name[2:]: value for name, value in got.items()}

    def fio_files():
        random = ["--rw=randread", "--bs=4k", "--runtime=3s"]
        return {
            "write": fio(folder, asked.size, way, ["--rw=write", "--bs=4M", "--end_fsync=1"])[0],
            "read": fio(folder, asked.size, way, ["--rw=read", "--bs=4M", "--invalidate=1"])[0],
            "random read": fio(folder, asked.size, way, random)[1],
            "random read x16": fio(folder, asked.size, way, [*random, "--numjobs=16", "--thread"])[1],
        }

    table(*in_turns(asked.rounds, our_files, fio_files), lambda name: "IO/s" if "random" in name else "GB/s", "fio")

    lines = rv_io(worker, ["--quick", "--suite", "network", "--local-ranks", "2"])[1]
    interface = next(line["params"]["interface"] for line in lines if line.get("suite") == "network")
    address = "127.0.0.1"
    if interface != "lo":
        shown = json.loads(subprocess.run(["ip", "-j", "-4", "addr", "show", interface], check=True, capture_output=True).stdout)
        address = shown[0]["addr_info"][0]["local"]

    def our_tcp():
        got = rv_io(worker, ["--suite", "network", "--local-ranks", "2", "--interface", interface])[0]
        return {name.split(",")[0]: value for name, value in got.items() if "stream" in name}

    def iperf3_tcp():
        return {"tcp 1 stream": iperf3(address, 1, 2), "tcp 8 streams": iperf3(address, 8, 2)}

    table(*in_turns(asked.rounds, our_tcp, iperf3_tcp), lambda name: "GB/s", f"iperf3, {interface}")


if __name__ == "__main__":
    main()
