#!/usr/bin/env bash
# Slurm ends the job of a sweep's point for its memory: the point is recorded as out of memory, and the sweep continues. A
# SIGKILL for another reason is recorded as something else.
# shellcheck source=tests/faults/lib.sh
source "$(dirname "$0")/lib.sh"

cat >eat.py <<'END'
import os, signal, sys, time
if sys.argv[1] == "13":
    os.kill(os.getpid(), signal.SIGKILL)
x = bytearray(int(sys.argv[1]) << 20)
if int(sys.argv[1]) > 500:
    time.sleep(60)
print("Steps per second:", sys.argv[1])
END
sweep() { rv sweep -g 1 --device cpu --mem 100M --time 5m --cooldown 0 --over mb=1,13,600,2 --report-dir r -- python3 eat.py '{mb}'; }
exits 1 sweep
contains "what the user sees" "mb 2 is next; the same command continues there" "$err"
says "kinds of ends" '[(p["settings"]["mb"], p["end"]["kind"]) for p in d["points"]] == [("1", "done"), ("13", "killed"), ("600", "slurm-out-of-memory")]' r/results.json
# A killed point is not a result: the sweep continues behind it, and ends with 1.
exits 1 sweep
says "gone on" '[p["end"]["kind"] for p in d["points"]] == ["done", "killed", "slurm-out-of-memory", "done"]' r/results.json
contains "the answer" "The largest mb that fits on" "$out"
