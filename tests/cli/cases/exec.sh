#!/usr/bin/env bash
# rv exec: streams, exit codes, folder, words.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
rv exec sh -c 'echo out; echo err >&2; exit 7'
expect_code 7
expect_out out
expect_err err
rv exec pwd
expect_out "$(pwd -P)"
rv exec 'echo one && echo two'
expect_out 'one
two'
rv exec 'exit 3'
expect_code 3
# shellcheck disable=SC2016  # the words must stay as they are
rv exec printf '%s|' a '' '$HOME' 'x y' -- --json -v
# shellcheck disable=SC2016
expect_out 'a||$HOME|x y|--|--json|-v|'
rv exec -- printf '%s|' --
expect_out '--|'
printf 'from stdin' | "$RV" exec cat > "$scratch/out" 2> "$scratch/err"
expect_out 'from stdin'
# Bytes pass untouched, NUL too.
head -c 100000 /dev/urandom > "$scratch/bytes"
"$RV" exec cat < "$scratch/bytes" > "$scratch/copy"
cmp "$scratch/copy" "$scratch/bytes" || fail 'bytes are lost'
rv exec no-such-program-at-all x
expect_code 127
err_has 'rv: error: no-such-program-at-all: no such command'
printf 'x' > plain
rv exec ./plain
expect_code 126
rv exec sh -c 'kill -KILL $$'
expect_code 137
rv exec sh -c 'kill -TERM $$'
expect_code 143
printf '#!/bin/sh\necho spaced\n' > 'my tool.sh'
chmod +x 'my tool.sh'
rv exec './my tool.sh'
expect_out spaced
# Needs no settings, but for where to run: on a guess nothing is run.
printf 'no: [yaml\n' > "$RV_SITE"
env -i "$RV" exec /bin/echo bare > "$scratch/out" || fail 'fails in an empty environment'
expect_out bare
rv exec true
expect_code 2
err_has 'this is no YAML'
rv exec
expect_code 2
