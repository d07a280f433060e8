#!/usr/bin/env bash
# On a terminal rv top shows the state as it changes, and its keys work. Without a terminal it suggests another command.
# shellcheck source=tests/real/lib.sh disable=SC2016 # what expands in the job is in single quotes
source "$(dirname "$0")/lib.sh"

exits 2 rv top
contains "the way out" "rv ps lists the runs" "$err"
exits 2 env TERM=dumb python3 "$root/tests/on_terminal.py" '[]' "$RV" top

mkdir "$work/bin"
cat >"$work/bin/nvidia-smi" <<'S'
#!/bin/bash
[ ! -e "${0%/*}/slow" ] || sleep 60
for gpu in ${2//,/ }; do echo "$gpu, NVIDIA A40, 87, 20480, 46068, 210, 300.00, 55"; done
S
chmod +x "$work/bin/nvidia-smi"
export PATH="$work/bin:$PATH"

occupy gpu-a40 2 8 >/dev/null
exits 0 rv run -g 2 -t a6000 --name train --time 10m sleep 300
id=$(head -n1 <<<"$out")
exits 0 rv run -g 4 -t a40 --nodes 1 --partition gpu-a40 --name later --time 10m sleep 300
running() { [ "$(field train "['state']")" = running ]; }
wait_for 30 running || fail "does not run: $(rv show train)"

exits 0 rv top --json
says "the state" 'sorted((r["name"], r["state"]) for r in d["runs"]) == [("later", "queued"), ("train", "running")]' "$work/out"
says "my GPUs" '{t["gpu_type"]: t["mine"] for t in d["gpu_types"]}["a6000"] == 2' "$work/out"
says "GPUs of the run that is under way" 'list(d["gpus"]) == ["'"$id"'"] and len(d["gpus"]["'"$id"'"]["gpus"]) == 2' "$work/out"
says "its place" '[r["queue"] for r in d["runs"] if r["name"] == "later"] == [{"place": 1, "of": 1, "partition": "gpu-a40"}]' "$work/out"
says "waits" 'all(set(t["wait_s"]) == {"1", "4", "8"} for t in d["gpu_types"]) and any(t["wait_s"]["1"] is not None for t in d["gpu_types"])' "$work/out"
other=$(sbatch --parsable -J 'by|hand' -p gpu-a6000 --gres=gpu:1 --mem=1G -t 5 -o /dev/null --wrap 'exit 3')
has_ended() { "$RV" top --json >"$work/top.json" && python3 "$root/tests/says.py" "$work/top.json" "[(j['name'], j['state'], j['gpus']) for j in d['ended_jobs'] if j['job'] == '$other'] == [('by|hand', 'failed', '1 GPU')]" >/dev/null; }
wait_for 40 has_ended || fail "a job of sbatch is not among those that ended: $(<"$work/top.json")"
exits 0 rv top --once
contains "the job's row" "by|hand" "$out"
contains "one screen" "train" "$out"
contains "the GPUs' load" "87 %" "$out"

# on_screen STEPS: rv top there; what it showed is in $screen.
on_screen() { TERM=xterm LC_ALL=C.UTF-8 python3 "$root/tests/on_terminal.py" "$1" "$RV" top >screen || fail "rv top: $(tail -c 600 screen)"; }
on_screen '[{"until": "1 running, 1 waiting"}, {"until": "WAIT: 1"}, {"until": "87 %"}, "j", {"until": "1st of 1 waiting in gpu-a40"}, "?", {"until": "any key goes back"}, " ",
  "w", {"until": "cause"}, {"until": "Enter goes back"}, "\n", 1, "/later", {"until": "/later_"}, "\r", {"until": "1 run by state"},
  "\u001b", 0.5, "k", "x", {"until": "stop run"}, "n", 0.5, "q"]'
grep -q $'\e\[?1049l' screen || fail "the terminal's own screen is not given back"
grep -q "1st of 1 waiting in gpu-a40" screen || fail "no place in the queue"
[ "$(field later "['state']")" = queued ] || fail "a question that was answered with no has stopped a run"
on_screen '[{"until": "1 running, 1 waiting"}, "j", "x", {"until": "stop run"}, "y", {"until": "Enter goes back"}, "\n", {"until": "1 running, 0 waiting, 1 over"}, "\u0003"]'
[ "$(field later "['state']")" = stopped ] || fail "not stopped: $(rv show later)"

# Watching the GPUs of an unattended hold does not keep the hold.
exits 0 rv up --detach --unattended 10s -t a6000 --name empty --time 10m
held() { [ "$(field empty "['state']")" = holding ]; }
wait_for 30 held || fail "holds nothing: $(rv show empty)"
touch "$work/bin/slow"
(for _ in 1 2 3 4; do timeout -s KILL 25 "$RV" gpu empty --once; done) >/dev/null 2>&1 &
let_go() { [ "$(field empty "['state']")" = "done" ]; }
wait_for 60 let_go || fail "kept: $(rv show empty)"
kill $! 2>/dev/null || true
rm "$work/bin/slow" # a job reads its GPUs once more at its end and waits 20 s for a slow nvidia-smi

# Jobs of runs are shown as runs.
exits 0 rv run -f -g 1 -t a6000 --time 5m --name short true
short=$(field short "['candidates'][0]['job_id']")
in_accounting() { [[ $(sacct -n -X -j "$short" -o State) == *COMPLETED* ]]; }
wait_for 20 in_accounting || fail "job $short is not in accounting"
exits 0 rv top --json
says "a run's job" 'any(r["name"] == "short" for r in d["runs"]) and not any(j["job"] == "'"$short"'" for j in d["ended_jobs"])' "$work/out"
