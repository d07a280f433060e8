#include "base/failures/python_error.h"

#include <doctest/doctest.h>

namespace rv::failures {
namespace {

using Lines = std::vector<std::string>;

const Lines division = {"Traceback (most recent call last):",
                        "  File \"/home/u/train.py\", line 40, in <module>",
                        "    main()",
                        "  File \"/home/u/train.py\", line 12, in mean",
                        "    return total / count",
                        "           ~~~~~~^~~~~~~",
                        "ZeroDivisionError: division by zero"};

}  // namespace

TEST_CASE("an exception has its message, file, line and function") {
  const auto errors = python_errors_in(division);
  REQUIRE(errors.size() == 1);
  CHECK(describe(errors[0]) == "ZeroDivisionError: division by zero (/home/u/train.py:12, in mean)");
  CHECK(errors[0].begin == 0);
  CHECK(errors[0].end == 6);
}

TEST_CASE("the frame is the program's own, not a library's") {
  const Lines lines = {"Traceback (most recent call last):",
                       "  File \"train.py\", line 3, in <module>",
                       "    x()",
                       "  File \"/opt/conda/lib/python3.11/site-packages/torch/nn/x.py\", line 9, in forward",
                       "    y",
                       "RuntimeError: mat1 and mat2 shapes cannot be multiplied"};
  CHECK(describe(python_errors_in(lines).at(0)) ==
        "RuntimeError: mat1 and mat2 shapes cannot be multiplied (train.py:3)");
}

TEST_CASE("a program that can't be parsed has no traceback's head") {
  const Lines lines = {"  File \"train.py\", line 3", "    x = = 1", "        ^", "SyntaxError: invalid syntax"};
  CHECK(describe(python_errors_in(lines).at(0)) == "SyntaxError: invalid syntax (train.py:3)");
}

TEST_CASE("prefixes of ranks and loggers are left out, other ranks' lines passed over") {
  const Lines ranks = {"[rank1]: Traceback (most recent call last):", "[rank0]: still here",
                       "[rank1]:   File \"t.py\", line 5, in f", "[rank1]:     g()", "[rank1]: KeyError: 'lr'"};
  CHECK(describe(python_errors_in(ranks).at(0)) == "KeyError: 'lr' (t.py:5, in f)");
  const Lines logger = {"ERROR 06-30 13:53:19 [core.py:515] Traceback (most recent call last):",
                        "ERROR 06-30 13:53:20 [core.py:515]   File \"w.py\", line 7, in init",
                        "ERROR 06-30 13:53:20 [core.py:515] ValueError: too small"};
  CHECK(describe(python_errors_in(logger).at(0)) == "ValueError: too small (w.py:7, in init)");
}

TEST_CASE("what Python ignores itself is not a failure, and what is not a traceback is none") {
  Lines ignored = {"Exception ignored in: <function Pool.__del__ at 0x7f>"};
  ignored.insert(ignored.end(), division.begin(), division.end());
  CHECK(python_errors_in(ignored).empty());
  CHECK(python_errors_in(Lines{"Traceback (most recent call last):", "epoch 1", "ValueError: x"}).empty());
  CHECK(python_errors_in(Lines{}).empty());
}

TEST_CASE("an exception raised while another is handled is chained to it") {
  Lines lines = division;
  lines.insert(lines.end(), {"", "During handling of the above exception, another exception occurred:", ""});
  lines.insert(lines.end(), division.begin(), division.end());
  const auto errors = python_errors_in(lines);
  REQUIRE(errors.size() == 2);
  CHECK(!errors[0].chained);
  CHECK(errors[1].chained);
}

}  // namespace rv::failures
