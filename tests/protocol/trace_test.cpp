// Rendered scripts of each kind are run outside Slurm, and what they do in the run folder is compared with the steps
// that the model takes.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <regex>
#include <thread>

#include "model.h"
#include "monitor/ledger/ledger_folder.h"
#include "monitor/run/run_folder.h"
#include "rendered_script.h"
#include "script_steps.h"
#include "tests/base/temporary_folder.h"

using namespace protocol;
using rv::monitor::RunFolder;

namespace {

void write(const std::string& path, const std::string& text) {
  std::ofstream(path) << text;
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
}

// A run folder, a command, and stand-ins for the tools of Slurm that a script asks: none of them decides anything here.
class Scene {
 public:
  Scene() : run_(RunFolder::create(folder_.path())) {
    std::filesystem::create_directories(at("tools"));
    for (const char* tool : {"squeue", "scontrol", "scancel", "sbatch", "sacct"})
      write(at("tools/" + std::string(tool)), "#!/bin/sh\n");
    // srun starts one task here.
    write(at("tools/srun"),
          "#!/bin/bash\nwhile [[ $1 == --* ]]; do shift; done\nSLURM_PROCID=0 SLURM_NODEID=0 SLURM_LOCALID=0 "
          "SLURM_NTASKS=1 exec \"$@\"\n");
    write(command(), "#!/bin/sh\n");
    write(run_.path() + "/events.jsonl", R"({"time":1,"event":"intent","candidate":1})"
                                         "\n");
  }

  std::string at(const std::string& name) const { return folder_.path() + "/" + name; }
  std::string command() const { return at("command"); }
  const RunFolder& run() const { return run_; }

  // What the script did, from its first step to its end.
  Operations trace(const std::string& kind, int candidate = 1) {
    const auto script = run_.path() + "/candidates/" + std::to_string(candidate) + "/script.sh";
    std::filesystem::create_directories(std::filesystem::path(script).parent_path());
    write(script, rendered_script(kind, {.run_folder = run_.path(),
                                         .work_folder = folder_.path(),
                                         .command = {command()},
                                         .candidate = candidate}));
    std::fflush(nullptr);
    std::cout.flush();
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) start(script, candidate);
    if (kind == "hold") end_hold();
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    return read_trace();
  }

 private:
  [[noreturn]] void start(const std::string& script, int candidate) const {
    const auto set = [](const char* name, const std::string& value) { ::setenv(name, value.c_str(), 1); };
    set("PATH", at("tools") + ":" + std::getenv("PATH"));
    set("SLURM_JOB_ID", std::to_string(9 + candidate));
    set("SLURM_ARRAY_JOB_ID", std::to_string(9 + candidate));
    set("SLURM_ARRAY_TASK_ID", "0");
    set("SLURMD_NODENAME", "n1");
    set("SLURM_JOB_NODELIST", "n1");
    set("SLURM_JOB_NAME", "x@k3f9x2." + std::to_string(candidate));
    if (::freopen(at("said").c_str(), "w", stdout) == nullptr || ::dup2(1, 2) < 0) ::_exit(1);
    ::execlp("strace", "strace", "-f", "-qq", "-s", "4096", "-y", "-e",
             "trace=execve,openat,link,linkat,unlink,unlinkat,rename,renameat,renameat2,fsync", "-o",
             at("trace").c_str(), "bash", script.c_str(), nullptr);
    ::_exit(127);
  }

  // The allocation is released when its start is there: TERM to the script, as Slurm sends it.
  void end_hold() const {
    for (int i = 0; i < 300; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      const auto ledger = rv::monitor::read_ledger(run_.ledger());
      if (ledger.empty() || ledger.back().kind != rv::monitor::EntryKind::start) continue;
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
      // The first process that strace names is the script.
      int script = 0;
      std::ifstream(at("trace")) >> script;
      ::kill(script, SIGTERM);
      return;
    }
  }

  // ledger/.exit.<token>, chain/.end.<token> and ledger/.<token> without their tokens; nothing for what is not the
  // protocol's: a node's notes of its processes, and the sign of life, which comes when it comes.
  std::string name_of(std::string path) const {
    if (!path.starts_with(run_.path() + "/")) return "";
    path.erase(0, run_.path().size() + 1);
    static const std::regex part("(ledger|elements|chain)(/.*)?"), aside(R"(chain/(\.tree|\d+\.alive).*)");
    if (!std::regex_match(path, part) || std::regex_match(path, aside)) return "";
    while (path.ends_with('/')) path.pop_back();
    path = std::regex_replace(path, std::regex(R"(/\.(exit|end)\..*)"), "/.$1");
    path = std::regex_replace(path, std::regex(R"(/\.\d.*)"), "/.new");
    return std::regex_replace(path, std::regex(R"((chain/.*)\.\d+$)"), "$1.new");
  }

  static bool is_folder(const std::string& path) { return path == "ledger" || path == "elements" || path == "chain"; }

  Operations read_trace() const {
    Operations all;
    std::ifstream file(at("trace"));
    std::string script;  // the process that comes first
    static const std::regex call(R"(^(\d+) +(\w+)\((.*)$)"), quoted("\"([^\"]*)\""), synced(R"(^\d+<([^>]*)>)");
    for (std::string line; std::getline(file, line);) {
      std::smatch match;
      if (!std::regex_match(line, match, call)) continue;
      const std::string process = match[1], name = match[2], rest = match[3];
      if (script.empty()) script = process;
      std::vector<std::string> paths;
      for (std::sregex_iterator at(rest.begin(), rest.end(), quoted), end; at != end; ++at) {
        const auto path = name_of((*at)[1]);
        if (!path.empty()) paths.push_back(path);
      }
      std::string operation;
      if (name == "execve" && rest.starts_with("\"" + command() + "\"")) {
        operation = "command";
      } else if (name == "fsync") {
        std::smatch path;
        if (std::regex_search(rest, path, synced) && !name_of(path[1]).empty()) operation = "sync " + name_of(path[1]);
      } else if (paths.empty() || name == "execve") {
        continue;
      } else if (name == "openat" && rest.find("O_DIRECTORY") == std::string::npos && is_folder(paths[0])) {
        continue;  // to store its names
      } else if (name == "openat") {
        operation = rest.find("O_DIRECTORY") != std::string::npos ? "list " + paths[0]
                    : rest.find("O_WRONLY") != std::string::npos  ? "write " + paths[0]
                                                                  : "read " + paths[0];
        if (rest.find("ENOENT") != std::string::npos) operation += " (not there)";
      } else if (name.starts_with("link")) {
        operation = "link " + paths[0] + " " + paths.at(1);
      } else {
        operation = (name.starts_with("rename") ? "rename " : "unlink ") + paths[0];
      }
      // A chain's guard polls independently, at its own times.
      if (operation.starts_with("list") && process != script) continue;
      // Listing twice is listing once.
      if (!operation.empty() && (all.empty() || all.back() != operation)) all.push_back(operation);
    }
    return all;
  }

  TemporaryFolder folder_;
  RunFolder run_;
};

// Those of the model's steps, one after the other, with the ledger's numbers filled in.
Operations of_model(const std::vector<Step>& steps) {
  Operations all;
  int entries = 0;
  for (const auto step : steps) {
    const bool links = step == Step::link_claim || step == Step::link_start || step == Step::link_exit;
    entries += links ? 1 : 0;
    for (auto operation : operations_of(step)) {
      operation = std::regex_replace(operation, std::regex("<n>"), std::to_string(entries));
      if (all.empty() || all.back() != operation) all.push_back(std::move(operation));
    }
  }
  return all;
}

std::string shown(const Operations& operations) {
  std::string text;
  for (const auto& operation : operations) text += operation + "\n";
  return text;
}

Operations without(Operations operations, const std::string& left_out) {
  std::erase(operations, left_out);
  return operations;
}

}  // namespace

TEST_CASE("a lone job takes the model's steps, whatever kind of script it is") {
  const auto expected = of_model(Model({.candidates = 1, .faults = 0, .stops = 0}).lone_job());
  CHECK(expected.size() > 20);
  for (const char* kind : {"plain", "requeue", "several"}) {
    CAPTURE(kind);
    Scene scene;
    CHECK(shown(scene.trace(kind)) == shown(expected));
  }
  Scene held;
  CHECK(shown(held.trace("hold")) == shown(without(expected, "command")));
}

TEST_CASE("an element of an array: the run's claim, an element's start and exit, and a last look between them") {
  Scene scene;
  CHECK(shown(scene.trace("array")) == shown(element_operations()));
}

TEST_CASE("a chain: a segment's start right after the claim, its end, and the exit") {
  Scene scene;
  CHECK(shown(scene.trace("chain")) == shown(chain_operations()));
}

TEST_CASE("who finds the claim taken reads it, and makes nothing") {
  Scene scene;
  scene.trace("plain");
  CHECK(shown(scene.trace("plain", 2)) ==
        "list ledger\nread ledger/1\nread ledger/2\nread ledger/3\nunlink ledger/.exit\n");
  CHECK(rv::monitor::read_ledger(scene.run().ledger()).size() == 3);
}

TEST_CASE("the winner cancels the other candidates of its attempt, and no job of a later one") {
  Scene scene;
  write(
      scene.at("tools/squeue"),
      "#!/bin/sh\nprintf '%s\\n' '10 x@k3f9x2.1' '11 x@k3f9x2.2' '12 x@k3f9x2.1.2' '13 x@k3f9x2x.1' '14 x@k3f9x2.3'\n");
  write(scene.at("tools/scancel"), "#!/bin/sh\necho \"$@\" >>" + scene.at("cancelled") + "\n");
  std::ofstream(scene.run().path() + "/events.jsonl", std::ios::app) << R"({"time":1,"event":"intent","candidate":2})"
                                                                     << "\n";
  scene.trace("plain");
  std::ifstream cancelled(scene.at("cancelled"));
  const std::string calls{std::istreambuf_iterator<char>(cancelled), {}};
  const auto call = [](const char* name, const char* job) {
    return "--ctld --user=" + std::to_string(::getuid()) + " --name=" + name + " " + job + "\n";
  };
  CHECK(calls == call("x@k3f9x2.2", "11") + call("x@k3f9x2.3", "14"));
}

TEST_CASE("no name is asked for that a listing has not shown") {
  for (const char* kind : {"plain", "array", "chain"}) {
    Scene scene;
    CHECK(shown(scene.trace(kind)).find("not there") == std::string::npos);
  }
}
