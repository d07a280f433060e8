#!/usr/bin/env bash
# rv render prints a script that bash accepts, with the arguments of the command unchanged.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
exits 0 rv render --cluster "$cluster" -g 2 --time 30m
equal stderr "" "$err"
bash -n "$work/out" || fail 'bash does not read the holding script'
head -1 "$work/out" | grep -q '^#!' || fail 'no #! line'
contains stdout '#SBATCH' "$out"
exits 0 rv render --cluster "$cluster" -g 2 --time 30m python -c "print('\$x')" --lr 1
bash -n "$work/out" || fail 'bash does not read the script'
contains stdout '--lr' "$out"
cp "$work/out" one
exits 0 rv render --cluster "$cluster" -g 2 --time 30m --strategy 2
exits 2 rv render --cluster "$cluster" -g 2 --time 30m --strategy 999
contains stderr '--strategy 999: the plan has only' "$err"
exits 2 rv render --cluster "$cluster" -g 2 --time 30m --strategy 0
exits 120 rv render --cluster "$cluster" -g 64 --single-node
equal stdout '' "$out"
contains stderr "This cluster can't provide" "$err"
runs rv render --cluster "$cluster" -g 2 --json hostname
says JSON 'd["rank"] == 1 and d["script"].startswith("#!")' "$work/out"
# An rv option behind the command belongs to the command; a note says so.
exits 0 rv render --cluster "$cluster" -g 1 prog --mig
equal stderr 'rv: note: --mig after prog is passed to your command; to give it to rv: rv render --mig prog' "$err"
contains stdout '--mig' "$out"
# What is shown before a run is one script, whoever shows it: with the notices of the user's targets, too.
exits 0 rv notify set me --mail ann@example.org
exits 0 rv run --cluster "$cluster" -g 2 --time 30m --dry-run --json python -c 'print(1)'
python3 -c 'import json,sys; sys.stdout.write(json.load(open(sys.argv[1]))["strategies"][0]["script"])' \
  "$work/out" > dry
grep -qF "$RV_HOME/notify" dry || fail 'the dry run tells nobody'
runs rv render --cluster "$cluster" -g 2 --time 30m python -c 'print(1)'
cmp dry "$work/out" || fail 'render and the dry run differ'
grep -qF 'python@preview.1' dry || fail 'the job has another name than the run'
# So is what each option of rv run does to it.
cp "$work/out" plain
while read -ra options; do
  exits 0 rv run --cluster "$cluster" -g 2 --time 30m --dry-run --json "${options[@]}" python -c 'print(1)'
  python3 -c 'import json,sys
races = [s for s in json.load(open(sys.argv[1]))["strategies"] if s["races"]]
sys.stdout.write(next(s["script"] for s in races if "python@preview.1" in s["script"]))' "$work/out" >dry
  exits 0 rv render --cluster "$cluster" -g 2 --time 30m "${options[@]}" python -c 'print(1)'
  cmp dry "$work/out" || fail "${options[*]}: render and the dry run differ"
  ! cmp -s plain "$work/out" || fail "${options[*]} changes nothing"
done <<'X'
--array 0-9%2
--sbatch comment=nightly
--sbatch begin=now+1hour
--requeue
--procs-per-node 2
--output results
--notify none
--separate-stderr
--interpreter perl
--container ubuntu:22.04
--checkpoint --segment-time 20m --warn 2m
X
# The run to wait for must be one.
for words in 'run --dry-run' render plan; do
  # shellcheck disable=SC2086 # words
  exits 122 rv $words --cluster "$cluster" -g 2 --time 30m --after nobody true
  equal stdout '' "$out"
done
