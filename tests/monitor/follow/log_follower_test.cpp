#include "monitor/follow/log_follower.h"

#include <doctest/doctest.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <fstream>
#include <map>

#include "tests/base/temporary_folder.h"

using namespace rv;
using namespace rv::monitor;

namespace {

struct Heard {
  std::string text;
  LogSink sink = [this](Stream stream, std::string_view node, std::string_view chunk) {
    text += (stream == Stream::out ? "o:" : "e:") + std::string(node) + ":" + std::string(chunk);
  };
};

void append(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::app) << text;
}

/// Counts what is opened in a folder, the folder itself left out.
class Opens {
 public:
  explicit Opens(const std::string& folder) : fd_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
    REQUIRE(::inotify_add_watch(fd_, folder.c_str(), IN_OPEN) >= 0);
  }
  ~Opens() { ::close(fd_); }
  Opens(const Opens&) = delete;
  Opens& operator=(const Opens&) = delete;

  /// By name, since the last call.
  std::map<std::string, int> take() const {
    std::map<std::string, int> opens;
    alignas(inotify_event) char buffer[65536];
    for (ssize_t size = 0; (size = ::read(fd_, buffer, sizeof buffer)) > 0;) {
      for (ssize_t at = 0; at < size;) {
        const auto* event = reinterpret_cast<const inotify_event*>(buffer + at);
        REQUIRE((event->mask & IN_Q_OVERFLOW) == 0);
        if (event->len > 0) ++opens[event->name];
        at += static_cast<ssize_t>(sizeof *event + event->len);
      }
    }
    return opens;
  }

 private:
  int fd_;
};

constexpr auto megabyte = std::size_t{1} << 20;

}  // namespace

TEST_CASE("output comes once, as it grows, from files that appear later too") {
  const TemporaryFolder folder;
  LogFollower logs(folder.path());
  Heard heard;
  CHECK(!logs.poll(heard.sink));
  append(folder.path() + "/n1.out", "a");
  append(folder.path() + "/other.txt", "no");
  CHECK(logs.poll(heard.sink));
  CHECK(!logs.poll(heard.sink));
  append(folder.path() + "/n1.out", "b\n");
  append(folder.path() + "/n2.err", "c\n");
  CHECK(logs.poll(heard.sink));
  CHECK(heard.text == "o:n1:ao:n1:b\ne:n2:c\n");
  CHECK(logs.nodes() == 2);
}

TEST_CASE("more than a buffer's worth arrives whole") {
  const TemporaryFolder folder;
  append(folder.path() + "/n1.out", std::string(1'000'000, 'x'));
  LogFollower logs(folder.path());
  std::size_t count = 0;
  logs.poll([&](Stream, std::string_view, std::string_view text) { count += text.size(); });
  CHECK(count == 1'000'000);
}

TEST_CASE("only one node's output is followed") {
  const TemporaryFolder folder;
  append(folder.path() + "/n1.out", "a");
  append(folder.path() + "/n11.out", "b");
  LogFollower logs(folder.path(), {.node = "n1"});
  Heard heard;
  logs.poll(heard.sink);
  CHECK(heard.text == "o:n1:a");
}

TEST_CASE("the output of some elements of an array, on one node or several") {
  const TemporaryFolder folder;
  for (const auto* name : {"1.out", "2.out", "12.out", "3.n1.out", "3.n2.out", "n3.out"})
    append(folder.path() + "/" + name, name);
  const auto shown = [&](const LogChoice& choice) {
    LogFollower logs(folder.path(), choice);
    std::string text;
    logs.drain([&](Stream, std::string_view node, std::string_view) { text += std::string(node) + " "; });
    return text;
  };
  CHECK(shown({.elements = std::vector<int>{2, 12}}) == "2 12 ");
  CHECK(shown({.elements = std::vector<int>{1, 3}}) == "1 3.n1 3.n2 ");
  CHECK(shown({.node = "n2", .elements = std::vector<int>{3}}) == "3.n2 ");
  CHECK(shown({.elements = std::vector<int>{}}) == "");
}

TEST_CASE("the last lines") {
  const auto tail = [](const std::string& content, int lines) {
    const TemporaryFolder folder;
    append(folder.path() + "/n1.out", content);
    LogFollower logs(folder.path());
    logs.start_at_tail(lines);
    std::string text;
    logs.poll([&](Stream, std::string_view, std::string_view chunk) { text += chunk; });
    return text;
  };
  CHECK(tail("a\nb\nc\n", 2) == "b\nc\n");
  CHECK(tail("a\nb\nc", 1) == "c");
  CHECK(tail("a\nb\n", 9) == "a\nb\n");
  CHECK(tail("a\n", 0) == "");
  CHECK(tail("\n\n\n", 2) == "\n\n");
}

TEST_CASE("a poll returns a bounded amount, and no byte is lost or repeated") {
  const TemporaryFolder folder;
  std::string written;
  for (int i = 0; written.size() < 10 * megabyte; ++i) written += std::to_string(i) + '\n';
  append(folder.path() + "/n1.out", written);
  LogFollower logs(folder.path());
  std::string got;
  int polls = 0;
  for (bool any = true; any; ++polls) {
    std::size_t count = 0;
    bool whole_lines = true;
    any = logs.poll([&](Stream, std::string_view, std::string_view text) {
      count += text.size();
      whole_lines = text.ends_with('\n');
      got += text;
    });
    CHECK(count <= megabyte);
    if (got.size() < written.size()) CHECK(whole_lines);
  }
  CHECK(polls > 10);
  CHECK(got == written);
}

TEST_CASE("files that grow fast are served in turn, and none starves") {
  const TemporaryFolder folder;
  for (int i = 10; i < 30; ++i)
    append(folder.path() + "/n" + std::to_string(i) + ".out", std::string(3 * megabyte, 'x'));
  append(folder.path() + "/n99.out", "small");
  LogFollower logs(folder.path());
  std::map<std::string, std::size_t> got;
  const auto sink = [&](Stream, std::string_view node, std::string_view text) {
    got[std::string(node)] += text.size();
  };
  for (int poll = 0; poll < 6; ++poll) {
    std::size_t before = 0;
    for (const auto& [node, count] : got) before += count;
    CHECK(logs.poll(sink));
    std::size_t after = 0;
    for (const auto& [node, count] : got) after += count;
    CHECK(after - before <= 4 * megabyte);
  }
  CHECK(got.size() == 21);  // within six polls each had its turn
  CHECK(got["n99"] == 5);
  while (logs.poll(sink)) continue;
  for (const auto& [node, count] : got) CHECK(count == (node == "n99" ? 5 : 3 * megabyte));
}

TEST_CASE("a drain ends where the files were, however fast they grow, and goes file by file") {
  const TemporaryFolder folder;
  append(folder.path() + "/n1.out", "seen");
  LogFollower logs(folder.path());
  Heard heard;
  logs.poll(heard.sink);
  append(folder.path() + "/n1.out", std::string(9 * megabyte, 'x') + "\nno line's end");
  append(folder.path() + "/n2.out", "second");
  std::string got;
  int calls = 1;
  while (logs.drain([&](Stream, std::string_view, std::string_view text) {
    got += text;
    append(folder.path() + "/n1.out", "still growing\n");
  })) {
    CHECK(got.size() <= static_cast<std::size_t>(calls) * 4 * megabyte);
    REQUIRE(++calls < 20);
  }
  CHECK(calls >= 3);
  CHECK(got == std::string(9 * megabyte, 'x') + "\nno line's end" + "second");
  CHECK(!logs.drain([&](Stream, std::string_view, std::string_view text) { got = text; }));
  CHECK(got.starts_with("still growing\n"));
}

TEST_CASE("few of many unchanged files are opened per poll, and each within seconds") {
  const TemporaryFolder folder;
  constexpr int files = 2000;
  for (int i = 0; i < files; ++i) append(folder.path() + "/" + std::to_string(i) + ".out", "begun\n");
  LogFollower logs(folder.path());
  std::string text;
  const LogSink sink = [&](Stream, std::string_view, std::string_view chunk) { text += chunk; };
  auto now = LogFollower::Clock::now();
  while (logs.poll(sink, now)) continue;
  CHECK(text.size() == files * std::string("begun\n").size());
  const auto poll_for = [&](std::chrono::milliseconds time) {
    for (const auto end = now + time; now < end;) {
      now += std::chrono::milliseconds(100);
      logs.poll(sink, now);
    }
  };
  const Opens opens(folder.path());
  poll_for(std::chrono::seconds(6));
  const auto quiet = opens.take();
  int count = 0;
  for (const auto& [name, times] : quiet) count += times;
  CHECK(quiet.size() == files);
  CHECK(count <= 6 * 400);
  // What has grown is there at the next poll while it grows, and soon after a long silence.
  poll_for(std::chrono::seconds(10));
  text.clear();
  append(folder.path() + "/7.out", "after a silence\n");
  poll_for(std::chrono::milliseconds(600));
  CHECK(text == "after a silence\n");
  for (int i = 0; i < 5; ++i) {
    text.clear();
    append(folder.path() + "/7.out", "again\n");
    poll_for(std::chrono::milliseconds(100));
    CHECK(text == "again\n");
  }
}

TEST_CASE("few files are all opened at each poll: a network file system shows other machines' writes on open") {
  const TemporaryFolder folder;
  for (int i = 0; i < 8; ++i) append(folder.path() + "/n" + std::to_string(i) + ".out", "begun\n");
  LogFollower logs(folder.path());
  Heard heard;
  logs.poll(heard.sink);
  const Opens opens(folder.path());
  for (int i = 0; i < 3; ++i) CHECK(!logs.poll(heard.sink));
  const auto counted = opens.take();
  CHECK(counted.size() == 8);
  for (const auto& [name, times] : counted) CHECK(times == 3);
}

TEST_CASE("the last lines are found in a log longer than one read") {
  const TemporaryFolder folder;
  std::string content;
  for (int i = 0; i < 50'000; ++i) content += std::to_string(i) + '\n';
  append(folder.path() + "/n1.out", content);
  LogFollower logs(folder.path());
  logs.start_at_tail(30'000);
  std::string text;
  logs.drain([&](Stream, std::string_view, std::string_view chunk) { text += chunk; });
  CHECK(text == content.substr(content.find("\n20000\n") + 1));
}
