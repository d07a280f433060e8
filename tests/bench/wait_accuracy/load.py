"""A seeded day of submissions by other people, near what the cluster can carry.

Nothing here talks to Slurm: the same seed gives the same list. What it imitates, and where from:
- users are skewed (a few submit most), with habits of their own: usual types, sizes, how far below the limit they end
  (studies of production logs agree that jobs use well below half of their limit on average, that a spike ends exactly
  at the limit, and that a tenth or more fail within minutes);
- work is repeated: a user has a few projects at a time, and submits each again and again under its name, with the same
  request and much the same run time, until it is done (the mean of a user's last two jobs is a good predictor of the
  next: Tsafrir, Etsion, Feitelson, "Backfilling using system-generated predictions rather than user runtime estimates",
  2007; durations on GPU clusters are predicted from jobs of like names: Hu et al., "Characterization and prediction of
  deep learning workloads in large-scale GPU datacenters", 2021). How like the repetitions are differs from project to
  project; a share of the jobs belongs to none. `--habits independent` leaves the repetition out: each job's run time
  is drawn anew;
- limits are round and heavy-tailed;
- people come in bursts, by day more than by night.
"""

import dataclasses
import math
import random

HOUR = 3600.0
# type: (partition, nodes, GPUs per node, CPUs per GPU, memory per GPU in MB, offered load as a share of all its GPUs)
TYPES = {
    "a6000": ("gpu-a6000", 8, 8, 4, 24000, 0.93),
    "a40": ("gpu-a40", 6, 8, 8, 120000, 0.86),
    "a100": ("gpu-a100-80", 6, 8, 10, 200000, 0.97),
    "v100": ("gpu-v100", 4, 4, 8, 80000, 0.74),
}
USERS = "games man lp mail news uucp proxy www-data backup list irc sys".split()
ACCOUNTS = ["lab", "bio", "phys", "other"]
LIMITS_H = [(0.25, 5), (0.5, 8), (1, 14), (2, 16), (4, 18), (6, 8), (8, 8), (12, 12), (24, 9), (48, 1.5), (72, 0.5)]
SHAPES = [((1, 1), 60), ((1, 2), 15), ((1, 4), 13), ((1, 8), 6), ((2, 4), 3), ((2, 8), 2), ((1, 3), 1)]
LONGEST_RUN = 9 * HOUR
HABITS = ("projects", "independent")
# (sigma of the logarithm of run time within a project, weight): runs of one benchmark, of one training with other
# seeds, of one program on other inputs, of something called "test".
SPREADS = [(0.05, 3), (0.15, 3), (0.4, 2.5), (1.0, 1.5)]
ONE_OFF = 0.25  # of the visits: what comes once
VISITS = 20  # of its owner, in the mean, until a project is done


@dataclasses.dataclass
class Job:
    at: float  # seconds after the day's beginning
    user: str
    account: str
    partitions: str
    gres: str  # of one node
    nodes: int
    gpus: int  # on one node
    cpus: int  # on one node
    memory_mb: int  # on one node
    limit_s: int
    run_s: int  # as long as the limit or longer: it ends by the limit
    array: str = ""  # sbatch --array
    name: str = ""  # of its project; empty: a name that comes once


def pick(rng, weighted):
    return rng.choices([value for value, _ in weighted], [weight for _, weight in weighted])[0]


@dataclasses.dataclass
class Project:
    """One piece of work under one name: the first job is what the others repeat."""

    name: str
    gpu_type: str
    first: Job
    spread: float

    def run_s(self, rng, person):
        """Seconds of another run of it; some fail early, as all do."""
        if rng.random() < person.fails:
            return person.failed_run_s(rng, self.first.limit_s)
        return max(5, int(min(LONGEST_RUN, self.first.run_s * math.exp(rng.gauss(0, self.spread)))))


class Person:
    def __init__(self, rng, name, number):
        self.name = name
        self.account = ACCOUNTS[number % len(ACCOUNTS)]
        self.weight = 1 / (number + 1) ** 0.9
        self.types = rng.sample(list(TYPES), 2)
        mean = rng.choice([0.12, 0.2, 0.3, 0.35, 0.5, 0.7])  # of run time / limit
        spread = rng.uniform(2, 6)
        self.alpha, self.beta = mean * spread, (1 - mean) * spread
        self.fails = rng.uniform(0.05, 0.2)
        self.times_out = rng.uniform(0.03, 0.2)
        self.usual_limit = pick(rng, LIMITS_H)
        self.projects = []
        self.begun = 0

    def limit_s(self, rng):
        hours = self.usual_limit if rng.random() < 0.6 else pick(rng, LIMITS_H)
        return int(hours * HOUR)

    def failed_run_s(self, rng, limit):
        return max(2, int(min(limit * 0.9, rng.expovariate(1 / 150.0))))

    def run_s(self, rng, limit):
        if rng.random() < self.fails:
            return self.failed_run_s(rng, limit)
        return self.whole_run_s(rng, limit)

    def whole_run_s(self, rng, limit):
        if rng.random() < self.times_out:
            return limit + 7200
        return max(5, int(min(LONGEST_RUN, limit * rng.betavariate(self.alpha, self.beta))))

    def project(self, rng, gpu_type):
        """One of those under way on this type, or a new one."""
        self.projects = [one for one in self.projects if rng.random() > 1 / VISITS]
        mine = [one for one in self.projects if one.gpu_type == gpu_type]
        if mine and rng.random() < 0.8:
            return rng.choice(mine)
        self.begun += 1
        first = self.job(rng, 0.0, gpu_type)
        first.run_s = self.whole_run_s(rng, first.limit_s)
        first.name = f"{self.name}-{letters(self.begun)}"
        self.projects.append(Project(first.name, gpu_type, first, pick(rng, SPREADS)))
        return self.projects[-1]

    def job(self, rng, at, gpu_type):
        partition, _, per_node, cpus, memory, _ = TYPES[gpu_type]
        nodes, gpus = pick(rng, SHAPES)
        gpus = min(gpus, per_node)
        limit = self.limit_s(rng)
        partitions, gres = partition, f"gpu:{gpu_type}:{gpus}"
        if rng.random() < 0.08:  # any of two types will do
            other = rng.choice([name for name in TYPES if name != gpu_type and TYPES[name][2] >= gpus])
            partitions, gres = f"{partition},{TYPES[other][0]}", f"gpu:{gpus}"
            cpus, memory = min(cpus, TYPES[other][3]), min(memory, TYPES[other][4])
        factor = rng.choice([0.5, 1, 1, 1, 1.5])
        cores = max(1, int(min(cpus * gpus * factor, TYPES[gpu_type][3] * per_node)))
        return Job(at, self.name, self.account, partitions, gres, nodes, gpus, cores, int(memory * gpus * 0.9),
                   limit, self.run_s(rng, limit))


def letters(number):
    """1, 2, … as a, b, …, aa, …: a name in which digits tell nothing."""
    text = ""
    while number > 0:
        number, at = divmod(number - 1, 26)
        text = chr(ord("a") + at) + text
    return text


def busy(at):
    """Relative rate of submission: highest at 15:00, a quarter of that at 3:00. The day begins at 8:00."""
    hour = (8 + at / HOUR) % 24
    return 0.625 + 0.375 * math.cos((hour - 15) / 12 * math.pi)


def arrivals(rng, hours):
    """Begin of each burst, by thinning."""
    at, rate = 0.0, 1 / 60.0  # bursts a second at the busiest; what is too much is dropped later
    while (at := at + rng.expovariate(rate)) < hours * HOUR:
        if rng.random() < busy(at):
            yield at


def gpu_seconds(job):
    tasks = len(job.array) and int(job.array.split("-")[1].split("%")[0]) or 1
    return job.nodes * job.gpus * min(job.run_s, job.limit_s) * tasks


def one_visit(rng, person, at, gpu_type, habits):
    """What one person submits in one go: a job, a few like it, or an array."""
    project = None if habits == "independent" or rng.random() < ONE_OFF else person.project(rng, gpu_type)

    def another_run():
        return person.run_s(rng, first.limit_s) if project is None else project.run_s(rng, person)

    if project is None:
        first = person.job(rng, at, gpu_type)
    else:
        first = dataclasses.replace(project.first, at=at, run_s=project.run_s(rng, person))
    kind = rng.random()
    if kind < 0.72:
        return [first]
    count = rng.randint(3, 12)
    if kind < 0.80 and first.gpus <= 2:
        return [dataclasses.replace(first, nodes=1, array=f"1-{count}%{rng.randint(2, 6)}")]
    jobs = [dataclasses.replace(first, at=at + 4.0 * i, run_s=another_run()) for i in range(count)]
    return jobs if first.nodes * first.gpus <= 4 else jobs[:3]


def make_load(seed, hours, habits="projects"):
    """Jobs by time. At 0 enough to fill the cluster, with the rest of their lives ahead; then each type gets its
    offered load over the whole time, hour by hour so that no burst starves the rest of the day."""
    rng = random.Random(seed)
    people = [Person(rng, name, i) for i, name in enumerate(rng.sample(USERS, len(USERS)))]
    weights = [person.weight for person in people]
    jobs, filled = [], []
    for gpu_type, (_, nodes, per_node, _, _, _) in TYPES.items():
        room = nodes * per_node * 1.1
        while room > 0:
            job = rng.choices(people, weights)[0].job(rng, 0.0, gpu_type)
            job.run_s = max(30, int(min(job.run_s, job.limit_s) * rng.random()))
            jobs.append(job)
            filled.append(gpu_type)
            room -= job.nodes * job.gpus
    capacity = {name: nodes * gpus * load for name, (_, nodes, gpus, _, _, load) in TYPES.items()}
    # Half an hour in debt, so that there soon is a queue.
    given = {name: -0.5 * HOUR * capacity[name] for name in TYPES}
    for job, gpu_type in zip(jobs, filled):
        given[gpu_type] += gpu_seconds(job)
    for at in arrivals(rng, hours):
        person = rng.choices(people, weights)[0]
        gpu_type = rng.choice(person.types) if rng.random() < 0.8 else rng.choice(list(TYPES))
        due = capacity[gpu_type] * at
        visit = one_visit(rng, person, at, gpu_type, habits)
        # Ahead of the plan by some hours at most: room for bursts, none for a single visit that fills the whole day.
        if given[gpu_type] + sum(map(gpu_seconds, visit)) > due + 2.5 * HOUR * capacity[gpu_type] * busy(at):
            continue
        jobs += visit
        given[gpu_type] += sum(map(gpu_seconds, visit))
    return sorted(jobs, key=lambda job: job.at)


SCORED_LIMITS_S = [(900, 10), (1800, 25), (3600, 20), (7200, 15), (10740, 15), (4 * 3600, 8), (8 * 3600, 5), (86400, 2)]
SCORED_SHAPES = [((1, 1), 40), ((1, 2), 20), ((1, 4), 20), ((2, 2), 7), ((1, 8), 6), ((2, 4), 5), ((2, 8), 2)]


def scored_run_s(rng, limit):
    return min(max(5, int(limit * rng.betavariate(0.8, 2.5))), 5400)


def make_scored(seed, begin, end, count):
    """What rv's own users ask, spread over the time: (at, user, account, type, nodes, GPUs a node, limit, run)."""
    rng = random.Random(seed + 7)
    step = (end - begin) / count
    for i in range(count):
        gpu_type = rng.choices(list(TYPES), [3, 3, 3, 1.5])[0]
        nodes, gpus = pick(rng, SCORED_SHAPES)
        gpus = min(gpus, TYPES[gpu_type][2])
        limit = pick(rng, SCORED_LIMITS_S)
        run = scored_run_s(rng, limit)
        user, account = rng.choice([("daemon", "lab"), ("bin", "bio"), ("root", "other")])
        yield begin + (i + rng.random()) * step, user, account, gpu_type, nodes, gpus, limit, run


REQUESTS = ("open", "fixed")
ANY_TYPE = 0.5  # of the open requests


def make_requests(seed, begin, end, count, kind):
    """The same as rv is asked for it: (at, user, request, run). Fixed: exactly so. Open: so many GPUs, on nodes of
    rv's choice, and half of them of rv's choice as well, whatever the type that was drawn."""
    rng = random.Random(seed + 8)
    for at, user, account, gpu_type, nodes, gpus, limit, run in make_scored(seed, begin, end, count):
        request = {"gpus": nodes * gpus, "type": gpu_type, "nodes": nodes, "time_s": limit, "account": account}
        if kind == "open":
            request |= {"nodes": None, "type": None if rng.random() < ANY_TYPE else gpu_type}
        yield at, user, request, run
