
# --- the command's process tree --------------------------------------------------------------------------------------
#
# The tree has all processes of the command on this node, at any depth and in any session: launchers start their workers in new
# sessions, daemons have lost their parent, and setproctitle() overwrites the environment.
#
# If Slurm keeps the job in cgroups: the processes of this step, except those from before the command (the script's own, and what the
# set-up lines left behind) and their descendants; and the steps that the command started, except steps of users (rv shell), whose
# environment is readable and without the mark.
# Otherwise: the command and its descendants. A process that was found once stays known after the end of its parent.
#
# $chain/.tree.<mark>.<task>   "k|s <process> <start time>": processes of the command, and other processes
# $chain/.tree.<mark>.seen     the result of the guard's last scan; only without cgroups
# A shell without a mark has no tree. In the command's environment the mark has the run's ID as a prefix: on a machine that belongs to
# two clusters, a job of the other cluster can have the same ID.

rv_proc=/proc # where cgroups are read
rv_seen=""    # result of this shell's last scan
rv_found="" rv_group=""

# rv_start_time PROCESS: sets rv_started, which together with the ID identifies the process. Empty if it has ended.
rv_start_time() {
  local stat="" field
  IFS= read -r -d '' stat 2>/dev/null <"/proc/$1/stat"
  # shellcheck disable=SC2206  # plain numbers, behind the name
  field=(${stat##*) })
  rv_started=${field[19]:-}
}

# Sets rv_group, the prefix of this job's lines in /proc/*/cgroup; empty without cgroups.
rv_find_group() {
  local line name
  rv_group=""
  while IFS= read -r line; do
    # From 26.05 on the folder of a job in cgroup v2 has the name of its SLUID (unless CgroupJobIdPaths=yes).
    for name in "job_$SLURM_JOB_ID" ${SLURM_JOB_SLUID:+"$SLURM_JOB_SLUID"}; do
      case $line in
        *"/$name/step_"*)
          rv_group=${line%%"/$name/"*}/$name/
          return
          ;;
      esac
    done
  done 2>/dev/null <"$rv_proc/$$/cgroup"
}

# Prints the input of rv_sort_out, with a constant number of commands. Processes may end meanwhile.
rv_read_processes() {
  printf '@script\n%s %s %s.%s\n@group\n%s\n@known\n%s' "$$" "$SLURM_JOB_ID" "$RV_RUN_ID" "$rv_mark" "$rv_group" "$rv_seen"
  cat "$chain/.tree.$rv_mark".*
  cd /proc || return
  echo @environments
  head -c 131072 [0-9]*/environ | tr '\0' '\n' |
    LC_ALL=C grep -e '^==> [0-9]*/environ <==$' -e '^RV_TREE=' -e '^SLURM_JOB_ID='
  if [ -n "$rv_group" ]; then
    echo @groups
    (cd "$rv_proc" && grep -HF -e "$rv_group" [0-9]*/cgroup)
  fi
  echo @stat
  cat [0-9]*/stat
} 2>/dev/null

# Prints "k <process> <start time>" for processes of the command, "o …" for others in the job's cgroup without a known parent, and "s …" for
# those of the script.
rv_sort_out() {
  LC_ALL=C awk '
    section != "@stat" && /^@/ { section = $1; next }
    section == "@script" { script = $1; job = "SLURM_JOB_ID=" $2; mark = "RV_TREE=" $3 "." }
    section == "@group" { group = $0 }
    section == "@known" { if ($1 == "k") known[$2, $3] = 1; else aside[$2, $3] = 1 }
    section == "@environments" {
      if (/^==> /) { id = $2; sub(/\/.*/, "", id) }
      if ($0 == mark) marked[id] = 1
      if ($0 == job) whole[id] = 1
    }
    section == "@groups" {
      id = $0
      sub(/\/.*/, "", id)
      sub(/^[0-9]+\/cgroup:/, "")
      if (index($0, group) != 1) next
      path = substr($0, length(group) + 1)
      sub(/\/.*/, "", path)
      step[id] = path
    }
    # The name may contain any byte, such as a newline or a parenthesis.
    section == "@stat" {
      line = held $0
      rest = line
      sub(/^.*\) /, "", rest)
      if (split(rest, field, " ") < 22 || field[2] !~ /^[0-9]+$/) { held = line "?"; next }
      held = ""
      id = line
      sub(/ .*/, "", id)
      # Ended, unless only its first thread has.
      if (field[1] ~ /[ZX]/ && field[18] < 2) next
      start[id] = field[20]
      parent[id] = field[2]
      if (line ~ /^[0-9]+ \(slurmstepd\) /) keeper[id] = 1
    }
    # Processes are read one after another: if an ID is reused meanwhile, parents can form a ring.
    function whose(id) {
      if (!(id in verdict)) {
        verdict[id] = "o"
        verdict[id] = judged(id)
      }
      return verdict[id]
    }
    function judged(id) {
      if (!(id in start) || id in above) return "o"
      if ((id, start[id]) in known || id in marked) return "k"
      if ((id, start[id]) in aside || id == script) return "s"
      return whose(parent[id])
    }
    END {
      for (id = parent[script]; id in parent && !(id in above); id = parent[id]) above[id] = 1
      for (id in step)
        if (id in whole && step[id] != step[script] && !(id in keeper) && whose(id) != "k") entered[step[id]] = 1
      for (id in start) {
        if (id in above || id in keeper || id == script) continue
        if (whose(id) == "k") print "k", id, start[id]
        else if (step[id] == step[script] && group != "" || whose(id) == "s") print whose(id), id, start[id]
        else if (step[id] ~ /^step_[0-9]/ && !(step[id] in entered)) print whose(id), id, start[id]
      }
    }'
}

# Sets rv_found, the process IDs of the tree (none before the command starts), and rv_not_command, other processes in the form of the
# record.
rv_scan() {
  local kind id started seen="" records=("$chain/.tree.$rv_mark".*)
  rv_found="" rv_not_command=""
  [ -n "$rv_mark" ] && { [ -e "${records[0]}" ] || [ "${1:-}" = first ]; } || return 0
  rv_find_group
  while read -r kind id started; do
    case $kind in
      s) rv_not_command+="s $id $started"$'\n' ;;
      *)
        if [ "$kind" = k ]; then seen+="k $id $started"$'\n'; else rv_not_command+="s $id $started"$'\n'; fi
        # A process of another user can't be signalled, and is not waited for.
        ! kill -0 "$id" 2>/dev/null || rv_found+=" $id"
        ;;
    esac
  done < <(rv_read_processes | rv_sort_out)
  rv_seen=$seen
}

# rv_track PROCESS: records the process that will become the command. Processes that the set-up lines left behind do not belong to the
# command. 1: the record can't be written.
rv_track() {
  [ -n "$rv_mark" ] || return 0
  rv_scan first
  rv_found=""
  rv_start_time "$1"
  printf '%s' "$rv_not_command" "k $1 $rv_started"$'\n' >"$chain/.tree.$rv_mark.${SLURM_LOCALID:-0}" && return
  echo "rv: can't write the run folder on $rv_node, so the command did not start" >&2
  return 1
}

# A process that has lost its parent is known only from an earlier scan: the guard stores its results for the script's traps.
rv_remember() {
  local before=$rv_seen
  [ -n "$rv_mark" ] || return 0
  rv_scan
  [ -n "$rv_group" ] || [ "$rv_seen" = "$before" ] || rv_write "$chain/.tree.$rv_mark.seen" "$rv_seen"
}

# rv_catches PROCESS NUMBER: whether the process has a handler for this signal. Its default action would end it before it could save.
rv_catches() {
  local key value caught=0
  while read -r key value; do
    [ "$key" != SigCgt: ] || caught=$value
  done 2>/dev/null <"/proc/$1/status"
  ((16#$caught >> ($2 - 1) & 1))
}

# rv_signal_tree SIGNAL: sends it to all current processes of the command.
rv_signal_tree() {
  local id
  rv_scan
  for id in $rv_found; do kill -s "$1" "$id" 2>/dev/null; done
}

# rv_warn_tree SIGNAL: sends it once to each process that has a handler for it. Later calls send it to processes of the first call that
# had no handler yet because they were just starting. Processes started after the first warning are not warned; until one process has
# been warned, each call includes new processes.
rv_warned="" rv_unwarned=""
rv_warn_tree() {
  local id number
  number=$(kill -l "$1")
  rv_scan
  [ -n "$rv_warned" ] || rv_unwarned="$rv_found "
  for id in $rv_unwarned; do
    [[ "$rv_found " == *" $id "* ]] || continue
    rv_catches "$id" "$number" || continue
    rv_unwarned=${rv_unwarned/ $id / } rv_warned+=" $id"
    kill -s "$1" "$id" 2>/dev/null
  done
}

# After a warning the first process may have ended while others still save.
rv_wait_for_tree() {
  while rv_scan && [ -n "$rv_found" ]; do sleep 1; done
}

# Processes that the command leaves behind would use the GPUs that its next start needs.
rv_clear_tree() {
  local tries
  rv_signal_tree TERM
  for ((tries = 0; tries < 10; tries++)); do
    [ -n "$rv_found" ] || break
    sleep 1
    rv_scan
  done
  [ -z "$rv_found" ] || rv_signal_tree KILL
  [ -z "$rv_mark" ] || rm -f "$chain/.tree.$rv_mark".*
}
