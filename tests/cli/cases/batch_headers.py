"""#SBATCH headers in the shapes that scripts have, and what rv takes them for: `rv plan --json` of each.

Usage: batch_headers.py RV CLUSTER, in an empty folder.
"""
import json
import subprocess
import sys

RV, CLUSTER = sys.argv[1:]
BASH = "#!/bin/bash\n"

# Header, what the request has.
TAKEN = [
    (BASH + "#SBATCH --gres=gpu:2\n", {"gpus": 2, "types": [], "single_node": True, "nodes": None}),
    (BASH + "#SBATCH --gres=gpu\n", {"gpus": 1}),
    (BASH + "#SBATCH --gres gpu:a40:2\n#SBATCH --time 1:30:00\n", {"gpus": 2, "types": ["a40"], "time_s": 5400}),
    (BASH + "#SBATCH --gres=gpu:v100\n", {"gpus": 1, "types": ["v100"]}),
    (BASH + "#SBATCH -G 4\n", {"gpus": 4}),
    (BASH + "#SBATCH -G4 -t 90\n", {"gpus": 4, "time_s": 5400}),
    (BASH + "#SBATCH --gpus=a100:4\n", {"gpus": 4, "types": ["a100"]}),
    (BASH + "#SBATCH --nodes=2\n#SBATCH --gpus-per-node=4\n", {"gpus": 8, "nodes": 2, "single_node": False}),
    (BASH + "#SBATCH -N 2-2 --gpus-per-node a100:1\n", {"gpus": 2, "nodes": 2, "types": ["a100"]}),
    (BASH + "#SBATCH -n 4 --gpus-per-task=1\n", {"gpus": 4}),
    (BASH + "#SBATCH --ntasks=8\n#SBATCH --ntasks-per-node=4\n#SBATCH --gres=gpu:4\n", {"gpus": 8, "nodes": 2}),
    (BASH + "#SBATCH --tasks-per-node=4 -N1 --gres=gpu:4\n", {"gpus": 4, "cpus_per_node": 4}),
    (BASH + "#SBATCH -c 8 --gres=gpu:1\n", {"cpus_per_node": 8}),
    (BASH + "#SBATCH -c8 -n2 -N1 --gres=gpu:1\n", {"cpus_per_node": 16}),
    (BASH + "#SBATCH --cpus-per-gpu=6 --gpus=2\n", {"cpus_per_node": 12}),
    (BASH + "#SBATCH --gres=gpu:1 --mem=64G\n", {"mem_per_node_mb": 65536}),
    (BASH + "#SBATCH --gres=gpu:1 --mem=4000\n", {"mem_per_node_mb": 4000}),
    (BASH + "#SBATCH --gres=gpu:1 -c 4 --mem-per-cpu=2G\n", {"mem_per_node_mb": 8192, "cpus_per_node": 4}),
    (BASH + "#SBATCH --gres=gpu:2 --mem-per-gpu=16G\n", {"mem_per_node_mb": 32768}),
    (BASH + "#SBATCH --gres=gpu:1\n#SBATCH -t 2-12:00:00\n", {"time_s": 216000}),
    (BASH + "#SBATCH --gres=gpu:1\n#SBATCH --time=0-01\n", {"time_s": 3600}),
    (BASH + "#SBATCH --gres=gpu:1\n#SBATCH --time=01:00:00 # an hour\n", {"time_s": 3600}),
    (BASH + "#SBATCH --gres=gpu:1 -J train_v2\n", {"name": "train_v2"}),
    (BASH + "#SBATCH --gres=gpu:1 --job-name=\"my net\"\n", {"name": "my net"}),
    (BASH + "#SBATCH --gres=gpu:1 --job-name='it is \"x\"' # why\n", {"name": 'it is "x"'}),
    (BASH + "#SBATCH --gres=gpu:1 -J my\\ net\n", {"name": "my net"}),
    (BASH + "#SBATCH\t--gres=gpu:1\t-p\tgpu-a40\n", {"partitions": ["gpu-a40"]}),
    (BASH + "#SBATCH --partition=gpu-a40,gpu-v100 --gres=gpu:1\n", {"partitions": ["gpu-a40", "gpu-v100"]}),
    (BASH + "#SBATCH --part=gpu-a40 --gres=gpu:1\n", {"partitions": ["gpu-a40"]}),
    (BASH + "#SBATCH --gres=gpu:1 -p gpu-a40\n#SBATCH -p gpu-v100\n", {"partitions": ["gpu-v100"]}),
    (BASH + "#SBATCH --gres=gpu:1\n##SBATCH --partition=gone\n# SBATCH -p gone\n #SBATCH -p gone\n", {"partitions": []}),
    (BASH + "\n# a comment\n\n#SBATCH --gres=gpu:1\necho\n#SBATCH --partition=gone\n", {"partitions": []}),
    (BASH + "set -e\n#SBATCH --gres=gpu:1\n", None),  # no header: a script like any other
    ("#!/bin/bash -l\n#SBATCH --gres=gpu:1 -A lab -q normal\n", {"account": "lab", "qos": "normal"}),
    ("#!/usr/bin/env python3\n#SBATCH --gres=gpu:2\nimport os\n", {"gpus": 2}),
    ("#!/bin/sh\n#SBATCH --gres=gpu:1 --job-name 'a|b'\n", {"name": "a|b"}),
    (BASH + "#SBATCH --gres=gpu:1 -w n1,n2 -N2 --gpus-per-node=1\n", {"nodelist": ["n1", "n2"], "nodes": 2}),
    (BASH + "#SBATCH --gres=gpu:1 -x n[1-2]\n", {"exclude": ["n1", "n2"]}),
    (BASH + "#SBATCH --gres=gpu:1 -o logs/%x-%j.out -e logs/%x-%j.err --open-mode=truncate\n", {"gpus": 1}),
    (BASH + "#SBATCH --gres=gpu:1 --output=%A_%a.out --array=0-9%2\n", {"gpus": 1}),
    (BASH + "#SBATCH --gres=gpu:1 --mail-type=END,FAIL --mail-user=ann@example.org\n", {"not_counted": []}),
    (BASH + "#SBATCH --gres=gpu:1 --exclusive --hint=nomultithread\n",
     {"exclusive": True, "not_counted": ["--hint=nomultithread"]}),
    (BASH + "#SBATCH --gres=gpu:1 --export=ALL --parsable -Q\n", {"not_counted": []}),
    (BASH + "#SBATCH --gres=gpu:1 -sH\n", {"not_counted": ["--oversubscribe", "--hold"]}),
    (BASH + "#SBATCH --gres=gpu:1 --signal=B:TERM@120 --requeue\n", {"not_counted": []}),
    (BASH + "#SBATCH --gres=gpu:1 --comment=\"\" --comment=x\n", {"gpus": 1}),
    (BASH + "#SBATCH -n 1\n", {"gpus": 0, "cpus_per_node": None, "nodes": None, "single_node": True}),
    (BASH + "#SBATCH -n 4 -c 2 --mem-per-cpu=2G\n", {"gpus": 0, "cpus_per_node": 8, "mem_per_node_mb": 16384}),
    (BASH + "#SBATCH --gres=none -N 2 -t 1:00:00\n", {"gpus": 0, "nodes": 2, "time_s": 3600}),
    ("#!/bin/bash\n" + "#SBATCH --gres=gpu:1\n" * 3 + "#SBATCH\n", {"gpus": 1}),
]

# Header, the error behind "job.sbatch", the hint.
REFUSED = [
    (BASH + "#SBATCH --partiton=gpu\n", ':2: sbatch has no option --partiton; did you mean "--partition"?',
     "correct it; an option of a site's plugin is written rv run --sbatch KEY=VALUE"),
    (BASH + "\n#SBATCH -z 1\n", ":3: sbatch has no option -z", "see sbatch --help"),
    (BASH + "#SBATCH --mail=END\n", ":2: sbatch has no option --mail; it has --mail-type, --mail-user", "correct it; "),
    (BASH + "#SBATCH --gres=gpu:1\n#SBATCH hetjob\n#SBATCH -n 2\n",
     ":3: a heterogeneous job is several jobs, and rv plans one", "submit it with sbatch"),
    (BASH + "#SBATCH -J 'open\n", ":2: the quote ' has no end", "close the quote, or remove it"),
    (BASH + "#SBATCH gres=gpu:1\n", ':2: "gres=gpu:1" is not an option', "a #SBATCH line has only options: "),
    (BASH + "#SBATCH --gres=gpu:1 --time\n", ":2: --time needs a value", "write #SBATCH --time=VALUE"),
    (BASH + "#SBATCH --hold=yes\n", ":2: --hold takes no value", "write #SBATCH --hold"),
    (BASH + "#SBATCH --gres=gpu:1\n#SBATCH --mem=4G\n#SBATCH --mem-per-cpu=2G\n",
     ":4: --mem-per-cpu=2G contradicts --mem=4G in line 3", "remove one of them"),
    (BASH + "#SBATCH --gpus=4\n#SBATCH --gres=gpu:2\n", ":2: --gpus=4 contradicts --gres=gpu:2 in line 3: 4 GPUs against 2",
     "remove one of them"),
    (BASH + "#SBATCH -N 2 --gpus=2\n#SBATCH --gres=gpu:2\n",
     ":2: --gpus=2 contradicts --gres=gpu:2 in line 3: 2 GPUs against 4 on 2 nodes", "remove one of them"),
    (BASH + "#SBATCH --gpus=2\n#SBATCH --gres=gpu:a40:2\n",
     ":2: --gpus=2 contradicts --gres=gpu:a40:2 in line 3: only one of them names a GPU type", "remove one of them"),
    (BASH + "#SBATCH --gpus-per-node=2 -n 3\n#SBATCH --gpus-per-task=1\n",
     ":3: --gpus-per-task=1 contradicts --gpus-per-node=2 in line 2: 3 GPUs for 3 tasks against 2", "remove one of them"),
    (BASH + "#SBATCH --gpus=\n", ":2: --gpus=: expected a number of GPUs", "write it like "),
    (BASH + "#SBATCH --gres=gpu:1 --partition=\n", ":2: --partition= has no value",
     "write #SBATCH --partition=VALUE, or remove the line"),
    (BASH + "#SBATCH --gres=gpu:1 -t 1x\n", ":2: -t 1x: expected a time limit", "write it as "),
    (BASH + "#SBATCH -N 2 -n 8 --ntasks-per-node=2 --gres=gpu:1\n",
     ":2: -n 8 contradicts --ntasks-per-node=2 in line 2 on 2 nodes", "remove one of them"),
    (BASH + "#SBATCH --gres=gpu:1 --requeue\n#SBATCH --no-requeue\n", ":2: --requeue contradicts --no-requeue in line 3",
     "remove one of them"),
    (BASH + "#SBATCH -c 2 --cpus-per-gpu=2 -G 1\n", ":2: --cpus-per-gpu=2 contradicts -c 2 in line 2",
     "remove one of them"),
    (BASH + "#SBATCH -N 1-4 --gres=gpu:1\n", ":2: -N 1-4: rv plans with one number of nodes", "write #SBATCH --nodes=1, "),
    (BASH + "#SBATCH -N 2 -n 3 --gres=gpu:1\n", ":2: -n 3 does not divide evenly among 2 nodes", "rv starts the same "),
    (BASH + "#SBATCH -G 3 -N 2\n", ":2: -G 3 does not divide evenly among 2 nodes", "every node gets "),
    (BASH + "#SBATCH --gres=gpu:1,tmpdisk:100\n", ":2: --gres=gpu:1,tmpdisk:100: rv plans GPUs of one type, and no other gres",
     "leave gpu:TYPE:N in the line, or submit the script with sbatch"),
    (BASH + "#SBATCH --gres=gpu:1 --mem-per-gpu=0\n", ":2: --mem-per-gpu=0: expected an amount of memory above 0",
     "write #SBATCH --mem=0 "),
    (BASH + "#SBATCH --gres=gpu:1 -t UNLIMITED\n", ":2: -t UNLIMITED: rv needs a time limit", "write it as "),
    (BASH + "#SBATCH --gres=gpu:1 -n many\n", ":2: -n many: expected a number from 1 on", "write #SBATCH --ntasks=1"),
    (BASH + "#SBATCH --gres=gpu:1 -d singleton\n", ":2: -d singleton: rv waits for one run, by afterok:ID or afterany:ID",
     "use --after RUN"),
    (BASH + "#SBATCH --gres=gpu:1 --open-mode=append\n", ":2: --open-mode=append: rv can't append to an existing output file",
     "remove the line: "),
    (BASH + "#SBATCH --gres=gpu:1 --uid=ann\n", ":2: --uid=ann: rv can't keep this option", "call rv as that user"),
    (BASH + "#SBATCH --gres=gpu:1 -a 5-1\n", ":2: -a 5-1: --array \"5-1\": expected an ascending range, not '5-1'", "write it like "),
    ("#!/bin/bash\r\n#SBATCH --gres=gpu:1\r\n", " has Windows line ends, which sbatch does not accept", "remove them: sed "),
    ("#SBATCH --gres=gpu:1\n", " has #SBATCH lines, and no #! line", "write #!/bin/bash as its first line"),
    (BASH + "#SBATCH --gres=gpu:1\n\0", " contains a NUL byte, which sbatch does not accept", "write a script, in text"),
]


def call(*words):
    return subprocess.run([RV, *words], capture_output=True, text=True, check=False)


faults = []
for header, expected in TAKEN:
    with open("job.sbatch", "w", encoding="utf-8", newline="") as script:
        script.write(header)
    answer = call("plan", "--json", "--trials", "0", "--cluster", CLUSTER, "job.sbatch", "--epochs", "3")
    if not answer.stdout:
        faults.append(f"{header!r}: {answer.stderr}")
        continue
    document = json.loads(answer.stdout)
    found = {**document["request"], "not_counted": document["not_counted"]}
    if expected is None and found["gpus"] != 1:
        faults.append(f"{header!r}: read behind the first command")
    for key, value in (expected or {}).items():
        if found[key] != value:
            faults.append(f"{header!r}: {key} is {found[key]!r}, not {value!r}")
for header, message, hint in REFUSED:
    with open("job.sbatch", "w", encoding="utf-8", newline="") as script:
        script.write(header)
    answer = call("run", "-n", "--trials", "0", "--cluster", CLUSTER, "job.sbatch")
    lines = answer.stderr.splitlines()
    good = (answer.returncode == 2 and not answer.stdout and len(lines) == 2
            and lines[0] == "rv: error: job.sbatch" + message and lines[1].startswith("hint: " + hint))
    if not good:
        faults.append(f"{header!r}: exit code {answer.returncode}, {answer.stderr!r}")
print("\n".join(faults) or f"{len(TAKEN) + len(REFUSED)} headers")
sys.exit(bool(faults))
