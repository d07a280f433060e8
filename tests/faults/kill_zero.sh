#!/usr/bin/env bash
# A command signals its whole process group, including the batch script: the run ends with the command's own exit code, because
# Slurm did not end it.
# shellcheck source=tests/faults/lib.sh
source "$(dirname "$0")/lib.sh"

rv run -g 1 --time 5m --name group 'echo x >>runs; kill 0; sleep 300' >/dev/null 2>&1
rv run -g 1 --time 5m --name survivor 'echo x >>runs; trap "" TERM; kill 0; exit 0' >/dev/null 2>&1
wait_for 60 over group || fail "not over: $(rv show group)"
equal "state and exit code" "failed 143" "$(field group "['state']") $(field group "['exit_code']")"
wait_for 60 over survivor || fail "not over: $(rv show survivor)"
equal "state and exit code" "done 0" "$(field survivor "['state']") $(field survivor "['exit_code']")"
equal "executions" 2 "$(lines_in runs)"
