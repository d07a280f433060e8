#!/usr/bin/env bash
# rv exec keeps the streams apart and passes on exit code, folder and arguments.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
exits 7 rv exec sh -c 'echo out; echo err >&2; exit 7'
equal stdout out "$out"
equal stderr err "$err"
runs rv exec pwd
equal stdout "$(pwd -P)" "$out"
runs rv exec 'echo one && echo two'
equal stdout 'one
two' "$out"
exits 3 rv exec 'exit 3'
# shellcheck disable=SC2016  # the words must stay as they are
runs rv exec printf '%s|' a '' '$HOME' 'x y' -- --json -v
# shellcheck disable=SC2016
equal stdout 'a||$HOME|x y|--|--json|-v|' "$out"
runs rv exec -- printf '%s|' --
equal stdout '--|' "$out"
printf 'from stdin' | "$RV" exec cat > "$work/out" 2> "$work/err"
out=$(<"$work/out")
err=$(<"$work/err")
equal stdout 'from stdin' "$out"
# Bytes pass untouched, NUL too.
head -c 100000 /dev/urandom > "$work/bytes"
"$RV" exec cat < "$work/bytes" > "$work/copy"
cmp "$work/copy" "$work/bytes" || fail 'bytes are lost'
exits 127 rv exec no-such-program-at-all x
contains stderr 'rv: error: no-such-program-at-all: no such command' "$err"
printf 'x' > plain
exits 126 rv exec ./plain
exits 137 rv exec sh -c 'kill -KILL $$'
exits 143 rv exec sh -c 'kill -TERM $$'
printf '#!/bin/sh\necho spaced\n' > 'my tool.sh'
chmod +x 'my tool.sh'
runs rv exec './my tool.sh'
equal stdout spaced "$out"
# Needs no settings, but for where to run: on a guess nothing is run.
printf 'no: [yaml\n' > "$RV_SITE"
env -i "$RV" exec /bin/echo bare > "$work/out" || fail 'fails in an empty environment'
out=$(<"$work/out")
equal stdout bare "$out"
exits 2 rv exec true
contains stderr 'not valid YAML' "$err"
exits 2 rv exec
