
# --- the command's process tree --------------------------------------------------------------------------------------
#
# All that belongs to this node's part of the command, however deep below it and in whatever session: launchers put their
# workers into sessions of their own, daemons are nobody's children, and who sets a title writes over the environment.
#
# Where Slurm keeps the job in cgroups: the processes of this step, but for those that were there before the command (the
# script's own, and what the site's set-up lines left behind) and what these start; and the steps that the command
# started, but for those that somebody entered (rv shell), whose environment is whole and without the mark.
# Elsewhere: the command and what descends from it. Who was seen once stays known when its parent is gone.
#
# $chain/.tree.<mark>.<task>   "k|s <process> <start time>": the command, and what is not the command's
# $chain/.tree.<mark>.seen     what the guard saw last; only without cgroups
# A shell without a mark has no tree. What the command gets of it in its environment has the run's name before it: where one
# machine is in two clusters, a job of the other one can have the same number.

rv_proc=/proc # where cgroups are read
rv_seen=""    # what this shell saw last
rv_found="" rv_group=""

# rv_started: with its ID, what tells a process from a later one. Empty when it is gone.
rv_start_time() {
  local stat="" field
  IFS= read -r -d '' stat 2>/dev/null <"/proc/$1/stat"
  # shellcheck disable=SC2206  # plain numbers, behind the name
  field=(${stat##*) })
  rv_started=${field[19]:-}
}

# rv_group: how a line of /proc/*/cgroup begins that is of this job; empty without cgroups.
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

# All that rv_sort_out needs, read in a few commands however many processes there are. Those end while they are read.
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

# "k <process> <start time>": the command's. "o …": in the job's cgroup, and nobody's child. "s …": in it, and the script's.
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
    # A name may hold anything, a newline and a parenthesis too.
    section == "@stat" {
      line = held $0
      rest = line
      sub(/^.*\) /, "", rest)
      if (split(rest, field, " ") < 22 || field[2] !~ /^[0-9]+$/) { held = line "?"; next }
      held = ""
      id = line
      sub(/ .*/, "", id)
      # Dead, unless only the first of its threads is.
      if (field[1] ~ /[ZX]/ && field[18] < 2) next
      start[id] = field[20]
      parent[id] = field[2]
      if (line ~ /^[0-9]+ \(slurmstepd\) /) keeper[id] = 1
    }
    # Processes are read one after another: where a number was given out again meanwhile, parents can form a ring.
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

# rv_found: the IDs of the tree that are there now; none before there is a command. rv_aside: what is not the command's, in
# the form of its record, for who is about to start it.
rv_look() {
  local kind id started seen="" records=("$chain/.tree.$rv_mark".*)
  rv_found="" rv_aside=""
  [ -n "$rv_mark" ] && { [ -e "${records[0]}" ] || [ "${1:-}" = first ]; } || return 0
  rv_find_group
  while read -r kind id started; do
    case $kind in
      s) rv_aside+="s $id $started"$'\n' ;;
      *)
        if [ "$kind" = k ]; then seen+="k $id $started"$'\n'; else rv_aside+="s $id $started"$'\n'; fi
        # Another user's can't be signalled, and is not waited for.
        ! kill -0 "$id" 2>/dev/null || rv_found+=" $id"
        ;;
    esac
  done < <(rv_read_processes | rv_sort_out)
  rv_seen=$seen
}

# rv_track PROCESS: it becomes the command, and is on record before that. What the set-up lines left behind is not the command's. 1:
# the record can't be written.
rv_track() {
  [ -n "$rv_mark" ] || return 0
  rv_look first
  rv_found=""
  rv_start_time "$1"
  printf '%s' "$rv_aside" "k $1 $rv_started"$'\n' >"$chain/.tree.$rv_mark.${SLURM_LOCALID:-0}" && return
  echo "rv: can't write the run folder on $rv_node, so the command did not start" >&2
  return 1
}

# A process that has lost its parents is known only if it was seen before: the guard keeps what it sees for the script's traps.
rv_remember() {
  local before=$rv_seen
  [ -n "$rv_mark" ] || return 0
  rv_look
  [ -n "$rv_group" ] || [ "$rv_seen" = "$before" ] || rv_write "$chain/.tree.$rv_mark.seen" "$rv_seen"
}

# Whether a process has a handler for signal number $2. Its default action would end it before it could save.
rv_catches() {
  local key value caught=0
  while read -r key value; do
    [ "$key" != SigCgt: ] || caught=$value
  done 2>/dev/null <"/proc/$1/status"
  ((16#$caught >> ($2 - 1) & 1))
}

# rv_signal_tree SIGNAL: sends it to every process of the command that is found now.
rv_signal_tree() {
  local id
  rv_look
  for id in $rv_found; do kill -s "$1" "$id" 2>/dev/null; done
}

# rv_warn_tree SIGNAL: warns each process that has a handler for it, once. A second call warns those of the first call that had
# no handler yet: programs that were just starting. A process that a warned one starts later is left to it; as long as none could
# be warned, new processes count too.
rv_told="" rv_untold=""
rv_warn_tree() {
  local id number
  number=$(kill -l "$1")
  rv_look
  [ -n "$rv_told" ] || rv_untold="$rv_found "
  for id in $rv_untold; do
    [[ "$rv_found " == *" $id "* ]] || continue
    rv_catches "$id" "$number" || continue
    rv_untold=${rv_untold/ $id / } rv_told+=" $id"
    kill -s "$1" "$id" 2>/dev/null
  done
}

# After a warning the first process may be gone while others still save.
rv_wait_for_tree() {
  while rv_look && [ -n "$rv_found" ]; do sleep 1; done
}

# What an application leaves behind would hold the GPUs that its next start needs.
rv_clear_tree() {
  local tries
  rv_signal_tree TERM
  for ((tries = 0; tries < 10; tries++)); do
    [ -n "$rv_found" ] || break
    sleep 1
    rv_look
  done
  [ -z "$rv_found" ] || rv_signal_tree KILL
  [ -z "$rv_mark" ] || rm -f "$chain/.tree.$rv_mark".*
}
