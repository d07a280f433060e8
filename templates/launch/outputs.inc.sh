
# --- files that the user wants kept -----------------------------------------------------------------------------------

rv_copy_outputs() {
  local path
  for path in ${rv_outputs[@]+"${rv_outputs[@]}"}; do
    if [ -e "$path" ]; then
      cp -a -- "$path" "$RV_OUTPUT_DIR/" || echo "rv: could not copy $path to $RV_OUTPUT_DIR" >&2
    else
      echo "rv: --output $path: there is no such file or folder after the run" >&2
    fi
  done
}
