#!/usr/bin/env bash
# rv env from a laptop: values come from the laptop's files, environment, stdin or keyboard and are stored on the login node.
# They never appear in a process's arguments, and none stays on the laptop.
# shellcheck source=tests/remote/lib.sh
source "$(dirname "$0")/lib.sh"

start_sshd "UseDNS no"
make_laptop
make_user there /bin/bash
host loop "$(user there)"
exits 0 rv -H loop exec true
store=$work/there/.rv/env

# Every process's arguments, many times a second, while the values travel.
watch_arguments() {
  while :; do
    cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' ' ' | grep -aoE 'secret-[a-z]+' || true
    sleep 0.02
  done
}
watch_arguments >"$work/seen" &
watcher=$!

printf 'export A="secret-file"\nB='"'"'two\nlines'"'"'\n' >"$work/laptop/my.env"
exits 0 rv -H loop env import my.env
equal "from a file" secret-file "$(<"$store/A")"
equal "two lines" $'two\nlines' "$(<"$store/B")"
echo secret-environment >"$work/laptop/c"
# shellcheck disable=SC2016
exits 0 laptop bash -c 'read -r C <c && rm c && export C && exec "$0" -H loop env set C --from-env' "$work/rv"
equal "from the laptop's environment" secret-environment "$(<"$store/C")"
echo secret-stdin | laptop "$work/rv" -H loop env set D 2>/dev/null
equal "from stdin" secret-stdin "$(<"$store/D")"
cat >"$work/typist.py" <<'PY'
import os, pty, select, sys
pid, fd = pty.fork()
if pid == 0: os.execvp(sys.argv[1], sys.argv[1:])
seen, typed = b"", False
while select.select([fd], [], [], 30)[0]:
    try: got = os.read(fd, 4096)
    except OSError: break
    if not got: break
    seen += got
    if b"Value of E: " in seen and not typed:
        typed = True
        os.write(fd, b"secret-typed\n")
sys.stdout.buffer.write(seen)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
PY
laptop python3 "$work/typist.py" "$work/rv" -H loop env set E >"$work/typed" || fail "$(<"$work/typed")"
equal "typed" secret-typed "$(<"$store/E")"
lacks "on the screen" secret "$(<"$work/typed")"
kill "$watcher"
equal "in arguments" "" "$(<"$work/seen")"

equal modes "600 700" "$(stat -c %a "$store/A" "$store" | paste -sd' ')"
exits 0 rv -H loop env list
equal names "A B C D E" "$(awk 'NR > 1 { print $1 }' <<<"$out" | paste -sd' ')"
exits 2 rv -H loop env set F=secret-word
lacks "the message" secret "$err"
rm "$work/laptop/my.env"
[ -z "$(grep -rl secret- "$work/laptop" || true)" ] || fail "something stays on the laptop"
