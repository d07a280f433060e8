#!/usr/bin/env bash
# The real docker client accepts the arguments of templates/container_start.bash. It sends them to a service that does not
# exist, so no container runs here.
set -euo pipefail
# A GPU's file of its own, where this machine has none: a root folder of devices that nobody else sees.
[ -n "${RV_OWN_MOUNTS:-}" ] || RV_OWN_MOUNTS=1 exec unshare --mount --propagation private bash "$0"
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/rv-docker-XXXXXX")
# shellcheck source=tests/assertions.sh
source "$root/tests/assertions.sh"
trap 'code=$(end_code "$?"); echo over >"$work/killed"; drop_work "$code"; exit "$code"' EXIT
goes_on=yes
cd "$work"
real=$(command -v docker || echo /opt/docker-client/docker) # of tests/packages.sh
[ -x "$real" ] || fail "no docker client: tests/packages.sh install tests"
DOCKER_HOST=tcp://127.0.0.1:$(free_port)
export DOCKER_HOST
unset DOCKER_CONTEXT
export TMPDIR=$work

# A docker that has the image, or begins the container, where the test wants it; all else is the real one's.
mkdir bin data
cat >bin/docker <<S
#!/bin/bash
printf '%s\n' "\$*" >>"$work/calls"
# Its output is complete after it has ended.
case " \${PRETEND:-} " in *" \$1 "*) ;; *) { "$real" "\$@" 2>&1 >&3 | tee -a "$work/words" >&2; exit "\${PIPESTATUS[0]}"; } 3>&1 ;; esac
[ "\$1" = run ] || exit 0
for word in "\$@"; do [[ \$word != --cidfile=* ]] || echo 0123456789ab >"\${word#*=}"; done
until [ -s "$work/killed" ]; do sleep 0.1; done
S
cat >bin/nvidia-smi <<S
#!/bin/bash
printf 'GPU-1\nGPU-2\n'
S
chmod +x bin/*
export PATH=$work/bin:$PATH
start() { bash "$root/templates/container_start.bash" docker localhost/image "$work/none" "$work/data:$work/named" "$@"; }
: >named
# asked WHAT…: the client accepted all arguments before it contacted the service.
asked() {
  contains "$*" "annot connect to the Docker daemon" "$err"
  lacks "$*" "nknown" "$err"
  lacks "$*" "nvalid" "$err"
  lacks "$*" "requires" "$err"
}

# Neither has it nor can pull it.
exits 125 start true
asked pull
contains "two lines" "rv: error: --container localhost/image: docker neither has it nor can pull it on" "$err"
equal "questions" "image inspect localhost/image,pull -q localhost/image" "$(paste -sd, calls)"

# The container itself, with and without GPUs; a variable with spaces, arguments that look like docker's options.
export PRETEND=image GREETING='two words'
exits 125 start sh -c 'exit 7' --rm --no-such-option
asked run
contains words "--rm -i --cidfile=" "$(tail -n 1 calls)"
contains "mounts" "-v $work/data:$work/data -v $work/named:$work/named" "$(tail -n 1 calls)"
lacks "what is not here" "$work/none" "$(tail -n 1 calls)"
contains "a variable" "-e GREETING" "$(tail -n 1 calls)"
if [ ! -e /dev/nvidiactl ]; then
  mkdir dev
  mount -t tmpfs dev dev
  for name in null zero random urandom tty; do : >"dev/$name" && mount --bind "/dev/$name" "dev/$name"; done
  : >dev/nvidiactl
  ln -s /proc/self/fd dev/fd
  mount --rbind dev /dev
  umount -l dev
fi
exits 125 start true
asked "run with GPUs"
contains GPUs '--gpus "device=GPU-1,GPU-2" -e CUDA_VISIBLE_DEVICES=GPU-1,GPU-2' "$(tail -n 1 calls)"

# What was named and is not here.
rm named
exits 125 start true
contains "which mount" "rv: error: --container-mount $work/named: " "$err"
contains "what is wrong" " has no such file or folder" "$err"

# A signal is sent with docker kill.
: >words
PRETEND="image run" bash "$root/templates/container_start.bash" docker localhost/image "" "" sleep 60 2>err &
started=$!
begun() { compgen -G "$TMPDIR/rv-container-*/id" >/dev/null; }
wait_for 20 begun || fail "it does not begin"
kill -TERM "$started"
asked_to_end() { grep -q "annot connect" words; }
wait_for 20 asked_to_end || fail "docker kill is not called: $(<words)"
equal "the signal" "kill --signal TERM 0123456789ab" "$(tail -n 1 calls)"
lacks "what it says to that" "nknown" "$(<words)"
echo over >killed
wait "$started" || true
