#!/usr/bin/env bash
# Pages of 1, 4 and 512 GPUs in a browser at three widths: they load quickly, are readable and interactive, and print and switch
# to dark mode.
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/accept/lib.sh
source "$here/../accept/lib.sh"

python3 "$here/reports.py" one 1 1
python3 "$here/reports.py" four 1 4 --slow gpu01:2
python3 "$here/reports.py" many 64 8 --slow gpu07:3 --slow gpu23:0 --late gpu40
exits 77 "$RV" accept --judge one
exits 1 "$RV" accept --judge four
exits 1 "$RV" accept --judge many
python3 "$here/looks.py" one/accept.html four/accept.html many/accept.html
