#pragma once

#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rv::workers {

/// The value as text; an empty field if it is unknown.
std::string field(const std::optional<double>& value, int decimals);

/// A CSV file that grows by rows. It may be read at any time up to its last newline.
class SampleWriter {
 public:
  /// Throws std::runtime_error if the file can't be created.
  SampleWriter(const std::string& path, const std::string& header);
  void row(const std::string& text);
  /// Writes buffered rows to the file. False if that failed.
  bool flush();

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

/// Records when a source of samples becomes unreadable and readable again: one line of JSON in events.jsonl per change.
class SourceWatch {
 public:
  explicit SourceWatch(const std::string& path);
  /// `why`: the reason why it can't be read; empty: it was read.
  void saw(const std::string& source, double time, const std::string& why);
  /// Writes another line.
  void say(const std::string& json);

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  std::map<std::string, bool> gone_;
};

}  // namespace rv::workers
