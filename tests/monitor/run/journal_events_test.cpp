#include "monitor/run/journal_events.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <string>

#include "base/os/atomic_file.h"
#include "monitor/run/segments.h"
#include "tests/source_tree.h"

using namespace rv;
using namespace rv::monitor;

namespace {

// All that runs in jobs, one template after the other.
std::string all_templates() {
  std::string text;
  for (const auto& file : std::filesystem::recursive_directory_iterator(in_tree("templates"))) {
    const auto kind = file.path().extension();
    if (kind == ".sh" || kind == ".sbatch" || kind == ".bash") text += os::read_file(file.path()).value();
  }
  return text;
}

// What the pattern's first group matches.
std::multiset<std::string> words(const std::string& text, const char* pattern) {
  const std::regex regex(pattern);
  std::multiset<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), regex), end; match != end; ++match)
    found.insert((*match)[1]);
  return found;
}

constexpr const char* event_written = R"(\brv_event ([a-z_]+))";

std::set<std::string> reasons_written() {
  const auto text = all_templates();
  std::set<std::string> reasons;
  // Set for the line that ends a segment, written in it, or written in the event.
  for (const auto* pattern :
       {R"(\brv_reason=([a-z_]+))", R"(rv_enter_end "\S+ \S+ ([a-z_]+) )", R"re(\\"reason\\":\\"([a-z_]+)\\")re"}) {
    const auto found = words(text, pattern);
    CHECK(!found.empty());
    reasons.insert(found.begin(), found.end());
  }
  return reasons;
}

}  // namespace

TEST_CASE("each event has one word and each word one event") {
  std::set<std::string_view> seen;
  for (const auto& one : event_rows) {
    CAPTURE(one.name);
    CHECK(seen.insert(one.name).second);
    CHECK(one.kind != EventKind::unknown);
    CHECK(to_string(one.kind) == one.name);
    CHECK(from_name<EventKind>(one.name) == one.kind);
  }
  CHECK(to_string(EventKind::unknown).empty());
}

TEST_CASE("a journal of an earlier release is read") {
  CHECK(EventName::read("untraced") == EventKind::unknown_to_slurm);
  CHECK(EventName::read("untraced").text() == "unknown_to_slurm");
}

TEST_CASE("each reason has one word and each word one reason") {
  std::set<std::string_view> seen;
  for (const auto& one : reason_rows()) {
    CAPTURE(one.name);
    CHECK(seen.insert(one.name).second);
    CHECK(to_string(one.reason) == one.name);
    CHECK(from_name<SegmentReason>(one.name) == one.reason);
  }
  CHECK(reason_rows().size() == static_cast<std::size_t>(SegmentReason::terminated));
}

TEST_CASE("an unknown event name is kept unchanged") {
  const auto event = EventName::read("moved_house");
  CHECK(event == EventKind::unknown);
  CHECK(event.text() == "moved_house");
  CHECK(EventName::read("next") == EventKind::next);
  CHECK(EventName::read("next").text() == "next");
  CHECK(EventName::read("").text().empty());
  const auto reason = StoredName<SegmentReason>::read("eclipse");
  CHECK(reason == SegmentReason::unknown);
  CHECK(reason.text() == "eclipse");
}

TEST_CASE("jobs write only events of the table") {
  const auto text = all_templates();
  const auto written = words(text, event_written);
  for (const auto& word : written) {
    CAPTURE(word);
    const auto known =
        std::find_if(event_rows.begin(), event_rows.end(), [&](const EventRow& one) { return one.name == word; });
    REQUIRE(known != event_rows.end());
    CHECK(known->writer == EventWriter::job);
  }
  for (const auto& one : event_rows) {
    CAPTURE(one.name);
    if (one.writer == EventWriter::job) CHECK(written.contains(std::string(one.name)));
  }
  // Each call names its event where this test can read it: all else is the functions themselves and their comment.
  CHECK(words(text, R"((\brv_event\b)(?! [a-z_]+|\(\)| NAME))").empty());
}

TEST_CASE("jobs search for events by names of the table") {
  const auto read = words(all_templates(), R"re("event":"([a-z_]+)")re");
  CHECK(read.contains("intent"));
  for (const auto& word : read) {
    CAPTURE(word);
    // The event of rv notify test is not a line of a journal.
    if (word != "test") CHECK(from_name<EventKind>(word) != EventKind::unknown);
  }
}

TEST_CASE("jobs end segments for the reasons of the table, and for no others") {
  std::set<std::string> known;
  for (const auto& one : reason_rows()) known.insert(std::string(one.name));
  CHECK(reasons_written() == known);
}

TEST_CASE("each event and reason is documented") {
  const auto text = os::read_file(in_tree("docs/run-folder.md")).value();
  const auto begin = text.find("\n## Events\n");
  REQUIRE(begin != std::string::npos);
  const auto section = text.substr(begin, text.find("\n## ", begin + 1) - begin);
  const auto jobs = section.find("jobs write");
  REQUIRE(jobs != std::string::npos);
  for (const auto& one : event_rows) {
    CAPTURE(one.name);
    const auto at = section.find("`" + std::string(one.name) + "`");
    REQUIRE(at != std::string::npos);
    CHECK((at > jobs) == (one.writer == EventWriter::job));
  }
  const auto reasons = os::read_file(in_tree("docs/json.md")).value();
  for (const auto& one : reason_rows()) {
    CAPTURE(one.name);
    CHECK(reasons.find("`" + std::string(one.name) + "`") != std::string::npos);
  }
}
