#!/usr/bin/env bash
# A message through the pipe between a batch script and its command's process arrives complete, however slowly: the one-second
# read in templates/gate/wait.inc.sh may time out between any two bytes.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/rv-pipe-XXXXXX")
# shellcheck source=tests/assertions.sh
source "$root/tests/assertions.sh"
trap 'code=$(end_code "$?"); drop_work "$code"; exit "$code"' EXIT
# shellcheck source=templates/gate/wait.inc.sh
source "$root/templates/gate/wait.inc.sh"

# received PART…: what the script has read when the parts came 1.3 s apart, the last with a newline.
received() {
  local part
  exec {rv_pipe}<> <(:)
  (
    for part in "${@:1:$#-1}"; do
      printf %s "$part" >&"$rv_pipe"
      sleep 1.3
    done
    printf '%s\n' "${!#}" >&"$rv_pipe"
  ) &
  rv_line=""
  until rv_read_pipe; do :; done
  wait $!
  exec {rv_pipe}>&-
  echo "$rv_line"
}
received ready " 4711" >"$work/before" &
received "ready " 4711 >"$work/behind" &
received rea dy " " 47 11 >"$work/often" &
received $'ready\t' " 4711 " >"$work/blanks" &
received "ready 4711" >"$work/at_once" &
wait
for name in before behind often at_once; do equal "$name" "ready 4711" "$(<"$work/$name")"; done
equal blanks $'ready\t 4711 ' "$(<"$work/blanks")"
