// job_reasons.yaml: Slurm's pending reasons, and what rv makes of each of them.
#include <doctest/doctest.h>
#include <yaml-cpp/yaml.h>

#include <array>
#include <string>

#include "monitor/jobs/job_status.h"
#include "planner/slurm_words/job_reason.h"
#include "tests/source_tree.h"

namespace rv::planner {
namespace {

constexpr std::array classes{"waits", "held", "limit", "broken", "unknown"};
constexpr std::array resources{"none",         "cpus",   "memory", "nodes",          "gpus",     "billing", "licences",
                               "burst_buffer", "energy", "jobs",   "submitted_jobs", "walltime", "tres"};
constexpr std::array owners{"none", "user", "account", "qos", "partition"};

template <typename Names, typename Value>
std::string name(const Names& names, Value value) {
  return names.at(static_cast<std::size_t>(value));
}

std::string start_of(const JobReason& reason) {
  if (!reason.known()) return "unknown";
  return reason.blocked() ? "person" : "alone";
}

monitor::Phase phase_of(const std::string& text) {
  slurm::QueueRow row;
  row.state = "PENDING";
  row.reason = text;
  return monitor::status_of(row).phase;
}

}  // namespace

TEST_CASE("Slurm's reasons: class, resource, owner of the limit, and whether the job starts by itself") {
  const YAML::Node rows = YAML::LoadFile(in_tree("tests/field/job_reasons.yaml"))["rows"];
  CHECK(rows.size() > 250);
  for (const auto& row : rows) {
    const auto text = row["text"].as<std::string>();
    const JobReason reason = job_reason(text);
    CAPTURE(text);
    CHECK(name(classes, reason.kind) == row["class"].as<std::string>());
    CHECK(name(resources, reason.resource) == row["of"].as<std::string>());
    CHECK(name(owners, reason.owner) == row["whose"].as<std::string>());
    CHECK(start_of(reason) == row["starts"].as<std::string>());
    CHECK(!reason.words.empty());
    if (row["says"]) CHECK_MESSAGE(reason.words.find(row["says"].as<std::string>()) != std::string::npos, reason.words);
    // A user who has to act is informed what to do.
    if (reason.blocked()) CHECK(!reason.advice.empty());
    CHECK((phase_of(text) == monitor::Phase::held) == reason.blocked());
  }
}

}  // namespace rv::planner
