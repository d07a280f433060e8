#!/usr/bin/env bash
# A hostile host can't write outside its reports, run anything on other hosts, or fill the disk, memory or terminal. Its report
# is rejected by name, and the test ends as with a lost host.
# shellcheck source=tests/hosts/lib.sh disable=SC2054 # the commas stand in words
here=$(realpath "$(dirname "$0")")
source "$here/lib.sh"
make_hosts 1
attack_file=$work/attack
make_host evil 10.77.0.66 "ATTACK=1
ForceCommand python3 $here/hostile_host.py $attack_file"
acceptance=(accept --hosts evil:1,h1:1 --device cpu --suite train)
stress=(stress --hosts evil:1,h1:1 --device cpu --duration 10m --reference 0 --workers 1)
sweep=(sweep --hosts evil,h1 --over n=600 --device cpu --cooldown 0 --report-dir "$work/mine/sweep")

# attacks NAME CODE WORDS COMMAND…: what rv prints about it.
attacks() {
  local name=$1 code=$2 words=$3
  shift 3
  echo "$name" >"$attack_file"
  exits "$code" "$RV" "$@"
  contains "what evil sent ($name)" "$words" "$out$err"
  left_clean h1
}
refused="it sent data that rv does not accept"

attacks symlink 3 "evil: $refused: the report \"health\", which is a symbolic link" "${acceptance[@]}"
attacks symlink 3 "evil: $refused: the report \"health\", which is a symbolic link" "${stress[@]}"
attacks symlink 3 "evil: $refused: the report \"health\", which is a symbolic link" "${sweep[@]}" -- sleep '{n}'
[ ! -e "$work/root/.ssh/authorized_keys" ] || fail "a host wrote into ~/.ssh"
[ -z "$(find "$RV_HOME" "$work/mine" -type l)" ] || fail "symbolic links: $(find "$RV_HOME" "$work/mine" -type l)"

attacks bomb 3 "evil: $refused: reports that are larger than 256 MiB" "${acceptance[@]}"
[ "$(du -sm "$RV_HOME" | cut -f1)" -lt 50 ] || fail "a bomb fills the disk"
attacks claim 3 "evil: $refused: a message of 953674 MiB" "${acceptance[@]}"
attacks endless 3 "evil: $refused: a message without an end" "${acceptance[@]}"

attacks early 119 "evil sent data that rv does not accept: reports before the work began" "${acceptance[@]}"
[ ! -e /evil ] || fail "reports before the work: $(ls -R /evil; rm -rf /evil)"
attacks newline 119 'evil sent data that rv does not accept: "10.77.0.66 29123 1 x?file ../made_by_another_host 600 0?beat" as its address' "${acceptance[@]}"
[ ! -e "$work/tmp/made_by_another_host" ] || fail "one host runs code on another"
attacks folder 119 "evil sent data that rv does not accept: \"/tmp/x';id;'\" as its folder" "${acceptance[@]}"

attacks escapes 3 "end of it" "${acceptance[@]}"
! grep -q $'\x1b\|\xc2\x9b\|\x9b2J' "$work/err" || fail "escapes: $(cat -v "$work/err")"

# A sweep's page is made here from figures: it contains no script of the host, and no page of the host is stored beside it.
pages=(sweep --hosts evil --over n=1 --device cpu --cooldown 0 --report-dir "$work/mine/pages" -- true '{n}')
mkdir "$work/mine/secret"
echo "time,gpu,utilization_gpu_pct" >"$work/mine/secret/gpu_metrics.csv"
attacks pages 0 "evil: n_1/plot.HTML was left on the host" "${pages[@]}"
contains "a page without its ending" "evil: n_1/figure was left on the host" "$err"
report=$work/mine/pages/evil
[ -e "$report/n_1/model.pt" ] || fail "a program's own file did not come"
for page in plot.HTML figure; do [ ! -e "$report/n_1/$page" ] || fail "a host's page: $page"; done
contains "its page" "Sweep over n" "$(<"$report/report.html")"
lacks "its page" "<script>alert" "$(<"$report/report.html")"
contains "its order" '"true"' "$(<"$report/sweep.json")"
python3 -c 'import json, sys; assert json.load(open(sys.argv[1]))["points"][0]["folder"] == "n_1"' "$report/results.json"
for attack in "another point" late; do
  rm -r "$work/mine/pages"
  attacks "$attack" 125 "n_1/result.json: it is damaged" "${pages[@]}"
done

# The other way: a host refuses a file outside the folder that its side made.
for name in ../outside a/../../outside "$work/tmp/outside"; do
  mkdir "$work/tmp/side"
  printf '%s\n' /nowhere 0 "file $name 600 4" word |
    RV_HOST_FOLDER=$work/tmp/side bash "$here/../../cli/remote/hosts/host.sh" 0123 >"$work/out"
  contains "its end" "rv 0123 clean" "$(tr -d '\0' <"$work/out")"
  [ -z "$(find "$work/tmp" -name 'outside')" ] || fail "$name was written"
done
