#include "cli/views/run_table.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace rv::cli {
namespace {

using namespace std::chrono_literals;

const slurm::TimePoint now{std::chrono::seconds(1'795'262'400)};

struct Runs {
  std::vector<monitor::RunRecord> records;
  std::vector<monitor::RunView> views;

  monitor::RunView& add(const std::string& id, const std::string& name, const std::string& gpus) {
    auto& record = records.emplace_back();
    record.id = id;
    record.name = name;
    record.created = now - 10min;
    auto& view = views.emplace_back();
    monitor::CandidateView candidate;
    candidate.candidate.summary = gpus;
    view.candidates = {candidate};
    view.state = monitor::RunState::queued;
    return view;
  }
  std::string table(int width) const { return run_table(records, views, now, {.out = true, .width = width}, false); }
};

TEST_CASE("a narrow table tells GPUs of two memory sizes apart") {
  Runs runs;
  runs.add("aaaaaa", "train-the-large-one", "2× A100 40 GB on gpu-a100-40");
  runs.add("bbbbbb", "train-the-large-one", "2× A100 80 GB on gpu-a100-80").detail = "pending: waits for resources";
  for (const int width : {30, 40, 50, 60, 80}) {
    const auto table = runs.table(width);
    CHECK(table.find("2× A100 40 GB") != std::string::npos);
    CHECK(table.find("2× A100 80 GB") != std::string::npos);
  }
}

TEST_CASE("a narrow table shows the predicted wait") {
  Runs runs;
  auto& view = runs.add("aaaaaa", "train-the-large-one", "2× A100 40 GB on gpu-a100-40");
  view.candidates[0].candidate.wait.p50 = 22min;
  view.candidates[0].status.emplace();
  view.candidates[0].status->phase = monitor::Phase::pending;
  view.candidates[0].status->reason = "Priority";
  for (const int width : {45, 60, 80}) CHECK(runs.table(width).find("in about 12m") != std::string::npos);
}

TEST_CASE("a name longer than 64 characters does not widen the table") {
  Runs runs;
  runs.add("aaaaaa", std::string(200, 'n'), "1× A40 on gpu-a40");
  const auto table = runs.table(100'000);
  CHECK(table.find(std::string(63, 'n') + "…  queued") != std::string::npos);
  runs.records[0].name = std::string(64, 'n');
  CHECK(runs.table(100'000).find(std::string(64, 'n') + "  queued") != std::string::npos);
}

}  // namespace
}  // namespace rv::cli
