
# --- a command without progress ----------------------------------------------------------------------------------------

# With --stall. Checks the processes of the command on each node every rv_stall_interval seconds. They make progress if
#   - the output grows,
#   - they read or write more than 1 KiB a second, or fault in more than 1,000 pages a second (a loop with `sleep 1` faults in 300),
#   - a GPU works: it reads or writes its memory (utilization.memory above 0 %), draws more than 35 % of its power limit, or the amount of
#     allocated memory has changed, or
#   - more of the processes are busy than there are GPUs that only wait.
# A rank that waits in NCCL keeps its GPU at 100 % and a core busy, so these two prove nothing. Measured on two H200 with
# one of two ranks stopped in an all-reduce: utilization 100 %, memory 0 %, 128 of 700 W, 30 bytes read a second, no page faults; while
# it worked 97 %, 21 %, 685 W.
rv_stall_after={{stall_after}} # seconds
rv_stall_ends={{stall_ends}}   # 1: a stall ends the command
rv_stall_interval=$((rv_stall_after < 600 ? rv_stall_after / 20 : 30))
[ "$rv_stall_interval" -ge 1 ] || rv_stall_interval=1
# Marks the command's environment. For a command with several processes, its srun has a different mark.
rv_watched=$SLURM_JOB_ID.${1:-script}
rv_stall_names=$SLURM_JOB_ID.${SLURM_RESTART_COUNT:-0} # identifies the start of the job in names of files

# Prints "<process> <start> <CPU ticks> <page faults> <state>" for each process of the command on this node: those with RV_WATCHED in
# their environment (set_up.inc.sh), and their descendants.
rv_stall_processes() {
  local marked
  marked=$(grep -lazxF "RV_WATCHED=$rv_watched" /proc/[0-9]*/environ 2>/dev/null | cut -d/ -f3 | tr '\n' ' ')
  rv_stall_below "$marked"
}

# rv_stall_below "PROCESS …": the same for those of these processes that still exist, and their descendants.
rv_stall_below() {
  cat /proc/[0-9]*/stat 2>/dev/null | LC_ALL=C awk -v roots=" $1 " '
    function is_root(id) { return index(roots, " " id " ") > 0 }
    /^[0-9]+ \(/ && /\) / {
      id = $1
      rest = $0
      sub(/^.*\) /, "", rest)
      split(rest, field, " ")
      parent[id] = field[2]
      # Includes the time of children that have ended: a build runs many short ones.
      cpu = field[12] + field[13] + field[14] + field[15]
      line[id] = id " " field[20] " " cpu " " field[8] + field[9] + field[10] + field[11] " " field[1]
    }
    END {
      for (id in line) {
        at = id
        for (depth = 0; depth < 64 && at in parent && !is_root(at); depth++) at = parent[at]
        if (is_root(at)) print line[id]
      }
    }'
}

# rv_stall_snapshot: prints "out <bytes>", "io <bytes>", and the processes.
rv_stall_snapshot() {
  local processes ids
  processes=$(rv_stall_processes)
  ids=$(awk '{ printf "/proc/%s/io ", $1 }' <<<"$processes")
  echo "out $(stat -c %s "$RV_RUN_DIR/logs/${rv_label:-$rv_node}".{out,err} 2>/dev/null | awk '{ sum += $1 } END { printf "%.0f", sum }')"
  # shellcheck disable=SC2086 # one word for each process
  echo "io $(grep -hE '^[rw]char' $ids /dev/null 2>/dev/null | awk '{ sum += $2 } END { printf "%.0f", sum }')"
  echo "$processes"
}

# rv_stall_compare BEFORE NOW SECONDS: prints "progress", or the number of busy processes.
rv_stall_compare() {
  awk -v seconds="$3" -v ticks="$(getconf CLK_TCK)" '
    $1 == "---" { now = 1; next }
    $1 == "out" || $1 == "io" { if (now) grew[$1] = $2 - was[$1]; else was[$1] = $2; next }
    NF == 5 {
      key = $1 " " $2
      if (!now) { cpu[key] = $3; faults[key] = $4; next }
      if (!(key in cpu)) next
      if ($3 - cpu[key] > 0.05 * ticks * seconds) busy++
      pages += $4 - faults[key]
    }
    END {
      if (grew["out"] > 0 || grew["io"] > 1024 * seconds || pages > 1000 * seconds) print "progress"
      else print busy + 0
    }' <<<"$1"$'\n---\n'"$2"
}

# rv_stall_gpus: prints "<GPUs that work> <GPUs that only wait> <MiB allocated>"; zeros if no GPU can be queried.
rv_stall_gpus() {
  local only=()
  [[ ! ${CUDA_VISIBLE_DEVICES:-} =~ ^[0-9]+(,[0-9]+)*$ ]] || only=(-i "$CUDA_VISIBLE_DEVICES")
  timeout 20 nvidia-smi ${only[@]+"${only[@]}"} --format=csv,noheader,nounits \
    --query-gpu=utilization.gpu,utilization.memory,memory.used,power.draw,power.limit 2>/dev/null |
    awk -F', *' '
      $2 + 0 > 0 || ($5 + 0 > 0 && $4 / $5 > 0.35) { working++ }
      $1 + 0 >= 95 && $2 + 0 == 0 && !($5 + 0 > 0 && $4 / $5 > 0.35) { waiting++ }
      { used += $3 }
      END { print working + 0, waiting + 0, used + 0 }'
}

# rv_stall_rank PROCESS: prints its rank, if it has one.
rv_stall_rank() { tr '\0' '\n' 2>/dev/null <"/proc/$1/environ" | sed -n 's/^RANK=\([0-9][0-9]*\)$/\1/p' | head -n 1; }

# Prints NCCL's own report about its ranks, from the RAS port that each of its processes has since NCCL 2.24.
rv_stall_ras() {
  (exec 3<>/dev/tcp/127.0.0.1/28028 && printf 'verbose status\n' >&3 && timeout 30 cat <&3) 2>/dev/null
}

# rv_stall_evidence SILENT: writes a file to stall/ in the run folder, once for each stall. It begins with the lines "suspect: …".
rv_stall_evidence() {
  local file=$RV_RUN_DIR/stall/$rv_stall_names.$rv_stalls.$rv_node.txt processes ras id state rank
  mkdir -p "$RV_RUN_DIR/stall"
  processes=$(rv_stall_processes)
  ras=$(rv_stall_ras)
  {
    while read -r id _ _ _ state; do
      case $state in
        T | t) state="is suspended (state $state)" ;;
        D) state="waits for a device or a file system (state D)" ;;
        *) continue ;;
      esac
      rank=$(rv_stall_rank "$id")
      echo "suspect: ${rank:+rank $rank, }process $id on $rv_node $state"
    done <<<"$processes"
    sed -n 's/^ *\(Rank [0-9][0-9]* -- .*\)/suspect: NCCL: \1/p' <<<"$ras" | head -n 8
    printf 'no progress for %s s at %(%F %T %Z)T\n\n' "$1" -1
    while read -r id _ _ _ state; do
      [ -n "$id" ] || continue
      rank=$(rv_stall_rank "$id")
      printf '%s state %s%s, in %s: %s\n' "$id" "$state" "${rank:+, rank $rank}" "$(cat "/proc/$id/wchan" 2>/dev/null)" \
        "$(tr '\0' ' ' 2>/dev/null <"/proc/$id/cmdline" | cut -c1-200)"
      sed 's/^/    /' "/proc/$id/stack" 2>/dev/null | head -n 20
    done <<<"$processes"
    if command -v py-spy >/dev/null; then
      while read -r id _; do
        [[ $(readlink "/proc/$id/exe" 2>/dev/null) != *python* ]] || timeout 15 py-spy dump --pid "$id" 2>&1
      done <<<"$processes"
    fi
    printf '\nnvidia-smi\n'
    timeout 20 nvidia-smi 2>&1
    printf '\nNCCL (RAS)\n%s\n' "${ras:-no answer}"
    dmesg 2>/dev/null | grep -E 'NVRM: Xid|SXid' | tail -n 10
  } >"$file" 2>/dev/null
  rv_stall_keep_traces "$processes" >>"$file" 2>/dev/null
}

# Copies the records of PyTorch's flight recorder from the file PREFIX<rank>. By default that is in /tmp, where every user may create it.
rv_stall_keep_traces() {
  local id rank prefix
  while read -r id _; do
    rank=$(rv_stall_rank "$id")
    [ -n "$rank" ] || continue
    prefix=$(tr '\0' '\n' <"/proc/$id/environ" | sed -n -E 's/^TORCH_(FR_DUMP|NCCL_DEBUG_INFO)_TEMP_FILE=//p' | head -n 1)
    prefix=${prefix:-/tmp/nccl_trace_rank_}$rank
    [[ $prefix == /* ]] && [ -f "$prefix" ] && [ ! -L "$prefix" ] && [ -O "$prefix" ] || continue
    head -c 67108864 "$prefix" >"$RV_RUN_DIR/stall/$rv_stall_names.$rv_stalls.$rv_node.trace_rank_$rank" || continue
    echo "flight recorder of rank $rank: $rv_stall_names.$rv_stalls.$rv_node.trace_rank_$rank"
  done <<<"$1"
}

# Ends the command's processes on this node. A stopped process receives TERM only when it is continued. After 30 seconds, only these
# processes and their descendants are killed: this script may already be copying the output.
rv_stall_end() {
  local id ids=()
  while read -r id _; do [ -z "$id" ] || ids+=("$id"); done <<<"$(rv_stall_processes)"
  [ "${#ids[@]}" -gt 0 ] || return 0
  for id in ${ids[@]+"${ids[@]}"}; do kill -s TERM "$id" && kill -s CONT "$id"; done 2>/dev/null
  sleep 30 &
  wait $!
  while read -r id _; do kill -s KILL "$id"; done 2>/dev/null <<<"$(rv_stall_below "${ids[*]+"${ids[*]}"}")"
}

# rv_stall_elsewhere SECONDS: in a job on several nodes, whether all other nodes have been silent for this long. Only the first node
# decides; 1 on others. A node whose own note has not changed for this long counts as silent, and is suspect.
rv_stall_elsewhere() {
  local file silent tick node
  [ "${RV_NNODES:-1}" -gt 1 ] || return 0
  [ "${SLURM_NODEID:-0}" -eq 0 ] || return 1
  rv_frozen=""
  local files=("$RV_RUN_DIR/jobs/$rv_stall_names".*.silent)
  [ "${#files[@]}" -ge "$RV_NNODES" ] || return 1
  for file in ${files[@]+"${files[@]}"}; do
    read -r silent tick <"$file" || continue
    node=${file#"$RV_RUN_DIR/jobs/$rv_stall_names."}
    node=${node%.silent}
    if [ "${rv_ticks[$node]:-}" != "$tick" ]; then
      rv_ticks[$node]=$tick rv_tick_seen[$node]=$SECONDS
    elif [ $((SECONDS - rv_tick_seen[$node])) -ge "$1" ]; then
      rv_frozen+=" $node"
      continue
    fi
    [ "$silent" -ge "$1" ] || return 1
  done
}

# rv_stall_found SILENT: records the stall, with evidence from every node, and ends the command if rv_stall_ends is set.
rv_stall_found() {
  local suspect node tries
  : >"$RV_RUN_DIR/jobs/$rv_stall_names.stall.$rv_stalls"
  rv_stall_evidence "$1"
  for node in $rv_frozen; do echo "suspect: node $node has not reported for $1 s" >>"$RV_RUN_DIR/stall/$rv_stall_names.$rv_stalls.$rv_node.txt"; done
  # The other nodes find the mark at their next check.
  for ((tries = 0; tries < 2 * rv_stall_interval + 60; tries++)); do
    set -- "$1" "$RV_RUN_DIR/stall/$rv_stall_names.$rv_stalls."*.txt
    [ $(($# - 1)) -lt "${RV_NNODES:-1}" ] || break
    sleep 1 &
    wait $!
  done
  suspect=$(sed -n 's/^suspect: //p' "$RV_RUN_DIR/stall/$rv_stall_names.$rv_stalls."*.txt | head -n 1 | LC_ALL=C tr -cd '[:print:]' | cut -c1-160)
  rv_event stalled ",\"silent_s\":$1,\"ends\":${rv_stall_ends:-0},\"suspect\":\"${suspect//[\"\\]/}\""
  [ -z "$rv_stall_ends" ] || rv_stall_end
}

rv_watch_for_stall() {
  local before now since=$SECONDS last=$SECONDS longest=0 limit busy gpus used="" found="" spoken=""
  local -A rv_ticks=() rv_tick_seen=()
  rv_stalls=1 rv_frozen=""
  trap 'exit 0' TERM
  trap '' INT HUP USR1
  before=$(rv_stall_snapshot)
  while :; do
    sleep "$rv_stall_interval" &
    wait $!
    now=$(rv_stall_snapshot)
    busy=$(rv_stall_compare "$before" "$now" "$((SECONDS - last > 0 ? SECONDS - last : 1))")
    # There is no process before the command has started, and while its output is copied.
    [ "$(wc -l <<<"$now")" -gt 2 ] && [ -n "${now##*$'\n'}" ] || busy=progress
    if [ "$busy" != progress ]; then
      read -r -a gpus <<<"$(rv_stall_gpus)"
      [ -z "$used" ] || [ "${gpus[2]:-0}" = "$used" ] || busy=progress
      [ "${gpus[0]:-0}" -eq 0 ] && { [ "$busy" = progress ] || [ "$busy" -le "${gpus[1]:-0}" ]; } || busy=progress
      used=${gpus[2]:-0}
    fi
    [ "$(head -n 1 <<<"$now")" = "out 0" ] || spoken=1
    if [ "$busy" = progress ]; then
      # The first output ends the start-up phase, whose silence does not count for the longest silence so far.
      [ -z "$spoken" ] || [ $((last - since)) -le "$longest" ] || longest=$((last - since))
      since=$SECONDS
      if [ -n "$found" ]; then
        found=""
        rv_stalls=$((rv_stalls + 1))
        rv_event progress
      fi
    fi
    before=$now last=$SECONDS
    [ "${RV_NNODES:-1}" -eq 1 ] || rv_stall_note "$((SECONDS - since))"
    limit=$((2 * longest > rv_stall_after ? 2 * longest : rv_stall_after))
    [ -z "$found" ] || continue
    if [ -e "$RV_RUN_DIR/jobs/$rv_stall_names.stall.$rv_stalls" ]; then
      found=1
      rv_stall_evidence "$((SECONDS - since))"
    elif [ $((SECONDS - since)) -ge "$limit" ] && rv_stall_elsewhere "$limit"; then
      found=1
      rv_stall_found "$((SECONDS - since))"
    fi
  done
}

# rv_stall_note SECONDS: records for the first node how long this node has been silent. The second number changes each time.
rv_stall_note() {
  local file=$RV_RUN_DIR/jobs/$rv_stall_names.$rv_node.silent
  echo "$1 $SECONDS" >"$file.new" && mv -f "$file.new" "$file"
} 2>/dev/null
rv_begin_stall_watch() { rv_beside rv_watch_for_stall; }
