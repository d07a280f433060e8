#!/usr/bin/env bash
# rv render prints a script that bash can read; the words of the command come through.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
rv render --cluster "$cluster" -g 2 --time 30m
expect_code 0
no_err
bash -n "$scratch/out" || fail 'bash does not read the holding script'
head -1 "$scratch/out" | grep -q '^#!' || fail 'no #! line'
out_has '#SBATCH'
rv render --cluster "$cluster" -g 2 --time 30m python -c "print('\$x')" --lr 1
expect_code 0
bash -n "$scratch/out" || fail 'bash does not read the script'
out_has '--lr'
cp "$scratch/out" one
rv render --cluster "$cluster" -g 2 --time 30m --strategy 2
expect_code 0
rv render --cluster "$cluster" -g 2 --time 30m --strategy 999
expect_code 2
err_has 'there is no strategy 999'
rv render --cluster "$cluster" -g 2 --time 30m --strategy 0
expect_code 2
rv render --cluster "$cluster" -g 64 --single-node
expect_code 120
expect_out ''
err_has 'Nothing on this cluster'
rv render --cluster "$cluster" -g 2 --json hostname
json "$scratch/out" 'd["rank"] == 1 and d["script"].startswith("#!")'
# An rv option behind the command belongs to the command; a note says so.
rv render --cluster "$cluster" -g 1 prog --mig
expect_code 0
expect_err 'note: --mig after prog belongs to your command; for rv write: rv render --mig prog'
out_has '--mig'
# What is shown before a run is one script, whoever shows it: with the notices of the user's targets, too.
rv notify set me --mail ann@example.org
expect_code 0
rv run --cluster "$cluster" -g 2 --time 30m --dry-run --json python -c 'print(1)'
expect_code 0
python3 -c 'import json,sys; sys.stdout.write(json.load(open(sys.argv[1]))["strategies"][0]["script"])' \
  "$scratch/out" > dry
grep -qF "$RV_HOME/notify" dry || fail 'the dry run tells nobody'
rv render --cluster "$cluster" -g 2 --time 30m python -c 'print(1)'
cmp dry "$scratch/out" || fail 'render and the dry run differ'
grep -qF 'python@preview.1' dry || fail 'the job has another name than the run'
# The run to wait for must be one.
rv run --cluster "$cluster" -g 2 --time 30m --dry-run --after nobody true
expect_code 122
expect_out ''
