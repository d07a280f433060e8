#!/usr/bin/env bash
# rv plan --accuracy --from scores predictions on a log of another machine: table, JSON, and errors with a way out.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
log=$here/data/jobs.csv
exits 0 rv plan --accuracy --from "$log"
equal stderr '' "$err"
contains format 'CSV, 60 jobs of 61 rows used' "$out"
contains machine 'machine: 4 nodes with 16 GPUs, the most used at once' "$out"
contains lacks 'priorities: jobs are in the order of submission' "$out"
contains "bad rows" '1 jobs that start before their submission' "$out"
contains rv 'rv ' "$out"
contains anchor 'last 25' "$out"
contains groups 'waited over 10 min' "$out"
cp "$work/out" table
rv plan --accuracy --from - < "$log" | tail -n +2 > piped
tail -n +2 table | cmp - piped || fail 'stdin gives another table'
exits 0 rv plan --accuracy --from "$log" --json --submissions 20 --warm-up 50
says JSON 'd["format"] == "CSV" and d["rows"] == 61 and d["jobs"] == 60 and 0 < d["scored"] < 20' "$work/out"
says JSON '{g["group"] for g in d["groups"]} <= {"all", "waited_1_min", "waited_10_min"}' "$work/out"
says JSON '[g["predicted"] for g in d["groups"] if g["group"] == "all"] == [d["scored"]] * 6' "$work/out"
says JSON 'len(d["predictions"]) == d["scored"] and all(len(p["rv"]) == 3 for p in d["predictions"])' "$work/out"
exits 0 rv plan --accuracy --from "$log" --cluster 8x4 --json
says machine 'd["machine"] == "8 nodes with 32 GPUs"' "$work/out"
exits 0 rv plan --accuracy --from "$log" --cluster "$cluster" --json
says machine '"of the snapshot" in d["machine"]' "$work/out"

# What can't be read: two lines, and the second is the way out.
refused() {
  exits 2 rv plan --accuracy --from "$1"
  equal "lines about $1" 2 "$(wc -l < "$work/err")"
  contains "about $1" "$2" "$err"
}
refused nowhere.csv 'expected an existing file'
: > empty.csv
refused empty.csv 'the file is empty'
head -c 4096 /dev/zero > zeros
refused zeros 'the file is not text'
gzip -c "$log" > packed.gz
refused packed.gz 'the file is compressed'
refused "$work" 'rv: error:'
printf 'user,nodes\nann,3\n' > columns.csv
refused columns.csv 'no column for the submission'
printf 'submit,start,end,nodes\n10,5,20,1\n' > negative.csv
refused negative.csv '1 jobs that start before their submission'
printf 'submit,start,end,nodes\n100,100,200,999999\n' > large.csv
refused large.csv 'used 999999 nodes at once'
exits 2 rv plan --from "$log"
contains stderr '--from needs --accuracy' "$err"
exits 2 rv plan --accuracy --warm-up 50
contains stderr '--warm-up needs --from' "$err"
