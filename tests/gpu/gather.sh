#!/usr/bin/env bash
# Puts all files that the scripts beside this one need on a GPU host without a network into one folder: rv, its sampler and
# rv-envs, a release of Slurm, munge, and those of their libraries that a host may lack. Needs munge, libhwloc15, libdbus-1-3
# and patchelf of Debian 12.
# usage: gather.sh BUILD_FOLDER SLURM_ARCHIVE FOLDER    (SLURM_ARCHIVE: see tests/releases.sh)
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
[ "$#" -eq 3 ] || { sed -n 's/^# //p' "$0" | tail -n 1 >&2 && exit 2; }
build=$(realpath "$1") archive=$(realpath "$2")
mkdir -p "$3"
folder=$(realpath "$3")
[ -z "$(ls -A "$folder")" ] || { echo "gather.sh: $folder is not empty" >&2 && exit 2; }

unpacked=$(mktemp -d)
trap 'rm -rf "$unpacked"' EXIT
tar xJf "$archive" -C "$unpacked"
slurm=$(echo "$unpacked"/opt/slurm-*)
mkdir "$folder/bin"
cp "$build/cli/rv" "$build"/workers/rv-{sample,envs} "$folder/bin/"
cp "$(command -v munged)" "$slurm/sbin/"
strip "$folder"/bin/rv-{sample,envs}
cp "$root"/tests/gpu/{one_machine.sh,project_on_slurm.sh,seed_000_on_slurm.sh,train.py} "$root/tests/project/make_wheel.py" \
  "$root"/tests/{assertions.sh,says.py,free_ports.py} "$folder/"

# libraries_of PROGRAM…: those beyond what every host has.
libraries_of() {
  local program
  for program; do ldd "$program" 2>/dev/null || true; done |
    awk '$3 ~ /^\// && $1 !~ /^(libc|libm|libresolv|libpthread|libdl|librt|libgcc_s|libslurmfull)\.so/ { print $3 }' | sort -u
}
# None, unless the workers were built for this machine alone.
mapfile -t beside < <(libraries_of "$build/workers/rv-envs")
if [ "${#beside[@]}" -gt 0 ]; then
  mkdir "$folder/lib"
  cp -L -t "$folder/lib" "${beside[@]}"
  for library in "$folder"/lib/*; do patchelf --force-rpath --set-rpath "\$ORIGIN" "$library"; done
  patchelf --force-rpath --set-rpath "\$ORIGIN/../lib" "$folder/bin/rv-envs"
fi

# The libraries lie with Slurm's own, and each looks for others beside itself. What the loader brings stays the host's;
# accounting needs a database, and is left out.
rm -f "$slurm"/lib/slurm/*mysql* "$slurm/sbin/slurmdbd"
mapfile -t programs < <(find "$slurm" -path '*bin/*' -o -name '*.so')
libraries_of "${programs[@]}" | xargs cp -L -t "$slurm/lib/slurm"
for library in "$slurm"/lib/slurm/*.so*; do patchelf --force-rpath --set-rpath "\$ORIGIN" "$library"; done
for program in "$slurm"/bin/* "$slurm"/sbin/*; do
  patchelf --force-rpath --set-rpath "\$ORIGIN/../lib/slurm" "$program"
done
tar czf "$folder/slurm.tar.gz" -C "$unpacked" opt
du -sh "$folder"
