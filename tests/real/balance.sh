#!/usr/bin/env bash
# The balance from the site's command is shown below the plan, with a warning about strategies that cost more.
# shellcheck source=tests/real/lib.sh
source "$(dirname "$0")/lib.sh"

cp "$root/examples/sites/rivanna.yaml" "$RV_SITE"
printf 'balance:\n  command: cat %s/left-{account}\n  pattern: "left: *([0-9.]+)"\n' "$work" >>"$RV_SITE"
account=$(sacctmgr -n -P show user root format=defaultaccount)
printf 'account %s\nleft: 30.5\n' "$account" >"$work/left-$account"

# Four V100 for half an hour cost 4.19, four A40 37.3.
exits 0 rv plan -g 4 -t v100,a40 --single-node --time 30m
contains "balance" "Balance of $account: 30.5 SU" "$out"
contains "warning" "Warning: less than the cost of strategy 2" "$out"
exits 0 rv up -g 4 -t v100,a40 --single-node --time 30m --dry-run --json
equal "in JSON" "$account 30.5 False True" "$(python3 -c '
import json, sys
plan = json.load(sys.stdin)
print(plan["balance"]["account"], plan["balance"]["su"], *[strategy["above_balance"] for strategy in plan["strategies"]])' <<<"$out")"

# Another account, without an entry: the balance is unknown, and there is no warning.
exits 0 rv plan -g 4 -t v100 --single-node --time 30m --account "$account" --json
contains "named" "\"account\": \"$account\"" "$out"
rm "$work/left-$account"
exits 0 rv plan -g 4 -t v100,a40 --single-node --time 30m
contains "unknown" "Balance of $account: unknown (exit code 1: " "$out"
[[ $out != *Warning* ]] || fail "a warning without a balance: $out"
