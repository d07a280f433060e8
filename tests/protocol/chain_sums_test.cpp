// A chain goes on by what its jobs add up in bash, or its clients in C++ where no job is left to do it: both say the
// same.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "monitor/jobs/chain.h"
#include "rendered_script.h"
#include "tests/base/temporary_folder.h"

using namespace rv;
using namespace rv::monitor;

namespace {

struct Case {
  ChainRecord chain;
  std::chrono::seconds segment_limit{0};
  std::vector<Segment> segments;
};

std::string in_words(const Case& one) {
  std::string text =
      fmt::format("{} {} {}", one.chain.total.count(), one.segment_limit.count(), one.chain.shortest.count());
  for (const auto& segment : one.segments) {
    fmt::format_to(std::back_inserter(text), " {} {} {} {}", segment.began.time_since_epoch().count(),
                   segment.end->time.time_since_epoch().count(), segment.end->reason.text(),
                   segment.end->progress ? 1 : 0);
  }
  return text;
}

std::string of_client(const Case& one) {
  const auto limits = next_limits(one.chain, one.segments, one.segment_limit);
  return fmt::format("{} {}{}{}", time_used(one.segments, {}, false).count(), fruitless_segments(one.segments),
                     limits.empty() ? "" : " ", fmt::join(limits, " "));
}

Case drawn(std::mt19937& random) {
  const auto below = [&](int end) { return static_cast<int>(random() % static_cast<unsigned>(end)); };
  Case one;
  one.segment_limit = std::chrono::minutes(10 + below(300));
  one.chain.total = std::chrono::seconds(600 + below(20'000));
  one.chain.shortest = std::chrono::minutes(1 + below(60));
  const int count = below(7);
  TimePoint now(std::chrono::seconds(1'800'000'000));
  for (int i = 0; i < count; ++i) {
    Segment segment;
    segment.number = i + 1;
    segment.began = now + std::chrono::seconds(below(1000));
    // Clocks of nodes may be apart: an end before its beginning.
    now = segment.began + std::chrono::seconds(below(3000) - 60);
    const auto words = reason_words();
    segment.end = SegmentEnd{.code = 0, .time = now, .reason = {}, .progress = below(3) == 0};
    segment.end->reason = words[static_cast<std::size_t>(below(static_cast<int>(words.size())))].reason;
    if (below(2) == 0) segment.end->reason = SegmentReason::crashed;
    one.segments.push_back(std::move(segment));
  }
  return one;
}

std::vector<std::string> of_scripts(const std::vector<Case>& cases) {
  const TemporaryFolder folder;
  const std::string functions = folder.path() + "/functions", list = folder.path() + "/cases";
  std::ofstream(functions) << functions_of(rendered_script("chain", {.run_folder = folder.path()}));
  std::ofstream file(list);
  for (const auto& one : cases) file << in_words(one) << "\n";
  file.close();
  std::istringstream said(said_by("bash " RV_PROTOCOL_TESTS "/chain_sums.bash " + functions + " <" + list));
  std::vector<std::string> lines;
  for (std::string line; std::getline(said, line);) lines.push_back(line);
  return lines;
}

}  // namespace

TEST_CASE("scripts and clients add up the same, and ask for the same next segment") {
  std::mt19937 random(14);  // NOLINT(cert-msc51-cpp): the same chains every time
  std::vector<Case> cases;
  for (int i = 0; i < 400; ++i) cases.push_back(drawn(random));
  const auto said = of_scripts(cases);
  REQUIRE(said.size() == cases.size());
  int shortened = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    // No script asks for another segment where nothing is left.
    if (cases[i].chain.total <= time_used(cases[i].segments, {}, false)) continue;
    CHECK_MESSAGE(said[i] == of_client(cases[i]), in_words(cases[i]));
    shortened += said[i].find("--time=") == std::string::npos ? 0 : 1;
  }
  CHECK(shortened > 50);
}
