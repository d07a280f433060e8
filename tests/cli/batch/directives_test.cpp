#include "cli/batch/directives.h"

#include <doctest/doctest.h>

#include <stdexcept>

#include "base/error.h"

namespace rv::cli {
namespace {

using Words = std::vector<std::string>;

Words typed(const std::string& script) {
  Words words;
  for (const auto& one : parse_directives(script, "job")) {
    words.push_back(std::to_string(one.line) + " " + std::string(one.option->name) +
                    (one.has_value ? "=" + one.value : ""));
  }
  return words;
}

TEST_CASE("the arguments of a line are split as sbatch splits them") {
  CHECK(directive_arguments(" -p gpu  --mem=4G\t-n 2 # why") == Words{"-p", "gpu", "--mem=4G", "-n", "2"});
  CHECK(directive_arguments("--comment=\"a 'b' # c\" -J 'x \"y\"'") == Words{"--comment=a 'b' # c", "-J", "x \"y\""});
  CHECK(directive_arguments("-J a\\ b\\\"c\\\\d") == Words{"-J", "a b\"c\\d"});
  CHECK(directive_arguments("-J a#b -p x") == Words{"-J", "a"});
  CHECK(directive_arguments("-J \"\" -p x") == Words{"-J"});  // as for sbatch, nothing behind it is read
  CHECK(directive_arguments("\r").empty());
  CHECK_THROWS_AS(directive_arguments("-J 'a"), std::invalid_argument);
}

TEST_CASE("lines count up to the first command, and only with #SBATCH at their beginning") {
  CHECK(typed("#!/bin/bash\n\n##SBATCH -n 1\n #SBATCH -n 2\n# SBATCH -n 3\n#SBATCH -n 4\necho\n#SBATCH -n 5\n") ==
        Words{"6 ntasks=4"});
  CHECK(typed("#SBATCH-n1") == Words{"1 ntasks=1"});
  CHECK(has_directives("#!/bin/sh\n#SBATCH\n"));
  CHECK_FALSE(has_directives("#!/bin/sh\necho\n#SBATCH -n 1\n"));
  CHECK_FALSE(has_directives(""));
}

TEST_CASE("short forms, beginnings and values are read as getopt_long reads them") {
  CHECK(typed("#SBATCH -sHn4 -t 1\n") == Words{"1 oversubscribe", "1 hold", "1 ntasks=4", "1 time=1"});
  CHECK(typed("#SBATCH --nice --nice=5 -k\n") == Words{"1 nice", "1 nice=5", "1 no-kill"});
  CHECK(typed("#SBATCH --parti gpu\n") == Words{"1 partition=gpu"});
  CHECK(typed("#SBATCH --time\n#SBATCH 5\n") == Words{"1 time=5"});
  CHECK(typed("#SBATCH --tasks-per-node 2\n") == Words{"1 ntasks-per-node=2"});
  CHECK_THROWS_AS(typed("#SBATCH --time\n"), Error);
  CHECK_THROWS_AS(typed("#SBATCH -- -n 1\n"), Error);
  CHECK_THROWS_AS(typed("#SBATCH --mail x\n"), Error);
  CHECK_THROWS_AS(typed("#SBATCH HetJob\n"), Error);
}

}  // namespace
}  // namespace rv::cli
