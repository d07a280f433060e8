# Sourced by the tests of the sandbox. Each test gets a private folder, and all sandboxes in it are ended when the test ends.
# shellcheck shell=bash
set -euo pipefail

sandbox=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../examples/sandbox/sandbox
work=$(mktemp -d "${TMPDIR:-/tmp}/rv-sandbox-test.XXXXXX")

clean_up() {
  local code=$? folder attempt
  code=$(end_code "$code")
  for folder in "$work"/*/; do
    # Refused while an 'up' of this test is still at work on it.
    for attempt in {1..60}; do
      if [[ ! -d $folder ]] || "$sandbox" down --dir "${folder%/}" >"$work/clean-up.$attempt" 2>&1; then break; fi
      sleep 0.5
    done
  done
  drop_work "$code"
  exit "$code"
}
trap clean_up EXIT
goes_on=yes
trap 'exit 1' INT

# shellcheck source=tests/assertions.sh
source "$(dirname "${BASH_SOURCE[0]}")/../assertions.sh"

up() { "$sandbox" up --dir "$work/$1" "${@:2}" >"$work/$1.up" 2>&1 || fail "up: $(cat "$work/$1.up")"; }
on() { "$sandbox" run --dir "$work/$1" -- "${@:2}"; }

# eventually WANTED COMMAND…: it says exactly that within 20 s.
eventually() {
  wait_for 20 prints "$@" || equal "${*:2}, after 20 s" "$1" "$("${@:2}" 2>&1)"
}
prints() { [ "$("${@:2}" 2>&1)" = "$1" ]; }

# alive PID: running, and not merely waiting to be reaped.
alive() {
  local stat
  { read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 1
  [[ ${stat##*) } != [ZX]* ]]
}

# Processes whose command line or environment has the word in it: pid and command line.
mentioning() {
  local process
  for process in /proc/[0-9]*; do
    if alive "${process#/proc/}" && cat "$process/cmdline" "$process/environ" 2>/dev/null | grep -qaF "$1"; then
      echo "${process#/proc/} $(tr '\0' ' ' <"$process/cmdline")"
    fi
  done
}
