#!/usr/bin/env bash
# rv run -f streams both outputs, ends with the command's exit code, and leaves nothing behind.
# shellcheck source=tests/real/lib.sh disable=SC2016 # what expands in the job is in single quotes
source "$(dirname "$0")/lib.sh"

exits 0 rv run -f --time 5m bash -c 'echo to stdout; echo to stderr >&2'
equal stdout "to stdout" "$out"
contains stderr "to stderr" "$err"

exits 7 rv run -f --time 5m bash -c 'exit 7'
exits 127 rv run -f --time 5m no-such-program-here

# Several arguments are passed unchanged; a single argument is a shell line.
exits 0 rv run -f --time 5m printf '<%s>' '' 'a b' '$(id)' "it's" '*' '--' '-f'
equal words "<><a b><\$(id)><it's><*><--><-f>" "$out"
exits 3 rv run -f --time 5m 'true && (exit 3)'

# In the caller's folder, with the GPUs that were asked for and the promised environment.
exits 0 rv run -f -g 2 -t a40 --time 5m bash -c 'pwd; echo "$CUDA_VISIBLE_DEVICES $OMP_NUM_THREADS $TOKENIZERS_PARALLELISM"; echo "$HF_HOME"; echo "$RANK/$WORLD_SIZE"'
contains folder "$work/project" "$out"
contains gpus "0,1 " "$out"
contains scratch "$work/scratch/huggingface" "$out"
contains rank "0/1" "$out"
wait_for 20 no_jobs || fail "a job is left"

# When it starts, a line on stderr names the node; while it waits, d leaves it in the queue.
exits 0 rv run -f -g 1 -t a40 --time 5m --name here echo there
has_line "where it started" "^rv: run $(field here "['id']") started on udc-an[0-9-]+: 1× A40 on gpu-a40$" "$err"
equal "the command's output" there "$out"
occupy gpu-a6000 2 a6000:8 >/dev/null
TERM=xterm runs python3 "$root/tests/on_terminal.py" '[{"until": "d detaches"}, 1, "d"]' \
  "$RV" run -f -g 1 -t a6000 --time 5m --name later true
equal "exit code" 0 "$code"
id=$(field later "['id']")
contains "what is said" "rv: run $id stays in the queue" "$out"
equal "it waits on" queued "$(field later "['state']")"
exits 0 rv stop later
