# Sets rv_ms, milliseconds since 1970. EPOCHREALTIME needs bash 5, and %N GNU date; without both it has whole seconds.
rv_read_clock() {
  local now=${EPOCHREALTIME:-}
  now=${now/[.,]/}000
  [ "$now" != 000 ] || now=$(date +%s%N)
  [[ $now =~ ^[0-9]{19}$ ]] || printf -v now '%(%s)T000000000' -1
  rv_ms=$((now / 1000000))
}
