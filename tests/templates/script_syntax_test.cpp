#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "base/embedded_file.h"
#include "old_bash_rules.h"
#include "rendered_script.h"

using rv::planner::Kind;
using rv::planner::Strategy;
using rv::templates::test::facts;
using rv::templates::test::has_line;
using rv::templates::test::Purpose;
using rv::templates::test::render_job_script;
using rv::templates::test::Script;
using rv::templates::test::strategy;

namespace {

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

TEST_CASE("a job with a preflight tests its nodes between its claim and its start" * doctest::test_suite("long")) {
  for (const auto purpose : {Purpose::hold, Purpose::command}) {
    for (const auto kind : {Kind::plain, Kind::checkpoint}) {
      for (const int nodes : {1, 2}) {
        auto f = facts(purpose);
        CHECK(render_job_script(strategy(kind, nodes, 1), f).find("rv_preflight ||") == std::string::npos);
        f.job.preflight = true;
        f.facts.rv_program = "/home/u/my bin/rv";
        f.facts.user_secrets = true;
        const auto script = render_job_script(strategy(kind, nodes, 1), f);
        CHECK(has_line(script, "rv_program='/home/u/my bin/rv'"));
        CHECK(script.find("\nrv_pass_gate\nrv_preflight || rv_fail_preflight\n") != std::string::npos);
        const bool chain = kind == Kind::checkpoint && purpose == Purpose::command;
        CHECK((script.find("rv_retry 1 preflight") != std::string::npos) == !chain);
        CHECK(complaints(script) == "");
      }
    }
  }
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
