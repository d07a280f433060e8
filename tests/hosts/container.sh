#!/usr/bin/env bash
# --hosts with --container, run by Podman on the hosts: an acceptance, a stress test and a sweep run inside a minimal image, a
# missing image is named, and Ctrl-C leaves no container.
# shellcheck source=tests/hosts/lib.sh disable=SC2016 # what expands inside is in single quotes
source "$(dirname "$0")/lib.sh"
# shellcheck source=tests/podman.sh
source "$(dirname "$0")/../podman.sh"
make_podman
build_image localhost/rv
make_hosts 0
make_host h1 10.77.0.11 "PATH=$PWD/bin:$PATH"
make_host h2 10.77.0.12 "PATH=$PWD/bin:$PATH"
echo 'container: podman' >>"$RV_SITE"
no_containers() { [ -z "$(bin/podman ps -aq)" ]; }
# Neither processes nor files of rv's, nor a container.
nothing_left() {
  left_clean h1 h2
  wait_for 15 no_containers || fail "containers are left: $(bin/podman ps -a)"
}

exits 0 "$RV" accept --hosts h1,h2 --slots 1 --device cpu --suite ddp --container localhost/rv
contains "the verdict" "pass:" "$out"
nothing_left

exits 0 "$RV" stress --hosts h1,h2 --device cpu --duration 1s --reference 0 --workers 2 --container localhost/rv
contains "all hosts' workers" "4 of 4" "$out"
nothing_left

exits 0 "$RV" sweep --hosts h1,h2 --over n=1 --device cpu --cooldown 0 --report-dir points --container localhost/rv -- sh -c 'ls /; echo "n {n}"'
for host in h1 h2; do contains "the point of $host is inside" rv-image "$(<"points/$host/n_1/training.log")"; done
nothing_left

rm -r "$RV_HOME"/{accept,stress}
for words in 'accept --suite ddp --slots 1' 'stress --duration 1s'; do
  # shellcheck disable=SC2086 # several arguments
  exits 125 "$RV" $words --hosts h1,h2 --device cpu --container localhost/none
  contains "which image" "rv: error: --container localhost/none: podman neither has it nor can pull it" "$err"
  contains "the way out" $'\nhint: its words are above' "$err"
  nothing_left
  # shellcheck disable=SC2086 # several arguments
  exits 125 "$RV" $words --hosts h1,h2 --device cpu --container localhost/none --json
  tail -n 1 "$work/err" >"$work/error"
  says "the error as JSON" 'd["error"]["exit_code"] == 125 and d["error"]["message"].startswith("--container localhost/none: podman neither")' "$work/error"
  # shellcheck disable=SC2086 # several arguments
  exits 2 "$RV" $words --hosts h1,h2 --device cpu --container ./none.sif
  contains "which file" 'rv: error: --container "./none.sif": expected an existing file' "$err"
done
exits 125 "$RV" sweep --hosts h1,h2 --over n=1,2 --device cpu --cooldown 0 --report-dir none --container localhost/none -- true '{n}'
contains "which image" "rv: error: --container localhost/none: podman neither has it nor can pull it" "$err"
lacks "a table of nothing" "n=1" "$out"
nothing_left
# The same without hosts.
for words in 'accept --suite ddp' 'stress --duration 1s'; do
  # shellcheck disable=SC2086 # several arguments
  exits 125 env "PATH=$PWD/bin:$PATH" "$RV" $words --local --device cpu --container localhost/none
  contains "which image" "rv: error: --container localhost/none: podman neither has it nor can pull it" "$err"
  # shellcheck disable=SC2086 # several arguments
  exits 125 env "PATH=$PWD/bin:$PATH" "$RV" $words --local --device cpu --container localhost/none --json
  tail -n 1 "$work/err" >"$work/error"
  says "the error as JSON" 'd["error"]["exit_code"] == 125 and d["error"]["message"].startswith("--container localhost/none: podman neither")' "$work/error"
done
[ -z "$(find "$RV_HOME" -type f)" ] || fail "files are left: $(find "$RV_HOME" -type f)"

in_background "$RV" stress --hosts h1,h2 --device cpu --duration 10m --reference 0 --workers 2 --container localhost/rv
rv=$!
two_run() { [ "$(bin/podman ps -q | wc -l)" -eq 2 ] && [ "$(pgrep -cx rv-stress)" -ge 6 ]; }
wait_for 60 two_run || fail "the containers do not begin: $(<"$work/err")"
kill -INT "$rv"
code=0
wait_for 30 ended "$rv" || fail "rv goes on"
{ wait "$rv"; } 2>/dev/null || code=$?
equal "the exit code" 130 "$code"
nothing_left
