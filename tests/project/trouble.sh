#!/usr/bin/env bash
# Failures while an environment is built: two builds at once, a kill in the middle, a full disk, a removed interpreter.
# shellcheck source=tests/project/lib.sh
source "$(dirname "$0")/lib.sh"

wheel wheels inner 1.0
requirements inner >requirements.txt

# A tool that takes its time: a set-up line waits until the test lets it continue.
gate='until [ -e ../go ]; do sleep 0.05; done; date >>../builds'
cat >.rv.yaml <<YAML
environment:
  from: requirements.txt
  setup: ['$gate']
YAML
exits 0 "$RV" deps --trust-project
has_half() { [ -n "$(folders)" ]; }

# Killed while it builds: the partial environment is never used, and its programs end too.
"$RV" deps build >/dev/null 2>&1 &
first=$!
wait_for 60 has_half || fail "in vain: has_half"
half=$(folders)
kill -9 "$first"
wait "$first" || true
no_child() { ! pgrep -f "$half/env" >/dev/null; }
wait_for 60 no_child || fail "in vain: no_child"
equal "ready" False "$(deps "d['ready']")"

# Two at once: one builds it, the other waits, reports that, and uses the same.
"$RV" deps build >"$work/out1" 2>"$work/err1" &
one=$!
has_other_half() { [ "$(folders)" != "$half" ]; }
wait_for 60 has_other_half || fail "in vain: has_other_half"
"$RV" deps build >"$work/out2" 2>"$work/err2" &
two=$!
waits() { grep -q 'another rv is preparing this environment' "$work/err2"; }
wait_for 60 waits || fail "in vain: waits"
touch "$work/go"
wait "$one" || fail "the first: $(<"$work/err1")"
wait "$two" || fail "the second: $(<"$work/err2")"
equal "the same one" "$(<"$work/out1")" "$(<"$work/out2")"
equal "steps that were run" 3 "$(wc -l <"$work/builds")"
made=$(<"$work/out1")
equal "one folder is left" "${made%/env}" "$(folders)"
[ "${made%/env}" != "$half" ] || fail "a new one was made in the half of the killed one"
"$made/bin/python" -c 'import inner'

# A missing interpreter: the environment is made again.
ln -sfn /nowhere/python3 "$made/bin/python3"
ln -sfn /nowhere/python3 "$made/bin/python"
equal "ready" False "$(deps "d['ready']")"
exits 0 rv deps build
[ "$out" != "$made" ] || fail "an environment without interpreter was taken"
"$out/bin/python" -c 'import inner'

# A program that the project names, and that is not there.
printf 'environment: {from: requirements.txt, python: python3.99}\n' >.rv.yaml
exits 125 rv deps build
contains "which one" "python3.99 -m venv" "$err"
rm .rv.yaml

# An index that can't be reached is called that.
printf '%s\n' "--index-url http://127.0.0.1:$(free_port)/simple" inner >requirements.txt
exits 125 env PIP_RETRIES=1 "$RV" deps build
contains "the reason" "its package index can't be reached from this machine" "$err"
contains "the tool's own words" "No matching distribution found for inner" "$err"
contains "the way out" "the site's proxy or mirror is a set-up line or the tool's own setting" "$err"
requirements inner >requirements.txt

# Ctrl-C during the build ends the tool too, and the partial result is not used.
printf '%s\n' "environment: {from: requirements.txt, setup: ['touch ../begun; sleep 9$$']}" >.rv.yaml
exits 0 "$RV" deps --trust-project
before=$(folders)
python3 -c 'import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])' \
  "$RV" deps build >/dev/null 2>&1 &
build=$!
wait_for 60 test -e "$work/begun" || fail "in vain: it begins"
half=$(comm -13 <(echo "$before") <(folders))
kill -INT "$build"
code=0
wait "$build" || code=$?
equal "its exit code" 130 "$code"
none_at_it() { ! pgrep -fx "sleep 9$$" >/dev/null && ! pgrep -f "$half" >/dev/null; }
wait_for 20 none_at_it || fail "a tool goes on after Ctrl-C"
equal "ready" False "$(deps "d['ready']")"
rm .rv.yaml

# Too little space is reported before the build. A disk that fills up during it is reported, and nothing is left.
mkdir "$work/small"
mount -t tmpfs -o size=20m tmpfs "$work/small"
mend() { umount "$work/small"; }
printf 'scratch: %s/small\n' "$work" >"$RV_SITE"
exits 125 rv deps build
contains "before it begins" "MB free: too little for an environment" "$err"
mount -o remount,size=260m "$work/small"
wheel wheels big 1.0 --megabytes 400
requirements big >requirements.txt
exits 125 rv deps build
contains "the reason" "No space left on device" "$err"
contains "what was not done" "nothing was submitted" "$err"
equal "halves" "" "$(find "$work/small/environments" -mindepth 2 -maxdepth 2 -type d)"
