#!/usr/bin/env bash
# templates/container_start.bash pulls an image into a private folder and removes it afterwards.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/rv-image-test-XXXXXX")
# shellcheck source=tests/assertions.sh
source "$root/tests/assertions.sh"
trap 'code=$(end_code "$?"); drop_work "$code"; exit "$code"' EXIT
goes_on=yes
cd "$work"
mkdir bin tmp
chmod 1777 tmp
# An engine that records where it should write. No registry and no image are involved.
cat >bin/apptainer <<S
#!/bin/bash
if [ "\$1" = pull ]; then
  echo image >"\$3"
  stat -c '%a %U' "\${3%/*}" >"$work/folder"
  echo "\$3" >"$work/file"
  exit "\$(cat "$work/pull_code")"
fi
for word in "\$@"; do [ ! -f "\$word" ] || [[ \$word != *.sif ]] || echo "with \$(<"\$word")"; done
exit 7
S
chmod +x bin/apptainer
start() { env TMPDIR="$work/tmp" PATH="$work/bin:$PATH" bash "$root/templates/container_start.bash" apptainer docker://image "" "" true; }
echo 0 >pull_code
exits 7 start
equal "the image" "with image" "$out"
equal "its folder" "700 $(id -un)" "$(<folder)"
equal "nothing is left" "" "$(ls tmp)"
first=$(<file)
exits 7 start
[ "$first" != "$(<file)" ] || fail "the same name twice: $first"
echo 1 >pull_code
exits 125 start
equal "nothing is left of a pull that fails" "" "$(ls tmp)"
