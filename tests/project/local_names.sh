#!/usr/bin/env bash
# Packages that are folders of the project are never installed from an index, even if the index offers the same names with
# another version.
# shellcheck source=tests/project/lib.sh
source "$(dirname "$0")/lib.sh"
export PIP_NO_INDEX=1 PIP_FIND_LINKS=$work/project/wheels
wheel wheels inner 1.0
for name in app lib-b; do wheel wheels "$name" 9.0; done

# package FOLDER NAME [DEPENDENCY]
package() {
  mkdir -p "$1"
  printf '[project]\nname = "%s"\nversion = "1"\ndependencies = [%s]\n[project.optional-dependencies]\nall = ["%s[some]"]\nsome = ["inner"]\n' \
    "$2" "${3:+\"$3\",}" "$2" >"$1/pyproject.toml"
  printf '[build-system]\nrequires = ["setuptools"]\n' >>"$1/pyproject.toml"
  echo 'version = "own"' >"$1/${2//-/_}.py"
}
package app app Lib_B
package lib lib-b
# none FOLDER: its environment has inner, and nothing of the names of the project's own packages.
none() {
  exits 0 rv deps build
  "$out/bin/python" -I -c "import inner"
  for name in app lib_b; do
    ! "$out/bin/python" -I -c "import $name" 2>/dev/null || fail "$name has come from the index"
  done
}
printf -- '-e ./app[all]\n./lib\n' >requirements.txt
none
equal "their own code" "['$PWD/app', '$PWD/lib']" "$(deps "d['imports']")"

# A member of a uv workspace, without uv.
rm requirements.txt
touch .rvignore
printf '[tool.uv.workspace]\nmembers = ["app", "lib"]\n' >pyproject.toml
cat >uv.lock <<'END'
version = 1

[[package]]
name = "app"
source = { editable = "app" }
dependencies = [
    { name = "lib-b" },
]

[[package]]
name = "lib-b"
source = { editable = "lib" }
END
printf 'environment: {extras: [all]}\n' >app/.rv.yaml
cd app
none
contains "what is left aside" "uv was not found" "$err"
equal "of the root" "$work/project: uv.lock pyproject.toml" "$(deps "d['project'] + ': ' + ' '.join(d['from'])")"
equal "the member's own code and what it needs" "['$work/project/app', '$work/project/lib']" "$(deps "d['imports']")"
rm .rv.yaml

# An index of the project's own is not mixed with pip's.
printf '[tool.uv.sources]\ninner = { index = "lab" }\n[[tool.uv.index]]\nname = "lab"\nurl = "https://lab.example/simple"\n' >>pyproject.toml
sed -i 's/"Lib_B",/"Lib_B", "inner",/' pyproject.toml
exits 125 rv deps build
contains "why not" "inner comes from the index lab, which pip would mix with its own: install uv" "$err"

# Groups, a Pipfile and a script's own block.
cd "$work"
mkdir other
cd other
printf '[dependency-groups]\ntrain = [{include-group = "base"}]\nbase = ["inner"]\n' >pyproject.toml
exits 2 rv deps build
contains "named" "rv can't install the dependency groups train, base of pyproject.toml" "$err"
exits 0 rv deps
contains "named, with the way out" "groups: [train]" "$out"
lacks "that none is needed" "none is needed" "$out"
printf 'environment: {groups: [train]}\n' >.rv.yaml
exits 0 rv deps build
"$out/bin/python" -c 'import inner'
rm .rv.yaml pyproject.toml
printf '[packages]\ninner = "==1.0"\n' >Pipfile
exits 0 rv deps build
"$out/bin/python" -c 'import inner'
printf '# /// script\n# dependencies = ["inner"]\n# ///\nimport inner\n' >ask.py
exits 0 rv deps build --script ask.py
[ "$("$out/bin/python" ask.py; echo $?)" = 0 ] || fail "the script's own environment lacks what its block names"
exits 0 rv run -n --cluster "$root/tests/cli/data/small.cluster.json" ask.py
contains "the script's own" "($(basename ask.py))" "$err"

# Other build backends report their requirements in metadata: Poetry, Hatch, here one of the project's own.
mkdir -p "$work/backend/own"
cd "$work/backend"
cat >own/backend.py <<'END'
import os
def prepare_metadata_for_build_wheel(folder, config_settings=None):
    os.mkdir(f"{folder}/thing-1.dist-info")
    with open(f"{folder}/thing-1.dist-info/METADATA", "w") as file:
        file.write("Metadata-Version: 2.1\nName: thing\nVersion: 1\nRequires-Dist: nowhere ; extra == 'gpu'\n"
                   "Requires-Dist: inner (>=1) ; python_version > '3' and extra == 'all'\nProvides-Extra: gpu\nProvides-Extra: all\n")
    return "thing-1.dist-info"
def build_wheel(folder, config_settings=None, metadata_directory=None):
    raise RuntimeError("nothing is built")
END
cat >pyproject.toml <<'END'
[build-system]
requires = []
build-backend = "own.backend"
backend-path = ["."]
[project]
name = "thing"
version = "1"
dynamic = ["dependencies", "optional-dependencies"]
END
printf 'environment: {extras: [all]}\n' >.rv.yaml
exits 0 rv deps build --trust-project
"$out/bin/python" -c 'import inner'
contains "that code decides" "pyproject.toml computes its dependencies" "$err"
