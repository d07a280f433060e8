#!/usr/bin/env bash
# A project made by someone else executes nothing when rv sync runs git on it, and sends no file from outside its folder. A
# cluster can't send a link that leads out of the folder.
# shellcheck source=tests/remote/lib.sh
source "$(dirname "$0")/lib.sh"

start_sshd "UseDNS no"
make_laptop
make_user there /bin/bash
make_user stranger /bin/bash
host loop "$(user there)"
# shellcheck disable=SC2016
inside() { laptop bash -c 'cd "$1" && shift && exec "$@"' inside "$@"; }
sync() { inside net "$work/rv" -H loop sync "$@"; }
ran=$work/laptop/ran
nothing_ran() { [ ! -e "$ran" ] || fail "$1: executed: $(<"$ran")"; }
git_there() { inside net git -c user.name=a -c user.email=a@b -c core.fsmonitor= -c core.hooksPath=/dev/null "$@"; }

laptop git init -q net
laptop bash -c 'cd net && mkdir sub src && echo a >a && echo b >src/b && git init -q sub && echo c >sub/c'
git_there add a src
git_there commit -qm first
git_there sparse-checkout set --cone --sparse-index # src is one entry of the index, a tree
tree=$(git_there rev-parse HEAD:src)
cat >"$work/laptop/evil" <<E
#!/bin/sh
echo "\$0 \$*" >>$ran
E
chmod 755 "$work/laptop/evil"
evil=$work/laptop/evil
# Everything by which a configuration names a command, in the project, in a clone inside it and in an included file.
for repository in net net/sub; do
  cat >>"$work/laptop/$repository/.git/config" <<C
[core]
  fsmonitor = $evil fsmonitor
  hooksPath = $work/laptop/hooks
  pager = $evil pager
  sshCommand = $evil ssh
  gitProxy = $evil proxy
  askPass = $evil askpass
  editor = $evil editor
  alternateRefsCommand = $evil refs
[pager]
  ls-files = $evil pager
  check-ignore = $evil pager
[alias]
  ls-files = !$evil alias
  check-ignore = !$evil alias
[filter "x"]
  clean = $evil clean
  smudge = $evil smudge
  process = $evil process
  required = true
[diff "x"]
  textconv = $evil textconv
  command = $evil diff
[diff]
  external = $evil diff
[merge "x"]
  driver = $evil merge
[credential]
  helper = $evil
[protocol]
  allow = always
[remote "origin"]
  url = ext::$evil ext
  promisor = true
  uploadpack = $evil uploadpack
[extensions]
  partialClone = origin
[include]
  path = $work/laptop/more
C
  printf '* filter=x diff=x merge=x\n' >"$work/laptop/$repository/.gitattributes"
done
printf '[core]\n  fsmonitor = %s included\n' "$evil" >"$work/laptop/more"
mkdir "$work/laptop/hooks"
for hook in post-index-change fsmonitor-watchman pre-auto-gc reference-transaction post-checkout; do
  cp "$evil" "$work/laptop/hooks/$hook"
done
cp "$work/laptop/hooks"/* "$work/laptop/net/.git/hooks/"
chown -R "$(user laptop)" "$work/laptop"
touch "$work/laptop/net/a" # what git has on record of it is no longer so

exits 0 sync push --dry-run
nothing_ran "a dry run"
contains "the files" "new      sub/c" "$out"
exits 0 sync push
nothing_ran "a push"
# A tree that is missing would be fetched.
rm "$work/laptop/net/.git/objects/${tree:0:2}/${tree:2}"
runs sync push --dry-run
nothing_ran "a missing object"
files=$(echo "$work"/there/.rv/projects/net-*/files)
setpriv --reuid "$(id -u "$(user there)")" bash -c "echo new >'$files/new'"
rm -rf "$work/laptop/net/.git" # what it held is not what this is about any more
laptop git init -q net
sed -n '/^\[core\]/,$p' "$work/laptop/net/sub/.git/config" >>"$work/laptop/net/.git/config"
exits 0 sync pull
nothing_ran "a pull"
equal "what came" new "$(<"$work/laptop/net/new")"

# git's index may name anything.
echo secret >"$work/laptop/secret"
mkdir "$work/laptop/elsewhere" && echo secret >"$work/laptop/elsewhere/secret"
ln -s ../elsewhere "$work/laptop/net/link"
chown -hR "$(user laptop)" "$work/laptop/elsewhere" "$work/laptop/net/link" "$work/laptop/secret"
cat >"$work/laptop/index.py" <<'PY'
import hashlib, struct, sys
def entry(name):
    raw = bytes(40) + bytes(20) + struct.pack(">H", len(name)) + name
    raw = raw[:24] + struct.pack(">I", 0o100644) + raw[28:]
    return raw + bytes(8 - len(raw) % 8)
names = sorted(name.encode() for name in sys.argv[2:])
data = b"DIRC" + struct.pack(">II", 2, len(names)) + b"".join(map(entry, names))
open(sys.argv[1], "wb").write(data + hashlib.sha1(data).digest())
PY
index() { inside net python3 "$work/laptop/index.py" "$work/laptop/net/.git/index" "$@"; }
index link/secret
exits 0 sync push --dry-run
lacks "a file below a link" "link/secret" "$out"
index ../secret
exits 125 sync push --dry-run
contains "a file outside" "names a file outside: ../secret" "$err"
rm "$work/laptop/net/.git/index"

# A project of another user is none, and where the user trusts the folder git's own refusal holds.
chown -R "$(user stranger)" "$work/laptop/net/.git"
exits 2 sync push --dry-run
nothing_ran "another user's"
contains "another user's" "it belongs to $(user stranger)" "$err"
trusting() { inside net env RV_TRUSTED_FOLDERS="$work/laptop" "$work/rv" -H loop sync "$@"; }
exits 125 trusting push --dry-run
nothing_ran "another user's, trusted"
contains "another user's" "dubious ownership" "$err"
setpriv --reuid "$(id -u "$(user there)")" bash -c "echo newer >'$files/newer'"
exits 125 trusting pull
contains "another user's, pull" "dubious ownership" "$err"
chown -R "$(user laptop)" "$work/laptop/net/.git"

# Links from the cluster.
setpriv --reuid "$(id -u "$(user there)")" bash -c "cd '$files' && ln -s /etc/passwd absolute && ln -s ../../secret above &&
  ln -s newer within && mkdir d && ln -s ../newer d/within && ln -s ../../x d/above && cp /bin/true program && chmod 6755 program"
exits 0 sync pull
for link in absolute above d/above; do
  [ ! -L "$work/laptop/net/$link" ] || fail "$link came"
  contains "$link" "the link $link leads out of its folder" "$err"
done
equal "within" newer "$(readlink "$work/laptop/net/within")"
equal "within, in a folder" ../newer "$(readlink "$work/laptop/net/d/within")"
equal "mode of a program" 755 "$(stat -c %a "$work/laptop/net/program")"
