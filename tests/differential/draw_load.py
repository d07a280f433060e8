"""Jobs that come before the requests, in the forms that sbatch takes."""
from drawing import USERS, registry

DRAWERS, draws = registry()


@draws("sbatch --gres", "sbatch --gpus", "sbatch --gpus-per-node", "sbatch --array", "sbatch --dependency", "sbatch --hold",
       "sbatch --begin", "sbatch --exclusive")
def load(draw):
    for _ in range(draw.one(1, 2, 3, 4)):
        gpus = draw.one(1, 1, 2, 4)
        form = draw.one(f"--gres=gpu:{gpus}", f"--gpus={gpus}", f"--gpus-per-node={gpus}")
        partition = draw.random.choice(draw.shape["partitions"])["name"]
        options = ["-p", partition, "-N", str(draw.one(1, 1, 1, 2)), form, "--mem=1000", "-t", draw.one("8", "30", "90")]
        extra = draw.one([], [], [], ["--array=0-3%1"], ["--array=0-2"], ["--hold"], ["--begin=now+2hours"], ["--exclusive"],
                         ["--dependency"])
        if extra == ["--dependency"]:
            extra = ["--dependency=afterany:PREVIOUS"] if draw.load else []
        draw.load.append({"user": draw.one(*USERS), "options": options + extra})


@draws("sbatch --cpus-per-gpu", "sbatch --mem-per-gpu", "sbatch --mem-per-cpu", "sbatch --gpus-per-task", "sbatch --ntasks",
       "sbatch --nodelist", "sbatch --exclude", "sbatch --oversubscribe", "sbatch --exclusive=user", "sbatch --nice",
       "sbatch --threads-per-core", "sbatch --contiguous", "sbatch --account")
def load_of_other_forms(draw):
    for _ in range(draw.one(1, 2, 3)):
        gpus = draw.one(1, 1, 2)
        size = draw.one(["-N1", f"--gres=gpu:{gpus}", "--mem-per-cpu=500", "-c2"], ["-n2", "--gpus-per-task=1", "--mem=1000"],
                        ["-N1", f"--gpus={gpus}", "--cpus-per-gpu=2", "--mem-per-gpu=2000"], ["-N1", "-n4", "--mem=0"],
                        ["-n3", f"--gpus={gpus}", "--mem-per-cpu=1000"], ["-N1", "-n1", f"--gres=gpu:{gpus}"])
        extra = draw.one([], [], [f"--nodelist={draw.node()}"], [f"--exclude={draw.node()}"], ["--oversubscribe"],
                         ["--exclusive=user"], ["--nice=100"], ["--threads-per-core=1"], ["--contiguous"], ["--account=other"])
        draw.load.append({"user": draw.one(*USERS), "options": size + extra + ["-t", draw.one("8", "30", "90")]})
