#!/usr/bin/env bash
# Completion scripts: bash reads them, and the answers are right.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
printf 'no: [yaml\n' > "$RV_SITE"
env -i "$RV" completion bash > bash.completion || fail 'needs an environment'
bash -n bash.completion || fail 'bash does not read it'
complete_words() {
  bash -c 'source bash.completion; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); compopt() { :; }; _rv; printf "%s\n" "${COMPREPLY[@]}"' \
    bash "$@" > "$scratch/out"
}
complete_words rv pl
expect_out 'plan'
complete_words rv plan --vr
expect_out '--vram'
complete_words rv --json exec --ti
expect_out '--timeout'
complete_words rv completion z
expect_out zsh
complete_words rv plan --gpu ''
expect_out ''
touch saved.json
complete_words rv plan --cluster sav
expect_out saved.json
# Behind the user's command rv has nothing to say.
complete_words rv exec hostname --ti
expect_out ''
complete_words rv exec --timeout 3 hostname --ti
expect_out ''
rv completion zsh
expect_code 0
if command -v zsh > /dev/null; then zsh -n "$scratch/out" || fail 'zsh does not read it'; fi
rv completion fish
expect_code 0
if command -v fish > /dev/null; then fish -n "$scratch/out" || fail 'fish does not read it'; fi
rv completion tcsh
expect_code 2
err_has 'choose bash, zsh or fish'
rv completion
expect_code 2
