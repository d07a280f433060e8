#include "templates/accept_script.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "old_bash_rules.h"

namespace rv::templates {
namespace {

namespace fs = std::filesystem;

std::string whole(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST_CASE("every step runs with its arguments byte for byte and leaves its code; one that fails ends nothing") {
  const fs::path folder = fs::temp_directory_path() / ("rv accept's " + std::to_string(getpid()));
  fs::create_directories(folder / "workers");
  std::ofstream(folder / "token") << "0123456789abcdef0123456789abcdef\n";
  std::ofstream(folder / "workers/rv-compute") << "#!/bin/sh\nprintf '%s|' \"$@\"\necho $RV_RENDEZVOUS_TOKEN\nexit 1\n";
  std::ofstream(folder / "workers/rv-train") << "#!/bin/sh\necho \"rank $RANK of $WORLD_SIZE, $RV_CHECKPOINT_DIR\"\n";
  for (const char* const worker : {"rv-compute", "rv-train"}) {
    fs::permissions(folder / "workers" / worker, fs::perms::owner_all);
  }
  const auto script = render_accept_node(
      (folder / "reports").string(), (folder / "workers").string(), (folder / "token").string(),
      {{.name = "compute", .together = false, .limit_s = 20, .command = {"rv-compute", "a b", "$(id)", "'", "--x=*"}},
       {.name = "ddp", .together = true, .limit_s = 20, .command = {"rv-train"}},
       {.name = "train", .together = false, .limit_s = 20, .command = {"rv-train"}},
       {.name = "slow", .together = false, .limit_s = 1, .command = {"../slow"}}});
  CHECK(too_new_for_old_bash(script) == "");
  std::ofstream(folder / "node.sh") << script;
  std::ofstream(folder / "slow") << "#!/bin/sh\nexec sleep 60\n";
  fs::permissions(folder / "slow", fs::perms::owner_all);
  const std::string quoted = "\"" + folder.string();
  const int status =
      std::system(("env SLURMD_NODENAME=n1 RANK=1 WORLD_SIZE=2 RV_CHECKPOINT_DIR=/old bash " + quoted + "/node.sh\" >" +
                   quoted + "/said\" 2>&1 && shellcheck -s bash " + quoted + "/node.sh\" >>" + quoted + "/said\" 2>&1")
                      .c_str());
  const auto reports = folder / "reports/n1";
  CHECK_MESSAGE(status == 0, whole(folder / "said"));
  CHECK(whole(reports / "compute/out") ==
        "a b|$(id)|'|--x=*|--report-dir|" + (reports / "compute").string() + "|0123456789abcdef0123456789abcdef\n");
  CHECK(whole(reports / "ddp/out") == "rank 1 of 2, \n");
  CHECK(whole(reports / "train/out") == "rank  of 1, \n");
  const auto steps = whole(reports / "steps.jsonl");
  CHECK(steps.find(R"({"step":"compute","exit_code":1,"seconds":)") != std::string::npos);
  CHECK(steps.find(R"({"step":"ddp","exit_code":0,)") != std::string::npos);
  CHECK(steps.find(R"({"step":"slow","exit_code":124,"seconds":1.)") != std::string::npos);
  CHECK(whole(folder / "said").find("compute                    fail") != std::string::npos);
  CHECK(whole(folder / "said").find("slow                       out of time") != std::string::npos);
  CHECK(whole(folder / "said").find("0123456789abcdef") == std::string::npos);
  fs::remove_all(folder);
}

TEST_CASE("steps that share a time end with it, and those that are left don't start") {
  const fs::path folder = fs::temp_directory_path() / ("rv preflight " + std::to_string(getpid()));
  fs::create_directories(folder / "workers");
  std::ofstream(folder / "token") << "0123456789abcdef0123456789abcdef\n";
  std::ofstream(folder / "workers/slow") << "#!/bin/sh\ntrap '' TERM\nwhile :; do sleep 1; done\n";
  fs::permissions(folder / "workers/slow", fs::perms::owner_all);
  const auto step = [](const char* name) {
    return AcceptStep{.name = name, .together = false, .limit_s = 60, .command = {"slow"}};
  };
  std::ofstream(folder / "node.sh") << render_accept_node((folder / "reports").string(), (folder / "workers").string(),
                                                          (folder / "token").string(), {step("first"), step("second")},
                                                          {}, /*within_s=*/2);
  const auto began = std::chrono::steady_clock::now();
  CHECK(std::system(("SLURMD_NODENAME=n1 bash '" + folder.string() + "/node.sh' >/dev/null 2>&1").c_str()) == 0);
  CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds(8));
  const auto steps = whole(folder / "reports/n1/steps.jsonl");
  CHECK(steps.find(R"({"step":"first","exit_code":137,)") != std::string::npos);
  CHECK(steps.find(R"("step":"second")") == std::string::npos);
  fs::remove_all(folder);
}

TEST_CASE("a pod's script prints every line with its number, long ones in parts, and is clean shell") {
  const fs::path folder = fs::temp_directory_path() / ("rv pod's " + std::to_string(getpid()));
  fs::create_directories(folder);
  const auto reports = (folder / "reports").string();
  const auto words = accept_pod_command("exit 7", R"({"nodes":1})", reports);
  REQUIRE(words.size() == 6);
  CHECK(too_new_for_old_bash(words[2]) == "");
  fs::create_directories(folder / "reports/n1/compute");
  std::ofstream(folder / "reports/n1/compute/a.jsonl") << std::string(9000, 'x');
  std::ofstream(folder / "pod.sh") << words[2];
  const std::string quoted = "\"" + folder.string();
  const int status =
      std::system(("RV_NODE_NAME=n1 RV_POD=p RV_ACCEPTANCE=day bash -c \"$(cat " + quoted + "/pod.sh\")\" 'exit 7' " +
                   "'{\"nodes\":1}' " + quoted + "/reports\" >" + quoted + "/said\" 2>&1 && shellcheck -s bash -e " +
                   "SC2094 " + quoted + "/pod.sh\" >>" + quoted + "/said\" 2>&1")
                      .c_str());
  const auto said = whole(folder / "said");
  CHECK_MESSAGE(status == 0, said);
  CHECK(said.find("the script that runs the workers ended with code 7\n") != std::string::npos);
  CHECK(said.find("rv-report day p n1 0 . order.json {\"nodes\":1}\n") != std::string::npos);
  CHECK(said.find("rv-report day p n1 1 + compute/a.jsonl " + std::string(4000, 'x') + "\n") != std::string::npos);
  CHECK(said.find("rv-report day p n1 3 . compute/a.jsonl " + std::string(1000, 'x') + "\n") != std::string::npos);
  CHECK(said.find("rv-report day p n1 end 4 ") != std::string::npos);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace rv::templates
