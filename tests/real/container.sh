#!/usr/bin/env bash
# A command in a container image, run by Podman: exit code, files, variables, TERM, warnings of a chain and rv's workers are the
# same as outside; a missing image is named.
# shellcheck source=tests/real/lib.sh disable=SC2016 # what expands inside is in single quotes
source "$(dirname "$0")/lib.sh"

# An image from scratch with rv's workers, as examples/containers makes it; an entry point must not get in the way.
# shellcheck source=tests/podman.sh
source "$(dirname "$0")/../podman.sh"
make_podman
build_image localhost/rv-workers
printf 'FROM localhost/rv-workers\nENTRYPOINT ["/bin/false"]\n' >Containerfile
mkdir none
bin/podman build -q -t localhost/rv -f Containerfile none >built 2>&1 || fail "podman builds no second image: $(<built)"

printf '%s\n' 'container: podman' 'setup:' "  - export PATH=$PWD/bin:\$PATH" >>"$RV_SITE"
newest() { rv ps -a --json | python3 -c "import json,sys; print(json.load(sys.stdin)[\"runs\"][0][\"id\"])"; }
no_containers() { [ -z "$(bin/podman ps -aq)" ]; }
mend() { bin/podman rm -fa >/dev/null 2>&1; }

# Its exit code, its arguments, its variables, the files of the working folder, and of a mounted folder.
mkdir "$work/data" && echo mounted >"$work/data/file" && echo alone >"$work/alone"
TOLD='two
lines' exits 7 rv run -g 1 -f --container localhost/rv --container-mount "$work/data,$work/alone" --name words \
  sh -c 'echo "$TOLD $RV_RUN_ID $1"; cat "$2" "$3"; ls / >inside; exit 7' sh "it's" "$work/data/file" "$work/alone"
id=$(field words "['id']")
equal "output" "two
lines $id it's
mounted
alone" "$out"
contains "the image's own root" rv-image "$(<inside)"
lacks "nothing of the node's" boot "$(<inside)"

# A program that does not exist or is not executable, and one that itself ends with 1.
exits 127 rv run -g 1 -f --container localhost/rv nothing-of-that-name
contains "why" '"command_not_found"' "$(rv why --json "$(newest)")"
exits 126 rv run -g 1 -f --container localhost/rv /rv-image
contains "why" '"permission"' "$(rv why --json "$(newest)")"
exits 1 rv run -g 1 -f --container localhost/rv sh -c 'exit 1'

# rv's own worker, and the exit code that it has for what is wrong.
exits 0 rv run -g 1 -f --container localhost/rv rv-compute --device cpu --quick --suite gemm
contains "the worker measures" gemm "$out"
exits 2 rv run -g 1 -f --container localhost/rv rv-compute --suite nothing

# rv stop reaches the program inside.
exits 0 rv run -g 1 --container localhost/rv --name stopped \
  sh -c 'trap "echo stopped >stopped; exit 0" TERM; echo begun >begun; while :; do sleep 0.1; done'
wait_for 60 test -e begun || fail "it does not begin: $(rv logs stopped)"
exits 0 rv stop stopped
wait_for 20 test -e stopped || fail "TERM does not reach it"

# A chain: the warning reaches it, it saves, and continues in the next segment, each step once.
cat >count.sh <<'S'
step=0
[ ! -e "$RV_CHECKPOINT_DIR/step" ] || read -r step <"$RV_CHECKPOINT_DIR/step"
warned=""
trap 'warned=1' USR1
while [ "$step" -lt 12 ]; do
  sleep 0.5
  step=$((step + 1))
  echo "$step $RV_SEGMENT" >>steps
  [ -z "$warned" ] || { echo "$step" >"$RV_CHECKPOINT_DIR/step" && exit 75; }
done
S
exits 0 rv run -g 1 --container localhost/rv --checkpoint --time 10m --segment-time 5m --name chain sh count.sh
wait_for 60 has_lines steps 3 || fail "the chain does not begin: $(rv logs chain)"
scancel --batch --signal=USR1 "$(squeue -h --me -t RUNNING -o %A)"
exits 0 rv wait chain
equal "steps" "$(seq 12)" "$(cut -d' ' -f1 steps)"
equal "segments" "1 2" "$(cut -d' ' -f2 steps | uniq | tr '\n' ' ' | sed 's/ $//')"

# Each point of a sweep, and the workers of an acceptance.
exits 0 rv sweep --over n=1,2 -g 1 --device cpu --cooldown 0 --container localhost/rv --report-dir points \
  -- sh -c 'ls / >root.{n}; echo "n {n}"'
contains "the points ran inside" rv-image "$(cat root.1 root.2)"
exits 0 rv accept --device cpu --gpus-per-node 2 --suite ddp --container localhost/rv
contains verdict "pass:" "$out"

exits 0 rv stress -g 1 --device cpu --workers 2 --duration 2 --reference 0 --container localhost/rv
contains "the workers passed" "2 of 2" "$out"

# A shell inside.
exits 0 rv up -g 1 --time 10m --container localhost/rv --name held
equal "the shell's root" "inside" "$(echo '[ -e /rv-image ] && echo inside' | rv shell held 2>err)"
exits 0 rv stop held

# A missing image: reported before submission if possible, and in the log if only the node can tell.
exits 2 rv run -g 1 --container ./none.sif true
contains "which file" '--container "./none.sif": expected an existing file' "$err"
exits 125 rv run -g 1 -f --container localhost/none true
contains "which image" "--container localhost/none: podman neither has it nor can pull it on" "$err"
contains "why" "container" "$(rv why "$(newest)")"
# The same for what rv runs itself.
for words in 'accept --gpus-per-node 1 --suite train' 'stress -g 1 --duration 1' 'stress -g 1 --duration 1 --json'; do
  # shellcheck disable=SC2086 # several arguments
  exits 125 rv $words --device cpu --container localhost/none
  contains "which image" "--container localhost/none: podman neither has it nor can pull it on" "$err"
  [[ $words == *--json ]] || equal "errors" 1 "$(grep -c '^rv: error:' <<<"$err")"
  [ -z "$out" ] || fail "a verdict without a measurement"
done
contains "as JSON" '"exit_code":125' "$err"
for again in 1 2; do
  exits 125 rv sweep -g 1 --device cpu --cooldown 0 --over n=1,2 --container localhost/none --report-dir nothing -- true '{n}'
  contains "which image" "rv: error: --container localhost/none: podman neither has it nor can pull it on" "$err"
  lacks "a table of nothing, time $again" "not measured" "$out"
done
exits 125 rv sweep --local --device cpu --cooldown 0 --over n=1 --container localhost/none --report-dir here -- true '{n}'
contains "which image" "rv: error: --container localhost/none: " "$err"
exits 125 rv run -g 1 -f --container localhost/rv --container-mount "$work/none" true
contains "which mount" "--container-mount $work/none: " "$err"
contains "what is wrong with it" " has no such file or folder" "$err"
printf 'scratch: %s/scratch\ncontainer: singularity\n' "$work" >"$RV_SITE"
exits 125 rv run -g 1 -f --container localhost/rv true
contains "which engine" "has no singularity" "$err"
wait_for 20 no_containers || fail "containers are left: $(bin/podman ps -a)"
