"""Nodes of a pretended cloud: Slurm's own power saving starts and ends their slurmd."""

import os
import sys


def keys(directory, others, speed):
    """Of slurm.conf; `others` are the nodes that stay on."""
    return {
        "ResumeProgram": f"{directory}/etc/power-up",
        "SuspendProgram": f"{directory}/etc/power-off",
        "SuspendExcNodes": ",".join(others),
        "SuspendTime": round(300 * speed),
        "SuspendTimeout": round(5 * speed),
        "ResumeTimeout": round(60 * speed),
    }


def program(action):
    """What the controller calls with a list of nodes when it wants them on or off."""
    return ["#!/bin/sh", f'for node in $(scontrol show hostnames "$1"); do {action}; done']


def programs(directory):
    """By name: the supervisor starts what is ordered, and ends a node with all that runs on it."""
    orders = f"{directory}/orders"
    supervisor = f"{os.path.dirname(os.path.realpath(__file__))}/supervisor.py"
    return {
        # No machine boots at once, and one that does is not believed: the controller compares whole seconds, and what seems
        # to be up since before the order counts as not booted.
        "power-up": program(f'mkdir -p {orders}; sleep 2; : >"{orders}/slurmd.$node"'),
        "power-off": program(f'{sys.executable} {supervisor} power-off {directory} "$node"'),
    }
