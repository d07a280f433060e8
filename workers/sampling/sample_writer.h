#pragma once

#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rv::workers {

/// "" for what is not known.
std::string field(const std::optional<double>& value, int decimals);

/// One CSV file that grows by rows; it may be read at any time up to its last newline.
class SampleWriter {
 public:
  /// Throws std::runtime_error when the file can't be made.
  SampleWriter(const std::string& path, const std::string& header);
  void row(const std::string& text);
  /// What was written so far is in the file. False when the disk did not take it.
  bool flush();

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

/// Which sources are gone since when: a line of JSON in events.jsonl for each change.
class SourceWatch {
 public:
  explicit SourceWatch(const std::string& path);
  /// `why`: what is wrong with it; empty: it was read.
  void saw(const std::string& source, double time, const std::string& why);
  /// A line of its own.
  void say(const std::string& json);

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  std::map<std::string, bool> gone_;
};

}  // namespace rv::workers
