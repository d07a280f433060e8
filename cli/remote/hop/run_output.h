// A run's output as it is shown: on this terminal, or on its way to a laptop's.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "cli/remote/hop/follow_channel.h"
#include "cli/remote/hop/hop_request.h"
#include "monitor/follow/log_follower.h"
#include "monitor/follow/output_writer.h"

namespace rv::remote {

/// Which part of it.
struct OutputChoice {
  monitor::LogChoice logs = {};
  bool only_out = false;
  bool only_err = false;
  monitor::Bars bars = monitor::Bars::live;
  int tail = -1;  // lines at the end of each file to print first; -1: all
};

class RunOutput {
 public:
  /// `folder`: the run's; `home`: rv's; `hop`: what a laptop asked for, if one did.
  RunOutput(const std::string& folder, const std::optional<HopRequest>& hop, const std::string& home,
            const OutputChoice& choice = {});

  /// Called before each part is shown.
  void before_each(std::function<void()> hook) { before_each_ = std::move(hook); }

  /// Whether the lines carry their nodes' names, before anything is shown. The first call counts.
  void begin(bool several_nodes);
  bool begun() const { return writer_.has_value(); }

  /// As in LogFollower; once it has begun.
  bool poll() { return logs_.poll(sink_); }
  bool drain() { return logs_.drain(sink_); }
  /// Writes what has no line end yet.
  void flush() { writer_->flush(); }

  /// How many bytes of logs of these sizes are still to be shown.
  long long missing_of(const std::map<std::string, long long>& sizes) const { return logs_.missing_of(sizes); }

  /// The number of chosen nodes (of an array: elements) that have written logs.
  int nodes() const { return logs_.nodes(); }
  bool separate_stderr() const { return logs_.separate_stderr(); }

 private:
  void write(monitor::Stream stream, std::string_view node, std::string_view text);

  OutputChoice choice_;
  monitor::LogFollower logs_;
  std::function<void()> before_each_;
  const monitor::LogSink sink_ = [this](monitor::Stream stream, std::string_view node, std::string_view text) {
    write(stream, node, text);
  };
  std::optional<FollowChannel> channel_;         // to a laptop; nothing where rv was called here
  std::optional<monitor::OutputWriter> writer_;  // its end writes unfinished lines
};

}  // namespace rv::remote
