#!/usr/bin/env bash
# rv rerun repeats a run with the same command, folder and options; new options replace earlier ones, and --failed repeats the
# failed elements of an array.
# shellcheck source=tests/real/lib.sh disable=SC2016 # what expands in the job is in single quotes
source "$(dirname "$0")/lib.sh"

# newest PATH: a value in the record of the newest run.
newest() {
  python3 - "$1" <<'PY'
import glob, json, os, sys
records = [json.load(open(file)) for file in glob.glob(os.environ["RV_HOME"] + "/runs/*/run.json")]
record = max(records, key=lambda one: (one["created"], one["created_ns"]))
print(eval("record" + sys.argv[1]))
PY
}
mkdir sub
cd sub
exits 0 rv run -f -g 1 -t a40 --time 7m --name first 'pwd >>../ran; echo "$SLURM_JOB_PARTITION" >>../where'
cd ..
exits 0 rv rerun first -f
equal "folder" "$PWD/sub $PWD/sub" "$(paste -sd' ' ran)"
equal "partition" "gpu-a40 gpu-a40" "$(paste -sd' ' where)"
equal "time limit" 420 "$(newest "['candidates'][0]['time_limit_s']")"

# New options replace earlier ones, and the next rerun has them.
exits 0 rv rerun first -f -t a6000 --time 9m
equal "partition" gpu-a6000 "$(tail -n 1 where)"
exits 0 rv rerun first -f
equal "time limit" 540 "$(newest "['candidates'][0]['time_limit_s']")"
equal "runs" 4 "$(lines_in ran)"
exits 0 rv rerun first --dry-run
contains "a plan" "gpu-a6000" "$out"
equal "runs" 4 "$(lines_in ran)"

# Of an array the failed elements only.
rv run -f -g 1 -t a40 --time 5m --name many --array '0-9%4' 'echo "$RV_ARRAY_INDEX" >>many; [ -e mended ] || [ $((RV_ARRAY_INDEX % 5)) != 3 ]' \
  >/dev/null 2>&1 && fail "no element failed"
rm many
touch mended
exits 0 rv rerun many --failed -f
equal "elements" "3 8" "$(sort -n many | paste -sd' ')"
equal "at once" 4 "$(newest "['array']['at_once']")"

# Refusals name the way out.
exits 2 rv rerun many --failed
contains "nothing failed" "no element of run" "$err"
exits 2 rv rerun first --failed
contains "no array" "--failed: run" "$err"
exits 0 rv up --detach -g 1 -t a40 --time 5m --name held
exits 2 rv rerun held
contains "a hold" "has no options on record" "$err"
exits 122 rv rerun nosuch
