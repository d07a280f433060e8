#include "cli/remote/sync/rsync_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>

namespace rv::sync {

namespace {

/// The text before the next blank, which is taken away with it.
std::string_view take_word(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

bool is_octal(std::string_view text) {
  return text.size() == 3 && text.find_first_not_of("01234567") == std::string_view::npos;
}

/// "2026/11/21-15:09:32", UTC.
std::optional<long long> parse_time(std::string_view text) {
  int field[6] = {};
  for (int i = 0; i < 6; ++i) {
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), field[i]);
    if (fault != std::errc()) return std::nullopt;
    text.remove_prefix(std::min<std::size_t>(static_cast<std::size_t>(end - text.data()) + 1, text.size()));
  }
  const std::chrono::sys_days day = std::chrono::year(field[0]) / field[1] / field[2];
  const auto time = day.time_since_epoch() + std::chrono::hours(field[3]) + std::chrono::minutes(field[4]);
  return std::chrono::duration_cast<std::chrono::seconds>(time).count() + field[5];
}

}  // namespace

std::optional<Transfer> parse_transfer(std::string_view line) {
  if (!line.starts_with('@')) return std::nullopt;
  line.remove_prefix(1);
  // YXcstpoguax: Y how (< > c . h), X kind (f d L D S), then what differs; see rsync(1), --itemize-changes.
  const std::string_view item = take_word(line);
  if (item.size() < 4 || (item[1] != 'f' && item[1] != 'L')) return std::nullopt;
  Transfer transfer;
  std::string digits(take_word(line));
  digits.erase(std::remove(digits.begin(), digits.end(), ','), digits.end());
  const auto size = std::from_chars(digits.data(), digits.data() + digits.size(), transfer.size);
  const auto time = parse_time(take_word(line));
  if (size.ec != std::errc() || !time || line.empty()) return std::nullopt;
  transfer.mtime = *time;
  transfer.fresh = item.substr(2).find_first_not_of('+') == std::string_view::npos;
  transfer.content = item[0] != '.';
  transfer.path = unescaped(line);
  return transfer;
}

std::optional<std::string> parse_refused_link(std::string_view line) {
  constexpr std::string_view before = "ignoring unsafe symlink \"";
  if (!line.starts_with(before)) return std::nullopt;
  line.remove_prefix(before.size());
  const std::size_t end = line.find("\" -> \"");
  if (end == std::string_view::npos) return std::nullopt;
  std::string path = unescaped(line.substr(0, end));
  if (path.starts_with("./")) path.erase(0, 2);
  return path;
}

std::string unescaped(std::string_view name) {
  std::string out;
  for (std::size_t at = 0; at < name.size(); ++at) {
    if (name.substr(at, 2) == "\\#" && is_octal(name.substr(at + 2, 3))) {
      out += static_cast<char>((name[at + 2] - '0') * 64 + (name[at + 3] - '0') * 8 + (name[at + 4] - '0'));
      at += 4;
    } else {
      out += name[at];
    }
  }
  return out;
}

std::optional<std::string> parse_progress(std::string_view line) {
  if (line.starts_with('@')) return std::nullopt;
  std::vector<std::string_view> words;
  while (!line.empty()) {
    if (const auto word = take_word(line); !word.empty()) words.push_back(word);
  }
  if (words.size() < 4 || !words[1].ends_with('%') || !words[2].ends_with("B/s")) return std::nullopt;
  return fmt::format("{} %, {}", words[1].substr(0, words[1].size() - 1), words[2]);
}

void Lines::feed(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find_first_of("\r\n");
    unfinished_ += bytes.substr(0, end);
    if (end == std::string_view::npos) return;
    if (!unfinished_.empty()) sink_(unfinished_);
    unfinished_.clear();
    bytes.remove_prefix(end + 1);
  }
}

}  // namespace rv::sync
