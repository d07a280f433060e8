#!/usr/bin/env bash
# Control characters in other people's text never reach a terminal, wherever the text comes from; files and pipes get logs
# unchanged.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
export TERM=xterm NO_COLOR=1
# A title, an erased screen by ESC, by C1 in UTF-8 and as a raw byte; a colour and a progress bar, which stay.
bad=$'\e]0;title\a\e[2J\xc2\x9b2J\x9b2J'
folder=$RV_HOME/runs/aaaaaa
mkdir -p "$folder"/{candidates,jobs,ledger,elements,chain,logs,output,checkpoint}
printf '{"version":2,"id":"aaaaaa","name":"name\\u009b2J","hold":false,"command":["echo","\\u001b[2J\\u009b2J"],"work_folder":"/","host":"h\\u009b2J","cluster":"c",
  "created":1795262400,"created_ns":0,"head_start_s":0,"requeue":false,"candidates":[]}' >"$folder/run.json"
printf 'outcome 1 0 0 0 failed 3 here 1795262500 token - {"detail":"detail\\u001b[2J\\u009b2J"}\n' >"$folder/ledger/1"
printf 'log %s \e[32mgreen\e[0m\n 10%%\r 20%%\nTraceback: error %s\n' "$bad" "$bad" >"$folder/logs/n1.out"

# harmless WHAT TEXT: nothing of it controls a terminal, whatever its locale.
harmless() { ! LC_ALL=C grep -q $'\e[^[]\|\e\[[0-9;]*[^0-9;m]\|\a\|\xc2[\x80-\x9f]' <<<"$2" || fail "$1: $(cat -v <<<"$2")"; }

for words in 'ps -a' 'show aaaaaa' 'why aaaaaa' 'status aaaaaa' 'logs aaaaaa' "logs $bad" "$bad" "run --$bad true"; do
  IFS=' ' read -ra argv <<<"$words"
  runs on_terminal "$RV" "${argv[@]}"
  [ -n "$out" ] || fail "$words prints nothing"
  harmless "$words" "$out"
  ! LC_ALL=C grep -q $'[^\xc2]\x9b' "$work/out" || fail "$words: a raw C1 byte: $(cat -v "$work/out")"
done
runs on_terminal "$RV" why aaaaaa
contains "the excerpt" "log ?]0;title??[2J?2J?2J" "$out"
runs on_terminal "$RV" logs aaaaaa
contains "what stays of it" $'log ?]0;title??2J?2J \e[32mgreen\e[0m' "$out"
contains "a progress bar" " 20%" "$out"

# As it is: asked for, or not on a terminal.
runs on_terminal "$RV" logs --raw aaaaaa
contains "asked for" $'\e[2J' "$out"
"$RV" logs --raw aaaaaa >"$work/copy"
cmp "$work/copy" "$folder/logs/n1.out" || fail "rv logs --raw changes bytes"
"$RV" logs aaaaaa >"$work/copy"
LC_ALL=C grep -qF $'\e]0;title\a\e[2J\xc2\x9b2J\x9b2J' "$work/copy" || fail "a file gets other bytes"
