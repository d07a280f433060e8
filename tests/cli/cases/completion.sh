#!/usr/bin/env bash
# bash can read the completion script, and it completes commands, options and values correctly.
# shellcheck source-path=SCRIPTDIR source=../check.sh disable=SC2016 # what other shells expand stands in single quotes
. "$(dirname "$0")/../check.sh"
printf 'no: [yaml\n' > "$RV_SITE"
env -i "$RV" completion bash > bash.completion || fail 'needs an environment'
bash -n bash.completion || fail 'bash does not read it'
complete_words() {
  bash -c 'source bash.completion; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); compopt() { :; }; _rv rv; printf "%s\n" "${COMPREPLY[@]}"' \
    bash "$@" > "$work/out"
  out=$(<"$work/out")
}
complete_words rv pl
equal stdout 'plan' "$out"
complete_words rv rer
equal stdout 'rerun' "$out"
complete_words rv rerun --fai
equal stdout '--failed' "$out"
complete_words rv plan --vr
equal stdout '--vram' "$out"
complete_words rv --json exec --ti
equal stdout '--timeout' "$out"
complete_words rv completion z
equal stdout zsh "$out"
complete_words rv cost --by m
equal stdout month "$out"
complete_words rv logs --fai
equal stdout '--failed' "$out"
complete_words rv plan --gpu ''
equal stdout '' "$out"
touch saved.json
complete_words rv plan --cluster sav
equal stdout saved.json "$out"
# Values: of runs, and what the cluster was seen to have; never a name that a shell would take for more.
mkdir -p "$work/bin" "$RV_HOME/cache"
ln -s "$RV" "$work/bin/rv"
PATH=$work/bin:$PATH
: >"$RV_SITE"
make_run() {
  mkdir -p "$RV_HOME/runs/$1"/{candidates,jobs,ledger,elements,chain,logs,output,checkpoint}
  printf '{"version":2,"id":"%s","name":"%s","hold":false,"command":["true"],"work_folder":"/","host":"here","cluster":"c",
    "created":1795262400,"created_ns":0,"head_start_s":0,"requeue":false,"candidates":[]}' "$1" "$2" >"$RV_HOME/runs/$1/run.json"
  [ -z "$3" ] || printf 'outcome 1 0 0 0 done 0 here 1795262500 token - {"detail":""}\n' >"$RV_HOME/runs/$1/ledger/1"
}
make_run k3f9x2 train over
make_run b7c8d9 tree ""
make_run e1e1e1 'tr$(touch here)' over
make_run e2e2e2 'tr ; touch here' over
printf 'types a40\ntypes a100_40\ntypes a100_80\npartitions gpu-a40\naccounts lab\n' >"$RV_HOME/cache/names"
sorted() { out=$(sort <<<"$out"); }
complete_words rv show tr
sorted
equal stdout 'train
tree' "$out"
complete_words rv stop tr
equal stdout tree "$out"
complete_words rv logs --tail 3 k3
equal stdout k3f9x2 "$out"
complete_words rv plan --type a100
sorted
equal stdout 'a100_40
a100_80' "$out"
complete_words rv plan -t a40,a1
sorted
equal stdout 'a40,a100_40
a40,a100_80' "$out"
complete_words rv up --partition g
equal stdout gpu-a40 "$out"
complete_words rv run --account l
equal stdout lab "$out"
complete_words rv accept --suite health,col
equal stdout health,collective "$out"
complete_words rv accept --suite ddp,resnet5
equal stdout ddp,resnet50 "$out"
complete_words rv notify t
equal stdout test "$out"
complete_words rv he
equal stdout help "$out"
[ ! -e here ] || fail 'a name was executed'
# What is typed after a real cluster was read: its names were kept.
rm "$RV_HOME/cache/names"
# With a thousand runs an answer still comes while somebody types.
mkdir -m 700 "$work/thousand"
python3 "$root/tests/slow_files/many_runs.py" "$work/thousand" 1000
RV_HOME=$work/thousand python3 - "$RV" <<'X' || fail 'slow'
import subprocess, sys, time
times = []
for _ in range(40):
    begun = time.monotonic()
    subprocess.run([sys.argv[1], "--words", "runs"], check=True, stdout=subprocess.DEVNULL)
    times.append(time.monotonic() - begun)
print(f"{min(times) * 1000:.1f} ms")
sys.exit(min(times) > 0.02)
X
# fish and zsh themselves.
runs rv completion fish >/dev/null
"$RV" completion fish >rv.fish
fish_words() { out=$(fish --no-config -c 'source rv.fish; complete -C $argv[1]' "$1" | cut -f1 | sort); }
fish_words 'rv show tr'
equal stdout 'train
tree' "$out"
printf 'types a40\ntypes a100_40\n' >"$RV_HOME/cache/names"
fish_words 'rv plan --type a40,a1'
equal stdout 'a40,a100_40' "$out"
fish_words 'rv accept --device g'
equal stdout 'gpu' "$out"
"$RV" completion zsh >_rv
python3 "$root/tests/on_terminal.py" '["fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D; PS1=rea\"\"dy:\n",
  {"until": "ready:"}, "rv show k3\t", {"until": "rv show k3f9x2"}, "\u0015rv plan --type a40,a1\t",
  {"until": "a40,a100_40"}, "\u0015rv completion z\t", {"until": "rv completion zsh"}, "\u0015exit\n"]' \
  zsh -f >"$work/out" || fail 'zsh completes nothing'
out=$(<"$work/out")
contains stdout 'rv show k3f9x2' "$out"
contains stdout 'a40,a100_40' "$out"
contains stdout 'rv completion zsh' "$out"

# Behind the user's command rv has nothing to say.
complete_words rv exec hostname --ti
equal stdout '' "$out"
complete_words rv exec --timeout 3 hostname --ti
equal stdout '' "$out"
exits 0 rv completion zsh
zsh -n "$work/out" || fail 'zsh does not read it'
exits 0 rv completion fish
fish -n "$work/out" || fail 'fish does not read it'
exits 2 rv completion tcsh
contains stderr 'choose bash, zsh or fish' "$err"
exits 2 rv completion
