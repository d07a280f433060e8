#!/usr/bin/env bash
# rv cost shows the balance of an account as the site's command prints it; an unknown balance is not shown as zero.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
printf 'account: "my lab"\nbalance:\n  command: printf "%%s has 1,234.5 SU\\n" {account}\n  pattern: "^my lab has ([0-9.,]+) SU"\n' > "$RV_SITE"
exits 0 rv cost --json
says JSON 'd["balance"] == {"account": "my lab", "su": 1234.5, "trouble": ""}' "$work/out"
exits 0 rv cost
contains stdout 'Balance of my lab: 1234 SU' "$out"
# A plan on a saved cluster is one without what is known today.
runs rv plan --cluster "$cluster" -g 2 --json
says JSON '"balance" not in d' "$work/out"
printf 'balance: {command: "echo allocation server is away >&2; exit 1"}\n' > "$RV_SITE"
exits 0 rv cost --json
says JSON 'd["balance"]["su"] is None and "allocation server is away" in d["balance"]["trouble"]' "$work/out"
runs rv cost
contains stdout 'Balance: unknown (exit code 1: allocation server is away)' "$out"
printf 'balance: {command: "sleep 60; echo 5"}\n' > "$RV_SITE"
runs rv cost
contains stdout 'Balance: unknown (no answer within ten seconds)' "$out"
