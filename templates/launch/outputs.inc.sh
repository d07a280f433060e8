
# --- files that the user wants kept -----------------------------------------------------------------------------------

rv_copy_outputs() (
  local path
  # Relative paths are below the working folder.
  [ "${#rv_outputs[@]}" -gt 0 ] && cd "$rv_work_folder" || return 0
  for path in ${rv_outputs[@]+"${rv_outputs[@]}"}; do
    if [ -e "$path" ]; then
      cp -a -- "$path" "$rv_output/" || echo "rv: could not copy $path to $rv_output" >&2
    else
      echo "rv: --output $path: there is no such file or folder after the run" >&2
    fi
  done
)
