#include "cli/options/completion_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/variable.h"
#include "monitor/run/listed_runs.h"

namespace rv::cli {
namespace {

constexpr std::size_t most_runs = 200;  // the newest: a shell shows all words that begin alike

bool plain(const std::string& word) {
  return !word.empty() && word.front() != '-' && std::all_of(word.begin(), word.end(), [](char c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return letter || std::string_view("._+-@/").find(c) != std::string_view::npos;
  });
}

std::vector<std::string> runs_of(const std::string& home, bool live) {
  std::vector<std::string> words;
  std::set<std::string> seen;
  std::size_t count = 0;
  for (const auto& run : monitor::runs_in(home + "/runs")) {
    if (live && run.over) continue;
    if (++count > most_runs) break;
    for (const auto& word : {run.name, run.id()}) {
      if (plain(word) && seen.insert(word).second) words.push_back(word);
    }
  }
  return words;
}

std::string names_file(const std::string& home) {
  return home + "/cache/names";
}

}  // namespace

std::vector<std::string> completion_words(const std::string& home, std::string_view kind) {
  try {
    if (kind == "runs" || kind == "live-runs") return runs_of(home, kind == "live-runs");
    std::vector<std::string> words;
    std::istringstream lines(os::read_file(names_file(home)).value_or(""));
    std::string word;
    for (std::string of; lines >> of >> word;) {
      if (of == kind && plain(word)) words.push_back(word);
    }
    return words;
  } catch (const Error&) {
    return {};
  }
}

void remember_names(const std::string& home, const planner::Cluster& cluster, const planner::GpuCatalogue& catalogue) {
  std::set<std::string> names;
  for (const auto& node : cluster.nodes) {
    for (const auto& pool : node.gpus) names.insert("types " + planner::identify(catalogue, node, pool).name);
  }
  for (const auto& partition : cluster.partitions) names.insert("partitions " + partition.name);
  for (const auto& association : cluster.associations) names.insert("accounts " + association.account.text());
  std::string text;
  for (const auto& name : names) text += name + "\n";
  try {
    if (os::read_file(names_file(home)).value_or("") == text) return;
    os::make_folder(home + "/cache");
    os::replace_file(names_file(home), text);
  } catch (const Error&) {
    return;
  }
}

int print_completion_words(std::string_view kind) {
  const std::string home = variable("RV_HOME");
  for (const auto& word : completion_words(home.empty() ? variable("HOME") + "/.rv" : home, kind)) {
    fmt::print("{}\n", word);
  }
  return 0;
}

}  // namespace rv::cli
