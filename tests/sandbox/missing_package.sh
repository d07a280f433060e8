#!/usr/bin/env bash
# If Slurm's programs are missing, 'up' names the package and how to install it, and starts nothing.
. "$(dirname "$0")/lib.sh"

mkdir "$work/bin"
for program in /usr/bin/* /usr/sbin/*; do
  case ${program##*/} in
    scontrol | sinfo | sacctmgr) ;;
    *) ln -sf "$program" "$work/bin/" ;;
  esac
done
# /usr/sbin is searched in any case; the three are in /usr/bin.
PATH=$work/bin exits 1 "$sandbox" up --dir "$work/a"
contains "what is missing" 'missing: scontrol (package slurm-client)' "$out$err"
contains "the remedy" 'sandbox install' "$out$err"
[[ ! -e $work/a ]] || fail "there is a folder"
