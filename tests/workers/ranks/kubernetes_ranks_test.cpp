// Where a pod finds its place: what an indexed Job, a JobSet and a PyTorchJob set in it.
#include <doctest/doctest.h>

#include <map>
#include <stdexcept>

#include "tests/workers/ranks/looked_up_in.h"
#include "workers/ranks/ranks.h"

using namespace rv::workers;

namespace {

RankSources pod(std::map<std::string, std::string> environment, const std::string& full_name = "a") {
  RankSources sources;
  sources.own_names = {full_name.substr(0, full_name.find('.'))};
  sources.full_name = [full_name] { return full_name; };
  sources.local_ranks = 4;
  sources.gpus = [] { return 4; };
  sources.environment = test::looked_up_in(std::move(environment));
  return sources;
}

}  // namespace

TEST_CASE("a pod of an indexed Job has its index for a rank, and pod 0 of the headless service coordinates") {
  const auto ranks = find_ranks(
      pod({{"JOB_COMPLETION_INDEX", "2"}, {"WORLD_SIZE", "3"}}, "accept-2.accept.gpu-tests.svc.cluster.local"));
  CHECK(ranks.world == 12);
  CHECK(ranks.first == 8);
  CHECK(ranks.here == 4);
  CHECK(ranks.first_local == 0);
  CHECK_FALSE(ranks.coordinates);
  CHECK_FALSE(ranks.one_process);
  CHECK(ranks.coordinator == "accept-0.accept.gpu-tests.svc.cluster.local");
  CHECK(ranks.port == 29401);
  CHECK(ranks.source == "kubernetes");
}

TEST_CASE("the coordinator from a manifest is used unchanged") {
  const auto ranks = find_ranks(pod({{"JOB_COMPLETION_INDEX", "0"},
                                     {"WORLD_SIZE", "2"},
                                     {"MASTER_ADDR", "accept-node-0-0.accept"},
                                     {"MASTER_PORT", "29400"}}));
  CHECK(ranks.coordinator == "accept-node-0-0.accept");
  CHECK(ranks.port == 29400);
  CHECK(ranks.coordinates);
}

TEST_CASE("a pod of a JobSet is called after the JobSet, its job and both indices") {
  const auto ranks = find_ranks(
      pod({{"JOB_COMPLETION_INDEX", "1"}, {"WORLD_SIZE", "2"}}, "accept-node-0-1.accept.ml.svc.cluster.local"));
  CHECK(ranks.coordinator == "accept-node-0-0.accept.ml.svc.cluster.local");
}

TEST_CASE("PyTorchJob's own variables, with and without torchrun's names") {
  std::map<std::string, std::string> environment = {{"PET_NODE_RANK", "1"},
                                                    {"PET_NNODES", "2"},
                                                    {"PET_MASTER_ADDR", "accept-master-0"},
                                                    {"PET_MASTER_PORT", "23456"}};
  auto ranks = find_ranks(pod(environment));
  CHECK(ranks.world == 8);
  CHECK(ranks.first == 4);
  CHECK(ranks.coordinator == "accept-master-0");
  CHECK(ranks.port == 23456);
  environment.insert({{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "m"}, {"MASTER_PORT", "1234"}});
  ranks = find_ranks(pod(environment));
  CHECK(ranks.coordinates);
  CHECK(ranks.coordinator == "m");
  CHECK(ranks.port == 1234);
}

TEST_CASE("an elastic job's range of pods does not give their number: the process runs by itself") {
  CHECK(find_ranks(pod({{"PET_NODE_RANK", "1"}, {"PET_NNODES", "1:4"}})).one_process);
}

TEST_CASE("an index is not a number of pods, and WORLD_SIZE 1 means a single process") {
  CHECK(find_ranks(pod({{"JOB_COMPLETION_INDEX", "3"}})).one_process);
  CHECK(find_ranks(pod({{"JOB_COMPLETION_INDEX", "3"}, {"WORLD_SIZE", "1"}})).one_process);
}

TEST_CASE("a pod without the coordinator's name, or with an index beyond the number of pods, is an error") {
  CHECK_THROWS_WITH(find_ranks(pod({{"JOB_COMPLETION_INDEX", "1"}, {"WORLD_SIZE", "2"}}, "renamed.site")),
                    "WORLD_SIZE is set, but MASTER_ADDR is not; the launcher must set both");
  CHECK_THROWS_AS(find_ranks(pod({{"JOB_COMPLETION_INDEX", "2"}, {"WORLD_SIZE", "2"}}, "a-2.a")),
                  std::invalid_argument);
  CHECK_FALSE(first_pod("accept-12.accept", 2));
  CHECK_FALSE(first_pod("-2.accept", 2));
  CHECK(first_pod("accept-12", 12) == "accept-0");
}
