#!/usr/bin/env bash
# Errors are two lines on stderr, or one JSON object; the exit code says what kind.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
rv upp
expect_code 2
expect_out ''
expect_err 'rv: error: unknown command "upp"; did you mean "up"?
hint: see rv --help for the commands'
rv plan --gpuz 4
expect_code 2
expect_err 'rv: error: unknown option "--gpuz" for rv plan; did you mean "--gpu"?
hint: see rv plan --help'
rv --json upp
expect_code 2
expect_out ''
json "$scratch/err" 'd == {"error": {"message": "unknown command \"upp\"; did you mean \"up\"?", "advice": "see rv --help for the commands", "exit_code": 2}}'
rv plan --time soon --json
expect_code 2
json "$scratch/err" 'd["error"]["message"] == "--time: \"soon\" is not a length of time"'
[ "$(wc -l < "$scratch/err")" = 1 ] || fail 'not one line'
rv plan stray
expect_code 2
err_has 'stray'
# A full disk is no success.
if [ -w /dev/full ]; then
  "$RV" --help > /dev/full 2> "$scratch/err"
  code=$?
  expect_code 125
  err_has 'No space left on device'
fi
