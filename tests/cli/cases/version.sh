#!/usr/bin/env bash
# rv --version works without environment variables, a home folder or any file.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
printf 'no: [yaml\n' > "$RV_SITE"
exits 0 rv --version
grep -qE '^rv [0-9]+\.[0-9]+\.[0-9]+$' "$work/out" || fail "not a version"
equal stderr "" "$err"
exits 0 rv -V
env -i "$RV" --version > "$work/out" 2> "$work/err" || fail "fails in an empty environment"
err=$(<"$work/err")
equal stderr "" "$err"
if command -v strace > /dev/null; then
  env -i strace -f -e trace=open,openat,openat2 -o "$work/opened" "$RV" --version > "$work/out"
  ! grep -q 'open' "$work/opened" || fail "opens a file: $(cat "$work/opened")"
fi
# The releases that it names are those of the page, in its order and with its words.
exits 0 rv --version --json
python3 - "$work/out" "$root/docs/slurm-releases.md" <<'EOF' || fail "docs/slurm-releases.md says otherwise"
import json, re, sys
said = [(one["release"], one["how"]) for one in json.load(open(sys.argv[1]))["slurm_releases"]]
page = re.findall(r"^\| (\d+\.\d+\.\d+) \| ([^|]+?) \|", open(sys.argv[2]).read(), re.M)
assert said == page, (said, page)
EOF

# The terms of all that is linked in, with either spelling, and nothing else.
for option in --licences --licenses; do
  exits 0 rv --version $option
  for library in libcli11-dev libfmt-dev libspdlog-dev libyaml-cpp-dev nlohmann-json3-dev libgloo-dev libjs-dygraphs; do
    has_line "$option" "^==> $library <==$" "$out"
  done
  contains "$option" "Permission is hereby granted" "$out"
  lacks "$option" "rv 0." "$out"
done
