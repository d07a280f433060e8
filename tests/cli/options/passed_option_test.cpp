#include "cli/options/passed_option.h"

#include <doctest/doctest.h>

#include <utility>

#include "base/error.h"

namespace rv::cli {
namespace {

using Words = std::vector<std::string>;

std::pair<std::string, std::string> fault(const std::string& text) {
  try {
    passed_option(text);
  } catch (const Error& error) {
    CHECK(error.code() == ExitCode::usage);
    return {error.what(), error.advice()};
  }
  return {"no error", ""};
}

TEST_CASE("an option is passed with its value, with dashes before it or without") {
  CHECK(passed_option("comment=a = b, \"c\" 'd' $e") == "comment=a = b, \"c\" 'd' $e");
  CHECK(passed_option("--begin=now+1hour") == "begin=now+1hour");
  CHECK(passed_option("contiguous") == "contiguous");
  CHECK(passed_option("nice") == "nice");
  CHECK(passed_option("nice=100") == "nice=100");
  CHECK(passed_option("share") == "oversubscribe");
}

TEST_CASE("an option that rv writes itself is refused with rv's option") {
  CHECK(fault("gres=gpu:2") ==
        std::pair<std::string, std::string>{"--sbatch gres: rv sets this itself", "use -g N and -t TYPE"});
  CHECK(fault("time=2h").second == "use --time");
  CHECK(fault("tasks-per-node=2").second == "use --procs-per-node");
  CHECK(fault("signal=USR1@60").second == "use --checkpoint with --signal NAME and --warn TIME");
}

TEST_CASE("a misspelled name is rejected, and an option of a site's plugin is passed") {
  CHECK(fault("contigous").first == "--sbatch contigous: sbatch has no such option; did you mean \"contiguous\"?");
  CHECK(fault("reservaton=x").first == "--sbatch reservaton: sbatch has no such option; did you mean \"reservation\"?");
  CHECK(fault("reserv=x").first == "--sbatch reserv: sbatch has no such option; did you mean \"reservation\"?");
  CHECK(passed_option("gpumps=1") == "gpumps=1");
  CHECK(fault("=x").first == "--sbatch \"\": expected the name of an option of sbatch");
  CHECK(fault("a b").first == "--sbatch \"a b\": expected the name of an option of sbatch");
  CHECK(fault("begin\n=x").first == "--sbatch \"begin?\": expected the name of an option of sbatch");
}

TEST_CASE("a value that is missing, superfluous or not one line is refused") {
  CHECK(fault("begin").second == "write --sbatch begin=VALUE");
  CHECK(fault("hold=yes").second == "write --sbatch hold");
  CHECK(fault("comment=a\nb").first == "--sbatch comment \"a?b\": expected one line of plain text");
  CHECK(fault("comment=a\x1b[1m").first == "--sbatch comment \"a?[1m\": expected one line of plain text");
  CHECK(fault("comment=").first == "--sbatch comment \"\": expected one line of plain text");
}

TEST_CASE("a prediction does not count options that change the start") {
  CHECK(not_counted({"comment=x", "begin=16:00", "hold", "gpumps=1"}) ==
        Words{"--begin=16:00", "--hold", "--gpumps=1"});
}

}  // namespace
}  // namespace rv::cli
