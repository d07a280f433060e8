#include "monitor/log_follower.h"

#include <doctest/doctest.h>

#include <fstream>
#include <map>

#include "temporary_folder.h"

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

TEST_CASE("one node's output alone") {
  const TemporaryFolder folder;
  append(folder.path() + "/n1.out", "a");
  append(folder.path() + "/n11.out", "b");
  LogFollower logs(folder.path(), "n1");
  Heard heard;
  logs.poll(heard.sink);
  CHECK(heard.text == "o:n1:a");
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

TEST_CASE("a poll hands over a bounded amount, and nothing is lost or comes twice") {
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

TEST_CASE("the last lines of a log longer than what is read at once") {
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
