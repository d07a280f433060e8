// The output of a run's processes on this process's own stdout and stderr.
#pragma once

#include <cstdio>
#include <map>
#include <string>
#include <utility>

#include "monitor/log_follower.h"

namespace rv::cli {

/// One node: bytes as they come. Several nodes: whole lines, each behind its node's name, so that lines never mix.
class OutputWriter {
 public:
  explicit OutputWriter(bool several_nodes) : several_nodes_(several_nodes) {}
  /// Before the first write.
  void set_several_nodes(bool several_nodes) { several_nodes_ = several_nodes; }
  /// What is written to stderr goes to stdout as well.
  void all_to_stdout() { all_to_stdout_ = true; }
  ~OutputWriter() { flush(); }
  OutputWriter(const OutputWriter&) = delete;
  OutputWriter& operator=(const OutputWriter&) = delete;

  void write(monitor::Stream stream, std::string_view node, std::string_view text);
  /// Writes what has no line end yet.
  void flush();

 private:
  bool several_nodes_;
  bool all_to_stdout_ = false;
  std::map<std::pair<std::FILE*, std::string>, std::string> unfinished_;
};

}  // namespace rv::cli
