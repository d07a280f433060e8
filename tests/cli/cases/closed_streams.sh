#!/usr/bin/env bash
# A message that can't be written does not end a command: stderr on a full disk, or closed. A file that rv opens never takes the
# place of a closed stream.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"

# code_is CODE COMMAND…
code_is() {
  local code=0
  "${@:2}" || code=$?
  equal "exit code of ${*:2}" "$1" "$code"
}
to_full() { "$RV" "$@" 2>/dev/full >/dev/null; }
closed() { "$RV" "$@" 2>&- >/dev/null; }
for stderr in to_full closed; do
  code_is 2 "$stderr" plan -g none --cluster "$cluster"
  code_is 2 "$stderr" plan --cluster "$work/none" --json
  code_is 2 "$stderr" nosuch
  code_is 122 "$stderr" show nosuch
  code_is 2 "$stderr"
  code_is 0 "$stderr" plan --cluster "$cluster" -v
done

# All three are closed: what rv opens first does not become one of them.
code_is 2 "$RV" plan --cluster "$work/none" <&- >&- 2>&-
cp "$cluster" "$work/cluster.json"
chmod 600 "$work/cluster.json"
code_is 0 "$RV" plan --cluster "$work/cluster.json" -v <&- >&- 2>&-
cmp "$cluster" "$work/cluster.json"
strace -f -o "$work/calls" -e trace=openat,open,write "$RV" show nosuch <&- >&- 2>&- || true
! grep -qE 'open(at)?\(.*\) = [0-2]$' <(grep -v /dev/null "$work/calls") || fail "a file in a stream's place: $(cat "$work/calls")"
