#!/bin/bash
# One host's side of work over ssh (rv accept, stress, sweep --hosts): runs the node's script, says that it is alive, sends reports as they come,
# and leaves nothing behind, however the connection ends. stdin brings lines (and files of a said length), stdout takes
# marks (cli/remote/hop/marks.h) between the script's own lines. All that is started here has RV_HOST_FOLDER in its
# environment; that is how it is found.
set -u
token=$1
folder=$RV_HOST_FOLDER
patience=15 # seconds without a message from the other side: a lost connection may stay open for hours
node='' name='' code='' steps_seen=''
exec 2>"$folder/trouble"

say() { printf '\001rv %s %s\002' "$token" "$1"; }

# Those that this side has started, and what they have started: this shell and the search itself are not among them.
find_processes() {
  local file
  processes=()
  while IFS= read -r file; do
    file=${file#/proc/}
    [ "${file%/environ}" = $$ ] || processes+=("${file%/environ}")
  done < <(exec env -u RV_HOST_FOLDER grep -lsaF -e "RV_HOST_FOLDER=$folder" /proc/[0-9]*/environ)
}

end_processes() {
  local round signal asked=15
  # A container's engine clears up after what ended in it.
  [ ! -e "$folder/container" ] || asked=50
  for round in {1..80}; do
    find_processes
    [ "${#processes[@]}" -gt 0 ] || return 0
    signal=KILL
    [ "$round" -gt "$asked" ] || signal=TERM
    # A process gets the signal once; a stopped process is continued first.
    [ "$round" = 1 ] || [ "$signal" = KILL ] || { sleep 0.1; continue; }
    kill -"$signal" "${processes[@]}"
    [ "$signal" = KILL ] || kill -CONT "${processes[@]}"
    sleep 0.1
  done
  return 1
}

finish() {
  trap '' HUP TERM INT PIPE
  end_processes
  local ended=$?
  send_reports
  cd / && rm -rf "$folder"
  [ "$ended" -ne 0 ] || [ -e "$folder" ] || say clean
  exit 0
}
trap finish HUP TERM INT PIPE

# Files that the other side accepts (cli/remote/hosts/report_archive.h): regular, none hidden, none over 64 MiB, 250 MiB
# in all. What it does not accept would end the work, and a sweep's folder also has files of the user's command.
list_reports() {
  local size file base above LC_ALL=C
  local -i sum=0 count=0
  while IFS= read -r -d '' size && IFS= read -r -d '' file; do
    base=${file##*/} above=${file%"${file##*/}"}
    [[ $file != *[[:cntrl:]]* && ${#base} -le 100 && ${#above} -le 151 ]] || continue
    sum+=$((size + 1024)) count+=1
    [ "$sum" -le 262144000 ] && [ "$count" -le 10000 ] || return 0
    printf '%s\0' "$file"
  done < <(find "$folder/reports/$name" -mindepth 1 -maxdepth 8 -name '.*' -prune -o -type f -size -131073 -printf '%s\0%P\0')
}

send_reports() {
  [ -d "$folder/reports/$name" ] || return 0
  list_reports | tar -C "$folder/reports/$name" --format=ustar --null --no-recursion -czf "$folder/out.tgz" -T - || return 0
  say "log reports $(wc -c <"$folder/out.tgz")"
  timeout "$patience" cat "$folder/out.tgz"
}

# What the script has printed since the last time.
pass_on() {
  local line
  while IFS= read -r line <&7 || [ -n "$line" ]; do printf '%s\n' "$line"; done
}

count_gpus() {
  gpus=unknown
  local list
  if [ -n "${CUDA_VISIBLE_DEVICES:-}" ]; then
    list=${CUDA_VISIBLE_DEVICES//[!,]/}
    gpus=$((${#list} + 1))
  elif list=$(timeout 20 nvidia-smi -L); then
    gpus=$(grep -c '^GPU ' <<<"$list")
  fi
}

free_port() {
  local -i left=50
  while [ $((left--)) -gt 0 ]; do
    port=$((10000 + RANDOM % 20000))
    (exec 3<>"/dev/tcp/127.0.0.1/$port") || return 0
  done
}

# The workers of the other side at the same place here: same bytes, so any of the two will do.
look_for_workers() {
  local count line sums=''
  { read -r workers && read -r count; } || finish
  for ((; count > 0; count--)); do
    read -r line || finish
    sums+=$line$'\n'
  done
  seen=other
  if cd "$workers"; then
    sha256sum --status -c <<<"${sums%$'\n'}" && seen=same
    cd /
  fi
}

# What two names of one host have in common, and no other host, even if it is a container of the same machine.
say_machine() {
  local boot net pids
  boot=$(cat /proc/sys/kernel/random/boot_id) && net=$(readlink /proc/self/ns/net) && pids=$(readlink /proc/self/ns/pid) || return 0
  say "fact machine $boot $net $pids"
}

say_facts() {
  local address=${SSH_CONNECTION:-'- - - -'}
  count_gpus
  free_port
  say "fact system $(uname -s) $(uname -m) $(uname -r)"
  say "fact folder $folder"
  say "fact gpus $gpus"
  say "fact workers $seen"
  say "fact port $port"
  say_machine
  say "fact client ${address%% *}"
  address=${address#* * }
  say "fact address ${address%% *}"
  say ready
}

# start RANK NODES ADDRESS PORT SLOTS NAME
start() {
  local list
  export RANK=$1 WORLD_SIZE=$2 LOCAL_RANK=0 MASTER_ADDR=$3 MASTER_PORT=$4 RV_NODE_NAME=$6
  name=$6
  if [ "$gpus" != unknown ] && [ "$5" -lt "$gpus" ]; then
    list=${CUDA_VISIBLE_DEVICES:-$(seq -s, 0 $((gpus - 1)))}
    CUDA_VISIBLE_DEVICES=$(cut -d, -f"1-$5" <<<"$list")
    export CUDA_VISIBLE_DEVICES
  fi
  : >"$folder/progress"
  exec 7<"$folder/progress"
  bash "$folder/node.sh" >"$folder/progress" 2>&1 </dev/null 7<&- &
  node=$!
}

# file NAME MODE LENGTH
take_file() {
  # Below the private folder only.
  case /$1/ in *//* | */../*) finish ;; esac
  mkdir -p "$(dirname "$folder/$1")"
  head -c "$3" >"$folder/$1"
  [ "$(wc -c <"$folder/$1")" -eq "$3" ] || finish
  chmod "$2" "$folder/$1"
}

look_at_node() {
  local steps
  [ -n "$node" ] && [ -z "$code" ] || return 0
  if ! kill -0 "$node"; then
    wait "$node"
    code=$?
  fi
  pass_on
  # There is something new to send where it has said something, or has begun a step.
  steps=$(cat "$folder/progress" "$folder/reports/$name/steps.jsonl" | wc -c)
  if [ "$steps" != "$steps_seen" ] || [ -n "$code" ]; then send_reports; fi
  steps_seen=$steps
  [ -z "$code" ] || say "ended $code"
}

look_for_workers
say_facts
heard=$SECONDS
while :; do
  if IFS= read -r -t 1 line; then
    heard=$SECONDS
    read -ra words <<<"$line"
    case ${words[0]:-} in
      file) take_file "${words[@]:1}" ;;
      start) start "${words[@]:1}" ;;
      end) finish ;;
    esac
  elif [ $? -le 128 ] || [ $((SECONDS - heard)) -gt "$patience" ]; then
    finish
  fi
  look_at_node
  say alive
done
