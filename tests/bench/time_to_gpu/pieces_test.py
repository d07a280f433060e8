#!/usr/bin/env python3
"""What measure.py and table.py do apart from a Slurm: reading accounting, choosing, summing up."""

import json
import os
import unittest

import measure
from measure import history
import table


def strategy(rank, gpu_type, nodes, start, cost=10.0, races=False, free_now=False):
    return {"rank": rank, "type": gpu_type, "nodes": nodes, "submitted": 1000, "start": start, "cost_su": cost,
            "races": races, "free_now": free_now}


ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../..")


# The race's first waits ten minutes, its second five; a strategy that does not race starts at once, a type never.
BUSY = {"strategies": [strategy(1, "a40", 1, 1600, 37, races=True), strategy(2, "a6000", 1, 1300, 28, races=True),
                 strategy(3, "a40", 2, 1000, 38), strategy(4, "a100", 1, None, 102)]}
FREE = {"strategies": [strategy(1, "v100", 1, 1005, 4, races=True, free_now=True), strategy(2, "a40", 1, 1003, 37, races=True)]}


class Parties(unittest.TestCase):
    def test_race_is_won_by_its_first_start(self):
        won, wait, jobs = table.rv_race(BUSY, 7200)
        self.assertEqual((won["rank"], wait, jobs), (2, 300, 2))

    def test_free_first_starts_alone(self):
        won, wait, jobs = table.rv_race(FREE, 7200)
        self.assertEqual((won["rank"], wait, jobs), (1, 5, 1))

    def test_free_first_that_does_not_start_is_joined_by_the_others(self):
        late = {"strategies": [{**FREE["strategies"][0], "start": 1090}, FREE["strategies"][1]]}
        won, wait, jobs = table.rv_race(late, 7200)
        self.assertEqual((won["rank"], wait, jobs), (2, 3, 2))

    def test_best_single_type_has_one_node(self):
        won, wait, jobs = table.best_single(BUSY, 7200)
        self.assertEqual((won["rank"], wait, jobs), (2, 300, 1))

    def test_original_submits_everything(self):
        won, wait, jobs = table.original(BUSY, 7200)
        self.assertEqual((won["rank"], wait, jobs), (3, 0, 4))

    def test_no_start_in_time_is_the_patience_without_a_cost(self):
        self.assertEqual(table.best_single(BUSY, 200), (None, 200, 1))
        text = table.summary([BUSY, FREE], table.best_single, 200)
        self.assertEqual((text["mean_s"], text["su"], text["not_started"]), (101.5, 37, 1))

    def test_equal_waits_go_to_the_higher_way(self):
        tie = {"strategies": [strategy(2, "a40", 1, 1000), strategy(1, "v100", 1, 1000)]}
        self.assertEqual(table.original(tie, 7200)[0]["rank"], 1)

    def test_random_pick_is_seeded_and_takes_each_type(self):
        moments = [BUSY] * 60
        first, again = (table.summary(moments, table.parties(3)["random single type"], 7200) for _ in range(2))
        self.assertEqual(first, again)
        self.assertTrue(5 < first["not_started"] < 35)
        self.assertNotEqual(first, table.summary(moments, table.parties(4)["random single type"], 7200))

    def test_table(self):
        lines = table.table([BUSY, FREE], 1, 7200).splitlines()
        self.assertEqual(len(lines), 6)
        self.assertEqual(lines[2], "| rv's race | 2.5 min | 5.0 min | 16.0 | 1.5 | 0 of 2 |")
        self.assertEqual(lines[5], "| the original's order | 0.0 min | 0.1 min | 37.5 | 3.0 | 0 of 2 |")


class Documented(unittest.TestCase):
    def test_tables_are_those_of_the_recorded_moments(self):
        with open(f"{ROOT}/docs/history.md", encoding="utf-8") as file:
            text = file.read()
        for seed in (21, 22):
            with open(f"{ROOT}/tests/data/time_to_gpu/seed{seed}.jsonl", encoding="utf-8") as file:
                moments = [json.loads(line) for line in file]
            self.assertIn(table.table(moments, seed, 7200), text)


class Load(unittest.TestCase):
    def test_busier(self):
        types = {"a40": ("p", 6, 8, 8, 120000, 0.5)}
        self.assertEqual(measure.busier(types, 1.5), {"a40": ("p", 6, 8, 8, 120000, 0.75)})


class Accounting(unittest.TestCase):
    def test_rows_become_history(self):
        row = ("12|ann|lab|gpu-a40|normal|COMPLETED|100|100|160|460|1-00:30:00|"
               "billing=8,cpu=8,gres/gpu:a40=4,gres/gpu=4,mem=96G,node=2|train-7")
        self.assertEqual(history.finished_jobs(row + "\n"), [{
            "user": "ann", "account": "lab", "partition": "gpu-a40", "qos": "normal", "state": "COMPLETED",
            "submitted": 100, "eligible": 100, "start": 160, "end": 460, "limit_s": 88200, "nodes": 2, "cpus": 8,
            "memory_mb": 98304, "gpu_type": "a40", "gpus": 4, "name_key": history.name_key("train-")}])

    def test_names_have_the_keys_that_rv_gives_them(self):
        # The middle one as tests/planner/cluster/job_name_test.cpp has it.
        self.assertEqual([history.name_key(name) for name in ("", "train-7", "17")], [0, 1717114186, 1805975344])

    def test_what_never_ran_or_still_runs_tells_nothing(self):
        never = "13|ann|lab|gpu-a40|normal|CANCELLED by 0|100|100|200|200|00:30:00|"
        running = "14|ann|lab|gpu-a40|normal|RUNNING|100|100|160|Unknown|00:30:00|cpu=8,node=1"
        self.assertEqual(history.finished_jobs(f"{never}\n{running}\n\n"), [])


if __name__ == "__main__":
    unittest.main()
