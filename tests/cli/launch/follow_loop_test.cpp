#include "cli/launch/follow_loop.h"

#include <doctest/doctest.h>

using namespace rv;
using namespace rv::cli;

namespace {

monitor::RunRecord race_of(int nodes_of_first, int nodes_of_second) {
  monitor::RunRecord record;
  for (const int nodes : {nodes_of_first, nodes_of_second}) {
    monitor::Candidate candidate;
    candidate.number = static_cast<int>(record.candidates.size()) + 1;
    candidate.nodes = nodes;
    record.candidates.push_back(std::move(candidate));
  }
  return record;
}

monitor::RunView view_of(monitor::RunState state, std::optional<int> winner = std::nullopt) {
  monitor::RunView view;
  view.state = state;
  view.winner = winner;
  return view;
}

using monitor::RunState;

}  // namespace

TEST_CASE("the source of the output is known from the winner before output exists") {
  const auto record = race_of(1, 2);
  CHECK(!comes_from_several(record, view_of(RunState::queued), 0));
  CHECK(comes_from_several(record, view_of(RunState::running, 1), 0) == false);
  CHECK(comes_from_several(record, view_of(RunState::running, 2), 0) == true);
  CHECK(comes_from_several(record, view_of(RunState::running, 2), 1) == true);
}

TEST_CASE("without a winner the source follows from the logs, or from an end without logs") {
  const auto record = race_of(2, 2);
  CHECK(!comes_from_several(record, view_of(RunState::unknown), 1));  // the view is older than the log
  CHECK(comes_from_several(race_of(1, 1), view_of(RunState::unknown), 1) == false);
  CHECK(comes_from_several(record, view_of(RunState::unknown), 2) == true);
  CHECK(comes_from_several(record, view_of(RunState::refused), 0) == false);
}

TEST_CASE("a run that moved from node to node, and an array, come from several") {
  auto record = race_of(1, 1);
  CHECK(comes_from_several(record, view_of(RunState::running, 1), 2) == true);
  record.job.array = templates::JobArray{.elements = {3}, .at_once = 0};
  CHECK(comes_from_several(record, view_of(RunState::running, 1), 1) == false);
  record.job.array->elements = {3, 4};
  CHECK(comes_from_several(record, view_of(RunState::queued), 0) == true);
}
