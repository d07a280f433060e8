#!/usr/bin/env bash
# A project's own code runs on the login node only after the user has agreed, and without another prompt only while it is
# unchanged.
# shellcheck source=tests/project/lib.sh
source "$(dirname "$0")/lib.sh"

wheel wheels inner 1.0
requirements inner >requirements.txt
setup_line() { printf '%s\n' "environment: {from: requirements.txt, setup: ['touch $work/$1']}" >.rv.yaml; }
setup_line ran
exits 0 rv deps show
exits 2 rv deps build
contains "what would run" "setup: touch $work/ran" "$err"
contains "the way out" "--trust-project" "$err"
[ ! -e "$work/ran" ] || fail "it ran"
[ ! -e "$scratch/environments" ] || [ -z "$(folders)" ] || fail "an environment was made"


# On a terminal it is shown and asked about; nothing but y agrees.
answer() { python3 "$root/tests/on_terminal.py" '[{"until": "y or n"}, "'"$1"'\n"]' "$RV" deps build >"$work/typescript"; }
answer n && fail "no is taken for yes"
answer "" && fail "an empty answer is taken for yes"
contains "the question" "setup: touch $work/ran" "$(<"$work/typescript")"
[ ! -e "$work/ran" ] || fail "it ran"
answer y || fail "y is not taken: $(<"$work/typescript")"
[ -e "$work/ran" ] || fail "it did not run"
equal "the answer's mode" "600" "$(stat -c %a "$RV_HOME"/trusted/*)"
rm "$work/ran"
exits 0 rv deps rebuild
[ -e "$work/ran" ] || fail "the answer is not kept"

# Other lines are another project's, in the same folder too; a clone's are the same.
setup_line changed
exits 2 rv deps build
[ ! -e "$work/changed" ] || fail "changed lines ran"
exits 0 rv deps --trust-project
[ ! -e "$work/changed" ] || fail "agreeing runs nothing"
mkdir ../clone
cp -r . ../clone/
(cd ../clone && exits 0 rv deps build)
[ -e "$work/changed" ] || fail "a clone with the same lines was asked about"

# Every command that starts a run of the project asks, and takes the option; on a saved cluster nothing is submitted.
cluster=$root/tests/cli/data/small.cluster.json
for call in "run -g 1" "up -g 1 --run true" "jupyter -g 1" "sweep -g 1 --over n=1" "stress -g 1 --launch true"; do
  name=${call%% *}
  setup_line "ran-$name"
  command=()
  case $name in run) command=(-- true) ;; sweep) command=(-- true '{n}') ;; esac
  # shellcheck disable=SC2086 # the call is several words
  set -- $call --cluster "$cluster" --time 10m
  exits 2 rv "$@" "${command[@]}"
  contains "rv $name shows it" "setup: touch $work/ran-$name" "$err"
  contains "rv $name names the way out" "--trust-project" "$err"
  exits 2 rv "$@" --no-deps "${command[@]}"
  contains "rv $name goes without" "--cluster plans on a saved cluster, so nothing can be submitted" "$err"
  exits 2 rv "$@" --trust-project "${command[@]}"
  contains "rv $name is agreed to" "--cluster plans on a saved cluster, so nothing can be submitted" "$err"
  exits 2 rv "$@" "${command[@]}"
  contains "rv $name keeps the answer" "--cluster plans on a saved cluster, so nothing can be submitted" "$err"
done

# An interpreter of the project, and its setup.py.
printf '%s\n' 'environment: {from: requirements.txt, python: ./python}' >.rv.yaml
printf '#!/bin/sh\ntouch %s/python_ran\nexec python3 "$@"\n' "$work" >python
chmod +x python
exits 2 rv deps build
contains "its interpreter" "python: ./python" "$err"
rm .rv.yaml requirements.txt
echo "open('$work/setup_ran', 'w'); from setuptools import setup; setup(name='own')" >setup.py
exits 2 rv deps build
contains "its setup.py" "setup.py (SHA-256 $(sha256sum setup.py | cut -c1-64))" "$err"
for ran in python_ran setup_ran; do [ ! -e "$work/$ran" ] || fail "the project's code ran: $ran"; done
exits 125,0 rv deps build --trust-project

# Hostile files: not regular, endless, too large, deeply nested, including each other.
rm setup.py python
for file in .rv.yaml requirements.txt pyproject.toml uv.lock; do
  ln -s /dev/zero "$file"
  exits 2 timeout 20 "$RV" deps show
  contains "$file is a device" "$file: everyone can write to it" "$err"
  rm "$file"
  mkfifo "$file"
  exits 2 timeout 20 "$RV" deps show
  contains "$file is a pipe" "$file: it is not a regular file" "$err"
  rm "$file"
  truncate -s 5G "$file"
  exits 2 timeout 20 "$RV" deps show
  contains "$file is large" "$file: it is larger than" "$err"
  rm "$file"
done
for level in $(seq 30); do printf -- '-r r%d.txt\n-r r%d.txt\n' "$((level + 1))" "$((level + 1))" >"r$level.txt"; done
echo inner >r31.txt
cp r1.txt requirements.txt
exits 0,2 timeout 20 "$RV" deps show
python3 -c 'print("a: " + "[" * 200000)' >.rv.yaml
exits 2 timeout 20 "$RV" deps show
contains "deep YAML" ".rv.yaml" "$err"
