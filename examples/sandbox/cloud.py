"""Nodes of a simulated cloud: Slurm's power saving starts and ends their slurmd."""

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
    """Handles the controller's call to power nodes up or down."""
    return ["#!/bin/sh", f'for node in $(scontrol show hostnames "$1"); do {action}; done']


def programs(directory):
    """By name: the supervisor starts requested nodes, and ends a node with all its processes."""
    orders = f"{directory}/orders"
    supervisor = f"{os.path.dirname(os.path.realpath(__file__))}/supervisor.py"
    return {
        # Delays the boot: the controller compares whole seconds, and a node that seems to have been up before the request
        # counts as not booted.
        "power-up": program(f'mkdir -p {orders}; sleep 2; : >"{orders}/slurmd.$node"'),
        "power-off": program(f'{sys.executable} {supervisor} power-off {directory} "$node"'),
    }
