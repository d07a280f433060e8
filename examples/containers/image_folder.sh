#!/usr/bin/env bash
# Makes the root folder of an image of rv's workers from the programs that are installed here, without a network and without
# another image: the programs, the libraries that they load, bash and coreutils, for `FROM scratch`.
#   bash image_folder.sh [--no-cuda] WORKERS FOLDER [PROGRAM…]
#                    WORKERS: the folder of rv-health, …; PROGRAM: other programs of this machine; --no-cuda: for nodes without GPUs
#   podman build -t rv-workers -f examples/containers/Containerfile FOLDER
# NCCL and CUDA's libraries (2 GB) are included if the loader finds them here; the driver's come from the node (CDI, --nv).
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
  # The program, not this shell's builtin.
  path=$(type -P "$tool") || continue
  cp -L "$path" "$root/bin/$tool"
  files+=("$root/bin/$tool")
done
[ -e "$root/bin/sh" ] || ln -s bash "$root/bin/sh"

# copy FILE TO: copies the target of a link, unless it exists.
copy() { [ -e "$2" ] || cp -L "$1" "$2"; }
# with_libraries FILE…: copies each library to its own path, where the image's loader searches like this machine's.
with_libraries() {
  { for file in "$@"; do ldd "$file" 2>/dev/null || true; done; } | grep -o '/[^ )]*' | sort -u | while read -r library; do
    mkdir -p "$root$(dirname "$library")"
    copy "$library" "$root$library"
  done
}
with_libraries "${files[@]}"
# Libraries that the workers load by name at run time. One in another folder gets a link in /usr/lib.
mkdir -p "$root/usr/lib"
if [ -z "$cuda" ]; then
  # Dependencies of a toolkit's libraries, NCCL and cuDNN, if these come from the node.
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
