#!/usr/bin/env bash
# pip installs the package without a network; the same sources give the same wheel.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
: "${RV:?the rv binary}"
work=$(mktemp -d "${TMPDIR:-/tmp}/rv-python-XXXXXX")
trap 'code=$(end_code "$?"); drop_work "$code"; exit "$code"' EXIT
goes_on=yes
# shellcheck source=tests/clean_environment.sh
source "$root/tests/clean_environment.sh"
clean_environment
# shellcheck source=tests/assertions.sh
source "$root/tests/assertions.sh"
# pip writes beside the sources that it builds.
cp -r "$root/python" "$work/python"

python3 -m venv "$work/venv"
exits 0 "$work/venv/bin/pip" install --no-index "$work/python"
cd "$work"
exits 0 "$work/venv/bin/python" -c 'import os, rv; print(rv.__version__, os.path.dirname(rv.__file__))'
equal "the package that is imported" "$(sed -n 's/^__version__ = "\(.*\)"/\1/p' "$root/python/rv/__init__.py") $(echo "$work"/venv/lib/python3*/site-packages/rv)" "$out"
[ -e "$(echo "$work"/venv/lib/python3*/site-packages/rv/py.typed)" ] || fail "no py.typed: type checkers would not read the types"
exits 0 "$work/venv/bin/python" -m compileall -q "$work"/venv/lib/python3*/site-packages/rv
exits 0 "$work/venv/bin/python" -c 'import rv; print(rv.plan(gpu=1, cluster="'"$root"'/tests/cli/data/small.cluster.json").best.gpus)'
equal "a plan" 1 "$out"
exits 0 "$work/venv/bin/pip" uninstall -y rv-slurm
exits 1 "$work/venv/bin/python" -c 'import rv'

# The version of the package is rv's.
contains "rv's version" "$(sed -n 's/^__version__ = "\(.*\)"/\1/p' "$root/python/rv/__init__.py")" "$("$RV" --version)"
mkdir first second
python3 python/packaging/backend.py first >/dev/null
touch python/rv/*.py
python3 python/packaging/backend.py second >/dev/null
equal "made again" "$(cd first && sha256sum ./*)" "$(cd second && sha256sum ./*)"

# An editable installation reads the sources.
exits 0 "$work/venv/bin/pip" install --no-index -e "$work/python"
exits 0 "$work/venv/bin/python" -c 'import rv; print(rv.__file__)'
equal "an editable installation" "$work/python/rv/__init__.py" "$out"
