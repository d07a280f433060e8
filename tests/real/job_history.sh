#!/usr/bin/env bash
# rv reads accounting in the background: no plan waits for it, whatever state accounting or the cache file is in.
# shellcheck source=tests/real/lib.sh
source "$(dirname "$0")/lib.sh"

history="$RV_HOME/history"
# The history's file, whatever the cluster is numbered.
jobs_file() { find "$history" -name 'jobs-*' ! -name '*.lock' 2>/dev/null; }
has_jobs_file() { [ -n "$(jobs_file)" ]; }
# The number of jobs in it, from the debug log.
known() { rv -v plan -g 1 --time 5m 2>&1 >/dev/null | sed -n 's/.*history: \([0-9]*\) finished jobs.*/\1/p'; }
knows() { [ "$(known)" -ge "$1" ]; }
learning() { ! flock -n "$(find "$history" -name '*.lock')" true; }
not_learning() { ! learning; }
# As if ten minutes had passed.
due_again() { rm -f "$history"/*.lock; }

# A name that no other run of this test has had.
sweep=sweep-$(basename "$work" | tr -d 0-9)
ids=$(for i in 1 2 3; do sbatch --parsable -J "$sweep-$i" -p standard --mem=10M -o /dev/null --wrap true; done | paste -sd,)
wait_for 20 no_jobs || fail "jobs did not end"
# Accounting receives the end some seconds later.
finished() { sacct -X -n -P -S now-1hour -o State | grep -c COMPLETED || true; }
accounted() { [ "$(finished)" -ge "$1" ]; }
# Exactly these jobs: others have run on this cluster before. Accounting receives the end before the name.
swept() { [ "$(sacct -X -n -P -j "$ids" -o JobName,State | grep -c "^$sweep-.*COMPLETED")" = 3 ]; }
wait_for 20 swept || fail "accounting has no rows of $ids"
# A reading goes up to its own second and leaves that out: the next one has it.
sleep 1

equal "jobs known to the first plan" 0 "$(known)"
wait_for 30 has_jobs_file || fail "nothing was learned"
wait_for 60 not_learning || fail "learning does not end"
wait_for 10 knows 3 || fail "only $(known) jobs are known"
equal "mode of the history" "600" "$(stat -c %a "$(jobs_file)")"
[ -n "$(find "$history" -name 'priority-*')" ] || fail "no priorities were learned"

# Jobs that are named alike but for digits are of one work, in the queue as in the history; a name may hold any byte.
two_lines="$(sbatch --parsable -H -J $'two\nlines|of it' -p standard --mem=10M -o /dev/null --wrap true)"
held="$(sbatch --parsable -H -J "$sweep-77" -p standard --mem=10M -o /dev/null --wrap true)"
rv cluster --save "$work/snapshot.json" >/dev/null
scancel "$two_lines" "$held"
python3 - "$work/snapshot.json" "$two_lines" "$held" "$(jobs_file)" <<'PYTHON' || fail "jobs are not grouped by their names"
import json, struct, sys
snapshot, two_lines, held = json.load(open(sys.argv[1])), *sys.argv[2:4]
queued = {job["id"]: job["name_key"] for job in snapshot["jobs"]}
# slurm/job_history_bytes.cpp: a head of 48 bytes, then rows of 88 that end in the key.
history = open(sys.argv[4], "rb").read()
rows = struct.unpack_from("I", history, 32)[0]
ended = [struct.unpack_from("I", history, 48 + 88 * (row + 1) - 4)[0] for row in range(rows)]
assert ended.count(queued[held]) == 3, (ended, queued)
assert queued[two_lines] not in (0, queued[held]), queued
PYTHON

# At most once in ten minutes.
already=$(finished)
before=$(stat -c %Y.%s "$(jobs_file)")
sbatch -p standard --mem=10M -o /dev/null --wrap true >/dev/null
wait_for 20 accounted $((already + 1)) || fail "accounting does not hear of the fourth"
rv plan -g 1 --time 5m >/dev/null
wait_for 20 not_learning
equal "the file after a second plan" "$before" "$(stat -c %Y.%s "$(jobs_file)")"

# A garbled file is not history, and is read again.
printf 'garbage' >"$(jobs_file)"
equal "jobs in a garbled file" 0 "$(known)"
due_again
rv plan -g 1 --time 5m >/dev/null
wait_for 30 knows $((already + 1)) || fail "the garbled file was not read anew: $(known)"
wait_for 60 not_learning

# Without accounting a plan is still made, and the history is kept.
dbd=$(<"$RV_SANDBOX_DIR/run/slurmdbd.pid")
put_back() { kill -CONT "$dbd"; }
kill -STOP "$dbd"
due_again
code=0
rv plan -g 1 --time 5m >"$work/out" || code=$?
wait_for 60 not_learning || code=99
kill -CONT "$dbd"
equal "exit code of a plan with accounting hung" 0 "$code"
knows $((already + 1)) || fail "what was known is lost: $(known)"
