#include "monitor/node_memory/node_event_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/listing.h"
#include "base/trust/outside_access.h"
#include "base/trust/regular_file.h"

namespace rv::monitor {
namespace {

constexpr std::size_t largest_event = 4096;  // bytes; rv writes less than 1,500
// Of each listing: a folder that somebody has filled must not hold up a plan.
constexpr std::size_t most_files = 5000;

std::optional<NodeEvent> read_event(const std::string& path) {
  struct stat status = {};
  if (::lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  const auto text = trust::read_beginning(path, largest_event);
  if (!text) return std::nullopt;
  auto event = parse_node_event(*text);
  if (event) event->user = status.st_uid == ::getuid() ? "you" : trust::shown_user(status.st_uid);
  return event;
}

std::vector<std::string> files_in(const std::string& folder) {
  auto names = os::names_in(folder);
  std::erase_if(names, [](const std::string& name) { return !parse_file_name(name); });
  if (names.size() > most_files) names.resize(most_files);
  return names;
}

/// A clock that is ahead by more than this is wrong.
constexpr std::chrono::hours clock_error{24};

}  // namespace

std::vector<NodeEventName> NodeEventFolder::names() const {
  std::vector<NodeEventName> parsed;
  for (const auto& name : files_in(path_)) parsed.push_back(*parse_file_name(name));
  return parsed;
}

std::vector<NodeEvent> NodeEventFolder::read(const std::string& cluster, TimePoint now) const {
  std::vector<NodeEvent> events;
  for (const auto& name : files_in(path_)) {
    if (parse_file_name(name)->cluster != cluster) continue;
    auto event = read_event(path_ + "/" + name);
    // A file under another event's name could hide or repeat one.
    if (!event || file_name_of(*event) != name) continue;
    if (event->time < now - node_memory_lasts || event->time > now + clock_error) continue;
    events.push_back(std::move(*event));
  }
  std::stable_sort(events.begin(), events.end(), [](const auto& a, const auto& b) { return a.time < b.time; });
  return events;
}

void NodeEventFolder::write(const NodeEvent& event, TimePoint now) const {
  if (!shared_) os::make_folder(path_);
  os::write_file(path_ + "/" + file_name_of(event), to_line(event), shared_ ? 0644 : 0600);
  remove_expired(now);
}

void NodeEventFolder::remove_expired(TimePoint now) const {
  for (const auto& name : files_in(path_)) {
    const auto path = path_ + "/" + name;
    struct stat status = {};
    if (::lstat(path.c_str(), &status) != 0 || status.st_uid != ::getuid()) continue;
    const auto event = read_event(path);
    if (event && event->time < now - node_memory_lasts) ::unlink(path.c_str());
  }
}

}  // namespace rv::monitor
