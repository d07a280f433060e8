#!/usr/bin/env bash
# The #SBATCH lines of a script are read as options of rv, options on the command line override them, and rv prints once what it
# did with each line.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"

mkdir headers
(cd headers && python3 "$here/cases/batch_headers.py" "$RV" "$cluster") || fail 'headers'

cat >job.sbatch <<'X'
#!/bin/bash
#SBATCH --job-name=fit --gres=gpu:2
#SBATCH --time=30 --comment="nightly run" # both
#SBATCH --nodes=1 --begin=now+1hour --parsable
echo
X
exits 0 rv run -n --cluster "$cluster" job.sbatch
equal 'the mapping' 'rv: how rv uses the #SBATCH lines of job.sbatch:
  line 2   --job-name=fit         --name=fit
  line 2   --gres=gpu:2           --gpu=2
  line 3   --time=30              --time=30
  line 3   --comment=nightly run  --sbatch=comment=nightly run
  line 4   --nodes=1              --nodes=1
  line 4   --begin=now+1hour      --sbatch=begin=now+1hour
  line 4   --parsable             not needed' "$err"
contains 'the plan' 'Not counted in the waits: --begin=now+1hour' "$out"
exits 0 rv plan --cluster "$cluster" job.sbatch
equal 'once' '' "$err"
exits 0 rv plan --show-mapping --cluster "$cluster" --time 1h job.sbatch
contains 'again' '--time=30, replaced on the command line' "$err"
runs rv plan --json --cluster "$cluster" --time 1h -g 4 --sbatch begin=18:00 job.sbatch
says 'the command line' 'd["request"]["time_s"] == 3600 and d["request"]["gpus"] == 4' "$work/out"
says 'and of the options of sbatch' 'd["not_counted"] == ["--begin=18:00"]' "$work/out"
exits 0 rv render --cluster "$cluster" job.sbatch
contains 'as sbatch reads it' '#SBATCH --comment="nightly run"' "$out"
exits 0 rv up -n --cluster "$cluster" job.sbatch
contains 'rv up' 'Not counted' "$out"

# A script that is named behind its program, or --, or with an interpreter, is a command like any other.
exits 0 rv run -n --cluster "$cluster" bash job.sbatch
contains 'its program' 'rv: note: the #SBATCH lines of job.sbatch are ignored' "$err"
exits 0 rv run -n --cluster "$cluster" --interpreter 'bash -x' job.sbatch
contains 'an interpreter' 'rv: note: the #SBATCH lines of job.sbatch are ignored' "$err"

exits 2 rv up -n --cluster "$cluster" --run true job.sbatch
contains 'two commands' "--run and a script can't be combined" "$err"
exits 2 rv run -n --cluster "$cluster" --container ubuntu:22.04 job.sbatch
contains 'a container' "--container can't be combined with job.sbatch" "$err"
printf '#!/bin/bash\n#SBATCH --gres=gpu:1 --array=1-3\n' >many.sbatch
exits 2 rv up -n --cluster "$cluster" many.sbatch
equal 'an array' 'rv: error: many.sbatch:2: --array=1-3: rv up does not run arrays
hint: use rv run' "$err"
if [ "$(id -u)" -ne 0 ]; then
  chmod a-r many.sbatch
  exits 2 rv run -n --cluster "$cluster" many.sbatch
  contains 'unreadable' "many.sbatch can't be read: Permission denied" "$err"
fi

# What the command line gives is not read from the script, so a fault in it does not count.
printf '#!/bin/bash\n#SBATCH --time=xx --mem=many\n#SBATCH --nodes=2 --gpus=3\ntrue\n' >faulty.sbatch
exits 2 rv run -n --cluster "$cluster" faulty.sbatch
exits 2 rv run -n --cluster "$cluster" -g 4 --mem 8G faulty.sbatch
contains "the time" "faulty.sbatch:2: --time=xx: expected a time limit" "$err"
exits 0 rv run -n --cluster "$cluster" -g 4 --mem 8G --time 1h faulty.sbatch
printf '#!/bin/bash\n#SBATCH --time=10 --gres=gpu:a40:2 --gpus=v100:2\ntrue\n' >types.sbatch
exits 2 rv run -n --cluster "$cluster" types.sbatch
exits 0 rv run -n --cluster "$cluster" -t v100 types.sbatch
