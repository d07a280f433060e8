#!/usr/bin/env bash
# A webhook's address may be a secret: it comes from stdin or is asked for unseen, and is not taken from a command line.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"
secret='https://user:word@example.org/rv?key=hidden'
stored() { cat "$RV_HOME/notify/targets/bot/to" 2> /dev/null; }
[ "$(stored)" = "" ] || fail 'a target is there'

for address in "$secret" https://example.org/rv?key=hidden https://example.org/abcdefghij0123456789ABCD; do
  rv notify set bot --webhook "$address"
  expect_code 2
  err_has 'write --webhook -'
  ! grep -qF -e hidden -e 'word' -e abcdefghij "$scratch/err" || fail 'the secret is repeated'
done
[ "$(stored)" = "" ] || fail 'a refused address was stored'
# It is refused before anything goes anywhere: ssh's arguments would show it.
rv -H nowhere.invalid notify set bot --webhook "$secret"
expect_code 2

rv notify set bot --webhook https://example.org/rv
expect_code 0
[ "$(stored)" = https://example.org/rv ] || fail "stored: $(stored)"
printf '  %s \r\nmore\n' "$secret" > address
rv notify set bot --webhook - < address
expect_code 0
[ "$(stored)" = "$secret" ] || fail "stored: $(stored)"
[ "$(stat -c %a "$RV_HOME/notify/targets/bot/to")" = 600 ] || fail 'others may read it'
rv notify set bot --webhook - < /dev/null
expect_code 2
err_has 'no address came'
echo 'http://example.org/?key=hidden' | "$RV" notify set bot --webhook - > "$scratch/out" 2> "$scratch/err" && fail 'http is taken'
! grep -qF hidden "$scratch/err" || fail 'the secret is repeated'

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
' > "$scratch/out"
out_has 'Address of the webhook: '
out_lacks hidden
out_has '0 shown'
[ "$(stored)" = 'https://example.org/typed?key=hidden' ] || fail "stored: $(stored)"
typed_on_terminal "$(printf 'https://exam\003')" > "$scratch/out"
out_has '130 shown'
[ "$(stored)" = 'https://example.org/typed?key=hidden' ] || fail "stored: $(stored)"
