#!/usr/bin/env bash
# --retries: a command that failed is started again after a pause, by its own job where no client runs; up to N times, after the
# failures of --retry-on, and never without the option.
# shellcheck source=tests/real/lib.sh disable=SC2016 # what expands in the job is in single quotes
source "$(dirname "$0")/lib.sh"

over() { [ "$(field "$1" "['over']")" = True ]; }
ledger_of() { cat "$(field "$1" "['run_folder']")"/ledger/[0-9]*; }
retry_entries() { ledger_of "$1" | grep -c '^retry ' || true; }

# No client runs: the job polls its own run, which submits the next attempt. The values of rv env are there each time.
printf 's3same\n' | rv env set SECRET 2>/dev/null
exits 0 rv run --retries 3 --time 5m --name alone -o result \
  'echo "$SECRET $(date +%s)" >>ran; echo "step $RANDOM"; cp ran result; [ "$(wc -l <ran)" -gt 1 ] || exit 75'
wait_for 60 has_lines ran 2 || fail "is not started again: $(squeue)"
wait_for 30 over alone || fail "not over: $(rv show alone)"
equal "secrets" "s3same s3same" "$(cut -d' ' -f1 ran | paste -sd' ')"
between=$(($(sed -n 2p ran | cut -d' ' -f2) - $(sed -n 1p ran | cut -d' ' -f2)))
[ "$between" -ge 9 ] || fail "a pause of $between s"
equal "state" "done 0" "$(field alone "['state']") $(field alone "['exit_code']")"
equal "retries" "3 1 exit code 75 10" "$(field alone "['retries']['most']") $(field alone "['retries']['used']") $(
  field alone "['retries']['why']") $(field alone "['retries']['pause_s']")"
contains "shown" "retries  1 of 3: exit code 75; pause 10s" "$(rv show alone)"
equal "entries" 1 "$(retry_entries alone)"
[ -z "$(find "$RV_HOME/runs" -name environment)" ] || fail "the secret is still in the run's folder"
exits 0 rv env rm SECRET

# The same last line twice in a row, and early: a third attempt would end in the same way.
exits 5 rv run -f --retries 9 --time 5m --name repeats 'echo x >>repeats; echo "no such option"; exit 5'
equal "executions" 2 "$(lines_in repeats)"
contains "detail" "exit code 5; not retried again: it ran for less than 2m and ended with the same last line of output as the attempt before" \
  "$(field repeats "['detail']")"

# The retries are used up. Attempts without output have no line in common.
exits 6 rv run -f --retries 1 --time 5m --name used 'echo x >>used; exit 6'
equal "executions" 2 "$(lines_in used)"
equal "detail" "exit code 6; after 1 retry" "$(field used "['detail']")"

# Other failures than those of --retry-on, and no option at all.
exits 7 rv run -f --retries 3 --retry-on 75,oom --time 5m --name other 'echo x >>other; exit 7'
equal "executions" 1 "$(lines_in other)"
contains "detail" "--retry-on does not include it" "$(field other "['detail']")"
exits 75 rv run -f --time 5m --name plain 'echo x >>plain; exit 75'
equal "executions" 1 "$(lines_in plain)"
equal "retries" None "$(field plain "['retries']")"

# rv stop during the pause: no other start, and the end is that of the attempt that ran.
exits 0 rv run --retries 3 --time 5m --name stopped 'echo x >>stopped; exit 75'
waits() { [[ $(field stopped "['detail']") == "retry 1 of 3 in "* ]]; }
wait_for 40 waits || fail "does not wait: $(rv show stopped)"
exits 0 rv stop stopped
contains "rv stop" "stopped before it was started again" "$out$err"
wait_for 20 over stopped || fail "not over: $(rv show stopped)"
equal "state" "failed 75" "$(field stopped "['state']") $(field stopped "['exit_code']")"
contains "detail" "stopped before it was started again" "$(field stopped "['detail']")"
sleep 12 # the pause would be over
equal "executions" 1 "$(lines_in stopped)"

# On several nodes, and a script with #SBATCH lines.
exits 0 rv run -f --retries 1 --nodes 2 -g 2 --time 5m --name both '[ -e again ] || { sleep 1; touch again; exit 3; }'
equal "entries" 1 "$(retry_entries both)"
printf '#!/bin/bash\n#SBATCH --time=5\n#SBATCH --gres=gpu:1\necho x >>batch\n[ "$(wc -l <batch)" -gt 1 ]\n' >job.sbatch
exits 0 rv run -f --retries 1 --name script job.sbatch
equal "executions" 2 "$(lines_in batch)"
