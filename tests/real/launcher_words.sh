#!/usr/bin/env bash
# rv finds the script behind its launcher, and runs everything in the folder from which it was called.
# shellcheck source=tests/real/lib.sh
source "$(dirname "$0")/lib.sh"

mkdir bin
cat >bin/torchrun <<'LAUNCHER'
#!/usr/bin/env bash
echo "$1"; shift
exec python3 "$@"
LAUNCHER
chmod +x bin/torchrun
echo 'import os, sys; print(os.path.basename(os.getcwd()), sys.argv[1:])' >train.py
PATH="$PWD/bin:$PATH" exits 0 rv run -f -g 4 --time 5m torchrun --nproc_per_node=4 train.py --lr 1 --mig
equal output "--nproc_per_node=4
project ['--lr', '1', '--mig']" "$out"
contains "hint about an option behind the command" "--mig" "$err"
equal "name" train "$(field train "['name']")"

# A script gets its interpreter; a missing one is reported before anything is submitted.
exits 0 rv run -f --time 5m train.py
exits 2 rv run -f --time 5m torchrun --nproc_per_node=4 tarin.py
contains "error" "tarin.py" "$err"

# A quoted shell line may precede rv's own options; the command that it starts is printed and stored with the run.
echo 'import sys; print("got", sys.argv[1:])' >typed.py
chmod +x typed.py
exits 0 rv run "typed.py --lr 1 && echo well" -f --time 5m --name typed
equal output "got ['--lr', '1']
well" "$out"
contains "note about the options" "rv: note: rv uses -f --time 5m --name typed after the shell command" "$err"
contains "what runs" "rv: runs python3 typed.py --lr 1 && echo well (typed.py has no #! line" "$err"
contains "what runs, later" "runs     python3 typed.py --lr 1 && echo well" "$(rv show typed)"
equal "what runs, as JSON" "['bash', '-c', 'python3 typed.py --lr 1 && echo well']" "$(field typed "['runs']")"
exits 0 rv run -f --time 5m --interpreter 'python3 -X utf8' typed.py x
equal "the user's interpreter" "got ['x']" "$out"
# Nothing is added behind --.
exits 127 rv run -f --time 5m -- typed.py

# Builtins of the job's shell such as exit do not end the job script.
exits 0 rv run -f --time 5m exec echo well
equal "exec" well "$out"
exits 3 rv run -f --time 5m exit 3

# Output paths come to the run's output folder.
exits 0 rv run -f --time 5m --name out -o results -o 'b c' bash -c 'mkdir results; echo 1 >results/x; echo 2 >"b c"'
folder=$(field out "['run_folder']")
equal results 1 "$(<"$folder/output/results/x")"
equal "b c" 2 "$(<"$folder/output/b c")"
