#include "templates/job_script.h"

#include <doctest/doctest.h>

#include <cstdio>

#include "base/quote.h"
#include "rendered_script.h"

using rv::planner::Kind;
using rv::planner::Strategy;
using rv::templates::test::facts;
using rv::templates::test::has_line;
using rv::templates::test::Purpose;
using rv::templates::test::render_job_script;
using rv::templates::test::strategy;

namespace {

int number_said_by(const std::string& bash_lines) {
  std::FILE* pipe = ::popen(("bash -c " + rv::quote(bash_lines)).c_str(), "r");
  REQUIRE(pipe != nullptr);
  int number = 0;
  CHECK(std::fscanf(pipe, "%d", &number) == 1);
  CHECK(::pclose(pipe) == 0);
  return number;
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

TEST_CASE("no two jobs of a cluster meet at one port, and those of another cluster elsewhere") {
  const auto port = [](const std::string& cluster, const Strategy& strategy, Purpose purpose, const std::string& job) {
    const auto script = render_job_script(strategy, facts(purpose));
    const auto at = script.find("\nrv_rendezvous_port() {\n");
    REQUIRE(at != std::string::npos);
    const auto function = script.substr(at, script.find("\n}\n", at) + 3 - at);
    const auto given = "SLURM_CLUSTER_NAME=" + cluster + " SLURM_JOB_ID=" + job;
    return number_said_by(given + function + "rv_rendezvous_port");
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
