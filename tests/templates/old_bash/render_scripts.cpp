// usage: render_scripts FOLDER: writes a script of every kind there, with run folders under FOLDER/runs.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "templates/accept_script.h"
#include "templates/job_script.h"
#include "templates/renderer.h"

namespace {

namespace fs = std::filesystem;
using rv::planner::Kind;
using rv::templates::JobFacts;
using rv::templates::JobSpec;

class Scripts {
 public:
  explicit Scripts(fs::path folder) : folder_(std::move(folder)) {}

  /// Of a run with this name.
  JobFacts facts(const std::string& name) const {
    JobFacts facts;
    facts.run_id = name;
    facts.run_folder = (folder_ / "runs" / name).string();
    facts.job_name = name + "@" + name + ".1";
    facts.work_folder = (folder_ / "work").string();
    facts.scratch = (folder_ / "scratch").string();
    facts.gpu_curves = true;
    return facts;
  }

  JobSpec command() const {
    JobSpec job;
    job.argv = {(folder_ / "app").string(), "a b", "$(id)", "it's"};
    return job;
  }

  /// The least that a run has, and then all that it can have.
  void write_all() const {
    for (const Kind kind : {Kind::plain, Kind::checkpoint}) {
      for (const int processes : {1, 2}) {
        const std::string name =
            std::string(kind == Kind::plain ? "command" : "checkpoint") + (processes == 1 ? "" : "_several");
        auto bare = command();
        bare.processes_per_node = processes;
        // A loaded machine must be able to save.
        if (kind == Kind::checkpoint) bare.chain.emplace().warning = std::chrono::minutes(1);
        write(kind, bare, facts(name));
        auto full = bare;
        full.outputs = {"kept", "it's"};
        full.notify_folder = (folder_ / "notify").string();
        full.after = {.run = "before"};
        full.preflight = true;  // of an rv that is not there
        auto full_facts = facts(name + "_full");
        full_facts.user_secrets = true;
        full_facts.setup_lines = {"export FROM_SETUP=1"};
        full_facts.predecessor = {.run_folder = (folder_ / "runs/before").string(),
                                  .dependency = "afterany:12",
                                  .elements = 0,
                                  .chain = false};
        write(kind, full, full_facts);
      }
    }
    auto array = command();
    array.array = {.elements = {0, 1}, .at_once = 0, .text = "0-1"};
    array.outputs = {"kept"};
    write(Kind::plain, array, facts("array"));
    JobSpec hold;
    hold.hold = true;
    write(Kind::plain, hold, facts("hold"));
    write(Kind::mig, command(), facts("slice"));
    text("accept.sh", rv::templates::render_accept_node(
                          (folder_ / "reports").string(), (folder_ / "workers").string(), (folder_ / "token").string(),
                          {{.name = "health-before", .together = true, .limit_s = 20, .command = {"worker"}},
                           {.name = "compute", .together = false, .limit_s = 20, .command = {"worker", "a b"}},
                           {.name = "health-after", .together = true, .limit_s = 20, .command = {"worker"}}}));
    text("notify_test.sh", rv::templates::render_notify_test((folder_ / "notify").string(), ""));
    text("gpu_readings.sh", rv::templates::render("gpu_readings.bash", {}));
  }

 private:
  void write(Kind kind, const JobSpec& job, const JobFacts& facts) const {
    rv::planner::Strategy strategy;
    strategy.gpu.name = kind == Kind::mig ? "1g.10gb" : "a100_80";
    strategy.gpu.product_pattern = kind == Kind::mig ? "" : "A100.*80GB";
    strategy.gres_type = kind == Kind::mig ? "1g.10gb" : "a100";
    strategy.nodes = 1;
    strategy.gpus_per_node = 2;
    strategy.partitions = {"gpu"};
    strategy.kind = kind;
    strategy.time_limit = std::chrono::minutes(30);
    strategy.work_time = std::chrono::hours(2);
    strategy.cpus_per_node = 4;
    strategy.memory_per_node = {1024};
    const fs::path candidate = fs::path(facts.run_folder) / "candidates/1";
    fs::create_directories(candidate);
    std::ofstream(candidate / "script.sh") << rv::templates::render_job_script(strategy, job, facts);
  }

  void text(const std::string& name, const std::string& content) const { std::ofstream(folder_ / name) << content; }

  fs::path folder_;
};

}  // namespace

int main(int count, char** words) {
  if (count != 2) {
    std::fputs("usage: render_scripts FOLDER\n", stderr);
    return 2;
  }
  Scripts(words[1]).write_all();
  return 0;
}
