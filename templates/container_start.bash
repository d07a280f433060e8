# Starts a command inside a container image, on the node that it runs on.
# usage: bash start ENGINE IMAGE FOLDERS NAMED WORD…
#   ENGINE   apptainer, singularity, podman or docker; empty: the first of these that the node has
#   FOLDERS  absolute, separated by colons: mounted at the same path, like the working folder, the run folder and TMPDIR;
#            folders that this node does not have are left out
#   NAMED    the same for files and folders that the user named, which must exist
# Exits with the command's code, or with 125 (as podman and docker do) if the engine, the image or a named path is missing.
set -u
rv_engine=$1 rv_image=$2 rv_folders=$3 rv_named=$4
shift 4

# If the caller named a file for the error, the caller prints it.
rv_told=${RV_CONTAINER_TOLD:-}
unset RV_CONTAINER_TOLD
rv_no() {
  [ -n "$rv_told" ] && printf '%s\n%s\n' "$1" "$2" >"$rv_told" || printf 'rv: error: %s\nhint: %s\n' "$1" "$2" >&2
  exit 125
}
rv_here=${SLURMD_NODENAME:-${HOSTNAME:-this node}}
if [ -z "$rv_engine" ]; then
  for rv_engine in apptainer singularity podman docker none; do
    ! command -v "$rv_engine" >/dev/null || break
  done
  [ "$rv_engine" != none ] ||
    rv_no "--container $rv_image: $rv_here has none of apptainer, singularity, podman and docker" \
      "ask where they are (module avail), or for Pyxis"
fi
command -v "$rv_engine" >/dev/null ||
  rv_no "--container $rv_image: $rv_here has no $rv_engine" "say what the nodes have with container: in the settings"

# Some engines reject a folder that is mounted twice.
rv_mounts=() rv_list=""
rv_mount() {
  local known
  # The node's root folder would hide that of the image.
  [ "$1" != / ] && [ -e "$1" ] && [[ $1 != *[:,\\[:cntrl:]]* ]] || return 0
  for known in ${rv_mounts[@]+"${rv_mounts[@]}"}; do
    [ "$known" != "$1" ] || return 0
  done
  rv_mounts+=("$1") rv_list+="${rv_list:+,}$1"
}
rv_mount "$PWD"
rv_mount "${RV_RUN_DIR:-}"
rv_mount "${TMPDIR:-/tmp}"
IFS=: read -ra rv_folders <<<"$rv_folders"
IFS=: read -ra rv_named <<<"$rv_named"
for rv_folder in ${rv_folders[@]+"${rv_folders[@]}"}; do rv_mount "$rv_folder"; done
for rv_folder in ${rv_named[@]+"${rv_named[@]}"}; do
  [ -e "$rv_folder" ] ||
    rv_no "--container-mount $rv_folder: $rv_here has no such file or folder" "check the path on the node; it has the same inside"
  rv_mount "$rv_folder"
done
rv_gpus=""
[ ! -e /dev/nvidiactl ] || rv_gpus=1

rv_folder=""

# Its children are processes of this job: signals and the time limit reach them like any other process.
rv_apptainer() {
  [[ $rv_image == *://* ]] || [ -e "$rv_image" ] ||
    rv_no "--container $rv_image: there is no such file on $rv_here" "$rv_engine takes a .sif file, or docker://NAME from a registry"
  if [[ $rv_image == *://* ]]; then
    # A new folder: in a shared TMPDIR another user could create the image's file first.
    rv_folder=$(mktemp -d "${TMPDIR:-/tmp}/rv-image-XXXXXX") ||
      rv_no "--container $rv_image: no folder can be made in ${TMPDIR:-/tmp} on $rv_here" "free some space there"
    trap 'rm -rf "$rv_folder"' EXIT
    local file=$rv_folder/image.sif
    "$rv_engine" pull --force "$file" "$rv_image" >&2 ||
      rv_no "--container $rv_image: $rv_engine can't pull it on $rv_here" "its words are above; pull it once by hand and give the .sif file"
    rv_image=$file
    "$rv_engine" exec ${rv_gpus:+--nv} --bind "$rv_list" --pwd "$PWD" "$rv_image" "$@"
    exit
  fi
  exec "$rv_engine" exec ${rv_gpus:+--nv} --bind "$rv_list" --pwd "$PWD" "$rv_image" "$@"
}

# podman and docker do not start the command below this process. The engine forwards signals to this process; signals to all processes of
# the job also reach those in the container, which are processes of this machine too.
rv_child=""
rv_pass() {
  if [ -s "$rv_folder/id" ]; then
    "$rv_engine" kill --signal "$1" "$(<"$rv_folder/id")" >/dev/null 2>&1
  else
    [ -z "$rv_child" ] || kill -s TERM "$rv_child" 2>/dev/null
  fi
}
# rv_wait_for: waits for rv_child through any signals and returns its exit code.
rv_wait_for() {
  local code again
  while :; do
    wait "$rv_child"
    code=$?
    kill -0 "$rv_child" 2>/dev/null || break
  done
  wait "$rv_child" 2>/dev/null
  again=$?
  [ "$again" -eq 127 ] || code=$again
  return "$code"
}
# rv_look_up PROGRAM WORD…: returns 127 or 126 if the program does not exist or can't be executed in a container with these options, else 1.
# The init process exits with 1 in all three cases. The runtime below podman also checks, before it starts anything.
rv_look_up() {
  local id said
  id=$("$rv_engine" create "${@:2}" "$rv_image" "$1" 2>/dev/null) || return 1
  said=$("$rv_engine" init "$id" 2>&1)
  "$rv_engine" rm -f "$id" >/dev/null 2>&1
  case $said in
    *"executable file"*"not found"*) return 127 ;;
    *"open executable: Permission denied"*) return 126 ;;
  esac
  return 1
}
rv_podman() {
  local began=$SECONDS words name uuids init="" terminal=""
  trap 'rv_pass TERM' TERM
  trap 'rv_pass INT' INT
  if ! "$rv_engine" image inspect "$rv_image" >/dev/null 2>&1; then
    "$rv_engine" pull -q "$rv_image" >/dev/null </dev/null &
    rv_child=$!
    rv_wait_for ||
      rv_no "--container $rv_image: $rv_engine neither has it nor can pull it on $rv_here" "its words are above; check the name, or load the image there"
  fi
  rv_folder=$(mktemp -d "${TMPDIR:-/tmp}/rv-container-XXXXXX") ||
    rv_no "--container $rv_image: no folder can be made in ${TMPDIR:-/tmp} on $rv_here" "free some space there"
  trap 'rm -rf "$rv_folder"' EXIT
  # Ignores the entry point of the image: the arguments are the command.
  words=(--entrypoint "" --network=host --ipc=host --workdir "$PWD")
  if [ -t 0 ] && [ -t 1 ]; then terminal=1; fi
  for name in ${rv_mounts[@]+"${rv_mounts[@]}"}; do words+=(-v "$name:$name"); done
  for name in $(compgen -e); do
    case $name in
      PATH | LD_* | HOME | HOSTNAME | SHELL | PWD | OLDPWD | SHLVL | _) ;; # the image's
      *) words+=(-e "$name") ;;
    esac
  done
  if [ "$rv_engine" = podman ]; then
    # It stays in the job's cgroup, so Slurm counts its memory and ends it with the job. podman then needs a PID namespace. The first process
    # of that ignores signals without a handler, so it is an init.
    words+=(--cgroups=disabled --security-opt label=disable)
    for name in /usr/libexec/podman /usr/local/libexec/podman /usr/local/lib/podman /usr/lib/podman /usr/bin; do
      [ ! -x "$name/catatonit" ] || { init=1 && break; }
    done
    [ "$(id -u)" -eq 0 ] || words+=(--userns=keep-id)
    if [ -n "$rv_gpus" ]; then
      if compgen -G '/etc/cdi/*nvidia*' >/dev/null || compgen -G '/var/run/cdi/*nvidia*' >/dev/null; then
        words+=(--device nvidia.com/gpu=all)
      else
        echo "rv: the command can't see a GPU: $rv_here has no CDI specification for its GPUs (create one with nvidia-ctk cdi generate)" >&2
      fi
    fi
  else
    words+=(--pid=host --user "$(id -u):$(id -g)")
    if [ -n "$rv_gpus" ]; then
      # Its daemon does not know the job's devices.
      uuids=$(nvidia-smi ${CUDA_VISIBLE_DEVICES:+-i "$CUDA_VISIBLE_DEVICES"} --query-gpu=uuid --format=csv,noheader | tr '\n' ',')
      [ -z "$uuids" ] || words+=(--gpus "\"device=${uuids%,}\"" -e "CUDA_VISIBLE_DEVICES=${uuids%,}")
    fi
  fi
  "$rv_engine" run --rm -i ${terminal:+-t} "--cidfile=$rv_folder/id" --sig-proxy=false ${init:+--init} \
    ${words[@]+"${words[@]}"} "$rv_image" "$@" <&0 &
  rv_child=$!
  rv_wait_for
  local code=$?
  if [ "$code" -eq 1 ] && [ -n "$init" ] && [ $((SECONDS - began)) -lt 60 ]; then
    rv_look_up "$1" ${words[@]+"${words[@]}"}
    code=$?
  fi
  return "$code"
}

case $rv_engine in
  apptainer | singularity) rv_apptainer "$@" ;;
  *) rv_podman "$@" ;;
esac
