#!/usr/bin/env bash
# rv init on the login node tests the answers before it writes them, writes only settings that differ, and never prompts without
# a terminal.
# shellcheck source=tests/real/lib.sh
source "$(dirname "$0")/lib.sh"

config=$RV_HOME/config.yaml
exits 2 rv init --account nolab
contains "an account that is not there" 'you have no account "nolab" on afton' "$err"
contains "those that are" "yours: lab" "$err"
mkdir "$work/locked"
: >"$work/locked/file"
exits 2 rv init --account lab --scratch "$work/locked/file/below"
contains "a folder that can't be" "below can't be used" "$err"
exits 2 rv init --scratch relative
exits 2 rv init --user ann
[ ! -e "$config" ] || fail "settings were written before they had been tried"

exits 0 rv init --account lab --scratch "$work/caches"
contains Slurm "on afton, " "$out"
contains scratch "caches, can be written" "$out"
equal settings "account: lab
scratch: $work/caches" "$(<"$config")"
equal mode 600 "$(stat -c %a "$config")"
exits 0 rv up --dry-run -g 1 -t a40 --time 10m

# A person's file: the rest of it stays, and so does a line whose value is the same.
printf '# mine\naccount:   lab # since May\nfanout: 2\n' >"$config"
exits 0 rv init --account lab
contains "said so" "as before" "$out"
equal "the same value" "# mine
account:   lab # since May
fanout: 2" "$(<"$config")"
exits 0 rv init --account other --json
equal "another value" "# mine
account: other
fanout: 2" "$(<"$config")"
equal json "['account'] other" "$(python3 -c 'import json,sys; d=json.load(sys.stdin); print(d["changed"], d["account"])' <<<"$out")"
echo 'acount: lab' >>"$config"
exits 2 rv init --account lab
contains "an unknown key" 'config.yaml:4: unknown key "acount"; did you mean "account"?' "$err"
rm "$config"

# On a terminal it asks for the machine, the account and the folder.
{ sleep 1; echo; sleep 2; echo lab; sleep 1; echo "$work/asked"; sleep 1; } |
  script -qec "$RV init" /dev/null >typescript
contains "the question" "Account to charge" "$(<typescript)"
equal "what was typed" "account: lab
scratch: $work/asked" "$(<"$config")"
