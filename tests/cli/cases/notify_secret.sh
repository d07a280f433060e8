#!/usr/bin/env bash
# A webhook's address may be a secret: rv reads it from stdin or prompts without echo, and rejects it on the command line.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
secret='https://user:word@example.org/rv?key=hidden'
stored() { cat "$RV_HOME/notify/targets/bot/to" 2> /dev/null; }
[ "$(stored)" = "" ] || fail 'a target is there'

for address in "$secret" https://example.org/rv?key=hidden https://example.org/abcdefghij0123456789ABCD; do
  exits 2 rv notify set bot --webhook "$address"
  contains stderr 'write --webhook -' "$err"
  ! grep -qF -e hidden -e 'word' -e abcdefghij "$work/err" || fail 'the secret is repeated'
done
[ "$(stored)" = "" ] || fail 'a refused address was stored'
# It is refused before anything goes anywhere: ssh's arguments would show it.
exits 2 rv -H nowhere.invalid notify set bot --webhook "$secret"

exits 0 rv notify set bot --webhook https://example.org/rv
[ "$(stored)" = https://example.org/rv ] || fail "stored: $(stored)"
contains stderr "the key for its signatures is in $RV_HOME/notify/secret" "$err"
echo https://example.org/rv > address
for service in slack teams discord ntfy; do
  exits 0 with_input address rv notify set "$service" --webhook - --as "$service"
  lacks "stderr with $service" signature "$err"
done
printf '  %s \r\nmore\n' "$secret" > address
exits 0 with_input address rv notify set bot --webhook -
[ "$(stored)" = "$secret" ] || fail "stored: $(stored)"
[ "$(stat -c %a "$RV_HOME/notify/targets/bot/to")" = 600 ] || fail 'others may read it'
exits 2 with_input /dev/null rv notify set bot --webhook -
contains stderr 'the address is empty' "$err"
echo 'http://example.org/?key=hidden' | "$RV" notify set bot --webhook - > "$work/out" 2> "$work/err" && fail 'http is taken'
out=$(<"$work/out")
err=$(<"$work/err")
! grep -qF hidden "$work/err" || fail 'the secret is repeated'

# typed_on_terminal KEYS: what the terminal showed goes to stdout, then the exit code and whether it shows keys again.
typed_on_terminal() {
  python3 - "$RV" "$1" << 'X'
import os, pty, sys, termios, time
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], [sys.argv[1], "notify", "set", "bot", "--webhook", "-"])
seen, typed = b"", False
while True:
    try:
        data = os.read(terminal, 65536)
    except OSError:
        break
    if not data:
        break
    seen += data
    if not typed and b"webhook: " in seen:
        os.write(terminal, sys.argv[2].encode())
        typed = True
shows = termios.tcgetattr(terminal)[3] & termios.ECHO
print(seen.decode(), os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), "shown" if shows else "silent")
X
}
typed_on_terminal 'https://example.org/typed?key=hidden
' > "$work/out"
out=$(<"$work/out")
contains stdout 'Address of the webhook: ' "$out"
lacks stdout hidden "$out"
contains stdout '0 shown' "$out"
[ "$(stored)" = 'https://example.org/typed?key=hidden' ] || fail "stored: $(stored)"
typed_on_terminal "$(printf 'https://exam\003')" > "$work/out"
out=$(<"$work/out")
contains stdout '130 shown' "$out"
[ "$(stored)" = 'https://example.org/typed?key=hidden' ] || fail "stored: $(stored)"
