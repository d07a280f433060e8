#!/usr/bin/env bash
# rv-health --before reports a GPU that has disappeared as a finding; a file that is not a report is an error.
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

exits 77 worker --report-dir reports
# A report without readings is not an earlier report; a file that is not there is wrong usage.
exits 3 worker --before reports/*.jsonl
has_line stderr 'does not contain a report of rv-health' "$err"
exits 2 worker --before missing
# A GPU that was there before and is gone is a finding.
echo '{"kind":"environment","readings":[{"uuid":"GPU-gone","model":"H200","numbers":{"pcie_replays":1}}]}' >before
exits 1 worker --before before
has_line stdout 'GPU-gone gpu: fail, this GPU is missing' "$out"
