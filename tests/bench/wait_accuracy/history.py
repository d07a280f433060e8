"""Accounting's rows as the `history` of a snapshot: what rv has learned of a cluster by the time it plans.

Real rv reads the same rows itself, in the background. A driver that lives in another time than the cluster puts them in.
"""

# rv's own format (slurm/parse/parse_finished_jobs.h).
ACCOUNTING = "JobIDRaw,User,Account,Partition,QOS,State,Submit,Eligible,Start,End,Timelimit,AllocTRES,JobName"
MASK = 2**64 - 1


def mixed(bits):
    """base/seeded_random.h."""
    bits = (bits + 0x9E3779B97F4A7C15) & MASK
    bits = ((bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & MASK
    return bits ^ (bits >> 31)


def name_key(name):
    """planner/cluster/job_name.h: the same number for names that are alike but for digits; 0 for none."""
    if not name:
        return 0
    number = 0xCBF29CE484222325
    for byte in name.encode():
        if not 48 <= byte <= 57:
            number = ((number ^ byte) * 0x100000001B3) & MASK
    return mixed(number) & 0xFFFFFFFF or 1


def span_s(text):
    """sacct's Timelimit: [days-]hours:minutes:seconds."""
    days, _, rest = text.rpartition("-")
    parts = [int(part) for part in rest.split(":")]
    while len(parts) < 3:
        parts.insert(0, 0)
    return int(days or 0) * 86400 + parts[0] * 3600 + parts[1] * 60 + parts[2]


def memory_mb(text):
    units = {"K": 1 / 1024, "M": 1, "G": 1024, "T": 1024 * 1024}
    return int(float(text[:-1]) * units[text[-1]]) if text[-1:] in units else int(float(text or 0))


def finished_jobs(rows):
    """sacct's rows as a snapshot's `history`; without those that never ran or are not over."""
    history = []
    for row in rows.splitlines():
        one = dict(zip(ACCOUNTING.split(","), row.split("|")))
        times = [one.get(name, "") for name in ("Submit", "Eligible", "Start", "End")]
        if not all(text.isdigit() for text in times) or one["Timelimit"] in ("UNLIMITED", "Partition_Limit", ""):
            continue
        tres = dict(item.split("=", 1) for item in one["AllocTRES"].split(",") if "=" in item)
        if not tres:
            continue
        typed = [name.split(":", 1)[1] for name in tres if name.startswith("gres/gpu:")]
        history.append({"user": one["User"], "account": one["Account"], "partition": one["Partition"],
                        "qos": one["QOS"], "state": one["State"].split()[0],
                        "submitted": int(times[0]), "eligible": int(times[1]),
                        "start": int(times[2]), "end": int(times[3]),
                        "limit_s": span_s(one["Timelimit"]),
                        "nodes": int(tres.get("node", 1)), "cpus": int(tres.get("cpu", 1)),
                        "memory_mb": memory_mb(tres.get("mem", "0M")), "gpu_type": typed[0] if typed else "",
                        "gpus": int(tres.get("gres/gpu", 0)), "name_key": name_key(one.get("JobName", ""))})
    return history
