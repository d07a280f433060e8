#include "workers/ranks/ranks.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <stdexcept>

#include "tests/workers/ranks/looked_up_in.h"
#include "workers/devices/fault.h"
#include "workers/ranks/token.h"

using namespace rv;
using namespace rv::workers;

namespace {

RankSources from(std::map<std::string, std::string> environment) {
  RankSources sources;
  sources.own_names = {"here.site", "here", "10.0.0.7"};
  sources.gpus = [] { return 4; };
  sources.environment = test::looked_up_in(std::move(environment));
  return sources;
}

const std::map<std::string, std::string> torchrun = {
    {"RANK", "5"}, {"WORLD_SIZE", "8"}, {"LOCAL_RANK", "1"}, {"MASTER_ADDR", "n1"}, {"MASTER_PORT", "29500"}};
const std::map<std::string, std::string> srun = {{"SLURM_PROCID", "2"},
                                                 {"SLURM_STEP_NUM_TASKS", "3"},
                                                 {"SLURM_LOCALID", "0"},
                                                 {"SLURM_STEP_NODELIST", "gpu[07-08]"},
                                                 {"SLURM_STEP_TASKS_PER_NODE", "2,1"},
                                                 {"SLURM_JOB_ID", "41234"},
                                                 {"SLURM_STEP_ID", "1"}};

}  // namespace

TEST_CASE("without a launcher there is a rank per GPU on this host") {
  const auto ranks = find_ranks(from({}));
  CHECK(ranks.world == 4);
  CHECK(ranks.here == 4);
  CHECK(ranks.coordinates);
  CHECK(ranks.one_process);
  CHECK(ranks.port == 0);
  CHECK(ranks.hosts[3] == "here.site");
}

TEST_CASE("as many local ranks as asked, and the GPUs are not even counted") {
  auto sources = from({{"WORLD_SIZE", "1"}, {"RANK", "0"}});
  sources.local_ranks = 2;
  sources.gpus = []() -> int { throw std::runtime_error("counted"); };
  CHECK(find_ranks(sources).world == 2);
}

TEST_CASE("torchrun's variables; its agent has MASTER_PORT, so the ranks meet one further") {
  auto environment = torchrun;
  auto ranks = find_ranks(from(environment));
  CHECK(ranks.first == 5);
  CHECK(ranks.world == 8);
  CHECK(ranks.first_local == 1);
  CHECK_FALSE(ranks.coordinates);
  CHECK_FALSE(ranks.one_process);
  CHECK(ranks.coordinator == "n1");
  CHECK(ranks.port == 29500);
  environment["TORCHELASTIC_RUN_ID"] = "none";
  CHECK(find_ranks(from(environment)).port == 29501);
  environment["RV_RENDEZVOUS_PORT"] = "4000";
  CHECK(find_ranks(from(environment)).port == 4000);
}

TEST_CASE("under a launcher each process may fork several ranks") {
  auto sources = from(torchrun);
  sources.local_ranks = 2;
  const auto ranks = find_ranks(sources);
  CHECK(ranks.world == 16);
  CHECK(ranks.first == 10);
  CHECK(ranks.here == 2);
  CHECK(ranks.first_local == 2);
}

TEST_CASE("srun's variables name the host of every rank") {
  const auto ranks = find_ranks(from(srun));
  CHECK(ranks.first == 2);
  CHECK(ranks.world == 3);
  CHECK(ranks.coordinator == "gpu07");
  CHECK(ranks.port == 10000 + (41234 % 20000 + 7));
  CHECK(ranks.hosts == std::vector<std::string>{"gpu07", "gpu07", "gpu08"});
  auto cyclic = srun;
  cyclic["SLURM_DISTRIBUTION"] = "cyclic";
  CHECK(find_ranks(from(cyclic)).hosts == std::vector<std::string>{"", "", ""});
}

TEST_CASE("a list of hosts: this host finds itself by any of its names") {
  auto sources = from({});
  sources.hosts = {"other:2", "10.0.0.7:3"};
  auto ranks = find_ranks(sources);
  CHECK(ranks.world == 5);
  CHECK(ranks.first == 2);
  CHECK(ranks.here == 3);
  CHECK(ranks.coordinator == "other");
  CHECK_FALSE(ranks.coordinates);
  sources.here = "other";
  CHECK(find_ranks(sources).coordinates);
  sources.here = "third";
  CHECK_THROWS_WITH(find_ranks(sources),
                    "--ranks other:2,10.0.0.7:3 does not include this host (here.site, here, 10.0.0.7); name it "
                    "with --host");
}

TEST_CASE("half an environment is an error that names what is missing") {
  auto environment = torchrun;
  environment.erase("MASTER_ADDR");
  CHECK_THROWS_WITH(find_ranks(from(environment)),
                    "WORLD_SIZE is set, but MASTER_ADDR is not; the launcher must set both");
  environment = torchrun;
  environment["RANK"] = "8";
  CHECK_THROWS_WITH(find_ranks(from(environment)), "RANK is \"8\", not a number from 0 to 7");
}

TEST_CASE("Slurm's packed lists are unpacked, leading zeros and all") {
  CHECK(expand_nodelist("a") == std::vector<std::string>{"a"});
  CHECK(expand_nodelist("n[1-2,007],gpu5,x[9-10]y") ==
        std::vector<std::string>{"n1", "n2", "n007", "gpu5", "x9y", "x10y"});
  CHECK_THROWS(expand_nodelist(""));
  CHECK_THROWS(expand_nodelist("n[1-"));
  CHECK_THROWS(expand_nodelist("n[3-1]"));
  CHECK(expand_tasks("2(x3),1") == std::vector{2, 2, 2, 1});
  CHECK_THROWS(expand_tasks("2(x"));
}

TEST_CASE("a token file that others can read is refused, a private one is read") {
  const auto path = "/tmp/rv-token-test." + std::to_string(getpid());
  std::ofstream(path) << "0123456789abcdef0123\n";
  chmod(path.c_str(), 0640);
  CHECK_THROWS_WITH(token_from_file(path), doctest::Contains("chmod 600"));
  chmod(path.c_str(), 0600);
  CHECK(token_from_file(path) == "0123456789abcdef0123");
  std::ofstream(path) << "short\n";
  CHECK_THROWS_WITH(token_from_file(path), doctest::Contains("at least 16"));
  unlink(path.c_str());
  CHECK(random_token().size() == 32);
  CHECK(random_token() != random_token());
  CHECK(same_secret("abc", "abc"));
  CHECK_FALSE(same_secret("abc", "abd"));
  CHECK_FALSE(same_secret("abc", "abcd"));
}

TEST_CASE("faults are spelled kind@rank:at") {
  const auto fault = fault_from("corrupt@2:17");
  CHECK(fault.hits(Fault::Kind::corrupt, 2));
  CHECK(fault.at == 17);
  CHECK(fault_from("never@1").rank == 1);
  for (const auto* bad : {"die", "burn@1", "die@x", "die@1:", "die@1x"}) CHECK_THROWS(fault_from(bad));
}
