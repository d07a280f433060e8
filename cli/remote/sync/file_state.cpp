#include "cli/remote/sync/file_state.h"

#include <fmt/format.h>

#include <charconv>

namespace rv::sync {

namespace {

constexpr std::string_view first_line{"rv-pushed 1\0", 12};
constexpr unsigned permissions = 07777;
constexpr long long second_ns = 1'000'000'000;

/// The number before the next blank, which is taken away with it.
template <typename Number>
bool take_number(std::string_view& text, Number& number, int base) {
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (fault != std::errc() || end == text.data() + text.size() || *end != ' ') return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
  return true;
}

/// Files below `folder`, which itself is none.
bool holds_files(const FileStates& states, const std::string& folder) {
  const auto first = states.lower_bound(folder + "/");
  return first != states.end() && first->first.starts_with(folder + "/");
}

}  // namespace

FileState state_of(const struct stat& status) {
  return {.mode = status.st_mode,
          .size = static_cast<long long>(status.st_size),
          .mtime_ns = status.st_mtim.tv_sec * second_ns + status.st_mtim.tv_nsec};
}

std::optional<FileState> state_of(const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return std::nullopt;
  if (!S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode)) return std::nullopt;
  return state_of(status);
}

std::string format(const FileStates& states) {
  std::string text(first_line);
  for (const auto& [path, state] : states) {
    text += fmt::format("{:o} {} {} ", state.mode, state.size, state.mtime_ns) + path;
    text += '\0';
  }
  return text;
}

std::optional<FileStates> parse_states(std::string_view text) {
  if (!text.starts_with(first_line)) return std::nullopt;
  text.remove_prefix(first_line.size());
  FileStates states;
  while (!text.empty()) {
    const std::size_t end = text.find('\0');
    if (end == std::string_view::npos) return std::nullopt;
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    FileState state;
    if (!take_number(line, state.mode, 8) || !take_number(line, state.size, 10) ||
        !take_number(line, state.mtime_ns, 10) || line.empty()) {
      return std::nullopt;
    }
    states.emplace(line, state);
  }
  return states;
}

std::vector<std::string> gone(const FileStates& pushed, const FileStates& now) {
  std::vector<std::string> paths;
  for (const auto& [path, state] : pushed) {
    if (now.count(path) == 0 && !holds_files(now, path)) paths.push_back(path);
  }
  return paths;
}

std::vector<std::string> hidden_from_rsync(const FileStates& pushed, const FileStates& now) {
  std::vector<std::string> paths;
  for (const auto& [path, state] : now) {
    const auto at = pushed.find(path);
    if (at == pushed.end() || at->second == state) continue;
    const FileState& before = at->second;
    const bool other_mode = (before.mode & permissions) != (state.mode & permissions);
    const bool in_flight = before.mtime_ns < 0;
    const bool same_look = before.size == state.size && before.mtime_ns / second_ns == state.mtime_ns / second_ns;
    if (other_mode || in_flight || same_look) paths.push_back(path);
  }
  return paths;
}

FileStates in_flight(const std::optional<FileStates>& pushed, const FileStates& now) {
  FileStates states = pushed.value_or(FileStates());
  for (const auto& [path, state] : now) {
    const auto [at, added] = states.emplace(path, state);
    if (added || at->second != state) at->second.mtime_ns = -1;
  }
  return states;
}

}  // namespace rv::sync
