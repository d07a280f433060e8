#include "monitor/log_follower.h"

#include <doctest/doctest.h>

#include <fstream>

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
