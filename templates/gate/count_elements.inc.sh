
# rv_count_elements FOLDER: prints "FAILED ENDED", the numbers of elements of that run's array. By the rules of element.inc.sh: for
# each element its last attempt counts, and the end of its last start.
rv_count_elements() {
  local file listed index number kind attempt how code token start end json bad=0 ended=0
  local -A wanted=() has=()
  for file in "$1"/ledger/[0-9]*; do
    read -r kind attempt json <"$file" || continue
    [[ "$kind $json" =~ ^retry\ .*\"elements\":\[([0-9,]*)\] ]] || continue
    for index in ${BASH_REMATCH[1]//,/ }; do
      [ "$attempt" -le "${wanted[$index]:-1}" ] || wanted[$index]=$attempt
    done
  done
  set -- "$1" "$1"/elements/[0-9]*
  listed=" ${*##*/} "
  for file in "${@:2}"; do
    file=${file##*/}
    has[${file%.*}]=1
  done
  for index in "${!has[@]}"; do
    start="" end=""
    for ((number = 1; ; number++)); do
      [[ $listed == *" $index.$number "* ]] || break
      read -r kind attempt _ _ _ how code _ _ token _ <"$1/elements/$index.$number" || break
      [ "$attempt" -ge "${wanted[$index]:-1}" ] || continue
      case $kind in
        start) start=$token end="" ;;
        exit) [ -n "$start" ] && [ "$token" != "$start" ] || end="$how $code" ;;
      esac
    done
    [ -n "$end" ] || continue
    ended=$((ended + 1))
    [ "$end" = "exited 0" ] || bad=$((bad + 1))
  done
  echo "$bad $ended"
}
