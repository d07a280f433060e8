#!/usr/bin/env bash
# Ten thousand random argument vectors arrive byte for byte through the login shells bash, dash, zsh and tcsh, despite start-up
# files that print, quotes, globs, newlines, history signs and bytes that are not UTF-8.
# shellcheck source=tests/remote/lib.sh
source "$(dirname "$0")/lib.sh"

start_sshd "UseDNS no"
make_laptop
for shell in bash dash zsh tcsh; do
  make_user "$shell" "$(command -v "$shell")"
  host "$shell" "$(user "$shell")"
done
for file in bash/.bashrc zsh/.zshenv tcsh/.cshrc; do
  printf 'echo "Welcome to the cluster!"\n' >"$work/$file"
done

# Many vectors travel in one command line, so that the test is short: "LENGTH ARGUMENTS…" after one another, cut into lines
# as long as a remote command can be. The login node's side prints the words, each ended by a zero byte.
cat >"$work/vectors.py" <<'PY'
import os, random, subprocess, sys
rv, hosts, total = sys.argv[1], sys.argv[2].split(","), int(sys.argv[3])
seed = random.randrange(10**9)
print("seed", seed)
rng = random.Random(seed)
pieces = [b" ", b"  ", b"'", b'"', b"\\", b"$HOME", b"`id`", b"$(id)", b"*", b"?", b"[a-z]", b"~", b"!", b"!!", b"!$",
          b"\n", b"\t", b"\r", b";", b"&", b"|", b"<", b">", b"(", b")", b"{a,b}", b"#", b"%", b"=", b"^", b"-", b"--",
          b"-n", b"-H", b"--json", b"\xc3\xa9", "GPU→".encode(), b"\xff", b"\x01", b"\x02", b"\x7f", b"\x1b[0m", b"x", b"word",
          b"0", b"@", b":", b",", b"\\n", b"\\'"]
def word():
    kind = rng.random()
    if kind < 0.08: return b""
    if kind < 0.2: return bytes(rng.randrange(1, 256) for _ in range(rng.randrange(1, 12)))
    return b"".join(rng.choice(pieces) for _ in range(rng.randrange(1, 7)))
sent = 0
while sent < total:
    host = hosts[(sent // 500) % len(hosts)]
    vectors = [[word() for _ in range(rng.randrange(0, 7))] for _ in range(500)]
    words = [w for v in vectors for w in [str(len(v)).encode()] + v]
    got = subprocess.run([rv, "-H", host, "exec", "--", "printf", "%s\\0", *words], capture_output=True)
    expected = b"".join(w + b"\0" for w in words)
    if got.returncode != 0 or got.stdout != expected:
        sys.exit(f"{host}: code {got.returncode}, {len(got.stdout)} bytes of {len(expected)}, stderr {got.stderr[:500]}")
    sent += 500
for host in hosts:  # and some whole vectors of their own, the way people type
    for _ in range(10):
        words = [word() for _ in range(rng.randrange(1, 9))]
        got = subprocess.run([rv, "-H", host, "exec", "--", "printf", "%s\\0", *words], capture_output=True)
        assert got.stdout == b"".join(w + b"\0" for w in words), (host, words, got)
PY
laptop python3 "$work/vectors.py" "$work/rv" bash,dash,zsh,tcsh "${RV_VECTORS:-10000}"

# Only rv's output is shown, whatever the start-up files print.
for shell in bash zsh tcsh; do
  exits 0 rv -H "$shell" exec echo clean
  equal "output behind a chatty $shell" clean "$out"
done
exits 2 rv -H bash exec true "$(head -c 100000 /dev/zero | tr '\0' x)"
contains "too long" "too long" "$err"
