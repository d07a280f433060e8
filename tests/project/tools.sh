#!/usr/bin/env bash
# uv, micromamba, mamba, conda and pixi can't be installed where tests run. Stand-ins accept only documented options and make an
# environment in the right place; rv finds and uses each of them.
# shellcheck source=tests/project/lib.sh
source "$(dirname "$0")/lib.sh"
export TOOL_CALLS=$work/calls
tools=$work/tools
mkdir "$tools"
export PATH=$tools:$PATH

# made FILE… -- TOOL LINE…: with that tool alone, rv deps build of a project that has these files calls it so, E being the
# environment's folder; the environment is used.
made() {
  local files=()
  while [ "$1" != -- ]; do files+=("$1") && shift; done
  rm -rf "$tools" "$work/project" "$scratch" "$TOOL_CALLS"
  mkdir -p "$tools" "$work/project"
  cd "$work/project"
  for file in "${files[@]}"; do printf '%s' "${text[$file]}" >"$file"; done
  ln -s "$root/tests/project/stand_ins/package_tools.py" "$tools/$2"
  exits 0 rv deps build
  [ -x "$out/bin/python" ] || fail "$2: there is no Python in $out"
  local folder=${out%/env}
  folder=${folder%/pixi/*}
  equal "$2" "$(printf '%s\n' "${@:3}")" "$(sed "s|$folder|E|g; s|$PWD|P|g" "$TOOL_CALLS")"
  exits 0 rv deps list --json
  says "$2 is named" "any(one['tool'] == '$2' and one['project'] == '$PWD' for one in d['environments'])" "$work/out"
}
declare -A text=(
  [requirements.txt]=$'numpy\n'
  [pyproject.toml]=$'[project]\nname = "x"\nversion = "1"\ndependencies = ["numpy"]\n'
  [uv.lock]=$'version = 1\n' [pixi.lock]=$'version: 6\n' [pixi.toml]=$'[workspace]\n'
  [environment.yml]=$'dependencies: [numpy]\n'
)
made requirements.txt -- uv 'uv venv --python python3 E/env' 'uv pip install --python E/env/bin/python -r E/requirements.txt'
made pyproject.toml -- uv 'uv venv --python python3 E/env' 'uv pip install --python E/env/bin/python -r P/pyproject.toml'
made pyproject.toml uv.lock -- uv 'uv sync --locked --no-install-workspace --project P'
# The same lock again calls no tool; a changed one makes another environment, and the first is kept.
first=$(rv deps build)
exits 0 rv deps build
equal "the same lock" "$first" "$out"
equal "calls for the same lock" 1 "$(wc -l <"$TOOL_CALLS")"
printf 'version = 2\n' >uv.lock
exits 0 rv deps build
[ "$out" != "$first" ] || fail "a changed uv.lock has the environment of the old one"
equal "calls for a changed lock" 2 "$(wc -l <"$TOOL_CALLS")"
[ -x "$first/bin/python" ] || fail "the old lock's environment is gone"
made environment.yml -- micromamba 'micromamba create --yes --prefix E/env --file P/environment.yml'
made environment.yml -- mamba 'mamba env create --prefix E/env --file P/environment.yml'
made environment.yml -- conda 'conda env create --prefix E/env --file P/environment.yml'
made pixi.lock pixi.toml -- pixi 'pixi install --locked --manifest-path E/pixi/pixi.toml'

# Without pixi its environment can't be made, and that is reported.
rm -r "$tools" "$scratch"
exits 125 rv deps build
contains "without pixi" "pixi.lock needs pixi, which is not installed on this machine" "$err"
