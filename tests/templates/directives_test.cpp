#include <doctest/doctest.h>

#include <sstream>

#include "base/error.h"
#include "rendered_script.h"

using rv::planner::Kind;
using rv::templates::run_job_name;
using rv::templates::test::facts;
using rv::templates::test::has_line;
using rv::templates::test::Purpose;
using rv::templates::test::render_job_script;
using rv::templates::test::strategy;

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

// sbatch reads no directive after the first command (sbatch(1)).
TEST_CASE("every directive comes before the first command") {
  for (const auto purpose : {Purpose::hold, Purpose::command}) {
    for (const Kind kind : {Kind::plain, Kind::mig, Kind::checkpoint}) {
      for (const int nodes : {1, 2}) {
        std::istringstream script(render_job_script(strategy(kind, nodes, 1), facts(purpose)));
        std::string line;
        int directives = 0;
        int late = 0;
        bool commands = false;
        while (std::getline(script, line)) {
          commands = commands || (!line.empty() && line.front() != '#');
          if (line.starts_with("#SBATCH ")) ++(commands ? late : directives);
        }
        CHECK(directives > 5);
        CHECK(late == 0);
      }
    }
  }
}

TEST_CASE("a segment's script is warned by Slurm, too") {
  for (const int nodes : {1, 2}) {
    CHECK(has_line(render_job_script(strategy(Kind::checkpoint, nodes, 1), facts(Purpose::command)),
                   "#SBATCH --signal=B:USR1@300"));
    CHECK(render_job_script(strategy(Kind::plain, nodes, 1), facts(Purpose::command)).find("--signal") ==
          std::string::npos);
  }
}

TEST_CASE("whole nodes and all of their memory are requested in Slurm's words") {
  auto s = strategy(Kind::plain, 1, 4);
  CHECK(!has_line(render_job_script(s, facts(Purpose::command)), "#SBATCH --exclusive"));
  s.exclusive = true;
  s.all_memory = true;
  const auto script = render_job_script(s, facts(Purpose::command));
  CHECK(has_line(script, "#SBATCH --exclusive"));
  CHECK(has_line(script, "#SBATCH --mem=0"));
}

TEST_CASE("named nodes are requested by name") {
  auto s = strategy(Kind::plain, 2, 4);
  CHECK(render_job_script(s, facts(Purpose::command)).find("--nodelist") == std::string::npos);
  s.nodelist = {"n1", "n7"};
  CHECK(has_line(render_job_script(s, facts(Purpose::command)), "#SBATCH --nodelist=n1,n7"));
}

TEST_CASE("CPUs are shared out among the processes of a node, threads among its GPUs") {
  auto f = facts(Purpose::command);
  f.job.processes_per_node = 4;
  const auto script = render_job_script(strategy(Kind::plain, 1, 4), f);
  CHECK(has_line(script, "#SBATCH --ntasks-per-node=4"));
  CHECK(has_line(script, "#SBATCH --cpus-per-task=4"));
  CHECK(script.find("OMP_NUM_THREADS:-\"4\"") != std::string::npos);
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
