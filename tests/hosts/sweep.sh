#!/usr/bin/env bash
# rv sweep --hosts runs the whole sweep on each host in its own folder, and resumes where it was interrupted. A lost host and
# Ctrl-C leave nothing.
# shellcheck source=tests/hosts/lib.sh disable=SC2016 # what expands on the hosts is in single quotes
source "$(dirname "$0")/lib.sh"

mkdir "$work/workers"
cp "$(dirname "$RV")"/../workers/rv-sample "$work/workers"
# shellcheck disable=SC2034 # for make_hosts
hidden=h2
make_hosts 2
sweep=(sweep --worker-folder "$work/workers" --cooldown 0 --metric 'n=n ([0-9]+)' --throughput n)

exits 0 "$RV" "${sweep[@]}" --device cpu --hosts h1,h2 --over n=1,2 --report-dir both -- sh -c 'echo "n {n}"; hostname'
equal "the hosts of the points" "h1 h1 h2 h2" "$(for h in h1 h2; do for n in 1 2; do sed -n 2p "both/$h/n_$n/training.log"; done; done | xargs)"
contains "each host's answers" "$(printf 'h2:\npoint')" "$out"
contains "progress" "h1  rv: n 2: done" "$err"
for host in h1 h2; do
  [ -s "both/$host/report.html" ] || fail "no page of $host"
  says "the results of $host" 'len(d["points"]) == 2 and all(p["end"]["kind"] == "done" and p["host"] == "'"$host"'" for p in d["points"])' "both/$host/results.json"
done
left_clean h1 h2
# Both at once.
exits 0 "$RV" sweep compare both/h1 both/h2
# The same again runs nothing; a value more runs that one.
exits 0 "$RV" "${sweep[@]}" --device cpu --hosts h1,h2 --over n=1,2 --report-dir both --json -- sh -c 'echo "n {n}"; hostname'
says "as JSON" '[h["host"] for h in d["hosts"]] == ["h1", "h2"] and len(d["hosts"][1]["sweep"]["points"]) == 2' "$work/out"
lacks "no point again" "n 1: done" "$err"
exits 0 "$RV" "${sweep[@]}" --device cpu --hosts h1,h2 --over n=1,2,3 --report-dir both -- sh -c 'echo "n {n}"; hostname'
contains "the new point" "h2  rv: n 3: done" "$err"
lacks "no other" "n 1: done" "$err"
exits 0 "$RV" "${sweep[@]}" --device cpu --hosts h1,h2 --over n=1,2 --dry-run --report-dir dry -- echo '{n}'
[ ! -e dry ] || fail "a dry run left a folder"

# Slots are the first GPUs.
make_host gpus 10.77.0.50 CUDA_VISIBLE_DEVICES=4,5,6
exits 0 "$RV" "${sweep[@]}" --device cpu --hosts gpus:2 --over n=1 --report-dir slots -- sh -c 'echo "n {n}: $CUDA_VISIBLE_DEVICES"'
contains "the first GPUs" "n 1: 4,5" "$(<slots/gpus/n_1/training.log)"

refuses() {
  local code=$1 words=$2
  shift 2
  exits "$code" "$RV" "${sweep[@]}" --over n=1 --report-dir refused "$@" -- true '{n}'
  contains "the error for $*" "$words" "$err"
  equal "lines of the error for $*" 2 "$(grep -c . <<<"$err")"
  [ ! -e refused ] || fail "a folder is left: $(ls -R refused)"
}
refuses 2 "--hosts and --local can't be combined" --hosts h1 --local
refuses 2 "gpus has 3 GPUs, but 4 slots were requested" --hosts gpus:4 --device gpu
refuses 119 "the address of nowhere.invalid is unknown" --hosts h1,nowhere.invalid
left_clean h1 h2 gpus
# The folder of the command is not there.
mkdir "$work/workers/here"
exits 3 env -C "$work/workers/here" "$RV" "${sweep[@]}" --device cpu --hosts h2 --over n=1 --report-dir "$work/mine/away" -- true '{n}'
contains "why" "the folder $work/workers/here of the command does not exist" "$err"

begin_sweep() {
  in_background "$RV" "${sweep[@]}" --device cpu --hosts h1,h2 --over n=1,600 --report-dir "$1" -- sh -c 'sleep {n}; echo "n {n}"'
  rv=$!
  for host in h1 h2; do
    wait_for 60 grep -q "^$host  rv: n 600" "$work/err" || fail "$host does not come to the second point: $(<"$work/err")"
  done
}
# ends_here CODE SECONDS
ends_here() {
  local code=0
  wait_for "$2" ended "$rv" || fail "rv goes on after $2 s"
  { wait "$rv"; } 2>/dev/null || code=$?
  out=$(<"$work/out") err=$(<"$work/err")
  equal "the exit code" "$1" "$code"
  left_clean h1 h2
}
begin_sweep cut
kill -INT "$rv"
ends_here 130 20
equal "what has ended, and what counts as never begun" "1 0" "$(find cut/h1 -name result.json | wc -l) $(find cut/h1/n_600 -name 'attempt.json' | wc -l)"
begin_sweep lost
kill_sshd h2
ends_here 3 20
contains "who it was" "h2: its script has ended" "$err"
