#include "cli/views/prometheus.h"

#include <doctest/doctest.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/error.h"
#include "tests/base/temporary_folder.h"

namespace rv::cli {
namespace {

using monitor::RunState;

const slurm::TimePoint now{std::chrono::seconds(1'795'262'400)};

monitor::RunView& add_run(Metrics& seen, RunState state, const std::string& type, int gpus) {
  auto& record = seen.records.emplace_back();
  record.created = now - std::chrono::minutes(seen.records.size());
  auto& view = seen.views.emplace_back();
  view.state = state;
  auto& candidate = view.candidates.emplace_back().candidate;
  candidate.gpu_type = type;
  candidate.gpus = gpus;
  return view;
}

bool has_line(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

TEST_CASE("runs and their GPUs are counted by state and type") {
  Metrics seen;
  add_run(seen, RunState::running, "a40", 4);
  add_run(seen, RunState::holding, "a40", 2);
  add_run(seen, RunState::queued, "h200", 8);
  add_run(seen, RunState::queued, "a40", 1);
  add_run(seen, RunState::failed, "a40", 1);
  const auto text = prometheus_text(seen, now);
  CHECK(has_line(text, R"(rv_gpus_held{type="a40"} 6)"));
  CHECK(has_line(text, "rv_gpus_waited_for 9"));
  CHECK(has_line(text, "rv_longest_wait_seconds 240"));
  CHECK(has_line(text, R"(rv_runs{state="queued"} 2)"));
  CHECK(has_line(text, R"(rv_runs{state="starting"} 0)"));
  CHECK(has_line(text, R"(rv_runs_over{state="failed"} 1)"));
  CHECK(has_line(text, R"(rv_runs_over{state="done"} 0)"));
  CHECK(has_line(text, "rv_slurm_answered 1"));
  CHECK(text.find(R"(rv_runs{state="failed"})") == std::string::npos);
}

TEST_CASE("the GPUs of a race are those of the candidate that won") {
  Metrics seen;
  auto& view = add_run(seen, RunState::running, "a40", 4);
  auto& second = view.candidates.emplace_back().candidate;
  second.gpu_type = "h200";
  second.gpus = 4;
  view.winner = 2;
  CHECK(has_line(prometheus_text(seen, now), R"(rv_gpus_held{type="h200"} 4)"));
}

TEST_CASE("an array holds the GPUs of the elements that run") {
  Metrics seen;
  auto& view = add_run(seen, RunState::running, "a40", 2);
  auto& array = view.array.emplace();
  for (int index = 0; index < 3; ++index) array.elements.push_back({.index = index, .start = monitor::Entry{}});
  array.elements[0].exit.emplace();
  array.elements.push_back({.index = 3});
  CHECK(has_line(prometheus_text(seen, now), R"(rv_gpus_held{type="a40"} 4)"));
}

TEST_CASE("silence of Slurm is a metric, and labels are escaped") {
  Metrics seen;
  seen.slurm_answered = false;
  add_run(seen, RunState::running, "odd\"\\\n", 1);
  const auto text = prometheus_text(seen, now);
  CHECK(has_line(text, "rv_slurm_answered 0"));
  CHECK(has_line(text, R"(rv_gpus_held{type="odd\"\\\n"} 1)"));
}

TEST_CASE("the number of lines does not grow with the runs") {
  Metrics few;
  add_run(few, RunState::running, "a40", 1);
  Metrics many;
  for (int i = 0; i < 1000; ++i) add_run(many, RunState::running, "a40", 1);
  const auto lines = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
  CHECK(lines(prometheus_text(few, now)) == lines(prometheus_text(many, now)));
}

TEST_CASE("the file of metrics is readable before it has its name, whatever the umask") {
  const TemporaryFolder folder;
  const int watch = ::inotify_init1(IN_NONBLOCK);
  REQUIRE(watch >= 0);
  REQUIRE(::inotify_add_watch(watch, folder.path().c_str(), IN_ALL_EVENTS) >= 0);
  const auto before = ::umask(077);
  write_prometheus(folder.path() + "/rv.prom", "rv_up 1\n");
  ::umask(before);
  struct stat status {};
  REQUIRE(::stat((folder.path() + "/rv.prom").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777U) == 0644);
  alignas(inotify_event) std::array<char, 65536> events{};
  const auto size = ::read(watch, events.data(), events.size());
  ::close(watch);
  std::uint32_t last = 0;
  for (std::ptrdiff_t at = 0; at < size;) {
    const auto* const event = reinterpret_cast<const inotify_event*>(events.data() + at);
    if (event->len > 0 && std::string(event->name) == "rv.prom") last = event->mask;
    at += static_cast<std::ptrdiff_t>(sizeof *event + event->len);
  }
  CHECK((last & IN_MOVED_TO) != 0U);  // and nothing happens to it after that
}

TEST_CASE("node_exporter reads *.prom alone") {
  CHECK_THROWS_AS(write_prometheus("/tmp/rv.txt", ""), Error);
}

}  // namespace
}  // namespace rv::cli
