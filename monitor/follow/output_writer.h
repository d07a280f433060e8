// Writes the output of a run's processes to this process's stdout and stderr.
#pragma once

#include <cstdio>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/os/patient_write.h"
#include "base/terminal_text.h"
#include "monitor/follow/log_follower.h"

namespace rv::monitor {

/// Returns what a terminal shows of a line (without its newline) that overwrites itself with carriage returns, as
/// progress bars do: the text after the last carriage return. Carriage returns at the end of the line stay.
std::string_view last_state(std::string_view line);

/// What is written of lines that overwrite themselves. Binary data (with a zero byte) is not changed.
enum class Bars {
  as_drawn,  // every state; also on a terminal byte for byte
  folded,    // the last state, when the line ends
  live,      // the last state; a terminal gets the bytes of one node unchanged, and shows the same
};

/// Writes the output of one node as it comes, or in whole lines if bars are folded. Output of several nodes is written
/// in whole lines, each after the name of its node, so that lines never mix. Output for a terminal passes a
/// TerminalFilter, unless bars are as drawn. Throws Error if the disk is full. If `give_up` returns true during a
/// write, this output and all later output is dropped.
class OutputWriter {
 public:
  OutputWriter(bool several_nodes, os::GiveUp give_up) : several_nodes_(several_nodes), give_up_(std::move(give_up)) {}
  /// Before the first write.
  void set_several_nodes(bool several_nodes) { several_nodes_ = several_nodes; }
  /// The default is as_drawn. Call it before the first write.
  void set_bars(Bars bars) { bars_ = bars; }
  /// Filters output for a terminal in every mode of bars. Call it before the first write.
  void filter_terminals() { filters_terminals_ = true; }
  /// Writes both streams of the processes to stdout.
  void all_to_stdout() { all_to_stdout_ = true; }
  ~OutputWriter();
  OutputWriter(const OutputWriter&) = delete;
  OutputWriter& operator=(const OutputWriter&) = delete;

  void write(monitor::Stream stream, std::string_view node, std::string_view text);
  /// Writes the beginnings of lines that have not ended.
  void flush();
  bool given_up() const { return given_up_; }

 private:
  struct Held {
    std::string text;     // the beginning of a line that has not ended
    bool binary = false;  // from here on lines are not folded
  };

  void put(std::FILE* file, std::string_view text);
  void send(int fd, std::string_view text);
  void write_lines(std::FILE* file, std::string_view node, std::string_view text, bool folding);
  bool folds(std::FILE* file) const;

  bool several_nodes_;
  os::GiveUp give_up_;
  bool given_up_ = false;
  bool all_to_stdout_ = false;
  bool filters_terminals_ = false;
  Bars bars_ = Bars::as_drawn;
  std::map<std::pair<std::FILE*, std::string>, Held> unfinished_;
  std::map<int, TerminalFilter> filters_;  // by descriptor, for terminals
};

}  // namespace rv::monitor
