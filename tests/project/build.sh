#!/usr/bin/env bash
# rv deps with the real venv and pip: an environment is built once, reused without starting a process, and rebuilt when the
# project changed.
# shellcheck source=tests/project/lib.sh
source "$(dirname "$0")/lib.sh"
cluster=$root/tests/cli/data/small.cluster.json

# A project without dependencies: nothing is made or printed.
echo 'print(1)' >plain.py
exits 0 rv run -n --cluster "$cluster" python3 plain.py
equal "nothing is said" "" "$err"
exits 2 rv deps build
contains "why not" "no environment to build: this folder has no dependency file that rv can read" "$err"
[ ! -e "$scratch" ] || fail "something was made for a project that declares nothing"

wheel wheels inner 1.0
wheel wheels outer 1.0 --requires inner --program outer-tool
requirements outer >requirements.txt
exits 0 rv run -n --cluster "$cluster" python3 plain.py
contains "that it will be made" "building the environment of requirements.txt before anything is submitted" "$err"
[ ! -e "$scratch/environments" ] || fail "a dry run has made something"
equal "not ready" "False 1" "$(deps "d['ready'], d['prefix'].split('/')[-2]" | tr -d "(),'")"

exits 0 rv deps build
first=$out
contains "what is done" "preparing the environment of requirements.txt with pip" "$err"
contains "what is done" "the environment is ready after" "$err"
equal "the programs of a dependency" "outer 1.0 x" "$("$first/bin/outer-tool" x)"
equal "what it depends on" 1.0 "$("$first/bin/python" -c 'import inner; print(inner.version)')"
equal "what is in scratch" environments "$(cd "$scratch" && echo *)"
[ -z "$(ls -A "$HOME")" ] || fail "something was written to the home folder: $(ls -A "$HOME")"
[ ! -e "${first%/env}/tmp" ] || fail "temporary files are left"

# Unchanged: the same, without a process and in no time.
exits 0 strace -f -qq -e trace=execve,fork,vfork,clone,clone3 -o "$work/trace" "$RV" deps build
equal "the same again" "$first" "$out"
equal "processes" 1 "$(grep -cE 'execve|fork|clone' "$work/trace")"
exits 0 rv run -n --cluster "$cluster" outer-tool
contains "which one it is" "environment $first (requirements.txt)" "$err"
# Of processor time, because others use this machine as well.
TIMEFORMAT='%3U %3S'
times=$(for _ in 1 2 3 4 5; do { time "$RV" deps show --json >/dev/null; } 2>&1; done |
  awk '{ print ($1 + $2) * 1000 }' | sort -n | head -1)
[ "${times%.*}" -le "$(patience 20)" ] || fail "rv deps takes $times ms for an unchanged project"
exits 0 rv run -n --cluster "$cluster" --json outer-tool
says "the script has it" "'prefix=$first ' in d['strategies'][0]['script'] and d['environment']['ready']" "$work/out"
exits 0 rv run -n --cluster "$cluster" --no-deps --json outer-tool
says "not with --no-deps" "d['environment'] is None and 'rv_activate' not in d['strategies'][0]['script']" "$work/out"

# From a folder below, and for a script of another folder of the project.
touch .rvignore
mkdir -p sub/deep
equal "from below" "$first" "$(cd sub/deep && rv deps build)"

# A file that changes is another environment; the first one stays for who still has it.
wheel wheels inner 2.0
requirements outer 'inner==2.0' >requirements.txt
exits 0 rv deps build
second=$out
[ "$first" != "$second" ] || fail "changed files gave the same environment"
equal "the new version" 2.0 "$("$second/bin/python" -c 'import inner; print(inner.version)')"
[ -x "$first/bin/python" ] || fail "the first environment is gone"

# A tool that fails: its last lines, what to do, nothing half left, and what was there still there.
requirements outer 'missing==9' >requirements.txt
exits 125 rv deps build
contains "the tool's own words" "No matching distribution found for missing==9" "$err"
contains "the way out" "--no-deps uses no environment" "$err"
equal "not ready" False "$(deps "d['ready']")"
equal "folders" "$(printf '%s\n' "${first%/env}" "${second%/env}" | sort)" "$(folders)"

# A new one in its place: jobs that have the old one keep it.
requirements outer >requirements.txt
exits 0 rv deps rebuild
[ "$out" != "$first" ] || fail "rv deps rebuild has made nothing"
[ -x "$first/bin/python" ] || fail "rv deps rebuild has removed what a job may use"
equal "the new one is taken" "$out" "$(rv deps build)"
exits 0 rv deps list --json
says "both are listed" "sorted(e['state'] for e in d['environments']) == ['current', 'current', 'replaced']" "$work/out"
name=$(deps "d['name']")
exits 0 rv deps rm
exits 2 rv deps rm "$name"
contains "its own word" "unknown environment \"$name\"" "$err"

# A package: what it declares is installed, itself is imported from the project's files.
rm requirements.txt
mkdir -p src/own
echo 'where = __file__' >src/own/__init__.py
printf '[build-system]\nrequires = []\n[project]\nname = "own"\nversion = "1"\ndependencies = ["inner<2"]\n' >pyproject.toml
exits 0 env PIP_NO_INDEX=1 PIP_FIND_LINKS="$PWD/wheels" "$RV" deps build
equal "what it declares" 1.0 "$("$out/bin/python" -c 'import inner; print(inner.version)')"
equal "its own modules" "['$PWD/src']" "$(deps "d['imports']")"

# setuptools reports the requirements of a setup.py; nothing is written into the project.
rm -r pyproject.toml src
mkdir own
touch own/__init__.py
echo 'from setuptools import setup; setup(name="own", packages=["own"], install_requires=["inner>=2"])' >setup.py
exits 0 rv deps --trust-project
before=$(find . | sort)
exits 0 env PIP_NO_INDEX=1 PIP_FIND_LINKS="$PWD/wheels" "$RV" deps build
equal "what setup.py needs" 2.0 "$("$out/bin/python" -c 'import inner; print(inner.version)')"
equal "the project's files" "$before" "$(find . | sort)"

# The user's own environment is taken as it is, and never made or changed.
python3 -m venv --without-pip .venv
exits 0 rv run -n --cluster "$cluster" python3 plain.py
contains "the user's own" "environment $PWD/.venv (.venv)" "$err"
exits 2 rv deps build
rm -r .venv setup.py own

# A Python without ensurepip (Debian's, where python3-venv is not installed) gives its own pip; one without both is an error.
requirements outer >requirements.txt
python3 -m venv "$work/bare"
echo "import sys; sys.modules['ensurepip'] = None" >"$(echo "$work"/bare/lib/python3*/site-packages)/bare.pth"
printf 'environment: {from: requirements.txt, python: %s/bare/bin/python3}\n' "$work" >.rv.yaml
exits 0 rv deps build --trust-project
"$out/bin/python" -c 'import inner'
rm -r "$work"/bare/lib/python3*/site-packages/pip
exits 0 rv deps rm
exits 125 rv deps build
contains "what there is to do" "has neither ensurepip nor pip: install python3-venv or uv" "$err"
