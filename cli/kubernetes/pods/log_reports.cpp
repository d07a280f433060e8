#include "cli/kubernetes/pods/log_reports.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/border/report_name.h"
#include "base/text.h"
#include "cli/kubernetes/pods/names.h"
#include "shared/number.h"
#include "shared/sha256.h"

namespace rv::kubernetes {
namespace {

constexpr std::string_view mark = "rv-report ";
// Far more lines than any node's reports have; a larger number is not valid.
constexpr int most_lines = 10'000'000;

struct Part {
  bool more = false;
  std::string file, text;
  bool operator==(const Part&) const = default;
};

struct Pod {
  std::string node, sum;
  std::optional<int> count;
  std::map<int, Part> parts;
  std::string trouble;

  void spoil(const std::string& why) {
    if (trouble.empty()) trouble = why;
  }
};

/// The text up to the next blank, which goes too.
std::string next_word(std::string_view& rest) {
  const auto end = rest.find(' ');
  std::string first(rest.substr(0, end));
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return first;
}

std::optional<int> number(const std::string& text) {
  return number_in<int>(text, 0, most_lines);
}

/// What stands behind the mark's name, pod and node.
void take(Pod& pod, const std::string& node, std::string_view rest) {
  if (pod.node.empty()) pod.node = node;
  if (pod.node != node) return pod.spoil(fmt::format("it contains the names of two nodes, {} and {}", pod.node, node));
  const auto place = next_word(rest);
  if (place == "end") {
    const auto count = number(next_word(rest));
    const auto sum = next_word(rest);
    if (!count || sum.size() != 64) return pod.spoil("its last line is cut");
    if (pod.count && (*pod.count != *count || pod.sum != sum))
      return pod.spoil("its last line occurs twice and differs");
    pod.count = count;
    pod.sum = sum;
    return;
  }
  const auto at = number(place);
  const auto kind = next_word(rest);
  Part part{.more = kind == "+", .file = next_word(rest), .text = std::string(rest)};
  if (!at || (kind != "." && kind != "+")) return pod.spoil("a line is cut");
  if (!ReportName::parse(ReportKind::acceptance, part.file))
    return pod.spoil(fmt::format("\"{}\" is not the name of a report", one_line(part.file)));
  const auto [known, is_new] = pod.parts.emplace(*at, part);
  if (!is_new && known->second != part) pod.spoil(fmt::format("line {} occurs twice and differs", *at));
}

PodReports assembled(const std::string& name, Pod pod) {
  PodReports reports{.pod = name, .node = pod.node, .files = {}, .trouble = {}};
  std::string whole, line, file;
  bool broken = false;
  int expected = 0;
  for (const auto& [at, part] : pod.parts) {
    if (at != expected) {
      // The rest of a line whose beginning or middle is missing is none.
      pod.spoil(fmt::format("line {} is missing", expected));
      broken = true;
      line.clear();
    }
    expected = at + 1;
    if (!line.empty() && part.file != file) pod.spoil(fmt::format("line {} belongs to another report", at));
    file = part.file;
    line += part.text;
    if (part.more) continue;
    // The first whole line behind a gap may have begun in it; JSON that is not whole is left out by its reader.
    if (!broken || line.starts_with('{')) reports.files[part.file] += line + "\n";
    whole += part.file + " " + line + "\n";
    broken = false;
    line.clear();
  }
  if (!pod.count) {
    pod.spoil("the log ends before the reports do");
  } else if (*pod.count != expected) {
    pod.spoil(fmt::format("{} of {} lines arrived", pod.parts.size(), *pod.count));
  } else if (sha256_hex(whole) != pod.sum) {
    pod.spoil("the checksum differs: the log was changed or cut");
  }
  reports.trouble = pod.trouble;
  return reports;
}

}  // namespace

LogReports reports_in(std::string_view log, const std::string& name) {
  std::map<std::string, std::map<std::string, Pod>> found;
  std::vector<std::string> names;
  while (!log.empty()) {
    const auto end = log.find('\n');
    auto line = log.substr(0, end);
    log.remove_prefix(end == std::string_view::npos ? log.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    const auto at = line.find(mark);
    if (at == std::string_view::npos || (at != 0 && line[at - 1] != ' ')) continue;
    auto rest = line.substr(at + mark.size());
    const auto whose = next_word(rest), pod = next_word(rest), node = next_word(rest);
    // Names that Kubernetes would not give are not marks of rv.
    if (!is_node_name(whose) || !is_node_name(pod) || !is_node_name(node)) continue;
    if (!contains(names, whose)) names.push_back(whose);
    take(found[whose][pod], node, rest);
  }
  LogReports reports{.names = names, .pods = {}};
  const auto& meant = name.empty() && names.size() == 1 ? names.front() : name;
  for (auto& [pod, lines] : found[meant]) reports.pods.push_back(assembled(pod, std::move(lines)));
  return reports;
}

std::string trouble_of(const LogReports& reports) {
  std::vector<std::string> troubles;
  std::map<std::string, std::string> pod_of;
  const std::string* order = nullptr;
  for (const auto& pod : reports.pods) {
    if (!pod.trouble.empty()) {
      troubles.push_back(fmt::format("the log of pod {} (node {}) is incomplete: {}", pod.pod, pod.node, pod.trouble));
    }
    const auto [first, is_new] = pod_of.emplace(pod.node, pod.pod);
    if (!is_new)
      troubles.push_back(fmt::format("pods {} and {} both ran on node {}", first->second, pod.pod, pod.node));
    const auto found = pod.files.find("order.json");
    if (found == pod.files.end()) continue;
    if (order != nullptr && *order != found->second) troubles.push_back("the pods had different orders");
    order = &found->second;
  }
  std::string text;
  for (const auto& one : troubles) text += (text.empty() ? "" : "; ") + one;
  return text;
}

}  // namespace rv::kubernetes
