#!/usr/bin/env bash
# Real races, each with one kill at a random moment: of the client, of a node's slurmd, of slurmctld, or of a whole node, which
# come back. A command starts exactly once, or it never starts and rv does not report that it did. With --requeue it may start
# again, but never while another start of it runs. Prints the results by kind of kill.
#
# RV_KILLS: number of races (default: 20, each kind of kill for each kind of run). RV_SEED: random seed (default: 1); the seed and the
# number of a race determine all draws of that race.
set -euo pipefail
root=$(cd "$(dirname "$0")/../../.." && pwd)
own=$(mktemp -d "${TMPDIR:-/tmp}/rv-kills-XXXXXX")
export RV_SANDBOX_DIR=$own/sandbox
"$root/examples/sandbox/sandbox" up --shape "$root/tests/faults/own_sandbox/kills.yaml" --dir "$RV_SANDBOX_DIR"
take_down() {
  cd /
  "$root/examples/sandbox/sandbox" down --dir "$RV_SANDBOX_DIR" >/dev/null
  rm -rf "$own"
}
# shellcheck source=tests/faults/lib.sh disable=SC2016 # what expands in the job is in single quotes
source "$root/tests/faults/lib.sh"

echo 'head_start: 0' >>"$RV_SITE"
nodes=(knode-1 knode-2 knode-3 knode-4)
homes=$work/homes
mkdir "$homes"
: >"$work/table"

# What is run: says that it starts, holds a lock while it runs (so that two at once are seen), says that it ends.
cat >"$work/command" <<'C'
#!/usr/bin/env bash
# command NAME: for an element of an array NAME.INDEX.
name=$1${RV_ARRAY_INDEX:+.$RV_ARRAY_INDEX}
exec 9>>"lock.${RV_ARRAY_INDEX:-}"
flock -n 9 || echo "$name" >>overlap
echo "$SLURM_JOB_ID.${SLURM_RESTART_COUNT:-0}" >>"starts.$name"
sleep 2
echo "$SLURM_JOB_ID.${SLURM_RESTART_COUNT:-0}" >>"ends.$name"
C
chmod +x "$work/command"

# The node of a job that runs, or any.
some_node() {
  local node
  node=$(squeue -h -t RUNNING,CONFIGURING -o %N 2>/dev/null | head -n 1)
  echo "${node:-${nodes[$1]}}"
}
# kill_it KILL CLIENT DRAWS…
kill_it() {
  local node
  case $1 in
    client) kill -KILL "$2" 2>/dev/null || true ;;
    rv)
      # shellcheck disable=SC2046 # one a word
      kill -KILL $(all_of_rv) 2>/dev/null || true
      ;;
    slurmctld)
      fault kill slurmctld
      sleep "0.$3"
      fault start slurmctld
      ;;
    slurmd)
      node=$(some_node "$4")
      fault kill "slurmd.$node"
      sleep "$(($3 / 4)).$3"
      fault start "slurmd.$node"
      ;;
    node)
      node=$(some_node "$4")
      fault power-off "slurmd.$node"
      # The node is set down at once, or Slurm detects it by itself, which takes half a minute.
      [ "$5" -ne 0 ] || scontrol update nodename="$node" state=down reason=lost
      sleep "$3"
      fault start "slurmd.$node"
      ;;
  esac
}
# The runs of a race's home, "name state over" each. Whoever looks takes care of them.
looked_at() {
  rv ps -a --json 2>/dev/null | python3 -c '
import json, sys
for run in json.load(sys.stdin)["runs"]:
    print(run["name"], run["state"])' 2>/dev/null
}
is_final() {
  case $1 in done | failed | stopped | timeout | node-failure | preempted | out-of-memory | lost | refused) return 0 ;; esac
  return 1
}
# What Slurm has started again from an older state, or could not start, gets to its node all the same: it has to end at the gate.
# Requeued jobs would be held back for two minutes.
let_go() {
  local job reason
  scontrol update nodename=ALL state=resume >/dev/null 2>&1 || true
  while read -r job reason; do
    case $reason in
      BeginTime) scontrol update jobid="$job" starttime=now ;;
      *held*) scontrol release "$job" ;;
    esac
  done < <(squeue -h -t PENDING -o '%i %r') >/dev/null 2>&1 || true
}
all_gone() { let_go && no_jobs; }
race_over() {
  local name state any=""
  let_go
  looked_at >states || return 1
  while read -r name state; do
    is_final "$state" || return 1
    any=1
  done <states
  [ -n "$any" ] || [ "$waited" -ge 5 ] || { waited=$((waited + 1)) && sleep 1 && return 1; }
}

# judge KIND: what became of the race, in words for the table. Fails when it may not have.
judge() {
  local name state file started=0 again="" wanted word
  [ ! -e overlap ] || fail "$race: two at once: $(<overlap)"
  [ -s states ] || {
    compgen -G 'starts.*' >/dev/null && fail "$race: started, and there is no run"
    echo "no run was made"
    return
  }
  for file in starts.*; do
    [ -e "$file" ] || continue
    started=$((started + 1))
    [ "$(wc -l <"$file")" -le 1 ] || again=1
  done
  [ -z "$again" ] || [ "$1" = requeue ] || fail "$race: started more than once: $(tail -n +1 starts.*)"
  wanted=1
  case $1 in
    array) wanted=3 ;;
    after) wanted=2 ;;
  esac
  word=""
  while read -r name state; do
    [ "$state" = "done" ] || word=$state
    if [ "$state" = "done" ]; then
      compgen -G "ends.$name*" >/dev/null || fail "$race: $name is said to be done, and never came to its end"
    fi
  done <states
  if [ -z "$word" ]; then
    [ "$started" -eq "$wanted" ] || fail "$race: all is said to be done, and $started of $wanted started"
    if [ -n "$again" ]; then echo "again, one at a time"; else echo "once, done"; fi
  elif [ "$started" -eq "$wanted" ]; then
    echo "once, end reported"
  elif [ "$started" -eq 0 ]; then
    echo "never, reported"
  else
    echo "a part, reported"
  fi
}

count=${RV_KILLS:-20}
kills=(client rv slurmctld slurmd node)
kinds=(plain requeue array after)
for ((n = 1; n <= count; n++)); do
  RANDOM=$((${RV_SEED:-1} * 1000 + n))
  for ((i = 0; i < 5; i++)); do : $RANDOM; done # the first draws of neighbouring seeds are alike
  kill=${kills[n % 5]}
  kind=${kinds[(n / 5) % 4]}
  moment=$((RANDOM % 4)).$((RANDOM % 10))
  draws=($((RANDOM % 10)) $((RANDOM % 4)) $((RANDOM % 3)))
  race="race $n ($kind, $kill killed after $moment s)"
  export RV_HOME=$homes/$n
  mkdir "$work/project/$n"
  cd "$work/project/$n"
  options=()
  case $kind in
    requeue) options=(--requeue) ;;
    array) options=(--array 0-2) ;;
  esac
  waited=0
  began=$SECONDS
  "$RV" run -f -g 1 --single-node --fanout 3 --time 5m --name "$kind" "${options[@]}" "$work/command" "$kind" >out 2>err &
  client=$!
  disown "$client" # or the shell prints its death
  if [ "$kind" = after ]; then
    (wait_for 30 "$RV" show "$kind" && "$RV" run -g 1 --time 5m --name follower --after "$kind:any" "$work/command" follower) \
      >out2 2>&1 &
    second=$!
  fi
  sleep "$moment"
  kill_it "$kill" "$client" "${draws[@]}"
  wait_for 180 race_over || fail "$race: no end: $(cat states; rv ps; squeue; sinfo -N)"
  [ "$kind" != after ] || wait "$second" || true
  [ "$kind" != after ] || wait_for 180 race_over || fail "$race: no end of what follows: $(cat states; rv ps; squeue; sinfo -N)"
  kill -KILL "$client" 2>/dev/null || true
  wait_for 90 all_gone || fail "$race: jobs are left: $(squeue)"
  outcome=$(judge "$kind") || { echo "$outcome"; fail "$race: $(cat states; tail -n +1 starts.* err)"; }
  echo "$kill|$outcome" >>"$work/table"
  echo "$race: $outcome, $((SECONDS - began)) s"
  # What comes back late must not count for the next one.
  for node in "${nodes[@]}"; do slurmd_runs "$node" || fault start "slurmd.$node"; done
done

python3 - "$work/table" <<'PYTHON'
import collections, sys
rows = [line.rstrip("\n").split("|") for line in open(sys.argv[1], encoding="utf-8")]
table = collections.Counter(map(tuple, rows))
kills = ["client", "rv", "slurmctld", "slurmd", "node"]
outcomes = sorted({outcome for _, outcome in rows}, key=lambda o: -sum(table[k, o] for k in kills))
width = max(len(o) for o in outcomes)
print(f"{'':{width}}" + "".join(f"{k:>11}" for k in kills) + f"{'all':>11}")
for o in outcomes:
    print(f"{o:{width}}" + "".join(f"{table[k, o]:>11}" for k in kills) + f"{sum(table[k, o] for k in kills):>11}")
PYTHON
