#include "cli/options/option_record.h"

#include <doctest/doctest.h>

#include <CLI/CLI.hpp>

#include "base/error.h"

namespace rv::cli {
namespace {

using Words = std::vector<std::string>;

struct Options {
  int gpus = 0;
  std::vector<std::string> types;
  bool mig = false;
  std::string run;

  void add(CLI::App& app) {
    app.add_option("-g,--gpus", gpus);
    app.add_option("-t,--type", types)->delimiter(',');
    app.add_flag("--mig", mig);
    app.add_flag("-f,--follow");
  }
};

TEST_CASE("options are recorded as they were given, without those of one call and positional arguments") {
  CLI::App app;
  Options options;
  options.add(app);
  app.add_option("run", options.run);
  app.parse("first -f --mig -g 4 -t a40,a6000");
  CHECK(options_given(app, {"--follow"}) == Words{"--gpus=4", "--type=a40", "--type=a6000", "--mig"});
}

TEST_CASE("an option that is given now replaces the earlier one, and the result parses") {
  CLI::App app;
  Options options;
  options.add(app);
  app.parse("-t h200 -f");
  const auto merged = merged_options({"--gpus=4", "--type=a40", "--type=a6000", "--mig"}, app, {"--follow"});
  CHECK(merged == Words{"--gpus=4", "--mig", "--type=h200"});
  Options again;
  parse_options(merged, [&](CLI::App& one) { again.add(one); });
  CHECK(again.gpus == 4);
  CHECK(again.types == Words{"h200"});
  CHECK(again.mig);
  CHECK_THROWS_AS(parse_options({"--nosuch=1"}, [&](CLI::App& one) { again.add(one); }), Error);
}

TEST_CASE("an option of sbatch replaces that with the same key, and an older name becomes the current one") {
  CLI::App app;
  std::vector<std::string> passed;
  app.add_option("--sbatch", passed);
  app.parse("--sbatch --begin=18:00 --sbatch hold");
  const auto merged =
      merged_options({"--sbatch=comment=a=b", "--sbatch=begin=16:00", "--segment=2h", "--time=4h"}, app, {});
  CHECK(merged ==
        Words{"--sbatch=comment=a=b", "--segment-time=2h", "--time=4h", "--sbatch=--begin=18:00", "--sbatch=hold"});
}

}  // namespace
}  // namespace rv::cli
