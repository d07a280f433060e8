#!/usr/bin/env bash
# The Python package on a laptop: a function runs on the cluster, and its result, its exception and its array come back over ssh.
# shellcheck source=tests/remote/lib.sh
source "$(dirname "$0")/lib.sh"

slurm_login
cp -r "$(dirname "$0")/../../python/rv" "$work/laptop/rv"
mkdir "$work/laptop/net"
cat >"$work/laptop/net/model.py" <<'PYTHON'
def predict(x):
    return 2 * x
PYTHON
cat >"$work/laptop/net/script.py" <<'PYTHON'
import os
import rv
import model

OPTIONS = {"host": "loop", "gpu": 1, "time": "5m"}
def where(x):
    return model.predict(x), os.environ["RV_RUN_ID"], os.getcwd()

def fail():
    raise ValueError("over there")

print(rv.plan(**OPTIONS).best.gpus)
print(rv.submit("echo a command", **OPTIONS).result(60), end="")
run = rv.submit(where, 21, **OPTIONS)
value, run_id, folder = run.result(60)
print(value, run_id == run.id, folder)
print(rv.Run(run.id, host="loop").result()[0])
print(repr(rv.submit(fail, **OPTIONS).exception(60)))
print(rv.map(lambda x: x * x, range(3), **OPTIONS).result(60))
try:
    rv.submit(where, 1, no_sync=True, **OPTIONS)
except rv.UsageError as error:
    print(error.message)
try:
    rv.submit(where, 1, gppu=1, **OPTIONS)
except rv.UsageError as error:
    print(error.exit_code)
PYTHON
cat >"$work/laptop/plain.py" <<'PYTHON'
import rv
print(rv.submit(lambda: "no project", host="loop", gpu=1, time="5m").result(60))
PYTHON
chown -R "$(user laptop)" "$work/laptop"

# shellcheck disable=SC2016 # for the inner shell
python() { laptop env RV="$work/rv" PYTHONPATH="$work/laptop" PYTHONDONTWRITEBYTECODE=1 bash -c 'cd "$1" && python3 "$2"' in "$@"; }
laptop git init -q net
exits 0 python net script.py
mapfile -t lines <<<"$out"
equal "the plan" 1 "${lines[0]}"
equal "a command" "a command" "${lines[1]}"
matches "a function with a module of the project" "^42 True $work/home/projects/net-[^/]*/snapshots/" "${lines[2]}"
equal "found by its ID" 42 "${lines[3]}"
equal "an exception" "ValueError('over there')" "${lines[4]}"
equal "an array" "[0, 1, 4]" "${lines[5]}"
equal "without the project's files" "no_sync= can't be used with a function and host=" "${lines[6]}"
equal "a wrong option" 2 "${lines[7]}"
equal "left in the project" "model.py script.py" "$(cd "$work/laptop/net" && echo *)"

exits 0 python . plain.py
equal "outside a project" "no project" "$out"
