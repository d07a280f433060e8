#!/usr/bin/env bash
# The version needs nothing: no environment, no home, no file.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
printf 'no: [yaml\n' > "$RV_SITE"
rv --version
expect_code 0
grep -qE '^rv [0-9]+\.[0-9]+\.[0-9]+$' "$scratch/out" || fail "not a version"
no_err
rv -V
expect_code 0
env -i "$RV" --version > "$scratch/out" 2> "$scratch/err" || fail "fails in an empty environment"
no_err
if command -v strace > /dev/null; then
  env -i strace -f -e trace=open,openat,openat2 -o "$scratch/opened" "$RV" --version > "$scratch/out"
  ! grep -q 'open' "$scratch/opened" || fail "opens a file: $(cat "$scratch/opened")"
fi
# The releases that it names are those of the page, in its order and with its words.
rv --version --json
expect_code 0
python3 - "$scratch/out" "$root/docs/slurm-releases.md" <<'EOF' || fail "docs/slurm-releases.md says otherwise"
import json, re, sys
said = [(one["release"], one["how"]) for one in json.load(open(sys.argv[1]))["slurm_releases"]]
page = re.findall(r"^\| (\d+\.\d+\.\d+) \| ([^|]+?) \|", open(sys.argv[2]).read(), re.M)
assert said == page, (said, page)
EOF
