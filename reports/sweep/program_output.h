// What a program's output says: its figures, and a message that memory was short.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/sweep/memory_message.h"
#include "reports/sweep/metric.h"

namespace rv::sweep {

class ProgramOutput {
 public:
  explicit ProgramOutput(const std::vector<MetricOption>& options) : reader_(options) {}

  /// Reads one line. A progress bar writes its states over each other, with carriage returns between them: each state
  /// has figures of its own.
  void read(std::string line);
  /// Reads one line of a JSON-lines file.
  void read_json(const std::string& line) { reader_.read_json(line); }

  Metrics metrics() const { return reader_.metrics(); }
  /// The last message that memory was short.
  const std::optional<MemoryMessage>& memory() const { return memory_; }
  /// True when figures came after it.
  bool went_on_after_message() const { return went_on_; }

 private:
  MetricReader reader_;
  std::optional<MemoryMessage> memory_;
  bool went_on_ = false;
};

}  // namespace rv::sweep
