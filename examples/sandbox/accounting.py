"""Prints the accounts, users and limits of a shape as commands for sacctmgr, one per line."""

import os
import pwd


def known(user):
    try:
        pwd.getpwnam(user)
        return True
    except KeyError:
        return False


def associations(shape):
    """Before the controller starts: it must find its associations."""
    cluster = shape.get("cluster", "sandbox")
    accounts = shape.get("accounts") or ["lab"]
    qos = shape.get("qos") or []
    lines = [f"add cluster {cluster}"]
    lines += [f"add qos {entry['name']}" for entry in qos]
    names = ",".join(["normal"] + [entry["name"] for entry in qos])
    joined = ",".join(accounts)
    lines.append(f"add account {joined} cluster={cluster} description=sandbox organization=sandbox qos={names}")
    people = {"root", os.environ.get("RV_SANDBOX_USER", ""), "guest", *(shape.get("users") or [])}
    people = sorted(user for user in people if user and known(user))
    common = f"account={joined} cluster={cluster} defaultaccount={accounts[0]}"
    lines.append(f"add user {','.join(people)} {common}")
    lines.append("modify user root set adminlevel=admin")
    return lines


def limits(shape):
    """After it: it is the one to tell the database which GPUs there are."""
    lines = []
    for entry in shape.get("qos") or []:
        values = " ".join(f"{key}={value}" for key, value in (entry.get("limits") or {}).items())
        if values:
            lines.append(f"modify qos {entry['name']} set {values}")
    return lines
