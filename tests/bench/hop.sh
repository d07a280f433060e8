#!/usr/bin/env bash
# Measures what running on the login node through ssh costs: rv -H against ssh on the same warm connection, and a plan through
# the hop against the same plan on the login node. Run as root:
#   RV=build/cli/rv RV_SANDBOX_DIR=FOLDER tests/bench/hop.sh     FOLDER: a running sandbox; without it no plan is measured
# shellcheck source=tests/remote/lib.sh
source "$(dirname "$0")/../remote/lib.sh"

root=$(cd "$(dirname "$0")/../.." && pwd)
setenv=()
if [ -n "${RV_SANDBOX_DIR:-}" ]; then
  environment=$("$root/examples/sandbox/sandbox" env --dir "$RV_SANDBOX_DIR")
  eval "$environment"
  mapfile -t setenv < <(env | grep -E '^(PATH|SLURM_CONF|LD_LIBRARY_PATH)=')
fi
# A home without start-up files: those of the machine's root would hide what rv adds behind what they take themselves.
mkdir "$work/root"
start_sshd "UseDNS no" "LogLevel DEBUG1" \
  "SetEnv ${setenv[*]} HOME=$work/root RV_HOME=$work/home RV_SITE=/dev/null USER=root"
make_laptop
host loop root
exits 0 rv -H loop exec true
control=$(find "/tmp/rv-$(id -u "$(user laptop)")" -type s)

# The same login node behind a network with a round trip of 20 ms.
cat >"$work/far.py" <<'PY'
import asyncio, sys
async def pass_on(reader, writer):
    loop = asyncio.get_running_loop()
    while part := await reader.read(65536): loop.call_later(0.01, writer.write, part)
    loop.call_later(0.01, writer.close)
async def meet(reader, writer):
    there = await asyncio.open_connection("127.0.0.1", int(sys.argv[2]))
    await asyncio.gather(pass_on(reader, there[1]), pass_on(there[0], writer))
async def main():
    async with await asyncio.start_server(meet, "127.0.0.1", int(sys.argv[1])) as server: await server.serve_forever()
asyncio.run(main())
PY
near=$port port=$(free_port)
python3 "$work/far.py" "$port" "$near" &
proxy=$!
end_test() { kill "$proxy" || true; }
host far root
echo "[127.0.0.1]:$port $(cut -d' ' -f1,2 "$work/sshd/key.pub")" >>"$work/laptop/.ssh/known_hosts"
wait_for 10 rv -H far exec true 2>/dev/null
far=$(find "/tmp/rv-$(id -u "$(user laptop)")" -type s -not -path "$control")

cat >"$work/times.py" <<'PY'
import statistics, subprocess, sys, time
def timed(argv):
    begin = time.perf_counter()
    subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
    return (time.perf_counter() - begin) * 1000
# In turns, so that whatever else the machine does meets both alike.
rounds, first, second = int(sys.argv[1]), sys.argv[2].split(), sys.argv[3].split()
pairs = [(timed(first), timed(second)) for _ in range(rounds)]
a, b = (statistics.median(column) for column in zip(*pairs))
print(f"{a:.1f} {b:.1f} {a / b:.2f}")
PY
compare() { laptop python3 "$work/times.py" "$@"; }

read -r through bare ratio < <(compare 60 "$work/rv -H loop exec true" "ssh -o ControlPath=$control loop true")
printf '%-52s %8s %8s\n' what figure limit
printf '%-52s %5s ms\n' 'rv -H loop exec true' "$through"
printf '%-52s %5s ms\n' 'ssh loop true, the same connection' "$bare"
printf '%-52s %8s %8s\n' '  ratio' "$ratio" 1.2
read -r through bare ratio < <(compare 30 "$work/rv -H far exec true" "ssh -o ControlPath=$far far true")
printf '%-52s %5s ms\n' 'rv -H far exec true, 20 ms round trip' "$through"
printf '%-52s %5s ms\n' 'ssh far true, the same connection' "$bare"
printf '%-52s %8s %8s\n' '  ratio' "$ratio" 1.2
# The same where rv starts an ssh on the shared connection instead of asking for a session itself, as it does for X11's sake.
port=$near host second_ssh root
printf '  ForwardX11 yes\n' >>"$work/laptop/.ssh/config"
rv -H second_ssh exec true
read -r second through ratio < <(compare 60 "$work/rv -H second_ssh exec true" "$work/rv -H loop exec true")
printf '%-52s %5s ms\n' 'rv exec true by a second ssh, on that connection' "$second"
printf '%-52s %5s ms\n' 'rv -H loop exec true, in turn' "$through"
printf '%-52s %8s\n' '  ratio' "$ratio"
before=$(grep -c 'Starting session' "$work/sshd/log")
rv -H loop exec true
printf '%-52s %8s %8s\n' 'ssh sessions for one command' $(($(grep -c 'Starting session' "$work/sshd/log") - before)) 1
if [ -n "${RV_SANDBOX_DIR:-}" ]; then
  plan="up --dry-run -g 4 --time 30m"
  here() { env RV_HOME="$work/home" RV_SITE=/dev/null python3 "$work/times.py" 20 "$work/rv $plan" "$work/rv $plan"; }
  rv -H loop up --dry-run -g 4 --time 30m >/dev/null
  read -r there _ _ < <(compare 20 "$work/rv -H loop $plan" "true")
  read -r local _ _ < <(here)
  printf '%-52s %5s ms\n' 'rv up --dry-run through the hop' "$there"
  printf '%-52s %5s ms\n' 'rv up --dry-run on the login node' "$local"
fi
