#!/usr/bin/env bash
# The results of a rendered script's own functions for ledgers. usage: verdicts.bash FUNCTIONS ENTRIES ledger|element …
#   … ledger DEPTH          of every sequence of ENTRIES up to DEPTH long, in depth-first order, one line each
#   … ledger -              of the sequences on standard input, each a line of ENTRIES' places from 0
#   … element RUN ELEMENT DEPTH   the run's ledger is a line of places in RUN; every element's ledger of ELEMENT entries
# A line: what the entries say together, then what each job of the list below does at the gate and before user code.
#
# The script under test reads what is set here and sets what is read here.
# shellcheck disable=SC2034,SC2154
set -u
functions=$1 entries=$2 what=$3 walks=1

# "attempt candidate restart job"
jobs=("1 1 0 10" "1 1 1 10" "1 2 0 11" "1 1 0 12" "2 1 0 12")

export SLURM_JOB_ID=10 SLURMD_NODENAME=n1 SLURM_ARRAY_JOB_ID=10 SLURM_ARRAY_TASK_ID=0
# shellcheck source=/dev/null # the script under test
. "$functions" none

take() { # LINE: as rv_read_ledger does, without a here-string, which would be a file each time
  # shellcheck disable=SC2086 # the fields, one by one
  set -- $1
  kind=$1 attempt=$2 candidate=$3 job=$4 restart=$5 word=$6 code=$7 epoch=$9 token=${10} nodes=${11} more=${12:-}
}

# judge RULE-AT-START: a verdict comes of the job and of what a walk puts back on its way (descend, descend_element), so that a walk
# looks up what it has met before. Sequences that stand alone are judged one by one.
declare -A judged
judge() {
  local one line
  local met="$1|$rv_present|$rv_claim|$rv_start|$rv_exit|$rv_stop|$rv_outcome|$rv_postponed|$rv_starter|${wanted:-}"
  met+="|${rv_element_start:-}|${rv_element_exit:-}|${rv_element_starter:-}"
  if [ -z "$walks" ] || [ -z "${judged[$met]:-}" ]; then
    line="$rv_present|$rv_claim|$rv_start|$rv_exit|$rv_stop|$rv_outcome|"
    for one in "${jobs[@]}"; do
      # Split by hand: this is the innermost loop.
      rv_attempt=${one%% *} rv_job=${one##* }
      RV_CANDIDATE=${one#* } SLURM_RESTART_COUNT=${RV_CANDIDATE#* }
      RV_CANDIDATE=${RV_CANDIDATE%% *} SLURM_RESTART_COUNT=${SLURM_RESTART_COUNT% *}
      rv_at_gate
      line+=" $rv_verdict"
      "$1"
      line+=" $rv_verdict"
    done
    judged[$met]=$line
  fi
  printf '%s\n' "${judged[$met]}"
}

walk() { # DEPTH
  local place
  [ "$1" -gt 0 ] || return 0
  for ((place = 0; place < ${#run[@]}; place++)); do descend "$1" "${run[place]}"; done
}

# One entry more, and everything below; then as before.
descend() {
  local rv_present=$rv_present rv_claim=$rv_claim rv_start=$rv_start rv_exit=$rv_exit rv_stop=$rv_stop
  local rv_outcome=$rv_outcome rv_postponed=$rv_postponed rv_starter=$rv_starter
  take "$2"
  rv_add_entry || printf 'unknown '
  judge rv_at_start
  walk $(($1 - 1))
}

walk_element() { # DEPTH
  local place
  judge rv_at_element_start
  [ "$1" -gt 0 ] || return 0
  for ((place = 0; place < ${#element[@]}; place++)); do descend_element "$1" "${element[place]}"; done
}

descend_element() {
  local rv_element_start=$rv_element_start rv_element_exit=$rv_element_exit rv_element_starter=$rv_element_starter
  take "$2"
  # What counts depends on whose ledger it is: here a job of attempt 1 or 2, as the caller says.
  rv_attempt=$wanted
  rv_add_element_entry || printf 'unknown '
  walk_element $(($1 - 1))
}

forget() {
  rv_present=1 rv_claim="" rv_start="" rv_exit="" rv_stop="" rv_outcome="" rv_postponed=" " rv_starter=""
}

case $what in
  ledger)
    mapfile -t run <"$entries"
    if [ "$4" != - ]; then
      judge rv_at_start
      walk "$4"
    else
      walks=""
      while read -ra places; do
        forget
        for place in "${places[@]}"; do
          take "${run[place]}"
          rv_add_entry || printf 'unknown '
        done
        judge rv_at_start
      done
    fi
    ;;
  element)
    mapfile -t run <"$entries"
    mapfile -t element <"$5"
    while read -ra places; do
      forget
      for place in "${places[@]}"; do
        take "${run[place]}"
        rv_add_entry
      done
      for wanted in 1 2; do
        rv_element_start="" rv_element_exit="" rv_element_starter=""
        mapfile -t jobs < <(printf '%s\n' "$wanted 1 0 10" "$wanted 1 1 10" "$wanted 2 0 11")
        walk_element "$6"
      done
    done <"$4"
    ;;
esac
