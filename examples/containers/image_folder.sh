#!/usr/bin/env bash
# An image of rv's workers from what is installed here, without a network and without another image: the programs, the
# libraries that they load, bash and coreutils, as the root of a `FROM scratch`.
#   bash image_folder.sh [--no-cuda] WORKERS FOLDER [PROGRAM…]
#                    WORKERS: the folder of rv-health, …; PROGRAM: more of this machine's; --no-cuda: for nodes without GPUs
#   podman build -t rv-workers -f examples/containers/Containerfile FOLDER
# NCCL and CUDA's libraries (2 GB) come along where the loader finds them here; the driver's come from the node (CDI, --nv).
set -euo pipefail
cuda='nccl|cublas|cublasLt|cudnn[a-z_]*|nvrtc|nvrtc-builtins'
if [ "${1:-}" = --no-cuda ]; then
  cuda=''
  shift
fi
workers=$(realpath "${1:?the folder of the workers}")
mkdir -p "${2:?a folder for the root of the image}"
root=$(realpath "$2")
shift 2
[ -x "$workers/rv-health" ] || { echo "image_folder.sh: no rv-health in $workers" >&2 && exit 2; }
[ -z "$(ls -A "$root")" ] || { echo "image_folder.sh: $root is not empty" >&2 && exit 2; }

mkdir -p "$root"/{bin,etc,proc,run,sys,tmp,usr/local/bin,var}
chmod 1777 "$root/tmp"
echo 'root:x:0:0:root:/root:/bin/bash' >"$root/etc/passwd"
cp "$workers"/rv-* "$root/usr/local/bin/"
files=("$root"/usr/local/bin/rv-*)
tools=(bash awk basename cat chmod chown cp cut date dd df dirname du env expr find grep head hostname id kill ln ls md5sum mkdir mktemp mv
  nproc od paste pgrep printf ps pwd readlink realpath rm rmdir sed seq sha256sum sleep sort stat tail tar tee test timeout touch tr true uname
  uniq wc xargs "$@")
for tool in "${tools[@]}"; do
  # Not what this shell has built in.
  path=$(type -P "$tool") || continue
  cp -L "$path" "$root/bin/$tool"
  files+=("$root/bin/$tool")
done
[ -e "$root/bin/sh" ] || ln -s bash "$root/bin/sh"

# copy FILE TO: what a link leads to, unless it is there.
copy() { [ -e "$2" ] || cp -L "$1" "$2"; }
# with_libraries FILE…: each library under its own path, where the image's loader looks as this machine's does.
with_libraries() {
  { for file in "$@"; do ldd "$file" 2>/dev/null || true; done; } | grep -o '/[^ )]*' | sort -u | while read -r library; do
    mkdir -p "$root$(dirname "$library")"
    copy "$library" "$root$library"
  done
}
with_libraries "${files[@]}"
# What the workers load by name while they run. Of one that lies in a folder of its own, a link in /usr/lib is found.
mkdir -p "$root/usr/lib"
if [ -z "$cuda" ]; then
  # What a toolkit's libraries, NCCL and cuDNN need where they come from the node.
  while read -r name path; do
    mkdir -p "$root$(dirname "$path")"
    copy "$path" "$root$path"
    with_libraries "$path"
  done < <(ldconfig -p | awk '$1 ~ /^lib(gcc_s[.]so[.]1|stdc[+][+][.]so[.]6|z[.]so[.]1)$/ && /x86-64|AArch64/ {print $1, $NF}')
  exit 0
fi
while read -r name path; do
  copy "$path" "$root/usr/lib/$name"
  with_libraries "$path"
done < <(ldconfig -p | awk -v names="^lib($cuda)[.]so[.]" '$1 ~ names && /x86-64|AArch64/ {print $1, $NF}')
