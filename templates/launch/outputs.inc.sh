
# --- files of --output -----------------------------------------------------------------------------------------------

# rv_copy_outputs: copies them after the exit entry, so a copy that the time limit interrupts does not change the exit code. One of these
# marks records the result:
# jobs/<token>.copied       every path was copied; the token is that of the exit entry
# jobs/<token>.copy_failed  the other paths, one per line: "missing PATH" (it did not exist) or "failed PATH"
# On a full disk the mark is an empty file: only its existence matters.
rv_has_outputs=""
[ "${#rv_outputs[@]}" -eq 0 ] || rv_has_outputs=1
rv_copy_outputs() {
  local path failed="" result=copied tries code word
  [ -n "$rv_has_outputs" ] || return 0
  for path in ${rv_outputs[@]+"${rv_outputs[@]}"}; do
    # Relative paths start in the working folder.
    if ! (cd "$rv_work_folder" && [ -e "$path" ]); then
      echo "rv: --output $path: no such file or folder after the run" >&2
      word=missing
    else
      (cd "$rv_work_folder" && cp -a -- "$path" "$rv_output/")
      code=$?
      [ "$code" -ne 0 ] || continue
      # At the time limit, KILL can reach the copy a moment before it reaches this script.
      [ "$code" -le 128 ] || sleep 5
      echo "rv: could not copy $path to $rv_output" >&2
      word=failed
    fi
    result=copy_failed failed+="$word $path"$'\n'
  done
  for ((tries = 0; tries < 5; tries++)); do
    [ "$tries" -eq 0 ] || sleep 2
    rv_await_folder || return
    ! rv_mark_copies "$RV_RUN_DIR/jobs/$rv_token.$result" "$failed" 2>/dev/null || break
  done
}
# rv_mark_copies MARK LINES: creates the mark atomically with its lines, because a client that finds the mark reads it once.
rv_mark_copies() {
  [ -z "$2" ] || { printf '%s' "$2" >"$1.part" && mv -f -- "$1.part" "$1"; } || rm -f -- "$1.part"
  [ -e "$1" ] || : >"$1"
}
# rv_keep_shown: for a batch script whose output file is on another file system, replaces the link to the log by a copy. All segments of a
# chain are over by now, but other elements of an array may still run.
rv_keep_shown() {
  local list log path
  for list in "$RV_RUN_DIR/batch/shown.${SLURM_ARRAY_JOB_ID:+$SLURM_JOB_ID}"*; do
    [ -f "$list" ] || continue
    while IFS= read -r log && IFS= read -r path; do
      [ "$(readlink -- "$path")" = "$log" ] || continue
      if cp -- "$log" "$path.rv-part" && mv -fT -- "$path.rv-part" "$path"; then continue; fi
      rm -f -- "$path.rv-part"
      echo "rv: $path is a link to $log, because it could not be copied" >&2
    done <"$list"
  done
}
