"""Makes a mismatch small: removes one part after the other and keeps what the mismatch needs."""
import copy


def paths_of(draw):
    """Where something can be left out, big parts first."""
    for name in ("load", "commands"):
        for i in reversed(range(len(draw[name]))):
            yield (name, i)
    shape = draw["shape"]
    for name in ("nodes", "partitions", "qos"):
        for i in reversed(range(len(shape[name]))):
            yield ("shape", name, i)
            for key in shape[name][i]:
                if key in ("features", "max_time", "qos"):
                    yield ("shape", name, i, key)
            for key in shape[name][i].get("slurm", {}):
                yield ("shape", name, i, "slurm", key)
            for key in shape[name][i].get("limits", {}):
                yield ("shape", name, i, "limits", key)
    for key in shape["slurm"]:
        yield ("shape", "slurm", key)


def without(draw, path):
    smaller = copy.deepcopy(draw)
    place = smaller
    for step in path[:-1]:
        place = place[step]
    del place[path[-1]]
    return smaller


def reduce(trial, draw, comparison):
    """The same mismatch, by property and by what Slurm did, with as little as possible around it."""
    best = copy.deepcopy(draw)
    best["requests"] = [comparison.request]

    def fails(smaller):
        found = trial.compare_all(smaller)
        return not isinstance(found, str) and any(
            one.verdict == comparison.verdict and one.property == comparison.property and one.truth[0] == comparison.truth[0] for one in found)

    if not fails(best):
        return {**best, "note": "the request without the others does not differ"}
    for path in list(paths_of(best)):
        try:
            smaller = without(best, path)
        except (IndexError, KeyError):
            continue
        if fails(smaller):
            best = smaller
    best["requests"] = [{**comparison.request, "slurm": comparison.truth[0]}]
    return best
