#!/usr/bin/env bash
# rv-io on a file system with a real delay measures how late another node sees files; a delay beyond rv's waiting time is a
# finding. Runs as root, for mounts.
# shellcheck disable=SC2016 # what expands in the inner shell is in single quotes
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

mkdir home

# Another node's view of home, which remembers for two seconds what was there and what was not. It joins from its own mount.
export RV_RENDEZVOUS_TOKEN=0123456789abcdef0123456789abcdef WORLD_SIZE=2 MASTER_ADDR=127.0.0.1
MASTER_PORT=$(free_port)
export MASTER_PORT
# lag PATIENCE CODE: what rank 0 ends with.
lag() {
  local words=("$RV" --json --suite visibility --rounds 1 --folder "home=$work/home" --patience "$1" --deadline 60)
  RANK=1 beside unshare --mount --propagation private bash -c '
    bindfs -o negative_timeout=2,entry_timeout=2,attr_timeout=2 home home || exit 99
    "$@"
    code=$?
    umount -l home
    exit "$code"' late "${words[@]}"
  RANK=0 exits "$2" "${words[@]}"
  wait "$other" || true
}
lag 75 0
all_say report '[m["value"] for m in d if m.get("name") == "home seen by name"][0] > 1500' out
all_say report '[m["value"] for m in d if m.get("name") == "home seen appended"][0] > 1000' out
all_say report 'max(m["value"] for m in d if m.get("suite") == "visibility") < 20000' out
all_say report '[int(m["params"]["setting"].split()[1][:-1]) for m in d if m.get("name") == "home seen listed"][0] >= 7' out
# Later than rv would wait: a finding.
lag 1 1
all_say report 'any(m.get("verdict") == "fail" and "and rv waits 1 s" in m["reason"] for m in d)' out
nothing_left home
