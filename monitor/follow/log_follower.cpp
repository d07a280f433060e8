#include "monitor/follow/log_follower.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>

#include "monitor/follow/fresh_size.h"
#include "monitor/run/elements.h"
#include "shared/system/descriptor.h"

namespace rv::monitor {
namespace {

constexpr std::size_t chunk = 65536;
constexpr int drained_files = 256;  // by one call: on a network file system each costs an exchange

struct LogName {
  std::string node;
  Stream stream = Stream::out;
};

/// "udc-an28-1.out"; an empty node for what is not a log.
LogName log_name(std::string_view file) {
  const bool out = file.ends_with(".out");
  if (!out && !file.ends_with(".err")) return {};
  return {std::string(file.substr(0, file.size() - 4)), out ? Stream::out : Stream::err};
}

ssize_t read_at(int fd, char* buffer, std::size_t size, long long offset) {
  ssize_t count = 0;
  while ((count = ::pread(fd, buffer, size, offset)) < 0 && errno == EINTR) continue;
  return count;
}

long long size_of(int fd) {
  return fresh_size(fd).value_or(0);
}

// At the end of what the kernel knows of the file, the file system is asked whether there is more.
ssize_t read_fresh_at(int fd, char* buffer, std::size_t size, long long offset) {
  const ssize_t count = read_at(fd, buffer, size, offset);
  return count == 0 && size_of(fd) > offset ? read_at(fd, buffer, size, offset) : count;
}

/// Where the last lines begin, found from the end: a log may be longer than memory.
long long tail_offset(int fd, int lines) {
  const long long size = size_of(fd);
  if (lines <= 0) return size;
  char buffer[chunk];
  for (long long end = size; end > 0;) {
    const long long begin = std::max(0LL, end - static_cast<long long>(chunk));
    const ssize_t count = read_at(fd, buffer, static_cast<std::size_t>(end - begin), begin);
    for (ssize_t i = count - 1; i >= 0; --i) {
      const bool last_end = begin + i == size - 1;  // the last line's own
      if (buffer[i] == '\n' && !last_end && --lines == 0) return begin + i + 1;
    }
    end = begin;
  }
  return 0;
}

}  // namespace

bool LogChoice::takes(std::string_view label) const {
  if (!elements) return node.empty() || label == node;
  const auto element = element_of_label(label);
  if (!element || !std::binary_search(elements->begin(), elements->end(), *element)) return false;
  return node.empty() || label.ends_with("." + node);
}

class LogFollower::Folder {
 public:
  explicit Folder(const std::string& path) : folder_(::opendir(path.c_str())) {}
  ~Folder() {
    if (folder_ != nullptr) ::closedir(folder_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::set<std::string, NaturalOrder> logs(const LogChoice& choice) const {
    std::set<std::string, NaturalOrder> names;
    if (folder_ == nullptr) return names;
    while (const dirent* entry = ::readdir(folder_)) {
      const std::string node = log_name(entry->d_name).node;
      if (!node.empty() && choice.takes(node)) names.insert(entry->d_name);
    }
    return names;
  }
  os::Descriptor open(const std::string& name) const {  // none: gone since the listing
    return os::Descriptor(::openat(::dirfd(folder_), name.c_str(), O_RDONLY | O_CLOEXEC));
  }
  bool has_more_than(const std::string& name, long long bytes) const {
    return fresh_size(::dirfd(folder_), name).value_or(0) > bytes;
  }

 private:
  DIR* folder_;
};

/// Goes through files by name, from behind the one where it stopped last time, round and round.
class LogFollower::Turn {
 public:
  Turn(const std::vector<Entry*>& entries, const std::string& behind) : entries_(entries) {
    at_ = static_cast<std::size_t>(std::upper_bound(entries.begin(), entries.end(), behind,
                                                    [](const std::string& name, const Entry* entry) {
                                                      return NaturalOrder()(name, entry->first);
                                                    }) -
                                   entries.begin());
  }
  /// Nothing after one round.
  Entry* next() {
    if (done_ == entries_.size()) return nullptr;
    return entries_[(at_ + done_++) % entries_.size()];
  }

 private:
  const std::vector<Entry*>& entries_;
  std::size_t at_ = 0;
  std::size_t done_ = 0;
};

std::vector<LogFollower::Entry*> LogFollower::list(const Folder& folder) {
  std::vector<Entry*> listed;
  for (const auto& name : folder.logs(choice_)) {
    auto [node, stream] = log_name(name);
    auto& entry = *files_.try_emplace(name).first;
    entry.second.node = std::move(node);
    entry.second.stream = stream;
    listed.push_back(&entry);
  }
  return listed;
}

std::vector<LogFollower::Entry*> LogFollower::worth_opening(const Folder& folder, const std::vector<Entry*>& listed,
                                                            Clock::time_point now) {
  const double passed = polled_ == Clock::time_point() ? 0 : std::chrono::duration<double>(now - polled_).count();
  int opens = std::max(limits_.opens_a_poll, static_cast<int>(passed * limits_.opens_a_second));
  int questions = std::max(limits_.questions_a_poll, static_cast<int>(passed * limits_.questions_a_second));
  std::set<const Entry*> worth;
  for (Turn turn(listed, opened_); opens > 0; --opens) {
    const Entry* entry = turn.next();
    if (entry == nullptr) break;
    worth.insert(entry);
    opened_ = entry->first;
  }
  std::vector<Entry*> quiet;
  for (Entry* entry : listed) {
    const auto& [name, file] = *entry;
    if (worth.contains(entry)) continue;
    const bool certain = !file.opened || file.more;
    if (!certain && now - file.grew >= limits_.lately) {
      quiet.push_back(entry);
    } else if (certain || folder.has_more_than(name, file.offset)) {
      worth.insert(entry);
    }
  }
  for (Turn turn(quiet, asked_); questions > 0; --questions) {
    const Entry* entry = turn.next();
    if (entry == nullptr) break;
    asked_ = entry->first;
    if (folder.has_more_than(entry->first, entry->second.offset)) worth.insert(entry);
  }
  std::vector<Entry*> in_order;
  std::copy_if(listed.begin(), listed.end(), std::back_inserter(in_order),
               [&](const Entry* entry) { return worth.contains(entry); });
  return in_order;
}

bool LogFollower::poll(const LogSink& sink, Clock::time_point now) {
  const Folder folder(logs_);
  const auto open_now = worth_opening(folder, list(folder), now);
  polled_ = now;
  long long left = limits_.bytes;
  bool any = false;
  std::string served;
  Turn turn(open_now, served_);
  while (Entry* entry = turn.next()) {
    auto& [name, file] = *entry;
    if (left <= 0) {
      file.more = true;  // perhaps: the next poll looks
      any = true;
      continue;
    }
    served = name;
    file.more = false;
    file.opened = true;
    const os::Descriptor log = folder.open(name);
    if (log.number() < 0) continue;
    const long long at_most = std::min(left, limits_.bytes_of_file);
    const long long count = hand_over(log.number(), *entry, at_most, sink);
    if (count > 0) file.grew = now;
    left -= file.more ? at_most : count;
    any = any || count > 0;
  }
  served_ = left <= 0 ? served : "";
  return any;
}

long long LogFollower::hand_over(int fd, Entry& entry, long long at_most, const LogSink& sink) {
  File& file = entry.second;
  char buffer[chunk];
  long long handed_over = 0;
  while (handed_over < at_most) {
    const auto wanted = std::min(static_cast<long long>(chunk), at_most - handed_over);
    const ssize_t count = read_fresh_at(fd, buffer, static_cast<std::size_t>(wanted), file.offset);
    if (count <= 0) break;
    std::string_view text(buffer, static_cast<std::size_t>(count));
    file.more = handed_over + count == at_most;
    if (file.more && text.find('\n') != std::string_view::npos) text = text.substr(0, text.rfind('\n') + 1);
    file.offset += static_cast<long long>(text.size());
    handed_over += static_cast<long long>(text.size());
    sink(file.stream, file.node, text);
    if (file.more) break;
  }
  return handed_over;
}

bool LogFollower::drain(const LogSink& sink) {
  const Folder folder(logs_);
  if (draining_.empty()) {
    auto listed = list(folder);
    // The order between stdout and stderr is lost. Stdout comes first: a traceback explains the output before it.
    std::sort(listed.begin(), listed.end(), [](const Entry* a, const Entry* b) {
      if (a->second.node != b->second.node) return NaturalOrder()(a->second.node, b->second.node);
      return a->second.stream < b->second.stream;
    });
    for (auto entry = listed.rbegin(); entry != listed.rend(); ++entry) draining_.push_back({.entry = *entry});
  }
  long long left = limits_.bytes;
  for (int files = 0; left > 0 && files < drained_files && !draining_.empty(); ++files) drain_some(folder, left, sink);
  return !draining_.empty();
}

void LogFollower::drain_some(const Folder& folder, long long& left, const LogSink& sink) {
  auto& [entry, end] = draining_.back();
  auto& [name, file] = *entry;
  const os::Descriptor log = folder.open(name);
  const int fd = log.number();
  if (fd >= 0 && end < 0) end = size_of(fd);
  long long count = 0;
  if (fd >= 0 && end - file.offset > left) {
    count = hand_over(fd, *entry, left, sink);
    left = 0;
  } else {
    // In two parts if the end is not at the end of a line.
    for (long long part = -1; fd >= 0 && part != 0 && file.offset < end; count += part) {
      part = hand_over(fd, *entry, end - file.offset, sink);
    }
    left -= count;
  }
  if (count == 0 || file.offset >= end) draining_.pop_back();
}

void LogFollower::start_at_tail(int lines) {
  const Folder folder(logs_);
  for (Entry* entry : list(folder)) {
    const os::Descriptor log = folder.open(entry->first);
    if (log.number() >= 0) entry->second.offset = tail_offset(log.number(), lines);
  }
}

void LogFollower::start_at(const std::map<std::string, long long>& offsets) {
  for (const auto& [name, offset] : offsets) files_[name].offset = offset;
}

long long LogFollower::offset_of(Stream stream, std::string_view node) const {
  const auto found = files_.find(std::string(node) + (stream == Stream::out ? ".out" : ".err"));
  return found == files_.end() ? 0 : found->second.offset;
}

long long LogFollower::missing_of(const std::map<std::string, long long>& sizes) const {
  long long missing = 0;
  for (const auto& [name, size] : sizes) {
    if (!choice_.takes(log_name(name).node)) continue;
    const auto found = files_.find(name);
    missing += std::max(0LL, size - (found == files_.end() ? 0 : found->second.offset));
  }
  return missing;
}

int LogFollower::nodes() const {
  std::set<std::string> nodes;
  for (const auto& name : Folder(logs_).logs(choice_)) nodes.insert(log_name(name).node);
  return static_cast<int>(nodes.size());
}

bool LogFollower::separate_stderr() const {
  const auto names = Folder(logs_).logs(choice_);
  return std::any_of(names.begin(), names.end(), [](const auto& name) { return log_name(name).stream == Stream::err; });
}

}  // namespace rv::monitor
