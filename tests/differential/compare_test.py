#!/usr/bin/env python3
"""What compare.py counts as explained, on values.

usage: compare_test.py
"""
import sys
import unittest

sys.dont_write_bytecode = True
from compare import reserves_cores, verdict_of_unknown


LICENCE = "unknown: 1 licence solver is asked for, 0 are free (None, None, None)"


class UnknownWaits(unittest.TestCase):
    def test_a_named_cause_holds_the_job(self):
        self.assertEqual(verdict_of_unknown(LICENCE, ("held", "Licenses")), "held")
        self.assertEqual(verdict_of_unknown(LICENCE, ("started", "RUNNING")), "wrong")

    def test_slurm_may_name_another_cause(self):
        self.assertEqual(verdict_of_unknown(LICENCE, ("held", "QOSGrpNodeLimit")), "open")
        self.assertEqual(verdict_of_unknown(LICENCE, ("queued", "Resources")), "open")
        self.assertEqual(verdict_of_unknown(LICENCE, ("held", "PartitionDown")), "wrong")
        self.assertEqual(verdict_of_unknown(LICENCE, ("refused", "Invalid license specification")), "wrong")

    def test_without_a_cause_nothing_is_claimed(self):
        words = "unknown: the queue does not show the jobs that hold nodes (None, None, None)"
        self.assertEqual(verdict_of_unknown(words, ("started", "RUNNING")), "open")
        self.assertEqual(verdict_of_unknown(words, ("queued", "Resources")), "open")
        self.assertEqual(verdict_of_unknown(words, ("refused", "no")), "wrong")


class Reservations(unittest.TestCase):
    def test_cores(self):
        create = "scontrol create reservation reservationname=kept "
        self.assertTrue(reserves_cores({"commands": [create + "nodecnt=1 corecnt=2"]}))
        self.assertTrue(reserves_cores({"commands": [create + "tres=cpu=2"]}))
        self.assertFalse(reserves_cores({"commands": [create + "tres=node=1", "sacctmgr -i modify qos q set GrpTRES=cpu=2"]}))


if __name__ == "__main__":
    unittest.main()
