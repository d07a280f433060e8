#!/usr/bin/env bash
# A wrapper that comes before sbatch and scancel in PATH and calls the real program, unless a file beside it requests a fault:
# <name>.fault contains "fail", "lose" (the real program runs, but its output and exit code are lost) or "delay SECONDS".
name=$(basename "$0")
here=$(dirname "$0")
IFS=: read -ra folders <<<"$PATH"
for folder in "${folders[@]}"; do
  [ "$folder" = "$here" ] || [ ! -x "$folder/$name" ] || { real=$folder/$name && break; }
done
fault=none seconds=0
{ [ ! -r "$here/$name.fault" ] || read -r fault seconds <"$here/$name.fault"; } 2>/dev/null
case $fault in
  fail)
    echo "$name: error: Unable to contact slurm controller (connect failure)" >&2
    exit 1
    ;;
  lose)
    "$real" "$@" >/dev/null 2>&1
    echo "$name: error: Socket timed out on send/recv operation" >&2
    exit 1
    ;;
  delay) sleep "$seconds" ;;
esac
exec "$real" "$@"
