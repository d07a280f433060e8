#!/usr/bin/env bash
# rv mcp answers messages of the Model Context Protocol, also invalid ones, and only a user on a terminal sets its budget.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"

exits 2 rv mcp allow 8
equal stderr 'rv: error: rv mcp allow: stdin is not a terminal
hint: only you can set the budget: type the command in a terminal' "$err"
exits 0 rv mcp budget
equal stdout '0 GPU hours allowed, 0 GPU hours reserved, 0 GPU hours left' "$out"
runs on_terminal "$RV" mcp allow 2.5
contains stdout 'agents may use 2.5 GPU hours from now on' "$out"
exits 0 rv mcp budget --json
says JSON 'd == {"allowed_gpu_hours": 2.5, "reserved_gpu_hours": 0, "left_gpu_hours": 2.5, "runs": []}' "$work/out"
runs on_terminal "$RV" mcp allow 0
contains stdout "agents can't start runs any more" "$out"
for hours in -1 x nan inf 1e9 ''; do
  exits 2 rv mcp allow -- "$hours"
  contains "hours \"$hours\"" 'GPU hours' "$err"
done
exits 2 rv mcp alow 8
contains stderr 'the actions are serve, allow and budget' "$err"
exits 2 rv mcp budget 8
contains stderr 'rv mcp budget does not accept "8"' "$err"
runs on_terminal "$RV" mcp
contains stdout 'rv mcp reads messages of an agent from stdin, which is a terminal' "$out"

# A closed stdin and an empty one end the server.
exits 0 rv mcp
equal stdout '' "$out"
without_stdin() { "$RV" mcp <&-; }
exits 0 without_stdin

ON_TERMINAL=$assertions/on_terminal.py exits 0 python3 "$here/cases/mcp_messages.py" "$RV"
