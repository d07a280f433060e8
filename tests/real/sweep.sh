#!/usr/bin/env bash
# rv sweep through Slurm runs all points in one allocation, also inside an existing one, and resumes after an interruption.
# shellcheck source=tests/real/lib.sh
source "$(dirname "$0")/lib.sh"

cat >load.sh <<'END'
echo "$1 $SLURM_JOB_ID" >>ran
[ "$1" != 3 ] || [ -e go ] || { touch at3; sleep 300; }
echo "Steps per second: $(($1 * 100))"
END
sweep() { rv sweep --device cpu --cooldown 0 -g 1 -t a40 --time 10m "$@"; }

# No GPU of the sandbox has a driver: without --device cpu the sweep reports that on the node, and runs nothing.
exits 2 rv sweep -g 1 -t a40 --time 10m --over n=1 --report-dir gpu -- bash load.sh '{n}'
contains "no GPU" "no GPU was found on" "$out$err"
[ ! -e ran ] || fail "something ran"

exits 0 sweep --over n=1,2 --dry-run -- bash load.sh '{n}'
contains "the strategies" "gpu-a40" "$out"
contains "the points" "n_2: bash load.sh 2" "$out"
exits 2 sweep --over n=1 --nodes 2 -- bash load.sh '{n}'
contains "several nodes" "--nodes 2: the points of a sweep run on one node" "$err"

# Cut off by rv stop in the third point, in one allocation.
in_background sweep --over n=1,2,3,4 --report-dir r --name cut -- bash load.sh '{n}'
wait_for 60 test -e at3 || fail "the third point did not begin"
exits 0 rv stop cut
code=0
wait $! || code=$?
equal "exit code" 1 "$code"
contains "how to go on" "n 3 is next; the same command continues there" "$(<"$work/err")"
equal "what ran" "1 2 3" "$(cut -d' ' -f1 ran | xargs)"
equal "allocations" 1 "$(cut -d' ' -f2 ran | sort -u | wc -l)"
equal "ended by then" 2 "$(find r -name result.json | wc -l)"

# The same command continues: finished points are not run again.
touch go
exits 0 sweep --over n=1,2,3,4 --report-dir r -- bash load.sh '{n}'
equal "what ran" "1 2 3 3 4" "$(cut -d' ' -f1 ran | xargs)"
equal "allocations" 2 "$(cut -d' ' -f2 ran | sort -u | wc -l)"
contains "the outcome" "The n with the highest throughput: n 4" "$out"
says results '[p["metrics"]["steps_per_s"]["last"] for p in d["points"]] == [100, 200, 300, 400]' r/results.json
[ -s r/report.html ] || fail "no page"

# In an allocation that is there: no other job is asked for.
rm ran
exits 0 rv up -g 1 -t a40 --time 10m --run "'$RV' sweep --device cpu --cooldown 0 --over n=1,2 --report-dir here -- bash load.sh '{n}'"
equal "allocations" 1 "$(cut -d' ' -f2 ran | sort -u | wc -l)"
equal "what ran" "1 2" "$(cut -d' ' -f1 ran | xargs)"

# Detached: the folder has it all when the run is over.
exits 0 sweep --over n=1,2 --report-dir later --detach -- bash load.sh '{n}'
exits 0 rv wait "$out"
[ -s later/combined_results.csv ] || fail "no table"

# A job for each point: cut off in the second, resumed there.
rm -f ran at3 go
in_background sweep --over n=2,3,4 --report-dir each --name each --job-per-point -- bash load.sh '{n}'
wait_for 60 test -e at3 || fail "the second point did not begin"
exits 0 rv stop each
code=0
wait $! || code=$?
equal "exit code" 1 "$code"
contains "how to go on" "n 3 is next; the same command continues there" "$(<"$work/err")"
touch go
exits 0 sweep --over n=2,3,4 --report-dir each --job-per-point -- bash load.sh '{n}'
equal "what ran" "2 3 3 4" "$(cut -d' ' -f1 ran | xargs)"
equal "a job each" 4 "$(cut -d' ' -f2 ran | sort -u | wc -l)"
says "one report" '[p["metrics"]["steps_per_s"]["last"] for p in d["points"]] == [200, 300, 400]' each/results.json
contains "one outcome" "The n with the highest throughput: n 4" "$out"
exits 2 sweep --over n=1 --job-per-point --detach -- bash load.sh '{n}'
exits 2 "$RV" sweep --local --over n=1 --job-per-point -- bash load.sh '{n}'
contains "no run here" "--job-per-point needs Slurm" "$err"
