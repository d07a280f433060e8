#!/usr/bin/env bash
# rv accept --hosts with unusable hosts prints an error and a hint, starts nothing and leaves nothing.
# shellcheck source=tests/hosts/lib.sh
source "$(dirname "$0")/lib.sh"
make_hosts 2

accept() { "$RV" accept --device cpu --suite train "$@"; }
# refuses CODE WORDS ARGUMENTS…: an error of two lines.
refuses() {
  local code=$1 words=$2
  shift 2
  exits "$code" accept "$@"
  contains "the error for $*" "$words" "$err"
  equal "lines of the error for $*" 2 "$(grep -c . <<<"$err")"
  contains "the way out" "hint: " "$err"
  [ ! -e "$RV_HOME/accept" ] || fail "a folder is left: $(ls "$RV_HOME/accept")"
  left_clean h1 h2
}

# Files.
printf 'h1\nh2\n# again\nroot@h1\n' >doubled
refuses 2 "doubled:4: h1 is named twice, first at doubled:1" --hosts doubled
printf '# nobody\n\n' >empty
refuses 2 "empty contains no host" --hosts empty
refuses 2 '--hosts "./nowhere": expected an existing file' --hosts ./nowhere
refuses 2 "expected a file, not a folder" --hosts "$work/tmp"
printf 'h1 slot=2\n' >typo
refuses 2 'typo:1: unexpected "slot=2"; did you mean "slots"?' --hosts typo
printf 'h1 slots=none\n' >number
refuses 2 'invalid number of slots "none"' --hosts number
refuses 2 'invalid host name "-oProxyCommand=x"' "--hosts=h1,-oProxyCommand=x"
refuses 2 'invalid host name ""' --hosts h1,
refuses 2 '--hosts "": expected a value' --hosts ''
# shellcheck disable=SC2016 # literal text for the hosts file
refuses 2 'invalid host name' --hosts 'h1,$(touch x)'

# Invalid arguments.
refuses 2 "--hosts and --local can't be combined" --hosts h1 --local
refuses 2 "--hosts and --nodes can't be combined" --hosts h1 --nodes 2
refuses 2 "--slots and --gpus-per-node can't be combined" --hosts h1 --slots 1 --gpus-per-node 1
refuses 2 "--fabric and --device cpu can't be combined" --hosts h1 --fabric ib
exits 2 "$RV" accept --hosts h1 --fabric nvlnk
contains "a typo" 'did you mean "nvlink"' "$err"
printf 'h1 slots=1\nh2 slots=2\n' >uneven
refuses 2 "h1 has 1 slot and h2 has 2 slots" --hosts uneven

# Unreachable hosts are all named at once: unknown name, no reply, no sshd.
ip netns add quiet && ip link add vq type veth peer name eth0 netns quiet
ip link set vq master rvbr up
ip -n quiet addr add 10.77.0.30/24 dev eth0 && ip -n quiet link set eth0 up
echo '10.77.0.30 quiet' >>"$work/hosts"
echo '10.77.0.40 nobody' >>"$work/hosts"
begun=$SECONDS
refuses 119 "3 of 4 hosts can't be used" --hosts h1,nowhere.invalid,quiet,nobody
contains "a name without an address" "the address of nowhere.invalid is unknown" "$err"
contains "a host without sshd" "quiet answers, but no ssh server listens there" "$err"
contains "a host that is off" "nobody" "$err"
[ $(((SECONDS - begun) * 1000)) -le "$(patience 25000)" ] || fail "it took $((SECONDS - begun)) s to say so"
lacks "the one that is well" "h1" "$(head -1 <<<"$err" | sed 's/.*used://')"
refuses 119 "the file nowhere.invalid does not exist either" --hosts nowhere.invalid

# More slots than GPUs: what the host lets its users see is what counts.
make_host gpus 10.77.0.50 CUDA_VISIBLE_DEVICES=0,1
exits 2 "$RV" accept --hosts gpus:3
contains "slots beyond the GPUs" "gpus has 2 GPUs, but 3 slots were requested" "$err"
contains "the way out" "gpus slots=2" "$err"
exits 2 "$RV" accept --hosts gpus --slots 3
exits 2 "$RV" accept --hosts h1 --device cuda
contains "GPUs that nobody can count" "h1 does not report its GPUs" "$err"
left_clean h1 gpus

# A dry run asks the hosts, shows the steps, and leaves nothing.
exits 0 "$RV" accept --hosts gpus,h1:2 --dry-run --suite collective
contains steps "step collective-all-nodes: rv-collective" "$out"
exits 0 "$RV" accept --hosts gpus:2,h1:2 --dry-run --suite collective --fabric shm
lacks "steps over all nodes with a fabric that ends at a node's edge" "all-nodes" "$out"
[ ! -e "$RV_HOME/accept" ] || fail "a dry run left a folder"
left_clean h1 gpus

# Without a GPU the default device is a skip and no pass.
exits 77 "$RV" accept --hosts h1:1,h2:1 --suite train
left_clean h1 h2
