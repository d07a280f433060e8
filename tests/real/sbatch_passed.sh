#!/usr/bin/env bash
# --sbatch reaches Slurm unchanged, byte for byte. A rerun keeps it, and so do the segments of a chain, which do not wait for
# --begin again.
# shellcheck source=tests/real/lib.sh disable=SC2016 # what expands in the job stands in single quotes
source "$(dirname "$0")/lib.sh"

comment='it'"'"'s "a" \ $HOME; #x'
exits 0 rv run -f --json -g 1 -t a40 --time 5m --name noted --sbatch "comment=$comment" --sbatch nice=7 \
  'scontrol -o show job "$SLURM_JOB_ID" >record'
contains "comment" " Comment=$comment " "$(cat record)"
contains "nice" " Nice=7 " "$(cat record)"
rm record
exits 0 rv rerun noted -f --sbatch nice=9
contains "a rerun: comment" " Comment=$comment " "$(cat record)"
contains "a rerun: nice" " Nice=9 " "$(cat record)"
equal "the record" '["nice=9", "comment"]' "$(python3 - <<'PY'
import glob, json, os
records = [json.load(open(file)) for file in glob.glob(os.environ["RV_HOME"] + "/runs/*/run.json")]
sbatch = max(records, key=lambda one: (one["created"], one["created_ns"]))["sbatch"]
print(json.dumps(sorted((one.split("=")[0] if one.startswith("comment") else one for one in sbatch), reverse=True)))
PY
)"

# A reservation that a job still uses can't be deleted.
put_back() { wait_for 30 no_reservation; }
no_reservation() { [ "$(scontrol show reservation course 2>&1 | grep -c ReservationName=)" -eq 0 ] || scontrol delete reservationname=course; }

# A reservation, as everybody who has one uses it.
# A job of an earlier test may still be ending on the node.
reserve() { scontrol create reservation reservationname=course user=root starttime=now duration=30 nodes=udc-an33-1 >/dev/null 2>&1; }
wait_for 60 reserve || fail "no reservation: $(scontrol show node udc-an33-1)"
exits 0 rv run -f -g 1 -t a40 --time 5m --sbatch reservation=course 'echo "$SLURM_JOB_RESERVATION on $SLURMD_NODENAME" >where'
equal "reservation" "course on udc-an33-1" "$(cat where)"
put_back || fail "the reservation stays"

# What Slurm refuses is shown with its words.
rv run -f -g 1 -t a40 --time 5m --sbatch reservation=nosuch true >refused 2>&1 && fail "a reservation that is not there"
contains "refused" "reservation" "$(tr '[:upper:]' '[:lower:]' <refused)"

# The time of --begin is over once it has come: the next segment starts at once.
began=$(date +%s)
exits 0 rv run --checkpoint --time 1h --segment-time 10m -g 1 -t a40 --name later --sbatch begin=now+15seconds 'date +%s >start; sleep 600'
wait_for 90 has_lines start 1 || fail "does not start"
[ $(($(cat start) - began)) -ge 14 ] || fail "did not wait for --begin: $(cat start)"
script=$RV_HOME/runs/$(field later "['id']")/candidates/1/script.sh
contains "the script has it" "#SBATCH --begin=now+15seconds" "$(cat "$script")"
contains "the next segment" "--begin=now" "$(bash "$script" next)"
exits 0 rv stop later
