#!/usr/bin/env bash
# Invalid arguments end with exit code 2 and a hint, help with 0, and a query without a sandbox with 1.
. "$(dirname "$0")/lib.sh"

exits 0 "$sandbox" --help
exits 2 "$sandbox"
exits 2 "$sandbox" upp
contains "a wrong word" "unknown command 'upp'" "$out$err"
exits 2 "$sandbox" up --sped 3
exits 2 "$sandbox" up --speed 0
exits 2 "$sandbox" up --shape nowhere
exits 2 "$sandbox" down --shape tiny
exits 2 "$sandbox" run --dir "$work/a" --
exits 1 "$sandbox" run --dir "$work/a" -- true
exits 1 "$sandbox" status --dir "$work/a"
exits 0 "$sandbox" down --dir "$work/a"
