#!/usr/bin/env bash
# An agent plans, runs and stops through rv mcp, within the budget that its user set.
# shellcheck source=tests/real/lib.sh
source "$(dirname "$0")/lib.sh"

exits 0 rv run -g 1 --time 5m -t a40 --name mine 'sleep 300'
mine=$(field mine "['id']")
runs on_terminal "$RV" mcp allow 0.5
contains "allow" "0.5 GPU hours" "$out"
exits 0 python3 "$root/tests/real/mcp_agent.py" "$RV" "$mine"
contains "the user's run" running "$(field mine "['state']")"
exits 0 rv mcp budget
matches "budget" '^0.5 GPU hours allowed, 0.48 GPU hours reserved, 0.02 GPU hours left$' "$out"
