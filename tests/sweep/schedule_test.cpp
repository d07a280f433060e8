#include "reports/sweep/schedule.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>

#include "sweep_builder.h"

namespace rv::sweep {
namespace {

struct Gone {
  std::vector<std::string> folders;
  std::string reason;
};

/// The sweep to its end; `fate` says how a point ends.
Gone go(const Order& order, const std::function<EndKind(const Point&)>& fate) {
  Gone gone;
  std::vector<Ended> ended;
  for (int i = 0; i < 100; ++i) {
    const auto next = next_point(order, ended);
    gone.reason = next.reason;
    if (!next.point) return gone;
    gone.folders.push_back(folder_name(*next.point, order.axes));
    ended.push_back({*next.point, fate(*next.point)});
  }
  gone.reason = "no end";
  return gone;
}

std::function<EndKind(const Point&)> fits_up_to(long long most) {
  return [=](const Point& point) {
    return *whole_number(point.settings.at("envs")) <= most ? EndKind::done : EndKind::gpu_out_of_memory;
  };
}

using Folders = std::vector<std::string>;

}  // namespace

TEST_CASE("an ended point is not run again") {
  const auto order = order_over({{"envs", {"1", "2", "4"}}});
  const Point first{{{"envs", "1"}}, 1}, last{{{"envs", "4"}}, 1};
  CHECK(next_point(order, {{first, EndKind::failed}, {last, EndKind::done}}).point == Point{{{"envs", "2"}}, 1});
  CHECK(go(order, fits_up_to(1)).folders == Folders{"envs_1", "envs_2", "envs_4"});
}

TEST_CASE("stopping after out of memory leaves out what is as large and otherwise the same") {
  auto order = order_over({{"envs", {"4", "1", "2", "8"}}, {"batch", {"1", "2"}}});
  order.stop_after_oom = true;
  const auto gone = go(order, [](const Point& point) {
    const bool large = point.settings.at("envs") == "4" && point.settings.at("batch") == "2";
    return large ? EndKind::host_out_of_memory : EndKind::done;
  });
  CHECK(gone.folders == Folders{"envs_4_batch_1", "envs_4_batch_2", "envs_1_batch_1", "envs_1_batch_2",
                                "envs_2_batch_1", "envs_2_batch_2", "envs_8_batch_1"});
  // Killed for unknown reasons is not out of memory.
  CHECK(go(order, [](const Point&) { return EndKind::killed; }).folders.size() == 8);
}

TEST_CASE("the search doubles, then bisects to the largest that fits") {
  auto order = order_over({{"envs", {"1024"}}});
  order.find_max = 1 << 20;
  const auto gone = go(order, fits_up_to(11'000));
  CHECK(gone.folders == Folders{"envs_1024", "envs_2048", "envs_4096", "envs_8192", "envs_16384", "envs_12288",
                                "envs_10240", "envs_11264", "envs_10752", "envs_11008"});
  CHECK(gone.reason == "envs 10752 fits and envs 11008 does not");
}

TEST_CASE("the search finds small ones, and stops at its bound") {
  auto order = order_over({{"envs", {"64"}}});
  order.find_max = 100;
  CHECK(go(order, fits_up_to(1000)).folders == Folders{"envs_64", "envs_100"});
  CHECK(go(order, fits_up_to(1000)).reason == "nothing ran out of memory up to envs 100");
  CHECK(go(order, fits_up_to(5)).reason == "envs 5 fits and envs 6 does not");
  CHECK(go(order, fits_up_to(0)).reason == "envs 1 does not fit, and no smaller value exists");
  CHECK(go(order, fits_up_to(1)).reason == "envs 1 fits and envs 2 does not");
}

TEST_CASE("a failure other than out of memory stops the search") {
  auto order = order_over({{"envs", {"64"}}});
  order.find_max = 1000;
  const auto gone = go(
      order, [](const Point& point) { return point.settings.at("envs") == "128" ? EndKind::killed : EndKind::done; });
  CHECK(gone.folders == Folders{"envs_64", "envs_128"});
  CHECK(gone.reason.find("envs 128 ended otherwise (killed)") == 0);
}

TEST_CASE("values that the search chose are repeated as the others are") {
  auto order = order_over({{"envs", {"1"}}});
  order.find_max = 2;
  order.repeats = 2;
  CHECK(go(order, fits_up_to(9)).folders == Folders{"envs_1", "envs_1_r2", "envs_2", "envs_2_r2"});
}

TEST_CASE("points that are neither run nor scheduled are left out") {
  auto order = order_over({{"envs", {"1", "2", "4"}}});
  order.stop_after_oom = true;
  const std::vector<Ended> ended = {{{{{"envs", "2"}}, 1}, EndKind::gpu_out_of_memory}};
  CHECK(left_out(order, ended) == std::vector<Point>{{{{"envs", "4"}}, 1}});
}

}  // namespace rv::sweep
