#include "cli/options/completion_words.h"

#include <dirent.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/variable.h"
#include "monitor/run/run_facts.h"
#include "monitor/run/run_folder.h"

namespace rv::cli {
namespace {

constexpr std::size_t most_runs = 200;  // runs whose names are read, one file each, while the user waits for completion

bool plain(const std::string& word) {
  return !word.empty() && word.front() != '-' && std::all_of(word.begin(), word.end(), [](char c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return letter || std::string_view("._+-@/").find(c) != std::string_view::npos;
  });
}

/// The newest runs' folders, by their modification: no file is opened for it.
std::vector<std::string> newest_folders(const std::string& runs) {
  std::vector<std::pair<time_t, std::string>> found;
  DIR* listing = ::opendir(runs.c_str());
  if (listing == nullptr) return {};
  while (const dirent* entry = ::readdir(listing)) {
    struct stat status = {};
    if (entry->d_name[0] == '.' || ::fstatat(::dirfd(listing), entry->d_name, &status, 0) != 0) continue;
    found.emplace_back(status.st_mtime, entry->d_name);
  }
  ::closedir(listing);
  std::sort(found.rbegin(), found.rend());
  if (found.size() > most_runs) found.resize(most_runs);
  std::vector<std::string> names;
  names.reserve(found.size());
  for (auto& [time, name] : found) names.push_back(std::move(name));
  return names;
}

std::vector<std::string> runs_of(const std::string& home, bool live) {
  const std::string runs = home + "/runs";
  std::vector<std::string> words;
  std::set<std::string> seen;
  for (const auto& id : newest_folders(runs)) {
    std::string path = runs;
    path += '/';
    path += id;
    const monitor::RunFolder folder(path);
    try {
      const auto record = folder.record();
      if (live && monitor::is_over(folder)) continue;
      for (const auto& word : {record.name, id}) {
        if (plain(word) && seen.insert(word).second) words.push_back(word);
      }
    } catch (const Error&) {
      continue;
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
