#!/usr/bin/env bash
# --sbatch KEY[=VALUE] is written, quoted, into the script of every strategy, and the plan names the options that it ignores.
# shellcheck source-path=SCRIPTDIR source=../check.sh
. "$(dirname "$0")/../check.sh"

# shellcheck disable=SC2016 # nothing expands
comment='#SBATCH --comment="it'"'"'s \"a\" \\ $HOME; #x"'
exits 0 rv render --cluster "$cluster" -g 2 --sbatch "comment=it's \"a\" \\ \$HOME; #x" --sbatch --begin=now+1hour --sbatch hold true
cp "$work/out" script
grep -qxF "$comment" script || fail 'the comment is not quoted as sbatch reads it'
grep -qxF '#SBATCH --begin=now+1hour' script || fail 'no --begin'
grep -qxF '#SBATCH --hold' script || fail 'no --hold'

exits 0 rv plan --cluster "$cluster" -g 2 --sbatch comment=x --sbatch begin=now+1hour --sbatch reservation=course
contains stdout 'Not counted in the waits: --begin=now+1hour, --reservation=course' "$out"
exits 0 rv plan --cluster "$cluster" -g 2 --sbatch comment=x
! grep -q 'Not counted' "$work/out" || fail 'a comment is counted'
runs rv plan --cluster "$cluster" -g 2 --sbatch comment=x --sbatch reservation=course --json
says JSON 'd["not_counted"] == ["--reservation=course"]' "$work/out"
runs rv run -n --cluster "$cluster" -g 2 --json true
says JSON 'd["not_counted"] == []' "$work/out"

# Two lines: what is wrong, and the way out.
while IFS='|' read -r option error hint; do
  exits 2 rv run -n --cluster "$cluster" -g 2 --sbatch "$option" true
  equal "$option" "rv: error: $error
hint: $hint" "$err"
done <<'X'
gres=gpu:2|--sbatch gres: rv sets this itself|use -g N and -t TYPE
dependency=afterok:1|--sbatch dependency: rv sets this itself|use --after RUN, or --after RUN:any
reservaton=x|--sbatch reservaton: sbatch has no such option; did you mean "reservation"?|sbatch --help lists its options
deadline|--sbatch deadline: sbatch's --deadline needs a value|write --sbatch deadline=VALUE
contiguous=1|--sbatch contiguous: sbatch's --contiguous takes no value|write --sbatch contiguous
X
exits 2 rv run -n --cluster "$cluster" -g 2 --sbatch $'comment=a\nb' true
contains stderr '--sbatch comment "a?b": expected one line of plain text' "$err"
exits 2 rv run -n --cluster "$cluster" -g 2 --sbatch comment=a --sbatch --comment=b true
contains stderr '--sbatch comment is given twice' "$err"

# sbatch has a --segment, of nodes; rv's has another name now, and the old one still works.
exits 0 rv run -n --cluster "$cluster" -g 2 --checkpoint --time 4h --segment 1h true
contains stderr 'rv: note: --segment is called --segment-time now' "$err"
exits 0 rv render --cluster "$cluster" -g 2 --sbatch segment=2 true
grep -qxF '#SBATCH --segment=2' "$work/out" || fail 'no --segment'
