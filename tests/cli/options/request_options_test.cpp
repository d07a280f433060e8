#include "cli/options/request_options.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "base/error.h"
#include "tests/cli/fixture_app.h"

namespace rv::cli {

namespace {

using Words = std::vector<std::string>;

planner::Request request(Words words, const Settings& settings = {}) {
  CLI::App app;
  const auto options = add_request_options(app);
  std::reverse(words.begin(), words.end());
  app.parse(std::move(words));
  return to_request(*options, settings);
}

std::string fault(const Words& words) {
  try {
    request(words);
  } catch (const Error& error) {
    CHECK(error.code() == ExitCode::usage);
    CHECK_FALSE(error.advice().empty());
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("splits over two nodes at most: by the name of today and by that of earlier releases") {
  for (const auto* word : {"two-nodes", "seed"}) {
    CAPTURE(word);
    CHECK(request({"--splits", word}).splits == planner::Splits::two_nodes);
  }
}

TEST_CASE("without options: one GPU of any type for the settings' time") {
  Settings settings;
  settings.account = "lab";
  settings.time = std::chrono::hours(5);
  const auto plain = request({}, settings);
  CHECK(plain.gpus == 1);
  CHECK(plain.types.empty());
  CHECK(plain.time == std::chrono::hours(5));
  CHECK(plain.account == planner::DatabaseName("lab"));
  CHECK(plain.splits == planner::Splits::pairs);
  CHECK(request({}).time == std::chrono::hours(2) + std::chrono::minutes(59));
}

TEST_CASE("every option arrives") {
  const auto all = request(
      {"-g",          "4",        "-t",        "a40,h100", "--type", "v100",     "--vram",       "40G",     "--time",
       "30m",         "--mem",    "64G",       "--cpus",   "8",      "--name",   "a name",       "--nodes", "2",
       "--partition", "p1, p2",   "--account", "lab",      "--qos",  "high",     "--constraint", "a&b",     "--exclude",
       "n1",          "--splits", "all",       "--window", "4h",     "--window", "a40=2h"});
  CHECK(all.gpus == 4);
  CHECK(all.types == Words{"a40", "h100", "v100"});
  CHECK(all.vram->count == 40 * 1024);
  CHECK(all.time == std::chrono::minutes(30));
  CHECK(all.memory->count == 64 * 1024);
  CHECK(all.cpus == 8);
  CHECK(all.name == "a name");
  CHECK(all.nodes == 2);
  CHECK(all.partitions == Words{"p1", "p2"});
  CHECK(all.account == planner::DatabaseName("lab"));
  CHECK(all.qos == planner::DatabaseName("high"));
  CHECK(all.constraint == "a&b");
  CHECK(all.exclude == Words{"n1"});
  CHECK(all.splits == planner::Splits::all);
  CHECK(all.windows.at("*") == std::chrono::hours(4));
  CHECK(all.windows.at("a40") == std::chrono::hours(2));
  CHECK(request({"--mig"}).mig);
  CHECK(request({"--single-node"}).single_node);
}

TEST_CASE("0 is all memory of a node, and --exclusive whole nodes") {
  CHECK(request({"--mem", "0"}).memory == Mebibytes{0});
  CHECK(request({"--mem", "0G"}).memory == Mebibytes{0});
  CHECK(!request({}).exclusive);
  CHECK(request({"--exclusive"}).exclusive);
}

TEST_CASE("a bad value is named together with its option") {
  for (const char* bad : {"-1", "x", "4x", "1.5", "99999999999", "+4"}) {
    CHECK(fault({std::string("--gpu=") + bad}) ==
          std::string("--gpu \"") + bad + "\": expected a whole number from 0 to 100000");
  }
  CHECK(fault({"--time", "soon"}) == "--time \"soon\": expected a length of time above 0");
  CHECK(fault({"--vram", "big"}) == "--vram \"big\": expected an amount of memory above 0");
  CHECK(fault({"--vram", "0G"}) == "--vram \"0G\": expected an amount of memory above 0");
  CHECK(fault({"--mem", "-1G"}) == "--mem \"-1G\": expected an amount of memory above 0");
  CHECK(fault({"--mem", "4"}) == "--mem \"4\": expected an amount of memory with its unit");
  CHECK(fault({"--cpus", "0"}) == "--cpus \"0\": expected a whole number from 1 to 100000");
  CHECK(fault({"--nodes", "none"}) == "--nodes \"none\": expected a whole number from 1 to 100000");
  CHECK(fault({"--fanout", "0"}) == "--fanout \"0\": expected a whole number from 1 to 1000");
  CHECK(fault({"-t", "a40,,h100"}) == "--type \"a40,,h100\": expected names separated by commas");
  CHECK(fault({"--partition", ","}) == "--partition \",\": expected names separated by commas");
  CHECK(fault({"--splits", "odd"}) == "--splits \"odd\": expected pairs, all or two-nodes");
  CHECK(fault({"--window", "=4h"}) == "--window \"=4h\": expected a GPU type before \"=\"");
  CHECK(fault({"--window", "a40=long"}) == "--window \"long\": expected a length of time above 0");
  CHECK(fault({"--account", "a\nb"}) == "--account \"a?b\": expected one line of plain text");
}

TEST_CASE("options that contradict each other") {
  CHECK(fault({"--mig", "-g", "2"}) == "--mig requests one slice of a GPU and can't be combined with --gpu 2");
  CHECK(fault({"--single-node", "--nodes", "2", "-g", "2"}) == "--single-node and --nodes 2 can't be combined");
  CHECK(fault({"--nodes", "3", "-g", "4"}) == "--nodes 3 does not divide --gpu 4 evenly");
  for (const auto* list : {"n[1-", "n[1-999999999]", "n[1-1000000][1-1000000]", ","}) {
    CAPTURE(list);
    CHECK(fault({"--exclude", list}).starts_with("--exclude \"" + std::string(list) + "\""));
    CHECK(fault({"--nodelist", list}).starts_with("--nodelist \"" + std::string(list) + "\""));
  }
  CHECK(fault({"--nodelist", "n[1-2]"}) == "the 2 nodes of --nodelist do not divide --gpu 1 evenly");
  CHECK(fault({"--nodelist", "n1,n2", "-g", "2", "--single-node"}) ==
        "--single-node and the 2 nodes of --nodelist can't be combined");
  CHECK(fault({"--nodelist", "n1,n2", "-g", "2", "--nodes", "1"}) == "--nodelist has 2 nodes, but --nodes is 1");
  CHECK(fault({"--nodelist", "n1", "-g", "3", "--nodes", "2"}) == "--nodes 2 does not divide --gpu 3 evenly");
}

TEST_CASE("fan-out: the option, else the settings") {
  Settings settings;
  settings.fanout = 7;
  RequestOptions options;
  CHECK(fanout(options, settings) == 7);
  options.fanout = 2;
  CHECK(fanout(options, settings) == 2);
  options.fanout = 0;
  CHECK_THROWS_AS(fanout(options, settings), Error);
}

}  // namespace rv::cli
