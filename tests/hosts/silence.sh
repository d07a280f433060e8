#!/usr/bin/env bash
# Hosts that fall silent while their connection stays open are named within seconds, the others end, and no process or file is
# left.
# shellcheck source=tests/hosts/lib.sh
source "$(dirname "$0")/lib.sh"
make_hosts 3

# A host that hangs: all its processes stall.
begin rv-compute "${long[@]}"
for pid in $(processes_of h2); do kill -STOP "$pid"; done
ends 3 30
contains "who it was" "error  h2: it sent nothing for 10 s" "$out"

# The network to one host is gone: no end of a connection is seen anywhere, and still its side ends.
begin rv-compute "${long[@]}"
ip link set vh2 down
ends 3 40
contains "who it was" "error  h2: " "$out"
contains "what rv could not see to" "h2: can't be reached to end its processes" "$err"
