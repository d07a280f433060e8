#include "cli/load/load.h"

#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>

#include "base/error.h"
#include "tests/base/temporary_folder.h"

using namespace rv;
using namespace rv::cli;

namespace {

/// Records what run_load() does with it.
class RecordedLoad : public Load {
 public:
  using Load::Load;

  std::function<int()> work = [] { return 0; };
  int runs = 0, shown = 0, more = 0;
  std::vector<std::vector<WorkTrouble>> judged;
  std::string made_folder;

  void show() const override { ++const_cast<RecordedLoad*>(this)->shown; }
  int judge(const std::vector<WorkTrouble>& troubles) override {
    judged.push_back(troubles);
    return troubles.empty() ? 0 : 3;
  }
  bool goes_on() override { return more-- > 0; }
  SlurmLaunch for_slurm() override { throw Error("not through Slurm", ""); }
  LocalLaunch for_here() override {
    return {[this] {
              ++runs;
              return work();
            },
            "the worker", "see above"};
  }
  HostsLaunch for_hosts(const std::vector<remote::Host>&) override { throw Error("not on hosts", ""); }
  std::vector<int> slots_on(remote::HostGroup&) override { return {}; }
  HostScript script_on(const HostPlace&) override { return {}; }

 protected:
  void prepare(const std::string& folder) override { made_folder = folder; }
};

struct Fixture {
  TemporaryFolder home;
  RequestOptions request;
  ContainerOptions container;
  Invocation invocation;

  Fixture() { invocation.settings.home = home.path(); }
  LoadOptions here(bool dry_run = false) const {
    return {.request = request, .container = container, .hosts = std::nullopt, .local = true, .dry_run = dry_run};
  }
};

}  // namespace

TEST_CASE_FIXTURE(Fixture, "a program that failed here is a trouble with its exit code") {
  RecordedLoad load(here(), invocation, "load");
  load.work = [] { return 7; };
  CHECK(run_load(load) == 3);
  REQUIRE(load.judged.size() == 1);
  REQUIRE(load.judged[0].size() == 1);
  CHECK(load.judged[0][0].what == "the worker ended with code 7");
  CHECK(load.judged[0][0].advice == "see above");
  CHECK(load.judged[0][0].exit_code == 7);
}

TEST_CASE_FIXTURE(Fixture, "a load that a signal ended is not judged, and its folder is removed") {
  for (const int signal : {SIGHUP, SIGINT, SIGTERM}) {
    std::string folder;
    {
      RecordedLoad load(here(), invocation, "load");
      load.work = [signal] { return 128 + signal; };
      CHECK(run_load(load) == 128 + signal);
      CHECK(load.judged.empty());
      folder = load.made_folder;
      CHECK(std::filesystem::exists(folder));
    }
    CHECK_FALSE(std::filesystem::exists(folder));
  }
}

TEST_CASE_FIXTURE(Fixture, "a worker that SIGKILL ended is judged") {
  RecordedLoad load(here(), invocation, "load");
  load.work = [] { return 128 + SIGKILL; };
  CHECK(run_load(load) == 3);
  CHECK(load.judged.size() == 1);
}

TEST_CASE_FIXTURE(Fixture, "code 125 is an image that could not be started only where there is one") {
  RecordedLoad without(here(), invocation, "load");
  without.work = [] { return 125; };
  CHECK(run_load(without) == 3);
  container.image = "image.sif";
  RecordedLoad with(here(), invocation, "load");
  with.work = [] { return 125; };
  CHECK_THROWS_WITH_AS(run_load(with), "--container image.sif: it could not be started", Error);
  CHECK(with.judged.empty());
}

TEST_CASE_FIXTURE(Fixture, "a dry run shows the load and makes no folder") {
  RecordedLoad load(here(true), invocation, "load");
  CHECK(run_load(load) == 0);
  CHECK(load.shown == 1);
  CHECK(load.runs == 0);
  CHECK(load.made_folder.empty());
}

TEST_CASE_FIXTURE(Fixture, "a load goes on while runs end well, and is judged once") {
  RecordedLoad load(here(), invocation, "load");
  load.more = 2;
  CHECK(run_load(load) == 0);
  CHECK(load.runs == 3);
  CHECK(load.judged.size() == 1);
  RecordedLoad failing(here(), invocation, "load");
  failing.more = 2;
  failing.work = [] { return 1; };
  CHECK(run_load(failing) == 3);
  CHECK(failing.runs == 1);
}

TEST_CASE_FIXTURE(Fixture, "a load that can't run in pods rejects Kubernetes, and nothing is made") {
  const KubernetesOptions pods;
  auto options = here();
  options.kubernetes = &pods;
  RecordedLoad load(options, invocation, "load");
  CHECK_THROWS_WITH_AS(run_load(load), "--kubernetes: only rv accept runs in pods", Error);
  CHECK(load.made_folder.empty());
  CHECK(load.judged.empty());
}
