// Parses the output of rsync.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rv::sync {

/// For rsync's --out-format: one line for each file that differs. Needs TZ=UTC and LC_ALL=C in rsync's environment.
inline constexpr const char* out_format = "@%i %l %M %n";

/// A file that rsync has sent or received, or would.
struct Transfer {
  std::string path;
  bool fresh = false;    // was not there before
  long long size = 0;    // bytes, of a link the length of its target
  long long mtime = 0;   // seconds since 1970
  bool content = false;  // more than permissions or time differs

  bool operator==(const Transfer&) const = default;
};

/// A line in out_format; nothing for a folder's and for any other line.
std::optional<Transfer> parse_transfer(std::string_view line);

/// The link's path, of a line about a link that --safe-links leaves out; else nothing.
std::optional<std::string> parse_refused_link(std::string_view line);

/// What rsync prints for bytes it thinks unprintable, \#ooo in octal, becomes those bytes again.
std::string unescaped(std::string_view name);

/// "1,234  5%  1.20MB/s  0:00:01 (xfr#1, to-chk=3/8)" of --info=progress2 → "5 %, 1.20MB/s"; else nothing.
std::optional<std::string> parse_progress(std::string_view line);

/// Cuts a stream into lines, at \n and \r.
class Lines {
 public:
  explicit Lines(std::function<void(std::string_view line)> sink) : sink_(std::move(sink)) {}
  void feed(std::string_view bytes);

 private:
  std::function<void(std::string_view)> sink_;
  std::string unfinished_;
};

}  // namespace rv::sync
