#include <doctest/doctest.h>

#include "cli/top/gather.h"

namespace rv::cli::top {
namespace {

using namespace std::chrono_literals;

const TimePoint now{std::chrono::seconds(1'795'262'400)};

monitor::RunRecord record() {
  monitor::RunRecord record;
  record.id = "aaaaaa";
  record.created = now - 2h;
  return record;
}

TEST_CASE("the bar of a chain that is done is full") {
  monitor::RunView view;
  view.chain.emplace();
  view.chain->used = 4h;
  view.chain->total = 7h;
  view.state = monitor::RunState::running;
  CHECK(run_of(record(), view, now).progress.value() == doctest::Approx(4.0 / 7));
  view.state = monitor::RunState::done;
  CHECK(run_of(record(), view, now).progress.value() == 1.0);
  view.state = monitor::RunState::failed;
  CHECK(run_of(record(), view, now).progress.value() < 1.0);
}

TEST_CASE("an array's counts are shown once") {
  monitor::RunView view;
  view.array.emplace();
  view.array->indices = {1, 2, 3};
  view.state = monitor::RunState::running;
  view.detail = "0 of 3 elements done";
  CHECK(run_of(record(), view, now).progress_words.empty());
  view.detail = "waits for the rest";
  CHECK(run_of(record(), view, now).progress_words == "0 of 3 elements done");
}

}  // namespace
}  // namespace rv::cli::top
