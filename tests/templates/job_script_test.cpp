#include "templates/job_script.h"

#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "base/embedded_file.h"
#include "base/error.h"
#include "base/quote.h"
#include "old_bash_rules.h"

using rv::planner::Kind;
using rv::planner::Strategy;
using rv::templates::JobFacts;
using rv::templates::JobSpec;
using rv::templates::run_job_name;

namespace {

enum class Purpose { hold, command };

/// A job and the facts of its run.
struct Script {
  JobSpec job;
  JobFacts facts;
};

std::string render_job_script(const Strategy& strategy, const Script& script) {
  return rv::templates::render_job_script(strategy, script.job, script.facts);
}

Strategy strategy(Kind kind, int nodes, int gpus_per_node) {
  Strategy s;
  s.gpu.name = kind == Kind::mig ? "1g.10gb" : "a100_80";
  s.gpu.product_pattern = kind == Kind::mig ? "" : "A100.*80GB";
  s.gres_type = kind == Kind::mig ? "1g.10gb" : "a100";
  s.nodes = nodes;
  s.gpus_per_node = gpus_per_node;
  s.partitions = {"gpu-a", "gpu-b"};
  s.kind = kind;
  s.time_limit = std::chrono::minutes(30);
  s.cpus_per_node = 16;
  s.memory_per_node = {65536};
  return s;
}

Script facts(Purpose purpose) {
  Script f;
  f.facts.run_id = "k3f9x2";
  f.facts.run_folder = "/home/u/.rv/runs/k3f9x2";
  f.facts.candidate = 2;
  f.facts.job_name = "train@k3f9x2.2";
  f.facts.work_folder = "/home/u/project";
  f.facts.scratch = "/scratch/u";
  f.job.hold = purpose == Purpose::hold;
  if (purpose == Purpose::command) f.job.argv = {"python3", "train.py"};
  return f;
}

bool has_line(const std::string& script, const std::string& line) {
  return ("\n" + script).find("\n" + line + "\n") != std::string::npos;
}

int number_said_by(const std::string& bash_lines) {
  std::FILE* pipe = ::popen(("bash -c " + rv::quote(bash_lines)).c_str(), "r");
  REQUIRE(pipe != nullptr);
  int number = 0;
  CHECK(std::fscanf(pipe, "%d", &number) == 1);
  CHECK(::pclose(pipe) == 0);
  return number;
}

// Words that a shell could take for its own.
const std::string hostile = "a b'c\"d$(touch /tmp/rv-hostile)`id`\n# ;&|*?[x]{1,2}\\ é";

Strategy hostile_strategy(Kind kind, int nodes) {
  auto s = strategy(kind, nodes, 1);
  s.gpu.product_pattern = kind == Kind::mig ? "" : "A100 (x|y)'";
  s.constraint = "a&b|c";
  s.sbatch = {{"clusters", "west"}, {"comment", "two words"}, {"exclusive", ""}};
  return s;
}

// All that a script may receive, at once: shellcheck takes a second for each script, and finds in one what it finds in
// many.
Script all_facts(Purpose purpose, Kind kind, int nodes) {
  auto f = facts(purpose);
  f.facts.work_folder = "/home/" + hostile;
  f.facts.scratch = "/scratch/" + hostile;
  f.facts.run_folder = "/home/a b'c\"$(id)`id`;#&%j/k3f9x2";
  f.facts.setup_lines = {"module load cuda", "source ~/env/bin/activate"};
  f.job.environment = {.prefix = "/scratch/" + hostile, .from = "", .conda = nodes == 2};
  f.job.imports = {"/home/" + hostile, "/x"};
  f.job.after = {.run = "a1b2c3", .only_ok = true};
  f.facts.predecessor = {.run_folder = f.facts.run_folder + hostile.substr(0, 5),
                         .dependency = "afterany:12:13",
                         .elements = nodes,
                         .chain = kind == Kind::checkpoint};
  f.job.notify_folder = "/home/u/it's/.rv/notify";
  f.job.notify_on = "ended";
  f.facts.gpu_curves = true;
  f.facts.gpu_sampler = "/opt/rv's/rv-sample";
  f.job.chain.emplace().shortest = std::chrono::minutes(20);
  f.job.container_options = {"--container-image=a b#c", "--container-mounts=/x:/x"};
  if (purpose == Purpose::hold) f.job.container_shell = {"bash", "in image"};
  if (purpose == Purpose::command) {
    f.facts.user_secrets = true;
    f.job.argv = {"bash", "-c", hostile, "", "-n", "[x]=y", "A=b"};
    f.job.outputs = {hostile, "-rf"};
  }
  if (purpose == Purpose::command && kind != Kind::checkpoint) {
    f.job.array = {.elements = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, .at_once = 2, .text = "0-9%2"};
  }
  return f;
}

// Empty when shellcheck and bash -n have nothing to say, and old bashes know every construct.
std::string complaints(const std::string& script) {
  if (const auto too_new = too_new_for_old_bash(script); !too_new.empty()) return too_new;
  char path[] = "/tmp/rv-script-XXXXXX";
  const int fd = ::mkstemp(path);
  REQUIRE(fd >= 0);
  std::ofstream(path) << script;
  const std::string report = std::string(path) + ".report";
  const std::string command =
      std::string("bash -n ") + path + " >" + report + " 2>&1 && shellcheck -s bash " + path + " >>" + report + " 2>&1";
  const int status = std::system(command.c_str());
  std::stringstream text;
  text << std::ifstream(report).rdbuf();
  std::remove(path);
  std::remove(report.c_str());
  return status == 0 ? "" : "failed: " + text.str();
}

}  // namespace

TEST_CASE("the user's own variables are sourced from the run's folder, in the command's own process") {
  for (const auto kind : {Kind::plain, Kind::checkpoint}) {
    for (const int nodes : {1, 2}) {
      auto f = facts(Purpose::command);
      CHECK(render_job_script(strategy(kind, nodes, 4), f).find("rv_read_user_secrets") == std::string::npos);
      f.facts.user_secrets = true;
      const auto script = render_job_script(strategy(kind, nodes, 4), f);
      CHECK(has_line(script, "  rv_read_user_secrets || return 1"));
    }
  }
}

TEST_CASE("a job on CPUs asks for no GPUs, and neither checks nor samples any") {
  for (const Kind kind : {Kind::plain, Kind::checkpoint}) {
    for (const int nodes : {1, 2}) {
      auto s = strategy(kind, nodes, 0);
      s.gpu = {};
      s.gres_type.clear();
      auto f = facts(Purpose::command);
      f.job.processes_per_node = 4;
      f.facts.gpu_curves = true;
      const auto script = render_job_script(s, f);
      for (const char* part : {"--gres", "nvidia-smi", "rv_begin_curves"}) {
        CHECK(script.find(part) == std::string::npos);
      }
      CHECK(has_line(script, "rv_check_gpus() { :; }"));
      CHECK(has_line(script, "#SBATCH --mem=65536M"));
      CHECK(script.find("OMP_NUM_THREADS:-\"4\"") != std::string::npos);  // 16 CPUs among four processes
    }
  }
  auto s = strategy(Kind::plain, 1, 0);
  s.memory_per_node = {0};
  CHECK(render_job_script(s, facts(Purpose::hold)).find("#SBATCH --mem") == std::string::npos);
}

TEST_CASE("the directives match the strategy") {
  auto s = strategy(Kind::plain, 2, 4);
  s.account = "lab";
  s.constraint = "a100_80gb&(x|y)";
  s.exclude = {"n1", "n2"};
  const auto script = render_job_script(s, facts(Purpose::command));
  CHECK(script.starts_with("#!/bin/bash\n#SBATCH "));
  CHECK(has_line(script, "#SBATCH --job-name=train@k3f9x2.2"));
  CHECK(has_line(script, "#SBATCH --partition=gpu-a,gpu-b"));
  CHECK(has_line(script, "#SBATCH --nodes=2"));
  CHECK(has_line(script, "#SBATCH --ntasks-per-node=1"));
  CHECK(has_line(script, "#SBATCH --cpus-per-task=16"));
  CHECK(has_line(script, "#SBATCH --gres=gpu:a100:4"));
  CHECK(has_line(script, "#SBATCH --mem=65536M"));
  CHECK(has_line(script, "#SBATCH --time=00:30:00"));
  CHECK(has_line(script, "#SBATCH --account=lab"));
  CHECK(has_line(script, "#SBATCH --constraint=\"a100_80gb&(x|y)\""));
  CHECK(has_line(script, "#SBATCH --exclude=n1,n2"));
  CHECK(has_line(script, "#SBATCH --no-requeue"));
  CHECK(script.find("--qos") == std::string::npos);
  CHECK(script.find("--clusters") == std::string::npos);
  s.sbatch = {{"clusters", "west"}, {"comment", "two words"}, {"exclusive", ""}};
  const auto further = render_job_script(s, facts(Purpose::command));
  CHECK(has_line(further, "#SBATCH --clusters=west"));
  CHECK(has_line(further, "#SBATCH --comment=\"two words\""));
  CHECK(has_line(further, "#SBATCH --exclusive"));
  s.sbatch = {{"comment", "two\nlines"}};
  CHECK_THROWS_AS(render_job_script(s, facts(Purpose::command)), rv::Error);
}

TEST_CASE("GPU readings are stored for every kind of job, or for none") {
  for (const auto kind : {Kind::plain, Kind::checkpoint, Kind::mig}) {
    for (const int nodes : {1, 2}) {
      for (const auto purpose : {Purpose::command, Purpose::hold}) {
        if (kind == Kind::checkpoint && purpose == Purpose::hold) continue;
        auto f = facts(purpose);
        CHECK(render_job_script(strategy(kind, nodes, 4), f).find("rv_draw_curves") == std::string::npos);
        f.facts.gpu_curves = true;
        f.facts.gpu_sampler = "/opt/rv's/rv-sample";
        const auto script = render_job_script(strategy(kind, nodes, 4), f);
        CHECK(has_line(script, R"(rv_sampler='/opt/rv'\''s/rv-sample')"));
        CHECK(script.find("rv_beside rv_draw_curves\n") != std::string::npos);
      }
    }
  }
}

TEST_CASE("named nodes are requested by name") {
  auto s = strategy(Kind::plain, 2, 4);
  CHECK(render_job_script(s, facts(Purpose::command)).find("--nodelist") == std::string::npos);
  s.nodelist = {"n1", "n7"};
  CHECK(has_line(render_job_script(s, facts(Purpose::command)), "#SBATCH --nodelist=n1,n7"));
}

TEST_CASE("a shell opens inside the container") {
  auto f = facts(Purpose::hold);
  CHECK(render_job_script(strategy(Kind::plain, 1, 4), f).find("in image") == std::string::npos);
  f.job.container_shell = {"bash", "in image"};
  const auto script = render_job_script(strategy(Kind::plain, 1, 4), f);
  CHECK(script.find("  set -- bash 'in image'\n") != std::string::npos);
}

TEST_CASE("options of a container are srun's, on one node too") {
  for (const int nodes : {1, 2}) {
    auto f = facts(Purpose::command);
    f.job.container_options = {"--container-image=a b#c", "--container-mounts=/x:/x"};
    const auto script = render_job_script(strategy(Kind::plain, nodes, 4), f);
    CHECK(script.find("'--container-image=a b#c' --container-mounts=/x:/x bash") != std::string::npos);
  }
}

TEST_CASE("CPUs are shared out among the processes of a node, threads among its GPUs") {
  auto f = facts(Purpose::command);
  f.job.processes_per_node = 4;
  const auto script = render_job_script(strategy(Kind::plain, 1, 4), f);
  CHECK(has_line(script, "#SBATCH --ntasks-per-node=4"));
  CHECK(has_line(script, "#SBATCH --cpus-per-task=4"));
  CHECK(script.find("OMP_NUM_THREADS:-\"4\"") != std::string::npos);
}

TEST_CASE("no two jobs of a cluster meet at one port, and those of another cluster elsewhere") {
  const auto port = [](const std::string& cluster, const Strategy& strategy, Purpose purpose, const std::string& job) {
    const auto script = render_job_script(strategy, facts(purpose));
    const auto at = script.find("\nrv_meeting_port() {\n");
    REQUIRE(at != std::string::npos);
    const auto function = script.substr(at, script.find("\n}\n", at) + 3 - at);
    const auto given = "SLURM_CLUSTER_NAME=" + cluster + " SLURM_JOB_ID=" + job;
    return number_said_by(given + function + "rv_meeting_port");
  };
  const auto one = strategy(Kind::plain, 1, 4), two = strategy(Kind::checkpoint, 2, 4);
  const int here = port("udc", one, Purpose::command, "17");
  CHECK(here == port("udc", two, Purpose::command, "17"));
  CHECK(here == port("udc", one, Purpose::hold, "17"));
  CHECK(here + 1 == port("udc", one, Purpose::command, "18"));
  CHECK(here != port("ucd", one, Purpose::command, "17"));
  CHECK(here != port("", one, Purpose::command, "17"));
  for (const std::string cluster : {"", "udc", "a-cluster_with.a-long-name-of-its-own-and-more"}) {
    for (const std::string job : {"1", "19999", "67108863"}) {
      const int other = port(cluster, one, Purpose::command, job);
      CHECK(other >= 10000);
      CHECK(other < 30000);
    }
  }
}

TEST_CASE("a MIG slice is requested with its count and checked as a slice") {
  const auto script = render_job_script(strategy(Kind::mig, 1, 1), facts(Purpose::command));
  CHECK(has_line(script, "#SBATCH --gres=gpu:1g.10gb:1"));
  CHECK(script.find("nvidia-smi -L") != std::string::npos);
  CHECK(script.find("--query-gpu") == std::string::npos);
}

TEST_CASE("an untyped gres is requested without a type") {
  auto s = strategy(Kind::plain, 1, 2);
  s.gres_type = "";
  CHECK(has_line(render_job_script(s, facts(Purpose::hold)), "#SBATCH --gres=gpu:2"));
}

TEST_CASE("set-up lines are a value of the script, and no part of its text") {
  auto f = facts(Purpose::command);
  f.facts.setup_lines = {"}", "if then '", "module load cuda"};
  for (const auto kind : {Kind::plain, Kind::checkpoint}) {
    for (const int nodes : {1, 2}) {
      CHECK(has_line(render_job_script(strategy(kind, nodes, 1), f),
                     "rv_setup_lines='}\nif then '\\''\nmodule load cuda\n'"));
    }
  }
}

TEST_CASE("user code comes after the gate in every template") {
  for (const auto kind : {Kind::plain, Kind::mig, Kind::checkpoint}) {
    for (const int nodes : {1, 2}) {
      if (nodes == 2 && kind == Kind::mig) continue;
      const auto script = render_job_script(strategy(kind, nodes, 1), facts(Purpose::command));
      const auto gate = script.rfind("\nrv_pass_gate\n");
      const auto user = script.rfind(kind == Kind::checkpoint ? "\n    rv_run_segment " : "\nrv_run ");
      REQUIRE(gate != std::string::npos);
      REQUIRE(user != std::string::npos);
      CHECK(gate < user);
    }
  }
}

TEST_CASE("every rendered script passes bash and shellcheck, bare and with all there is" *
          doctest::test_suite("long")) {
  for (const auto purpose : {Purpose::hold, Purpose::command}) {
    for (const auto kind : {Kind::plain, Kind::mig, Kind::checkpoint}) {
      for (const int nodes : {1, 2}) {
        if (nodes == 2 && kind == Kind::mig) continue;
        CHECK(complaints(render_job_script(strategy(kind, nodes, 1), facts(purpose))) == "");
        const auto f = all_facts(purpose, kind, nodes);
        const auto script = render_job_script(hostile_strategy(kind, nodes), f);
        CHECK(has_line(script, "#SBATCH --dependency=afterany:12:13"));
        CHECK(has_line(script, "#SBATCH --array=0-9%2") == f.job.array.has_value());
        CHECK(complaints(script) == "");
      }
    }
  }
  CHECK(complaints(rv::templates::render_notify_test("/home/u/.rv/notify", "bot")) == "");
}

TEST_CASE("a job with retries polls its run after its exit entry and the copy of its output" *
          doctest::test_suite("long")) {
  for (const bool secrets : {false, true}) {
    for (const int nodes : {1, 2}) {
      auto f = facts(Purpose::command);
      CHECK(render_job_script(strategy(Kind::plain, nodes, 1), f).find("rv_retry") == std::string::npos);
      f.job.retries = {.most = 2, .on = {"75"}};
      f.facts.rv_program = "/home/u/my bin/rv";
      f.facts.user_secrets = secrets;
      const auto script = render_job_script(strategy(Kind::plain, nodes, 1), f);
      CHECK(has_line(script, "rv_program='/home/u/my bin/rv'"));
      CHECK(script.rfind("\nrv_record_exit ") < script.rfind("\nrv_copy_outputs\n"));
      CHECK(script.rfind("\nrv_copy_outputs\n") < script.rfind("\nrv_retry "));
      CHECK(complaints(script) == "");
    }
  }
}

TEST_CASE("a project's environment is active after the set-up lines, if those went well, and only where there is one") {
  auto f = facts(Purpose::command);
  f.facts.setup_lines = {"module load cuda"};
  CHECK(render_job_script(strategy(Kind::plain, 1, 1), f).find("rv_activate") == std::string::npos);
  f.job.environment = {.prefix = "/scratch/u/environments/x/1/env", .from = ""};
  f.job.imports = {"/home/u/project/src", "/home/u/project/lib"};
  const auto script = render_job_script(strategy(Kind::plain, 1, 1), f);
  CHECK(script.find("\n  [[ $1 -eq 0 ]] || return 1\n  rv_activate || return 1\n") != std::string::npos);
  CHECK(script.find(" imports=/home/u/project/src:/home/u/project/lib ") != std::string::npos);
}

TEST_CASE("a segment that may be shortened takes itself to be as short as it can be until Slurm says more") {
  auto f = facts(Purpose::command);
  auto s = strategy(Kind::checkpoint, 1, 2);
  s.time_limit = std::chrono::hours(2);
  auto script = render_job_script(s, f);
  CHECK(script.find("#SBATCH --time-min") == std::string::npos);
  CHECK(script.find("rv_segment_least=7200 ") != std::string::npos);
  f.job.chain.emplace().shortest = std::chrono::minutes(30);
  for (const int nodes : {1, 2}) {
    s.nodes = nodes;
    script = render_job_script(s, f);
    CHECK(has_line(script, "#SBATCH --time=02:00:00"));
    CHECK(has_line(script, "#SBATCH --time-min=00:30:00"));
    CHECK(has_line(script, "rv_segment_length=7200"));
    CHECK(script.find("rv_segment_least=1800 ") != std::string::npos);
  }
}

TEST_CASE("a run folder that no #SBATCH line can hold is refused") {
  auto f = facts(Purpose::hold);
  f.facts.run_folder = "/home/a\nb/k3f9x2";
  CHECK_THROWS_AS(render_job_script(strategy(Kind::plain, 1, 1), f), rv::Error);
}

TEST_CASE("a job name keeps plain characters and carries the token whole") {
  CHECK(run_job_name("train", "k3f9x2", 1) == "train@k3f9x2.1");
  CHECK(run_job_name("a b\n$(c)", "k3f9x2", 12) == "a_b___c_@k3f9x2.12");
  CHECK(run_job_name(std::string(200, 'x'), "k3f9x2", 1).size() == 40 + 9);
}

TEST_CASE("every template and part is used") {
  std::string all;
  for (const auto& file : rv::embedded::templates()) all += file.text;
  for (const auto& file : rv::embedded::templates()) {
    if (!file.name.ends_with(".inc.sh")) continue;
    CAPTURE(file.name);
    CHECK(all.find("{{include:" + std::string(file.name) + "}}") != std::string::npos);
  }
}

TEST_CASE("every kind of script sends messages if a target is set, otherwise none does") {
  for (const auto purpose : {Purpose::hold, Purpose::command}) {
    auto f = facts(purpose);
    CHECK(render_job_script(strategy(Kind::plain, 1, 4), f).find("rv_hmac") == std::string::npos);
    f.job.notify_folder = "/home/u/it's/.rv/notify";
    f.job.notify_on = "ended";
    for (const int nodes : {1, 2}) {
      const auto script = render_job_script(strategy(Kind::plain, nodes, 4), f);
      CHECK(has_line(script, "rv_notify_folder='/home/u/it'\\''s/.rv/notify'"));
      CHECK(has_line(script, "rv_notify_on=ended"));
    }
  }
}
