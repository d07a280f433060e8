#!/usr/bin/env bash
# Without Slurm's programs 'up' names the package and the remedy, and starts nothing.
. "$(dirname "$0")/lib.sh"

mkdir "$work/bin"
for program in /usr/bin/* /usr/sbin/*; do
  case ${program##*/} in
    scontrol | sinfo | sacctmgr) ;;
    *) ln -sf "$program" "$work/bin/" ;;
  esac
done
# /usr/sbin is searched in any case; the three are in /usr/bin.
status=0
said=$(PATH=$work/bin "$sandbox" up --dir "$work/a" 2>&1) || status=$?
((status == 1)) || fail "exit status $status"
grep -q 'missing: scontrol (package slurm-client)' <<<"$said" || fail "it says: $said"
grep -q 'sandbox install' <<<"$said" || fail "it says: $said"
[[ ! -e $work/a ]] || fail "there is a folder"
