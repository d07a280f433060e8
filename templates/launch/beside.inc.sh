
# --- processes beside the command --------------------------------------------------------------------------------------

rv_helpers=()

# Ends the helpers. If one has ended by itself, its ID may now belong to another process, which is not a child of this script.
rv_end_helpers() {
  local helper stat
  for helper in ${rv_helpers[@]+"${rv_helpers[@]}"}; do
    stat=""
    IFS= read -r stat 2>/dev/null <"/proc/$helper/stat"
    [[ $stat != *") "[A-Z]" $$ "* ]] || kill "$helper"
  done
}

# rv_beside COMMAND…: runs it in the background until this script ends. disown: bash would report its end in the command's log.
rv_beside() {
  "$@" </dev/null >/dev/null 2>&1 &
  rv_helpers+=("$!")
  disown "$!"
  trap 'rv_end_helpers; ! declare -F rv_notify_finish >/dev/null || rv_notify_finish' EXIT
}
