#!/usr/bin/env bash
# Builds the fuzz targets (preset fuzz) and runs them, or packs them for another machine.
# usage: tests/fuzz/run.sh [EXECUTIONS|SECONDSs [TARGET…]]   (default: 100000 executions of every target)
#        tests/fuzz/run.sh --pack FOLDER
# Keeps interesting inputs in build-fuzz/run/corpus/, and inputs that crash a parser in build-fuzz/run/crashes/.
#   RV_FUZZ_JOBS     number of parallel processes (default: 1)
set -euo pipefail
cd "$(dirname "$0")/../.."
build="build-fuzz"
export RV_FUZZ_JOBS=${RV_FUZZ_JOBS:-1}
pack=""
case ${1:-} in
  --pack)
    pack=${2:?the folder to make}
    [ ! -e "$pack" ] || { echo "${0##*/}: $pack is there already" >&2 && exit 2; }
    ;;
esac
[ -f "$build/build.ninja" ] || [ -f "$build/Makefile" ] || cmake --preset fuzz -G Ninja >/dev/null
cmake --build "$build" -j "$RV_FUZZ_JOBS" --target rv_fuzz >"$build/fuzz.log" 2>&1 || { tail -n 30 "$build/fuzz.log" >&2 && exit 1; }

if [ -z "$pack" ]; then
  mkdir -p "$build/run"
  ln -sfn "$PWD/$build/tests/fuzz" "$build/run/bin"
  ln -sfn "$PWD/tests/fuzz/seeds" "$build/run/seeds"
  RV_FUZZ_FOLDER=$build/run exec bash tests/fuzz/run_targets.sh "${@:-100000}"
fi

# Programs, the libraries and the loader that they need, seeds, and the script that runs them.
mkdir -p "$pack/bin" "$pack/lib"
for program in "$build"/tests/fuzz/fuzz_*; do
  if [ ! -f "$program" ] || [ ! -x "$program" ]; then continue; fi
  strip -s -o "$pack/bin/${program##*/}" "$program"
  ldd "$program" | sed -nE 's|.*[[:blank:]](/[^ ]+) \(0x.*|\1|p'
done | sort -u | xargs cp -L -t "$pack/lib"
cp -r tests/fuzz/seeds "$pack/seeds"
cp tests/fuzz/run_targets.sh "$pack/run_targets.sh"
# The programs share most of their code: a dictionary that is larger than several of them halves the pack.
tar -C "$(dirname "$pack")" -cf - "$(basename "$pack")" | xz -T1 --lzma2=preset=1,dict=128MiB >"$pack.tar.xz"
echo "$pack.tar.xz: $(($(stat -c %s "$pack.tar.xz") >> 20)) MiB; there: tar xf, then run_targets.sh EXECUTIONS"
