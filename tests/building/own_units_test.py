#!/usr/bin/env python3
"""What own_units.py reports."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import own_units  # noqa: E402


class OwnUnits(unittest.TestCase):
    def test_a_file_that_combines_sources_is_reported(self):
        paths = ["/b/planner/together/rv_planner/1.cpp", os.path.join(own_units.root, "base/text.cpp")]
        faults = own_units.faults_of_build(paths, ["base/text.cpp"])
        self.assertEqual(len(faults), 1)
        self.assertIn("rv_planner/1.cpp", faults[0])

    def test_cmakes_unity_build_is_reported(self):
        self.assertEqual(len(own_units.faults_of_build(["/b/CMakeFiles/rv.dir/Unity/unity_0_cxx.cxx"], [])), 1)

    def test_embedded_files_and_precompiled_headers_are_not(self):
        paths = ["/b/templates/templates_embedded.cpp", "/b/CMakeFiles/x.dir/cmake_pch.hxx.cxx"]
        self.assertEqual(own_units.faults_of_build(paths, []), [])

    def test_a_source_that_includes_a_source_is_reported(self):
        texts = {"a.cpp": '#include "base/text.h"\n', "b.cpp": '#include "a.cpp"\n', "c.cu": "# include <x/y.cu>\n"}
        self.assertEqual([fault.split()[0] for fault in own_units.faults_of_includes(texts)], ["b.cpp", "c.cu"])


if __name__ == "__main__":
    unittest.main()
