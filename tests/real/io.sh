#!/usr/bin/env bash
# rv accept --suite io on two nodes, inside an allocation without GPUs and through Slurm: figures per node, both at once, the
# delay between the nodes' file systems, and TCP. A job that is cancelled on the way leaves nothing.
# shellcheck source=tests/real/lib.sh
source "$(dirname "$0")/lib.sh"

mkdir -p "$work/scratch"
io() { "$RV" accept --suite io --io-size 8M "$@"; }
nothing_left() { [ -z "$(find "$work" -name 'rv-io-*')" ] || fail "left behind: $(find "$work" -name 'rv-io-*')"; }

# An allocation without a GPU.
exits 0 salloc -N 2 -p gpu-a6000 --mem=2000 -t 10 "$RV" accept --suite io --io-size 8M --local --report-dir "$work/report"
report=$work/report/accept.json
contains verdict "pass: 2 nodes; passed: io" "$out"
contains "a line for the settings" "for the settings: visibility_lag: " "$out"
says "each node" 'len({f["node"] for f in d["figures"] if f["name"] == "scratch write"} - {None}) == 2' "$report"
says "all at once" '[len(f["params"]["by_rank"]) for f in d["figures"] if f["name"] == "scratch write, all at once"] == [2]' "$report"
says "what others see" 'len([f for f in d["figures"] if f["suite"] == "visibility" and f["unit"] == "ms" and f["node"] is None]) == 4' "$report"
says "pairs" '{f["name"].split(",")[0] for f in d["figures"] if f["suite"] == "network"} == {"tcp round trip", "tcp 1 stream", "tcp 8 streams"}' "$report"
says "kept apart" 'all(f["gpus"] == 1 for f in d["figures"]) and d["order"]["io"]["size"] == "8M"' "$report"
grep -q 'tcp 1 stream' "$work/report/accept.html" || fail "the page has no pairs"
nothing_left

# The hint can be pasted: rv then waits as long as the setting says, and home is judged by it.
line=$(sed -n 's/^for the settings: \([^#]*[^ #]\) *#.*/\1/p' <<<"$out")
echo "$line" >>"$RV_SITE"
exits 0 "$RV" accept --local --suite io --dry-run
contains "the setting" "--patience $(tr -dc 0-9 <<<"${line#*:}")" "$out"

# Through Slurm, with its own baseline that nothing reaches.
exits 0 io --nodes 2 --type a6000 --save-baseline own.yaml
contains "the step" "io-all-nodes" "$out"
contains "a baseline of all nodes" "figure: \"scratch write, all at once\", nodes: 2" "$(<own.yaml)"
id=$(rv ps -a --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["runs"][0]["id"])')
kind=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["figures"][0]["model"])' "$report")
printf -- '- gpu: "%s"\n  source: wishes\n  figures: [{figure: scratch write, value: 1000, unit: GB/s}]\n' "$kind" >high.yaml
exits 1 "$RV" accept --judge "$id" --baseline high.yaml
contains "a node below it" "udc-an28-2: scratch write" "$out"
nothing_left

# Ended on the way: by Slurm, and by a signal to rv.
exits 0 "$RV" accept --nodes 2 --type a6000 --suite io --full --io-size 2G --detach
id=$out
at_work() { compgen -G "$work/scratch/rv-io-*" >/dev/null; }
cleared() { ! at_work; }
wait_for 60 at_work || fail "run $id did not begin"
exits 0 rv stop "$id"
wait_for 30 cleared || nothing_left
salloc -Q -N 2 -p gpu-a6000 --mem=2000 -t 10 "$RV" accept --local --suite io --full --io-size 2G >out 2>err &
wait_for 60 at_work || fail "the second one did not begin"
# shellcheck disable=SC2046 # one a word
kill -TERM $(all_of_rv)
wait_for 30 cleared || nothing_left
wait || true
contains "what is said" "interrupted; rv accept --judge" "$(<err)"
