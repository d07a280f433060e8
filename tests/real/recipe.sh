#!/usr/bin/env bash
# rv run --file starts what a recipe says, options of the command line replace its keys, and --save writes one.
# shellcheck source=tests/real/lib.sh disable=SC2016 # what expands in the job is in single quotes
source "$(dirname "$0")/lib.sh"

exits 0 rv run --file "$root/examples/recipes/train.yaml" -f
equal "output" "seed 1" "$out"
equal "name" train "$(field train "['name']")"
exits 0 rv run --file "$root/examples/recipes/train.yaml" -f -e SEED=7 -e MORE='a b' --name other 'echo "$SEED $MORE"; exit 0'
equal "variables and command of the command line" "7 a b" "$out"
exits 0 rv rerun other -f
equal "again" "7 a b" "$out"

# A recipe of a command line, and the run of it. Nothing is submitted for --save.
exits 0 rv run -g 1 --time 5m -t a40 --name saved -e 'TEXT=#1: $x' --save task.yaml 'echo "$TEXT" on "$SLURM_JOB_PARTITION"; exit 3'
equal "runs" 3 "$(find "$RV_HOME/runs" -mindepth 1 -maxdepth 1 | wc -l)"
exits 3 rv run --file task.yaml -f
equal "output" '#1: $x on gpu-a40' "$out"
equal "name" saved "$(field saved "['name']")"

# A recipe keeps --after, which applies to each run of it but not to a repetition.
exits 0 rv run -g 1 --time 5m --name second --after first --dry-run -f --save later.yaml 'echo second'
equal "after" "after: first" "$(grep after later.yaml)"
lacks "options of one call" "dry" "$(<later.yaml)"
exits 0 rv run -g 1 --time 5m --name first 'sleep 5'
exits 0 rv run --file later.yaml -f
equal "the run that it waited for" "$(field first "['id']")" "$(field second "['after']['run']")"
lacks "the options on record" "--after" "$(<"$RV_HOME/runs/$(field second "['id']")/options.json")"

# Variables reach all processes and the shell of a hold, and are not overridden by the site's set-up lines.
echo 'setup: ["export SITE=site KEPT=site"]' >>"$RV_HOME/config.yaml"
exits 0 rv run -f -g 2 --nodes 2 --time 5m -e SITE=mine 'echo "$SITE $KEPT"'
equal "on two nodes" "mine site mine site" "$(grep -o 'mine site' <<<"$out" | paste -sd' ')"

# Bad input: two lines, exit code 2, nothing submitted.
count=$(find "$RV_HOME/runs" -mindepth 1 -maxdepth 1 | wc -l)
refused() { # WHAT NAMED ARGUMENT…
  exits 2 rv run "${@:3}"
  contains "$1" "$2" "$err"
  equal "$1: lines" 2 "$(wc -l <<<"$err")"
}
printf 'gpu: 1\ngpus_per_task: 2\ncommand: hostname\n' >wrong.yaml
refused "unknown key" 'wrong.yaml:2: unknown key "gpus_per_task"' --file wrong.yaml
printf 'gpu: many\ncommand: hostname\n' >wrong.yaml
refused "value" 'wrong.yaml:1: --gpu "many"' --file wrong.yaml
printf 'gpu: 1\n' >wrong.yaml
refused "no command" 'wrong.yaml has no command' --file wrong.yaml
refused "no file" "--file absent.yaml: there is no such file in $PWD" --file absent.yaml
python3 -c 'print("a: &a [x]"); [print(f"b{i}: &b{i} [" + ",".join(["*" + ("a" if i == 0 else f"b{i-1}")] * 10) + "]") for i in range(12)]' >wrong.yaml
refused "bomb" 'wrong.yaml' --file wrong.yaml
refused "a variable without a value" '--env "SEED"' -g 1 -e SEED hostname
refused "a variable's name" 'A-B' -g 1 -e A-B=1 hostname
equal "runs" "$count" "$(find "$RV_HOME/runs" -mindepth 1 -maxdepth 1 | wc -l)"
