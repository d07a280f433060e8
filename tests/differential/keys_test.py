#!/usr/bin/env python3
"""The check of keys can fail, and each key that the generator names is set in some cluster that it draws.

usage: keys_test.py
"""
import json
import re
import sys
import unittest

sys.dont_write_bytecode = True
import draw
import draw_request
import drawing
import keys

PAGE = f"""A partition's `MaxNodes` counts. The plan supports these flags of a QOS: DenyOnLimit.

{keys.BEGIN}- cluster: `MaxNodes`
{keys.END}"""
SEEDS = 60
# Keys that the shapes of the sandbox have their own word for.
WORDS_OF_SHAPES = {"MaxTime": "max_time", "Feature": "features", "reservation": "create reservation"}


class Claims(unittest.TestCase):
    def test_a_page_of_drawn_keys_passes(self):
        self.assertEqual(list(keys.untested(PAGE)), [])

    def test_a_listed_key_that_nothing_draws(self):
        self.assertEqual(len(list(keys.untested(PAGE.replace("`MaxNodes`\n", "`MaxNodes`, `GraceTime`\n")))), 1)

    def test_a_key_in_the_text_that_nothing_draws(self):
        self.assertEqual(len(list(keys.untested("`LaunchParameters=` counts. " + PAGE))), 1)

    def test_a_flag_that_nothing_draws(self):
        self.assertEqual(len(list(keys.untested(PAGE.replace("DenyOnLimit", "DenyOnLimit and Relative")))), 1)


class Drawn(unittest.TestCase):
    def test_each_key_is_set(self):
        """Of keys that are words of Slurm. The others are descriptions, such as "account tree"."""
        for names, function in draw.DRAWERS:
            text = ""
            for seed in range(SEEDS):
                one = drawing.Draw(seed, (26, 5))
                draw.base(one)
                function(one)
                drawn = one.data([draw_request.request(one) for _ in range(3)])
                text += json.dumps({part: drawn[part] for part in ("shape", "commands", "load", "requests")})
            for name in names:
                if not re.fullmatch(r"(QOS |association |sbatch )?[A-Za-z-]+", name):
                    continue
                word = keys.words_of(name)
                self.assertTrue(WORDS_OF_SHAPES.get(word, word) in text, f"nothing sets {name}")


if __name__ == "__main__":
    unittest.main()
