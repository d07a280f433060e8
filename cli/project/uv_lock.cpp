#include "cli/project/uv_lock.h"

#include <algorithm>

namespace rv::project {
namespace {

/// The quoted text after `key = `, first in the line or in braces.
std::string quoted_behind(std::string_view line, std::string_view key) {
  const auto at = line.find(key);
  if (at == std::string_view::npos) return "";
  const auto rest = line.substr(at + key.size());
  if (!rest.starts_with(" = \"")) return "";
  const auto text = rest.substr(4);
  return std::string(text.substr(0, text.find('"')));
}

void read_source(std::string_view line, LockedPackage& package) {
  for (const char* kind : {"editable", "virtual", "directory"}) {
    const auto folder = quoted_behind(line, kind);
    if (folder.empty()) continue;
    package.folder = folder;
    package.member = std::string_view(kind) != "directory";
    return;
  }
}

}  // namespace

std::vector<LockedPackage> local_packages(std::string_view lock) {
  std::vector<LockedPackage> all;
  LockedPackage package;
  bool metadata = false;  // what was declared when it was locked, not what is needed
  const auto close = [&] {
    if (!package.folder.empty()) all.push_back(std::move(package));
    package = {};
    metadata = false;
  };
  while (!lock.empty()) {
    const auto end = std::min(lock.find('\n'), lock.size());
    const auto line = lock.substr(0, end);
    lock.remove_prefix(std::min(end + 1, lock.size()));
    if (line == "[[package]]") close();
    if (line.starts_with("[package.metadata")) metadata = true;
    if (line.starts_with("name = ")) package.name = quoted_behind(line, "name");
    if (line.starts_with("source = ")) read_source(line, package);
    // One to a line, as uv writes them: `    { name = "torch", extra = ["x"] },`.
    if (line.starts_with("    { name = ") && !metadata && !package.folder.empty()) {
      package.needs.push_back(quoted_behind(line, "name"));
    }
  }
  close();
  return all;
}

std::optional<LockedPackage> package_in(const std::vector<LockedPackage>& packages, const std::string& folder) {
  const auto found =
      std::find_if(packages.begin(), packages.end(), [&](const auto& one) { return one.folder == folder; });
  return found == packages.end() ? std::nullopt : std::optional(*found);
}

std::vector<LockedPackage> needed_by(const std::vector<LockedPackage>& packages, const std::string& name) {
  std::vector<LockedPackage> needed;
  std::vector<std::string> open{name};
  while (!open.empty()) {
    const auto next = open.back();
    open.pop_back();
    const auto is_next = [&](const auto& one) { return one.name == next; };
    const auto found = std::find_if(packages.begin(), packages.end(), is_next);
    if (found == packages.end() || std::any_of(needed.begin(), needed.end(), is_next)) continue;
    needed.push_back(*found);
    open.insert(open.end(), found->needs.begin(), found->needs.end());
  }
  return needed;
}

}  // namespace rv::project
