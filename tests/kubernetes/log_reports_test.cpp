#include "cli/kubernetes/pods/log_reports.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "shared/sha256.h"

using namespace rv;
using namespace rv::kubernetes;

namespace {

/// What a pod prints of these lines of files, as templates/accept_pod.bash does.
std::vector<std::string> printed(const std::string& pod, const std::string& node,
                                 const std::vector<std::pair<std::string, std::string>>& lines,
                                 std::size_t part = 4000) {
  std::vector<std::string> log;
  std::string whole;
  for (const auto& [file, line] : lines) {
    whole += file + " " + line + "\n";
    auto rest = line;
    while (rest.size() > part) {
      log.push_back(fmt::format("rv-report day {} {} {} + {} {}", pod, node, log.size(), file, rest.substr(0, part)));
      rest.erase(0, part);
    }
    log.push_back(fmt::format("rv-report day {} {} {} . {} {}", pod, node, log.size(), file, rest));
  }
  log.push_back(fmt::format("rv-report day {} {} end {} {}", pod, node, log.size(), sha256_hex(whole)));
  return log;
}

const std::vector<std::pair<std::string, std::string>> lines = {
    {"order.json", R"({"nodes":2})"},
    {"steps.jsonl", R"({"step":"compute","exit_code":0})"},
    {"compute/rv-compute.n1.7.jsonl", R"({"kind":"measurement","name":"gemm  two blanks "})"},
    {"compute/rv-compute.n1.7.jsonl", R"({"kind":"result","verdict":"pass"})"},
    {"compute/err", ""}};

std::string text(const std::vector<std::string>& log) {
  std::string all;
  for (const auto& line : log) all += line + "\n";
  return all;
}

}  // namespace

TEST_CASE("reports come out of a log as they went in") {
  const auto reports = reports_in("starting\n" + text(printed("a-0", "n1", lines)) + "goodbye");
  REQUIRE(reports.pods.size() == 1);
  const auto& pod = reports.pods[0];
  CHECK(pod.trouble.empty());
  CHECK(pod.node == "n1");
  CHECK(pod.files.at("order.json") == "{\"nodes\":2}\n");
  CHECK(pod.files.at("compute/rv-compute.n1.7.jsonl") ==
        "{\"kind\":\"measurement\",\"name\":\"gemm  two blanks \"}\n{\"kind\":\"result\",\"verdict\":\"pass\"}\n");
  CHECK(reports.names == std::vector<std::string>{"day"});
  CHECK(trouble_of(reports).empty());
}

TEST_CASE("two pods' lines in any order, with what kubectl puts before them") {
  auto both = printed("a-0", "n1", lines, 7);
  for (const auto& line : printed("a-1", "n2", lines, 7))
    both.push_back("[pod/a-1/workers] 2026-11-21T10:00:00Z " + line);
  std::mt19937 random(7);
  std::shuffle(both.begin(), both.end(), random);
  const auto reports = reports_in(text(both));
  REQUIRE(reports.pods.size() == 2);
  CHECK(trouble_of(reports).empty());
  CHECK(reports.pods[0].files == reports.pods[1].files);
  CHECK(reports.pods[1].node == "n2");
}

TEST_CASE("a repeated log, or one with other line ends, is the same log") {
  const auto log = text(printed("a-0", "n1", lines));
  CHECK(trouble_of(reports_in(log + log)).empty());
  std::string dos;
  for (const char c : log) dos += c == '\n' ? std::string("\r\n") : std::string(1, c);
  CHECK(trouble_of(reports_in(dos)).empty());
}

TEST_CASE("whichever line is missing, the reports are incomplete") {
  const auto whole = printed("a-0", "n1", lines, 10);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    CAPTURE(i);
    auto some = whole;
    some.erase(some.begin() + static_cast<std::ptrdiff_t>(i));
    CHECK(trouble_of(reports_in(text(some))).find("incomplete") != std::string::npos);
  }
}

TEST_CASE("wherever the log is cut, the reports are incomplete") {
  const auto log = text(printed("a-0", "n1", lines, 20));
  for (std::size_t size = 0; size + 1 < log.size(); ++size) {
    CAPTURE(size);
    const auto reports = reports_in(log.substr(0, size));
    CHECK((reports.pods.empty() || !trouble_of(reports).empty()));
  }
}

TEST_CASE("after a change of any byte the reports are incomplete or the line is ignored") {
  const auto log = text(printed("a-0", "n1", lines, 20));
  for (std::size_t at = 0; at < log.size(); ++at) {
    if (log[at] == '\n') continue;
    CAPTURE(at);
    auto other = log;
    other[at] = other[at] == 'x' ? 'y' : 'x';
    CAPTURE(other);
    CHECK_FALSE(trouble_of(reports_in(other, "day")).empty());
  }
}

TEST_CASE("two lines that were glued together are one too few") {
  auto log = text(printed("a-0", "n1", lines));
  log.erase(log.find('\n'), 1);
  CHECK_FALSE(trouble_of(reports_in(log)).empty());
}

TEST_CASE("no file leaves its folder, and no name that Kubernetes would not give is taken") {
  for (const auto* file : {"../../etc/passwd", "/etc/passwd", "a/../b.jsonl", "..", "a/.hidden.jsonl", "a/b/c.jsonl",
                           "a/b", "order.json/x.jsonl", "A/b.jsonl", "steps.jsonl "}) {
    CAPTURE(file);
    const auto reports = reports_in(fmt::format("rv-report day a-0 n1 0 . {} text\n", file));
    REQUIRE(reports.pods.size() == 1);
    CHECK(reports.pods[0].files.count(file) == 0);
    for (const auto& [name, content] : reports.pods[0].files) CHECK(name.find("..") == std::string::npos);
    CHECK_FALSE(reports.pods[0].trouble.empty());
  }
  for (const auto* node : {"..", "../n1", "N1", "n1/..", "-n", "n..1", ""}) {
    CAPTURE(node);
    CHECK(reports_in(fmt::format("rv-report day a-0 {} 0 . order.json x\n", node)).pods.empty());
  }
}

TEST_CASE("a worker that prints marks of its own makes its reports incomplete at most") {
  auto log = printed("a-0", "n1", lines);
  log.push_back("rv-report day a-0 n1 0 . order.json {\"nodes\":1}");
  CHECK(trouble_of(reports_in(text(log))).find("occurs twice and differs") != std::string::npos);
  log.back() = "rv-report day a-0 n1 end 0 " + std::string(64, '0');
  CHECK(trouble_of(reports_in(text(log))).find("its last line occurs twice and differs") != std::string::npos);
  log.back() = "rv-report day a-0 n2 0 . order.json {}";
  CHECK(trouble_of(reports_in(text(log))).find("two nodes") != std::string::npos);
  log.back() = "rv-report day a-0 n1 99999999999999999999 . order.json {}";
  CHECK_FALSE(trouble_of(reports_in(text(log))).empty());
}

TEST_CASE("two acceptances in one log are distinguished by name; two pods of one node are an error") {
  auto other = text(printed("b-0", "n1", lines));
  for (std::size_t at = 0; (at = other.find("report day", at)) != std::string::npos;)
    other.replace(at, 10, "report eve");
  const auto log = text(printed("a-0", "n1", lines)) + other;
  CHECK(reports_in(log).names == std::vector<std::string>{"day", "eve"});
  CHECK(reports_in(log).pods.empty());
  CHECK(reports_in(log, "eve").pods.at(0).pod == "b-0");
  CHECK(trouble_of(reports_in(log, "eve")).empty());
  const auto twice = text(printed("a-0", "n1", lines)) + text(printed("a-1", "n1", lines));
  CHECK(trouble_of(reports_in(twice)) == "pods a-0 and a-1 both ran on node n1");
}
