# Sourced by record.sh: the jobs of a recording and what happens to them. job NAME ARGUMENTS… submits a job with sbatch and
# stores its ID under that name.
# shellcheck shell=bash
declare -A ids # by the job's name here
expected=()    # NAME STATE: what each is when everything has happened

# job NAME ARGUMENTS…: submits it. The questions receive its ID as $NAME.
job() {
  local name=$1
  shift
  ids[$name]=$(sbatch --parsable -o /dev/null "$@")
  declare -gx "$name=${ids[$name]}"
}

# is STATE NAME…: the states that are waited for before anything is asked.
is() {
  local state=$1 name
  shift
  for name in "$@"; do expected+=("${ids[$name]} $state $name"); done
}

cpu=(-A lab -p standard -w udc-cpu-1) # a -w behind it counts
gpu=(-A lab -p gpu)
long=--wrap='sleep 3000'

reserve() {
  scontrol create reservation reservationname=maint_dec starttime=now+2days duration=8:00:00 nodes=udc-an34-2 \
    flags=maint,ignore_jobs users=root
  scontrol create reservation reservationname=class starttime=now duration=4:00:00 nodes=udc-an26-1 accounts=lab
  scontrol update nodename=udc-cpu-2 state=drain reason='bad disk, see ticket 42 (rack 3)'
}

submit_those_that_end() {
  job timeout -J tout "${cpu[@]}" -t 1 "$long"
  job ok -J ok "${cpu[@]}" --wrap='sleep 2'
  job ok_gpu -J 'ok gpu' "${gpu[@]}" --gres=gpu:a6000:1 --wrap='sleep 2'
  job fail3 -J fail3 "${cpu[@]}" --wrap='exit 3'
  # shellcheck disable=SC2016 # for the job's shell
  job failsig -J failsig "${cpu[@]}" --wrap='kill -SEGV $$'
  # shellcheck disable=SC2016
  job requeue_ok -J rq_ok "${cpu[@]}" --requeue --wrap='[ -n "$SLURM_RESTART_COUNT" ] && exit 0; sleep 3000'
  job requeue_hold -J rq_hold "${cpu[@]}" --requeue "$long"
  job special_exit -J rq_se "${cpu[@]}" --requeue "$long"
  job canc_run -J canc_run "${cpu[@]}" "$long"
  job canc_pend -J canc_pend "${cpu[@]}" -H "$long"
  job suspend -J susp "${cpu[@]}" "$long"
  job nodefail -J nodefail "${cpu[@]}" -w udc-cpu-3 --no-requeue "$long"
  job nodefail_rq -J nodefail_rq "${cpu[@]}" -w udc-cpu-3 --requeue "$long"
  job pre_cancel -J pre_cancel -A lab -p low --gres=gpu:v100:2 --requeue "$long"
  job pre_requeue -J pre_requeue -A lab -p lowrq --gres=gpu:v100:2 --requeue "$long"
  # shellcheck disable=SC2016
  job arr_mix -J arr_mix "${cpu[@]}" --array=0-3 --wrap='exit $SLURM_ARRAY_TASK_ID'
  job deadline -J dl "${cpu[@]}" -w udc-cpu-2 -t 1 --deadline=now+65seconds --wrap='sleep 5'
}

submit_those_that_run() {
  job run1 -J run1 "${gpu[@]}" --gres=gpu:a6000:2 -c 4 --mem=8G -t 1:00:00 --comment=tok-0123abcd "$long"
  job run80 -J run80 "${gpu[@]}" --gres=gpu:a100:4 -C a100_80gb -w udc-an34-1 -c 16 --mem-per-cpu=4G -t 2:00:00 "$long"
  job runmn -J runmn "${gpu[@]}" -N2 --ntasks-per-node=1 --gres=gpu:a6000:4 -c 8 -t 4:00:00 "$long"
  job rununtyped -J run_untyped "${gpu[@]}" --gpus-per-node=2 -N1 -w udc-an34-1 -t 4:00:00 "$long"
  job rungpus -J run_gpus "${gpu[@]}" --gpus=a100:2 -n2 -N1 -w udc-an34-1 -t 4:00:00 "$long"
  job runmig -J runmig -A lab -p gpu-mig --gres=gpu:1g.10gb:3 -t 8:00:00 "$long"
  job runmpart -J runmpart -A lab -p gpu,gpu-a6000 --gres=gpu:1 -C 'a6000|a100_80gb' -w udc-an28-1 -t 30 "$long"
  job runresv -J runresv "${gpu[@]}" --reservation=class --gres=gpu:a100:1 -t 60 "$long"
  job runcpu -J runcpu "${cpu[@]}" -c 2 -t 60 "$long"
  job arr -J arr "${cpu[@]}" --array=0-9%2 -t 60 "$long"
  job het -J het "${cpu[@]}" -n1 : -p gpu --gres=gpu:a6000:1 -n1 "$long"
  job tiny1 -J tiny1 -A tiny -p gpu --gres=gpu:a6000:1 -t 60 "$long"
  job qos1 -J qos1 "${gpu[@]}" --qos=gpulim -w udc-an34-2 --gres=gpu:a100:1 -t 60 "$long"
}

submit_odd_names() {
  job n_space -J 'name with  spaces' "${cpu[@]}" "$long"
  job n_pipe -J 'pipe|name|x' "${cpu[@]}" "$long"
  job n_uni -J $'\303\274n\303\257\342\234\223\345\220\215' "${cpu[@]}" "$long"
  job n_nl -J $'new\nline' "${cpu[@]}" "$long"
  job n_tab -J $'tab\there' "${cpu[@]}" "$long"
  job n_key -J 'x JobState=FAILED Reason=None' --comment='c JobState=COMPLETED Key=v' "${cpu[@]}" "$long"
  job n_quote -J "q'uo\"te\\back%j" "${cpu[@]}" "$long"
  job n_bad8 -J $'bad\377\3768' "${cpu[@]}" "$long"
  job n_long -J "$(printf 'L%.0s' {1..200})" "${cpu[@]}" "$long"
  job n_empty -J '' "${cpu[@]}" "$long"
}

submit_those_that_wait() {
  job p_resources -J p_res "${gpu[@]}" -N2 --gres=gpu:a6000:8 -t 1:00:00 "$long"
  job p_priority -J p_prio "${gpu[@]}" -N1 --gres=gpu:a6000:8 -t 1:00:00 --nice=100 "$long"
  job p_dep -J p_dep "${cpu[@]}" -d "afterok:${ids[run1]}" "$long"
  job p_depany -J p_depany "${cpu[@]}" -d "afterany:${ids[run1]}:${ids[runmn]},afterok:${ids[runmig]}" "$long"
  job p_depnever -J p_depnever "${cpu[@]}" -d "afterok:${ids[fail3]}" "$long"
  job p_singleton -J runcpu "${cpu[@]}" -d singleton "$long"
  job p_held -J p_held "${cpu[@]}" -H "$long"
  job p_heldadm -J p_heldadm "${cpu[@]}" --begin=now+1hour "$long"
  job p_begin -J p_begin "${cpu[@]}" --begin=now+1day "$long"
  job arrstep -J arrstep "${cpu[@]}" --array=1,3,5-9:2%1 -H "$long"
  job p_assoc -J p_assoc -A tiny -p gpu --gres=gpu:a6000:1 -t 60 "$long"
  job p_qos -J p_qos "${gpu[@]}" --qos=gpulim --gres=gpu:a100:1 -C a100_80gb -t 60 "$long"
  job p_qoswall -J p_qoswall "${gpu[@]}" --qos=gpulim --gres=gpu:a100:1 -t 2-00:00:00 "$long"
  job p_timelimit -J p_tl "${gpu[@]}" --gres=gpu:a100:1 -t 5-00:00:00 "$long"
  job p_nodelimit -J p_nl "${gpu[@]}" -N5 --gres=gpu:1 -t 10 "$long"
  job p_drained -J p_drained "${cpu[@]}" -w udc-cpu-2 -t 10 "$long"
  job p_maint -J p_maint "${gpu[@]}" -w udc-an34-2 --gres=gpu:a100:1 -t 3-00:00:00 "$long"
  job p_excl -J p_excl "${gpu[@]}" -x udc-an28-1,udc-an34-1 --gres=gpu:a100:8 -C a100_80gb -t 60 "$long"
}

# What is done to jobs that run, once they do.
interfere() {
  scontrol requeue "${ids[requeue_ok]}"
  scontrol requeuehold "${ids[requeue_hold]}"
  scontrol requeuehold state=SpecialExit "${ids[special_exit]}"
  scancel "${ids[canc_run]}" "${ids[canc_pend]}"
  scontrol suspend "${ids[suspend]}"
  scontrol hold "${ids[p_heldadm]}"
  scontrol update nodename=udc-cpu-3 state=down reason='power supply'
  job high -J high -A lab -p high --gres=gpu:v100:4 -t 60 "$long"
  # A job that starts in the second in which it was killed is refused by its node, which takes the new start for the old one.
  sleep 2
}

expect_the_running() {
  is RUNNING timeout requeue_ok requeue_hold special_exit canc_run suspend nodefail nodefail_rq pre_cancel pre_requeue
  is RUNNING run1 run80 runmn rununtyped rungpus runmig runmpart runresv runcpu het tiny1 qos1
  is RUNNING n_space n_pipe n_uni n_nl n_tab n_key n_quote n_bad8 n_long n_empty
  is COMPLETED ok ok_gpu
  is FAILED fail3 failsig
}

expect_the_end() {
  expected=()
  is TIMEOUT timeout
  is DEADLINE deadline
  is COMPLETED ok ok_gpu requeue_ok
  is FAILED fail3 failsig
  is CANCELLED canc_run canc_pend
  is SUSPENDED suspend
  is SPECIAL_EXIT special_exit
  is NODE_FAIL nodefail
  is PREEMPTED pre_cancel
  is PENDING requeue_hold pre_requeue p_resources p_priority p_dep p_depany p_depnever p_singleton p_held p_heldadm p_begin
  is PENDING p_assoc p_qos p_qoswall p_timelimit p_nodelimit p_drained p_maint p_excl p_partdown
  is RUNNING nodefail_rq high run1 run80 runmn rununtyped rungpus runmig runmpart runresv runcpu het tiny1 qos1
  is RUNNING n_space n_pipe n_uni n_nl n_tab n_key n_quote n_bad8 n_long n_empty
}

# Those that were sent back to the queue would wait there for two minutes.
start_again() {
  local name
  for name in requeue_ok nodefail_rq pre_requeue; do
    scontrol update jobid="${ids[$name]}" starttime=now 2>/dev/null || true
  done
}
