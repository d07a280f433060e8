// What a chain's script makes of its segments: how it continues, which clients ask it for where no job is left to do
// it, and what clients show of it, which they add up themselves.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "base/os/atomic_file.h"
#include "base/os/listing.h"
#include "monitor/jobs/chain.h"
#include "rendered_script.h"
#include "tests/base/temporary_folder.h"

using namespace rv;
using namespace rv::monitor;

namespace {

struct Case {
  templates::Chain chain;
  std::chrono::seconds segment_limit{0};
  std::vector<Segment> segments;
};

std::string in_words(const Case& one) {
  std::string text =
      fmt::format("{} {} {}", one.chain.total.count(), one.segment_limit.count(), one.chain.shortest.count());
  for (const auto& segment : one.segments) {
    const auto last = segment.end ? segment.end->time : segment.seen.value();
    fmt::format_to(std::back_inserter(text), " {} {} {} {}", segment.began.time_since_epoch().count(),
                   last.time_since_epoch().count(), segment.end ? segment.end->reason.text() : "-",
                   segment.end && segment.end->progress ? 1 : 0);
  }
  return text;
}

/// Whole minutes for what is left and for the records behind it, where a whole segment is more.
std::vector<std::string> limits_of(const Case& one) {
  const auto left = one.chain.total - time_used(one.segments, {}, false) + std::chrono::minutes(1);
  const auto limit = std::chrono::ceil<std::chrono::minutes>(left);
  std::vector<std::string> words;
  if (limit < one.segment_limit) words.push_back(fmt::format("--time={}", limit.count()));
  if (limit < one.chain.shortest) words.push_back(fmt::format("--time-min={}", limit.count()));
  return words;
}

std::string expected(const Case& one) {
  const auto limits = limits_of(one);
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
    const auto words = reason_rows();
    segment.end = SegmentEnd{.code = 0, .time = now, .reason = {}, .progress = below(3) == 0};
    segment.end->reason = words[static_cast<std::size_t>(below(static_cast<int>(words.size())))].reason;
    if (below(2) == 0) segment.end->reason = SegmentReason::crashed;
    one.segments.push_back(std::move(segment));
  }
  if (!one.segments.empty() && below(3) == 0) {
    auto& last = one.segments.back();
    last.seen = last.end->time;
    last.end.reset();
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

TEST_CASE("scripts and clients add up the same, and what is left is what is asked for") {
  std::mt19937 random(14);  // NOLINT(cert-msc51-cpp): the same chains every time
  std::vector<Case> cases;
  for (int i = 0; i < 400; ++i) cases.push_back(drawn(random));
  const auto said = of_scripts(cases);
  REQUIRE(said.size() == cases.size());
  int shortened = 0, open = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    // No script requests another segment if no time is left.
    if (cases[i].chain.total <= time_used(cases[i].segments, {}, false)) continue;
    CHECK_MESSAGE(said[i] == expected(cases[i]), in_words(cases[i]));
    open += !cases[i].segments.empty() && !cases[i].segments.back().end ? 1 : 0;
    shortened += said[i].find("--time=") == std::string::npos ? 0 : 1;
  }
  CHECK(shortened > 50);
  CHECK(open > 50);
}

namespace {

/// A chain's folder whose second segment has left no end, with 28 minutes of its two hours left; `kind`: of its script.
std::string script_in(const TemporaryFolder& run, const std::string& kind) {
  os::make_folder(run.path() + "/ledger");
  os::make_folder(run.path() + "/chain");
  os::write_file(run.path() + "/ledger/1", "claim 1 1 10 0 - - n1 1800000000 10.n1.1 n1\n");
  os::write_file(run.path() + "/ledger/2", "start 1 1 10 0 1 - n1 1800000000 10.n1.1 n1\n");
  os::write_file(run.path() + "/ledger/3", "start 1 1 11 0 2 - n2 1800004000 11.n2.1 n2\n");
  os::write_file(run.path() + "/chain/1.end", "0 1800003600 time_limit 1\n");
  os::write_file(run.path() + "/chain/2.alive", "1800006000\n");
  os::write_file(run.path() + "/chain/exclude", "n7\nn9\n");
  const auto script = run.path() + "/script.sh";
  os::write_file(script, rendered_script(kind, {.run_folder = run.path()}));
  return script;
}

/// As on a login node: in no job.
std::string answer_of(const std::string& script, const std::string& words) {
  return said_by(fmt::format("env -u SLURM_JOB_ID bash {} {} 2>{}.err; echo $?", script, words, script));
}

}  // namespace

TEST_CASE("asked in no job, a chain's script says sbatch's words for the next segment, and does nothing else") {
  const TemporaryFolder run;
  const auto script = script_in(run, "chain");
  const auto before = os::names_in(run.path() + "/ledger");
  CHECK(answer_of(script, "next") == "--exclude=n7,n9\n--time=28\n--time-min=28\n0\n");
  CHECK(answer_of(script, "next all") == "--time=28\n--time-min=28\n0\n");
  CHECK(os::names_in(run.path() + "/ledger") == before);
  CHECK(os::names_in(run.path() + "/chain").size() == 3);
  CHECK(os::read_file(script + ".err").value_or("?").empty());
  // An entry that can't be read may decide.
  os::write_file(run.path() + "/ledger/4", "surprise 1 1 11 0 2 - n2 1800004000 11.n2.1 n2\n");
  CHECK(answer_of(script, "next") == "1\n");
}

TEST_CASE("a script that knows no such word, asked in no job, starts nothing") {
  for (const char* kind : {"plain", "requeue", "several", "hold", "array", "after"}) {
    CAPTURE(kind);
    const TemporaryFolder run;
    const auto script = script_in(run, kind);
    const auto before = os::names_in(run.path() + "/ledger");
    CHECK(answer_of(script, "next") != "0\n");
    CHECK(os::names_in(run.path() + "/ledger") == before);
  }
}
