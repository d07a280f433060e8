#!/usr/bin/env bash
# The run that --after waits for is requeued and held, by name or with SPECIAL_EXIT, and so has not ended: the follower neither
# starts nor gives up, and starts after its end. The same holds if the predecessor's run folder is unreachable for a moment.
# shellcheck source=tests/faults/lib.sh disable=SC2016 # what expands in the job is in single quotes
source "$(dirname "$0")/lib.sh"

# The follower's present job, if it is in the given state.
follower() { squeue -h --me -t "$2" -o '%A %j' | sed -n "s/ $1@.*//p" | head -n 1; }
is_held() { [[ "$(squeue -h -j "$1" -o %r)" == *[Hh]eld* || "$(squeue -h -j "$1" -o %T)" == *SPECIAL_EXIT* ]]; }
# went_back RUN JOB: as another job.
went_back() { [[ "$(follower "$1" PENDING)" != @(|"$2") ]]; }
looks() { [ -n "$(follower "$1" RUNNING)" ]; }

for how in "" State=SpecialExit; do
  first=first${how:+_special} second=second${how:+_special}
  rm -f begun finish order
  rv run -g 1 --partition gpu --time 5m --requeue --name "$first" \
    'echo begun >>begun; until [ -e finish ]; do sleep 0.1; done; echo first >>order' >/dev/null 2>&1
  wait_for 30 has_lines begun 1 || fail "$first does not start: $(squeue)"
  job=$(job_of "$first")
  rv run -g 1 --partition gpu --time 5m --name "$second" --after "$first" 'echo second >>order' >/dev/null 2>&1
  # shellcheck disable=SC2086 # nothing, or one word
  scontrol requeuehold $how "$job"
  wait_for 30 is_held "$job" || fail "$first is not held: $(squeue)"
  # Slurm would not start the follower now; an administrator who clears its dependency does.
  waiting=$(follower "$second" PENDING)
  scontrol update jobid="$waiting" dependency=
  wait_for 60 went_back "$second" "$waiting" || fail "$second does not go back into the queue: $(rv show "$second"; squeue)"
  equal "$second meanwhile" False "$(field "$second" "['over']")"
  touch finish
  sleep 2 # slurmd refuses a start in the second in which it killed the one before: "already killed, do not launch"
  scontrol release "$job"
  soon() {
    scontrol update jobid="$job" starttime=now 2>/dev/null || true
    scontrol update jobid="$(follower "$second" PENDING)" starttime=now 2>/dev/null || true
    over "$second"
  }
  wait_for 200 soon || fail "$second is not over: $(rv show "$first"; rv show "$second"; squeue)"
  equal "ends" "done done" "$(field "$first" "['state']") $(field "$second" "['state']")"
  equal "order" "first second" "$(xargs <order)"
done

# Its folder can't be reached for some seconds.
rm -f begun finish order
rv run -g 1 --partition gpu --time 5m --name away 'echo begun >>begun; until [ -e finish ]; do sleep 0.1; done' >/dev/null 2>&1
wait_for 30 has_lines begun 1 || fail "does not start: $(squeue)"
rv run -g 1 --partition gpu --time 5m --name patient --after away 'echo patient >>order' >/dev/null 2>&1
folder=$(field away "['run_folder']") waiting=$(follower patient PENDING)
scontrol hold "$waiting"
touch finish
wait_for 30 over away || fail "is not over: $(rv show away)"
mv "$folder" "$folder.away"
scontrol release "$waiting"
wait_for 30 looks patient || fail "does not look: $(squeue)"
sleep 20 # a second poll, which finds no folder
mv "$folder.away" "$folder"
wait_for 90 over patient || fail "not over: $(rv show patient)"
equal "end" "done" "$(field patient "['state']")"
