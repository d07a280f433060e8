#!/usr/bin/env bash
# rv run gives a batch script what sbatch gives it: Slurm's variables, arguments, files, working folder and signals.
# shellcheck source=tests/real/lib.sh disable=SC2016 # what expands in the job stands in single quotes
source "$(dirname "$0")/lib.sh"

# The environment without what differs between any two jobs.
cat >body <<'X'
printf 'argument %s\n' "$@"
pwd
env | grep -E '^(SLURM_|RANK=|WORLD_SIZE=|MASTER_|NODE_RANK=|NNODES=)' |
  grep -vE '^SLURM_(JOB_ID|JOBID|TASK_PID|JOB_START_TIME|JOB_END_TIME|ARRAY_JOB_ID|WORKING_CLUSTER|JOB_GPUS|JOB_COMMENT|SCRIPT_CONTEXT|TOPOLOGY_ADDR|JOB_DEPENDENCY|CPUS_ON_NODE|JOB_CPUS_PER_NODE)=' | sort
srun -l hostname | sort | cut -d: -f1 | paste -sd,
X
# compare NAME HEADER…: the same output by sbatch and by rv, in a file of the same name.
compare() {
  local name=$1
  shift
  mkdir -p "by_sbatch/$name" "by_rv/$name"
  { echo '#!/bin/bash' && printf '%s\n' "$@" && cat body; } | tee "by_sbatch/$name/job.sbatch" >"by_rv/$name/job.sbatch"
  (cd "by_sbatch/$name" && sbatch --wait job.sbatch 'a b' c >/dev/null) || fail "$name: sbatch"
  (cd "by_rv/$name" && rv run -f job.sbatch 'a b' c >/dev/null 2>../../"$name".err) || fail "$name: rv: $(cat "$name.err")"
  # The names have the jobs' IDs in them.
  equal "$name: files" "$(names "by_sbatch/$name")" "$(names "by_rv/$name")"
  equal "$name: output" "$(outputs "by_sbatch/$name")" "$(outputs "by_rv/$name")"
}
names() { find "$1" -type f ! -name job.sbatch -printf '%P\n' | sed -E 's/[0-9]+([-.]|_[37])/N\1/' | sort; }
outputs() { cd "$1" && find . -type f ! -name job.sbatch | sort | xargs -d '\n' cat | sed "s#by_sbatch#by_rv#g"; }

node='#SBATCH -p gpu-a40 -w udc-an33-1'
compare plain "$node" '#SBATCH --gres=gpu:a40:1 -t 5 --mem=1G'
compare tasks "$node" '#SBATCH --job-name="two words"' '#SBATCH --gres gpu:1' '#SBATCH --ntasks-per-node=2 --nodes=1' \
  '#SBATCH --cpus-per-task 2 --mem=4G --time=00:05:00' '#SBATCH -o %x-%j.log -e %j.err'
compare memory "$node" '#SBATCH -N1 -n 2 --gpus-per-node=a40:2' '#SBATCH -c1 --mem-per-cpu=1G' '#SBATCH -t5 --output=all.txt'
compare several '#SBATCH -p gpu-a40' '#SBATCH -N 2 -n 4 --ntasks-per-node=2' '#SBATCH --gres=gpu:2 -t 5 --mem 2G' '#SBATCH -o %N-%u.txt'
compare array "$node" '#SBATCH --gres=gpu:1 -t 5 --array=3,7 --mem 1G' '#SBATCH --output=%A_%a-%x.txt'

# The script is the one of the submission, and its file stays a file.
equal "a file, and no symbolic link" 3 "$(find by_rv/tasks -type f | wc -l)"

# The folder, stdin, and a signal before the time limit.
mkdir elsewhere
echo from the file >elsewhere/in
printf '%s\n' '#!/bin/bash' '#SBATCH --gres=gpu:a40:1 -t 5 -D elsewhere -i in -o out' 'pwd; cat' >there.sbatch
exits 0 rv run -f there.sbatch
equal "folder and stdin" "$PWD/elsewhere
from the file" "$(cat elsewhere/out)"
printf '%s\n' '#!/bin/bash' '#SBATCH --gres=gpu:a40:1 -t 2 --signal=B:USR1@90 -o signal.txt' \
  'trap "echo saved; exit 3" USR1' 'sleep 300 & wait' >signal.sbatch
exits 3 rv run -f signal.sbatch
equal "signal" saved "$(cat signal.txt)"

# rv's command line comes first, and a rerun reads the script again.
printf '%s\n' '#!/bin/bash' '#SBATCH -J mine --gres=gpu:a40:1 -t 5 -o part.txt' 'echo "$SLURM_JOB_PARTITION $SLURM_JOB_NAME"' >mine.sbatch
exits 0 rv run -f -t a6000 mine.sbatch
equal "another type" "gpu-a6000 mine" "$(cat part.txt)"
sed -i 's/^echo/echo again/' mine.sbatch
exits 0 rv rerun mine -f
equal "a rerun" "again gpu-a6000 mine" "$(cat part.txt)"
exits 0 rv up mine.sbatch
contains "rv up" "again gpu-a40 mine" "$out"

# One file for stdout and stderr, however it is written, in the order of writing.
printf '%s\n' '#!/bin/bash' '#SBATCH --gres=gpu:a40:1 -t 5 -o both.%j.log' '#SBATCH -e ./both.%j.log' 'echo one; echo two >&2; echo three' >both.sbatch
exits 0 rv run -f both.sbatch
equal "both streams" $'one\ntwo\nthree' "$(cat both.*.log)"

# sbatch writes through a link of the user's. A signal that ends the script leaves no word of the shell around it.
mkdir real && touch real/kept && ln -s real/kept linked.log
printf '%s\n' '#!/bin/bash' '#SBATCH --gres=gpu:a40:1 -t 5 -o linked.log' 'echo here; kill -SEGV $$' >linked.sbatch
exits 139 rv run -f linked.sbatch
equal "a link stays" real/kept "$(readlink linked.log)"
equal "what it names" here "$(<real/kept)"

# On another file system the file is the user's own in the end, also after rv gc, and a later run does not write to it.
elsewhere=$(mktemp -d /dev/shm/rv-batch-XXXXXX)
put_back() { rm -rf "$elsewhere"; }
[ "$(stat -c %d "$elsewhere")" != "$(stat -c %d "$RV_HOME")" ] || fail "/dev/shm and the runs share a file system"
printf '%s\n' '#!/bin/bash' "#SBATCH --gres=gpu:a40:1 -t 5 -o $elsewhere/run.log" 'echo "$1"' >far.sbatch
exits 0 rv run -f far.sbatch first
copied() { [ -f "$elsewhere/run.log" ] && [ ! -L "$elsewhere/run.log" ]; }
wait_for 20 copied || fail "a link: $(ls -l "$elsewhere")"
gone() { rv gc --older-than 1s >/dev/null 2>&1 && ! rv ps -a 2>&1 | grep -q far; }
wait_for 20 gone || fail "rv gc: $(rv gc --older-than 1s)"
equal "after rv gc" first "$(<"$elsewhere/run.log")"
exits 0 rv run -f far.sbatch second
wait_for 20 copied || fail "a link: $(ls -l "$elsewhere")"
equal "the second" second "$(<"$elsewhere/run.log")"

# What sbatch would fail with, or do otherwise, is said before.
mkdir logs
printf '%s\n' '#!/bin/bash' '#SBATCH --gres=gpu:a40:1 -t 5 -o logs' 'true' >folder.sbatch
exits 2 rv run folder.sbatch
contains "a folder" "folder.sbatch:2: -o logs: logs is a folder, and sbatch writes to a file" "$err"
contains "the way out" "--output=logs/%j.out" "$err"
printf '%s\n' '#!/bin/bash' '#SBATCH --gres=gpu:a40:1 -t 5' 'trap "scontrol requeue $SLURM_JOB_ID" USR1' >again.sbatch
exits 0 rv run -n --show-mapping again.sbatch
contains "requeue" "line 3   scontrol requeue" "$err"
exits 0 rv run -n --show-mapping --requeue again.sbatch
lacks "allowed by rv's option" "scontrol requeue" "$err"
sed -i 's/-t 5/-t 5 --requeue/' again.sbatch
exits 0 rv run -n --show-mapping again.sbatch
lacks "allowed" "scontrol requeue" "$err"
