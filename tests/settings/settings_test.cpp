#include "cli/settings/settings.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "base/error.h"
#include "tests/source_tree.h"

namespace rv::cli {

namespace {

Settings with(const std::string& text) {
  Settings settings;
  settings.catalogue = built_in_catalogue();
  apply_settings(settings, text, "site.yaml");
  return settings;
}

std::string fault(const std::string& text) {
  try {
    with(text);
  } catch (const Error& error) {
    CHECK(error.code() == ExitCode::usage);
    return error.what();
  }
  return "no error";
}

const planner::GpuModel& model(const Settings& settings, const std::string& name) {
  const auto& models = settings.catalogue.models;
  const auto found = std::find_if(models.begin(), models.end(), [&](const auto& m) { return m.name == name; });
  REQUIRE(found != models.end());
  return *found;
}

}  // namespace

TEST_CASE("the built-in catalogue holds models, and every alias names one of them") {
  const Settings settings = with("");
  CHECK(model(settings, "a100_80").vram->count == 80 * 1024);
  for (const auto& alias : settings.catalogue.aliases) {
    CHECK_FALSE(alias.models.empty());
    for (const auto& name : alias.models) model(settings, name);
  }
}

TEST_CASE("every key arrives") {
  setenv("USER", "ann", 1);
  const Settings settings = with(R"(
scratch: /scratch/${USER}/rv
fanout: 6
head_start: 2.5
time: 4h
account: lab
setup:
  - module load cuda
  - "export A='b c'"
avoid_partitions: [slow, old]
prefer_partitions: [new]
idle_policy: {gpu_below: 5%, after: 90m}
idle_stop: 20m
stall: 45m
visibility_lag: 20s
balance: {command: "left {account}", pattern: 'left: *([0-9]+)'}
quota_command: myquota --short
su_factor: 10
gpus:
  - name: a40
    su_per_gpu_hour: 18.669
  - name: x9
    title: X 9
    gres: [x9, xnine]
    features: [x9f]
    product: X9
    vram: 7G
    interconnect: pcie
    mig: true
aliases:
  nine: [x9]
  a100: [a100_40]
)");
  CHECK(settings.scratch == "/scratch/ann/rv");
  CHECK(settings.fanout == 6);
  CHECK(settings.head_start_s == 2.5);
  CHECK(settings.time == std::chrono::hours(4));
  CHECK(settings.account == "lab");
  CHECK(settings.setup_lines == std::vector<std::string>{"module load cuda", "export A='b c'"});
  CHECK(settings.avoid_partitions == std::vector<std::string>{"slow", "old"});
  CHECK(settings.prefer_partitions == std::vector<std::string>{"new"});
  REQUIRE(settings.idle_policy.has_value());
  CHECK(settings.idle_policy->below == 5);
  CHECK(settings.idle_stop == std::chrono::minutes(20));
  CHECK(settings.stall == std::chrono::minutes(45));
  CHECK(settings.visibility_lag == std::chrono::seconds(20));
  CHECK(settings.idle_policy->after == std::chrono::minutes(90));
  REQUIRE(settings.balance.has_value());
  CHECK(settings.balance->command == "left {account}");
  CHECK(settings.balance->pattern == "left: *([0-9]+)");
  CHECK(settings.quota_command == "myquota --short");
  CHECK(settings.catalogue.su_factor == 10);
  CHECK(*model(settings, "a40").su_per_gpu_hour == 18.669);
  CHECK(model(settings, "a40").vram->count == 48 * 1024);  // what the file does not name stays
  const auto& x9 = model(settings, "x9");
  CHECK(x9.title == "X 9");
  CHECK(x9.gres_types == std::vector<std::string>{"x9", "xnine"});
  CHECK(x9.features == std::vector<std::string>{"x9f"});
  CHECK(x9.product_pattern == "X9");
  CHECK(x9.vram->count == 7 * 1024);
  CHECK(x9.interconnect == "pcie");
  CHECK(x9.mig);
  const auto& aliases = settings.catalogue.aliases;
  CHECK(std::count_if(aliases.begin(), aliases.end(), [](const auto& a) { return a.name == "a100"; }) == 1);
}

TEST_CASE("mistakes are named with file, line and key") {
  CHECK(fault("fanout: 4\nfannout: 3\n") == "site.yaml:2: unknown key \"fannout\"; did you mean \"fanout\"?");
  CHECK(fault("fanout: many\n") == "site.yaml:1: fanout: expected a number from 1 to 1000");
  CHECK(fault("fanout: 1.5\n") == "site.yaml:1: fanout: expected a whole number");
  CHECK(fault("fanout: 0\n") == "site.yaml:1: fanout: expected a number from 1 to 1000");
  CHECK(fault("\nfanout: 1\nfanout: 2\n") == "site.yaml:3: fanout: duplicate key");
  CHECK(fault("time: soon\n") == "site.yaml:1: time: expected a duration");
  CHECK(fault("scratch: here\n") == "site.yaml:1: scratch: \"here\" is not an absolute folder");
  CHECK(fault("scratch: /a/$RV_NO_SUCH\n") == "site.yaml:1: scratch: the variable RV_NO_SUCH is not set");
  CHECK(fault("scratch: /a/$/b\n") == "site.yaml:1: scratch: \"/a/$/b\" has a $ without a name");
  CHECK(fault("visibility_lag: soon\n") == "site.yaml:1: visibility_lag: whole seconds from 1 to 3600 are expected");
  CHECK(fault("visibility_lag: 0s\n") == "site.yaml:1: visibility_lag: whole seconds from 1 to 3600 are expected");
  CHECK(with("visibility_lag: 30\n").visibility_lag == std::chrono::seconds(30));
  CHECK(fault("setup: {a: b}\n") == "site.yaml:1: setup: expected a list");
  CHECK(fault("- a\n") == "site.yaml:1: expected keys with values");
  CHECK(fault("gpus:\n  - title: x\n") == "site.yaml:2: gpus: a model without a name");
  CHECK(fault("gpus:\n  - name: a40\n    vramm: 3G\n") == "site.yaml:3: unknown key \"vramm\"; did you mean \"vram\"?");
  CHECK(fault("gpus:\n  - name: a40\n    mig: perhaps\n") == "site.yaml:3: mig: expected true or false");
  CHECK(fault("idle_policy: {gpu_bellow: 5%, after: 1h}\n") ==
        "site.yaml:1: unknown key \"gpu_bellow\"; did you mean \"gpu_below\"?");
  CHECK(fault("idle_policy: {gpu_below: 0, after: 1h}\n") ==
        "site.yaml:1: gpu_below: expected a share above 0 % and up to 100 %");
  CHECK(fault("idle_policy: {gpu_below: 5%}\n") == "site.yaml:1: idle_policy: both gpu_below and after are needed");
  CHECK(fault("idle_policy: {gpu_below: 5%, after: soon}\n") == "site.yaml:1: after: expected a duration");
  CHECK(fault("prefer_partition: a\n") ==
        "site.yaml:1: unknown key \"prefer_partition\"; did you mean \"prefer_partitions\"?");
  CHECK(fault("balance: {comand: x}\n") == "site.yaml:1: unknown key \"comand\"; did you mean \"command\"?");
  CHECK(fault("balance: {pattern: (x)}\n") == "site.yaml:1: balance: a command is needed");
  CHECK(fault("balance: {command: x, pattern: left}\n") ==
        "site.yaml:1: pattern: invalid pattern \"left\": no group around the number");
  CHECK(fault("balance: {command: x, pattern: (}\n").starts_with("site.yaml:1: pattern: invalid pattern \"(\""));
  CHECK_FALSE(with("balance: {}\n").balance.has_value());
  CHECK_FALSE(with("idle_policy: {}\n").idle_policy.has_value());
  CHECK(fault("a: [\n").starts_with("site.yaml:"));
}

TEST_CASE("every key is described, and every key that is described is one") {
  std::ifstream file(in_tree("docs/configuration.md"));
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  std::string known;
  try {
    with("no_such_key: 1\n");
  } catch (const Error& error) {
    known = error.advice() + ",";
  }
  REQUIRE(known.starts_with("known keys: "));
  const std::string table = text.substr(text.find("## Keys"), text.find("### A GPU model") - text.find("## Keys"));
  int rows = 0;
  for (std::size_t at = table.find("\n| `"); at != std::string::npos; at = table.find("\n| `", at + 1)) {
    const std::string key = table.substr(at + 4, table.find('`', at + 4) - at - 4);
    CHECK_MESSAGE(known.find(" " + key + ",") != std::string::npos, key);
    ++rows;
  }
  CHECK(rows == std::count(known.begin(), known.end(), ','));
  // The example there is read as it stands.
  const std::size_t begin = text.find("```yaml\n") + 8;
  CHECK(with(text.substr(begin, text.find("```", begin) - begin)).prefer_partitions ==
        std::vector<std::string>{"gpu-lab"});
}

TEST_CASE("the example site file is read as it stands, and carries the published rates") {
  std::ifstream file(in_tree("examples/sites/rivanna.yaml"));
  REQUIRE(file.is_open());
  const Settings settings = with({std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()});
  CHECK(*model(settings, "a6000").su_per_gpu_hour == 14.273);
  CHECK(*model(settings, "a40").su_per_gpu_hour == 18.669);
  CHECK(*model(settings, "a100_40").su_per_gpu_hour == 46.381);
  CHECK(*model(settings, "a100_80").su_per_gpu_hour == 50.89);
  CHECK(*model(settings, "v100").su_per_gpu_hour == 2.096);
  CHECK(*model(settings, "rtx3090").su_per_gpu_hour == 11.323);
  CHECK(*model(settings, "h200").su_per_gpu_hour == 81.667);
  CHECK(*model(settings, "1g.10gb").su_per_gpu_hour == 0);
  CHECK(settings.catalogue.su_factor == 1.0);
}

}  // namespace rv::cli
